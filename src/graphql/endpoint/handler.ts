// Requests to /graphql: authentication and rate limit first, then Apollo. A query that Apollo has accepted before skips Apollo, unless plugins were added.
import type { ApolloServer } from '@apollo/server';
import type { NextFunction, Request, Response } from 'express';
import { type ExecutionResult, getOperationAST, parse } from 'graphql';
import type { RequestContext, Services } from '../../access/context.ts';
import type { RequestTurn } from '../../access/request-turn.ts';
import { authenticateAny } from '../../http/authentication.ts';
import { cacheableResponse } from '../../http/cacheable-response.ts';
import { eventsWanted, sendEvents } from '../../http/event-stream.ts';
import { readJson } from '../../http/json-body.ts';
import { passSteps } from '../../http/pipeline.ts';
import type { RequestWithId } from '../../http/request.ts';
import { sendResponse } from '../../http/response.ts';
import { usageExtensions, withUsage } from '../../http/usage.ts';
import { parseWritten, RepeatedName } from '../../json/exact-json.ts';
import { jsonOf } from '../../json/fragment.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { inTurn, pricedFor } from '../admission.ts';
import type { GraphqlRuntime } from '../apollo.ts';
import type { Documents } from '../documents/documents.ts';
import { coerceVariables } from '../executor.ts';
import type { ApolloContext } from '../idempotent-mutations.ts';
import { operationLimits } from '../query-cost.ts';
import type { OperationPayload, Subscriptions } from '../subscriptions.ts';
import { type AskedQuery, KnownQueries, type KnownQuery } from './known-queries.ts';
import { throughApollo } from './through-apollo.ts';

/**
 * What a plain body asks to run: the text of its document, or the hash of a persisted one with a prefix that no text has. Undefined for a body with
 * other members, which goes to Apollo.
 */
function askedBy(body: unknown, accept: string | undefined): AskedQuery | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { query, operationName, variables, extensions, ...others } = body as Record<string, unknown>;
  const isPlain =
    (operationName == null || typeof operationName === 'string') &&
    (variables == null || (typeof variables === 'object' && !Array.isArray(variables))) &&
    Object.keys(others).length === 0;
  if (!isPlain) return undefined;
  const asked = {
    operationName: operationName as string | null | undefined,
    variables: (variables ?? {}) as Record<string, unknown>,
    accept,
  };
  if (extensions === undefined) return typeof query === 'string' ? { ...asked, document: query } : undefined;
  const { persistedQuery } = (extensions ?? {}) as { persistedQuery?: { version?: unknown; sha256Hash?: unknown } };
  // Where a text is given too, Apollo compares the two.
  if (query !== undefined || persistedQuery?.version !== 1 || typeof persistedQuery.sha256Hash !== 'string') return undefined;
  return { ...asked, document: `sha256:${persistedQuery.sha256Hash}` };
}

/** What the endpoint needs besides the runtime: the layers above this one make it. */
interface Endpoint extends GraphqlRuntime {
  subscriptions: Pick<Subscriptions, 'events'>;
  uploads: {
    /** Reads the form of a multipart request, runs the request with the body it holds, and removes the files that no operation adopted. */
    during(request: RequestWithId, context: RequestContext, run: (body: unknown) => Promise<void>): Promise<void>;
  };
}

const isForm = ({ method, headers }: RequestWithId): boolean =>
  method === 'POST' && /^multipart\/form-data\b/i.test(headers['content-type'] ?? '');

/** The body of a request, of which less is read without a key. */
async function readOperation(request: RequestWithId, turn: RequestTurn): Promise<unknown> {
  if (request.context?.principal) return readJson(request, operationLimits.bodyMegabytes * 1_048_576, turn);
  const kilobytes = operationLimits.bodyKilobytesWithoutKey;
  return readJson(request, kilobytes * 1_024, turn).catch((error) => {
    const isLarge = error instanceof GatewayError && error.code === 'PAYLOAD_TOO_LARGE';
    throw isLarge ? new GatewayError('UNAUTHENTICATED', `a key is required with a body of more than ${kilobytes} kB`) : error;
  });
}

const METHODS = ['GET', 'HEAD', 'POST'];
const isRead = ({ method }: RequestWithId): boolean => method === 'GET' || method === 'HEAD';

/** The handler of `/graphql`. With `skipsApollo`, a query that Apollo has accepted before goes to the executor at once; no plugin would see it. */
export function graphqlHandler(
  server: ApolloServer<ApolloContext>,
  services: Services,
  endpoint: Endpoint,
  skipsApollo: boolean,
): (request: Request, response: Response, next: NextFunction) => void {
  const { rateLimit, turns, documents, subscriptions, uploads } = endpoint;
  const known = new KnownQueries(endpoint, services.caches);

  const handle = async (request: RequestWithId, response: Response): Promise<void> => {
    request.template = '/graphql';
    if (!METHODS.includes(request.method))
      throw new GatewayError('METHOD_NOT_ALLOWED', `method not allowed; use ${METHODS.join(', ')}`, { allow: METHODS });
    const { context, body: given } = await passSteps({ services, rateLimit, turns }, request, {
      authenticate: () => authenticateAny(services, request),
      isRest: false,
      // Files are stored for the caller, so a form is read in the next step.
      readBody: (turn) => (isForm(request) ? Promise.resolve(undefined) : readOperation(request, turn)),
    });
    await withUsage(request, context, () =>
      isForm(request)
        ? uploads.during(request, context, (body) => respond(request, response, context, body))
        : respond(request, response, context, given),
    );
  };

  const respond = async (request: RequestWithId, response: Response, context: RequestContext, given: unknown): Promise<void> => {
    const body = request.method === 'POST' ? documents.resolved(given) : undefined;
    const search = isRead(request) ? searchOf(request, documents) : '';
    const events = eventsWanted(request.headers.accept);
    if (events === 'only' || (events && asksSubscription(documents, payloadOf(search, body))))
      return respondWithEvents({ request, response, context, search, body });
    // Queries of callers without a key are not cached: they would evict those of callers with one.
    const asked = skipsApollo && context.principal ? askedBy(body, request.headers.accept) : undefined;
    const query = asked && known.find(asked);
    let ran: ExecutionResult | undefined;
    if (asked && query) {
      request.graphql = query.operation;
      ran = await run(query, context, asked.variables);
      if (ran && !ran.errors) {
        sendResponse(request, response, {
          status: 200,
          headers: { 'Content-Type': query.mediaType },
          body: jsonOf({ data: ran.data, ...usageExtensions(context) }),
          isWithoutSecrets: query.operation.traits.isWithoutSecrets,
          codings: context.usage ? undefined : query.operation.codings,
        });
        return;
      }
    }
    const { prepared, ...result } = await throughApollo(server, request, { search, body, ran }, context);
    if (prepared) request.graphql = prepared.operation;
    const mediaType = result.headers['Content-Type'];
    if (asked && prepared?.operation.kind === 'query' && result.status === 200 && mediaType !== undefined)
      known.add(asked, { ...prepared, mediaType }, context.principal!);
    const traits = prepared?.operation.traits;
    const codings = context.usage ? undefined : prepared?.operation.codings;
    const sent = { ...result, isWithoutSecrets: traits?.isWithoutSecrets ?? false, codings };
    const isCacheable = traits !== undefined && isRead(request) && result.status === 200 && !context.errorCodes && !context.usage;
    sendResponse(request, response, isCacheable ? cacheableResponse(request, sent, traits.isShared) : sent);
  };

  /** Responds to a caller who reads events: a subscription continues, and a query or mutation is one event. */
  const respondWithEvents = async (asked: EventsAsked): Promise<void> => {
    const { request, response, context, search, body } = asked;
    const payload = payloadOf(search, body);
    if (isSubscription(documents.textFor(payload), payload.operationName)) {
      request.graphql = { kind: 'subscription', name: payload.operationName ?? undefined };
      return sendEvents(request.responseHeaders, response, await subscriptions.events({ request, context, payload }));
    }
    const { prepared, ...result } = await throughApollo(server, request, { search, body, accept: 'application/json' }, context);
    if (prepared) request.graphql = prepared.operation;
    if (result.status === 200) await sendEvents(request.responseHeaders, response, once(JSON.parse(result.body)));
    else sendResponse(request, response, result);
  };

  return (request, response, next) => {
    handle(request, response).catch(next);
  };
}

/** The result of a known query, whose errors Apollo renders. Undefined where it is rejected before it runs: Apollo then rejects it in the same way. */
async function run(query: KnownQuery, context: RequestContext, given: Record<string, unknown>): Promise<ExecutionResult | undefined> {
  try {
    const variables = Object.assign(coerceVariables(query.operation, given, context), query.literals);
    const price = pricedFor(query, variables, context);
    return await inTurn(context, price, () => query.operation.run(context, variables));
  } catch {
    return undefined;
  }
}

interface EventsAsked {
  request: RequestWithId;
  response: Response;
  context: RequestContext;
  search: string;
  body: unknown;
}

async function* once<T>(result: T): AsyncGenerator<T, void> {
  yield result;
}

/** The operation that a request names, in its body or its parameters. What has a wrong type is left to Apollo to reject. */
function payloadOf(search: string, body: unknown): OperationPayload {
  if (body !== undefined) return typeof body === 'object' && body !== null ? body : {};
  const parameters = new URLSearchParams(search);
  return {
    query: parameters.get('query') ?? undefined,
    operationName: parameters.get('operationName'),
    variables: parsedOrNothing(parameters.get('variables')) as Record<string, unknown> | undefined,
    extensions: parsedOrNothing(parameters.get('extensions')),
  };
}

/** Whether a caller who takes JSON too asks for a subscription. What names no document is left to Apollo to reject. */
function asksSubscription(documents: Documents, payload: OperationPayload): boolean {
  try {
    const text = documents.textFor(payload);
    return text.includes('subscription') && isSubscription(text, payload.operationName);
  } catch {
    return false;
  }
}

/** Whether a text is a document whose chosen operation is a subscription; Apollo rejects what is no document. */
function isSubscription(text: string, operationName: unknown): boolean {
  try {
    const document = parse(text, { maxTokens: operationLimits.tokens, noLocation: true });
    return getOperationAST(document, typeof operationName === 'string' ? operationName : null)?.operation === 'subscription';
  } catch {
    return false;
  }
}

/** The parameters of a request without a body, with the text of a trusted document where only such run. */
function searchOf({ originalUrl }: RequestWithId, documents: Documents): string {
  const at = originalUrl.indexOf('?');
  const search = at < 0 ? '' : originalUrl.slice(at);
  const parameters = new URLSearchParams(search);
  requireExact(parameters.get('variables'));
  if (!documents.manifest) return search;
  const text = documents.manifest.textFor({
    query: parameters.get('query') ?? undefined,
    documentId: parameters.get('documentId') ?? undefined,
    extensions: parsedOrNothing(parameters.get('extensions')),
  });
  for (const name of ['documentId', 'extensions']) parameters.delete(name);
  parameters.set('query', text);
  return `?${parameters}`;
}

/** Rejects variables that JSON.parse, which reads them from an address, would change. It rejects text that is not JSON in its own words. */
function requireExact(variables: string | null): void {
  if (variables === null) return;
  try {
    parseWritten(variables, (number) => {
      throw invalid('variables', `variables has ${number.slice(0, 60)}, a number of more than 15 significant digits`, 'OUT_OF_RANGE');
    });
  } catch (error) {
    if (error instanceof RepeatedName) throw invalid('variables', `variables: ${error.message}`, 'INVALID_FORMAT');
    if (error instanceof GatewayError) throw error;
  }
}

function parsedOrNothing(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
