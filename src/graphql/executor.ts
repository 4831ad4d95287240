// Runs operations compiled by graphql-jit: those of /graphql from a bounded cache, those of REST routes compiled once per route. graphql-js runs
// operations that graphql-jit cannot compile or that are not worth compiling.
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLBoolean,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
  valueFromAST,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../access/context.ts';
import type { KeptCodings } from '../http/compression.ts';
import { returnToken } from '../http/consistency.ts';
import { Gathering } from '../records/checked.ts';
import { GatewayError } from '../records/errors.ts';
import { chosenBy, variablesOfConditions } from './documents/conditions.ts';
import { type ResponseTraits, traitsOf } from './documents/traits.ts';
import { type Coercer, coercerFor, namingStrategies } from './input/input-coercion.ts';
import { writtenArguments } from './input/written-arguments.ts';
import { hasNestedLists, UnwrittenError, withJsonFields, withJsonLists } from './json-lists.ts';
import { enrichInfo } from './look-ahead.ts';
import { deferrableVariables, fragmentsByName } from './mutations/deferred-issues.ts';
import { areAboutValues } from './mutations/mutation-error.ts';
import { documentCache } from './query-cost.ts';

/** The variables of an operation as its resolvers get them. */
export type Variables = Record<string, unknown>;

/** An operation ready to run any number of times. */
export interface Operation {
  kind: 'query' | 'mutation' | 'subscription';
  name: string | undefined;
  variables: VariableDefinition[];
  traits: ResponseTraits;
  /** The codings of its response, where it gives the same each time. */
  codings?: KeptCodings;
  /** Runs with coerced variables. */
  run: (context: RequestContext, variables: Variables) => ExecutionResult | Promise<ExecutionResult>;
}

interface VariableDefinition {
  name: string;
  /** The path of the first argument that uses the variable; issues name the path, not the variable. */
  path: string;
  type: GraphQLInputType;
  defaultValue: unknown;
  coercer: Coercer;
  isInputObject: boolean;
  /** Whether payloads report the issues of its values. */
  isDeferrable: boolean;
}

/** Compiles and caches operations over one schema. */
export class Executor {
  readonly schema: GraphQLSchema;
  readonly #compiling: GraphQLSchema;
  readonly #around: <T>(run: () => T) => T;
  readonly #cache = new LRUCache<string, Operation>(documentCache);
  /** Compiled documents with conditions, by their number and the values of their variables. */
  readonly #chosen = new LRUCache<string, Operation['run']>(documentCache);
  #conditional = 0;

  /** Every operation runs inside `around`. */
  constructor(schema: GraphQLSchema, around: <T>(run: () => T) => T = (run) => run()) {
    this.schema = schema;
    this.#compiling = withJsonFields(schema);
    this.#around = around;
  }

  /** Number of cached operations. */
  get size(): number {
    return this.#cache.size;
  }

  clear(): void {
    this.#cache.clear();
    this.#chosen.clear();
  }

  /** The operation of a document, compiled at its first use. `key` identifies the document text. */
  operation(key: string, document: DocumentNode, operationName: string | undefined): Operation {
    const id = `${operationName ?? ''}\n${key}`;
    let operation = this.#cache.get(id);
    if (!operation) {
      operation = this.compile(document, operationName);
      this.#cache.set(id, operation, { size: id.length + (document.loc?.end ?? 0) });
    }
    return operation;
  }

  /** Compiles without caching, for callers that store the operation themselves. */
  compile(document: DocumentNode, operationName?: string): Operation {
    const definition = this.#definition(document, operationName);
    const variables = variableDefinitions(this.schema, document, definition);
    const traits = traitsOf(this.schema, document, definition);
    return {
      kind: definition.operation,
      name: definition.name?.value,
      variables,
      traits,
      run: this.#inside(withToken(definition, this.#compiledByConditions(document, definition))),
    };
  }

  /**
   * Runs a document with @skip and @include as what they choose. graphql-jit forgets the condition of a field in its fragments where the field is
   * selected twice, and puts members behind others that a condition leaves out.
   */
  #compiledByConditions(document: DocumentNode, definition: OperationDefinitionNode): Operation['run'] {
    const names = variablesOfConditions(document);
    if (!names) return this.#compiled(document, definition);
    const number = this.#conditional++;
    return (context, values) => {
      const key = `${number} ${names.map((name) => values[name]).join(' ')}`;
      let run = this.#chosen.get(key);
      if (!run) {
        // graphql-js says what is wrong with a condition that is null.
        const chosen = names.every((each) => typeof values[each] === 'boolean') ? chosenBy(document, values) : undefined;
        const name = definition.name?.value;
        run = chosen
          ? this.#compiled(chosen, this.#definition(chosen, name))
          : this.#interpreter(withoutCoercion(this.schema, document), name);
        this.#chosen.set(key, run, { size: document.loc?.end ?? 1 });
      }
      return run(context, values);
    };
  }

  /** Runs a document compiled. Lists below lists are written into their records, and where one of their pages has an error, the query runs again with them apart. */
  #compiled(document: DocumentNode, definition: OperationDefinitionNode, nests = definition.operation === 'query'): Operation['run'] {
    const { document: plain, complete } = writtenArguments(this.schema, document, definition);
    const rewritten = withJsonLists(this.schema, plain, operationOf(plain), nests);
    const interpreter = this.#interpreter(withoutCoercion(this.schema, document), definition.name?.value);
    const compiled = compileQuery(this.#compiling, withoutCoercion(this.schema, rewritten), definition.name?.value ?? '', {
      disableLeafSerialization: true,
      disablingCapturingStackErrors: true,
      resolverInfoEnricher: enrichInfo,
    });
    if (!isCompiledQuery(compiled)) return interpreter;
    const run: Operation['run'] = (context, values) => {
      const all = complete(values, context.deferred !== undefined);
      if (!all) return interpreter(context, values);
      const result = compiled.query({}, context, all);
      return result instanceof Promise ? result.then(withRealErrors) : withRealErrors(result);
    };
    if (!nests || !hasNestedLists(rewritten)) return run;
    let apart: Operation['run'] | undefined;
    return async (context, values) => {
      const result = await run(context, values);
      if (!result.errors?.some(({ originalError }) => originalError instanceof UnwrittenError)) return result;
      apart ??= this.#compiled(document, definition, false);
      return apart(context, values);
    };
  }

  /** The operation of a document, run by graphql-js: nothing to compile, but each run takes several times as long as a compiled one. */
  interpret(document: DocumentNode, operationName: string | undefined): Operation {
    const definition = this.#definition(document, operationName);
    return {
      kind: definition.operation,
      name: definition.name?.value,
      variables: variableDefinitions(this.schema, document, definition),
      traits: traitsOf(this.schema, document, definition),
      run: this.#inside(withToken(definition, this.#interpreter(withoutCoercion(this.schema, document), operationName))),
    };
  }

  #inside(run: Operation['run']): Operation['run'] {
    return (context, variables) => this.#around(() => run(context, variables));
  }

  #definition(document: DocumentNode, operationName: string | undefined): OperationDefinitionNode {
    const definition = document.definitions.find(
      (node): node is OperationDefinitionNode =>
        node.kind === Kind.OPERATION_DEFINITION && (!operationName || node.name?.value === operationName),
    );
    if (!definition) throw new GraphQLError(`Unknown operation named "${operationName}".`);
    return definition;
  }

  #interpreter(document: DocumentNode, operationName: string | undefined): Operation['run'] {
    return async (context, variableValues) => {
      const given = { schema: this.schema, document, contextValue: context, variableValues, operationName: operationName ?? null };
      const { errors, ...result } = await execute(given);
      return { ...result, ...(errors ? { errors: errors.map(withReason) } : {}) };
    };
  }
}

const operationOf = (document: DocumentNode): OperationDefinitionNode =>
  document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!;

/** A mutation returns the token of what it stored, whichever endpoint it came by. */
const withToken = ({ operation }: OperationDefinitionNode, run: Operation['run']): Operation['run'] =>
  operation !== 'mutation'
    ? run
    : async (context, variables) => {
        const result = await run(context, variables);
        returnToken(context);
        return result;
      };

/** graphql-js rejects an argument in the words of GraphQL and without a code: that is the caller's error and not one of a resolver. */
const withReason = (error: GraphQLError): GraphQLError =>
  error.message.startsWith('Argument "') && !(error.originalError instanceof GatewayError)
    ? new GraphQLError(error.message, {
        ...error,
        path: error.path ?? null,
        originalError: new GatewayError('INVALID_PARAMS', error.message),
      })
    : error;

/** Errors of graphql-jit are instances of GraphQLError without `extensions`, which Apollo's formatting needs. */
function withRealErrors(result: ExecutionResult): ExecutionResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => {
    const real = new GraphQLError(error.message, {
      path: error.path ?? null,
      originalError: error.originalError ?? null,
      extensions: error.extensions ?? null,
    });
    return error.locations ? Object.defineProperty(real, 'locations', { value: error.locations, enumerable: true }) : real;
  });
  return { ...result, errors };
}

/** Checks and converts the variables a GraphQL client sent; throws one error for all issues. Defaults are literals, which `guardSchema` checks. */
export function coerceVariables(operation: Operation, raw: Record<string, unknown>, context: RequestContext): Variables {
  const issues = new Gathering();
  let deferred: Map<string, Gathering> | undefined;
  const values: Variables = {};
  for (const { name, path, type, coercer, defaultValue, isInputObject, isDeferrable } of operation.variables) {
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (given === undefined && defaultValue !== undefined) {
      values[name] = defaultValue;
      continue;
    }
    const own = isDeferrable ? new Gathering() : issues;
    const coerced = coercer(given, path, own);
    if (own !== issues && own.count > 0) {
      // Without a value that its type requires, GraphQL runs nothing that could report it.
      const named = getNamedType(type);
      const isMissing =
        (given == null || (coerced == null && (isInputObjectType(named) || named === GraphQLBoolean))) && isNonNullType(type);
      if (!isMissing && areAboutValues(own)) {
        deferred ??= new Map();
        deferred.set(name, own);
      } else issues.addAll(own);
    }
    if (given === undefined) continue;
    values[name] = coerced;
    // Other values may hold global ids, which the argument that gets them decodes.
    if (isInputObject) markCoerced(context, coerced);
  }
  if (issues.count > 0) {
    for (const own of deferred?.values() ?? []) issues.addAll(own);
    issues.refuse();
  }
  context.deferred = deferred;
  return values;
}

/** Marks an argument value as coerced, so that `guardSchema` does not coerce it again. */
export function markCoerced(context: RequestContext, value: unknown): void {
  if (typeof value === 'object' && value !== null) context.coerced.add(value);
}

/** The first use of each variable of a document, as the path of an argument. */
function usesOfVariables(document: DocumentNode): Map<string, string> {
  const uses = new Map<string, string>();
  const walk = (value: ValueNode, path: string): void => {
    if (value.kind === Kind.VARIABLE && !uses.has(value.name.value)) uses.set(value.name.value, path);
    else if (value.kind === Kind.OBJECT) for (const field of value.fields) walk(field.value, `${path}.${field.name.value}`);
    else if (value.kind === Kind.LIST) for (const [index, item] of value.values.entries()) walk(item, `${path}[${index}]`);
  };
  visit(document, { Argument: ({ name, value }) => walk(value, name.value) });
  return uses;
}

function variableDefinitions(schema: GraphQLSchema, document: DocumentNode, definition: OperationDefinitionNode): VariableDefinition[] {
  const uses = usesOfVariables(document);
  const deferrable = deferrableVariables(definition, fragmentsByName(document.definitions));
  return (definition.variableDefinitions ?? []).map((node) => {
    const type = typeFromAST(schema, node.type) as GraphQLInputType | undefined;
    if (!type) throw new GraphQLError(`Unknown type of variable $${node.variable.name.value}.`);
    return {
      name: node.variable.name.value,
      path: uses.get(node.variable.name.value) ?? node.variable.name.value,
      type,
      defaultValue: node.defaultValue ? valueFromAST(node.defaultValue, type) : undefined,
      coercer: coercerFor(type, namingStrategies.variable),
      isInputObject: isInputObjectType(getNamedType(type)),
      isDeferrable: deferrable.has(node.variable.name.value),
    };
  });
}

// The input coercer has checked the variables before, with better messages; graphql-jit would check input objects a second time.
// Boolean keeps its type because @skip and @include require it.
function withoutCoercion(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  return visit(document, {
    VariableDefinition(node) {
      const type = typeFromAST(schema, node.type) as GraphQLInputType | undefined;
      const named = type && getNamedType(type);
      const { defaultValue: _, ...others } = node;
      if (named === GraphQLBoolean) return node.type.kind === Kind.LIST_TYPE ? { ...others, type: anyType } : others;
      return { ...others, type: anyType };
    },
  });
}

const anyType = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } } as const;
