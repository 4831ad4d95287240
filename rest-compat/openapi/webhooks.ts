// The `webhooks` section of the OpenAPI documents, generated from the catalogue of topics: the requests to receivers, and the meaning of their
// responses.
import { assertObjectType, type GraphQLSchema } from 'graphql';
import { ENVELOPES, type EventField, type FieldType, TOPICS, type Topic } from '../../src/events/topics.ts';
import type { Route, Surface } from '../routes/route.ts';
import type { Components, JsonSchema } from './json-schema.ts';

const string = { type: 'string' };

const fieldTypes: Record<FieldType, JsonSchema> = {
  string,
  'string or null': { type: ['string', 'null'] },
  integer: { type: 'integer' },
  object: { type: 'object', additionalProperties: true },
  'array of object': { type: 'array', items: { type: 'object', additionalProperties: true } },
  boolean: { type: 'boolean' },
  'date-time': { ...string, format: 'date-time' },
};

/** The naming strategy of the records that the events of a surface hold whole, as in its REST routes. */
const NAMING: Record<Topic['surface'], Route['naming']> = { platform: 'snake', integrations: 'camel' };

const accountingRecord: JsonSchema = {
  type: 'object',
  description: 'Record of the type `data_model`, with REST field names; a deleted one has only `ledger_id` and `ledger_deleted_at`.',
  properties: { ledger_id: { type: 'integer', description: 'Number of the record.' } },
  required: ['ledger_id'],
  additionalProperties: true,
};

const header = (name: string, description: string): JsonSchema => ({ name, in: 'header', required: true, description, schema: string });

const parameters: Record<string, JsonSchema> = {
  WebhookId: header('webhook-id', 'Id of the event, the same for every attempt, so that you can detect retries.'),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
  WebhookSignature: header(
    'webhook-signature',
    'Signatures as in the Standard Webhooks specification, separated by spaces: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body, joined by full stops. Two while a secret is changed.',
  ),
};

const responses: Record<string, JsonSchema> = {
  EventTaken: {
    description: 'The event was accepted. Respond within 15 seconds; the first KB of the body is stored in the log.',
  },
  EventGone: { description: 'The receiver is gone. The webhook is disabled with the reason GONE.' },
  EventFailed: {
    description:
      'Any other response, a redirect or no response is a failure: up to nine retries follow within about three days, none before `Retry-After`.',
  },
};

const toReferences = (section: string, names: object): JsonSchema[] =>
  Object.keys(names).map((name) => ({ $ref: `#/components/${section}/${name}` }));

const objectOf = (fields: readonly EventField[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(fields.map(({ name, type, description }) => [name, { ...fieldTypes[type], description }])),
  required: fields.map(({ name }) => name),
});

/** The parts of a document about the events of a surface; empty where the surface has no events. */
export interface WebhookParts {
  webhooks?: Record<string, JsonSchema>;
  parameters?: Record<string, JsonSchema>;
  responses?: Record<string, JsonSchema>;
}

/** The events of one surface by topic. Adds the schemas they use to those of the document. */
export function webhookParts(schema: GraphQLSchema, surface: Surface, components: Components): WebhookParts {
  const topics = TOPICS.filter((topic) => topic.surface === surface);
  if (surface === 'address' || topics.length === 0) return {};
  components.schemas.EventEnvelope = objectOf(ENVELOPES[surface]);
  const [EventTaken, EventGone, EventFailed] = toReferences('responses', responses);
  const webhook = (topic: Topic): JsonSchema => ({
    post: {
      operationId: `receive_${topic.topic.replaceAll('.', '_').toLowerCase()}`,
      summary: topic.topic,
      description: topic.description,
      tags: ['events'],
      security: [],
      parameters: toReferences('parameters', parameters),
      requestBody: { required: true, content: { 'application/json': { schema: bodyOf(schema, topic, components) } } },
      responses: { '2XX': EventTaken, '410': EventGone, default: EventFailed },
    },
  });
  return { webhooks: Object.fromEntries(topics.map((topic) => [topic.topic, webhook(topic)])), parameters, responses };
}

function bodyOf(schema: GraphQLSchema, { topic, surface, data }: Topic, components: Components): JsonSchema {
  const properties = {
    [surface === 'platform' ? 'topic' : 'type']: { const: topic },
    data: dataOf(schema, topic, surface, data, components),
  };
  return { allOf: [{ $ref: '#/components/schemas/EventEnvelope' }, { type: 'object', properties }] };
}

/** The topics of one resource that have the same data refer to it: `ConnectionsEvent` of `CONNECTIONS.CREATED`. */
function fieldsOf(topic: string, data: readonly EventField[], components: Components): JsonSchema {
  if (TOPICS.filter((other) => other.data === data).length === 1) return objectOf(data);
  const words = topic
    .toLowerCase()
    .split(/[._]/)
    .slice(0, topic.split('.').at(-1)!.split('_').length * -1);
  return components.named(`${words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')}Event`, () => objectOf(data));
}

function dataOf(schema: GraphQLSchema, topic: string, surface: Topic['surface'], data: Topic['data'], components: Components): JsonSchema {
  if (!('record' in data)) return fieldsOf(topic, data, components);
  if (data.record === 'any object') return fieldTypes.object;
  if (data.record === 'accounting record') return accountingRecord;
  const { type: name } = data.record;
  // Throws for a name that is no type of the schema, so that no event is published with the contract of another.
  components.output(assertObjectType(schema.getType(name)), NAMING[surface]);
  if (!data.without) return { $ref: `#/components/schemas/${name}` };
  const shown = Object.entries(components.schemas[name]?.properties ?? {}).filter(([field]) => !data.without!.includes(field));
  return { type: 'object', properties: Object.fromEntries(shown), required: shown.map(([field]) => field) };
}
