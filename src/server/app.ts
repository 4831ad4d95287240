// The HTTP application: the middleware of every request, then the adapters and /graphql. It does not listen.
import cors from 'cors';
import express from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Services } from '../access/context.ts';
import { Admission } from '../graphql/admission.ts';
import { graphqlServer } from '../graphql/apollo.ts';
import { Executor } from '../graphql/executor.ts';
import { graphqlHandler } from '../graphql/handler.ts';
import { openSubscriptions, type Subscriptions } from '../graphql/subscriptions.ts';
import { pathOfTarget, requestIdOf } from '../http/authentication.ts';
import { RateLimit, shareRateLimit } from '../http/rate-limit.ts';
import type { RequestWithId } from '../http/request.ts';
import { dropRest } from '../http/request-body.ts';
import { type RequestObserver, requestLog } from '../http/request-log.ts';
import { beginSpans, endSpan } from '../http/request-spans.ts';
import { AnswerHeaders } from '../http/response.ts';
import { owned } from '../runtime/owned.ts';
import { registeredTracer } from '../runtime/tracing.ts';

/** What an adapter needs to mount itself. */
export interface AdapterOptions {
  services: Services;
  schema: GraphQLSchema;
  executor: Executor;
  rateLimit: RateLimit;
  /** Called for each request when it has ended; adapters may add to them. */
  observers: RequestObserver[];
  /** Whether the process is about to stop, so that load balancers send requests elsewhere. */
  isDraining: boolean;
}

/** Adds the handlers of an adapter to the application. The last adapter also renders the errors of `/graphql` that occur before Apollo. */
export type Adapter = (app: express.Express, options: AdapterOptions) => void;

/** The application and what must be stopped with it. */
export interface App {
  handler: express.Express;
  schema: GraphQLSchema;
  /** Takes the upgrades of the HTTP server, which cannot close before its connections have ended. */
  subscriptions: Subscriptions;
  /** Requests in progress. */
  underWay: ReadonlySet<RequestWithId>;
  /** Makes `/readyz` answer 503; everything else is served as before. */
  drain(): void;
  stop(): Promise<void>;
}

/**
 * Builds the application. `before` and `after` are the adapters mounted before and after `/graphql`, in their order. `fast` adapters come first
 * and write their headers at once with the answer, not one by one on the response.
 */
export async function createApp(services: Services, adapters: { fast: Adapter[]; before: Adapter[]; after: Adapter[] }): Promise<App> {
  const { config, schema } = services;
  const executor = new Executor(schema);
  const rateLimit = new RateLimit(config.rateLimitPerMinute, config.rateLimitBurst);
  const unshare = shareRateLimit(services, rateLimit);
  const observers = [requestLog(services.log)];
  const options: AdapterOptions = { services, schema, executor, rateLimit, observers, isDraining: false };
  const underWay = new Set<RequestWithId>();
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  if (config.trustedProxies > 0) app.set('trust proxy', config.trustedProxies);
  app.use((incoming, response, next) => {
    const request = incoming as RequestWithId;
    const start = performance.now();
    request.id = requestIdOf(request);
    if (!request.url.startsWith('/')) request.url = pathOfTarget(request.url);
    request.gathered = new AnswerHeaders();
    request.gathered.setHeader('X-Request-Id', request.id);
    underWay.add(request);
    owned(response, (error) => services.log.error({ err: error, requestId: request.id }, 'sending an answer failed'));
    response.on('close', () => {
      underWay.delete(request);
      const ms = performance.now() - start;
      for (const observe of observers) observe(request, response, ms);
      // The request was answered before its whole body arrived; a sender that never ends is disconnected.
      if (!request.complete) void dropRest(request).then(() => request.complete || request.socket.destroy());
    });
    next();
  });
  const tracer = registeredTracer();
  if (tracer) {
    app.use(beginSpans(tracer));
    observers.push(endSpan);
  }
  if (config.corsOrigins.length > 0)
    app.use(
      cors({
        origin: config.corsOrigins,
        exposedHeaders: ['X-Request-Id', 'Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
      }),
    );
  const graphqlRuntime = { schema, executor, rateLimit, admission: new Admission(schema, config.introspection) };
  const server = graphqlServer(graphqlRuntime);
  await server.start();
  const graphql = graphqlHandler(server, services, rateLimit);
  for (const adapter of adapters.fast) adapter(app, options);
  app.post('/graphql', graphql);
  app.use((request, response, next) => {
    for (const [name, value] of Object.entries((request as RequestWithId).gathered.values)) response.setHeader(name, value);
    next();
  });
  for (const adapter of adapters.before) adapter(app, options);
  app.all('/graphql', graphql);
  for (const adapter of adapters.after) adapter(app, options);
  return {
    handler: app,
    schema,
    subscriptions: openSubscriptions(services, graphqlRuntime),
    underWay,
    drain: () => {
      options.isDraining = true;
    },
    stop: async () => {
      unshare();
      await server.stop();
    },
  };
}
