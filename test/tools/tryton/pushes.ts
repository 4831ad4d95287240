// Checks of writes: what is sent is read back from Tryton's own tables, rejections carry its words, and no one's change is overwritten.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { PushRequest, SourceRecord } from '../../../src/integrations/connectors/connector.ts';
import type { GatewayError } from '../../../src/records/errors.ts';
import type { TrytonServer } from './server.ts';
import { connect, http, Rpc } from './source.ts';

let writes = 0;
const keyOf = (): string => `write-${++writes}`;

/** A write as the gateway would send it, with a key of its own. */
export const request = (
  operation: PushRequest['operation'],
  dataModel: string,
  platformId: string | null,
  record: SourceRecord = {},
  base?: SourceRecord,
): PushRequest => ({ operation, dataModel, platformId, record, idempotencyKey: keyOf(), ...(base ? { base } : {}) });

export const contact: SourceRecord = {
  name: 'Cider House GmbH',
  email: 'office@cider.example',
  phone: '+493012345',
  website: 'https://cider.example',
  tax_number: 'DE136695976',
  status: 'ACTIVE',
  addresses: [
    { platform_id: 'a1', type: 'BILLING', street: 'Hauptstraße 1', street2: 'Hof', city: 'Berlin', postal_code: '10115', country: 'DE' },
    { platform_id: 'a2', type: 'SHIPPING', street: 'Dock 9', city: 'Hamburg', postal_code: '20457', country: 'DE' },
  ],
  phone_numbers: [{ platform_id: 'p1', number: '+4915112345678', type: 'MOBILE' }],
  external_links: [],
};

/** Members of `actual` that are members of `expected` have its values; children in order, without their ids. */
function sameMembers(actual: unknown, expected: unknown, path = ''): void {
  if (Array.isArray(expected)) {
    equal((actual as unknown[]).length, expected.length, path);
    for (const [index, child] of expected.entries()) sameMembers((actual as unknown[])[index], child, `${path}[${index}]`);
  } else if (expected && typeof expected === 'object') {
    for (const [name, value] of Object.entries(expected))
      if (name !== 'platform_id') sameMembers((actual as SourceRecord)[name], value, `${path}.${name}`);
  } else equal(withoutSpaces(actual), withoutSpaces(expected), path);
}

/** A phone number without the spaces that Tryton puts into it where Python's `phonenumbers` is installed; other values as they are. */
const withoutSpaces = (value: unknown): unknown =>
  typeof value === 'string' && /^\+[\d ()-]+$/.test(value) ? value.replaceAll(/[ ()-]/g, '') : value;

export async function contactsAreWritten(server: TrytonServer): Promise<string> {
  const connector = connect(server);
  const created = await connector.push!(request('CREATE', 'CONTACT', null, contact));
  sameMembers(created.record, {
    ...contact,
    // The main number and page are in these lists in Tryton.
    phone_numbers: [...(contact.phone_numbers as SourceRecord[]), { number: contact.phone, type: 'LANDLINE' }],
    external_links: [{ link: contact.website, type: 'WEBSITE' }],
  });
  const parties = await server.sql('select id from party_party where name = $1', [contact.name]);
  deepEqual(parties, [{ id: Number(created.platformId) }]);
  const base = created.record!;
  const [billing] = base.addresses as SourceRecord[];
  const changed = { ...base, name: 'Cider House AG', email: null, addresses: [{ ...billing, city: 'Potsdam' }] };
  const updated = await connector.push!(request('UPDATE', 'CONTACT', created.platformId, changed, base));
  sameMembers(updated.record, {
    name: 'Cider House AG',
    email: null,
    tax_number: 'DE136695976',
    addresses: [{ street: 'Hauptstraße 1', city: 'Potsdam' }],
  });
  equal((updated.record!.addresses as SourceRecord[])[0]!.platform_id, billing!.platform_id, 'the address keeps its id');
  const untouched = await connector.push!(request('UPDATE', 'CONTACT', created.platformId, updated.record!, updated.record));
  deepEqual(untouched.record, updated.record, 'an update without a change touches nothing');
  const spare = await connector.push!(request('CREATE', 'CONTACT', null, { name: 'Spare' }));
  await connector.push!(request('DELETE', 'CONTACT', spare.platformId, {}, spare.record));
  deepEqual(await server.sql('select id from party_party where id = $1', [spare.platformId]), []);
  return `contact ${created.platformId} created, updated, another deleted`;
}

export async function itemsAreWritten(server: TrytonServer): Promise<string> {
  const connector = connect(server);
  const item = {
    name: 'Cider',
    code: 'CID',
    description: 'Dry',
    price: 4.2501,
    type: 'INVENTORY',
    status: 'ACTIVE',
    is_bill_item: true,
    is_invoice_item: true,
    variants: [
      { platform_id: 'v1', sku: 'CID-033', price: 4.2501 },
      { platform_id: 'v2', sku: 'CID-075', price: 4.2501 },
    ],
  };
  const created = await connector.push!(request('CREATE', 'ITEM', null, item));
  sameMembers(created.record, item);
  const [price] = await server.sql<{ list_price: string }>('select list_price from product_list_price where template = $1', [
    created.platformId,
  ]);
  equal(price!.list_price, '4.2501');
  const changed = { ...created.record!, price: 4.5, variants: [] };
  const updated = await connector.push!(request('UPDATE', 'ITEM', created.platformId, changed, created.record));
  equal(updated.record!.price, 4.5);
  const other = { ...item, code: 'CIX', variants: [{ sku: 'CIX-1', price: 1 }] };
  await rejects(connector.push!(request('CREATE', 'ITEM', null, other)), { code: 'PLATFORM_DENIED' });
  const plain = await connector.push!(
    request('CREATE', 'ITEM', null, { name: 'Delivery', type: 'SERVICE', price: 7, is_invoice_item: true }),
  );
  await connector.push!(request('DELETE', 'ITEM', plain.platformId, {}, plain.record));
  return `item ${created.platformId} with ${item.variants.length} variants, price 4.2501`;
}

const line = (variant: number, quantity: number, unitAmount: number, tax: string | null = null): SourceRecord => ({
  variant_id: String(variant),
  quantity,
  unit_amount: unitAmount,
  ...(tax ? { tax_id: tax } : {}),
});

/** A document of each kind that is written: its members, its table and the sum of its lines in it. */
const documents: Record<string, { record: SourceRecord; table: string; lines: string; parent: string }> = {
  ESTIMATE: {
    record: { contact_id: '3', currency_id: 'EUR', posted_date: '2026-11-20T00:00:00.000Z', memo: 'For the fair' },
    table: 'sale_sale',
    lines: 'sale_line',
    parent: 'sale',
  },
  PURCHASE_ORDER: {
    record: { contact_id: '10', currency_id: 'USD', posted_date: '2026-11-20T00:00:00.000Z', description: 'Autumn' },
    table: 'purchase_purchase',
    lines: 'purchase_line',
    parent: 'purchase',
  },
  INVOICE: {
    record: { contact_id: '3', currency_id: 'EUR', posted_date: '2026-11-20T00:00:00.000Z', memo: 'Thank you' },
    table: 'account_invoice',
    lines: 'account_invoice_line',
    parent: 'invoice',
  },
  BILL: {
    record: { contact_id: '10', currency_id: 'EUR', posted_date: '2026-11-20T00:00:00.000Z', memo: null, document_number: 'F-2026-9' },
    table: 'account_invoice',
    lines: 'account_invoice_line',
    parent: 'invoice',
  },
};

/** An analytic account of each axis, as records name them. */
async function analyticAccounts(server: TrytonServer): Promise<string[]> {
  const rows = await server.sql<{ id: string }>(
    "select root || '/' || min(id) as id from analytic_account_account where type = 'normal' group by root order by root",
  );
  return rows.map(({ id }) => id);
}

export async function documentsAreWritten(server: TrytonServer): Promise<string> {
  const connector = connect(server);
  const figures: string[] = [];
  for (const [dataModel, { record, table, lines, parent }] of Object.entries(documents)) {
    const [one, other] = await analyticAccounts(server);
    const given = {
      ...record,
      line_items: [
        { ...line(1, 2.5, 3.3333, '1'), tracking_category_ids: [one!] },
        { ...line(5, 3, 19.99, '1'), description: 'Second', tracking_category_ids: [one!, other!] },
      ],
    };
    const created = await connector.push!(request('CREATE', dataModel, null, given));
    sameMembers(created.record, { ...given, status: 'DRAFT' });
    const sum = `select round(sum(l.quantity::numeric * l.unit_price), 4)::text as sum, count(*)::int as count
      from ${lines} l join ${table} d on d.id = l.${parent} where d.id = $1 and l.type = 'line'`;
    deepEqual(await server.sql(sum, [created.platformId]), [{ sum: '68.3033', count: 2 }], dataModel);
    const base = created.record!;
    // 8.33 and 59.97 with 21 % of tax.
    if ('total_amount' in base) equal(base.total_amount, 82.64, `${dataModel} total with tax`);
    const [first, second] = base.line_items as SourceRecord[];
    const tracked = { ...second, quantity: 4, tax_id: null, tracking_category_ids: [other!] };
    const changed = { ...base, line_items: [tracked, line(2, 1, 10)] };
    const updated = await connector.push!(request('UPDATE', dataModel, created.platformId, changed, base));
    const now = updated.record!.line_items as SourceRecord[];
    deepEqual(
      now.map(({ quantity, unit_amount, tax_id, tracking_category_ids }) => [quantity, unit_amount, tax_id, tracking_category_ids]).sort(),
      [
        [1, 10, null, []],
        [4, 19.99, null, [other]],
      ],
    );
    ok(
      now.some(({ platform_id }) => platform_id === second!.platform_id) &&
        !now.some(({ platform_id }) => platform_id === first!.platform_id),
    );
    if ('total_amount' in updated.record!) equal(updated.record!.total_amount, 89.96, `${dataModel} total after the update`);
    const spare = await connector.push!(request('CREATE', dataModel, null, record));
    await connector.push!(request('DELETE', dataModel, spare.platformId, {}, spare.record));
    deepEqual(await server.sql(`select id from ${table} where id = $1`, [spare.platformId]), []);
    figures.push(`${dataModel} ${created.platformId}`);
  }
  return figures.join(', ');
}

const wordsOf = async (push: Promise<unknown>): Promise<string> => {
  const error = await push.then(
    () => undefined,
    (refusal: GatewayError) => refusal,
  );
  equal(error?.code, 'PLATFORM_DENIED');
  deepEqual(error!.info.platformError?.message, error!.message);
  return error!.message;
};

export async function refusalsAreTold(server: TrytonServer): Promise<string> {
  const connector = connect(server);
  const posted = await server.sql<{ id: number; number: string }>(
    "select id, number from account_invoice where state = 'posted' and type = 'out' limit 1",
  );
  const id = String(posted[0]!.id);
  const invoice = (await connector.read!('INVOICE', id))!;
  const modified = await wordsOf(connector.push!(request('UPDATE', 'INVOICE', id, { ...invoice, memo: 'Changed' })));
  ok(modified.startsWith(`You cannot modify invoice "${posted[0]!.number}" because it is posted`), modified);
  await wordsOf(connector.push!(request('DELETE', 'INVOICE', id)));
  const number = await wordsOf(connector.push!(request('CREATE', 'CONTACT', null, { name: 'Wrong', tax_number: 'BE123' })));
  equal(number, 'The European VAT Number "BE123" for party "Wrong" is not valid.');
  const used = await wordsOf(connector.push!(request('DELETE', 'CONTACT', '3')));
  // Tryton is not asked about a record that lacks what it requires.
  await rejects(connector.push!(request('CREATE', 'ESTIMATE', null, { line_items: [] })), {
    message: 'Tryton takes no new ESTIMATE record without contact_id',
  });
  await wordsOf(connector.push!(request('UPDATE', 'CONTACT', '999999', { name: 'Nobody' })));
  deepEqual(await server.sql("select id from party_party where name = 'Wrong'"), []);
  return `"${modified}" "${used}"`;
}

export async function nothingIsOverwritten(server: TrytonServer): Promise<string> {
  const rpc = new Rpc(server);
  const base = (await connect(server).read!('CONTACT', '4'))!;
  await rpc.call('party.party.write', [4], { name: 'Changed at the source' });
  const write = request('UPDATE', 'CONTACT', '4', { ...base, name: 'Changed here' }, base);
  await rejects(connect(server).push!(write), { code: 'STALE_RECORD' });
  // A change between the reading and the writing of one push.
  let raced = 0;
  const race: typeof http = async (call) => {
    const isWrite = String(call.body).includes('model.party.party.write');
    if (isWrite && raced++ === 0) await rpc.call('party.party.write', [4], { name: 'Changed in between' });
    return http(call);
  };
  const fresh = (await connect(server).read!('CONTACT', '4'))!;
  const second = request('UPDATE', 'CONTACT', '4', { ...fresh, name: 'Changed here' }, fresh);
  await rejects(connect(server, {}, race).push!(second), { code: 'STALE_RECORD' });
  equal(raced, 1);
  const [party] = await server.sql<{ name: string }>('select name from party_party where id = 4');
  equal(party!.name, 'Changed in between');
  return 'a change before the push and one in the middle of it are kept';
}
