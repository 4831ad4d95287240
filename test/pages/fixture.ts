// A small gateway around the pages: two OpenAPI documents, a schema that answers, and a model that uses every part of the contract.
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { buildSchema, graphql } from 'graphql';
import type { PagesModel } from '../../rest-compat/pages/model.ts';
import { pagesHandler } from '../../rest-compat/pages/pages.ts';

const GET_WEBHOOK = 'query GetWebhook($id: ID!) {\n  webhook(id: $id) {\n    id\n    url\n    enabled\n  }\n}\n';
const LIST_WEBHOOKS = 'query ListWebhooks {\n  webhooks {\n    id\n    url\n    enabled\n  }\n}\n';
const DELETE_WEBHOOK = 'mutation DeleteWebhook($id: ID!) {\n  deleteWebhook(id: $id)\n}\n';
const GET_ACCOUNT =
  'query GetAccount($companyId: Int!, $ledgerId: Int!) {\n  account(companyId: $companyId, ledgerId: $ledgerId) {\n    name\n    currentBalance\n  }\n}\n';

export const SDL = `
"Where events are delivered." type Webhook { "Identifier." id: ID! "Address that receives events." url: String! "Whether events are sent." enabled: Boolean! }
"A ledger account." type Account { "Name." name: String! "Balance in the account's currency." currentBalance: String! }
type Query {
  "One webhook." webhook("Identifier." id: ID!): Webhook
  "All webhooks." webhooks: [Webhook!]!
  "One account." account("Company." companyId: Int!, "Ledger id." ledgerId: Int!): Account
}
type Mutation { "Removes a webhook." deleteWebhook("Identifier." id: ID!): Boolean! }
`;

const bearer = { header: 'Authorization', scheme: 'Bearer', demoKey: 'demo-bearer-key' } as const;
const webhook = { id: 'webhook_1', url: 'https://example.test/hook', enabled: true };

/** A model with one operation of every kind the pages treat differently. */
export const model: PagesModel = {
  name: 'Ledger Gateway',
  tagline: 'Entity, tax and accounting data behind one GraphQL schema, with every documented REST route beside it.',
  version: '0.1.0',
  surfaces: [
    {
      id: 'graphql',
      name: 'GraphQL',
      purpose: 'Every record and every operation in one schema, with subscriptions.',
      base: '/graphql',
      credential: bearer,
      sample: { method: 'POST', path: '/graphql', body: { query: '{ webhooks { id url } }' } },
    },
    {
      id: 'platform',
      name: 'Platform API',
      purpose: 'Webhooks, products with customs codes, corporations, registrations and incorporation requests.',
      base: '/api/v1',
      credential: bearer,
      openapi: 'platform',
      sample: { method: 'GET', path: '/api/v1/webhooks' },
    },
    {
      id: 'integrations',
      name: 'Integrations API',
      purpose: 'Normalised accounting and commerce records per company, syncs and their jobs.',
      base: '/v4/core',
      credential: { header: 'api_key' },
      openapi: 'integrations',
      sample: { method: 'GET', path: '/v4/core/companies/1/accounts/42' },
    },
  ],
  operations: [
    {
      id: 'ListWebhooks',
      surface: 'platform',
      method: 'GET',
      path: '/api/v1/webhooks',
      tag: 'Webhooks',
      summary: 'List webhooks',
      document: LIST_WEBHOOKS,
      variables: {},
      sample: { method: 'GET', path: '/api/v1/webhooks' },
    },
    {
      id: 'GetWebhook',
      surface: 'platform',
      method: 'GET',
      path: '/api/v1/webhooks/{id}',
      tag: 'Webhooks',
      summary: 'Read a webhook',
      document: GET_WEBHOOK,
      variables: { id: 'webhook_1' },
      sample: { method: 'GET', path: '/api/v1/webhooks/webhook_1' },
      credential: { header: 'x-api-key', demoKey: 'demo-api-key' },
    },
    {
      id: 'DeleteWebhook',
      surface: 'platform',
      method: 'DELETE',
      path: '/api/v1/webhooks/{id}',
      tag: 'Webhooks',
      summary: 'Delete a webhook',
      document: DELETE_WEBHOOK,
      variables: { id: 'webhook_1' },
      sample: { method: 'DELETE', path: '/api/v1/webhooks/webhook_1' },
    },
    {
      id: 'GetAccount',
      surface: 'integrations',
      method: 'GET',
      path: '/v4/core/companies/{companyId}/accounts/{id}',
      tag: 'Ledger accounts',
      summary: 'Read an account',
      document: GET_ACCOUNT,
      variables: { companyId: 1, ledgerId: 42 },
      sample: { method: 'GET', path: '/v4/core/companies/1/accounts/42' },
    },
  ],
  examples: [
    {
      name: 'WebhookOverview',
      title: 'Webhooks and whether they are on',
      surface: 'platform',
      document: 'query WebhookOverview {\n  webhooks {\n    url\n    enabled\n  }\n}\n',
      variables: {},
    },
    {
      name: 'OneAccount',
      title: 'Balance of one account',
      surface: 'integrations',
      document: GET_ACCOUNT.replace('GetAccount', 'OneAccount'),
      variables: { companyId: 1, ledgerId: 42 },
    },
  ],
  errors: [
    {
      code: 'NOT_FOUND',
      meaning: 'The record does not exist, or belongs to somebody else.',
      cause: 'An identifier with a typing error, a deleted record, or a key of another organisation.',
      fix: 'List the records with the same key and take the identifier from there.',
      status: { graphql: 200, platform: 404, integrations: 404 },
    },
    {
      code: 'BAD_USER_INPUT',
      meaning: 'A value is missing or malformed; the answer names the field.',
      cause: "A value that isn't of the <documented> type.",
      fix: 'Correct the field that is named.',
      status: { graphql: 200, platform: 400, integrations: 400 },
    },
  ],
  limits: [
    { name: 'Query depth', value: 12, unit: 'levels', meaning: 'Nesting of a GraphQL operation.' },
    { name: 'Requests', value: 6000, unit: 'per minute', meaning: 'Per key, all surfaces together.', setting: 'RATE_LIMIT_PER_MINUTE' },
  ],
};

const response = (description: string) => ({ 200: { description } });
const idParameter = { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'Identifier.' };

const openapi: Record<string, object> = {
  platform: {
    openapi: '3.1.0',
    info: { title: 'Platform API', version: '1.0.0', description: 'Webhooks of an organisation.' },
    servers: [{ url: '/api/v1' }],
    tags: [{ name: 'Webhooks', description: 'Where events are delivered.' }],
    security: [{ bearer: [] }],
    paths: {
      '/webhooks': {
        get: { operationId: 'ListWebhooks', tags: ['Webhooks'], summary: 'List webhooks', responses: response('All webhooks.') },
      },
      '/webhooks/{id}': {
        get: {
          operationId: 'GetWebhook',
          tags: ['Webhooks'],
          summary: 'Read a webhook',
          parameters: [idParameter],
          responses: response('The webhook.'),
        },
        delete: {
          operationId: 'DeleteWebhook',
          tags: ['Webhooks'],
          summary: 'Delete a webhook',
          parameters: [idParameter],
          responses: response('Nothing.'),
        },
      },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Webhook: {
          type: 'object',
          description: 'Where events are delivered.',
          properties: { id: { type: 'string' }, url: { type: 'string' } },
        },
      },
    },
  },
  integrations: {
    openapi: '3.1.0',
    info: { title: 'Integrations API', version: '4.0.0' },
    servers: [{ url: '/v4/core' }],
    paths: {
      '/companies/{companyId}/accounts/{id}': {
        get: {
          operationId: 'GetAccount',
          tags: ['Ledger accounts'],
          summary: 'Read an account',
          parameters: [{ ...idParameter, name: 'companyId' }, idParameter],
          responses: response('The account.'),
        },
      },
    },
  },
};

/** The fixture as an Express application, as the gateway mounts the pages: before the routes for programs. */
export function fixtureApp(): Express {
  const schema = buildSchema(SDL);
  const rootValue = {
    webhook: ({ id }: { id: string }) => ({ ...webhook, id }),
    webhooks: [webhook],
    account: { name: 'Cash', currentBalance: '1200.50' },
    deleteWebhook: true,
  };
  const app = express();
  app.use(pagesHandler(model));
  app.get('/', (_request, answer) => void answer.json({ message: 'running' }));
  app.get('/healthz', (_request, answer) => void answer.json({ database: 'up' }));
  app.get('/schema.graphql', (_request, answer) => void answer.type('text/plain').send(SDL));
  app.get('/openapi/:name.json', (request, answer) => void answer.json(openapi[request.params.name]));
  app.get('/api/v1/webhooks', (_request, answer) => void answer.json({ data: { webhooks: [webhook] }, message: 'ok' }));
  app.get('/graphql', (_request, answer) => void answer.status(400).json({ errors: [{ message: 'no query' }] }));
  app.post('/graphql', express.json(), async (request, answer) => {
    const { query, variables, operationName } = request.body;
    answer.json(await graphql({ schema, rootValue, source: query, variableValues: variables, operationName }));
  });
  return app;
}

/** Listens on a free port of this machine. */
export async function listen(app: Express): Promise<{ url: string; close: () => Promise<void> }> {
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
