// References of pulled records: by the ids of the source, put aside while the records they name are missing, and resolved when those come.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { LedgerIds } from '../../src/database/ledger-ids.ts';
import type { EntityManager } from '../../src/database/open.ts';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { connectedCompany } from '../../src/integrations/companies/company.ts';
import type { LedgerRecord } from '../../src/integrations/ledger/ledger-record.ts';
import { inOrderOfReferences } from '../../src/integrations/ledger/references.ts';
import { Account } from '../../src/integrations/records/account.ts';
import { Contact } from '../../src/integrations/records/contact.ts';
import { InvoiceCreditNote } from '../../src/integrations/records/invoice-credit-note.ts';
import { Item } from '../../src/integrations/records/item.ts';
import { Payment } from '../../src/integrations/records/payment.ts';
import { PurchaseOrder } from '../../src/integrations/records/purchase-document.ts';
import { TaxRate } from '../../src/integrations/records/tax-rate.ts';
import { resolveArrived, resolveStored } from '../../src/integrations/writes/arrived-records.ts';
import type { RecordInput, WriteScope } from '../../src/integrations/writes/change.ts';
import { writeRemaining } from '../../src/integrations/writes/remaining.ts';
import { storedForm } from '../../src/integrations/writes/source-form.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { countingStatements } from '../../src/runtime/statement-count.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;

beforeEach(async () => {
  company = await buildCompany(gateway);
});

type Body = Record<string, unknown>;

const send = (method: string, path: string, body?: unknown, owner = company) =>
  gateway.send(method, path, { headers: owner.headers, body });

async function upload(dataModel: string, file: string, owner = company): Promise<void> {
  const { body } = await gateway.graphql(
    owner.key,
    'mutation ($id: ID!, $model: DataModel!, $file: Upload!) { importRecords(input: { companyId: $id, dataModel: $model, file: $file }) { file { id } } }',
    { id: owner.id, model: dataModel, file },
  );
  expect(body.errors).toBeUndefined();
}

/** Pulls some data models; every record must be stored. */
async function pull(dataModels: string[], owner = company, fullSync = false) {
  const requested = await send('POST', `${owner.base}/syncs`, { data: { dataModels, fullSync } }, owner);
  expect(requested.status, requested.text).toBe(201);
  const sync = await endOfSync(gateway, owner, requested.body.data.id);
  const failed = (await jobsOf(gateway, owner, sync.id)).filter(({ status }) => status === 'FAILED');
  expect([sync.status, failed]).toEqual(['SUCCESS', []]);
  return sync;
}

/** Uploads records of one data model and pulls them. */
async function deliver(dataModel: string, records: Body[], owner = company) {
  await upload(dataModel, JSON.stringify(records), owner);
  return pull([dataModel], owner);
}

const list = async (records: string, query = '', owner = company): Promise<Body[]> =>
  (await send('GET', `${owner.base}/${records}${query}`, undefined, owner)).body.data;

/** What the table of open references has of a company. */
const openRows = (owner = company): Promise<Body[]> =>
  gateway.services.database.orm.em
    .fork()
    .getConnection()
    .execute<Body[]>('select property, position, platform_id, is_open from open_reference where company_id = ? order by 1, 2, 3', [
      owner.id,
    ]);

async function issuesOf(owner = company) {
  const { body } = await gateway.graphql(
    owner.key,
    `query ($id: ID!) { company(id: $id) { purchaseOrders { nodes { platformId integrityIssues { rule field message }
       lineItems { integrityIssues { rule field message } } } } } }`,
    { id: owner.id },
  );
  expect(body.errors, JSON.stringify(body.errors)).toBeUndefined();
  return body.data.company.purchaseOrders.nodes;
}

const order = (id: string, contact: unknown): Body => ({
  platform_id: id,
  contact_id: contact,
  line_items: [{ platform_id: '1', item_id: 'I-1', account_id: 'A-1', tax_id: 'T-1', variant_id: 'V-1' }],
});

describe('an order that comes before what it names', () => {
  // Events are stored for those who follow them.
  beforeEach(async () => {
    company = await buildCompany(gateway, { key: await gateway.key(['INTEGRATIONS', 'PLATFORM']) });
    const follow = 'mutation { createWebhook(input: { url: "https://example.org/hook", topics: [ALL], name: "all" }) { webhook { id } } }';
    expect((await gateway.graphql(company.key, follow)).body.errors).toBeUndefined();
  });

  const events = async (): Promise<unknown[]> => {
    const rows = await gateway.services.database.orm.em
      .fork()
      .getConnection()
      .execute<Record<string, string>[]>(
        "select operation, data_model from event where company_id = ? and topic = 'DATA_MODEL_CHANGES' order by id",
        [company.id],
      );
    return rows.map(({ operation, data_model }) => `${operation} ${data_model}`);
  };

  it('is stored with its references open, and an issue keeps each id', async () => {
    await deliver('PURCHASE_ORDER', [order('PO-1', 'C-7')]);
    const [stored] = await list('purchase_orders', '?expand=line_items');
    expect(stored).toMatchObject({ platform_id: 'PO-1', contact_id: null });
    expect(stored!.line_items).toMatchObject([{ item_id: null, account_id: null, tax_id: null, variant_id: null }]);
    const [seen] = await issuesOf();
    expect(seen.integrityIssues).toEqual([{ rule: 'OPEN_REFERENCE', field: 'contactId', message: expect.stringContaining('"C-7"') }]);
    expect(seen.lineItems[0].integrityIssues).toEqual(
      [
        ['accountId', 'A-1'],
        ['itemId', 'I-1'],
        ['taxId', 'T-1'],
        ['variantId', 'V-1'],
      ].map(([field, id]) => ({ rule: 'OPEN_REFERENCE', field, message: expect.stringContaining(`"${id}"`) })),
    );
  });

  it('pulled again, it does not change, and no reference is doubled', async () => {
    await deliver('PURCHASE_ORDER', [order('PO-1', 'C-7')]);
    const [before, rows, reported] = [
      await list('purchase_orders', '?expand=line_items&select=data_hash'),
      await openRows(),
      await events(),
    ];
    expect(rows).toHaveLength(5);
    await deliver('PURCHASE_ORDER', [order('PO-1', 'C-7')]);
    await deliver('PURCHASE_ORDER', [{ ...order('PO-1', null), contact_id: undefined, contact: { platform_id: 'C-7' } }]);
    expect(await list('purchase_orders', '?expand=line_items&select=data_hash')).toEqual(before);
    expect([await openRows(), await events()]).toEqual([rows, reported]);
  });

  it('is completed by later pulls, each with a new version and one event, like one that came last', async () => {
    await deliver('PURCHASE_ORDER', [order('PO-1', 'C-7')]);
    const versions = new Set<unknown>();
    const parts: [string, Body][] = [
      ['CONTACT', { platform_id: 'C-7' }],
      ['TAX_RATE', { platform_id: 'T-1' }],
      ['ACCOUNT', { platform_id: 'A-1' }],
      ['ITEM', { platform_id: 'I-1', variants: [{ platform_id: 'V-1' }] }],
    ];
    for (const [dataModel, record] of parts) {
      const reported = (await events()).length;
      await deliver(dataModel, [record]);
      expect((await events()).slice(reported)).toEqual([`CREATE ${dataModel}`, 'UPDATE PURCHASE_ORDER']);
      versions.add((await list('purchase_orders'))[0]!.ledger_updated_at);
    }
    expect(versions.size).toBe(parts.length);
    expect(await openRows()).toEqual([]);
    const [seen] = await issuesOf();
    expect([seen.integrityIssues, seen.lineItems[0].integrityIssues]).toEqual([[], []]);
    const complete = await list('purchase_orders', '?expand=contact,line_items&select=data_hash');
    expect(complete).toMatchObject([{ contact: { platform_id: 'C-7' }, line_items: [{ platform_id: '1' }] }]);
    // A write of the same content finds the same hash.
    await deliver('PURCHASE_ORDER', [order('PO-1', 'C-7')]);
    expect(await list('purchase_orders', '?expand=contact,line_items&select=data_hash')).toEqual(complete);
  });

  it('waits for what the source names last', async () => {
    await deliver('PURCHASE_ORDER', [order('PO-1', 'C-7'), order('PO-2', 'C-7')]);
    await deliver('PURCHASE_ORDER', [order('PO-1', 'C-8'), order('PO-2', null)]);
    const waiting = (await openRows()).filter(({ property }) => property === 'contactId');
    expect(waiting).toMatchObject([{ platform_id: 'C-8' }]);
    await deliver('CONTACT', [{ platform_id: 'C-7' }]);
    expect((await list('purchase_orders')).map(({ contact_id }) => contact_id)).toEqual([null, null]);
    await deliver('CONTACT', [{ platform_id: 'C-8' }]);
    const [first, second] = await list('purchase_orders', '?expand=contact');
    expect([(first!.contact as Body).platform_id, second!.contact_id]).toEqual(['C-8', null]);
  });

  it('keeps what a caller wrote, and its references go with it', async () => {
    const other = await send('PUT', `${company.base}/contacts`, { data: { platform_id: 'C-0' } });
    await deliver('PURCHASE_ORDER', [order('written', 'C-7'), order('cleared', 'C-7'), order('deleted', 'C-7')]);
    const contact_id = other.body.data.data.ledger_id;
    await send('PUT', `${company.base}/purchase_orders`, { data: { platform_id: 'written', contact_id } });
    await send('PUT', `${company.base}/purchase_orders`, { data: { platform_id: 'cleared', contact_id: null, line_items: [] } });
    const { ledger_id } = (await list('purchase_orders', '?platform_id=deleted'))[0]!;
    await send('DELETE', `${company.base}/purchase_orders/${ledger_id}`);
    expect((await openRows()).map(({ property }) => property)).toEqual(['accountId', 'itemId', 'taxId', 'variantId']);
    await deliver('CONTACT', [{ platform_id: 'C-7' }]);
    expect((await list('purchase_orders')).map((row) => [row.platform_id, row.contact_id])).toEqual([
      ['written', contact_id],
      ['cleared', null],
    ]);
  });

  it('stays changed here when its references come, and is sent to the source with those that are open', async () => {
    await deliver('PURCHASE_ORDER', [order('PO-1', 'C-7')]);
    const changed = await send('PUT', `${company.base}/purchase_orders`, { data: { platform_id: 'PO-1', description: 'changed here' } });
    expect(changed.status, changed.text).toBe(200);
    await deliver('ITEM', [{ platform_id: 'I-1', variants: [{ platform_id: 'V-1' }] }]);
    const [stored] = await list('purchase_orders', '?expand=line_items.item');
    expect(stored).toMatchObject({ description: 'changed here', line_items: [{ item: { platform_id: 'I-1' } }] });
    const states = 'query ($id: ID!) { company(id: $id) { purchaseOrders { nodes { sourceState } } } }';
    const { body } = await gateway.graphql(company.key, states, { id: company.id });
    expect(body.data.company.purchaseOrders.nodes).toEqual([{ sourceState: 'LOCAL' }]);
    const { organisationId } = (await gateway.services.keys.find(company.key))!;
    const { schema, database } = gateway.services;
    const query = {
      schema,
      organisationId: organisationId!,
      companyId: company.id,
      target: PurchaseOrder,
      ledgerId: Number(stored!.ledger_id),
    };
    const { record } = await organisationTransaction(database, organisationId!, (em) => storedForm(em, query));
    expect(record).toMatchObject({
      contact_id: 'C-7',
      line_items: [{ item_id: 'I-1', variant_id: 'V-1', account_id: 'A-1', tax_id: 'T-1' }],
    });
  });

  it('finds what a caller stored under the id of the source at the next pull', async () => {
    await deliver('PURCHASE_ORDER', [order('PO-1', 'C-7')]);
    const made = await send('POST', `${company.base}/contacts`, { data: { platform_id: 'C-7' } });
    await deliver('TAX_RATE', [{ platform_id: 'another' }]);
    expect(await list('purchase_orders')).toMatchObject([{ contact_id: made.body.data.data.ledger_id }]);
  });
});

it('the plain id of a file is the id of the source, also where it looks like a number', async () => {
  const first = await send('PUT', `${company.base}/contacts`, { data: { platform_id: 'C-1' } });
  const number = first.body.data.data.ledger_id;
  const named = await send('PUT', `${company.base}/contacts`, { data: { platform_id: '007' } });
  const lines = JSON.stringify([{ item_id: 7 }]).replaceAll('"', '""');
  await upload(
    'PURCHASE_ORDER',
    `platform_id,contact_id,contact,line_items\na,007,,"${lines}"\nb,${number},,\nc,,"{""platform_id"": ""C-1""}",\n`,
  );
  await upload('ITEM', 'platform_id\n7\n');
  await pull(['PURCHASE_ORDER', 'ITEM']);
  const rows = await list('purchase_orders', '?expand=line_items.item');
  expect(rows.map(({ contact_id }) => contact_id)).toEqual([named.body.data.data.ledger_id, null, number]);
  expect(rows[0]!.line_items).toMatchObject([{ item: { platform_id: '7' } }]);
  expect(await openRows()).toMatchObject([{ property: 'contactId', platform_id: String(number) }]);
});

it('a contact that comes with its fields is created from the order; a bare id never makes one', async () => {
  await deliver('PURCHASE_ORDER', [
    { platform_id: 'a', contact: { platform_id: 'C-1' } },
    { platform_id: 'b', contact: { platform_id: 'C-1', name: 'Acme' } },
    { platform_id: 'c', contact_id: 'C-2' },
  ]);
  expect(await list('contacts')).toMatchObject([{ platform_id: 'C-1', name: 'Acme' }]);
  const named = (await list('purchase_orders')).map(({ contact_id }) => contact_id !== null);
  expect(named).toEqual([true, true, false]);
});

it('a relation that is shown as a list takes an id alone, a list of one and none', async () => {
  await deliver('CONTACT', [{ platform_id: 'C-1' }]);
  await deliver('ESTIMATE', [
    { platform_id: 'a', contact_id: 'C-1' },
    { platform_id: 'b', contact: [{ platform_id: 'C-1' }] },
    { platform_id: 'c', contact: { platform_id: 'C-1' } },
    { platform_id: 'd', contact: [] },
    { platform_id: 'e', contact: null, contact_id: '' },
    { platform_id: 'f', contact: { ledger_id: null, platform_id: null } },
  ]);
  const named = (await list('estimates')).map((row) => [row.platform_id, row.contact_id !== null]);
  expect(Object.fromEntries(named)).toEqual({ a: true, b: true, c: true, d: false, e: false, f: false });
});

it('a variant is that of the item next to it, though another item with a variant of this id comes first', async () => {
  const items = ['I-0', 'I-1'].map((id) => ({ platform_id: id, variants: [{ platform_id: 'V' }] }));
  await deliver('PURCHASE_ORDER', [{ platform_id: 'PO', line_items: [{ item_id: 'I-1', variant_id: 'V' }] }]);
  const line = async () => ((await list('purchase_orders', '?expand=line_items.item,line_items.variant'))[0]!.line_items as Body[])[0]!;
  await deliver('ITEM', [items[0]!]);
  expect(await line()).toMatchObject({ item: null, variant: null });
  await deliver('ITEM', [items[1]!]);
  const { item_id, variant } = await line();
  expect(variant).toMatchObject({ platform_id: 'V', parent_id: item_id });
});

it('a list of references is complete and in the order of the source once its last record comes', async () => {
  const ids = ['PO-1', 'PO-2', 'PO-3'];
  await deliver('GOODS_RECEIPT_NOTE', [{ platform_id: 'G', purchase_order_ids: ids }]);
  for (const id of ['PO-2', 'PO-3', 'PO-1']) {
    await deliver('PURCHASE_ORDER', [{ platform_id: id }]);
    const numbers = new Map((await list('purchase_orders')).map((row) => [row.platform_id, row.ledger_id]));
    const [note] = await list('goods_receipt_notes');
    expect(note!.purchase_order_ids).toEqual(ids.flatMap((one) => numbers.get(one) ?? []));
  }
  expect(await openRows()).toEqual([]);
});

it('an account waits for the one above it, and accounts above each other are stored with the reference open', async () => {
  await deliver('ACCOUNT', [
    { platform_id: 'a', parent_account_id: 'b' },
    { platform_id: 'b', parent_account_id: 'c' },
    { platform_id: 'c' },
    { platform_id: 'x', parent_account_id: 'y' },
    { platform_id: 'y', parent_account_id: 'x' },
  ]);
  const rows = await list('accounts');
  const above = new Map(
    rows.map((row) => [row.platform_id, rows.find(({ ledger_id }) => ledger_id === row.parent_account_id)?.platform_id]),
  );
  expect([above.get('a'), above.get('b'), above.get('c')]).toEqual(['b', 'c', undefined]);
  expect([above.get('x'), above.get('y')]).toEqual([undefined, undefined]);
  expect((await openRows()).map(({ platform_id }) => platform_id)).toEqual(expect.arrayContaining(['x', 'y']));
});

it('a pull runs its data models in the order of their references', async () => {
  const models = ['GOODS_RECEIPT_NOTE', 'PURCHASE_ORDER', 'ITEM', 'CONTACT', 'ACCOUNT'];
  for (const model of models) await upload(model, 'platform_id\n1\n');
  const sync = await pull(models);
  const { body } = await send('GET', `/v4/core/syncs/${sync.id}/jobs`);
  const ran = body.jobs
    .toSorted((a: Body, b: Body) => (String(a.startTime) < String(b.startTime) ? -1 : 1))
    .map((job: Body) => job.dataModel);
  const place = (model: string) => ran.indexOf(model);
  expect(place('GOODS_RECEIPT_NOTE')).toBe(4);
  expect(place('PURCHASE_ORDER')).toBe(3);
});

it('in the order of references every type comes after those it names, in whichever order they are declared', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(ledgerRecords as RecordClass<LedgerRecord>[], { minLength: ledgerRecords.length }), (types) => {
      const names = inOrderOfReferences(types).map((type) => modelOf(type).name);
      const place = (name: string) => names.indexOf(name);
      expect(new Set(names).size).toBe(types.length);
      for (const [later, earlier] of [
        ['GoodsReceiptNote', 'PurchaseOrder'],
        ['PurchaseOrder', 'Contact'],
        ['PurchaseOrder', 'Item'],
        ['Estimate', 'Account'],
        ['BillCreditNote', 'TaxRate'],
        ['Contact', 'Currency'],
      ])
        expect(place(later!)).toBeGreaterThan(place(earlier!));
    }),
    { numRuns: 50, seed: 7 },
  );
});

/** Files of one company by a seed: records that name each other, one to three files of each data model. */
const deliveries = fc
  .record({
    accounts: fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }),
    contacts: fc.integer({ min: 1, max: 4 }),
    orders: fc.array(
      fc.record({ contact: fc.nat(5), lines: fc.array(fc.nat(5), { minLength: 1, maxLength: 4 }), isObject: fc.boolean() }),
      {
        minLength: 1,
        maxLength: 6,
      },
    ),
    notes: fc.array(fc.array(fc.nat(7), { maxLength: 4 }), { maxLength: 3 }),
    files: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ accounts, contacts, orders, notes, files }) => {
    const count = (length: number, prefix: string): Body[] => Array.from({ length }, (_, n) => ({ platform_id: `${prefix}-${n}` }));
    // Ids that are never sent, such as the last contacts, stay open.
    const records: Record<string, Body[]> = {
      ACCOUNT: accounts.map((above, n) => ({ platform_id: `A-${n}`, parent_account_id: above < n ? `A-${above}` : null })),
      CONTACT: count(contacts, 'C'),
      TAX_RATE: count(2, 'T'),
      // With three files each item comes alone, and others have variants of the same ids.
      ITEM: count(3, 'I').map((item) => ({ ...item, variants: count(2, 'V') })),
      PURCHASE_ORDER: orders.map(({ contact, lines, isObject }, n) => ({
        platform_id: `PO-${n}`,
        ...(isObject ? { contact: { platform_id: `C-${contact}` } } : { contact_id: `C-${contact}` }),
        line_items: lines.map((line) => ({
          item_id: `I-${line}`,
          variant_id: `V-${line % 3}`,
          account_id: `A-${line}`,
          tax: { platform_id: `T-${line % 3}` },
        })),
      })),
      GOODS_RECEIPT_NOTE: notes.map((named, n) => ({ platform_id: `G-${n}`, purchase_order_ids: named.map((id) => `PO-${id}`) })),
    };
    return Object.entries(records).flatMap(([dataModel, rows]) =>
      [...Map.groupBy(rows, (_) => rows.indexOf(_) % files).values()].map((file) => ({ dataModel, file })),
    );
  });

/** Everything of a company, its numbers as the records they name. */
async function contentOf(owner: TestCompany): Promise<unknown> {
  const lists = {
    accounts: '',
    contacts: '',
    tax_rates: '',
    items: '',
    purchase_orders: '?expand=line_items',
    goods_receipt_notes: '',
  };
  const found: Record<string, Body[]> = {};
  for (const [name, query] of Object.entries(lists)) found[name] = await list(name, query, owner);
  const names = new Map<unknown, string>();
  for (const [name, rows] of Object.entries(found))
    for (const row of rows) {
      names.set(row.ledger_id, `${name} ${row.platform_id}`);
      for (const variant of (row.variants ?? []) as Body[]) names.set(variant.ledger_id, `${row.platform_id} ${variant.platform_id}`);
    }
  const named = (name: string, value: unknown): unknown => {
    if (name.startsWith('ledger_')) return undefined;
    // A line to which the source has given no id has a random one.
    if (name === 'platform_id' && /^[0-9a-f]{8}-/.test(String(value))) return undefined;
    if (Array.isArray(value) && !name.endsWith('_ids')) return value;
    return /_ids?$/.test(name) && name !== 'platform_id' && value !== null
      ? [value].flat().map((number) => names.get(number) ?? `? ${number}`)
      : value;
  };
  const text = JSON.stringify(
    Object.fromEntries(
      Object.entries(found).map(([name, rows]) => [
        name,
        rows.toSorted((a, b) => (String(a.platform_id) < String(b.platform_id) ? -1 : 1)),
      ]),
    ),
    named,
  );
  expect(text).not.toContain('"? ');
  return JSON.parse(text);
}

it('files in any order give the records that the right order gives', async () => {
  const cases = deliveries.chain((files) => fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length })));
  let open = 0;
  await fc.assert(
    fc.asyncProperty(cases, async ([files, shuffled]) => {
      const [expected, actual] = [await buildCompany(gateway, { key: company.key }), await buildCompany(gateway, { key: company.key })];
      // One pull of all files runs in the right order on its own.
      for (const { dataModel, file } of files) await upload(dataModel, JSON.stringify(file), expected);
      await pull([...new Set(files.map(({ dataModel }) => dataModel))], expected);
      for (const { dataModel, file } of shuffled) await deliver(dataModel, file, actual);
      expect(await contentOf(actual)).toEqual(await contentOf(expected));
      const rows = await openRows(actual);
      expect(rows).toEqual(await openRows(expected));
      open += rows.length;
    }),
    { numRuns: 8, seed: 5, endOnFailure: true },
  );
  // The cases must have references that nothing resolves, and those that later files do.
  expect(open).toBeGreaterThan(0);
}, 120_000);

describe('the statements of a page', () => {
  /** Runs a part of a pull in a transaction of its own. */
  async function inPull<T>(work: (em: EntityManager, scope: WriteScope) => Promise<T>): Promise<T> {
    const { organisationId } = (await gateway.services.keys.find(company.key))!;
    return organisationTransaction(gateway.services.database, organisationId!, async (em) => {
      const row = await connectedCompany(em, organisationId!, company.id);
      // Numbers are read ahead, which takes a statement in some writes and none in others.
      const ledgerIds = new LedgerIds();
      await ledgerIds.take(em, 1);
      const now = gateway.clock.now();
      return work(em, {
        services: { ledgerIds, schema: gateway.services.schema },
        organisationId: organisationId!,
        company: row,
        now,
        isPull: true,
        changes: [],
        arrived: new Map(),
      });
    });
  }

  /** Writes records as a page of a pull does; returns how many statements that took. */
  const page = (target: RecordClass<LedgerRecord>, inputs: RecordInput[]): Promise<number> =>
    inPull((em, scope) => {
      const count = { sent: 0 };
      return countingStatements(count, async () => {
        const entries = inputs.map((input, index) => ({ path: `data[${index}]`, input }));
        const results = await writeRemaining(em, scope, target, entries, 'upsert');
        expect(results.filter((result) => result instanceof Error)).toEqual([]);
        await resolveArrived(em, scope);
        return count.sent;
      });
    });

  const many = (length: number, prefix: string): RecordInput[] => Array.from({ length }, (_, n) => ({ platformId: `${prefix}${n}` }));
  const line = (id: string) => ({
    item: { platformId: id },
    account: { platformId: id },
    tax: { platformId: id },
    variant: { platformId: id },
  });
  const orders = (prefix: string, count: number, lines: number, id: (n: number) => string): RecordInput[] =>
    many(count, prefix).map((order, n) => ({
      ...order,
      contact: { platformId: id(n) },
      lineItems: Array.from({ length: lines }, (_, place) => line(id(n + place))),
    }));

  it('are as many for one order as for two hundred, whether their references are found or open', async () => {
    for (const target of [Contact, Account, TaxRate]) await page(target, many(50, 'k'));
    await page(
      Item,
      many(50, 'k').map((item) => ({ ...item, variants: [{ platformId: item.platformId }] })),
    );
    const held = (n: number) => `k${n % 50}`;
    const missing = (n: number) => `m${n % 50}`;
    const found = await page(PurchaseOrder, orders('a', 1, 1, held));
    expect(await page(PurchaseOrder, orders('b', 200, 5, held))).toBe(found);
    const open = await page(PurchaseOrder, orders('c', 1, 1, missing));
    expect(await page(PurchaseOrder, orders('d', 200, 5, missing))).toBe(open);
    // One more for the references of the orders, and one for those of their lines.
    expect(open - found).toBe(2);
    expect((await openRows()).length).toBe(5 + 200 * (1 + 5 * 4));
  });

  it('that resolve references are as many for one as for hundreds', async () => {
    await page(PurchaseOrder, [...orders('a', 1, 1, () => 'few'), ...orders('b', 200, 5, () => 'many')]);
    for (const target of [Contact, Account, TaxRate]) {
      const few = await page(target, [{ platformId: 'few' }]);
      expect(await page(target, [{ platformId: 'many' }])).toBe(few);
    }
    const item = (id: string) => [{ platformId: id, variants: [{ platformId: id }] }];
    const few = await page(Item, item('few'));
    expect(await page(Item, item('many'))).toBe(few);
    // A page resolves the references of five hundred records; the end of a pull those of all.
    await page(
      PurchaseOrder,
      orders('c', 120, 5, () => 'later'),
    );
    for (const target of [Contact, Account, TaxRate]) await page(target, [{ platformId: 'later' }]);
    await page(Item, item('later'));
    const left = (await openRows()).length;
    expect(left).toBeGreaterThan(0);
    for (let after: number | undefined = 0; after !== undefined; ) {
      const last: number = after;
      after = await inPull((em, scope) => resolveStored(em, scope, last));
    }
    expect(await openRows()).toEqual([]);
  });
});

/** A record as its source would get it. */
async function formOf(target: RecordClass<LedgerRecord>, ledgerId: number): Promise<Body> {
  const { database, schema } = gateway.services;
  const organisationId = (await gateway.services.keys.find(company.key))!.organisationId!;
  const query = { schema, organisationId, companyId: company.id, target, ledgerId };
  return (await organisationTransaction(database, organisationId, (em) => storedForm(em, query))).record;
}

describe('documents that payments and credit notes name', () => {
  const paymentQuery = `query ($id: ID!) { company(id: $id) { payments { nodes { allocations {
    platformId documentType documentId document { __typename ... on Invoice { platformId } } integrityIssues { rule field message } } } } } }`;
  const allocationsOf = async (): Promise<Body[]> => {
    const { body } = await gateway.graphql(company.key, paymentQuery, { id: company.id });
    expect(body.errors).toBeUndefined();
    return body.data.company.payments.nodes.flatMap(({ allocations }: { allocations: Body[] }) => allocations);
  };

  it('an allocation waits for its document by the id of the source, plain or as an object', async () => {
    const allocations = [
      { platform_id: '1', document_type: 'INVOICE', document_id: 'I-1', amount: 5 },
      { platform_id: '2', document_type: 'INVOICE', document: { platform_id: 'I-2' }, amount: 6 },
      // A bill of the same id is another record.
      { platform_id: '3', document_type: 'BILL', document_id: 'I-1', amount: 7 },
      { platform_id: '4', document_type: 'UNKNOWN', document_id: 'X-1', amount: 8 },
    ];
    await deliver('PAYMENT', [{ platform_id: 'P-1', total_amount: 26, allocations }]);
    const open = await allocationsOf();
    expect(open.map(({ documentId }) => documentId)).toEqual([null, null, null, null]);
    expect(open.map(({ integrityIssues }) => integrityIssues)).toEqual(
      ['I-1', 'I-2', 'I-1', 'X-1'].map((id) => [
        { rule: 'OPEN_REFERENCE', field: 'documentId', message: expect.stringContaining(JSON.stringify(id)) },
      ]),
    );
    const record = await formOf(Payment, Number((await list('payments'))[0]!.ledger_id));
    expect((record.allocations as Body[]).map(({ document_id }) => document_id)).toEqual(['I-1', 'I-2', 'I-1', 'X-1']);
    await deliver('INVOICE', [{ platform_id: 'I-1' }, { platform_id: 'I-2' }]);
    expect(await allocationsOf()).toMatchObject([
      { document: { __typename: 'Invoice', platformId: 'I-1' }, integrityIssues: [] },
      { document: { __typename: 'Invoice', platformId: 'I-2' }, integrityIssues: [] },
      { document: null, integrityIssues: [{ rule: 'OPEN_REFERENCE' }] },
      { document: null, integrityIssues: [{ rule: 'OPEN_REFERENCE' }] },
    ]);
    await deliver('BILL', [{ platform_id: 'I-1' }]);
    expect((await allocationsOf())[2]).toMatchObject({ document: { __typename: 'Bill' }, integrityIssues: [] });
  });

  it('an allocation that names a document without its type is rejected by field', async () => {
    await upload('PAYMENT', JSON.stringify([{ platform_id: 'P-1', allocations: [{ document_id: 'I-1', amount: 5 }] }]));
    const requested = await send('POST', `${company.base}/syncs`, { data: { dataModels: ['PAYMENT'] } });
    const sync = await endOfSync(gateway, company, requested.body.data.id);
    const refusals = (await jobsOf(gateway, company, sync.id)).filter(({ parentJobId }) => parentJobId !== null);
    expect(refusals).toMatchObject([{ errorResponse: { field: 'data[0].allocations[0].document_type' } }]);
  });

  it('the invoices of a credit note keep the ids of the source until they come, and go back to it as such', async () => {
    await deliver('INVOICE', [{ platform_id: 'I-1' }]);
    await deliver('INVOICE_CREDIT_NOTE', [{ platform_id: 'N-1', invoice_ids: ['I-2', 'I-1', 3] }]);
    const [invoice] = await list('invoices');
    const read = async () => (await list('invoice_credit_notes'))[0]!;
    expect((await read()).invoice_ids).toEqual(['I-2', invoice!.ledger_id, '3']);
    const record = await formOf(InvoiceCreditNote, Number((await read()).ledger_id));
    expect(record.invoice_ids).toEqual(['I-2', 'I-1', '3']);
    await deliver('INVOICE', [{ platform_id: 'I-2' }, { platform_id: '3' }]);
    const numbers = Object.fromEntries((await list('invoices')).map(({ platform_id, ledger_id }) => [platform_id, ledger_id]));
    expect(await read()).toMatchObject({ invoice_ids: [numbers['I-2'], numbers['I-1'], numbers['3']] });
    expect(await openRows()).toEqual([]);
    const { body } = await gateway.graphql(
      company.key,
      `query ($id: ID!) { company(id: $id) { invoiceCreditNotes(first: 5) { nodes { sourceState invoices { platformId invoiceCreditNotes(first: 5) { nodes { platformId } } } } } } }`,
      { id: company.id },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.company.invoiceCreditNotes.nodes).toEqual([
      {
        sourceState: 'IN_SYNC',
        invoices: ['I-2', 'I-1', '3'].map((platformId) => ({ platformId, invoiceCreditNotes: { nodes: [{ platformId: 'N-1' }] } })),
      },
    ]);
    // Nothing is new when the source says the same again.
    const before = await read();
    await deliver('INVOICE_CREDIT_NOTE', [{ platform_id: 'N-1', invoice_ids: ['I-2', 'I-1', 3] }]);
    expect((await read()).ledger_updated_at).toBe(before.ledger_updated_at);
  });
});
