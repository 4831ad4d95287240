// Everything a caller can run, from the schema and the route table: each root field, each nested field with arguments, each REST route, and the
// places of its arguments.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Route } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { rootFields } from '../../rest-compat/runtime/stored-operation.ts';
import { restTypeOf } from '../../src/records/schema-extensions.ts';

type Field = GraphQLField<unknown, unknown>;

/** An operation: a path of fields from a root type, through a route or through /graphql. */
export interface Operation {
  title: string;
  kind: 'query' | 'mutation';
  fields: Field[];
  route?: Route;
  /** Whether it is sent as an agent sends it, by the tool `run` of `POST /mcp`. */
  isAgent?: boolean;
}

/** A scalar or enum that a caller may send. */
export interface Place {
  /** From the argument key (`createAccounts.data`) downwards; list items are 0. */
  path: (string | number)[];
  /** The field or input type that has the place, and its name there; a filter operator counts as the field it filters. */
  owner: string;
  name: string;
  type: GraphQLNamedType;
  /** The field that takes the argument. */
  field: Field;
}

/** Values of arguments by `field.argument`, with the names of GraphQL. */
export type Arguments = Record<string, unknown>;

const keyOf = (field: Field, argument: GraphQLArgument): string => `${field.name}.${argument.name}`;

/** The shortest path to every object type that has a field with arguments. */
function pathsBelow(schema: GraphQLSchema): Map<string, Field[]> {
  const found = new Map<string, Field[]>();
  const queue: Field[][] = Object.values(schema.getQueryType()!.getFields()).map((field) => [field]);
  for (const path of queue) {
    const type = getNamedType(path.at(-1)!.type);
    if (!isObjectType(type) || found.has(type.name)) continue;
    found.set(type.name, path);
    queue.push(...Object.values(type.getFields()).map((field) => [...path, field]));
  }
  return found;
}

/** Every operation of `/graphql` but subscriptions. */
export function graphqlOperations(schema: GraphQLSchema): Operation[] {
  const roots = (['query', 'mutation'] as const).flatMap((kind) => {
    const type = (kind === 'query' ? schema.getQueryType() : schema.getMutationType())!;
    return Object.values(type.getFields()).map((field): Operation => ({ title: `${kind} ${field.name}`, kind, fields: [field] }));
  });
  const below = [...pathsBelow(schema)].flatMap(([name, path]) => {
    const fields = Object.values((schema.getType(name) as GraphQLObjectType).getFields()).filter((field) => field.args.length > 0);
    return fields.map((field): Operation => ({ title: `query ${name}.${field.name}`, kind: 'query', fields: [...path, field] }));
  });
  return [...roots, ...below];
}

/** The same as agents send them; those below a record take the same steps as the root fields above them, so these are enough. */
export const agentOperations = (schema: GraphQLSchema): Operation[] =>
  graphqlOperations(schema)
    .filter(({ fields }) => fields.length === 1)
    .map((operation) => ({ ...operation, title: `agent ${operation.title}`, isAgent: true }));

/** Every REST route. */
export const restOperations = (schema: GraphQLSchema): Operation[] =>
  routes.map((route) => ({ title: `${route.method} ${route.path}`, route, ...rootFields(schema, route) }));

/** The arguments an operation can carry: all those of its fields on /graphql, those with a source on a route. */
function argumentsOf({ fields, route }: Operation): { field: Field; argument: GraphQLArgument }[] {
  const last = fields.at(-1)!;
  const all = fields.flatMap((field) => field.args.map((argument) => ({ field, argument })));
  if (!route) return all;
  const sources = new Set(Object.keys(route.args).map((name) => (name.includes('.') ? name : `${last.name}.${name}`)));
  const listed = route.ledgerQuery === 'list' ? ['filter', 'after', 'before'] : route.ledgerQuery === 'conditions' ? ['filter'] : [];
  return all.filter(({ field, argument }) => sources.has(keyOf(field, argument)) || (field === last && listed.includes(argument.name)));
}

/** The type by which a value is chosen: REST has the numbers of records, and so has what names no stored record. */
const typeOf = (member: GraphQLArgument | GraphQLInputField, { route }: Operation): GraphQLInputType =>
  route || !member.extensions.names?.().length ? restTypeOf(member) : member.type;

const isOperators = (type: GraphQLNamedType): boolean => isInputObjectType(type) && 'eq' in type.getFields();

/** The members of an input type that callers of an operation send. A route names its record in the path, and its body has no member for that. */
const membersOf = (type: GraphQLInputObjectType, { route }: Operation): GraphQLInputField[] =>
  Object.values(type.getFields()).filter(({ extensions }) => !route || !extensions.graphqlOnly);

/** The member that represents a filter of records: all its places are walked at the list of these records. */
const onePlaceOf = (type: GraphQLInputObjectType): GraphQLInputField[] => {
  const members = Object.values(type.getFields());
  const condition = members.find(({ type: declared }) => {
    const named = getNamedType(declared);
    return !isInputObjectType(named) || isOperators(named);
  });
  return condition ? [condition] : [];
};

/** Every place in the arguments of an operation; an input type within itself is not entered again. */
export function placesOf(operation: Operation): Place[] {
  const places: Place[] = [];
  const walk = (declared: GraphQLInputType, place: Place, inside: readonly string[]): void => {
    const type = isNonNullType(declared) ? declared.ofType : declared;
    if (isListType(type)) {
      walk(type.ofType, { ...place, path: [...place.path, 0] }, inside);
    } else if (!isInputObjectType(type)) {
      places.push({ ...place, type });
    } else if (!inside.includes(type.name)) {
      for (const field of inside.includes('RecordFilters') ? onePlaceOf(type) : membersOf(type, operation)) {
        const subject = isOperators(type) ? {} : { owner: type.name, name: field.name };
        walk(typeOf(field, operation), { ...place, ...subject, path: [...place.path, field.name] }, [...inside, type.name]);
      }
    }
  };
  for (const { field, argument } of argumentsOf(operation)) {
    walk(
      typeOf(argument, operation),
      { path: [keyOf(field, argument)], owner: field.name, name: argument.name, type: getNamedType(argument.type), field },
      [],
    );
  }
  return places;
}

/** The values to send: every required place, every place in `wanted`, and those that `always` accepts; `fill` returns the value of each. */
export interface Filling {
  wanted: readonly Place[];
  always: (place: Place) => boolean;
  fill: (place: Place) => unknown;
}

const isRequired = ({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean =>
  isNonNullType(type) && defaultValue === undefined;

/** The filled arguments of an operation. */
export function argumentsFor(operation: Operation, { wanted, always, fill }: Filling): Arguments {
  const leads = (path: Place['path']): boolean => wanted.some((place) => path.every((part, index) => place.path[index] === part));
  const value = (declared: GraphQLInputType, place: Place): unknown => {
    const type = isNonNullType(declared) ? declared.ofType : declared;
    if (isListType(type)) return [value(type.ofType, { ...place, path: [...place.path, 0] })];
    if (!isInputObjectType(type)) return fill({ ...place, type });
    const members = membersOf(type, operation).flatMap((field): [string, unknown][] => {
      const subject = isOperators(type) ? {} : { owner: type.name, name: field.name };
      const inner = { ...place, ...subject, path: [...place.path, field.name], type: getNamedType(field.type) };
      return isRequired(field) || leads(inner.path) || always(inner) ? [[field.name, value(typeOf(field, operation), inner)]] : [];
    });
    return Object.fromEntries(members);
  };
  return Object.fromEntries(
    argumentsOf(operation).flatMap(({ field, argument }): [string, unknown][] => {
      const place = {
        path: [keyOf(field, argument)],
        owner: field.name,
        name: argument.name,
        type: getNamedType(argument.type),
        field,
      };
      return isRequired(argument) || leads(place.path) || always(place)
        ? [[place.path[0]!, value(typeOf(argument, operation), place)]]
        : [];
    }),
  );
}
