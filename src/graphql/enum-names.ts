// Enumeration values in capitals: GraphQL shows and reads those names where REST and the database spell a value otherwise.
import { defaultFieldResolver, type GraphQLEnumType, type GraphQLField, getNamedType, isEnumType, Kind } from 'graphql';
import type { RequestContext } from '../access/context.ts';

/** The names of the values of an enumeration, if any differs from its value. */
function namesOf(type: GraphQLEnumType): ReadonlyMap<unknown, string> | undefined {
  const values = type.getValues();
  return values.every(({ name, value }) => name === value) ? undefined : new Map(values.map(({ name, value }) => [value, name]));
}

/** Documents of before name the documented values literally; graphql-js runs them, because graphql-jit rejects them. Variables take any case. */
export function takeFormerLiterals(type: GraphQLEnumType): void {
  const names = namesOf(type);
  if (!names) return;
  const { parseLiteral } = type;
  type.parseLiteral = (node, variables) => {
    const name = node.kind === Kind.ENUM ? names.get(node.value) : undefined;
    return parseLiteral.call(type, name === undefined ? node : { kind: Kind.ENUM, value: name }, variables);
  };
  // Resolvers name the value already; graphql-jit does not serialize enumerations at all.
  type.serialize = (shown) => shown as string;
}

/** Has a field show the names of its values. */
export function showEnumNames(field: GraphQLField<unknown, RequestContext>): void {
  const named = getNamedType(field.type);
  const names = isEnumType(named) ? namesOf(named) : undefined;
  if (!names) return;
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
