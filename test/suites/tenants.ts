// Two organisations with the same kinds of records, made by the gateway's own writes, and the ids of their records.
import { randomUUID } from 'node:crypto';
import { toUUID } from 'typeid-js';
import { verifyChains } from '../../src/administration/audit-chain.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { reverseListsOf } from '../../src/graphql/graph/reverse-lists.ts';
import { seedIntegrationsDemo } from '../../src/integrations/demo/seed.ts';
import { isDocument } from '../../src/integrations/ledger/ledger-record.ts';
import { seedDemoEntities } from '../../src/platform/demo/entities.ts';
import { seedPlatformDemo } from '../../src/platform/demo/seed.ts';
import { ledgerGlobalId, newId } from '../../src/records/ids.ts';
import { type Model, modelOf } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import type { RoleName } from '../../src/records/roles.ts';
import { entities, ledgerRecords, resources } from '../../src/registry.ts';
import type { Gateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';
import { startReceiver } from '../support/receiver.ts';
import { listName, sampleBody } from '../support/records.ts';
import { registrationBody } from '../support/registrations.ts';
import { endOfSync } from '../support/syncs.ts';
import type { Place } from './operations.ts';
import { modelOfOwner, type Reference } from './places.ts';

const everyRole: RoleName[] = ['PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS', 'AGENT_WRITE'];

/** An organisation with records, and a key with every role an organisation can have. */
export interface Tenant {
  key: string;
  organisationId: number;
  companyId: number;
  businessEntityId: number;
  /** Paths of its signed links. */
  links: string[];
}

/** The record types with rows of an organisation, but its requests, which are stored some seconds after they ended. */
const owned: Model[] = entities.map(modelOf).filter((model) => model.scope === 'organisation' && model.table !== 'request_part');

async function rowsOf(gateway: Gateway, text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
  return systemTransaction(gateway.services.database, (em) => executeIn(em, text, values));
}

/** Sets the sequences far from each other and from any number in the data, so that an id in a response is recognisable. */
export async function spreadNumbers(gateway: Gateway): Promise<void> {
  const sequences = await rowsOf(gateway, `select sequencename as name from pg_sequences where schemaname = 'public' order by 1`, []);
  for (const [at, { name }] of sequences.entries())
    await rowsOf(gateway, 'select setval($1::regclass, $2)', [name, 32 * (at + 1) * 1_000_003]);
}

/** Waits until no background work of the organisation is left; the test runner's own limit ends an endless wait. */
async function settled(gateway: Gateway, organisationId: number): Promise<void> {
  const open = `select 1 from webhook_delivery where organisation_id = $1 and status = 'PENDING'
    union all select 1 from import_job where organisation_id = $1 and status in ('PENDING', 'IN_PROGRESS')`;
  while ((await rowsOf(gateway, open, [organisationId])).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Makes an organisation with at least one row of every record a caller can name; its webhook subscribes to the topics. */
export async function buildTenant(gateway: Gateway, name: string, topics = ['*']): Promise<Tenant> {
  const { services } = gateway;
  const key = await gateway.key(everyRole, name);
  const { organisationId, organisation } = (await services.keys.find(key))!;
  const id = organisationId!;
  await seedIntegrationsDemo(services, { id });
  await seedPlatformDemo(services, { id, publicId: organisation!, name });
  const [newest] = await rowsOf(gateway, 'select max(id) as id from corporation where organisation_id = $1', [id]);
  const corporationId = String(newest!.id);
  const [businessEntityId] = await seedDemoEntities(services, { id });
  const [company] = await rowsOf(gateway, 'select ledger_id as id from company where organisation_id = $1', [id]);
  const companyId = Number(company!.id);
  const platform = await platformCaller(gateway, '/api/v1', name);
  const ledger = { api_key: key };
  const made = async (response: Promise<{ status: number; text: string; body: never }>): Promise<never> => {
    const { status, text, body } = await response;
    if (status >= 300) throw new Error(text);
    return (body as { data: never }).data;
  };
  for (const target of ledgerRecords) {
    await made(
      gateway.send('POST', `/v4/core/companies/${companyId}/${listName(target)}`, {
        headers: ledger,
        body: { data: sampleBody(target) },
      }) as never,
    );
  }
  await made(platform.send('POST', '/registrations', registrationBody(corporationId)) as never);
  const request = { companyId: randomUUID(), country: 'US', corporationTypeInfo: { US: { state: 'DE', corporationType: 'CCorp' } } };
  const { signedFormUrl } = (await made(platform.send('POST', '/incorporation-requests', request) as never)) as { signedFormUrl: string };
  await made(platform.send('POST', '/products', { corporation_id: corporationId, name: 'Teapot', sku: 'T-1' }) as never);
  // Resources of which the demo data have none: one of each corporation.
  const owners = await rowsOf(gateway, 'select id from corporation where organisation_id = $1', [id]);
  for (const { record, many } of resources) {
    const known = await rowsOf(gateway, `select 1 from "${modelOf(record).table}" where organisation_id = $1 limit 1`, [id]);
    const { platform_id: _, ...sample } = sampleBody(record);
    for (const { id: corporation_id } of known.length > 0 ? [] : owners)
      await made(platform.send('POST', `/${snakeCase(many)}`, { ...sample, corporation_id }) as never);
  }
  const receiver = await startReceiver();
  const webhook = (await made(platform.send('POST', '/webhooks', { url: receiver.url, topics }) as never)) as { id: string };
  await made(platform.send('POST', `/webhooks/test/trigger/${webhook.id}`, { event_data: { topic: 'corporation.updated' } }) as never);
  // Another company of the organisation, because the records of the first belong to the source that made them.
  const connected = await gateway.send('POST', '/v4/core/companies', { headers: ledger, body: { data: { name: 'Connected' } } });
  const connections = `/v4/core/companies/${connected.body.data.ledger_id}/connections`;
  const connection = (await made(gateway.send('POST', connections, { headers: ledger, body: { data: { source: 'DEMO' } } }) as never)) as {
    id: string;
  };
  const { url } = (await made(gateway.send('POST', `${connections}/${connection.id}/link`, { headers: ledger }) as never)) as {
    url: string;
  };
  // One that has ended does not change what happens to the records of the first.
  await rowsOf(
    gateway,
    `insert into connection (id, organisation_id, company_id, source, status, status_since, interval_minutes, settings, cursors, created_at, updated_at)
     values ($1, $2, $3, 'DEMO', 'DISCONNECTED', now(), 60, '{}', '{}', now(), now())`,
    [newId('connection'), id, companyId],
  );
  const formOf = async (form: FormData): Promise<{ headers: Record<string, string>; raw: Uint8Array }> => {
    const encoded = new Response(form);
    const headers = { ...ledger, 'content-type': encoded.headers.get('content-type')! };
    return { headers, raw: new Uint8Array(await encoded.arrayBuffer()) };
  };
  const inbox = new FormData();
  inbox.set('data_model', 'TAX_RATE');
  inbox.set('file', new Blob(['platform_id,name\nt1,VAT\n']), 'rates.csv');
  await made(gateway.send('POST', `/v4/core/companies/${companyId}/imports`, await formOf(inbox)) as never);
  const sync = (await made(
    gateway.send('POST', `/v4/core/companies/${companyId}/syncs`, { headers: ledger, body: { data: {} } }) as never,
  )) as { id: string };
  await endOfSync(gateway, { headers: ledger }, sync.id);
  // Its reports are of the source alone, so it is a company of its own.
  const kept = (await made(
    gateway.send('POST', '/v4/core/companies', { headers: ledger, body: { data: { name: 'Books' } } }) as never,
  )) as {
    ledger_id: number;
  };
  const postings = [
    { account_id: 'a', amount: 1 },
    { account_id: 'b', amount: -1 },
  ];
  const transactions = new FormData();
  transactions.set('data_model', 'LEDGER_TRANSACTION');
  transactions.set('file', new Blob([JSON.stringify([{ platform_id: 't1', date: '2026-01-01', postings }])]), 'transactions.json');
  await made(gateway.send('POST', `/v4/core/companies/${kept.ledger_id}/imports`, await formOf(transactions)) as never);
  const pull = (await made(
    gateway.send('POST', `/v4/core/companies/${kept.ledger_id}/syncs`, { headers: ledger, body: { data: {} } }) as never,
  )) as { id: string };
  await endOfSync(gateway, { headers: ledger }, pull.id);
  // The newest record of each type is named by another, so that the lists that lead back from it are not empty.
  const newestOf = async ({ table }: Model): Promise<number> =>
    Number((await rowsOf(gateway, `select max(ledger_id) as id from "${table}" where company_id = $1`, [companyId]))[0]!.id);
  // Next to the newest account, the last one made before it: the first ones are those that examples show.
  const second = 'select ledger_id as id from account where company_id = $1 order by ledger_id desc offset 1 limit 1';
  const [account] = await rowsOf(gateway, second, [companyId]);
  for (const { source, target, from, isAmong, where } of ledgerRecords.flatMap(reverseListsOf)) {
    const named = await newestOf(target);
    const path = `/v4/core/companies/${companyId}/${listName(source.class as never)}`;
    const data = { [snakeCase(from)]: isAmong ? [named] : named };
    // One record names one record of several types, so each type has one of its own.
    for (const [type, value] of Object.entries(where ?? {})) {
      const body = { data: { ...data, platform_id: `of ${value}`, [snakeCase(type)]: value } };
      await made(gateway.send('POST', path, { headers: ledger, body }) as never);
    }
    const number = source === target ? account!.id : await newestOf(source);
    if (!where) await made(gateway.send('PUT', `${path}/${number}`, { headers: ledger, body: { data } }) as never);
  }
  for (const target of ledgerRecords.filter(isDocument)) {
    const scan = new FormData();
    scan.set('file', new Blob(['%PDF-1.7 a scan']), 'scan.pdf');
    const path = `/v4/core/companies/${companyId}/${listName(target)}/${await newestOf(modelOf(target))}/attachments`;
    await made(gateway.send('POST', path, await formOf(scan)) as never);
  }
  // After the files of documents, because the newest file is the one that a caller of the platform API sees.
  const parts = { corporation_id: corporationId };
  const file = (await made(platform.upload('sku,name\nA-1,Kettle\n', { parts }) as never)) as { id: string };
  await made(platform.send('POST', '/products/bulk_upload/csv', { file_id: file.id, corporation_id: corporationId }) as never);
  await made(gateway.send('POST', '/v4/core/disconnect-requests', { headers: ledger, body: { data: { company_id: companyId } } }) as never);
  const entity = await gateway.send('GET', `/api/v1/public/business-entities/${businessEntityId}/registrations`, {
    headers: { 'x-api-key': key },
  });
  const documents = entity.text.match(/http[^"]*\/downloads\/[^"]*/g) ?? [];
  await settled(gateway, id);
  await receiver.stop();
  const links = [signedFormUrl, url, ...documents].map((link) => new URL(link).pathname + new URL(link).search);
  return { key, organisationId: id, companyId, businessEntityId: businessEntityId!, links };
}

/** The values of a column in a tenant's rows, newest first; of its company where rows belong to one. */
async function valuesOf(gateway: Gateway, tenant: Tenant, model: Model, prop: string): Promise<unknown[]> {
  const column = model.props.get(prop)!.column;
  const company = model.companyColumn ? `and ${model.companyColumn} = ${tenant.companyId}` : '';
  const alive = model.deletedAt ? `and ${model.props.get(model.deletedAt)!.column} is null` : '';
  const rows = await rowsOf(
    gateway,
    `select ${column} as value from "${model.table}" where organisation_id = $1 ${company} ${alive} order by ${model.props.get(model.key)!.column} desc`,
    [tenant.organisationId],
  );
  return rows.map(({ value }) => (model.props.get(prop)!.kind === 'ledgerId' ? Number(value) : value));
}

const globalId = (model: Model, key: unknown): unknown => (typeof key === 'number' ? ledgerGlobalId(model.prefix, key) : key);

/** The ids that refer to a record of the tenant at this place. */
export async function idsOf(
  gateway: Gateway,
  tenant: Tenant,
  place: Place,
  reference: Exclude<Reference, { kind: 'cursor' }>,
): Promise<unknown[]> {
  if (reference.kind === 'any') {
    const named = owned.filter((model) => ['id', 'ledgerId', 'businessEntityId'].includes(model.key));
    const ids = await Promise.all(
      named.map(async (model) => (await valuesOf(gateway, tenant, model, model.key)).slice(0, 1).map((key) => globalId(model, key))),
    );
    return ids.flat();
  }
  // A filter gets a record that some row names, so that it finds something.
  const filtered = /Filter$/.test(place.owner) ? modelOfOwner(place.owner) : undefined;
  const named = filtered?.props.has(place.name) ? (await valuesOf(gateway, tenant, filtered, place.name)).find(Boolean) : undefined;
  const value = named ?? (await valuesOf(gateway, tenant, reference.model, reference.prop))[0];
  if (value === undefined) throw new Error(`the organisations have no ${reference.model.name}: make one in tenants.ts`);
  if (place.type.name === 'UUID') return [toUUID(String(value) as never)];
  return [place.type.name === 'ID' && typeof value === 'number' ? globalId(reference.model, value) : value];
}

let unknowns = 0;

/** A value of the same form as an id, which names nothing. */
export function unknownLike(id: unknown): unknown {
  unknowns++;
  if (typeof id === 'number') return 900_000_000 + unknowns;
  const text = String(id);
  if (/^[0-9a-f]{8}-/.test(text)) return randomUUID();
  const cut = text.lastIndexOf('_');
  if (/^\d+$/.test(text.slice(cut + 1)) && cut > 0) return `${text.slice(0, cut)}_${900_000_000 + unknowns}`;
  return /^[a-z_]+_[0-9a-z]{26}$/.test(text) ? newId(text.slice(0, cut)) : freshText();
}

/** A text that is not in use. */
export const freshText = (): string => `fresh-${++unknowns}`;

/** Sets the key of one of the tenant's rows to an unused text, and returns the text. */
export async function freshTextKey(gateway: Gateway, tenant: Tenant, model: Model, prop: string): Promise<string> {
  const text = freshText();
  const column = model.props.get(prop)!.column;
  const company = model.companyColumn ? `and ${model.companyColumn} = ${tenant.companyId}` : '';
  const changed = await rowsOf(
    gateway,
    `update "${model.table}" set ${column} = $2 where organisation_id = $1 and ${model.props.get(model.key)!.column} = (select max(${model.props.get(model.key)!.column}) from "${model.table}" where organisation_id = $1 ${company}) returning 1`,
    [tenant.organisationId, text],
  );
  if (changed.length !== 1) throw new Error(`the organisations have no ${model.name}: make one in tenants.ts`);
  return text;
}

/** Everything an organisation stores except the keys that `freshTextKey` changes, one digest per table. What waits to be sealed is sealed before. */
export async function digestOf(gateway: Gateway, tenant: Tenant): Promise<Record<string, string>> {
  await verifyChains(gateway.services, tenant.organisationId, null);
  const digests = owned.map(
    ({ table }) =>
      `select '${table}' as name, count(*) || ' rows, ' || coalesce(md5(string_agg(r, '|' order by r)), '') as digest from (select (to_jsonb(t) - '{platform_id,external_id,email_alias,sku}'::text[])::text as r from "${table}" t where organisation_id = $1) rows`,
  );
  const rows = await rowsOf(gateway, digests.join(' union all '), [tenant.organisationId]);
  return Object.fromEntries(rows.map(({ name, digest }) => [name, String(digest)]));
}
