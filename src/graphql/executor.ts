// Runs operations compiled by graphql-jit: those of /graphql from a bounded cache, those of REST routes compiled once per route. graphql-js runs
// operations that graphql-jit cannot compile or that are not worth compiling.
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  specifiedScalarTypes,
  typeFromAST,
  type ValueNode,
  valueFromAST,
  visit,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../access/context.ts';
import { inputError } from '../records/errors.ts';
import type { InputIssue } from '../records/input-issue.ts';
import { type Coercer, coercerFor, namingStrategies } from './input-coercion.ts';
import { withJsonLists } from './json-lists.ts';
import { enrichInfo } from './look-ahead.ts';
import { documentCache } from './query-cost.ts';

/** The variables of an operation as its resolvers get them. */
export type Variables = Record<string, unknown>;

/** An operation ready to run any number of times. */
export interface Operation {
  kind: 'query' | 'mutation' | 'subscription';
  name: string | undefined;
  variables: VariableDefinition[];
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
}

const builtIn = new Set(specifiedScalarTypes.map((type) => type.name));

/** Compiles and caches operations over one schema. */
export class Executor {
  readonly schema: GraphQLSchema;
  readonly #cache = new LRUCache<string, Operation>(documentCache);

  constructor(schema: GraphQLSchema) {
    this.schema = schema;
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
    const compiled = compileQuery(
      this.schema,
      withoutCoercion(this.schema, withJsonLists(this.schema, document, definition)),
      definition.name?.value ?? '',
      {
        disableLeafSerialization: true,
        disablingCapturingStackErrors: true,
        resolverInfoEnricher: enrichInfo as never,
      },
    );
    const run: Operation['run'] = isCompiledQuery(compiled)
      ? (context, values) => {
          const result = compiled.query({}, context, values) as ExecutionResult | Promise<ExecutionResult>;
          return result instanceof Promise ? result.then(withRealErrors) : withRealErrors(result);
        }
      : this.#interpreter(document, operationName);
    return { kind: definition.operation, name: definition.name?.value, variables, run };
  }

  /** The operation of a document, run by graphql-js: nothing to compile, but each run takes several times as long as a compiled one. */
  interpret(document: DocumentNode, operationName: string | undefined): Operation {
    const definition = this.#definition(document, operationName);
    return {
      kind: definition.operation,
      name: definition.name?.value,
      variables: variableDefinitions(this.schema, document, definition),
      run: this.#interpreter(withoutCoercion(this.schema, document), operationName),
    };
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
    return (context, variableValues) =>
      execute({ schema: this.schema, document, contextValue: context, variableValues, operationName: operationName ?? null }) as
        | ExecutionResult
        | Promise<ExecutionResult>;
  }
}

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

/** Checks and converts the variables a GraphQL client sent; throws one error for all issues. */
export function coerceVariables(operation: Operation, raw: Record<string, unknown>, context: RequestContext): Variables {
  const issues: InputIssue[] = [];
  const values: Variables = {};
  for (const { name, path, coercer, defaultValue } of operation.variables) {
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    if (given === undefined && defaultValue !== undefined) values[name] = defaultValue;
    else {
      const coerced = coercer(given, path, issues);
      if (given !== undefined) values[name] = coerced;
    }
  }
  if (issues.length > 0) throw inputError(issues);
  for (const value of Object.values(values)) markCoerced(context, value);
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
  return (definition.variableDefinitions ?? []).map((node) => {
    const type = typeFromAST(schema, node.type as never) as GraphQLInputType | undefined;
    if (!type) throw new GraphQLError(`Unknown type of variable $${node.variable.name.value}.`);
    return {
      name: node.variable.name.value,
      path: uses.get(node.variable.name.value) ?? node.variable.name.value,
      type,
      defaultValue: node.defaultValue ? valueFromAST(node.defaultValue, type) : undefined,
      coercer: coercerFor(type, namingStrategies.graphql),
    };
  });
}

// The input coercer has checked the variables before, with better messages; graphql-jit would check input objects a second time.
// Built-in scalars keep their type because @skip and @include require Boolean.
function withoutCoercion(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  return visit(document, {
    VariableDefinition(node) {
      const type = typeFromAST(schema, node.type as never) as GraphQLInputType | undefined;
      const named = type && getNamedType(type);
      const { defaultValue: _, ...others } = node;
      if (named && isScalarType(named) && builtIn.has(named.name))
        return node.type.kind === Kind.LIST_TYPE ? { ...others, type: anyType } : others;
      return { ...others, type: anyType };
    },
  });
}

const anyType = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } } as const;
