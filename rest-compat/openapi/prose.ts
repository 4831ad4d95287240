// What the documentation says of a REST operation: the description of the field it runs, and what its route adds.
import type { GraphQLField, GraphQLSchema } from 'graphql';
import { inRestNames } from '../../src/graphql/rest/rest-words.ts';
import type { Route } from '../routes/route.ts';
import { CSV } from '../runtime/report-csv.ts';
import type { Words } from './json-schema.ts';

type Field = GraphQLField<unknown, unknown>;

/**
 * How a document writes the descriptions of the schema: with the names of its own bodies, and with routes instead of the operations that they run.
 * Names of path parameters are those of the paths.
 */
export function wordsOf(schema: GraphQLSchema, routes: readonly Route[]): Words {
  const operations = new Map(routes.map((route) => [route.root, `${route.method} ${route.path}`]));
  const inPaths = new Set(routes.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)));
  return (description, naming) => {
    const named = description.replaceAll(/`(\w+)`/g, (code, name: string) => (operations.has(name) ? `\`${operations.get(name)}\`` : code));
    return naming === 'camel' ? named : inRestNames(schema, named, inPaths);
  };
}

/** What the shape of the response means for a caller. */
const shapes: Partial<Record<Route['envelope']['kind'], string>> = {
  list: '`data.cursor` is the cursor of the next page, empty at the end.',
  counted: '`next` is the cursor of the next page, null at the end.',
  feed: '`pagination.next` is the `after` of the next request, even if nothing follows yet; `pagination.has_more` reports whether more can be read now.',
  message: 'The response has a message, but no record.',
};

/** How many records a write stores, and how; the descriptions of mutations describe their GraphQL arguments instead. */
const batches = 'Stores the record in `data`, or with `run_async` an array.';

/** The sentences on a route; `field` is the last one of its root path. */
export function proseOf(route: Route, field: Field, words: Words): string {
  const isBatch = route.statusWithoutResult !== undefined;
  const sentences = [
    ...(isBatch ? [batches, ...codesIn(field)] : [(field.description ?? '').replaceAll('\n', ' ')]).map((text) =>
      words(text, route.naming),
    ),
    ...(route.note ? [route.note] : []),
    ...(route.csv ? [`Rows as CSV if the request accepts ${CSV}.`] : []),
    ...(shapes[route.envelope.kind] ? [shapes[route.envelope.kind]!] : []),
  ];
  return sentences.join(' ');
}

/** The sentences of a description that name an error code. */
const codesIn = ({ description }: Field): string[] =>
  (description ?? '')
    .replaceAll('\n', ' ')
    .split(/(?<=\.) /)
    .filter((sentence) => /\b[A-Z]+_[A-Z_]+\b/.test(sentence));
