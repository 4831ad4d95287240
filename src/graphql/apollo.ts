// The GraphQL endpoint: Apollo Server over the compiled executor, with the limits, the error format and the request's context.
import {
  ApolloServer,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type GraphQLRequestContext,
  HeaderMap,
} from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext, Services } from '../access/context.ts';
import type { RequestTurns } from '../access/request-turn.ts';
import { unavailable } from '../database/errors.ts';
import { networkOf } from '../http/authentication.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import { usageExtensions } from '../http/usage.ts';
import { jsonOf, textOf } from '../json/fragment.ts';
import { type ErrorCode, errorCodes, GatewayError } from '../records/errors.ts';
import { shortened } from '../records/input-issue.ts';
import { type Admission, inTurn, type Prepared, pricedFor } from './admission.ts';
import type { Documents } from './documents/documents.ts';
import { coerceVariables, type Executor } from './executor.ts';
import { type ApolloContext, idempotentMutations } from './idempotent-mutations.ts';
import { documentCache, operationLimits } from './query-cost.ts';

/** What checks and runs an operation, over HTTP and over WebSocket. */
export interface GraphqlRuntime {
  schema: GraphQLSchema;
  executor: Executor;
  admission: Admission;
  rateLimit: RateLimit;
  /** The turns of callers at what is large. */
  turns: RequestTurns;
  documents: Documents;
}

/** Apollo's own error codes, mapped to ours. */
const apolloCodes: Record<string, ErrorCode> = {
  GRAPHQL_PARSE_FAILED: 'INVALID_PARAMS',
  GRAPHQL_VALIDATION_FAILED: 'INVALID_PARAMS',
  BAD_USER_INPUT: 'INVALID_PARAMS',
  BAD_REQUEST: 'INVALID_PARAMS',
  // Clients of persisted queries look for Apollo's code and message.
  PERSISTED_QUERY_NOT_FOUND: 'PERSISTED_QUERY_NOT_FOUND',
  OPERATION_RESOLUTION_FAILURE: 'INVALID_PARAMS',
};

/** An error as every GraphQL client gets it: our message and code, or a fixed text for an error that is not ours. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const place = { ...(formatted.locations ? { locations: formatted.locations } : {}), ...(formatted.path ? { path: formatted.path } : {}) };
  const ours = ourError(error);
  if (ours) {
    const { field, issues, retryAfterSeconds } = ours.info;
    const more = {
      ...(field === undefined ? {} : { field }),
      ...(issues ? { details: issues.map(({ allowed: _, ...issue }) => issue) } : {}),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
    return { message: ours.message, ...place, extensions: { code: ours.code, ...more } };
  }
  // What parses and validates a document walks it recursively.
  if (formatted.message.startsWith('Maximum call stack'))
    return { message: 'the document is nested too deep', extensions: { code: 'QUERY_TOO_COMPLEX' } };
  // Sentences of graphql-js repeat what they are about, whatever its length.
  const message = shortened(formatted.message);
  const code = apolloCodes[String(formatted.extensions?.code)];
  if (code) return { message, ...place, extensions: { code } };
  if (error instanceof GraphQLError && !error.originalError && (isCallers(error) || formatted.extensions?.code !== 'INTERNAL_SERVER_ERROR'))
    return { message, ...place, extensions: { code: 'INVALID_PARAMS' } };
  return { message: errorCodes.INTERNAL_ERROR.meaning.split(';')[0]!, ...place, extensions: { code: 'INTERNAL_ERROR' } };
}

/** Whether Apollo says by the status alone that the caller made an error, as it does of persisted queries. */
const isCallers = ({ extensions: { http } }: GraphQLError): boolean => (http as { status?: number } | undefined)?.status === 400;

function ourError(error: unknown): GatewayError | undefined {
  if (error instanceof GatewayError) return error;
  const original = (error as { originalError?: unknown } | null)?.originalError;
  return original ? ourError(original) : unavailable(error);
}

/** A plugin that someone adds to the server; `docs/decisions/compiled-executor.md` lists the hooks that are called. */
export type Plugin = ApolloServerPlugin<ApolloContext>;

/** The Apollo server of `/graphql`: Apollo parses, the admission checks, the executor runs. */
export function graphqlServer(
  runtime: GraphqlRuntime,
  caches: Services['caches'],
  plugins: readonly Plugin[],
): ApolloServer<ApolloContext> {
  const { admission, documents: given } = runtime;
  const documents = caches.add('documents', new LRUCache<string, DocumentNode>(documentCache));
  return new ApolloServer<ApolloContext>({
    gateway: compiledGateway(runtime),
    // The admission validates, after it has rejected documents that would take long to validate.
    dangerouslyDisableValidation: true,
    introspection: true,
    // Apollo would cache every parsed document, also those of callers without a key, and print the schema at each start to name them by it.
    // The plugin `admitted` has the cache instead.
    documentStore: null,
    allowBatchedHttpRequests: false,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    parseOptions: { maxTokens: operationLimits.tokens },
    // As with parsed documents, the plugin `admitted` fills the cache. Apollo has compared text and hash by then.
    persistedQueries: given.manifest
      ? false
      : {
          cache: {
            get: async (key) => given.persisted.get(hashIn(key)),
            set: async () => {},
            delete: async (key) => given.persisted.delete(hashIn(key)),
          },
        },
    stopOnTerminationSignals: false,
    formatError,
    stringifyResult: (result) => textOf(jsonOf(result)),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      admitted(admission, documents, given),
      idempotentMutations((error) => formatError({ message: error.message }, error)),
      requestIds,
      usageReports,
      oldMediaType,
      ...plugins,
    ],
  });
}

/** Apollo puts its name for persisted queries before the hash of the text. */
const hashIn = (key: string): string => key.slice(key.indexOf(':') + 1);

/** Rejects a document that the caller may not run, before anything of it runs. Caches the documents of callers with a key, and with them why one is rejected. */
const admitted = (
  admission: Admission,
  documents: LRUCache<string, DocumentNode>,
  { persisted }: Documents,
): ApolloServerPlugin<ApolloContext> => ({
  requestDidStart: async () => ({
    async didResolveSource(requestContext) {
      // Apollo parses the text unless there is a document by now.
      Object.assign(requestContext, { document: documents.get(requestContext.queryHash) });
    },
    async responseForOperation({ document, queryHash, source, metrics, contextValue }) {
      const { principal, turn } = contextValue.request;
      // To check, compile and run a new document takes tens of milliseconds each: others come in between.
      const start = turn?.start();
      if (start) await start;
      const errors = admission.errors(document, principal);
      if (principal && queryHash) {
        documents.set(queryHash, document, { size: queryHash.length + (document.loc?.end ?? 0) });
        if (errors.length === 0 && metrics.persistedQueryRegister && source) persisted.set(queryHash, source);
      }
      if (errors.length === 0) return null;
      const formatted = errors.map((error) =>
        formatError(error instanceof GraphQLError ? error.toJSON() : { message: error.message }, error),
      );
      const status = formatted.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED') ? 401 : 400;
      return { http: { status, headers: new HeaderMap() }, body: { kind: 'single', singleResult: { errors: formatted } } };
    },
  }),
});

/** Plugs our executor into Apollo's gateway option, its only hook for another executor. */
function compiledGateway(runtime: GraphqlRuntime): ApolloServerOptionsWithGateway<ApolloContext>['gateway'] {
  // Apollo still passes gateways the request type of Apollo Server 3, whose context is the member `context`.
  const execute = async (request: GraphQLRequestContext<ApolloContext> & { context: ApolloContext }): Promise<ExecutionResult> => {
    const { request: context, prepared, ran } = request.context;
    try {
      const { document, queryHash } = request;
      const node = requireRunnable(request.operation, context);
      const start = context.turn?.start();
      if (start) await start;
      const admitted = { document: document!, node, name: request.operationName ?? undefined, key: queryHash! };
      const runnable = runnableOf(runtime, admitted);
      prepared(runnable);
      return ran ?? (await runPriced(runtime, runnable, request.request.variables ?? {}, context));
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // A request error: nothing was executed, so there is no data and the status is 400.
      const status = error.code === 'RATE_LIMIT_EXCEEDED' ? 429 : 400;
      const { retryAfterSeconds } = error.info;
      const headers = new HeaderMap(retryAfterSeconds === undefined ? [] : [['retry-after', String(retryAfterSeconds)]]);
      return { errors: [new GraphQLError(error.message, { originalError: error, extensions: { http: { status, headers } } })] };
    }
  };
  return {
    load: async () => ({ executor: execute as never }),
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: runtime.schema, coreSupergraphSdl: '' });
      return () => {};
    },
    stop: async () => {},
  };
}

/** The chosen operation of a document; throws without one, if it is a subscription, or if it is a mutation of a read-only caller. */
export function requireRunnable(node: OperationDefinitionNode | null | undefined, context: RequestContext): OperationDefinitionNode {
  if (!node) throw new GatewayError('INVALID_PARAMS', 'the operation is not in the document', { field: 'operationName' });
  if (node.operation === 'subscription')
    throw new GatewayError('INVALID_PARAMS', 'subscriptions use a WebSocket on this path, or accept: text/event-stream', {
      field: 'query',
    });
  if (node.operation === 'mutation' && context.isReadOnly)
    throw new GatewayError('FORBIDDEN', 'the key lacks the role AGENT_WRITE, so an agent can only read with it', { role: 'AGENT_WRITE' });
  return node;
}

/** A query or mutation of a document that was admitted. */
export interface AdmittedDocument {
  document: DocumentNode;
  node: OperationDefinitionNode;
  name: string | undefined;
  /** The hash of its text. */
  key: string;
}

/** The operation ready to run. */
export function runnableOf({ admission, executor }: GraphqlRuntime, { document, node, name, key }: AdmittedDocument): Prepared {
  const known = admission.operation(document, node);
  const operation =
    known.standard ??
    // Operations of callers without a key are small, and each caller could vary the text without end: none is compiled.
    (known.access.length === 0 ? executor.interpret(document, name) : executor.operation(key, document, name));
  return { operation, ...known };
}

/** Runs an operation with the variables that a client sent, within the caller's limit of cost. */
export function runPriced(
  { rateLimit }: GraphqlRuntime,
  { operation, ...known }: Prepared,
  given: Record<string, unknown>,
  context: RequestContext,
): ExecutionResult | Promise<ExecutionResult> {
  const variables = coerceVariables(operation, given, context);
  const price = pricedFor(known, variables, context);
  if (!context.principal && price >= operationLimits.costPerRequest) chargeAddress(rateLimit, context, price);
  return inTurn(context, price, () => operation.run(context, variables));
}

/** Charges the cost of an operation without a key to the allowance of the address, on top of the request itself. */
function chargeAddress(rateLimit: RateLimit, { ip, services }: RequestContext, price: number): void {
  const requests = Math.floor(price / operationLimits.costPerRequest);
  rateLimit.take(networkOf(ip ?? ''), { setHeader: () => {} }, services.clock.now(), requests);
}

/** Adds the request id to every error, and logs under that id the errors whose text the caller does not see. */
const requestIds: ApolloServerPlugin<ApolloContext> = {
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

/** Adds what a request cost to its response, after the response was stored for retries of its idempotency key. */
const usageReports: ApolloServerPlugin<ApolloContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response, contextValue }) => {
      if (response.body.kind === 'single') Object.assign(response.body.singleResult, usageExtensions(contextValue.request));
    },
  }),
};

/**
 * A client that accepts only `application/json` gets the errors of its operation with status 200. GraphQL over HTTP says that a 4xx response of that
 * media type may come from an intermediary. Clients that accept `application/graphql-response+json` or name no type keep 400.
 */
const oldMediaType: ApolloServerPlugin<ApolloContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ request, response }) => {
      const accepted = request.http?.headers.get('accept') ?? '';
      const isOld = accepted.includes('application/json') && !accepted.includes('application/graphql-response+json');
      if (isOld && response.http.status === 400 && request.query) response.http.status = 200;
    },
  }),
};
