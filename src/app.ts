// The HTTP application: what every request passes, then the doors. Nothing here listens.
import { expressMiddleware } from '@as-integrations/express5';
import cors from 'cors';
import express from 'express';
import type { GraphQLSchema } from 'graphql';
import helmet from 'helmet';
import type { Services } from './core/context.ts';
import { Executor } from './core/executor.ts';
import { authenticateAny, RateLimit, requestContext, requestIdOf } from './core/request.ts';
import { requestLog } from './core/request-log.ts';
import { graphqlServer } from './graphql-door.ts';
import { openSubscriptions, type Subscriptions } from './subscriptions.ts';

/** What a door gets to mount itself. */
export interface DoorKit {
  services: Services;
  schema: GraphQLSchema;
  executor: Executor;
  rateLimit: RateLimit;
}

/** A door adds its handlers to the application; errors of `/graphql` before Apollo are rendered by the last one. */
export type Door = (app: express.Express, kit: DoorKit) => void;

/** The application and what must be stopped with it. */
export interface App {
  handler: express.Express;
  schema: GraphQLSchema;
  /** Subscriptions: the HTTP server hands upgrades over, and cannot close before they have ended. */
  subscriptions: Subscriptions;
  stop(): Promise<void>;
}

/** Puts the application together. `before` and `after` are doors around `/graphql`, in the order requests meet them. */
export async function createApp(services: Services, doors: { before: Door[]; after: Door[] }): Promise<App> {
  const { config, schema } = services;
  const executor = new Executor(schema);
  const rateLimit = new RateLimit(config.rateLimitPerMinute, config.rateLimitBurst);
  const kit: DoorKit = { services, schema, executor, rateLimit };
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  if (config.trustedProxies > 0) app.set('trust proxy', config.trustedProxies);
  app.use((request, response, next) => {
    (request as RequestWithId).id = requestIdOf(request, response);
    next();
  });
  app.use(requestLog(services.log));
  if (config.corsOrigins.length > 0)
    app.use(
      cors({
        origin: config.corsOrigins,
        exposedHeaders: ['X-Request-Id', 'Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
      }),
    );
  for (const door of doors.before) door(app, kit);
  // The doors before this line set the few headers that matter for JSON themselves; all of helmet's cost a small request 6 % more.
  app.use(helmet());
  const server = graphqlServer(schema, executor, config.introspection);
  await server.start();
  app.use('/graphql', async (request, response, next) => {
    try {
      const principal = await authenticateAny(services, request);
      await rateLimit.take(principal?.keyId ?? request.ip ?? '', response, services.clock.now());
      (request as RequestWithId).context = requestContext(services, (request as RequestWithId).id, principal, request.ip ?? null);
      next();
    } catch (error) {
      next(error);
    }
  });
  app.use(
    '/graphql',
    express.json({ limit: '1mb' }),
    expressMiddleware(server, { context: async ({ req }) => ({ request: (req as RequestWithId).context! }) }),
  );
  for (const door of doors.after) door(app, kit);
  return { handler: app, schema, subscriptions: openSubscriptions(services, schema, executor), stop: () => server.stop() };
}

/** A request with what the pipeline added. */
export interface RequestWithId extends express.Request {
  id: string;
  context?: ReturnType<typeof requestContext>;
  /** Codes of the errors the caller was told outside a GraphQL operation. */
  errorCodes?: string[];
}
