// Checks of the payments that the module account_payment has: those that have succeeded pay invoices, until the books have them.
import { deepEqual, equal, ok } from 'node:assert/strict';
import type { SourceRecord } from '../../../src/integrations/connectors/connector.ts';
import { type Books, tenThousandths } from './pulls.ts';
import type { TrytonServer } from './server.ts';
import { connect, pull, Rpc } from './source.ts';

const OPEN = { INVOICE: 'amount_due', BILL: 'amount_due', INVOICE_CREDIT_NOTE: 'remaining_credit', BILL_CREDIT_NOTE: 'remaining_credit' };

const allocationsOf = (records: readonly SourceRecord[]): Map<string, bigint> => {
  const paid = new Map<string, bigint>();
  for (const { document_type, document_id, amount } of records.flatMap(({ allocations }) => allocations as SourceRecord[])) {
    const key = `${document_type} ${document_id}`;
    paid.set(key, (paid.get(key) ?? 0n) + tenThousandths(amount));
  }
  return paid;
};

/** The total of each posted document is what is open of it and what payments have paid of it; in the books, it is what Tryton says. */
export async function paymentsAddUp(server: TrytonServer, books: Books): Promise<string> {
  const payments = books.get('PAYMENT')!.records;
  const paid = allocationsOf(payments);
  const open = new Map<number, string>();
  const ids = (await server.sql<{ id: number }>("select id from account_invoice where state = 'posted' order by id")).map(({ id }) => id);
  const rows = (await new Rpc(server).callIn({ with_payment: false }, 'account.invoice.read', ids, ['amount_to_pay'])) as {
    id: number;
    amount_to_pay: { decimal: string };
  }[];
  for (const { id, amount_to_pay } of rows) open.set(id, amount_to_pay.decimal);
  const outside = new Map(
    (
      await server.sql<{ invoice: number; amount: string }>(
        `select split_part(m.origin, ',', 2)::int as invoice, sum(p.amount)::text as amount from account_payment p join account_move_line l on l.id = p.line
           join account_move m on m.id = l.move where p.state = 'succeeded' and l.reconciliation is null group by 1`,
      )
    ).map(({ invoice, amount }) => [invoice, tenThousandths(amount)]),
  );
  let documents = 0;
  for (const [dataModel, member] of Object.entries(OPEN))
    for (const record of books.get(dataModel)!.records) {
      const inBooks = open.get(Number(record.platform_id));
      if (inBooks === undefined) continue;
      const due = tenThousandths(record[member]);
      const ordered = outside.get(Number(record.platform_id)) ?? 0n;
      equal(due, tenThousandths(inBooks.replace('-', '')) - ordered, `${dataModel} ${record.platform_id} is open`);
      const sum = due + (paid.get(`${dataModel} ${record.platform_id}`) ?? 0n);
      equal(sum, tenThousandths(record.total_amount), `${dataModel} ${record.platform_id} adds up`);
      if (ordered > 0n) equal(record.status, 'PARTIALLY_PAID');
      documents += 1;
    }
  const orders = payments.filter(({ platform_id }) => String(platform_id).startsWith('payment-'));
  const directions = orders.map(({ direction, allocations }) => `${direction} ${(allocations as SourceRecord[])[0]!.document_type}`);
  deepEqual([...new Set(directions)].sort(), ['MADE BILL', 'MADE INVOICE_CREDIT_NOTE', 'RECEIVED INVOICE']);
  ok(outside.size >= 4, `${outside.size} invoices have such payments`);
  return `${documents} posted documents add up, ${orders.length} payments outside the books of ${outside.size} of them`;
}

/** A payment comes when it succeeds, with its invoice, and goes when it fails after all. */
export async function paymentsCome(server: TrytonServer): Promise<string> {
  const [order] = await server.sql<{ id: number; invoice: string }>(
    `select p.id, split_part(m.origin, ',', 2) as invoice from account_payment p join account_move_line l on l.id = p.line
       join account_move m on m.id = l.move where p.state = 'processing'`,
  );
  const { id, invoice } = order!;
  const connector = connect(server);
  let payments = await pull(connector, 'PAYMENT');
  let invoices = await pull(connector, 'INVOICE');
  const rpc = new Rpc(server);
  const seen: [string[], string[], string[]][] = [];
  for (const step of ['succeed', 'fail']) {
    await rpc.call(`account.payment.${step}`, [id]);
    payments = await pull(connect(server), 'PAYMENT', payments.cursor);
    invoices = await pull(connect(server), 'INVOICE', invoices.cursor);
    const idsIn = (records: readonly SourceRecord[]): string[] => records.map(({ platform_id }) => String(platform_id));
    const gone = [...new Set(payments.deleted)].filter((name) => name === `payment-${id}`);
    seen.push([idsIn(payments.records), gone, idsIn(invoices.records)]);
    equal((await connector.read!('PAYMENT', `payment-${id}`))?.platform_id, step === 'succeed' ? `payment-${id}` : undefined);
  }
  deepEqual(seen, [
    [[`payment-${id}`], [], [invoice]],
    [[], [`payment-${id}`], [invoice]],
  ]);
  return `payment ${id} of invoice ${invoice} came when it succeeded and went when it failed`;
}
