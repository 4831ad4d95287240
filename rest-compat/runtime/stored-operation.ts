// Writes the GraphQL operation of a route: variables with the schema's types, the full selection of the record under its REST names, the requested expansions.
import {
  assertObjectType,
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  print,
} from 'graphql';
import { jsonNames, showOf } from '../../src/graphql/rest/rest-record.ts';
import type { Route } from '../routes/route.ts';

export { jsonNames, showOf };

/** The fields of a response: the expansions, extra fields and count that a route or request adds to the record. */
export interface Projection {
  /** Relations to expand, as REST names; dots lead deeper. */
  expand: ReadonlySet<string>;
  /** Extra fields to show, as REST names; dots lead deeper. */
  select: ReadonlySet<string>;
  /** Whether deleted records are among the response, which then shows when they were deleted. */
  deleted: boolean;
  count: boolean;
  /** Keep the GraphQL names of fields, for people to read. */
  unaliased?: boolean;
}

export const defaultProjection: Projection = { expand: new Set(), select: new Set(), deleted: false, count: false };

/** One variable of a stored operation. */
export interface StoredVariable {
  /** Name in the document. */
  name: string;
  argument: GraphQLArgument;
  /** `field.argument`. */
  key: string;
}

/** The text of an operation and its variables. */
export interface StoredOperation {
  name: string;
  kind: 'query' | 'mutation';
  document: string;
  variables: StoredVariable[];
  /** The arguments that the route sends: the variables, or the members of the one argument `input` of a mutation. */
  sent: StoredVariable[];
}

type Field = GraphQLField<unknown, unknown>;

/** The fields of a route's root path, from the root type down. */
export function rootFields(schema: GraphQLSchema, route: Route): { kind: 'query' | 'mutation'; fields: Field[] } {
  const names = route.root.split('.');
  const kind = schema.getQueryType()!.getFields()[names[0]!] ? 'query' : 'mutation';
  let type: GraphQLObjectType = kind === 'query' ? schema.getQueryType()! : schema.getMutationType()!;
  const fields = names.map((name) => {
    const field = type.getFields()[name];
    if (!field) throw new Error(`${route.method} ${route.path}: ${type.name} has no field ${name}`);
    type = assertObjectType(getNamedType(field.type));
    // A route sends what the resolver of a mutation declares, of which the schema makes the one argument `input`.
    return { ...field, args: [...(field.extensions.inputArgument?.declared ?? field.args)] };
  });
  return { kind, fields };
}

/** The field whose type is the record of the response. */
export function resultField(fields: Field[], route: Route): Field {
  let field = fields.at(-1)!;
  for (const name of route.result?.split('.') ?? []) {
    const next = assertObjectType(getNamedType(field.type)).getFields()[name];
    if (!next) throw new Error(`${route.method} ${route.path}: no field ${name} in the result`);
    field = next;
  }
  return field;
}

/** Name of an operation: in its document, as `operationId`, in the `X-GraphQL-Operation` header. No two routes share one. */
export function operationName(route: Route): string {
  if (route.operation) return route.operation;
  const last = route.root.split('.').at(-1)!;
  return last[0]!.toUpperCase() + last.slice(1);
}

/** Writes the operation for a route and a projection. `used` names the arguments that get a variable. */
export function storedOperation(schema: GraphQLSchema, route: Route, projection: Projection, used: ReadonlySet<string>): StoredOperation {
  const { kind, fields } = rootFields(schema, route);
  const sent: StoredVariable[] = [];
  for (const field of fields) {
    for (const argument of field.args) {
      const key = `${field.name}.${argument.name}`;
      if (!used.has(key)) continue;
      const taken = sent.some((variable) => variable.name === argument.name);
      sent.push({
        name: taken ? `${field.name}${argument.name[0]!.toUpperCase()}${argument.name.slice(1)}` : argument.name,
        argument,
        key,
      });
    }
  }
  const input = fields[0]!.extensions.inputArgument?.argument;
  const variables = input ? [{ name: input.name, argument: input, key: `${fields[0]!.name}.${input.name}` }] : sent;
  const record = resultField(fields, route);
  let inner = selectionOf(record, route, projection);
  for (const name of (route.result?.split('.') ?? []).reverse()) inner = `{ ${name} ${inner} }`;
  inner = withExtras(fields.at(-1)!, route, projection, inner);
  for (const field of [...fields].reverse()) {
    const own = variables.filter((variable) => variable.key.startsWith(`${field.name}.`));
    const args = own.length > 0 ? `(${own.map((variable) => `${variable.argument.name}: $${variable.name}`).join(', ')})` : '';
    inner = `{ ${field.name}${args} ${inner} }`;
  }
  const definitions =
    variables.length > 0
      ? `(${variables.map((variable) => `$${variable.name}: ${variable.argument.type}${defaultOf(variable.argument)}`).join(', ')})`
      : '';
  return { name: operationName(route), kind, document: `${kind} ${operationName(route)}${definitions} ${inner}`, variables, sent };
}

/** The default of an argument, so that an operation can be sent without it. */
function defaultOf({ defaultValue, type }: GraphQLArgument): string {
  const value = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return value ? ` = ${print(value)}` : '';
}

/** Envelopes that need the page information of a list. */
const pageKinds: ReadonlySet<Route['envelope']['kind']> = new Set(['page', 'list', 'counted']);

/** Members of a payload or connection that the envelope needs besides the record. */
function withExtras(field: Field, route: Route, projection: Projection, inner: string): string {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return inner;
  const has = (name: string): boolean => name in type.getFields();
  const extras = [
    route.envelope.kind === 'write' && has('syncId') ? 'syncId' : '',
    pageKinds.has(route.envelope.kind)
      ? has('pageInfo')
        ? `pageInfo { hasNextPage hasPreviousPage startCursor endCursor${route.envelope.kind === 'page' ? ' settledUntil' : ''} }`
        : ''
      : '',
    route.envelope.kind === 'feed' ? `pageInfo { hasNextPage endCursor }${has('recordedSince') ? ' recordedSince' : ''}` : '',
    projection.count && has('totalCount') ? 'totalCount totalCountIsEstimate' : '',
    route.result && has('warnings') ? 'warnings' : '',
  ].filter(Boolean);
  return extras.length > 0 ? `{ ${extras.join(' ')} ${inner.slice(2)}` : inner;
}

/** The selection of a record: every field that REST shows, aliased to its REST name. */
function selectionOf(field: Field, route: Route, projection: Projection): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return '';
  if (route.envelope.kind === 'message' || route.envelope.kind === 'empty') return '{ __typename }';
  return recordSelection(assertObjectType(type), route, projection, '');
}

/** REST name of an output field. */
export const jsonName = (field: Field, naming: Route['naming']): string => jsonNames(field, naming)[0]!;

/** Whether the records of a relation are written together with their parent. */
const isNested = (field: Field): boolean => field.extensions.nested === true;

/** The selection of a record; one that another names shows when it was deleted, because a reference to it stays. */
function recordSelection(type: GraphQLObjectType, route: Route, projection: Projection, prefix: string, isNamed = false): string {
  const parts: string[] = [];
  for (const field of Object.values(type.getFields())) {
    const name = jsonName(field, route.naming);
    const show = showOf(field);
    const isExpanded = projection.expand.has(prefix + name);
    const isShown =
      show === 'always' ||
      (show === 'expand' && isExpanded) ||
      (show === 'select' && (projection.select.has(name) || projection.select.has(prefix + name))) ||
      (show === 'deleted' && (projection.deleted || isNamed));
    // A field with arguments is a list or a look-up of its own, not part of the record.
    if (!isShown || field.args.length > 0) continue;
    const inner = getNamedType(field.type);
    const select = (record: GraphQLObjectType): string =>
      recordSelection(record, route, projection, `${prefix}${name}.`, field.extensions.namesOne === true);
    const below = isLeafType(inner) ? '' : ` ${select(assertObjectType(inner))}`;
    for (const alias of projection.unaliased ? [field.name] : jsonNames(field, route.naming))
      parts.push((alias === field.name ? alias : `${alias}: ${field.name}`) + below);
  }
  return `{ ${parts.join(' ')} }`;
}

/** The relations of a record that can be expanded, as REST names, two levels deep. */
export function expandable(type: GraphQLObjectType, naming: Route['naming'], prefix = '', depth = 0): string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    // Children that always show can be named too.
    if (showOf(field) !== 'expand' && !(showOf(field) === 'always' && isNested(field))) return [];
    const name = prefix + jsonName(field, naming);
    const inner = getNamedType(field.type);
    return [name, ...(depth < 1 && isObjectType(inner) ? expandable(inner, naming, `${name}.`, depth + 1) : [])];
  });
}
