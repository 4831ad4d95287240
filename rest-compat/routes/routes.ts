// THE list of REST routes.
import { addressRoutes } from './address.ts';
import { auditLogRoutes } from './audit-log.ts';
import { integrationsRoutes } from './integrations.ts';
import { platformRoutes } from './platform.ts';
import { platformEntityRoutes } from './platform-entities.ts';
import { resourceRoutes } from './resources.ts';
import type { Route } from './route.ts';
import { webhookRoutes } from './webhooks.ts';

export const routes: Route[] = [
  ...addressRoutes,
  ...integrationsRoutes,
  ...resourceRoutes,
  ...platformRoutes,
  ...platformEntityRoutes,
  ...webhookRoutes,
  ...auditLogRoutes,
];
