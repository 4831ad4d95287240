// Idempotency keys on /graphql: a mutation repeated with its `Idempotency-Key` header gets the first answer again.
import { type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener, type GraphQLResponse, HeaderMap } from '@apollo/server';
import type { GraphQLFormattedError } from 'graphql';
import type { RequestContext } from '../access/context.ts';
import { Claim, idempotencyKeyOf } from '../http/idempotency.ts';
import { GatewayError } from '../records/errors.ts';

/** The context Apollo hands to plugins and resolvers. */
export interface ApolloContext extends BaseContext {
  request: RequestContext;
}

/** Codes of server errors that an answer of status 200 can hold; such an answer is not stored for repetitions. */
const serverErrors = new Set<unknown>(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

/** The Apollo plugin; `format` renders an error for the client. */
export const idempotentMutations = (format: (error: GatewayError) => GraphQLFormattedError): ApolloServerPlugin<ApolloContext> => ({
  requestDidStart: async () => listener(format),
});

function listener(format: (error: GatewayError) => GraphQLFormattedError): GraphQLRequestListener<ApolloContext> {
  let claim: Claim | undefined;
  return {
    async responseForOperation({ request, operation, contextValue }) {
      const context = contextValue.request;
      if (operation?.operation !== 'mutation' || !context.principal) return null;
      try {
        const name = idempotencyKeyOf(request.http?.headers.get('idempotency-key'));
        if (name === undefined) return null;
        const content = JSON.stringify([request.query, request.variables ?? null, request.operationName ?? null]);
        const taken = await Claim.take(context, { name, method: 'POST', path: '/graphql', content });
        if (!(taken instanceof Claim)) return answer(taken.status, JSON.parse(taken.body), { 'idempotency-replayed': 'true' });
        claim = taken;
        return null;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        return answer(400, { errors: [format(error)] }, {});
      }
    },
    async willSendResponse({ response }) {
      if (!claim || response.body.kind !== 'single') return;
      const { singleResult } = response.body;
      const isServerError = singleResult.errors?.some((error) => serverErrors.has(error.extensions?.code)) ?? false;
      await claim.end({ status: isServerError ? 500 : (response.http.status ?? 200), headers: {}, body: JSON.stringify(singleResult) });
    },
  };
}

function answer(
  status: number,
  singleResult: Extract<GraphQLResponse['body'], { kind: 'single' }>['singleResult'],
  headers: Record<string, string>,
): GraphQLResponse {
  return { http: { status, headers: new HeaderMap(Object.entries(headers)) }, body: { kind: 'single', singleResult } };
}
