// Wraps the resolvers of the schema: every root field checks the caller's role, and argument literals pass the same input coercer as variables.
import { type GraphQLField, type GraphQLInputType, type GraphQLSchema, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { authorise } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import type { RoleName } from '../access/principal.ts';
import { GatewayError, inputError } from '../records/errors.ts';
import type { InputIssue } from '../records/input-issue.ts';
import { argumentPath, withRenamedFields } from './argument-path.ts';
import { type Coercer, coercerFor, namingStrategies } from './input-coercion.ts';
import { GIVEN } from './input-types.ts';

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
  const roles = field.extensions.access as RoleName[] | undefined;
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
  const rethrow = (error: unknown): never => {
    if (!(error instanceof GatewayError) || (error.info.field === undefined && !error.info.issues)) throw error;
    throw withRenamedFields(error, (named) => argumentPath(field.args, named));
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
  const checked = field.args.filter((arg) => isInputObjectType(getNamedType(arg.type as GraphQLInputType)));
  const inner = field.resolve;
  if (checked.length === 0 || !inner) return;
  const coercers = checked.map((arg): [string, Coercer] => [arg.name, coercerFor(arg.type, namingStrategies.graphql)]);
  const given = checked.filter((arg) => getNamedType(arg.type as GraphQLInputType).extensions.asGiven).map((arg) => arg.name);
  field.resolve = (root, args, context, info) => inner(root, setAside(given, checkLiterals(coercers, args, context)), context, info);
}

/** The arguments, with the named ones moved to where `GivenArg` reads them. */
function setAside(names: string[], args: Record<string, unknown>): Record<string, unknown> {
  if (names.length === 0) return args;
  return { ...args, ...Object.fromEntries(names.map((name) => [name, null])), [GIVEN]: args } as Record<string, unknown>;
}

function checkLiterals(coercers: [string, Coercer][], args: Record<string, unknown>, context: RequestContext): Record<string, unknown> {
  let result = args;
  const issues: InputIssue[] = [];
  for (const [name, coercer] of coercers) {
    const value = args[name];
    if (typeof value !== 'object' || value === null || context.coerced.has(value)) continue;
    if (result === args) result = { ...args };
    result[name] = coercer(value, name, issues);
  }
  if (issues.length > 0) throw inputError(issues);
  return result;
}
