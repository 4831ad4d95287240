// How the receiver of a webhook answered lately, as a field of the webhook.
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, Field, FieldResolver, Float, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../access/context.ts';
import { needs } from '../database/reader/projection.ts';
import { LevelLoaders } from '../graphql/level-loaders.ts';

import { PRICED } from '../graphql/summaries/summary-types.ts';
import type { StoredRecord } from '../records/metadata.ts';
import { Webhook } from './webhook.ts';
import { attemptStatistics, MAX_MEASURED } from './webhook-statistics.statements.ts';

@ObjectType({ description: `Statistics of the newest ${MAX_MEASURED} deliveries of a webhook.`, simpleResolvers: true })
export class WebhookStatistics {
  @Field(() => Int, { description: 'Number of calls, including retries.' }) attempts!: number;
  @Field(() => Float, { nullable: true, description: 'Share of attempts with a 2xx response, 0 to 1; null without attempts.' })
  successRate!: number | null;
  @Field(() => Int, { nullable: true, description: 'Median duration of the attempts in milliseconds; null without attempts.' })
  p50!: number | null;
  @Field(() => Int, { nullable: true, description: '95th percentile of the duration in milliseconds; null without attempts.' })
  p95!: number | null;
}

type Measured = StoredRecord<Webhook, 'id' | 'organisationId'>;

const statistics = new LevelLoaders<Measured, WebhookStatistics>('webhook_statistics', async ({ services }, _info, webhooks) => {
  const rows = await services.database.read(attemptStatistics, [
    String(webhooks[0]!.organisationId),
    `{${webhooks.map(({ id }) => id).join(',')}}`,
  ]);
  const found = new Map(rows.map(([id, ...figures]) => [id, statisticsOf(figures)]));
  return webhooks.map(({ id }) => found.get(id)!);
});

function statisticsOf(figures: readonly (string | null)[]): WebhookStatistics {
  const [attempts, succeeded, p50, p95] = figures.map((figure) => (figure === null ? null : Number(figure)));
  return { attempts: attempts!, successRate: attempts ? succeeded! / attempts : null, p50: p50!, p95: p95! };
}

@Resolver(() => Webhook)
export class WebhookStatisticsResolver {
  @needs(Webhook, 'id', 'organisationId')
  @FieldResolver(() => WebhookStatistics, { description: 'Statistics of the newest deliveries.' })
  @Extensions({ ...PRICED, rest: 'never' })
  statistics(@Root() webhook: Measured, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<WebhookStatistics> {
    return statistics.load(context, info, webhook);
  }
}
