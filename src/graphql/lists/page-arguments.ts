// The page arguments of lists, and the page that they name.
import { ArgsType, Field, getMetadataStorage, Int } from 'type-graphql';
import { invalid } from '../../records/errors.ts';

/** Most records one page may hold. */
export const MAX_PAGE = 100;

/** Most records that `offset` skips. A later page is reached with a cursor, whose cost does not grow with its place. */
export const MAX_OFFSET = 10_000;

/** The page arguments of a connection, as callers send them. */
export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  /** Length of the page when the caller names none. */
  readonly defaultSize: number;
  /** Records to skip from the start of the list, for tables with page numbers. */
  offset?: number | null;
  /** Whether `totalCount` is exact however many records match. */
  exact?: boolean | null;
}

/** The arguments of a list that is read forwards from its start or from a cursor, without a count; `size` is the default page size. */
export function cursorArguments(size: number): new () => Pick<PageArguments, 'first' | 'after' | 'defaultSize'> {
  @ArgsType()
  class CursorArguments {
    readonly defaultSize = size;
    @Field(() => Int, { nullable: true, description: `Page size, 1 to ${MAX_PAGE}; default ${size}.` })
    first?: number | null;
    @Field(() => String, { nullable: true, description: 'Start after this cursor.' })
    after?: string | null;
  }
  return CursorArguments;
}

/** The arguments of a connection that is read forwards only; `size` is the default page size. */
export function forwardArguments(size: number): new () => Omit<PageArguments, 'last' | 'before'> {
  @ArgsType()
  class ForwardArguments extends cursorArguments(size) {
    @Field(() => Int, {
      nullable: true,
      description: `Records to skip, at most ${MAX_OFFSET}.`,
    })
    offset?: number | null;
    @Field(() => Boolean, {
      nullable: true,
      description: 'Return an exact `totalCount`.',
    })
    exact?: boolean | null;
  }
  return ForwardArguments;
}

/** The arguments of a connection that is read in both directions; `size` is the default page size. */
export function pageArguments(size: number): new () => PageArguments {
  @ArgsType()
  class BothWays extends forwardArguments(size) {
    @Field(() => Int, { nullable: true, description: `Page size from the end, 1 to ${MAX_PAGE}.` })
    last?: number | null;
    @Field(() => String, { nullable: true, description: 'End before this cursor.' })
    before?: string | null;
  }
  return BothWays;
}

/** Has each field with page arguments state the length of its page where the caller names none, by which it is priced. Called before the schema is built. */
export function declarePageSizes(): void {
  const storage = getMetadataStorage();
  for (const parameter of storage.params) {
    if (parameter.kind !== 'args') continue;
    const { defaultSize } = new (parameter.getType() as new () => Partial<PageArguments>)();
    if (defaultSize === undefined) continue;
    const { target, methodName: fieldName } = parameter;
    storage.collectExtensionsFieldMetadata({ target, fieldName, extensions: { size: defaultSize } });
  }
}

/** Where a page begins and how long it is. */
export interface PagePlace {
  backwards: boolean;
  size: number;
  position: { cursor: string; field: string } | undefined;
  offset: number;
}

/** The place that page arguments name; throws where they cannot be combined or are out of range. */
export function checkPage(args: PageArguments): PagePlace {
  const { first, last, defaultSize } = args;
  // The last page of a list has an empty cursor; sent back, it counts as absent.
  const [after, before] = [args.after || null, args.before || null];
  if (first != null && last != null) throw invalid('last', 'first and last cannot be combined');
  if (after != null && before != null) throw invalid('before', 'after and before cannot be combined');
  const backwards = last != null || before != null;
  if (backwards && (first != null || after != null))
    throw invalid(before != null ? 'before' : 'last', 'first goes with after, last with before');
  const size = (backwards ? last : first) ?? defaultSize;
  if (size < 1 || size > MAX_PAGE)
    throw invalid(backwards ? 'last' : 'first', `${backwards ? 'last' : 'first'} must be an integer from 1 to ${MAX_PAGE}`, 'OUT_OF_RANGE');
  const offset = args.offset ?? 0;
  if (offset < 0 || offset > MAX_OFFSET)
    throw invalid('offset', `offset must be an integer from 0 to ${MAX_OFFSET}; a later page is reached with a cursor`, 'OUT_OF_RANGE');
  if (offset > 0 && (backwards || after != null)) throw invalid('offset', 'offset goes with first, and not with a cursor');
  if (after != null) return { backwards, size, position: { cursor: after, field: 'after' }, offset };
  if (before != null) return { backwards, size, position: { cursor: before, field: 'before' }, offset };
  return { backwards, size, position: undefined, offset };
}
