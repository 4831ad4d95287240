// Checks of pulls: everything as Tryton's own database has it, then only what changed, in pages that survive interruption.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { Json, SourceRecord } from '../../../src/integrations/connectors/connector.ts';
import { tryton } from '../../../src/integrations/connectors/tryton/tryton.ts';
import type { TrytonServer } from './server.ts';
import { connect, http, pull, Rpc } from './source.ts';

/** Pulled records and their cursors, by data model. */
export type Books = Map<string, { records: SourceRecord[]; cursor: Json }>;

/** An amount in text or null, in ten-thousandths: sums are exact. */
export function tenThousandths(value: unknown): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d{0,12}))?$/.exec(String(value ?? '0')) ?? [];
  const digits = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0').slice(0, 4));
  return sign ? -digits : digits;
}

const sumOf = (records: readonly SourceRecord[], name: string): bigint =>
  records.reduce((sum, record) => sum + tenThousandths(record[name]), 0n);
const linesOf = (records: readonly SourceRecord[], name = 'line_items'): SourceRecord[] =>
  records.flatMap((record) => (record[name] as SourceRecord[] | undefined) ?? []);

/** An invoice with the sums that Tryton's tables give: lines rounded to cents, and taxes. */
const INVOICES = `select i.id, i.type, i.state,
    coalesce((select sum(round((l.quantity::numeric * l.unit_price), 2)) from account_invoice_line l where l.invoice = i.id and l.type = 'line'), 0)
    + coalesce((select sum(t.amount) from account_invoice_tax t where t.invoice = i.id), 0) as total
  from account_invoice i`;
const sign: Record<string, string> = {
  INVOICE: "type = 'out' and total >= 0",
  BILL: "type = 'in' and total >= 0",
  INVOICE_CREDIT_NOTE: "type = 'out' and total < 0",
  BILL_CREDIT_NOTE: "type = 'in' and total < 0",
};

/** Payments that have succeeded and that the books do not have. */
export const OUTSIDE_BOOKS = `select p.amount from account_payment p join account_move_line l on l.id = p.line
  where p.state = 'succeeded' and l.reconciliation is null`;

/** The taxes of each line, and the rates of those that have several. */
export const LINE_TAXES = `select model, line, string_agg(tax::text, '+' order by tax) as ids from (
    select 'account.invoice.line' as model, line, tax from account_invoice_line_account_tax
    union select 'sale.line', line, tax from sale_line_account_tax
    union select 'purchase.line', line, tax from purchase_line_account_tax) l group by model, line`;
const TAX_SETS = `select r.ids, sum(t.rate) as rate, bool_or(t.type <> 'percentage') as has_amount
  from (select distinct ids from (${LINE_TAXES}) s where ids like '%+%') r
  join account_tax t on t.id::text = any(string_to_array(r.ids, '+')) group by r.ids`;

export interface Total {
  count: number;
  sum?: string;
  lines?: number;
}

/** What the database says of a data model: records, a sum of theirs and their children. */
export const statements: Record<string, string> = {
  CURRENCY: 'select count(*)::int as count from currency_currency',
  ACCOUNT: `select (select count(*)::int from account_account) as count, (select sum(debit - credit) from account_move_line) as sum`,
  // Lines with several taxes have a rate of their own, which has no sum where one of them is an amount.
  TAX_RATE: `with sets as (${TAX_SETS}) select ((select count(*) from account_tax) + (select count(*) from sets))::int as count,
    (select sum(rate) from account_tax) + coalesce((select sum(rate) from sets where not has_amount), 0) as sum`,
  CONTACT: `select (select count(*)::int from party_party) as count, (select count(*)::int from party_address where active) as lines`,
  ITEM: `select (select count(*)::int from product_template) as count, (select sum(list_price) from product_list_price) as sum,
    (select count(*)::int from product_product) as lines`,
  ESTIMATE: `select (select count(*)::int from sale_sale) as count, (select count(*)::int from sale_line where type = 'line') as lines`,
  PURCHASE_ORDER: `select (select count(*)::int from purchase_purchase) as count, (select count(*)::int from purchase_line where type = 'line') as lines`,
  GOODS_RECEIPT_NOTE: `select count(distinct s.id)::int as count, count(m.id)::int as lines from stock_shipment_in s
    left join stock_move m on m.shipment = 'stock.shipment.in,' || s.id
    and m.from_location in (select id from stock_location where type = 'supplier')`,
  LEDGER_TRANSACTION:
    "select count(*)::int as count, (select count(*)::int from account_move_line l join account_move m on m.id = l.move where m.state = 'posted') as lines from account_move where state = 'posted'",
  PAYMENT: `select count(*)::int as count, sum(amount) as sum from (
    select abs(l.debit - l.credit) as amount from "account_invoice-account_move_line" p join account_move_line l on l.id = p.line
    union all ${OUTSIDE_BOOKS}) p`,
  ...Object.fromEntries(
    Object.entries(sign).map(([model, where]) => [
      model,
      `select count(*)::int as count, coalesce(sum(abs(total)), 0) as sum, coalesce(sum((select count(*) from account_invoice_line l
        where l.invoice = v.id and l.type = 'line')), 0)::int as lines from (${INVOICES}) v where ${where}`,
    ]),
  ),
};

/** The member that is summed, and the children that are counted. */
export const members: Record<string, { sum?: string; lines?: string }> = {
  ACCOUNT: { sum: 'current_balance' },
  TAX_RATE: { sum: 'rate' },
  CONTACT: { lines: 'addresses' },
  ITEM: { sum: 'price', lines: 'variants' },
  PAYMENT: { sum: 'total_amount' },
  LEDGER_TRANSACTION: { lines: 'postings' },
  ...Object.fromEntries(Object.keys(sign).map((model) => [model, { sum: 'total_amount', lines: 'line_items' }])),
  ...Object.fromEntries(['ESTIMATE', 'PURCHASE_ORDER', 'GOODS_RECEIPT_NOTE'].map((model) => [model, { lines: 'line_items' }])),
};

export async function settingsAreTried(server: TrytonServer): Promise<string> {
  await connect(server).check();
  await connect(server, { company: 'Orchard & Sons' }).check();
  const refused = { code: 'PLATFORM_DENIED' };
  await rejects(connect(server, { password: 'wrong' }).check(), refused);
  await rejects(connect(server, { database: 'nowhere' }).check(), refused);
  await rejects(connect(server, { company: 'Nobody Ltd' }).check(), refused);
  return 'right settings taken; a wrong password, database and company rejected';
}

/** Pulls every data model and compares counts and sums with the database. */
export async function everythingIsPulled(server: TrytonServer): Promise<{ books: Books; figures: string }> {
  const connector = connect(server);
  const books: Books = new Map();
  const figures: string[] = [];
  for (const { dataModel } of tryton.capabilities) {
    const { records, cursor } = await pull(connector, dataModel);
    books.set(dataModel, { records, cursor });
    const [expected] = await server.sql<Total>(statements[dataModel]!);
    const { sum, lines } = members[dataModel] ?? {};
    ok(records.length > 0, `${dataModel} has no records`);
    equal(records.length, expected!.count, `${dataModel} records`);
    equal(new Set(records.map(({ platform_id }) => platform_id)).size, records.length, `${dataModel} ids are unique`);
    if (sum) equal(sumOf(records, sum), tenThousandths(expected!.sum), `${dataModel} sum of ${sum}`);
    if (lines) equal(linesOf(records, lines).length, expected!.lines, `${dataModel} ${lines}`);
    figures.push(`${dataModel} ${records.length}${sum ? ` (${expected!.sum})` : ''}`);
  }
  return { books, figures: figures.join(', ') };
}

const idsOf = (books: Books, dataModel: string): Set<unknown> =>
  new Set(books.get(dataModel)!.records.map(({ platform_id }) => platform_id));

/** Every reference of the pulled records leads to a pulled record. */
export function referencesLeadSomewhere(books: Books): string {
  let followed = 0;
  const follow = (value: unknown, dataModel: string, from: string): void => {
    if (value === null || value === undefined) return;
    ok(idsOf(books, dataModel).has(value), `${from} names ${dataModel} ${value}, which was not pulled`);
    followed += 1;
  };
  const variants = new Set(linesOf(books.get('ITEM')!.records, 'variants').map(({ platform_id }) => platform_id));
  for (const [model, { records }] of books)
    for (const record of records) {
      follow(record.contact_id, 'CONTACT', model);
      follow(record.parent_account_id, 'ACCOUNT', model);
      follow(record.account_id, 'ACCOUNT', model);
      for (const line of linesOf([record])) {
        follow(line.item_id, 'ITEM', model);
        follow(line.tax_id, 'TAX_RATE', model);
        follow(line.account_id, 'ACCOUNT', model);
        if (line.variant_id) ok(variants.has(line.variant_id));
      }
      for (const id of (record.purchase_order_ids as string[] | undefined) ?? []) follow(id, 'PURCHASE_ORDER', model);
      for (const id of (record.invoice_ids as string[] | undefined) ?? []) follow(id, 'INVOICE', model);
      for (const id of (record.bill_ids as string[] | undefined) ?? []) follow(id, 'BILL', model);
      for (const part of linesOf([record], 'allocations')) follow(part.document_id, String(part.document_type), model);
    }
  ok(books.get('INVOICE_CREDIT_NOTE')!.records.some(({ invoice_ids }) => (invoice_ids as string[]).length > 0));
  ok(books.get('GOODS_RECEIPT_NOTE')!.records.some(({ purchase_order_ids }) => (purchase_order_ids as string[]).length > 0));
  return `${followed} references`;
}

/** Each line and posting has the analytic accounts that Tryton's tables give it. */
export async function dimensionsAreKept(server: TrytonServer, books: Books): Promise<string> {
  const there = new Map<string, string[]>();
  const add = (key: string, id: string): void => void there.set(key, [...(there.get(key) ?? []), id].sort());
  const entries = await server.sql<{ origin: string; root: number; account: number }>(
    'select origin, root, account from analytic_account_entry where account is not null',
  );
  for (const { origin, root, account } of entries) add(origin, `${root}/${account}`);
  let compared = 0;
  const lists = { ESTIMATE: 'sale.line', PURCHASE_ORDER: 'purchase.line', INVOICE: 'account.invoice.line', BILL: 'account.invoice.line' };
  for (const [dataModel, model] of Object.entries(lists))
    for (const line of linesOf(books.get(dataModel)!.records)) {
      const ids = (line.tracking_category_ids as string[]).toSorted();
      deepEqual(ids, there.get(`${model},${line.platform_id}`) ?? [], `${dataModel} line ${line.platform_id}`);
      compared += ids.length;
    }
  const posted = await server.sql<{ move: number; ids: string }>(
    `select l.move, string_agg(a.root || '/' || a.id, ' ' order by a.root, a.id) as ids from analytic_account_line p
       join account_move_line l on l.id = p.move_line join analytic_account_account a on a.id = p.account group by l.move, l.id order by l.id`,
  );
  const postings = books.get('LEDGER_TRANSACTION')!.records.flatMap(({ platform_id, postings }) =>
    (postings as SourceRecord[]).flatMap(({ tracking_category_ids }) => {
      const ids = tracking_category_ids as string[];
      return ids.length > 0 ? [`${platform_id}: ${ids.toSorted().join(' ')}`] : [];
    }),
  );
  deepEqual(postings.sort(), posted.map(({ move, ids }) => `${move}: ${ids.split(' ').sort().join(' ')}`).sort(), 'postings');
  ok(compared > 20 && postings.length > 5, `${compared} accounts of lines, ${postings.length} of postings`);
  return `${compared} analytic accounts of lines and those of ${postings.length} postings: 0 differences`;
}

/** Nothing comes twice, and what changed at the source comes, that alone. */
export async function onlyChangesCome(server: TrytonServer, books: Books): Promise<string> {
  const again = async (): Promise<Record<string, string[]>> => {
    const changed: Record<string, string[]> = {};
    const connector = connect(server);
    for (const [model, known] of books) {
      const { records, cursor } = await pull(connector, model, known.cursor);
      books.set(model, { records: known.records, cursor });
      if (records.length > 0) changed[model] = records.map(({ platform_id }) => String(platform_id)).sort();
    }
    return changed;
  };
  deepEqual(await again(), {}, 'nothing changed');
  const rpc = new Rpc(server);
  await rpc.call('party.party.write', [3], { name: 'Customer 2 Ltd' });
  // A change of an address alone, whose party keeps its time stamp.
  await rpc.call('party.address.write', [4], { city: 'Ghent' });
  const [sale] = await server.sql<{ id: number }>("select id from sale_sale where state = 'draft' order by id limit 1");
  await rpc.call('sale.sale.write', [sale!.id], { comment: 'Call first' });
  const created = (await rpc.call('party.party.create', [{ name: 'New at the source' }])) as number[];
  deepEqual(await again(), { CONTACT: ['3', '4', String(created[0])].sort(), ESTIMATE: [String(sale!.id)] });
  deepEqual(await again(), {}, 'nothing changed again');
  // A posting changes an invoice and the balances of its accounts.
  const [draft] = await server.sql<{ id: number }>(
    "select id from account_invoice where type = 'out' and state = 'draft' order by id limit 1",
  );
  await rpc.call('account.invoice.post', [draft!.id]);
  const posted = await again();
  deepEqual(posted.INVOICE, [String(draft!.id)]);
  ok(posted.ACCOUNT && posted.ACCOUNT.length >= 2, 'balances changed');
  return `${Object.values(posted).flat().length} records of a posting in ${Object.keys(posted).length} data models`;
}

/** Many contacts with one time stamp, in a pull that is interrupted after each page. */
export async function interruptionsLoseNothing(server: TrytonServer, books: Books): Promise<string> {
  const rpc = new Rpc(server);
  const many = 300;
  const made = (await rpc.call(
    'party.party.create',
    Array.from({ length: many }, (_, n) => ({ name: `Crowd ${n}` })),
  )) as number[];
  const [stamps] = await server.sql<{ count: number }>(
    'select count(distinct create_date)::int as count from party_party where id = any($1)',
    [made],
  );
  equal(stamps!.count, 1, 'all have one time stamp');
  const seen: string[] = [];
  let { cursor } = books.get('CONTACT')!;
  let runs = 0;
  for (let isOver = false; !isOver; runs += 1) {
    isOver = true;
    for await (const page of connect(server).pull({ dataModel: 'CONTACT', cursor, since: null, isFull: false })) {
      seen.push(...page.records.map(({ platform_id }) => String(platform_id)));
      cursor = JSON.parse(JSON.stringify(page.cursor)) as Json;
      isOver = (cursor as { isDone: boolean }).isDone;
      break;
    }
  }
  const crowd = new Set(made);
  // Those that changed just before may come again.
  const came = seen.map(Number).filter((id) => crowd.has(id));
  came.sort((a, b) => a - b);
  deepEqual(came, made, 'each came once');
  const before = (await pull(connect(server), 'CONTACT')).records.length;
  const gone = made.slice(0, 3);
  await rpc.call('party.party.delete', gone);
  const full = await pull(connect(server), 'CONTACT');
  equal(full.records.length, before - gone.length, 'deleted ones are absent in a full run');
  books.set('CONTACT', full);
  return `${many} contacts with one time stamp in ${runs} interrupted runs, ${JSON.stringify(full.cursor).length} bytes of cursor`;
}

/** A session that has ended is opened again; a password that was changed is reported as an expired connection. */
export async function sessionsAreRenewed(server: TrytonServer): Promise<string> {
  let logins = 0;
  const counted: typeof http = (request) => {
    if (String(request.body).includes('common.db.login')) logins += 1;
    return http(request);
  };
  const connector = connect(server, {}, counted);
  ok(await connector.read!('CONTACT', '3'));
  await server.sql('delete from ir_session');
  equal((await connector.read!('CONTACT', '3'))?.platform_id, '3');
  equal(logins, 2);
  const changed = { ...server, password: 'quince-jam-42' };
  await new Rpc(server).call('res.user.write', [1], { password: changed.password });
  await rejects(connector.read!('CONTACT', '3'), { code: 'CONNECTION_EXPIRED' });
  await new Rpc(changed).call('res.user.write', [1], { password: server.password });
  return 'an ended session is opened again; a changed password is CONNECTION_EXPIRED';
}
