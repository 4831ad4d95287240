// Settings of a normalised cache as Apollo Client takes them: records by id, connections that grow page by page.
import { connections, lookups, possibleTypes } from './fields.generated.ts';

/** What the policies use of Apollo Client, so that this package needs none. */
export interface CacheLibrary<Policy> {
  /** `relayStylePagination` of `@apollo/client/utilities`. */
  readonly relayStylePagination: (keyArgs: (args: Record<string, unknown> | null) => string[] | false) => Policy;
}

interface ReadOptions {
  readonly args: Record<string, unknown> | null;
  readonly toReference: (record: { __typename: string; id: string }) => unknown;
}

/** A list is identified by its filter and order; a page by number is a list of its own, so that a page seen before is read from the cache. */
const keyOf =
  (list: readonly string[]) =>
  (args: Record<string, unknown> | null): string[] | false => {
    const key = args?.offset == null ? list : [...list, 'offset', 'first'];
    const given = key.filter((name) => args?.[name] !== undefined);
    return given.length > 0 && [...given];
  };

/** A record that another operation has read is not asked for again when all that is selected of it is known. */
const recordOf = (type: string) => ({
  read: (known: unknown, { args, toReference }: ReadOptions): unknown =>
    known ?? (typeof args?.id === 'string' ? toReference({ __typename: type, id: args.id }) : undefined),
});

/** The settings for `new InMemoryCache(…)`. */
export function cacheSettings<Policy>({ relayStylePagination }: CacheLibrary<Policy>) {
  const types = new Set([...Object.keys(connections), 'Query']);
  const typePolicies = Object.fromEntries(
    [...types].map((type) => {
      const lists = Object.entries(connections[type] ?? {}).map(([name, list]) => [name, relayStylePagination(keyOf(list))]);
      const records = type === 'Query' ? Object.entries(lookups).map(([name, record]) => [name, recordOf(record)]) : [];
      return [type, { fields: Object.fromEntries([...lists, ...records]) }];
    }),
  );
  return {
    typePolicies,
    possibleTypes: Object.fromEntries(Object.entries(possibleTypes).map(([name, members]) => [name, [...members]])),
  };
}
