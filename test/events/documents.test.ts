// The `webhooks` section of the OpenAPI documents against real deliveries: the same topics, the same members.
import { afterEach, beforeAll, expect, it } from 'vitest';
import { contracts } from '../../rest-compat/openapi/contracts.ts';
import { ALL_TOPICS, TOPICS, topicEnumName } from '../../src/events/topics.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { orphanTypes, resolvers } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';
import { buildCaller, buildRegistration, operate } from '../support/registrations.ts';
import { webhookTools } from '../support/webhooks.ts';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
}

interface Document {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }>;
  components: { schemas: Record<string, Schema & { enum?: string[] }> };
}

const gateway = useGateway({ webhookAllowPrivate: true });
const { receiver, register, emit, stopReceivers } = webhookTools(gateway);
afterEach(stopReceivers);

const schema = buildGatewaySchema(resolvers, orphanTypes);
const documents = {} as Record<'platform' | 'integrations', Document>;
beforeAll(() => {
  const texts = contracts(schema);
  for (const surface of ['platform', 'integrations'] as const) documents[surface] = JSON.parse(texts.get(`openapi/${surface}.json`)!);
});

/** The missing and surplus members of a value, and values other than the constant ones; empty when it fits. */
function misfits(document: Document, given: Schema, value: unknown, path = ''): string[] {
  const schema = given.$ref ? document.components.schemas[given.$ref.split('/').at(-1)!]! : given;
  const inParts = (schema.allOf ?? []).flatMap((part) => misfits(document, part, value, path));
  if ('const' in schema && schema.const !== value) return [...inParts, `${path} is ${value}`];
  if (!schema.properties || value === null || typeof value !== 'object') return inParts;
  const record = value as Record<string, unknown>;
  const missing = (schema.required ?? []).filter((name) => !(name in record)).map((name) => `${path}.${name} is missing`);
  // Without `required`, the schema only narrows members that another part lists.
  const isClosed = schema.required !== undefined && schema.additionalProperties !== true;
  const extra = isClosed ? Object.keys(record).filter((name) => !(name in schema.properties!)) : [];
  return [
    ...inParts,
    ...missing,
    ...extra.map((name) => `${path}.${name} is not in the document`),
    ...Object.entries(schema.properties).flatMap(([name, inner]) =>
      name in record ? misfits(document, inner, record[name], `${path}.${name}`) : [],
    ),
  ];
}

it('each document lists the topics of its surface as deliveries name them, and GraphQL lists the same', () => {
  for (const surface of ['platform', 'integrations'] as const)
    expect(Object.keys(documents[surface].webhooks)).toEqual(TOPICS.filter((topic) => topic.surface === surface).map(({ topic }) => topic));
  const topics = TOPICS.map(({ topic }) => topic);
  const { EventTopicSpelling: spelling, Event: event } = documents.platform.components.schemas;
  expect((event!.properties!.topic as { enum?: string[] }).enum).toEqual(topics);
  const inGraphql = (schema.getType('EventTopic') as never as { getValues(): { name: string }[] }).getValues().map(({ name }) => name);
  expect(inGraphql).toEqual([...topics.map(topicEnumName), 'ALL']);
  expect(new Set(spelling!.enum)).toEqual(new Set([...topics, ...inGraphql, ALL_TOPICS]));
});

it('a delivery has the members its document lists', { timeout: 60_000 }, async () => {
  const caller = await buildCaller(gateway);
  const { organisationName } = (await gateway.services.keys.find(caller.key))!;
  const target = await receiver();
  const { id: webhook } = await register(caller.key, target.url);
  const { corporation_id: corporation, id: registration } = await buildRegistration(caller);
  await operate(gateway, `startValidation(input: { id: "${registration}" })`, 'registration { id }');
  await operate(
    gateway,
    `finishValidation(input: { id: "${registration}", result: INVALID, failures: [{ code: "X", message: "y" }] })`,
    'registration { id }',
  );
  await operate(gateway, `closeRegistration(input: { id: "${registration}" })`, 'registration { id }');
  const product = (
    await caller.post('/products', { corporation_id: corporation, sku: 'A', customs_jurisdiction_details: { US: '6109100012' } })
  ).body.data;
  await caller.post(`/products/${product.id}`, { name: 'Shirt' });
  const remove = (path: string): Promise<unknown> =>
    gateway.send('DELETE', `/api/v1${path}`, { headers: { authorization: `Bearer ${caller.key}` } });
  await remove(`/products/${product.id}`);
  const content = `sku\nB\n`;
  const uploaded = await gateway.graphql(
    caller.key,
    'mutation ($content: Upload!) { createFile(input: { content: $content, name: "a.csv", purpose: PRODUCT_IMPORT }) { file { id } } }',
    { content },
  );
  await caller.post('/products/bulk_upload/csv', { corporation_id: corporation, file_id: uploaded.body.data.createFile.file.id });
  const key = await gateway.key(['INTEGRATIONS'], organisationName!);
  const company = await buildCompany(gateway, { key });
  await gateway.send('POST', `${company.base}/accounts`, { headers: company.headers, body: { data: { name: 'Cash', platform_id: '1' } } });
  await gateway.send('POST', `/api/v1/webhooks/test/trigger/${webhook}`, {
    headers: { authorization: `Bearer ${caller.key}` },
    body: { event_data: { any: 'thing' } },
  });
  const wanted = [
    'CORPORATIONS.CREATED',
    'REGISTRATIONS.CREATED',
    'REGISTRATIONS.EXISTING.VALIDATION.FAILED',
    'REGISTRATIONS.STATUS.UPDATED',
    'PRODUCTS.CREATED',
    'CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE',
    'PRODUCTS.UPDATED',
    'PRODUCTS.DELETED',
    'PRODUCTS.IMPORT.COMPLETED',
    'CONNECTION_CHANGED',
    'SYNC_STARTED',
    'DATA_MODEL_CHANGES',
    'SYNC_COMPLETED',
    'WEBHOOK.TEST',
  ];
  const bodies = (): { topic?: string; type?: string }[] => target.received.map(({ body }) => JSON.parse(body));
  const received = (): Set<string> => new Set(bodies().map(({ topic, type }) => (topic ?? type)!));
  while (!wanted.every((topic) => received().has(topic))) await new Promise((resolve) => setTimeout(resolve, 20));
  const differences = bodies().flatMap((body) => {
    const document = documents[body.topic ? 'platform' : 'integrations'];
    const topic = (body.topic ?? body.type)!;
    return misfits(document, document.webhooks[topic]!.post.requestBody.content['application/json'].schema, body, topic);
  });
  expect(differences).toEqual([]);
});

it('the comparison finds a surplus member, a missing member and another topic', async () => {
  const document = documents.platform;
  const { schema } = document.webhooks['PRODUCTS.DELETED']!.post.requestBody.content['application/json'];
  const key = await gateway.key(['PLATFORM']);
  const target = await receiver();
  await register(key, target.url);
  await emit(key, { topic: 'PRODUCTS.DELETED', data: { id: 'prod_1' } }, { topic: 'PRODUCTS.DELETED', data: { name: 'x' } });
  const [right, wrong] = (await target.arrived(2))
    .map(({ body }) => JSON.parse(body))
    .sort((a, b) => ('id' in a.data ? -1 : 'id' in b.data ? 1 : 0));
  expect(misfits(document, schema, right)).toEqual([]);
  expect(misfits(document, schema, wrong)).toEqual(['.data.id is missing', '.data.name is not in the document']);
  expect(misfits(document, schema, { ...right, topic: 'PRODUCTS.CREATED' })).toEqual(['.topic is PRODUCTS.CREATED']);
});
