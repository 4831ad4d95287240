// The GraphQL door: Apollo Server over the compiled executor, with the limits, the error form and the request's context.
import {
  ApolloServer,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type BaseContext,
  type GraphQLRequestContext,
  HeaderMap,
} from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { type ExecutionResult, GraphQLError, type GraphQLFormattedError, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import type { RequestContext } from './core/context.ts';
import { unavailable } from './core/database-faults.ts';
import { type ErrorCode, errorCodes, GatewayError } from './core/errors.ts';
import { coerceVariables, type Executor, type Operation } from './core/executor.ts';
import { jsonOf, textOf } from './core/json-text.ts';
import { type CostFunction, checkCost, checkOperation, operationLimits } from './core/limits.ts';
import { idempotentMutations } from './graphql-idempotency.ts';

/** The context Apollo hands to plugins and resolvers. */
export interface DoorContext extends BaseContext {
  request: RequestContext;
}

/** Apollo's own codes, in the words of our list. */
const apolloCodes: Record<string, ErrorCode> = {
  GRAPHQL_PARSE_FAILED: 'INVALID_PARAMS',
  GRAPHQL_VALIDATION_FAILED: 'INVALID_PARAMS',
  BAD_USER_INPUT: 'INVALID_PARAMS',
  BAD_REQUEST: 'INVALID_PARAMS',
  OPERATION_RESOLUTION_FAILURE: 'INVALID_PARAMS',
};

/** An error in the form every GraphQL client gets: our message and code, or a fixed text for what is not ours. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const place = { ...(formatted.locations ? { locations: formatted.locations } : {}), ...(formatted.path ? { path: formatted.path } : {}) };
  const ours = ourError(error);
  if (ours) {
    const { field, faults, retryAfterSeconds } = ours.info;
    const more = {
      ...(field === undefined ? {} : { field }),
      ...(faults ? { details: faults } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
    return { message: ours.message, ...place, extensions: { code: ours.code, ...more } };
  }
  const code = apolloCodes[String(formatted.extensions?.code)];
  if (code) return { message: formatted.message, ...place, extensions: { code } };
  if (error instanceof GraphQLError && !error.originalError && formatted.extensions?.code !== 'INTERNAL_SERVER_ERROR')
    return { message: formatted.message, ...place, extensions: { code: 'INVALID_PARAMS' } };
  return { message: errorCodes.INTERNAL_ERROR.meaning.split(';')[0]!, ...place, extensions: { code: 'INTERNAL_ERROR' } };
}

function ourError(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  const original = (error as { originalError?: unknown } | null)?.originalError;
  return original ? ourError(original) : unavailable(error);
}

/** Server for `/graphql`; the executor runs what Apollo has parsed and validated. */
export function graphqlServer(schema: GraphQLSchema, executor: Executor, introspection: boolean): ApolloServer<DoorContext> {
  return new ApolloServer<DoorContext>({
    gateway: compiledGateway(schema, executor),
    introspection,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    parseOptions: { maxTokens: operationLimits.tokens },
    persistedQueries: false,
    stopOnTerminationSignals: false,
    formatError,
    stringifyResult: (result) => textOf(jsonOf(result)),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      idempotentMutations((error) => formatError({ message: error.message }, error)),
      requestIds,
      oldMediaType,
    ],
  });
}

/** An operation within the limits, and what it costs with given variables. */
export interface Prepared {
  operation: Operation;
  cost: CostFunction;
}

const costs = new WeakMap<OperationDefinitionNode, CostFunction>();
const preparations = new WeakMap<RequestContext, Prepared>();

/** What Apollo ran for a request, if it came so far. */
export const preparedFor = (context: RequestContext): Prepared | undefined => preparations.get(context);

/** Apollo's hook for foreign executors: the one place where its request becomes a run of ours. */
function compiledGateway(schema: GraphQLSchema, executor: Executor): ApolloServerOptionsWithGateway<DoorContext>['gateway'] {
  // Gateways still get the request in the form of Apollo Server 3, where the context is called `context`.
  const execute = async (request: GraphQLRequestContext<DoorContext> & { context: DoorContext }): Promise<ExecutionResult> => {
    const context = request.context.request;
    try {
      const node = request.operation;
      if (!node) throw new GatewayError('INVALID_PARAMS', 'the operation is not in the document', { field: 'operationName' });
      if (node.operation === 'subscription')
        throw new GatewayError('INVALID_PARAMS', 'subscriptions use a WebSocket on this path', { field: 'query' });
      let cost = costs.get(node);
      if (!cost) {
        cost = checkOperation(schema, request.document!, node);
        costs.set(node, cost);
      }
      // Compiled only within the limits: compiling takes every fragment wherever it is spread.
      const operation = executor.operation(request.queryHash!, request.document!, request.operationName ?? undefined);
      preparations.set(context, { operation, cost });
      const variables = coerceVariables(operation, request.request.variables ?? {}, context);
      checkCost(cost, variables);
      return await operation.run(context, variables);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // A request error: nothing was executed, so there is no data and the status is 400.
      return {
        errors: [
          new GraphQLError(error.message, { originalError: error, extensions: { http: { status: 400, headers: new HeaderMap() } } }),
        ],
      };
    }
  };
  return {
    load: async () => ({ executor: execute as never }),
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => {};
    },
    stop: async () => {},
  };
}

/** Adds the request id to every error, and logs under it what the caller is not told. */
const requestIds: ApolloServerPlugin<DoorContext> = {
  requestDidStart: async () => ({
    didEncounterErrors: async ({ errors, contextValue }) => {
      const { services, requestId } = contextValue.request;
      for (const error of errors) {
        const masked = formatError({ message: error.message, extensions: error.extensions }, error).extensions?.code === 'INTERNAL_ERROR';
        if (masked) services.log.error({ err: error.originalError ?? error, requestId }, 'operation failed');
      }
    },
    willSendResponse: async ({ response, contextValue }) => {
      if (response.body.kind !== 'single' || !response.body.singleResult.errors) return;
      const requestId = contextValue.request.requestId;
      contextValue.request.errorCodes = response.body.singleResult.errors.map((error) => String(error.extensions?.code));
      response.body.singleResult.errors = response.body.singleResult.errors.map((error) => ({
        ...error,
        extensions: { ...error.extensions, requestId },
      }));
    },
  }),
};

/**
 * A client that asks for `application/json` alone gets status 200 with the errors of its operation: GraphQL over HTTP says that 4xx
 * of that media type may come from anything on the way. `application/graphql-response+json` and clients that name no type keep 400.
 */
const oldMediaType: ApolloServerPlugin<DoorContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ request, response }) => {
      const accepted = request.http?.headers.get('accept') ?? '';
      const isOld = accepted.includes('application/json') && !accepted.includes('application/graphql-response+json');
      if (isOld && response.http.status === 400 && request.query) response.http.status = 200;
    },
  }),
};
