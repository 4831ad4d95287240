// Has Apollo run the operation of a request whose steps were passed.
import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { ExecutionResult } from 'graphql';
import type { RequestContext } from '../../access/context.ts';
import type { RequestWithId } from '../../http/request.ts';
import type { Prepared } from '../admission.ts';
import type { ApolloContext } from '../idempotent-mutations.ts';

/** The response to the operation in the body or in the parameters of a request; with `ran`, that result of it, rendered. */
export async function throughApollo(
  server: ApolloServer<ApolloContext>,
  request: RequestWithId,
  { search, body, accept, ran }: { search: string; body: unknown; accept?: string; ran?: ExecutionResult | undefined },
  context: RequestContext,
): Promise<{ status: number; headers: Record<string, string>; body: string; prepared: Prepared | undefined }> {
  // Undefined when the request was rejected before an operation ran.
  let prepared: Prepared | undefined;
  const result = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method === 'HEAD' ? 'GET' : request.method,
      headers: new HeaderMap(Object.entries(accept === undefined ? request.headers : { ...request.headers, accept }) as [string, string][]),
      search,
      body,
    },
    context: async () => ({
      request: context,
      ran,
      prepared: (operation) => {
        prepared = operation;
      },
    }),
  });
  // Incremental responses need @defer or @stream, which this schema does not have.
  if (result.body.kind !== 'complete') throw new Error('Apollo returned an incremental response');
  // Apollo names headers in lower case; those that `sendResponse` sets would be sent twice.
  const { 'content-type': mediaType, 'content-length': _, 'cache-control': __, ...others } = Object.fromEntries(result.headers);
  return {
    status: result.status ?? 200,
    headers: { ...others, ...(mediaType ? { 'Content-Type': mediaType } : {}) },
    body: result.body.string,
    prepared,
  };
}
