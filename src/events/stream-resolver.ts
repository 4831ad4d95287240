// The events of an organisation as a subscription, and the records they are about.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, FieldResolver, ID, Info, Resolver, Root, Subscription } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext, tenantOf } from '../access/context.ts';
import type { ReadScope } from '../database/reader/conditions.ts';
import { needs, projectionFor, type Row } from '../database/reader/projection.ts';
import { loadNode } from '../graphql/graph/record-loader.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { Node } from '../graphql/node.ts';
import { GatewayError } from '../records/errors.ts';
import { modelOf } from '../records/metadata.ts';
import { audienceOf } from './audience.ts';
import { Event, EventTopic } from './event.ts';
import { followEvents, type LoggedEvent } from './event-log.ts';
import { TOPICS, topicEnumName } from './topics.ts';

const integrationsTopics = TOPICS.filter(({ surface }) => surface === 'integrations').map(({ topic }) => topicEnumName(topic));

/** The events of an organisation, whatever companies the key is limited to: the stream filters them itself. */
export const ofOrganisation = (organisationId: number): ReadScope => ({ tenant: { organisationId, companyIds: null } });

interface StreamArguments {
  topics?: string[] | null;
  lastEventId?: string | null;
}

/**
 * The topics of a stream; null for all. A PLATFORM key may stream every event of its organisation, as it may with a webhook. An INTEGRATIONS
 * key cannot register a webhook, and may stream the events of the integrations API.
 */
export function allowedTopics(context: RequestContext, asked: string[] | null | undefined): string[] | null {
  const wanted = asked == null || asked.includes('ALL') ? null : asked;
  if (context.principal!.roles.has('PLATFORM')) return wanted;
  const foreign = wanted?.find((topic) => !integrationsTopics.includes(topic));
  if (foreign)
    throw new GatewayError('FORBIDDEN', `events of the topic ${foreign} need the role PLATFORM`, { field: 'topics', role: 'PLATFORM' });
  return wanted ?? integrationsTopics;
}

function eventsOf(args: StreamArguments, context: RequestContext, info: GraphQLResolveInfo): Promise<AsyncIterableIterator<Row>> {
  const { organisationId, companyIds } = tenantOf(context);
  const projection = projectionFor(modelOf(Event), lookAhead(info));
  const topics = allowedTopics(context, args.topics);
  const isWanted = ({ topic, companyId }: LoggedEvent): boolean =>
    (topics === null || topics.includes(topic)) && (companyId === null || companyIds === null || companyIds.includes(companyId));
  const read = async (events: readonly LoggedEvent[]): Promise<Row[]> => {
    const ids = events.filter(isWanted).map(({ id }) => id);
    if (ids.length === 0) return [];
    const found = await context.services.reader.findRows(projection, { where: { id: { in: ids } } }, ofOrganisation(organisationId));
    const byId = new Map(found.map((row) => [row.id, row]));
    return ids.flatMap((id): Row[] => (byId.has(id) ? [byId.get(id)!] : []));
  };
  const audience = audienceOf(context, info);
  return followEvents(context, { after: args.lastEventId, field: 'lastEventId' }, (batch) =>
    batch.share(audience, () => read(batch.entries)),
  );
}

/** What an event is about. */
@Resolver(() => Event)
export class EventSubjectResolver {
  @needs(Event, 'subjectId')
  @FieldResolver(() => Node, {
    nullable: true,
    description: 'Current record, even if deleted. Null without a record, once it is purged, or if you cannot read it.',
  })
  @Extensions({ rest: 'never' })
  subject(
    @Root() { subjectId }: Pick<Event, 'subjectId'>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row | null> {
    return loadNode(context, info, subjectId);
  }
}

@Resolver()
export class EventStreamResolver {
  @access('PLATFORM', 'INTEGRATIONS')
  @Subscription(() => Event, {
    description:
      'Events of the organisation as they happen, in order. With `lastEventId`, the stream starts with the events missed since, up to seven days after the last stream ended. A key with the role PLATFORM gets every topic, a key with INTEGRATIONS alone the topics of the integrations API.',
    subscribe: ({ args, context, info }) => eventsOf(args, context, info),
  })
  eventStream(
    @Root() event: Row,
    @Arg('topics', () => [EventTopic.values], {
      nullable: true,
      description: 'Topics to stream; default all that the key can read. FORBIDDEN for any other topic.',
    })
    _topics: string[] | null,
    @Arg('lastEventId', () => ID, { nullable: true, description: 'Resume after this event.' }) _lastEventId: string | null,
  ): Row {
    return event;
  }
}
