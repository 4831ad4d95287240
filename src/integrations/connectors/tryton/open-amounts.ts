// What is open of invoices, where payments have succeeded that the books do not have.
import { negated, sum } from '../decimals.ts';
import type { Row, TrytonClient } from './client.ts';

/** The payments of the module `account_payment`. */
export const ORDERS = 'account.payment';
/** Their state when the money has moved. */
export const SUCCEEDED = 'succeeded';

/** A change of a payment is one of the invoice that it pays. */
export const ORDERS_OF_INVOICES = { model: ORDERS, field: 'line.move.origin', isOptional: true };

/** What payments have paid of lines of the books that are open there, by line. */
export async function paidOutsideBooks(client: TrytonClient, lines: readonly number[]): Promise<Map<number, string>> {
  const paid = new Map<number, string>();
  if (lines.length === 0 || !(await client.canRead(ORDERS))) return paid;
  const domain = [
    ['line', 'in', lines],
    ['state', '=', SUCCEEDED],
    ['line.reconciliation', '=', null],
  ];
  for (const row of await client.rows<Row & { line: number; amount: string }>(ORDERS, { domain, fields: ['line', 'amount'] }))
    paid.set(row.line, sum(paid.get(row.line) ?? '0', row.amount));
  return paid;
}

/** What is open of an invoice, of which the books say the first amount; that of a credit note is below zero. */
export function openAmount(inBooks: string, lines: readonly number[], paid: ReadonlyMap<number, string>): string {
  const outside = lines.map((line) => paid.get(line) ?? '0').reduce(sum, '0');
  return sum(inBooks, inBooks.startsWith('-') ? outside : negated(outside));
}
