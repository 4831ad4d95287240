// The HTTP application: the middleware of every request, then the adapters and /graphql. It does not listen.

import express from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Services } from '../access/context.ts';
import { RequestTurns } from '../access/request-turn.ts';
import { goingBy } from '../address/iso/in-force.ts';
import { isoRegister } from '../address/iso/register.ts';
import { GraphqlUploads } from '../files/graphql-uploads.ts';
import { Admission } from '../graphql/admission.ts';
import { graphqlServer, type Plugin } from '../graphql/apollo.ts';
import { Documents, Manifest } from '../graphql/documents/documents.ts';
import { graphqlHandler } from '../graphql/endpoint/handler.ts';
import { Operations } from '../graphql/endpoint/operations.ts';
import { Executor } from '../graphql/executor.ts';
import { operationLimits } from '../graphql/query-cost.ts';
import { StandardIntrospection } from '../graphql/standard-introspection.ts';
import { openSubscriptions, type Subscriptions } from '../graphql/subscriptions.ts';
import { RateLimit, shareRateLimit } from '../http/rate-limit.ts';
import type { RequestWithId } from '../http/request.ts';
import { dropRest } from '../http/request-body.ts';
import { headError, pathOfTarget, requestIdOf } from '../http/request-head.ts';
import { RequestHistory } from '../http/request-history.ts';
import { type RequestObserver, requestLog } from '../http/request-log.ts';
import { beginSpans, endSpan } from '../http/request-spans.ts';
import { ResponseHeaders } from '../http/response.ts';
import { owned } from '../runtime/owned.ts';
import { countingStatements } from '../runtime/statement-count.ts';
import { registeredTracer } from '../runtime/tracing.ts';
import { crossOriginRequests } from './cross-origin.ts';

/** What an adapter needs to mount itself. */
export interface AdapterOptions {
  services: Services;
  schema: GraphQLSchema;
  executor: Executor;
  /** The operations of /graphql, for adapters that take them in a form of their own. */
  operations: Operations;
  rateLimit: RateLimit;
  /** The turns of callers at what is large. */
  turns: RequestTurns;
  /** Called for each request when it has ended; adapters may add to them. */
  observers: RequestObserver[];
  /** The application of `ADMIN_PORT`; without that setting the same as that of all requests. */
  admin: express.Express;
  /** Whether the process is about to stop, so that load balancers send requests elsewhere. */
  isDraining: boolean;
}

/** Adds the handlers of an adapter to the application. The last adapter also renders the errors of `/graphql` that occur before Apollo. */
export type Adapter = (app: express.Express, options: AdapterOptions) => void;

/** The application and what must be stopped with it. */
export interface App {
  handler: express.Express;
  /** What `ADMIN_PORT` serves. */
  admin: express.Express;
  schema: GraphQLSchema;
  /** Takes the upgrades of the HTTP server, which cannot close before its connections have ended. */
  subscriptions: Subscriptions;
  /** The requests that have ended, on their way to the database. */
  requests: RequestHistory;
  /** The ids of the requests in progress. */
  inFlight: ReadonlySet<string>;
  /** Makes `/readyz` return 503; everything else is served as before. */
  drain(): void;
  stop(): Promise<void>;
}

function adminApplication(): express.Express {
  const admin = express();
  admin.disable('x-powered-by');
  admin.set('etag', false);
  admin.set('query parser', false);
  admin.use((request, response, next) => {
    request.id = requestIdOf(request);
    gatherHeaders(request);
    request.responseHeaders.applyTo(response);
    next();
  });
  return admin;
}

/** Begins the headers of the response to a request. */
function gatherHeaders(request: RequestWithId): void {
  request.responseHeaders = new ResponseHeaders();
  request.responseHeaders.setHeader('X-Request-Id', request.id);
}

/**
 * Builds the application. `before` and `after` are the adapters mounted before and after `/graphql`, in their order. `fast` adapters come first
 * and write their headers at once with the response, not one by one on the response. Each of `plugins` sees every request that reaches Apollo Server.
 */
export async function createApp(
  services: Services,
  adapters: { fast: Adapter[]; before: Adapter[]; after: Adapter[] },
  plugins: readonly Plugin[] = [],
): Promise<App> {
  const { config, schema } = services;
  const isoContent = services.caches.of(isoRegister);
  const executor = services.caches.add('operations', new Executor(schema, (run) => goingBy(isoContent, run)));
  const rateLimit = new RateLimit(config.rateLimitPerMinute, config.rateLimitBurst);
  const turns = new RequestTurns(operationLimits.cost);
  const unshare = shareRateLimit(services, rateLimit);
  const requests = new RequestHistory(services);
  const observers = [requestLog(services.log), requests.observe];
  const app = express();
  const admin = config.adminPort === 0 ? app : adminApplication();
  // Ids alone: a set that changes with each request keeps its members in former tables until the next full collection, 8 kB for each request.
  const inFlight = new Set<string>();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  if (config.trustedProxies > 0) app.set('trust proxy', config.trustedProxies);
  app.use((incoming, response, next) => {
    const request = incoming;
    const start = performance.now();
    request.id = requestIdOf(request);
    if (!request.url.startsWith('/')) request.url = pathOfTarget(request.url);
    gatherHeaders(request);
    inFlight.add(request.id);
    owned(response, (error) => services.log.error({ err: error, requestId: request.id }, 'sending a response failed'));
    response.on('close', () => {
      inFlight.delete(request.id);
      const ms = performance.now() - start;
      for (const observe of observers) observe(request, response, ms);
      // The response was sent before the whole body arrived; a sender that never ends is disconnected.
      if (!request.complete) void dropRest(request).then(() => request.complete || request.socket.destroy());
    });
    request.cost = { statements: { sent: 0 }, sentBefore: request.socket.bytesWritten };
    const error = headError(incoming);
    if (error) next(error);
    else countingStatements(request.cost.statements, () => goingBy(isoContent, next));
  });
  const tracer = registeredTracer();
  if (tracer) {
    app.use(beginSpans(tracer));
    observers.push(endSpan);
  }
  app.use(crossOriginRequests(config));
  const documents = new Documents(config.trustedDocuments === undefined ? undefined : Manifest.read(config.trustedDocuments));
  services.caches.add('persisted_documents', documents.persisted);
  const introspection = services.caches.add('introspection', new StandardIntrospection(schema));
  const admission = new Admission(schema, config.introspection, introspection);
  const graphqlRuntime = { schema, executor, rateLimit, turns, admission, documents };
  const subscriptions = openSubscriptions(services, graphqlRuntime);
  const server = graphqlServer(graphqlRuntime, services.caches, plugins);
  await server.start();
  const operations = new Operations(server, graphqlRuntime);
  const options: AdapterOptions = { services, schema, executor, operations, rateLimit, turns, observers, admin, isDraining: false };
  const graphql = graphqlHandler(
    server,
    services,
    { ...graphqlRuntime, subscriptions, uploads: new GraphqlUploads(services) },
    plugins.length === 0,
  );
  for (const adapter of adapters.fast) adapter(app, options);
  app.post('/graphql', graphql);
  app.use((request, response, next) => {
    request.responseHeaders.applyTo(response);
    next();
  });
  for (const adapter of adapters.before) adapter(app, options);
  app.all('/graphql', graphql);
  for (const adapter of adapters.after) adapter(app, options);
  return {
    handler: app,
    admin,
    schema,
    subscriptions,
    requests,
    inFlight,
    drain: () => {
      options.isDraining = true;
    },
    stop: async () => {
      unshare();
      await server.stop();
      await requests.store();
    },
  };
}
