// Enumeration values in capitals: GraphQL shows and reads those names where REST and the database spell a value otherwise.
import {
  defaultFieldResolver,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isObjectType,
  Kind,
} from 'graphql';
import type { RequestContext } from '../access/context.ts';

/** Finishes the enumerations of a schema in place, whose values are the documented ones. */
export function nameEnumValues(schema: GraphQLSchema): void {
  const respelled = new Map<GraphQLEnumType, ReadonlyMap<unknown, string>>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type)) continue;
    const names = new Map(type.getValues().map(({ name, value }) => [value, name]));
    if ([...names].every(([value, name]) => value === name)) continue;
    respelled.set(type, names);
    readFormerLiterals(type, names);
    // The resolvers below have named the value already; graphql-jit does not serialize enumerations at all.
    type.serialize = (shown) => shown as string;
  }
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const named = getNamedType(field.type);
      const names = isEnumType(named) && respelled.get(named);
      if (names) showNames(field, names);
    }
  }
}

/** Documents of before name the documented values literally; graphql-js runs them, because graphql-jit rejects them. Variables take any case. */
function readFormerLiterals(type: GraphQLEnumType, names: ReadonlyMap<unknown, string>): void {
  const { parseLiteral } = type;
  type.parseLiteral = (node, variables) => {
    const name = node.kind === Kind.ENUM ? names.get(node.value) : undefined;
    return parseLiteral.call(type, name === undefined ? node : { kind: Kind.ENUM, value: name }, variables);
  };
}

function showNames(field: GraphQLField<unknown, RequestContext>, names: ReadonlyMap<unknown, string>): void {
  const inner = field.resolve ?? defaultFieldResolver;
  const shown = (value: unknown): unknown => {
    if (value instanceof Promise) return value.then(shown);
    return Array.isArray(value) ? value.map(shown) : (names.get(value) ?? value);
  };
  field.resolve = (source, args, context, info) => {
    const value: unknown = inner(source, args, context, info);
    return context.isRest ? value : shown(value);
  };
}
