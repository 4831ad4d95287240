// Feeds: what happened since a cursor, in its order. A feed has no end: each page says where the next one begins, also when nothing follows yet.
import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import type { RequestContext } from '../access/context.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import { Cursors } from './cursors.ts';
import { MAX_PAGE } from './lists/page-arguments.ts';

@ArgsType()
export class FeedArguments {
  @Field(() => Int, { nullable: true, description: `Page size, 1 to ${MAX_PAGE}; default ${MAX_PAGE}.` })
  first?: number | null;
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of an earlier page; without it, the feed starts at its beginning.',
  })
  after?: string | null;
}

@ObjectType({ description: 'Position of a page in its feed.', simpleResolvers: true })
export class FeedPageInfo {
  @Field(() => Boolean, { description: 'Whether more can be read now; otherwise try again later.' }) hasNextPage!: boolean;
  @Field(() => String, { description: 'Start of the next page, for `after`; also set on an empty page.' }) endCursor!: string;
}

/** The number of entries that arguments ask for. */
export function feedSize({ first }: FeedArguments): number {
  const size = first ?? MAX_PAGE;
  if (size < 1 || size > MAX_PAGE) throw invalid('first', `first must be an integer from 1 to ${MAX_PAGE}`, 'OUT_OF_RANGE');
  return size;
}

/** The cursors of a feed; `list` names it within its organisation, `filter` says which part of it is read. */
export const feedCursors = ({ services }: RequestContext, list: string, organisationId: number, filter: unknown): Cursors =>
  new Cursors(services.signer, { list, organisationId, order: 'feed', filter });

/** The error of a cursor after which the feed may lack entries. */
export function cursorExpired(reason: string): GatewayError {
  const message = `after is older than what the feed still has: ${reason}. Read the feed from its beginning, without after`;
  return new GatewayError('CURSOR_EXPIRED', message, { field: 'after', issues: [{ field: 'after', code: 'INVALID_VALUE', message }] });
}
