// The HTTP application: what every request passes, then the adapters. Nothing here listens.
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

/** What an adapter gets to mount itself. */
export interface AdapterOptions {
  services: Services;
  schema: GraphQLSchema;
  executor: Executor;
  rateLimit: RateLimit;
  /** Called for each request when it is over; adapters may add to them. */
  observers: RequestObserver[];
  /** Whether the process is about to stop, so that balancers should send elsewhere. */
  isDraining: boolean;
}

/** An adapter adds its handlers to the application; errors of `/graphql` before Apollo are rendered by the last one. */
export type Adapter = (app: express.Express, options: AdapterOptions) => void;

/** The application and what must be stopped with it. */
export interface App {
  handler: express.Express;
  schema: GraphQLSchema;
  /** Subscriptions: the HTTP server hands upgrades over, and cannot close before they have ended. */
  subscriptions: Subscriptions;
  /** Requests whose answers have not ended. */
  underWay: ReadonlySet<RequestWithId>;
  /** From now on `/readyz` answers 503; all else is served as before. */
  drain(): void;
  stop(): Promise<void>;
}

/** Puts the application together. `before` and `after` are adapters around `/graphql`, in the order requests meet them; `fast` ones come first and set no header on the response. */
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
      // Answered before its body had come; a sender that never ends is cut off.
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
  const graphqlKit = { schema, executor, rateLimit, admission: new Admission(schema, config.introspection) };
  const server = graphqlServer(graphqlKit);
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
    subscriptions: openSubscriptions(services, graphqlKit),
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
