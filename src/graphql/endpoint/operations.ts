// Operations that come by another endpoint than /graphql, in a form of its own: run and checked as those of /graphql are.
import { hash } from 'node:crypto';
import type { ApolloServer } from '@apollo/server';
import { GraphQLError, type GraphQLFormattedError, getOperationAST, parse } from 'graphql';
import { authorise } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import type { RequestWithId } from '../../http/request.ts';
import { withUsage } from '../../http/usage.ts';
import { Gathering } from '../../records/checked.ts';
import { GatewayError } from '../../records/errors.ts';
import { priceOf } from '../admission.ts';
import { formatError, type GraphqlRuntime, requireRunnable, runnableOf } from '../apollo.ts';
import { coerceVariables } from '../executor.ts';
import type { ApolloContext } from '../idempotent-mutations.ts';
import { operationLimits } from '../query-cost.ts';
import { throughApollo } from './through-apollo.ts';

/** A document with one operation, and the values of its variables. */
export interface GivenOperation {
  query: string;
  variables?: Record<string, unknown> | undefined;
}

/** What is known of an operation before it runs: that it is rejected, or its kind and its price. */
export type CheckedOperation =
  | { valid: false; errors: readonly GraphQLFormattedError[] }
  | { valid: true; kind: string; cost: number; costLimit: number };

/** Operations of requests that have passed the steps of HTTP requests. */
export class Operations {
  readonly #server: ApolloServer<ApolloContext>;
  readonly #runtime: GraphqlRuntime;

  constructor(server: ApolloServer<ApolloContext>, runtime: GraphqlRuntime) {
    this.#server = server;
    this.#runtime = runtime;
  }

  /** Runs an operation; the JSON of its response. */
  async run(request: RequestWithId, context: RequestContext, { query, variables = {} }: GivenOperation): Promise<string> {
    const body = this.#runtime.documents.resolved({ query, variables });
    const { prepared, ...result } = await withUsage(request, context, () =>
      throughApollo(this.#server, request, { search: '', body, accept: 'application/json' }, context),
    );
    if (prepared) request.graphql = prepared.operation;
    return result.body;
  }

  /** Checks an operation without running it: its document, its roles, the form of its variables, its price. */
  check(context: RequestContext, given: GivenOperation): CheckedOperation {
    try {
      return this.#checked(context, given);
    } catch (error) {
      if (!(error instanceof GatewayError || error instanceof GraphQLError)) throw error;
      return { valid: false, errors: [formatted(error)] };
    }
  }

  #checked(context: RequestContext, { query, variables = {} }: GivenOperation): CheckedOperation {
    const { admission, documents } = this.#runtime;
    const { query: text } = documents.resolved({ query }) as GivenOperation;
    const document = parse(text, { maxTokens: operationLimits.tokens });
    const errors = admission.errors(document, context.principal);
    if (errors.length > 0) return { valid: false, errors: errors.map(formatted) };
    const node = requireRunnable(getOperationAST(document), context);
    const { operation, access, cost } = runnableOf(this.#runtime, { document, node, name: undefined, key: hash('sha256', text) });
    for (const roles of access) authorise(context, roles);
    const values = coerceVariables(operation, variables, context);
    const deferred = new Gathering();
    for (const issues of context.deferred?.values() ?? []) deferred.addAll(issues);
    if (deferred.count > 0) deferred.refuse();
    return { valid: true, kind: node.operation, cost: priceOf({ cost }, values, context.principal), costLimit: operationLimits.cost };
  }
}

const formatted = (error: Error): GraphQLFormattedError =>
  formatError(error instanceof GraphQLError ? error.toJSON() : { message: error.message }, error);
