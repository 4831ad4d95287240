// Wraps resolvers: every root field checks the caller's role, and argument literals pass the same input coercer as variables.
import { type GraphQLArgument, type GraphQLField, GraphQLID, getNamedType, getNullableType, isInputObjectType } from 'graphql';
import { authorise } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import { Gathering } from '../records/checked.ts';
import { GatewayError } from '../records/errors.ts';
import { DateTime } from '../records/scalars.ts';
import { numberedType } from '../records/schema-extensions.ts';
import { argumentPath, withRenamedFields } from './input/argument-path.ts';
import { type Coercer, coercerFor, namingStrategies } from './input/input-coercion.ts';

type Field = GraphQLField<unknown, RequestContext>;

/** Wraps the resolver of a field, which gets these arguments, in place; throws when a root field declares no access. */
export function guardField(field: Field, args: readonly GraphQLArgument[], isRoot: boolean): void {
  if (args.length > 0 || isRoot) guardErrors(field, args);
  if (isRoot) guardAccess(field);
  guardArguments(field, args);
}

function guardAccess(field: Field): void {
  const roles = field.extensions.access;
  if (!roles) throw new Error(`${field.name} declares no access`);
  const member = field.subscribe ? 'subscribe' : 'resolve';
  const inner = field[member]!;
  field[member] = (root, args, context, info) => {
    authorise(context, roles);
    return inner(root, args, context, info);
  };
}

/** Rewrites the field names of errors to paths of the field's arguments. Names that are in no argument are removed: the caller did not send them. */
function guardErrors(field: Field, args: readonly GraphQLArgument[]): void {
  const rethrow = (error: unknown): never => {
    if (!(error instanceof GatewayError) || (error.info.field === undefined && !error.info.issues)) throw error;
    throw withRenamedFields(error, (named) => argumentPath(args, named));
  };
  for (const member of ['resolve', 'subscribe'] as const) {
    const inner = field[member];
    if (!inner) continue;
    field[member] = (root, args, context, info) => {
      try {
        const result: unknown = inner(root, args, context, info);
        return result instanceof Promise ? result.catch(rethrow) : result;
      } catch (error) {
        return rethrow(error);
      }
    };
  }
}

function guardArguments(field: Field, args: readonly GraphQLArgument[]): void {
  for (const argument of args) {
    const names = field.extensions.names?.[argument.name];
    if (names) argument.extensions = { names, isNumber: getNullableType(argument.type) === GraphQLID };
  }
  const checked = args.filter(({ type, extensions }) => {
    const named = getNamedType(type);
    return isInputObjectType(named) || named === DateTime || extensions.isNumber;
  });
  const member = field.subscribe ? 'subscribe' : 'resolve';
  const inner = field[member];
  if (checked.length === 0 || !inner) return;
  const coercers = checked.map((arg): [string, Coercer] => [
    arg.name,
    coercerFor(numberedType(arg), namingStrategies.graphql, arg.extensions.names),
  ]);
  field[member] = (root, args, context, info) => inner(root, checkLiterals(coercers, args, context), context, info);
}

function checkLiterals(coercers: [string, Coercer][], args: Record<string, unknown>, context: RequestContext): Record<string, unknown> {
  let result = args;
  const issues = new Gathering();
  for (const [name, coercer] of coercers) {
    const value = args[name];
    if (value == null || (typeof value === 'object' && context.coerced.has(value))) continue;
    const coerced = coercer(value, name, issues);
    if (coerced === value) continue;
    if (result === args) result = { ...args };
    result[name] = coerced;
  }
  issues.refuse();
  return result;
}
