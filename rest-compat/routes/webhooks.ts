// The routes of webhooks: the documented ones, and their delivery log.
import { summaryRoute } from './platform.ts';
import { body, path, query, type Route } from './route.ts';

// An unknown webhook answers 400, the only error status that the interface document gives these routes.
const common = { surface: 'platform', credential: 'bearer', naming: 'snake', statuses: { WEBHOOK_NOT_FOUND: 400 } } as const;
const documented = { ...common, documented: true } as const;
const id = path('id');

export const webhookRoutes: Route[] = [
  {
    ...documented,
    method: 'POST',
    path: '/api/v1/webhooks',
    summary: 'Register a webhook',
    root: 'createWebhook',
    result: 'webhook',
    args: { input: body() },
    select: ['secret'],
    envelope: { kind: 'data' },
    status: 200,
    message: 'Webhook created',
  },
  {
    ...documented,
    method: 'GET',
    path: '/api/v1/webhooks',
    summary: 'List webhooks',
    root: 'webhooks',
    result: 'nodes',
    args: {},
    envelope: { kind: 'array', name: 'webhooks' },
    status: 200,
  },
  summaryRoute('/webhooks', 'webhooks', 'webhooks', {}, common.statuses),
  summaryRoute('/webhooks/{id}/deliveries', 'what was sent to a webhook', 'webhook.deliveries', { 'webhook.id': id }, common.statuses),
  {
    ...documented,
    method: 'GET',
    path: '/api/v1/webhooks/{id}',
    summary: 'Read a webhook',
    root: 'webhook',
    args: { id },
    envelope: { kind: 'data' },
    status: 200,
  },
  {
    ...documented,
    method: 'POST',
    path: '/api/v1/webhooks/{id}',
    summary: 'Change a webhook',
    root: 'updateWebhook',
    args: { id, input: body() },
    envelope: { kind: 'message' },
    status: 200,
    message: 'Webhook updated',
  },
  {
    ...documented,
    method: 'DELETE',
    path: '/api/v1/webhooks/{id}',
    summary: 'Delete a webhook',
    root: 'deleteWebhook',
    args: { id },
    envelope: { kind: 'empty' },
    status: 204,
  },
  {
    ...documented,
    method: 'POST',
    path: '/api/v1/webhooks/test/trigger/{id}',
    summary: 'Send a test event to a webhook',
    root: 'triggerWebhookTest',
    args: { id, input: body() },
    envelope: { kind: 'message' },
    status: 200,
    message: 'Test event queued',
  },
  {
    ...common,
    documented: false,
    method: 'GET',
    path: '/api/v1/webhooks/{id}/deliveries',
    summary: 'List what was sent to a webhook',
    root: 'webhook.deliveries',
    result: 'nodes',
    ledgerQuery: 'conditions',
    args: { 'webhook.id': id, 'deliveries.first': query('limit'), 'deliveries.after': query('cursor') },
    envelope: { kind: 'list', name: 'deliveries' },
    status: 200,
  },
];
