// Idempotency keys on /graphql: a mutation repeated with its key, in a header or in its input, gets the first response again, whatever carries it.
// Conditions in headers are rejected here, because a mutation has them in its input.
import { type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener, type GraphQLResponse, HeaderMap } from '@apollo/server';
import type { DocumentNode, ExecutionResult, FormattedExecutionResult, GraphQLFormattedError, OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../access/context.ts';
import { Claim, idempotencyKeyOf, type StoredResponse } from '../http/idempotency.ts';
import { GatewayError } from '../records/errors.ts';
import type { Prepared } from './admission.ts';
import { fragmentsByName } from './mutations/deferred-issues.ts';
import { keyOfDocument } from './mutations/idempotency-key.ts';

/** The context Apollo hands to plugins and resolvers. */
export interface ApolloContext extends BaseContext {
  request: RequestContext;
  /** Called with the operation before it runs. Apollo hands out copies of this context, so a member set on it would be lost. */
  prepared(prepared: Prepared): void;
  /** The result of the operation, where it has run already. */
  ran?: ExecutionResult | undefined;
}

/** Codes of server errors that a response of status 200 can hold; such a response is not stored for retries. */
const serverErrors = new Set<unknown>(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

/** An operation that may be a mutation with a key. */
export interface Repeatable {
  /** The text of its document. A request that names the document by its hash repeats one that sent the text. */
  text: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown> | null | undefined;
  operationName: string | null | undefined;
  /** The header of a request; messages of a socket have none. */
  header?: string | undefined;
}

/**
 * Rejects a mutation whose request has a condition in a header. A header is of the whole path, and a mutation that ignores it would succeed where the
 * caller has forbidden it.
 */
function requireUnconditional({ operation }: OperationDefinitionNode, headers: HeaderMap | undefined): void {
  if (operation !== 'mutation') return;
  const header = ['If-Match', 'If-None-Match'].find((name) => headers?.has(name.toLowerCase()));
  if (header === undefined) return;
  const message = `${header} is not supported on this path; a mutation takes the version of a record as ifMatch of its input`;
  throw new GatewayError('INVALID_PARAMS', message, { header });
}

/** Claims the key of a mutation, or returns the stored response; undefined for what has no key. */
async function claimOf(context: RequestContext, given: Repeatable): Promise<Claim | StoredResponse | undefined> {
  const { text, document, operation, variables, operationName, header } = given;
  if (operation.operation !== 'mutation' || !context.principal) return undefined;
  const name = idempotencyKeyOf(keyOfDocument(header, operation, fragmentsByName(document.definitions), variables ?? {}));
  if (name === undefined) return undefined;
  // As JSON, because an uploaded file has another id each time it is sent, which its JSON leaves out.
  const content = [text, JSON.parse(JSON.stringify(variables ?? null)), operationName ?? null];
  return Claim.take(context, { name, method: 'POST', path: '/graphql', content });
}

/** Ends a claim with a response whose errors are formatted. */
function end(context: RequestContext, claim: Claim, status: number, result: FormattedExecutionResult): Promise<void> {
  if (result.errors) context.isRefused = true;
  const isServerError = result.errors?.some((error) => serverErrors.has(error.extensions?.code)) ?? false;
  return claim.end({ status: isServerError ? 500 : status, headers: {}, body: JSON.stringify(result) });
}

/** Runs an operation that does not pass Apollo. `run` also returns rejections as a result, with the errors as clients get them. */
export async function runOnce(context: RequestContext, given: Repeatable, run: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  const claim = await claimOf(context, given);
  if (claim && !(claim instanceof Claim)) return JSON.parse(claim.body);
  const result = await run();
  // The status that the same response has over HTTP, where the retry may come.
  const refusal = result.errors?.[0]?.extensions?.code === 'RATE_LIMIT_EXCEEDED' ? 429 : 400;
  if (claim) await end(context, claim, result.data === undefined ? refusal : 200, result);
  return result;
}

/** The Apollo plugin; `format` renders an error for the client. */
export const idempotentMutations = (format: (error: GatewayError) => GraphQLFormattedError): ApolloServerPlugin<ApolloContext> => ({
  requestDidStart: async () => listener(format),
});

function listener(format: (error: GatewayError) => GraphQLFormattedError): GraphQLRequestListener<ApolloContext> {
  let claim: Claim | undefined;
  return {
    async responseForOperation({ request, source, operation, document, contextValue }) {
      // Apollo asks for documents without the named operation too.
      if (!operation) return null;
      try {
        const { variables, operationName, http } = request;
        requireUnconditional(operation, http?.headers);
        const given = { text: source, document, operation, variables, operationName, header: http?.headers.get('idempotency-key') };
        const taken = await claimOf(contextValue.request, given);
        if (taken && !(taken instanceof Claim)) return responseOf(taken.status, JSON.parse(taken.body), { 'idempotency-replayed': 'true' });
        claim = taken;
        return null;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        return responseOf(400, { errors: [format(error)] }, {});
      }
    },
    async willSendResponse({ contextValue, response }) {
      if (!claim || response.body.kind !== 'single') return;
      await end(contextValue.request, claim, response.http.status ?? 200, response.body.singleResult);
    },
  };
}

function responseOf(
  status: number,
  singleResult: Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult'],
  headers: Record<string, string>,
): GraphQLResponse {
  return { http: { status, headers: new HeaderMap(Object.entries(headers)) }, body: { kind: 'single', singleResult } };
}
