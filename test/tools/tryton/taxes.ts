// Checks of lines with several taxes: they have one rate of all of them, both ways, and no document has another total than in Tryton.
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import type { SourceRecord } from '../../../src/integrations/connectors/connector.ts';
import { type Books, LINE_TAXES } from './pulls.ts';
import { request } from './pushes.ts';
import type { TrytonServer } from './server.ts';
import { connect, pull, Rpc } from './source.ts';

const LINES: Readonly<Record<string, string>> = {
  ESTIMATE: 'sale.line',
  PURCHASE_ORDER: 'purchase.line',
  ...Object.fromEntries(['INVOICE', 'BILL', 'INVOICE_CREDIT_NOTE', 'BILL_CREDIT_NOTE'].map((name) => [name, 'account.invoice.line'])),
};

const linesOf = (record: SourceRecord): SourceRecord[] => record.line_items as SourceRecord[];

/** The taxes of all lines, by model and line. */
async function taxesThere(server: TrytonServer): Promise<Map<string, string>> {
  const rows = await server.sql<{ model: string; line: number; ids: string }>(LINE_TAXES);
  return new Map(rows.map(({ model, line, ids }) => [`${model},${line}`, ids]));
}

/** Each line has all of its taxes, and its rate makes the tax that Tryton has of its document. */
export async function severalTaxesAreKept(server: TrytonServer, books: Books): Promise<string> {
  const there = await taxesThere(server);
  const rates = new Map(books.get('TAX_RATE')!.records.map((rate) => [rate.platform_id, rate]));
  let several = 0;
  let documents = 0;
  for (const [dataModel, model] of Object.entries(LINES))
    for (const record of books.get(dataModel)!.records) {
      const lines = linesOf(record);
      for (const { platform_id, tax_id } of lines) {
        equal(tax_id ?? undefined, there.get(`${model},${platform_id}`), `${dataModel} line ${platform_id}`);
        ok(tax_id === null || rates.has(tax_id), `${dataModel} line ${platform_id} has rate ${tax_id}, which was not pulled`);
        if (String(tax_id).includes('+')) several += 1;
      }
      const taxes = lines.map(({ sub_total, tax_id }) => (tax_id === null ? 0 : (rates.get(tax_id)!.rate as number) * Number(sub_total)));
      if (record.tax_amount === undefined || lines.some(({ tax_id }) => tax_id !== null && rates.get(tax_id)!.rate === null)) continue;
      const total = taxes.reduce((sum, tax) => sum + tax, 0);
      // Tryton rounds the sum of each tax to cents.
      ok(Math.abs(total - Number(record.tax_amount)) <= 0.01 * lines.length, `${dataModel} ${record.platform_id}: ${total} of tax`);
      documents += 1;
    }
  ok(several >= 10, `${several} lines with several taxes`);
  return `${several} lines with several taxes and the tax of ${documents} documents: 0 differences`;
}

/** What is written is on the line, all of it, and a change of another field leaves it there. */
export async function severalTaxesAreWritten(server: TrytonServer): Promise<string> {
  const connector = connect(server);
  const [one, other] = (await server.sql<{ id: number }>("select id from account_tax where type = 'percentage' order by id")).map(
    ({ id }) => id,
  );
  const pair = `${one}+${other}`;
  const taxesAt = async (dataModel: string, record: SourceRecord) => {
    const there = await taxesThere(server);
    return linesOf(record).map(({ platform_id }) => there.get(`${LINES[dataModel]},${platform_id}`) ?? null);
  };
  for (const dataModel of ['ESTIMATE', 'PURCHASE_ORDER', 'INVOICE', 'BILL']) {
    const line_items = [pair, String(one)].map((tax_id) => ({ variant_id: '1', quantity: 2, unit_amount: 10, tax_id }));
    const created = await connector.push!(request('CREATE', dataModel, null, { contact_id: '3', currency_id: 'EUR', line_items }));
    const base = created.record!;
    deepEqual(await taxesAt(dataModel, base), [pair, String(one)], dataModel);
    deepEqual(
      linesOf(base).map(({ tax_id }) => tax_id),
      [pair, String(one)],
    );
    const changed = { ...base, line_items: linesOf(base).map((line) => ({ ...line, quantity: 3 })) };
    const kept = (await connector.push!(request('UPDATE', dataModel, created.platformId, changed, base))).record!;
    deepEqual(await taxesAt(dataModel, kept), [pair, String(one)], `${dataModel} after a change of quantities`);
    const swapped = { ...kept, line_items: linesOf(kept).map((line, at) => ({ ...line, tax_id: at === 0 ? String(other) : pair })) };
    const next = (await connector.push!(request('UPDATE', dataModel, created.platformId, swapped, kept))).record!;
    deepEqual(await taxesAt(dataModel, next), [String(other), pair], `${dataModel} after a change of taxes`);
    await connector.push!(request('DELETE', dataModel, created.platformId, {}, next));
  }
  const wrong = { contact_id: '3', line_items: [{ variant_id: '1', quantity: 1, unit_amount: 1, tax_id: 'VAT' }] };
  await rejects(connector.push!(request('CREATE', 'INVOICE', null, wrong)), { code: 'PLATFORM_DENIED', message: /no tax VAT/ });
  equal((await connector.read!('TAX_RATE', pair))?.platform_id, pair);
  for (const id of [`${other}+${one}`, `${one}+999999`, `${one}+${one}`, 'x+y']) equal(await connector.read!('TAX_RATE', id), null, id);
  return `${pair} on lines of four kinds of documents, created, kept and changed`;
}

/** Taxes that come together on a line for the first time are a rate of the next pull of changes. */
export async function newSetsCome(server: TrytonServer): Promise<string> {
  const { cursor } = await pull(connect(server), 'TAX_RATE');
  const [{ id } = { id: 0 }] = await server.sql<{ id: number }>(
    "select l.id from sale_line l join sale_sale s on s.id = l.sale where s.state = 'draft' and l.type = 'line' order by l.id limit 1",
  );
  const all = (await server.sql<{ id: number }>('select id from account_tax order by id')).map((row) => row.id);
  const rpc = new Rpc(server);
  const [sale] = await server.sql<{ sale: number }>('select sale from sale_line where id = $1', [id]);
  const current = (await taxesThere(server)).get(`sale.line,${id}`)?.split('+').map(Number) ?? [];
  const commands = [
    ['remove', current],
    ['add', all],
  ];
  await rpc.call('sale.sale.write', [sale!.sale], { lines: [['write', [id], { taxes: commands }]] });
  const next = await pull(connect(server), 'TAX_RATE', cursor);
  deepEqual(
    next.records.map(({ platform_id }) => platform_id),
    [all.join('+')],
  );
  equal(next.records[0]!.rate, null, 'an amount for each unit is no share of the price');
  deepEqual((await pull(connect(server), 'TAX_RATE', next.cursor)).records, []);
  return all.join('+');
}
