// The OpenAPI 3.1 documents, one per surface, generated from the routes and the GraphQL schema.
import { type GraphQLSchema } from 'graphql';
import { errorCodes } from '../../src/records/errors.ts';
import type { Credential, Route, Surface } from '../routes/route.ts';
import { operationName } from '../runtime/stored-operation.ts';
import { ErrorResponses } from './error-responses.ts';
import { Components, type JsonSchema, objectOf, string } from './json-schema.ts';
import { entityTagHeader, isCached, operation, tagOf } from './operation.ts';
import { wordsOf } from './prose.ts';
import type { Recordings } from './recordings.ts';
import { pagination } from './response-bodies.ts';
import { sourceMessages } from './source-messages.ts';
import { webhookParts } from './webhooks.ts';

const titles: Record<Surface, { title: string; description: string }> = {
  platform: {
    title: 'Platform API',
    description:
      'Webhooks, products with customs codes, corporations, registrations, incorporation requests and business entities. The same paths, without incorporation requests and business entities, are served on the indirect tax host.',
  },
  address: { title: 'Address service', description: 'Geocoding, ISO 3166 content and health.' },
  integrations: {
    title: 'Integrations API',
    description:
      'Normalised accounting and commerce records per company, their syncs and jobs. Every column of a list is a filter, and filters on related records begin with their path; see /docs/guides/lists.',
  },
};

const securitySchemes: Record<Exclude<Credential, 'none'>, JsonSchema> = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An access key with the role PLATFORM.' },
  'x-api-key': { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An access key with the role ENTITIES.' },
  'x-service-key': { type: 'apiKey', in: 'header', name: 'x-service-key', description: 'An access key with the role the operation names.' },
  api_key: { type: 'apiKey', in: 'header', name: 'api_key', description: 'An access key with the role INTEGRATIONS.' },
};

const errorBodies: Record<Surface, JsonSchema> = {
  platform: objectOf({
    message: { ...string, description: 'One sentence about the error.' },
    error: objectOf({
      code: { $ref: '#/components/schemas/ErrorCode' },
      status: { type: 'integer' },
      details: { type: 'array', items: objectOf({ field: string, code: string, message: string }) },
      request_id: string,
    }),
  }),
  integrations: objectOf({
    error: objectOf({
      status_code: { type: 'integer' },
      message: string,
      request_id: string,
      timestamp: { type: 'string', format: 'date-time' },
      error_code: { $ref: '#/components/schemas/ErrorCode' },
      retry_after_seconds: { type: ['integer', 'null'] },
      retry_at: { type: ['string', 'null'], format: 'date-time' },
      field: { type: ['string', 'null'] },
      platform_error: { type: ['object', 'null'] },
    }),
  }),
  address: objectOf(
    {
      error: objectOf(
        {
          type: string,
          title: string,
          status: { type: 'integer' },
          instance: { ...string, description: 'Path of the request.' },
          detail: objectOf({ description: string }),
          errors: { type: 'array', items: objectOf({ pointer: string, details: string }) },
        },
        ['type', 'title', 'status', 'instance', 'detail'],
      ),
    },
    ['error'],
  ),
};

const errorCode: JsonSchema = {
  type: 'string',
  enum: Object.keys(errorCodes).sort(),
  description: 'Stable code; /docs/errors explains the meaning, cause and fix of each.',
};

/** The tag of webhooks and of the feed. */
const EVENTS = { name: 'events', description: 'Events, as in webhooks and the feed.' };

/** The document of one surface. */
export function openApiDocument(schema: GraphQLSchema, routes: readonly Route[], surface: Surface, recordings: Recordings): JsonSchema {
  const own = routes.filter((route) => route.surface === surface);
  const words = wordsOf(schema, own);
  const components = new Components(schema, words);
  components.schemas.ErrorBody = errorBodies[surface];
  if (surface !== 'address') components.schemas.ErrorCode = errorCode;
  if (own.some(({ envelope }) => envelope.kind === 'page')) components.schemas.Pagination = pagination;
  const errors = new ErrorResponses(surface);
  const credential = usualCredential(own);
  const ofSources = surface === 'integrations' ? sourceMessages(errors) : undefined;
  const paths: Record<string, Record<string, JsonSchema>> = { ...ofSources?.paths };
  for (const route of own) {
    paths[route.path] ??= {};
    const item = paths[route.path]!;
    item[route.method.toLowerCase()] = operation(
      schema,
      route,
      { components, words, errors, credential },
      recordings.rest[operationName(route)],
    );
  }
  const { webhooks, parameters, responses } = webhookParts(schema, surface, components);
  const tags: JsonSchema[] = [...new Set(own.map(tagOf))]
    .filter((name) => name !== EVENTS.name)
    .sort()
    .map((name) => ({ name, description: `Operations on ${name.replaceAll('_', ' ')}.` }));
  if (ofSources) tags.push(ofSources.tag);
  const credentials = [...new Set(own.map((route) => route.credential))].filter(
    (name): name is Exclude<Credential, 'none'> => name !== 'none',
  );
  return {
    openapi: '3.1.0',
    info: {
      ...titles[surface],
      version: '1.0.0',
      contact: { name: 'The operator of this gateway' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: surface === 'platform' ? [{ url: '/' }, { url: '/tax', description: 'Indirect tax host.' }] : [{ url: '/' }],
    ...(credential === 'none' ? {} : { security: [{ [credential]: [] }] }),
    tags: webhooks ? [...tags, EVENTS] : tags,
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(webhooks ? { webhooks } : {}),
    components: {
      ...(own.some((route) => isCached(schema, route)) ? { headers: { ETag: entityTagHeader } } : {}),
      ...(parameters ? { parameters } : {}),
      responses: { ...errors.components(), ...responses },
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: Object.fromEntries(credentials.map((name) => [name, securitySchemes[name]])),
    },
  };
}

/** The credential that most routes take. */
const usualCredential = (routes: readonly Route[]): Credential => {
  const named = Map.groupBy(
    routes.filter(({ credential }) => credential !== 'none'),
    ({ credential }) => credential,
  );
  return [...named].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 'none';
};
