// The HTTP application: what every request passes, then the doors. Nothing here listens.
import type { Span } from '@opentelemetry/api';
import cors from 'cors';
import express from 'express';
import type { GraphQLSchema } from 'graphql';
import { Admission } from './core/admission.ts';
import { AnswerHeaders } from './core/answer.ts';
import type { RequestContext, Services } from './core/context.ts';
import { Executor, type Operation } from './core/executor.ts';
import { owned } from './core/owned.ts';
import { RateLimit, shareRateLimit } from './core/rate-limit.ts';
import { pathOfTarget, requestIdOf } from './core/request.ts';
import { dropRest } from './core/request-body.ts';
import { type RequestObserver, requestLog } from './core/request-log.ts';
import { registeredTracer } from './core/tracing.ts';
import { graphqlServer } from './graphql-door.ts';
import { graphqlHandler } from './graphql-handler.ts';
import { beginSpans, endSpan } from './request-spans.ts';
import { openSubscriptions, type Subscriptions } from './subscriptions.ts';

/** What a door gets to mount itself. */
export interface DoorKit {
  services: Services;
  schema: GraphQLSchema;
  executor: Executor;
  rateLimit: RateLimit;
  /** Called for each request when it is over; doors may add to them. */
  observers: RequestObserver[];
  /** Whether the process is about to stop, so that balancers should send elsewhere. */
  isDraining: boolean;
}

/** A door adds its handlers to the application; errors of `/graphql` before Apollo are rendered by the last one. */
export type Door = (app: express.Express, kit: DoorKit) => void;

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

/** Puts the application together. `before` and `after` are doors around `/graphql`, in the order requests meet them; `fast` ones come first and set no header on the response. */
export async function createApp(services: Services, doors: { fast: Door[]; before: Door[]; after: Door[] }): Promise<App> {
  const { config, schema } = services;
  const executor = new Executor(schema);
  const rateLimit = new RateLimit(config.rateLimitPerMinute, config.rateLimitBurst);
  const unshare = shareRateLimit(services, rateLimit);
  const observers = [requestLog(services.log)];
  const kit: DoorKit = { services, schema, executor, rateLimit, observers, isDraining: false };
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
  for (const door of doors.fast) door(app, kit);
  app.post('/graphql', graphql);
  app.use((request, response, next) => {
    for (const [name, value] of Object.entries((request as RequestWithId).gathered.values)) response.setHeader(name, value);
    next();
  });
  for (const door of doors.before) door(app, kit);
  app.all('/graphql', graphql);
  for (const door of doors.after) door(app, kit);
  return {
    handler: app,
    schema,
    subscriptions: openSubscriptions(services, graphqlKit),
    underWay,
    drain: () => {
      kit.isDraining = true;
    },
    stop: async () => {
      unshare();
      await server.stop();
    },
  };
}

/** A request with what the pipeline added. */
export interface RequestWithId extends express.Request {
  id: string;
  /** Headers of the answer so far. */
  gathered: AnswerHeaders;
  context?: RequestContext;
  /** Name of the operation that a row ran. */
  operation?: string;
  /** The path of the route that serves it, with names in the place of values. */
  template?: string;
  /** The operation that ran on /graphql. */
  graphql?: Pick<Operation, 'kind' | 'name'>;
  /** Where the operator has switched tracing on. */
  span?: Span;
  /** Codes of the errors the caller was told outside a GraphQL operation. */
  errorCodes?: string[];
}
