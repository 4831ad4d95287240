// The versions of records on REST, derived from the schema: `ETag` of responses, and `If-Match` of the writes whose mutation takes `ifMatch`.

import type { IncomingHttpHeaders } from 'node:http';
import { type GraphQLSchema, getNamedType, isObjectType } from 'graphql';
import { GatewayError } from '../../src/records/errors.ts';
import { allModels } from '../../src/records/metadata.ts';
import type { Route } from '../routes/route.ts';
import { jsonNames, resultField, rootFields } from './stored-operation.ts';

/** A condition that no stored version meets: quotes with nothing between them are no tag of a record. */
const NO_VERSION = '""';

/** Whether callers of a route may name the version of the record that it changes. */
export function isVersioned(schema: GraphQLSchema, route: Route): boolean {
  const { kind, fields } = rootFields(schema, route);
  return kind === 'mutation' && (route.args.ifMatch !== undefined || fields.at(-1)!.extensions.takesVersion === true);
}

/** The tag of the record that a route shows, from its REST fields; undefined where it shows no single record that has versions. */
export function entityTagOf(schema: GraphQLSchema, route: Route): ((record: Record<string, unknown>) => string | undefined) | undefined {
  if (!['record', 'write', 'data', 'plain'].includes(route.envelope.kind)) return undefined;
  const type = getNamedType(resultField(rootFields(schema, route).fields, route).type);
  const etag = allModels()
    .find(({ name }) => name === type.name)
    ?.derived.get('etag');
  if (!etag || !isObjectType(type)) return undefined;
  const members = etag.needs.map((name) => [name, jsonNames(type.getFields()[name]!, route.naming)[0]!] as const);
  return (record) => {
    const row = Object.fromEntries(members.map(([name, member]) => [name, record[member]]));
    return Object.values(row).includes(undefined) ? undefined : (etag.compute(row as never) as string);
  };
}

/**
 * The headers of a write, with `If-None-Match` as the version that no record has. Throws INVALID_PARAMS for a condition that the operation does not
 * take. A write that ignores its condition would succeed where the caller has forbidden it.
 */
export function conditionsOf(headers: IncomingHttpHeaders, route: Route, takesOne: boolean): IncomingHttpHeaders {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match !== undefined) {
    if (!takesOne) throw refused('If-Match', 'this operation does not support If-Match: the record it changes has no version');
    if (match.trim() === '') throw refused('If-Match', 'If-Match must name a version or *');
  }
  if (noneMatch === undefined) return headers;
  const changesOne =
    takesOne && route.method === 'PUT' && Object.values(route.args).every((source) => source.from !== 'body' || !source.many);
  if (!changesOne || noneMatch.trim() !== '*' || match !== undefined)
    throw refused('If-None-Match', 'If-None-Match is taken by reads, and * by a PUT of one record alone, without If-Match');
  return { ...headers, 'if-match': NO_VERSION };
}

/** Throws the error of a write on the condition that no record exists: there the caller has named no version. */
export function existing(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'STALE_RECORD') throw error;
  throw new GatewayError('STALE_RECORD', 'the record exists already, which If-None-Match rules out', { field: 'If-None-Match' });
}

const refused = (field: string, message: string): GatewayError =>
  new GatewayError('INVALID_PARAMS', message, { field, issues: [{ field, code: 'INVALID_VALUE', message }] });
