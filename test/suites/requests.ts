// Turns an operation and its arguments into a request: the text and variables of /graphql, or the path, query, body and form of a route.
import {
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import type { Route } from '../../rest-compat/routes/route.ts';
import { namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { snakeCase } from '../../src/records/naming.ts';
import type { GatewayResponse } from '../support/gateway.ts';
import { pathOf } from '../support/routes.ts';
import type { Arguments, Operation } from './operations.ts';

/** A request without credentials. */
export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  raw?: Uint8Array;
}

/** The selection of plain fields, and of records below them to a depth. */
function selection(type: GraphQLNamedType, depth: number): string {
  if (isLeafType(type)) return '';
  if (!isObjectType(type)) return '{ __typename }';
  const parts = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (field.args.length > 0 || (!isLeafType(inner) && depth === 0)) return [];
    return [`${field.name} ${selection(inner, depth - 1)}`];
  });
  return `{ __typename ${parts.join(' ')} }`;
}

const isConnection = (type: GraphQLOutputType): boolean => {
  const named = getNamedType(type);
  return isObjectType(named) && 'nodes' in named.getFields();
};

/** The operation on /graphql, with a variable per argument; `selected` is what is asked of its result, if not the plain fields. */
export function graphqlCall({ kind, fields }: Operation, given: Arguments, selected?: string): Call {
  const variables: Record<string, unknown> = {};
  const definitions: string[] = [];
  const last = fields.at(-1)!;
  // A list of records with their relations would exceed the allowed cost.
  let text = selected ?? selection(getNamedType(last.type), isConnection(last.type) ? 1 : 2);
  for (const field of [...fields].reverse()) {
    const own = field.args.filter((argument) => given[`${field.name}.${argument.name}`] !== undefined);
    for (const argument of own) {
      variables[`${field.name}_${argument.name}`] = given[`${field.name}.${argument.name}`];
      definitions.push(`$${field.name}_${argument.name}: ${argument.type}`);
    }
    const args = own.length > 0 ? `(${own.map(({ name }) => `${name}: $${field.name}_${name}`).join(', ')})` : '';
    text = `{ ${field.name}${args} ${text} }`;
  }
  const query = `${kind} ${definitions.length > 0 ? `(${definitions.join(', ')})` : ''} ${text}`;
  return { method: 'POST', path: '/graphql', headers: {}, body: { query, variables } };
}

/** A value whose input members have the names of the route. */
function renamed(value: unknown, declared: GraphQLInputType, naming: Route['naming']): unknown {
  const type = getNullableType(declared);
  if (isListType(type)) return Array.isArray(value) ? value.map((entry) => renamed(entry, type.ofType, naming)) : value;
  if (!isInputObjectType(type) || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = type.getFields();
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) =>
      fields[name] ? [namingStrategies[naming].fieldName(name, fields[name]), renamed(entry, fields[name].type, naming)] : [name, entry],
    ),
  );
}

/** A value as text in a path or query; a lone surrogate has no percent encoding. */
const asText = (value: unknown): string =>
  (Array.isArray(value) ? value.map(asText).join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed();

/** A filter as parameters: the path to the column, and the operator in brackets. Parameters have no groups, so those of `and` and `or` stand alone. */
function conditions(filter: unknown, naming: Route['naming'], path = ''): [string, string][] {
  if (Array.isArray(filter)) return filter.flatMap((each) => conditions(each, naming, path));
  if (typeof filter !== 'object' || filter === null) return path === '' ? [] : [[`${path.slice(0, -1)}[eq]`, asText(filter)]];
  return Object.entries(filter).flatMap(([name, value]): [string, string][] => {
    const isValue = typeof value !== 'object' || value === null || (Array.isArray(value) && !['and', 'or'].includes(name));
    const shown = naming === 'camel' ? name : snakeCase(name);
    if (!isValue) return conditions(value, naming, ['and', 'or'].includes(name) ? path : `${path}${shown}.`);
    return [[name === 'search' ? `${path}search` : `${path.slice(0, -1)}[${name}]`, asText(value)]];
  });
}

/** The filter parameters of a list, and its page parameters where its route does not name them. */
function ledgerParameters(field: string, given: Arguments, { ledgerQuery, naming }: Route): [string, string][] {
  if (ledgerQuery !== 'list' && ledgerQuery !== 'conditions') return [];
  const filters = conditions(given[`${field}.filter`], naming);
  if (ledgerQuery === 'conditions') return filters;
  const pages = [
    ['next', given[`${field}.after`]],
    ['prev', given[`${field}.before`]],
  ] as const;
  return [...filters, ...pages.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, asText(value)]]))];
}

/** The request of a route. */
export async function restCall(operation: Operation & { route: Route }, given: Arguments): Promise<Call> {
  const { route, fields } = operation;
  const last = fields.at(-1)!.name;
  const types = new Map(
    fields.flatMap((field) => field.args.map((argument): [string, GraphQLInputType] => [`${field.name}.${argument.name}`, argument.type])),
  );
  const inPath: Record<string, string> = {};
  const query = new URLSearchParams(ledgerParameters(last, given, route));
  const headers: Record<string, string> = {};
  const form = new FormData();
  let body: Record<string, unknown> | undefined;
  for (const [name, source] of Object.entries(route.args)) {
    const key = name.includes('.') ? name : `${last}.${name}`;
    const value = given[key];
    if (value === undefined) continue;
    if (source.from === 'path') inPath[source.name] = asText(value);
    else if (source.from === 'query') query.set(source.name, asText(value));
    else if (source.from === 'header') headers[source.name] = asText(value);
    else if (source.from === 'upload') form.set(source.name, new Blob([asText(value)]), 'products.csv');
    else if (source.from === 'part') form.set(source.name, asText(value));
    else if (source.from === 'body') {
      const named = renamed(value, types.get(key)!, route.naming);
      const one = source.many && Array.isArray(named) && !given[`${last}.runAsync`] ? named[0] : named;
      body = source.member ? { ...body, [source.member]: one } : (one as Record<string, unknown>);
    }
  }
  const path = pathOf(route, (name) => inPath[name]!) + (query.size > 0 ? `?${query}` : '');
  if ([...form].length === 0) return { method: route.method, path, headers, ...(body ? { body } : {}) };
  const encoded = new Response(form);
  return {
    method: route.method,
    path,
    headers: { ...headers, 'content-type': encoded.headers.get('content-type')! },
    raw: new Uint8Array(await encoded.arrayBuffer()),
  };
}

/** The operation as a call of the tool `run`. */
function agentCall(operation: Operation, given: Arguments): Call {
  const { query, variables } = graphqlCall(operation, given).body as { query: string; variables: Record<string, unknown> };
  const params = { name: 'run', arguments: { operation: query, variables } };
  return {
    method: 'POST',
    path: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  };
}

/** The request of any operation. */
export const callOf = async (operation: Operation, given: Arguments): Promise<Call> =>
  operation.route
    ? restCall({ ...operation, route: operation.route }, given)
    : (operation.isAgent ? agentCall : graphqlCall)(operation, given);

/** The text of a tool in a response of `POST /mcp`, and what it is as JSON; undefined where the response is of no tool. */
export function toolResponse(response: string): Pick<GatewayResponse, 'text' | 'body'> | undefined {
  const message = /^(?:data: )?(\{.*\})$/m.exec(response)?.[1];
  const text: string | undefined = message === undefined ? undefined : JSON.parse(message).result?.content?.[0]?.text;
  return text === undefined ? undefined : { text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

/** The response to an operation; of an agent's the text of the tool, which is the response of /graphql. */
export const responseTo = ({ isAgent }: Operation, response: GatewayResponse): GatewayResponse =>
  isAgent && response.status === 200 ? { ...response, ...toolResponse(response.text) } : response;
