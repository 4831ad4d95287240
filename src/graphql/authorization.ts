// Wraps the resolvers of the schema: every root field checks the caller's role, and argument literals pass the same input coercer as variables.
import { type GraphQLField, type GraphQLSchema, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { authorise } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import { Gathering } from '../records/checked.ts';
import { GatewayError } from '../records/errors.ts';
import { DateTime } from '../records/scalars.ts';
import { argumentPath, withRenamedFields } from './input/argument-path.ts';
import { type Coercer, coercerFor, namingStrategies } from './input/input-coercion.ts';

type Field = GraphQLField<unknown, RequestContext>;

/** Wraps the resolvers in place; throws when a root field declares no access. */
export function guardSchema(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.args.length > 0 || roots.includes(type)) guardErrors(field);
      if (roots.includes(type)) guardAccess(type.name, field);
      guardArguments(field);
    }
  }
  return schema;
}

function guardAccess(typeName: string, field: Field): void {
  const roles = field.extensions.access;
  if (!roles) throw new Error(`${typeName}.${field.name} declares no access`);
  const member = typeName === 'Subscription' ? 'subscribe' : 'resolve';
  const inner = field[member];
  if (!inner) throw new Error(`${typeName}.${field.name} has no resolver`);
  field[member] = (root, args, context, info) => {
    authorise(context, roles);
    return inner(root, args, context, info);
  };
}

/** Rewrites the field names of errors to paths of the field's arguments. Names that are in no argument are removed: the caller did not send them. */
function guardErrors(field: Field): void {
  const { args } = field;
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

function guardArguments(field: Field): void {
  for (const argument of field.args) {
    const names = field.extensions.names?.[argument.name];
    if (names) argument.extensions = { ...argument.extensions, names };
  }
  const checked = field.args.filter(({ type, extensions }) => {
    const named = getNamedType(type);
    return isInputObjectType(named) || named === DateTime || extensions.numberType !== undefined;
  });
  const member = field.subscribe ? 'subscribe' : 'resolve';
  const inner = field[member];
  if (checked.length === 0 || !inner) return;
  const coercers = checked.map((arg): [string, Coercer] => [
    arg.name,
    coercerFor(arg.extensions.numberType ?? arg.type, namingStrategies.graphql, arg.extensions.names),
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
