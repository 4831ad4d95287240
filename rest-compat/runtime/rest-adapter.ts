// The REST adapter: matches a request to a route of its host, authenticates by the route's header, runs it, and renders errors in the surface's format.
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type RequestContext, tenantOf } from '../../src/access/context.ts';
import type { RequestTurn } from '../../src/access/request-turn.ts';
import { type Multipart, readMultipart } from '../../src/files/posted-form.ts';
import { discardUpload, uploadIdentity } from '../../src/files/stored-file.ts';
import { formatError } from '../../src/graphql/apollo.ts';
import { authenticate } from '../../src/http/authentication.ts';
import { Claim, idempotencyKeyOf } from '../../src/http/idempotency.ts';
import { readJson } from '../../src/http/json-body.ts';
import { passSteps } from '../../src/http/pipeline.ts';
import type { RequestWithId } from '../../src/http/request.ts';
import { type HttpResponse, NOT_STORED, sendResponse } from '../../src/http/response.ts';
import { knows } from '../../src/http/static-content.ts';
import { textOf } from '../../src/json/fragment.ts';
import { GatewayError } from '../../src/records/errors.ts';
import type { Adapter, AdapterOptions } from '../../src/server/app.ts';
import { bodyMegabytes, type Route, type Surface } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { publicError, refusalHeaders, renderers, statusOf } from './error-bodies.ts';
import { CSV } from './report-csv.ts';
import { type Prepared, RouteRunner } from './route-runner.ts';
import { parseQuery, pathOf, RouteTree } from './route-tree.ts';

const MEGABYTE = 1_048_576;

/** Path under which the tax host serves the platform routes on the default origin. */
const TAX_PREFIX = '/tax';

/** Base paths by surface, for errors on paths without a route. */
const bases: [prefix: string, surface: Surface][] = [
  ['/api/v1/geoencode', 'address'],
  ['/api/v1/internal', 'address'],
  ['/api/v1', 'platform'],
  ['/tax/api/v1', 'platform'],
  ['/v4/core', 'integrations'],
  ['/hooks', 'integrations'],
  ['/', 'address'],
];

const surfaceOf = (pathname: string): Surface =>
  bases.find(([prefix]) => pathname === prefix || pathname.startsWith(prefix === '/' ? '/' : `${prefix}/`))![1];

/** Most cached operations compiled for selections and expansions of callers. */
const MAX_PROJECTIONS = 1_000;

/** Mounts every route, on the default host and on the tax host. */
export const restAdapter: Adapter = (app, options) => {
  const main = new RouteTree<RouteRunner>();
  const tax = new RouteTree<RouteRunner>();
  const projections = options.services.caches.add('selections', new LRUCache<string, Prepared>({ max: MAX_PROJECTIONS }));
  for (const route of routes) {
    const runner = new RouteRunner(options.schema, options.executor, projections, route);
    main.add(route, runner);
    if (route.surface !== 'platform' || route.notOnTaxHost) continue;
    main.add({ ...route, path: TAX_PREFIX + route.path }, runner);
    tax.add(route, runner);
  }
  const taxHosts = new Set(options.services.config.taxHosts);
  app.use((request, response, next) => {
    const url = request.url;
    const cut = url.indexOf('?');
    const pathname = cut < 0 ? url : url.slice(0, cut);
    // The service status is for programs; a browser gets the start page.
    if (pathname === '/' && request.accepts(['application/json', 'text/html']) === 'text/html') {
      next();
      return;
    }
    const routes = taxHosts.size > 0 && taxHosts.has((request.hostname ?? '').toLowerCase()) ? tax : main;
    let surface = surfaceOf(pathname);
    let route: Route | undefined;
    const fail = (error: unknown): void => renderError(error, { request: request, response, surface, route, pathname, options });
    try {
      const match = routes.find(request.method === 'HEAD' ? 'GET' : request.method, pathname);
      if (!match) {
        next();
        return;
      }
      route = match.entry.route;
      surface = route.surface;
      request.template = pathname.startsWith(`${TAX_PREFIX}/`) ? TAX_PREFIX + route.path : route.path;
      runRoute(match.entry, match.params, cut < 0 ? '' : url.slice(cut), request, response, options).catch(fail);
    } catch (error) {
      authenticateFirst(options, request, surface, pathname).then(() => fail(error), fail);
    }
  });
};

/** Paths of the address service that respond without a key, to GET alone. */
const open = new Set(['/', '/healthz']);

/**
 * Authenticates before it reports an error of the address service: callers without a key must not learn even that a path or method does not
 * exist. Its paths are those below `/api/` and the two open ones. Every other path on the shared origin belongs to another surface or to none.
 */
async function authenticateFirst({ services }: AdapterOptions, request: Request, surface: Surface, pathname: string): Promise<void> {
  const isOwn = surface === 'address' && (open.has(pathname) || pathname.startsWith('/api/'));
  if (isOwn) await authenticate(services, request, 'x-service-key');
}

async function runRoute(
  runner: RouteRunner,
  params: Record<string, string>,
  search: string,
  request: RequestWithId,
  response: Response,
  options: AdapterOptions,
): Promise<void> {
  const { route } = runner;
  const { context, body } = await passSteps(options, request, {
    authenticate: () => (route.credential === 'none' ? null : authenticate(options.services, request, route.credential)),
    roles: runner.roles,
    isRest: true,
    readBody: (turn) => bodyOf(runner, request, turn),
  });
  const query = parseQuery(search);
  // A query needs no protection from retries, and its response is not stored for privacy: one of the geocoder holds an address.
  const name = runner.isQuery || !context.principal ? undefined : idempotencyKeyOf(request.headers['idempotency-key']);
  const multipart = await multipartOf(runner, request, context);
  request.operation = runner.name;
  request.responseHeaders.setHeader('X-GraphQL-Operation', runner.name);
  const isCsv = route.csv !== undefined && request.accepts(['application/json', CSV]) === CSV;
  const given = { params, query, body, multipart, headers: request.headers, isCsv, context };
  const ready = multipart ? await droppingUpload(context, multipart, () => runner.read(given)) : await runner.read(given);
  const run = (): Promise<HttpResponse> => droppingUpload(context, multipart, ready);
  if (name === undefined) {
    sendResponse(request, response, unlessKnown(request, await run()));
    return;
  }
  const conditions = [request.headers['if-match'], request.headers['if-none-match']].filter((condition) => condition !== undefined);
  const content = [[...query].sort(), body ?? null, multipart ? contentOf(multipart) : null, ...conditions];
  const path = pathOf(route, params);
  const claim = await droppingUpload(context, multipart, () => Claim.take(context, { name, method: route.method, path, content }));
  if (!(claim instanceof Claim)) {
    // The operation is not run, so nothing adopts the file that was sent again.
    await dropUpload(context, multipart);
    sendResponse(request, response, { ...claim, headers: { ...claim.headers, 'Idempotency-Replayed': 'true' } });
    return;
  }
  const result = await run().catch((error: unknown) =>
    errorResponse(error, { request, response, surface: route.surface, route, pathname: request.url.split('?', 1)[0]!, options }),
  );
  // The stored headers repeat the request id that the stored body names.
  await claim.end({ ...result, body: textOf(result.body), headers: { ...result.headers, 'X-Request-Id': request.id } });
  sendResponse(request, response, result);
}

/** The content of a form: its parts, and of its file what distinguishes it from another one. */
const contentOf = ({ parts, file }: Multipart): unknown => [[...parts].sort(), uploadIdentity(file)];

/** The JSON body of a route that takes one; throws when it is missing or not of the form the route needs. */
async function bodyOf({ route, reads, bodyMayBeArray }: RouteRunner, request: RequestWithId, turn: RequestTurn): Promise<unknown> {
  const body = reads && (await readJson(request, (route.bodyMegabytes ?? bodyMegabytes[route.surface]) * MEGABYTE, turn));
  const isAbsent = body === undefined && reads !== 'json';
  if (!isAbsent && (typeof body !== 'object' || body === null || (Array.isArray(body) && !bodyMayBeArray))) throw bodyNeeded(route, body);
  return body;
}

/** The response of a read; 304 when `If-None-Match` has its tag, weak or strong. */
function unlessKnown(request: Request, response: HttpResponse): HttpResponse {
  const { ETag } = response.headers;
  return ETag !== undefined && isRead(request) && knows(request, ETag)
    ? { status: 304, headers: { ETag, Vary: 'Accept-Encoding', 'Cache-Control': NOT_STORED }, body: '' }
    : response;
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** The multipart body of a route that takes one. */
async function multipartOf(runner: RouteRunner, request: RequestWithId, context: RequestContext): Promise<Multipart | undefined> {
  return runner.form && readMultipart(context.services, tenantOf(context).organisationId, request, runner.form);
}

/** Runs work that may adopt an upload; removes the upload when the work fails. */
async function droppingUpload<T>(context: RequestContext, multipart: Multipart | undefined, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await dropUpload(context, multipart);
    throw error;
  }
}

/** Removes an upload that no operation has adopted. */
async function dropUpload(context: RequestContext, multipart: Multipart | undefined): Promise<void> {
  if (multipart) await discardUpload(context.services, tenantOf(context).organisationId, multipart.file.fileId);
}

function bodyNeeded(route: Route, body: unknown): GatewayError {
  const message = 'the body must be a JSON object';
  if (body === undefined) {
    const name =
      Object.values(route.args)
        .map((source) => (source.from === 'body' ? source.member : undefined))
        .find(Boolean) ?? 'body';
    return new GatewayError('MISSING_PARAMS', message, { field: name, issues: [{ field: name, code: 'REQUIRED', message }] });
  }
  if (route.surface === 'integrations') return new GatewayError('INVALID_JSON', `${message} with data`, { field: 'body' });
  return new GatewayError('INVALID_PARAMS', message, { field: 'body', issues: [{ field: 'body', code: 'INVALID_TYPE', message }] });
}

interface Failure {
  request: RequestWithId;
  response: Response;
  surface: Surface;
  route: Route | undefined;
  pathname: string;
  options: AdapterOptions;
}

function renderError(thrown: unknown, failure: Failure): void {
  const { request, response } = failure;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendResponse(request, response, errorResponse(thrown, failure));
}

/** The response for a thrown value; server errors are logged here. */
function errorResponse(thrown: unknown, { request, surface, route, pathname, options }: Failure): HttpResponse {
  const error = publicError(thrown);
  request.errorCodes = [error.code];
  const status = statusOf(error.code, route);
  if (status >= 500) options.services.log.error({ err: thrown, requestId: request.id }, 'request failed');
  const body = renderers[surface](error, status, {
    requestId: request.id,
    path: pathname,
    now: options.services.clock.now(),
    credential: route?.credential ?? 'none',
  });
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8', ...refusalHeaders(error, status) };
  if (status === 401 && route?.credential === 'bearer') headers['WWW-Authenticate'] = 'Bearer';
  return { status, headers, body: JSON.stringify(body) };
}

/** Responds to requests that no adapter handled, and errors before a route was found. */
export const notFoundAdapter: Adapter = (app, options) => {
  app.use((request: Request, response: Response) => {
    const pathname = request.url.split('?', 1)[0]!;
    const error = new GatewayError('ROUTE_NOT_FOUND', 'there is no operation at this path');
    const surface = surfaceOf(pathname);
    const fail = (thrown: unknown): void =>
      renderError(thrown, { request: request, response, surface, route: undefined, pathname, options });
    authenticateFirst(options, request, surface, pathname).then(() => fail(error), fail);
  });
  app.use((error: unknown, request: Request, response: Response, _next: unknown) => {
    const pathname = request.originalUrl.split('?', 1)[0]!;
    if (pathname.startsWith('/graphql')) renderGraphqlError(error, request, response);
    else
      renderError(error, {
        request: request,
        response,
        surface: surfaceOf(pathname),
        route: undefined,
        pathname,
        options,
      });
  });
};

/** Renders the errors of /graphql that occur before Apollo: methods, credentials, rate limit, and bodies that are not JSON. */
function renderGraphqlError(thrown: unknown, request: RequestWithId, response: Response): void {
  const error = publicError(thrown);
  request.errorCodes = [error.code];
  const status = statusOf(error.code);
  const { message, extensions } = formatError({ message: error.message }, error);
  const body = JSON.stringify({ errors: [{ message, extensions: { ...extensions, requestId: request.id } }] });
  sendResponse(request, response, { status, headers: refusalHeaders(error, status), body });
}
