// The requests of an organisation as its callers read them: newest first, for as many days as they are kept.
import { Arg, Args, Ctx, Extensions, Field, Float, ID, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../access/authorise.ts';
import { type RequestContext, scopeOf, tenantOf } from '../access/context.ts';
import { PageInfo } from '../graphql/connections.ts';
import { Cursors, LateCursor } from '../graphql/cursors.ts';
import { checkPage, cursorArguments } from '../graphql/lists/page-arguments.ts';
import { SUMMARY_PRICE } from '../graphql/summaries/summary-types.ts';
import { type KeptRequest, MAX_OF_PART, RequestPart } from '../http/request-part.ts';
import { GatewayError } from '../records/errors.ts';
import { DateTime } from '../records/scalars.ts';
import { AuditActor } from './audit-log.ts';

/** Most requests that a page looks at, some tens of milliseconds, and the price of that. */
const MAX_LOOKED_AT = 10_000;
const PRICE = 10 * SUMMARY_PRICE;

/** Rows whose places are read at once. */
const PARTS = 500;

const SIZE = 20;

@ObjectType({ description: 'A request of the organisation, without what was sent and returned.', simpleResolvers: true })
export class RequestLogEntry {
  @Field(() => String, {
    description: 'Id of the request, as `X-Request-Id` and the audit log show it. One that callers choose may repeat.',
  })
  requestId!: string;
  @Field(() => DateTime, { description: 'When its response was sent.' }) at!: string;
  @Field(() => String, {
    nullable: true,
    description: 'Name of the operation of a REST route, or the name that the caller gave a GraphQL operation; null without a name.',
  })
  operation!: string | null;
  @Field(() => Int, { description: 'HTTP status; 0 where the connection ended before the whole response was sent.' }) status!: number;
  @Field(() => String, { nullable: true, description: 'Code of the first error of the response; null without one.' })
  errorCode!: string | null;
  @Field(() => AuditActor, { description: 'Caller: a key by its id, or a person.' }) actor!: AuditActor;
  @Field(() => Float, { description: 'Milliseconds from the head of the request to the end of the response.' }) duration!: number;
  @Field(() => [String], {
    description: 'Deprecated fields that a GraphQL operation selected, each with its type, such as `TaxIdKind.displayName`.',
  })
  deprecatedFields!: readonly string[];
}

@ObjectType({ description: 'A page of the requests of the organisation, newest first to the second.', simpleResolvers: true })
export class RequestLogPage {
  @Field(() => [RequestLogEntry], {
    description:
      'The requests. With a filter a page looks at about 10,000 requests at most, so that it may have fewer than asked for, or none, while others follow.',
  })
  nodes!: RequestLogEntry[];
  @Field(() => PageInfo, { description: 'Position of the page in the list.' }) pageInfo!: PageInfo;
}

@InputType({ description: 'Which requests; all conditions must hold.' })
export class RequestLogFilter {
  @Field(() => String, { nullable: true, description: 'Name of the operation.' }) operation?: string | null;
  @Field(() => Int, { nullable: true, description: 'HTTP status.' }) status?: number | null;
  @Field(() => String, { nullable: true, description: 'Code of the first error.' }) errorCode?: string | null;
  @Field(() => String, { nullable: true, description: 'Id of the caller, as `actor` shows it.' }) actorId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Id of the request.' }) requestId?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether they used a deprecated field.' }) usesDeprecated?: boolean | null;
  @Field(() => DateTime, { nullable: true, description: 'Requests that ended at this time or later.' }) since?: string | null;
  @Field(() => DateTime, { nullable: true, description: 'Requests that ended before this time.' }) until?: string | null;
}

const PageOptions = cursorArguments(SIZE);

/** Where a request is: its second, its row, and its index there. */
type Place = [second: string, part: string, index: number];

const entryOf = ([at, requestId, operation, status, errorCode, kind, id, duration, deprecatedFields]: KeptRequest): RequestLogEntry => ({
  requestId,
  at: new Date(at).toISOString(),
  operation,
  status,
  errorCode,
  actor: { kind, id },
  duration,
  deprecatedFields,
});

/** Whether a request meets a filter. */
function meets(filter: RequestLogFilter): (entry: KeptRequest) => boolean {
  const { operation, status, errorCode, actorId, requestId, usesDeprecated } = filter;
  const since = filter.since == null ? Number.NEGATIVE_INFINITY : Date.parse(filter.since);
  const until = filter.until == null ? Number.POSITIVE_INFINITY : Date.parse(filter.until);
  const isEqual = (wanted: unknown, value: unknown): boolean => wanted == null || wanted === value;
  return ([at, id, name, sent, code, , actor, , deprecated]) =>
    at >= since &&
    at < until &&
    isEqual(operation, name) &&
    isEqual(status, sent) &&
    isEqual(errorCode, code) &&
    isEqual(actorId, actor) &&
    isEqual(requestId, id) &&
    isEqual(usesDeprecated, deprecated.length > 0);
}

/** The places of the next rows of the list, newest first. */
async function nextParts(context: RequestContext, { since, until, usesDeprecated }: RequestLogFilter, after: Place | null) {
  const { reader } = context.services;
  const found = await reader.find(
    RequestPart,
    {
      where: {
        organisationId: tenantOf(context).organisationId,
        second: {
          ...(since == null ? {} : { gte: new Date(Math.floor(Date.parse(since) / 1_000) * 1_000) }),
          ...(after === null ? (until == null ? {} : { lte: new Date(until) }) : { lte: new Date(after[0]) }),
        },
        ...(usesDeprecated === true ? { usesDeprecated } : {}),
      },
      order: { by: ['second'], descending: true },
      limit: PARTS,
    },
    ['id', 'second', 'size'],
    scopeOf(context),
  );
  return after === null ? found : found.filter(({ id, second }) => second < after[0] || id <= after[1]);
}

/** Up to `wanted` requests from a place on, each with its place, and where the search ended without having seen all. */
async function requestsFrom(
  context: RequestContext,
  filter: RequestLogFilter,
  from: Place | null,
  wanted: number,
): Promise<{ found: { place: Place; entry: KeptRequest }[]; seenTo: Place | null }> {
  const isMet = meets(filter);
  const found: { place: Place; entry: KeptRequest }[] = [];
  let lookedAt = 0;
  let place = from;
  for (;;) {
    const parts = await nextParts(context, filter, place);
    // A row that has been read to its first request is the whole response when no other follows.
    if (parts.every(({ id }) => id === place?.[1] && place[2] === 0)) return { found, seenTo: null };
    for (let at = 0; at < parts.length; ) {
      const next = [parts[at++]!];
      for (let size = next[0]!.size; at < parts.length && size + parts[at]!.size <= MAX_OF_PART; at++) {
        size += parts[at]!.size;
        next.push(parts[at]!);
      }
      const rows = await context.services.reader.find(
        RequestPart,
        { where: { id: { in: next.map(({ id }) => id) } } },
        ['id', 'requests'],
        scopeOf(context),
      );
      const texts = new Map(rows.map(({ id, requests }) => [id, requests]));
      for (const { id, second } of next) {
        const entries = JSON.parse(texts.get(id) ?? '[]') as KeptRequest[];
        const end = id === place?.[1] ? place[2] : entries.length;
        for (let index = end - 1; index >= 0; index--) {
          if (isMet(entries[index]!)) found.push({ place: [second, id, index], entry: entries[index]! });
          if (found.length === wanted) return { found, seenTo: null };
        }
        lookedAt += end;
        place = [second, id, 0];
      }
      if (lookedAt >= MAX_LOOKED_AT) return { found, seenTo: place };
    }
  }
}

@Resolver()
export class RequestLogResolver {
  @access('PLATFORM')
  @Query(() => RequestLogPage, {
    description:
      'The requests of all callers of the organisation, for a week unless the operator keeps them for longer: what was called, by whom, how it ended and how long it took. They appear within about ten seconds. FORBIDDEN for a key limited to some companies.',
  })
  @Extensions({ price: PRICE })
  async requests(
    @Args(() => PageOptions) page: InstanceType<typeof PageOptions>,
    @Arg('filter', () => RequestLogFilter, { nullable: true, description: 'Conditions on the requests.' }) given: RequestLogFilter | null,
    @Ctx() context: RequestContext,
  ): Promise<RequestLogPage> {
    const { organisationId, companyIds } = tenantOf(context);
    if (companyIds !== null) throw new GatewayError('FORBIDDEN', 'a key limited to some companies cannot read the requests');
    const filter = given ?? {};
    const { size, position } = checkPage(page);
    const cursors = new Cursors(context.services.signer, {
      list: 'requests',
      organisationId,
      order: 'time',
      filter: Object.entries(filter),
    });
    const after = position ? (cursors.decode(position.cursor, position.field) as Place) : null;
    const { found, seenTo } = await requestsFrom(context, filter, after, size + 1);
    const listed = found.slice(0, size);
    const hasNextPage = found.length > size || seenTo !== null;
    const last = found.length > size ? listed.at(-1)!.place : (seenTo ?? listed.at(-1)?.place);
    const cursor = (place: Place | undefined): LateCursor | null => (place ? new LateCursor(() => cursors.encode(place)) : null);
    return {
      nodes: listed.map(({ entry }) => entryOf(entry)),
      pageInfo: {
        hasNextPage,
        hasPreviousPage: after !== null,
        startCursor: cursor(listed[0]?.place),
        endCursor: cursor(last),
      },
    };
  }
}
