// The records as users of the ORM see them: every entity is found, counted and populated through the ORM, and equals what the reader returns.

import { GraphQLString } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ReadScope } from '../../src/database/reader/conditions.ts';
import { FieldTree } from '../../src/database/reader/field-tree.ts';
import { projectionFor } from '../../src/database/reader/projection.ts';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { Event } from '../../src/events/event.ts';
import { Attachment } from '../../src/integrations/attachments/attachment.ts';
import { Company } from '../../src/integrations/companies/company.ts';
import { Connection } from '../../src/integrations/connections/connection.ts';
import { InboxFile } from '../../src/integrations/connectors/files/inbox-file.ts';
import { DisconnectRequest } from '../../src/integrations/disconnects/request.ts';
import { Account } from '../../src/integrations/records/account.ts';
import { Contact } from '../../src/integrations/records/contact.ts';
import { LineItem } from '../../src/integrations/records/line-item.ts';
import { BusinessEntity } from '../../src/platform/business-entities/business-entity.ts';
import { Corporation } from '../../src/platform/corporations/corporation.ts';
import { IncorporationRequest } from '../../src/platform/incorporation/request.ts';
import { ImportJob } from '../../src/platform/products/imports/job.ts';
import { Registration } from '../../src/platform/registrations/registration.ts';
import { newId } from '../../src/records/ids.ts';
import { type Model, modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { entities } from '../../src/registry.ts';
import { WebhookAttempt, WebhookDelivery } from '../../src/webhooks/delivery.ts';
import { Webhook } from '../../src/webhooks/webhook.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway({ demoData: true });
const models = entities.map((entity) => modelOf(entity));
let organisationId: number;

beforeAll(async () => {
  const { database, reader, clock } = gateway.services;
  const [company] = await reader.find(Company, { where: {}, limit: 1 }, ['organisationId'], {
    tenant: { organisationId: 1, companyIds: null },
  });
  organisationId = company!.organisationId;
  const stranger = await gateway.key(['INTEGRATIONS'], 'Stranger');
  await gateway.graphql(stranger, 'mutation { createCompany(input: { name: "Strange" }) { company { ledgerId } } }');
  // The demo organisation has no webhook, import, registration or incorporation request.
  await organisationTransaction(database, organisationId, async (em) => {
    const now = clock.now();
    const own = { organisationId, createdAt: now };
    const event = {
      id: newId('evt'),
      organizationId: 'org_demo',
      topic: 'WEBHOOK_TEST',
      data: {},
      test: true,
      triggeredAt: now,
      commitOrder: 1,
    };
    const webhook = {
      id: newId('whk'),
      url: 'https://example.com',
      topics: ['ALL'],
      secretPreview: '',
      status: 'ENABLED',
      updatedAt: now,
      sealedSecret: '',
    };
    const delivery = { id: newId('dlv'), webhookId: webhook.id, eventId: event.id, status: 'DELIVERED', turn: 0, attemptsLeft: 9 };
    em.create(Event, { ...event, organisationId });
    em.create(Webhook, { ...own, ...webhook });
    em.create(WebhookDelivery, { ...own, ...delivery });
    const corporation = await em.findOneOrFail(Corporation, { archivedAt: null });
    const counts = { totalRows: 0, processedRows: 0, createdCount: 0, updatedCount: 0, unchangedCount: 0, failedCount: 0 };
    const file = { fileId: newId('file'), fileName: 'products.csv', header: ['name'], updateProtectedColumns: false };
    const job = { id: newId('job'), corporationId: corporation.id, status: 'FAILED', updatedAt: now } as const;
    em.create(ImportJob, { ...own, ...job, ...file, ...counts });
    em.create(WebhookAttempt, { id: newId('att'), organisationId, deliveryId: delivery.id, status: 200, duration: 5, at: now });
    const [company] = await em.find(Company, {}, { limit: 1 });
    const companyId = company!.ledgerId;
    const attached = { documentType: 'BILL', documentId: 1, fileId: newId('file'), name: 'a.pdf', mimeType: 'application/pdf', size: 1 };
    em.create(Attachment, { ...own, ...attached, id: newId('attachment'), companyId });
    em.create(InboxFile, { ...own, id: newId('import'), companyId, dataModel: 'TAX_RATE', recordCount: 1, records: '[]', size: 2 });
    const schedule = { statusSince: now, intervalMinutes: 60, settings: {}, cursors: {}, updatedAt: now };
    em.create(Connection, { ...own, ...schedule, id: newId('connection'), companyId, source: 'DEMO', status: 'PAUSED' });
    const request = { ledgerId: 1, ledgerCompanyId: companyId, companyName: 'Demo', integrationType: 'SANDBOX', status: 'REJECTED' };
    em.create(DisconnectRequest, { organisationId, ledgerCreatedAt: now, ...request });
    const [entity] = await em.find(BusinessEntity, {}, { limit: 1 });
    em.create(Registration, {
      ...own,
      id: newId('reg'),
      corporationId: corporation.id,
      registrationContentId: 'US_CA_RST',
      jurisdictionId: 'JUR_US_CA',
      jurisdictionType: 'STATE_OR_PROVINCE',
      jurisdictionName: 'California',
      registrationType: 'EXISTING',
      storedStatus: 'REGISTERED',
      validationStatus: 'PENDING',
      inputValues: {},
      registeredBy: 'API',
      updatedAt: now,
    });
    em.create(IncorporationRequest, {
      ...own,
      id: newId('inc'),
      companyId: '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10',
      country: 'US',
      corporationType: 'CCorp',
      status: 'Succeeded',
      linkExpiresAt: now,
      nonce: '',
      businessEntityId: entity!.businessEntityId,
      updatedAt: now,
    });
  });
});

/** Most records of a type that are populated; of each type but the subdivisions of ISO 3166 there are fewer. */
const MOST = 300;

type Values = Record<string, unknown>;

const scopeOf = ({ scope }: Model): ReadScope => ({
  tenant: scope === 'shared' ? null : { organisationId, companyIds: null },
  includeDeleted: true,
});

/** A fork of the entity manager that sees the rows of the demo organisation. */
function manager() {
  const em = gateway.services.database.orm.em.fork();
  em.setFilterParams('tenant', { organisationId });
  return em;
}

/** A value of an entity or a row in one form: moments in milliseconds, bytes in hexadecimal. */
function plain(value: unknown, kind: string): unknown {
  if (value === null || value === undefined) return null;
  if (kind === 'moment') return new Date(value as string).getTime();
  if (kind === 'bytes') return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
  return kind === 'object' || kind === 'list' || kind === 'json' ? JSON.parse(JSON.stringify(value)) : value;
}

const keyOf = (model: Model, row: Values): string => model.primaryKey.map((name) => row[name]).join('/');

const valuesOf = (model: Model, row: Values): Values =>
  Object.fromEntries([...model.props.values()].map((prop) => [prop.name, plain(row[prop.name], prop.kind)]));

const find = (model: Model, populate: string[] = []): Promise<Values[]> =>
  manager().find(
    model.class as RecordClass<Values>,
    {},
    { populate: populate as never[], ...(populate.length > 0 ? { limit: MOST, orderBy: { [model.key]: 'asc' } } : {}) },
  ) as Promise<Values[]>;

describe.each(models.map((model) => [model.name, model] as const))('%s', (_, model) => {
  test('the ORM finds and counts what the reader returns', async () => {
    const found = await find(model);
    const read = await gateway.services.reader.find<object, string>(model.class, { where: {} }, [...model.props.keys()], scopeOf(model));
    const byKey = (rows: Values[]): Map<string, Values> => new Map(rows.map((row) => [keyOf(model, row), valuesOf(model, row)]));
    expect(byKey(found)).toEqual(byKey(read));
    expect(await manager().count(model.class as RecordClass<Values>)).toBe(read.length);
  });

  test('the ORM populates each relation with the records the reader attaches', async () => {
    for (const relation of model.relations.values()) {
      const target = modelOf(relation.target());
      const tree = new FieldTree(GraphQLString, [[relation.name, new FieldTree(GraphQLString)]]);
      const read = await gateway.services.reader.findRows(
        projectionFor(model, tree),
        { where: {}, order: { by: [] }, limit: MOST },
        scopeOf(model),
      );
      const attached = (row: Values): unknown[] => {
        const value = row[relation.name];
        const records = (Array.isArray(value) ? value : value === null ? [] : [value]) as Values[];
        // A stand-in is computed where no record is stored.
        return records
          .map((one) => one[target.key])
          .filter((key) => key !== null)
          .sort();
      };
      const populated = (row: Values): unknown[] => {
        const value = row[relation.name] as { getItems?: () => Values[] } | Values | null | undefined;
        const records = value && 'getItems' in value ? (value.getItems as () => Values[])() : value ? [value as Values] : [];
        const live = relation.many && target.deletedAt ? records.filter((one) => one[target.deletedAt!] == null) : records;
        return live.map((one) => one[target.key]).sort();
      };
      const entitiesFound = await find(model, [relation.name]);
      const expected = new Map(read.map((row) => [row[model.key], attached(row)]));
      expect([relation.name, new Map(entitiesFound.map((row) => [row[model.key], populated(row)]))]).toEqual([relation.name, expected]);
    }
  });
});

test('the tables that relations lead to and from have rows, so the comparison is not empty', async () => {
  const counts = await Promise.all(
    models
      .filter(({ relations }) => relations.size > 0)
      .map(async (model) => [model.name, await manager().count(model.class as RecordClass<Values>)]),
  );
  expect(counts.filter(([, count]) => count === 0).map(([name]) => name)).toEqual([]);
});

test('an entity manager without an organisation finds nothing and throws', async () => {
  for (const model of models.filter(({ scope }) => scope === 'organisation'))
    await expect(gateway.services.database.orm.em.fork().find(model.class as RecordClass<Values>, {})).rejects.toThrow('tenant');
});

test('the classes are typed for the ORM: conditions, relations to populate and their members', async () => {
  const accounts = await manager().find(Account, { name: { $ne: null } }, { populate: ['company', 'parentAccount', 'currency'], limit: 5 });
  expect(accounts.map(({ company }) => company?.organisationId)).toEqual(accounts.map(() => organisationId));
  const lines = await manager().find(LineItem, { parentType: 'ESTIMATE' }, { populate: ['parent', 'item'], limit: 5 });
  expect(lines.map(({ parent }) => parent?.ledgerId)).toEqual(lines.map(({ parentId }) => parentId));
  const [contact] = await manager().find(Contact, {}, { populate: ['addresses'], limit: 1 });
  expect(contact!.addresses.getItems().every(({ parentId }) => parentId === contact!.ledgerId)).toBe(true);
  // @ts-expect-error: a misspelt property does not compile.
  await expect(manager().find(Account, { nmae: 'Cash' })).rejects.toThrow();
  // @ts-expect-error: nor does one of the reader.
  await expect(gateway.services.reader.one(Account, { nmae: 'Cash' }, ['name'], scopeOf(modelOf(Account)))).rejects.toThrow('nmae');
});
