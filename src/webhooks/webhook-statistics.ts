// How the receiver of a webhook responded lately, as a field of the webhook.
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, Field, FieldResolver, Float, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../access/context.ts';
import { needs } from '../database/reader/projection.ts';
import { LevelLoaders } from '../graphql/level-loaders.ts';

import { PRICED } from '../graphql/summaries/summary-types.ts';
import type { StoredRecord } from '../records/metadata.ts';
import { DateTime } from '../records/scalars.ts';
import { Webhook } from './webhook.ts';
import { attemptStatistics, hourlyStatistics, MAX_MEASURED } from './webhook-statistics.statements.ts';

/** Hours that are shown: those of a week. */
const MAX_HOURS = 168;

@ObjectType({ simpleResolvers: true })
class AttemptFigures {
  @Field(() => Int, { description: 'Calls of the receiver, retries included.' }) attempts!: number;
  @Field(() => Float, { nullable: true, description: 'Share of attempts with a 2xx response, 0 to 1; null without attempts.' })
  successRate!: number | null;
  @Field(() => Int, { nullable: true, description: 'Median duration of the attempts in milliseconds; null without attempts.' })
  p50!: number | null;
  @Field(() => Int, { nullable: true, description: '95th percentile of the duration in milliseconds; null without attempts.' })
  p95!: number | null;
}

@ObjectType({ description: `The attempts of the newest ${MAX_MEASURED} deliveries of a webhook.`, simpleResolvers: true })
export class WebhookStatistics extends AttemptFigures {
  webhook!: Measured;
}

@ObjectType({ description: 'The attempts of one hour.', simpleResolvers: true })
class WebhookHour extends AttemptFigures {
  @Field(() => DateTime, { description: 'Beginning of the hour, in UTC.' }) hour!: string;
}

type Measured = StoredRecord<Webhook, 'id' | 'organisationId'>;

/** Reads figures of webhooks of one organisation, by the id of the webhook. */
async function figuresOf(
  { services }: RequestContext,
  statement: typeof attemptStatistics,
  webhooks: readonly Measured[],
): Promise<Map<string, (string | null)[][]>> {
  const rows = await services.database.read(statement, [
    String(webhooks[0]!.organisationId),
    `{${webhooks.map(({ id }) => id).join(',')}}`,
  ]);
  const figures = rows.map(([id, ...rest]) => ({ id: id!, rest }));
  return new Map([...Map.groupBy(figures, ({ id }) => id)].map(([id, own]) => [id, own.map(({ rest }) => rest)]));
}

const statistics = new LevelLoaders<Measured, WebhookStatistics>('webhook_statistics', async (context, _info, webhooks) => {
  const found = await figuresOf(context, attemptStatistics, webhooks);
  return webhooks.map((webhook) => ({ ...statisticsOf(found.get(webhook.id)![0]!), webhook }));
});

const hours = new LevelLoaders<Measured, WebhookHour[]>('webhook_hours', async (context, _info, webhooks) => {
  const found = await figuresOf(context, hourlyStatistics, webhooks);
  return webhooks.map(({ id }) =>
    (found.get(id) ?? []).slice(0, MAX_HOURS).map(([hour, ...figures]) => ({ hour: hour!, ...statisticsOf(figures) })),
  );
});

function statisticsOf(figures: readonly (string | null)[]): AttemptFigures {
  const [attempts, succeeded, p50, p95] = figures.map((figure) => (figure === null ? null : Number(figure)));
  return { attempts: attempts!, successRate: attempts ? succeeded! / attempts : null, p50: p50!, p95: p95! };
}

@Resolver(() => WebhookStatistics)
export class WebhookHoursResolver {
  @FieldResolver(() => [WebhookHour], {
    description: `The same by hour, the latest first: hours with attempts alone, at most ${MAX_HOURS}.`,
  })
  @Extensions(PRICED)
  hours(@Root() { webhook }: WebhookStatistics, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<WebhookHour[]> {
    return hours.load(context, info, webhook);
  }
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
