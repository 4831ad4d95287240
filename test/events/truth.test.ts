// Events against REST: for every topic of the catalogue the event has the values that REST returns for the same record at the same moment. That holds
// as stored for streams and as delivered to a webhook.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOPICS, type TopicName, topicEnumName } from '../../src/events/topics.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { decodeGlobalId } from '../../src/records/ids.ts';
import { modelOf, type RecordClass, writableProps } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { runOf } from '../support/connections.ts';
import { ADMIN_TOKEN, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { startLedger } from '../support/ledger.ts';
import type { Receiver } from '../support/receiver.ts';
import { balanced, buildCompany, listName, sampleBody, type TestCompany } from '../support/records.ts';
import { buildCaller, type Caller, operate, recordEvents } from '../support/registrations.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';
import { settled, webhookTools } from '../support/webhooks.ts';

type Json = Record<string, unknown>;

interface Message {
  id: string;
  topic?: TopicName;
  type?: TopicName;
  data: Json;
}

const gateway = useGateway({ webhookAllowPrivate: true, connectorPrivateHosts: ['127.0.0.1'] });
const { receiver, call, register, logWhere, stopReceivers } = webhookTools(gateway);

let caller: Caller;
let entities: string;
let company: TestCompany;
let streamed: TestCompany;
let target: Receiver;
let webhook: string;
/** The organisation with the webhook, and one whose many events are only stored. */
const organisations: string[] = [];
const claimed = new Map<string, { topic: TopicName; data: Json }>();
const sent = new Set<string>();
/** The topics that the tests of this file check. */
const covered = new Set<TopicName>();
const covers = (...topics: TopicName[]): void => {
  for (const topic of topics) covered.add(topic);
};

beforeAll(async () => {
  caller = await buildCaller(gateway, 'Truth');
  entities = await gateway.key(['ENTITIES'], 'Truth');
  target = await receiver();
  webhook = (await register(caller.key, target.url)).id;
  company = await buildCompany(gateway, { key: await gateway.key(['INTEGRATIONS'], 'Truth') });
  streamed = await buildCompany(gateway);
  await recordEvents(gateway, streamed.key);
  for (const { key } of [company, streamed]) organisations.push(String((await gateway.services.keys.find(key))!.organisationId));
});

/** The first event of a topic whose `data` has these values and which no test has taken yet. */
async function eventOf(topic: TopicName, about: Json, operation?: string): Promise<Json> {
  const text =
    'select id, operation, data, organisation_id from event where organisation_id = any($1::bigint[]) and topic = $2 order by id';
  for (;;) {
    const rows = await gateway.services.database.read({ name: 'stored_events', text }, [`{${organisations}}`, topicEnumName(topic)]);
    for (const [id, made, written, owner] of rows) {
      const data = JSON.parse(written!) as Json;
      const fits = Object.entries(about).every(([name, value]) => data[name] === value);
      if (!fits || claimed.has(id!) || (operation !== undefined && made !== operation)) continue;
      claimed.set(id!, { topic, data });
      if (owner === organisations[0]) sent.add(id!);
      return data;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Every event that a test has taken must reach the webhook unchanged. */
afterAll(async () => {
  const delivered = (): Map<string, Message> =>
    new Map(target.received.map(({ body }) => JSON.parse(body) as Message).map((message) => [message.id, message]));
  while (![...sent].every((id) => delivered().has(id))) await new Promise((resolve) => setTimeout(resolve, 50));
  const messages = delivered();
  for (const id of sent) {
    const { topic, data } = claimed.get(id)!;
    const message = messages.get(id)!;
    expect([message.topic ?? message.type, message.data]).toEqual([topic, data]);
  }
  await stopReceivers();
}, 60_000);

const platform = async (method: string, path: string, body?: unknown): Promise<Json> => {
  const response = await gateway.send(method, `/api/v1${path}`, { headers: { authorization: `Bearer ${caller.key}` }, body });
  if (response.status >= 300) throw new Error(response.text);
  return response.body?.data;
};
const ledger = async (method: string, path: string, body?: unknown): Promise<GatewayResponse> => {
  const { headers } = path.startsWith(streamed.base) ? streamed : company;
  const response = await gateway.send(method, path, { headers, body });
  if (response.status >= 300) throw new Error(response.text);
  return response;
};
const graphql = async (key: string, query: string, variables?: Json): Promise<Json> => {
  const response = await gateway.graphql(key, query, variables);
  if (response.body.errors) throw new Error(response.text);
  return response.body.data;
};
/** What incorporation requests are about: ids of companies of the caller, which only the caller knows. */
const COMPANY = '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10';
const idOf = (record: Json): string => record.id as string;

const wholeCorporation = {
  legal_name: 'Acme Inc',
  jurisdiction: 'US',
  state: 'DE',
  entity_type: 'C_CORP',
  email_alias: 'acme-truth',
  external_id: 'ext-1',
  tax_ids: [{ type: 'US_EIN', value: '12-3456789' }],
  address: { address_line_1: '1 Main Street', city: 'Dover', state: 'DE', postal_code: '19901', country: 'US' },
  contact_email: 'a@example.com',
  website: 'https://example.com',
};

describe('records of the platform', () => {
  covers('CORPORATIONS.CREATED', 'CORPORATIONS.UPDATED', 'CORPORATIONS.DELETED');
  it.each([
    ['with what is required alone', { legal_name: 'Bare Ltd', jurisdiction: 'GB' }, { legal_name: 'Barer Ltd' }],
    ['with every field', wholeCorporation, { address: null, tax_ids: [], state: null }],
  ])('a corporation %s', async (_, body, change) => {
    const { id } = (await platform('POST', '/corporations', body)) as { id: string };
    const created = await platform('GET', `/corporations/${id}`);
    expect(created).toMatchObject({ status: 'ACTIVE' });
    expect(await eventOf('CORPORATIONS.CREATED', { id })).toEqual(created);
    await platform('POST', `/corporations/${id}`, change);
    const updated = await platform('GET', `/corporations/${id}`);
    expect(await eventOf('CORPORATIONS.UPDATED', { id })).toEqual(updated);
    await platform('DELETE', `/corporations/${id}`);
    const deleted = await eventOf('CORPORATIONS.DELETED', { id });
    expect(deleted).toEqual({ ...updated, status: 'ARCHIVED', updated_at: deleted.updated_at });
    expect(Date.parse(deleted.updated_at as string)).toBeGreaterThanOrEqual(Date.parse(updated.updated_at as string));
  });

  covers('PRODUCTS.CREATED', 'PRODUCTS.UPDATED', 'PRODUCTS.DELETED', 'CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE');
  it.each([
    ['with what is required alone', {}, { name: 'Renamed' }],
    [
      'with every field',
      {
        name: 'Shirt',
        description: 'A shirt',
        tax_code: 'TPP',
        customs_jurisdiction_details: { US: '6109.10.0012', GB: '6109100010' },
        weight_in_kg: 0.25,
        volume_in_liters: 1.5,
        origin_country: 'PT',
        source_platform: 'SHOPIFY',
        source_platform_id: 's-1',
      },
      { customs_jurisdiction_details: { GB: '6109909000' }, weight_in_kg: null },
    ],
  ])('a product %s, and its customs codes', async (_, body, change) => {
    const corporation = await platform('POST', '/corporations', { legal_name: 'Seller Ltd', jurisdiction: 'GB' });
    const made = await platform('POST', '/products', { corporation_id: corporation.id, sku: 'A', ...body });
    const path = `/products/${made.id}`;
    const created = await platform('GET', path);
    expect(await eventOf('PRODUCTS.CREATED', { id: made.id })).toEqual(created);
    const codes = async (countries: string[]): Promise<void> => {
      const now = (await platform('GET', path)).customs_jurisdiction_details as Record<string, string>;
      for (const country of countries)
        expect(await eventOf('CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE', { product_id: made.id, country })).toEqual({
          product_id: made.id,
          corporation_id: corporation.id,
          country,
          customs_code: now[country] ?? null,
        });
    };
    await codes(Object.keys((body as Json).customs_jurisdiction_details ?? {}));
    await platform('POST', path, change);
    expect(await eventOf('PRODUCTS.UPDATED', { id: made.id })).toEqual(await platform('GET', path));
    if ('customs_jurisdiction_details' in change) await codes(['US', 'GB']);
    await graphql(
      caller.key,
      `mutation { setCustomsCode(input: { id: "${made.id}", country: "FR", customsCode: "6109.10.00" }) { product { id } } }`,
    );
    await codes(['FR']);
    expect(await eventOf('PRODUCTS.UPDATED', { id: made.id })).toEqual(await platform('GET', path));
    await platform('DELETE', path);
    expect(await eventOf('PRODUCTS.DELETED', { id: made.id })).toEqual({ id: made.id });
  });

  covers('PRODUCTS.IMPORT.COMPLETED', 'PRODUCTS.IMPORT.FAILED');
  it.each([
    ['PRODUCTS.IMPORT.COMPLETED', 'sku\nB\nC\n'],
    ['PRODUCTS.IMPORT.FAILED', 'sku,source_platform,source_platform_id\nB,SHOPIFY,1\n'],
  ] as const)('an import, by %s', async (topic, content) => {
    const corporation = await platform('POST', '/corporations', { legal_name: 'Importer Ltd', jurisdiction: 'GB' });
    await platform('POST', '/products', { corporation_id: corporation.id, sku: 'A', source_platform: 'SHOPIFY', source_platform_id: '1' });
    const file = await graphql(
      caller.key,
      'mutation ($content: Upload!) { createFile(input: { content: $content, name: "a.csv", purpose: PRODUCT_IMPORT }) { file { id } } }',
      { content },
    );
    const fileId = idOf((file.createFile as { file: Json }).file);
    const started = (await platform('POST', '/products/bulk_upload/csv', { corporation_id: corporation.id, file_id: fileId })) as {
      job: Json;
    };
    const data = await eventOf(topic, { id: started.job.id });
    const { source_file_url, error_report_url, errors, ...job } = await platform('GET', `/jobs/${started.job.id}`);
    expect(data).toEqual(job);
    expect(source_file_url).toEqual(expect.any(String));
  });

  covers('REGISTRATIONS.CREATED', 'REGISTRATIONS.STATUS.UPDATED', 'REGISTRATIONS.NEW.SUCCEEDED', 'REGISTRATIONS.NEW.INVALID');
  covers('REGISTRATIONS.EXISTING.VALIDATION.SUCCEEDED', 'REGISTRATIONS.EXISTING.VALIDATION.FAILED');
  it('a registration and its expectStatusEvent', async () => {
    let corporation = await platform('POST', '/corporations', { legal_name: 'Registered Inc', jurisdiction: 'US' });
    const build = async (more: Json): Promise<string> =>
      idOf(
        await platform('POST', '/registrations', {
          corporation_id: corporation.id,
          tax_types: ['RST'],
          ...more,
        }),
      );
    const transition = (id: string, name: string, more = ''): Promise<Json> =>
      graphql(ADMIN_TOKEN, `mutation { ${name}(input: { id: "${id}"${more} }) { registration { id } } }`);
    let shown: unknown = null;
    const expectStatusEvent = async (topic: TopicName, id: string): Promise<void> => {
      const { registration_status: current } = await platform('GET', `/registrations/${id}`);
      expect(await eventOf(topic, { registration_id: id })).toEqual({
        registration_id: id,
        corporation_id: corporation.id,
        previous: shown,
        current,
      });
      shown = current;
    };
    const ids = (id: string): Json => ({ registration_id: id, corporation_id: corporation.id });
    const failures = [{ code: 'X', message: 'y' }];

    for (const [result, topic, content, more] of [
      ['INVALID', 'REGISTRATIONS.EXISTING.VALIDATION.FAILED', 'US_AL_RST', { failures }],
      ['VALID', 'REGISTRATIONS.EXISTING.VALIDATION.SUCCEEDED', 'US_CA_RST', {}],
    ] as const) {
      shown = null;
      const id = await build({ registration_content_id: content, effective_start_date: '2020-01-01' });
      await expectStatusEvent('REGISTRATIONS.CREATED', id);
      await transition(id, 'startValidation');
      await transition(
        id,
        'finishValidation',
        `, result: ${result}${result === 'INVALID' ? ', failures: [{ code: "X", message: "y" }]' : ''}`,
      );
      expect(await eventOf(topic, { registration_id: id })).toEqual({ ...ids(id), ...more });
      expect(await platform('GET', `/registrations/${id}`)).toMatchObject({ validation_status: result });
      await transition(id, 'closeRegistration');
      await expectStatusEvent('REGISTRATIONS.STATUS.UPDATED', id);
    }
    await platform('DELETE', `/corporations/${corporation.id}`);
    corporation = await platform('POST', '/corporations', { legal_name: 'Registering Inc', jurisdiction: 'US' });
    for (const [name, topic, content, more] of [
      ['confirmRegistration', 'REGISTRATIONS.NEW.SUCCEEDED', 'US_AL_RST', ', taxRegistrationId: "R1234"'],
      ['rejectRegistration', 'REGISTRATIONS.NEW.INVALID', 'US_CA_RST', ''],
    ] as const) {
      shown = null;
      const id = await build({ registration_type: 'NEW', registration_content_id: content });
      await expectStatusEvent('REGISTRATIONS.CREATED', id);
      await transition(id, 'startRegistration');
      await expectStatusEvent('REGISTRATIONS.STATUS.UPDATED', id);
      await transition(id, name, more);
      await expectStatusEvent('REGISTRATIONS.STATUS.UPDATED', id);
      expect(await eventOf(topic, { registration_id: id })).toEqual(ids(id));
    }
  });

  it('a registration that is granted after its end date', async () => {
    const corporation = await platform('POST', '/corporations', { legal_name: 'Late Inc', jurisdiction: 'US' });
    const { id } = (await platform('POST', '/registrations', {
      corporation_id: corporation.id,
      registration_content_id: 'US_AL_RST',
      tax_types: ['RST'],
      registration_type: 'NEW',
      effective_end_date: '2020-01-01',
    })) as { id: string };
    for (const transition of ['startRegistration', 'confirmRegistration'])
      await graphql(
        ADMIN_TOKEN,
        `mutation { ${transition}(input: { id: "${id}"${transition === 'confirmRegistration' ? ', taxRegistrationId: "R1234"' : ''} }) { registration { id } } }`,
      );
    const changes: unknown[] = [];
    while (changes.length < 3) changes.push((await eventOf('REGISTRATIONS.STATUS.UPDATED', { registration_id: id })).current);
    expect(changes).toEqual(['REGISTRATION_IN_PROGRESS', 'REGISTERED', 'CLOSED']);
    expect(await platform('GET', `/registrations/${id}`)).toMatchObject({ registration_status: 'CLOSED' });
  });

  covers('INCORPORATION_REQUEST.SUBMITTED', 'INCORPORATION_REQUEST.NEEDS_ADDITIONAL_INFO');
  covers('INCORPORATION_REQUEST.COMPLETED', 'INCORPORATION_REQUEST.FAILED');
  it('an incorporation request', async () => {
    const form = new URLSearchParams({
      'companyNames.0': 'Acme',
      businessDescription: 'Sells kettles',
      'fiscalYearEnd.month': '12',
      'fiscalYearEnd.day': '31',
      'physicalAddress.addressLine1': '1 Main Street',
      'physicalAddress.city': 'Dover',
      'physicalAddress.state': 'DE',
      'physicalAddress.postalCode': '19901',
      'physicalAddress.country': 'US',
      authorizedShares: '10000000',
      optionPoolShares: '1000000',
      'keyPersons.0.fullName': 'Ada Lovelace',
      'keyPersons.0.email': 'ada@example.com',
      'keyPersons.0.shares': '9000000',
    });
    for (const role of ['DIRECTOR', 'SHAREHOLDER']) form.append('keyPersons.0.roles', role);
    const submit = async (): Promise<string> => {
      const corporationTypeInfo = { US: { state: 'DE', corporationType: 'CCorp' } };
      const made = await platform('POST', '/incorporation-requests', { companyId: COMPANY, country: 'US', corporationTypeInfo });
      const link = new URL(made.signedFormUrl as string);
      const response = await fetch(gateway.origin + link.pathname + link.search, { method: 'POST', body: form, redirect: 'manual' });
      expect(response.status).toBe(303);
      return idOf(made);
    };
    const transition = (mutation: string): Promise<GatewayResponse> => operate(gateway, mutation, 'incorporationRequest { id }');
    const first = await submit();
    const data = { incorporation_request_id: first, corporation_id: null };
    expect(await eventOf('INCORPORATION_REQUEST.SUBMITTED', { incorporation_request_id: first })).toEqual(data);
    await transition(`requestIncorporationInfo(input: { id: "${first}", note: "Which?" })`);
    expect(await eventOf('INCORPORATION_REQUEST.NEEDS_ADDITIONAL_INFO', { incorporation_request_id: first })).toEqual(data);
    await transition(`failIncorporation(input: { id: "${first}" })`);
    expect(await eventOf('INCORPORATION_REQUEST.FAILED', { incorporation_request_id: first })).toEqual(data);
    const second = await submit();
    await transition(`completeIncorporation(input: { id: "${second}", entity: { effectiveStartDate: "2024-02-29" } })`);
    expect(await eventOf('INCORPORATION_REQUEST.COMPLETED', { incorporation_request_id: second })).toEqual({
      ...data,
      incorporation_request_id: second,
    });
  });

  covers('BUSINESS_ENTITY.REGISTRATION.UPDATED');
  it('a registration of a business entity', async () => {
    const input = '{ organisationName: "Truth", legalName: "Acme", country: "US", state: "DE", corporationType: C_CORP }';
    const made = await graphql(ADMIN_TOKEN, `mutation { upsertBusinessEntity(input: ${input}) { businessEntity { businessEntityId } } }`);
    const entity = (made.upsertBusinessEntity as { businessEntity: Json }).businessEntity.businessEntityId;
    await operate(
      gateway,
      `addEntityRegistration(input: { businessEntityId: ${entity}, displayName: "R", description: "R", purpose: CORPORATE_REGISTRY, registrationStatus: ACTIVE })`,
      'registration { id }',
    );
    const data = await eventOf('BUSINESS_ENTITY.REGISTRATION.UPDATED', { business_entity_id: entity });
    const listed = await gateway.send('GET', `/api/v1/public/business-entities/${entity}/registrations`, {
      headers: { 'x-api-key': entities },
    });
    expect(data).toEqual({ business_entity_id: entity, registration_id: listed.body.registrations[0].id });
  });

  covers('WEBHOOK.TEST');
  it('the test trigger', async () => {
    const event_data = { turn: 1, any: ['thing', null, 1.5] };
    await platform('POST', `/webhooks/test/trigger/${webhook}`, { event_data });
    expect(await eventOf('WEBHOOK.TEST', { turn: 1 })).toEqual(event_data);
  });
});

/** A write that changes a record: its first text or amount. */
function changeEventOf(record: RecordClass): Json {
  const prop = writableProps(record).find(({ kind, name }) => name !== 'platformId' && (kind === 'text' || kind === 'amount'))!;
  return { [snakeCase(prop.name)]: prop.kind === 'text' ? 'Changed' : 99.5 };
}

describe.each(ledgerRecords.map((record) => [namesOf(record).dataModel, record] as const))('%s', (_, record) => {
  const list = (): string => `${streamed.base}/${listName(record)}`;
  const read = async (id: unknown): Promise<Json> => (await ledger('GET', `${list()}/${id}`)).body.data;
  const owned = [...modelOf(record).relations.values()].filter((relation) => relation.owned);
  const children = Object.fromEntries(
    owned.map((relation) => [snakeCase(relation.name), balanced(relation, { ...sampleBody(relation.target()), parent_type: undefined })]),
  );

  covers('DATA_MODEL_CHANGES');
  it.each([
    ['with its platform id alone', { platform_id: 'minimal' }],
    ['with every field', sampleBody(record)],
    ['with children', { ...sampleBody(record), platform_id: 'parent', ...children }],
  ])('a record %s, written, changed and deleted', async (_, body) => {
    const unnamed =
      record.name === 'Currency' ? { ...body, code: { minimal: 'EUR', parent: 'CHF' }[body.platform_id as string] ?? 'USD' } : body;
    const made = (await ledger('POST', list(), { data: unnamed })).body.data.data;
    const id = made.ledger_id;
    expect(await eventOf('DATA_MODEL_CHANGES', { ledger_id: id }, 'CREATE')).toEqual(await read(id));
    await ledger('PUT', list(), { data: { ...changeEventOf(record), platform_id: body.platform_id, ...parentOf(made) } });
    expect(await eventOf('DATA_MODEL_CHANGES', { ledger_id: id }, 'UPDATE')).toEqual(await read(id));
    await ledger('DELETE', `${list()}/${id}`);
    const gone = (await ledger('GET', `${list()}/${id}?include_deleted_records=true`)).body.data;
    expect(await eventOf('DATA_MODEL_CHANGES', { ledger_id: id }, 'DELETE')).toEqual({
      ledger_id: id,
      ledger_deleted_at: gone.ledger_deleted_at,
    });
  });

  it('records of a batch', async () => {
    const data = [1, 2].map((turn) => ({
      ...sampleBody(record),
      platform_id: `batch-${turn}`,
      ...(record.name === 'Currency' ? { code: ['SEK', 'NOK'][turn - 1] } : {}),
    }));
    const response = await ledger('POST', `${list()}?run_async=true`, { data });
    await endOfSync(gateway, streamed, response.body.data.sync_id);
    for (const { platform_id } of data) {
      const listed = (await ledger('GET', `${list()}?platform_id=${platform_id}`)).body.data;
      const event = await eventOf('DATA_MODEL_CHANGES', { ledger_id: listed[0].ledger_id }, 'CREATE');
      expect(event).toEqual(listed[0]);
    }
  });
});

/** The members of a written child that name its parent; an update must repeat them. */
const parentOf = (record: Json): Json =>
  Object.fromEntries(['parent_type', 'parent_id', 'pipeline_id'].flatMap((name) => (record[name] == null ? [] : [[name, record[name]]])));

describe('syncs and connections', () => {
  covers('SYNC_STARTED', 'SYNC_COMPLETED', 'CONNECTION_CHANGED');
  const read = async (id: unknown): Promise<Json> => (await ledger('GET', `/v4/core/syncs/${id}`)).body.data;
  const counts = (state: 'running' | 'success' | 'failed'): Json => ({
    total: 1,
    success: 0,
    failed: 0,
    running: 0,
    pending: 0,
    [state]: 1,
  });
  const expectEvents = async (id: string): Promise<void> => {
    const sync = await read(id);
    expect(await eventOf('SYNC_STARTED', { id })).toEqual({
      ...sync,
      status: 'RUNNING',
      jobCounts: counts('running'),
      dataModelCounts: counts('running'),
      endTime: null,
    });
    expect(await eventOf('SYNC_COMPLETED', { id })).toEqual(sync);
  };

  it('a write at once began before it ended', async () => {
    const response = await ledger('PUT', `${company.base}/accounts`, { data: { name: 'Cash', platform_id: 'sync-1' } });
    await expectEvents(response.body.data.sync_id);
  });

  it('a batch without a storable record', async () => {
    const response = await ledger('POST', `${company.base}/accounts?run_async=true`, {
      data: [{ name: 'x', parent_account_id: 999_999_999 }],
    });
    const id = response.body.data.sync_id;
    await endOfSync(gateway, company, id);
    expect(await eventOf('SYNC_STARTED', { id })).toMatchObject({ status: 'RUNNING', endTime: null, jobCounts: counts('running') });
    expect(await eventOf('SYNC_COMPLETED', { id })).toEqual(await read(id));
  });

  it('a pull', async () => {
    const content = JSON.stringify([{ platform_id: 'pulled', name: 'Pulled', updated_at: '2026-03-01T10:20:30.123456+02:00' }]);
    await graphql(
      company.key,
      'mutation ($id: ID!, $file: Upload!) { importRecords(input: { companyId: $id, dataModel: ACCOUNT, file: $file }) { file { id } } }',
      {
        id: company.id,
        file: content,
      },
    );
    const asked = await graphql(company.key, `mutation { requestSync(input: { companyId: ${company.id} }) { sync { id } } }`);
    const { id } = (asked.requestSync as { sync: { id: string } }).sync;
    await endOfSync(gateway, company, id);
    await expectEvents(id);
    const record = await eventOf('DATA_MODEL_CHANGES', { platform_id: 'pulled' });
    expect(record).toEqual((await ledger('GET', `${company.base}/accounts/${record.ledger_id}`)).body.data);
  });

  it('a connection that is made and ended', async () => {
    const expectConnection = async (id: number): Promise<void> => {
      const { connection_status, ledger_integration_type, integration_type } = (await ledger('GET', `/v4/core/companies/${id}`)).body.data;
      expect(await eventOf('CONNECTION_CHANGED', { ledger_company_id: id })).toEqual({
        ledger_company_id: id,
        integration_type: integration_type ?? ledger_integration_type,
        connection_status,
      });
    };
    const other = await buildCompany(gateway, { key: company.key });
    await expectConnection(other.id);
    const asked = await ledger('POST', '/v4/core/disconnect-requests', { data: { company_id: other.id } });
    await ledger('POST', `/v4/core/disconnect-requests/${asked.body.data.ledger_id}/approve`);
    await expectConnection(other.id);
  });

  covers('SYNCS.CONFIRMATION_NEEDED');
  it('a full run that would delete many records', async () => {
    const books = await startLedger();
    const { id: companyId, base } = await buildCompany(gateway, { key: company.key });
    for (let index = 0; index < 21; index++) books.put('CONTACT', { platform_id: `C-${index}`, name: 'One of many' });
    const settings = { url: books.url, apiKey: books.apiKey };
    const made = await ledger('POST', `${base}/connections`, { data: { source: 'DEMO', settings, interval_minutes: 43_200 } });
    const run = (query: string) => runOf(gateway, { base, headers: company.headers }, made.body.data.id, query);
    await run('');
    books.failure = () => 'empty';
    const { id: sync_id } = await run('?full_sync=true');
    const jobs = await jobsOf(gateway, company, sync_id);
    const [{ errorMessage: message } = { errorMessage: null }] = jobs.filter(({ status }) => status === 'PENDING_CONFIRMATION');
    expect(message).toContain('21 of 21');
    expect(await eventOf('SYNCS.CONFIRMATION_NEEDED', { sync_id })).toEqual({
      ...{ sync_id, ledger_company_id: companyId, integration_type: 'DEMO' },
      data_models: [{ data_model: 'CONTACT', message }],
    });
    await books.stop();
  }, 60_000);

  covers('CONNECTIONS.CREATED', 'CONNECTIONS.CONNECTED', 'CONNECTIONS.NEEDS_REAUTH', 'CONNECTIONS.ERROR');
  covers('CONNECTIONS.PAUSED', 'CONNECTIONS.DISCONNECTED');
  it('a connection that is made, works, fails, loses its credentials, is paused and ended', async () => {
    const books = await startLedger();
    const { id: companyId, base } = await buildCompany(gateway, { key: company.key });
    const settings = { url: books.url, apiKey: books.apiKey };
    const made = await ledger('POST', `${base}/connections`, { data: { source: 'DEMO', settings, interval_minutes: 43_200 } });
    const { id } = made.body.data;
    const about = { connection_id: id };
    const expectState = async (status: string): Promise<void> => {
      const { data } = (await ledger('GET', `${base}/connections/${id}`)).body;
      expect(await eventOf(`CONNECTIONS.${status}` as TopicName, about)).toEqual({
        connection_id: id,
        ledger_company_id: companyId,
        integration_type: 'DEMO',
        status,
        status_reason: data.status_reason,
        status_since: data.status_since,
      });
      expect(data.status).toBe(status);
    };
    const run = () => runOf(gateway, { base, headers: company.headers }, id);
    expect(await eventOf('CONNECTIONS.CREATED', about)).toMatchObject({ status: 'PENDING', ledger_company_id: companyId });
    await run();
    await expectState('CONNECTED');
    books.failure = () => 'deny';
    await run();
    await expectState('ERROR');
    books.failure = () => undefined;
    books.apiKey = 'another-key';
    await run();
    await expectState('NEEDS_REAUTH');
    await ledger('POST', `${base}/connections/${id}/pause`);
    await expectState('PAUSED');
    const asked = await ledger('POST', '/v4/core/disconnect-requests', { data: { company_id: companyId } });
    await ledger('POST', `/v4/core/disconnect-requests/${asked.body.data.ledger_id}/approve`);
    await expectState('DISCONNECTED');
    await books.stop();
  }, 60_000);
});

covers('WEBHOOK.FAILING', 'WEBHOOK.DISABLED');
it('a webhook that fails for an hour and is then disabled', async () => {
  const url = 'http://127.0.0.1:9/hook';
  const { id } = await register(caller.key, url, { topics: ['SYNCS.CONFIRMATION_NEEDED'] });
  for (const attempts of [1, 2]) {
    await call(caller.key, 'POST', `/test/trigger/${id}`, { event_data: {} });
    await logWhere(caller.key, id, settled(attempts));
    gateway.clock.advance(61 * 60_000);
  }
  const about = { webhook_id: id };
  const state = { ...about, url, status: 'ENABLED', disabled_reason: null };
  expect(await eventOf('WEBHOOK.FAILING', about)).toEqual({ ...state, failing_since: expect.stringMatching(/^20.*Z$/) });
  await call(caller.key, 'POST', `/${id}`, { status: 'DISABLED' });
  const { status, disabled_reason } = (await call(caller.key, 'GET', `/${id}`)).body.data;
  expect(await eventOf('WEBHOOK.DISABLED', about)).toEqual({ ...state, status, disabled_reason, failing_since: null });
});

covers('INCORPORATION_REQUEST.LINK_REQUESTED', 'CONNECTIONS.LINK_REQUESTED');
it('who has an expired link of a form or of a connection asks for a new one', async () => {
  const corporationTypeInfo = { US: { state: 'DE', corporationType: 'CCorp' } };
  const request = await platform('POST', '/incorporation-requests', { companyId: COMPANY, country: 'US', corporationTypeInfo });
  const { id: ledgerCompany, base } = await buildCompany(gateway, { key: company.key });
  const settings = { url: 'http://127.0.0.1:1', apiKey: 'k' };
  const connection = (await ledger('POST', `${base}/connections`, { data: { source: 'DEMO', settings } })).body.data;
  const link = (await ledger('POST', `${base}/connections/${connection.id}/link`)).body.data;
  // The links of forms work for a day, those of connections for an hour.
  gateway.clock.advance(25 * 3_600_000);
  for (const url of [request.signedFormUrl as string, link.url as string]) {
    const { pathname, search } = new URL(url);
    expect((await gateway.send('POST', `${pathname}${search}&ask=1`)).status).toBe(200);
  }
  const about = { incorporation_request_id: idOf(request) };
  expect(await eventOf('INCORPORATION_REQUEST.LINK_REQUESTED', about)).toEqual({ ...about, corporation_id: null });
  expect(await eventOf('CONNECTIONS.LINK_REQUESTED', { connection_id: connection.id })).toMatchObject({ ledger_company_id: ledgerCompany });
});

it('every event names the record it is about, by an id that `node` reads', async () => {
  const text = `select topic, subject_id from event where organisation_id = any($1::bigint[]) and topic <> 'WEBHOOK_TEST'`;
  const rows = await gateway.services.database.read({ name: 'event_subjects', text }, [`{${organisations}}`]);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(([, subject]) => subject === null || !decodeGlobalId(subject!)?.model.node)).toEqual([]);
});

it('an event about a record with versions has the one before the change, but for a new record', async () => {
  const text = `select topic, subject_id, previous_etag, exists (select from event made where made.organisation_id = e.organisation_id
      and made.subject_id = e.subject_id and made.commit_order = e.commit_order and made.topic like '%\\_CREATED') as is_new
    from event e where organisation_id = any($1::bigint[]) and topic <> 'WEBHOOK_TEST'`;
  const rows = await gateway.services.database.read({ name: 'event_versions', text }, [`{${organisations}}`]);
  const versioned = rows.filter(
    ([topic, subject]) => topic !== 'DATA_MODEL_CHANGES' && decodeGlobalId(subject!)!.model.derived.has('etag'),
  );
  expect(versioned.length).toBeGreaterThan(0);
  const wrong = versioned.filter(([, subject, etag, isNew]) =>
    isNew === 't' ? etag !== null : !new RegExp(`^"${subject}-\\d{13}"$`).test(etag ?? ''),
  );
  expect(wrong).toEqual([]);
});

/** Topics of a daily comparison and of an authority: test/integrations/registrations-by-books and test/platform/tax-id-verification compare their events. */
const comparedElsewhere: readonly TopicName[] = ['REGISTRATIONS.NEED.UPDATED', 'TAX_IDS.VERIFICATION.UPDATED'];

it('no topic of the catalogue is left out', () => {
  covers(...comparedElsewhere);
  expect(TOPICS.map(({ topic }) => topic).filter((topic) => !covered.has(topic))).toEqual([]);
});
