// The stored events of an organisation as a list: the log behind the stream and the deliveries.
import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Info, Query, Resolver } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext, tenantOf } from '../access/context.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../graphql/connections.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../graphql/list-inputs.ts';
import { Event } from './event.ts';
import { allowedTopics } from './stream-resolver.ts';

const EventConnection = connectionOf(Event);
const PageOptions = pageArguments(20);

/** In the order of the stream, the latest first. */
const LATEST = { by: ['commitOrder'], descending: true } as const;

@Resolver()
export class EventResolver {
  @access('PLATFORM', 'INTEGRATIONS')
  @Query(() => EventConnection, {
    description:
      'Stored events of the organisation, newest first: those that a webhook subscribed to, and all events while a client streamed them. A key with the role PLATFORM sees every topic, a key with INTEGRATIONS alone the topics of the integrations API, and a key limited to some companies their events.',
  })
  events(
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(Event) filter: FilterInput | null,
    @OrderArg(Event) orderBy: OrderInput[] | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const { companyIds } = tenantOf(context);
    const topics = allowedTopics(context, null);
    // The events of one company are an index in the order of the list; those of several are found in it and sorted.
    const companies = companyIds?.length === 1 ? companyIds[0] : companyIds && { in: companyIds };
    const where = { ...(topics ? { topic: { in: topics } } : {}), ...(companies ? { companyId: companies } : {}) };
    return readConnection(context, info, page, { record: Event, list: 'events', where, filter, orderBy, order: LATEST });
  }
}
