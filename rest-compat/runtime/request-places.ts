// The places of a request: where an argument came from, and the errors of resolvers in the words of the request.

import type { GraphQLError, GraphQLInputType, GraphQLSchema } from 'graphql';
import { joined, segmentsBelow, segmentsOf, withRenamedFields } from '../../src/graphql/input/argument-path.ts';
import { type NamingStrategy, namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { inRestWords } from '../../src/graphql/rest/rest-words.ts';
import type { Gathering } from '../../src/records/checked.ts';
import { memberOf } from '../../src/records/checked.ts';
import { GatewayError } from '../../src/records/errors.ts';
import type { Route } from '../routes/route.ts';

/** An argument of the stored operation, and its source in the request. */
export interface SourcedArgument {
  /** `field.argument`. */
  key: string;
  type: GraphQLInputType;
  source: Route['args'][string];
  /** Whether the argument takes a document of any form. */
  anyJson: boolean;
}

/** The query parameter of each argument of a list, by the path of the argument. */
export type Sources = ReadonlyMap<string, string>;
export const noSources: Sources = new Map();

/** A place in a request: the parameter, header or member of the body, and the path segments below it. */
interface Place {
  prefix: string[];
  segments: (string | number)[];
}

/** The places of the requests of one route. */
export class RequestPlaces {
  readonly #schema: GraphQLSchema;
  readonly #route: Route;
  readonly #arguments: readonly SourcedArgument[];
  readonly #listKey: string;
  /** Names of the path and the query, which are not always those of bodies. */
  readonly #named: ReadonlySet<string>;
  /** Members of the body that may be a list of records or one. */
  readonly #lists: readonly string[];

  /** `listKey` names the field whose arguments may come from list parameters. */
  constructor(schema: GraphQLSchema, route: Route, args: readonly SourcedArgument[], listKey: string) {
    this.#schema = schema;
    this.#named = new Set(args.flatMap(({ source }) => ('name' in source ? [source.name] : [])));
    this.#lists = args.flatMap(({ source }) => (source.from === 'body' && source.many && source.member ? [source.member] : []));
    this.#route = route;
    this.#arguments = args;
    this.#listKey = listKey;
  }

  /** The error of a resolver, with the arguments it names replaced by their places in the request. */
  renamed(error: GraphQLError, sources: Sources, body: unknown): unknown {
    const original = error.originalError;
    if (!(original instanceof GatewayError)) return original ?? error;
    const isSingle = !Array.isArray(memberOf(body, 'data'));
    const strategy: NamingStrategy = namingStrategies[this.#route.naming];
    const isDotted = strategy.dotted === true;
    const names = this.#route.root.split('.');
    const fieldName = names.filter((name, depth) => error.path?.[depth] === name).at(-1) ?? names.at(-1)!;
    const rename = (path: string): string | undefined => {
      const place = this.#placeOf(fieldName, path, sources, isSingle);
      return place && joined([...place.prefix, ...place.segments], isDotted);
    };
    const reworded = (message: string, path: string | undefined): string => {
      const place = path === undefined ? undefined : this.#placeOf(fieldName, path, sources, isSingle);
      const renamed = place ? withNamesOf(message, segmentsOf(path!), [...place.prefix, ...place.segments], isDotted) : message;
      // One record is sent without a list around it.
      const named = isSingle ? this.#lists.reduce((text, member) => text.replaceAll(`${member}[0]`, member), renamed) : renamed;
      // Of a source the words stay its own.
      const isOwn = this.#route.naming !== 'camel' && !original.code.startsWith('PLATFORM_');
      return isOwn ? inRestWords(this.#schema, named, this.#named) : named;
    };
    const { field, issues } = original.info;
    const withMessages = new GatewayError(original.code, original.message, {
      ...original.info,
      ...(issues ? { issues: issues.map((issue) => ({ ...issue, message: reworded(issue.message, issue.field) })) } : {}),
    });
    return withRenamedFields(withMessages, rename, reworded(original.message, field));
  }

  /** The place in the request of an argument or of a part of it; undefined for a value that callers of the route do not send. */
  #placeOf(fieldName: string, path: string, sources: Sources, isSingle: boolean): Place | undefined {
    const [name, ...segments] = segmentsOf(path);
    const key = `${fieldName}.${name}`;
    const named = fieldName === this.#listKey ? sourceOfPath(sources, path) : undefined;
    if (named !== undefined) return { prefix: [named], segments: [] };
    const argument = this.#arguments.find((entry) => entry.key === key);
    if (!argument || argument.source.from === 'value') return undefined;
    const { source, type } = argument;
    if (source.from !== 'body') return { prefix: [source.name], segments: [] };
    const below = source.many && isSingle && typeof segments[0] === 'number' ? segments.slice(1) : segments;
    const renamed = segmentsBelow(type, below, namingStrategies[this.#route.naming].fieldName);
    if (source.member) return { prefix: [source.member], segments: renamed };
    // The published pointer of a whole free-form document is `/`.
    return renamed.length > 0 || argument.anyJson ? { prefix: [], segments: renamed } : { prefix: ['body'], segments: [] };
  }
}

/** A message in which an argument's path, or the end of it, is replaced by the place in the request. */
function withNamesOf(message: string, path: readonly (string | number)[], place: readonly (string | number)[], isDotted: boolean): string {
  const words = new Map<string, string>();
  for (let length = path.length; length > 0; length--) {
    if (typeof path.at(-length) === 'number') continue;
    const own = joined(length >= place.length ? place : place.slice(-length), isDotted);
    for (const named of [joined(path.slice(-length)), joined(path.slice(-length), true)]) words.set(named, own);
  }
  const known = [...words.keys()].map(escapeText).join('|');
  return message.replaceAll(new RegExp(`(?<![\\w.])(?:${known})(?!\\w)`, 'g'), (named) => words.get(named)!);
}

const escapeText = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The query parameter of the longest prefix of a path that has one, or else the only one below the path. */
function sourceOfPath(sources: Sources, path: string): string | undefined {
  let best = '';
  for (const known of sources.keys())
    if ((path === known || path.startsWith(`${known}.`) || path.startsWith(`${known}[`)) && known.length > best.length) best = known;
  if (best !== '') return sources.get(best);
  // A filter that nests too deep is named by the part that does so, because only one parameter leads there.
  const deeper = [...sources.keys()].filter((known) => known.startsWith(`${path}.`));
  return deeper.length === 1 ? sources.get(deeper[0]!) : undefined;
}

/** Rejects a number of a path that is not in its one spelling, such as one with leading zeros. A global id begins with a letter and has one spelling. */
export function requireSpelling(field: string, raw: unknown, value: number, issues: Gathering): void {
  if (raw !== String(value) && !/^[a-z]/.test(String(raw))) issues.add(field, 'INVALID_FORMAT', `${field} must be written as ${value}`);
}

/** Rejects an array of records in a request without the asynchronous flag. */
export function refuseArray(source: Route['args'][string], raw: unknown, query: Map<string, string>): void {
  if (source.from !== 'body' || !source.many || !Array.isArray(raw) || query.get(source.many) === 'true') return;
  throw new GatewayError('ASYNC_REQUIRED', `an array in ${source.member} needs ${source.many}=true`, { field: source.many });
}
