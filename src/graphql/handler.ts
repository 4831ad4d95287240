// Requests to /graphql: authentication and rate limit first, then Apollo. A query that Apollo has accepted before skips Apollo.
import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { NextFunction, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { RequestContext, Services } from '../access/context.ts';
import { authenticateAny } from '../http/authentication.ts';
import { readJson } from '../http/json-body.ts';
import { passSteps } from '../http/pipeline.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { RequestWithId } from '../http/request.ts';
import { sendAnswer } from '../http/response.ts';
import { type Json, jsonOf } from '../json/fragment.ts';
import { GatewayError } from '../records/errors.ts';
import { priceOf } from './admission.ts';
import { type Prepared, preparedFor } from './apollo.ts';
import { coerceVariables } from './executor.ts';
import { type ApolloContext } from './idempotent-mutations.ts';
import { documentCache, operationLimits } from './query-cost.ts';

/** A query that Apollo has run without a request error, and the media type of that answer. */
interface KnownQuery extends Prepared {
  mediaType: string;
}

/** The body of a plain request. A body with other members, such as `extensions`, goes to Apollo. */
interface PlainBody {
  query: string;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

function isPlain(body: unknown): body is PlainBody {
  if (typeof body !== 'object' || body === null) return false;
  const { query, operationName, variables, ...others } = body as Record<string, unknown>;
  return (
    typeof query === 'string' &&
    (operationName == null || typeof operationName === 'string') &&
    (variables == null || (typeof variables === 'object' && !Array.isArray(variables))) &&
    Object.keys(others).length === 0
  );
}

const METHODS = ['GET', 'POST'];

/** The handler of `/graphql`. */
export function graphqlHandler(
  server: ApolloServer<ApolloContext>,
  services: Services,
  rateLimit: RateLimit,
): (request: Request, response: Response, next: NextFunction) => void {
  const known = new LRUCache<string, KnownQuery>(documentCache);

  const answer = async (request: RequestWithId, response: Response): Promise<void> => {
    request.template = '/graphql';
    if (!METHODS.includes(request.method))
      throw new GatewayError('METHOD_NOT_ALLOWED', `this path answers ${METHODS.join(', ')}`, { allow: METHODS });
    const { context, body } = await passSteps({ services, rateLimit }, request, {
      authenticate: () => authenticateAny(services, request),
      isRest: false,
      readBody: () => readJson(request, operationLimits.bodyMegabytes * 1_048_576),
    });
    // Queries of callers without a key are not cached: they would evict those of callers with one.
    const name =
      context.principal && request.method === 'POST' && isPlain(body)
        ? `${request.headers.accept}\n${body.operationName}\n${body.query}`
        : undefined;
    const query = name === undefined ? undefined : known.get(name);
    if (query) {
      request.graphql = query.operation;
      const text = await run(query, context, (body as PlainBody).variables ?? {});
      if (text !== undefined) {
        sendAnswer(request, response, { status: 200, headers: { 'Content-Type': query.mediaType }, body: text });
        return;
      }
    }
    const result = await throughApollo(server, request, body, context);
    const prepared = preparedFor(context);
    if (prepared) request.graphql = prepared.operation;
    const mediaType = result.headers['Content-Type'];
    if (name !== undefined && prepared?.operation.kind === 'query' && result.status === 200 && mediaType !== undefined)
      known.set(name, { ...prepared, mediaType }, { size: name.length });
    sendAnswer(request, response, result);
  };
  return (request, response, next) => {
    answer(request as RequestWithId, response).catch(next);
  };
}

/** The answer of a known query. Undefined on any error: Apollo then runs the query again and renders the error. */
async function run(query: Prepared, context: RequestContext, given: Record<string, unknown>): Promise<Json | undefined> {
  try {
    const variables = coerceVariables(query.operation, given, context);
    priceOf(query, variables, context.principal);
    const { data, errors } = await query.operation.run(context, variables);
    return errors ? undefined : jsonOf({ data });
  } catch {
    return undefined;
  }
}

async function throughApollo(
  server: ApolloServer<ApolloContext>,
  request: RequestWithId,
  body: unknown,
  context: RequestContext,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const search = request.originalUrl.indexOf('?');
  const result = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: request.method,
      headers: new HeaderMap(Object.entries(request.headers) as [string, string][]),
      search: search < 0 ? '' : request.originalUrl.slice(search),
      body,
    },
    context: async () => ({ request: context }),
  });
  // Incremental answers need @defer or @stream, which this schema does not have.
  if (result.body.kind !== 'complete') throw new Error('Apollo answered incrementally');
  // Apollo names headers in lower case; those that `sendAnswer` sets would be sent twice.
  const { 'content-type': mediaType, 'content-length': _, 'cache-control': __, ...others } = Object.fromEntries(result.headers);
  return {
    status: result.status ?? 200,
    headers: { ...others, ...(mediaType ? { 'Content-Type': mediaType } : {}) },
    body: result.body.string,
  };
}
