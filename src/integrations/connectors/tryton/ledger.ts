// The general ledger: posted moves with their lines, of all journals.
import type { SourceRecord } from '../connector.ts';
import { amount, negated } from '../decimals.ts';
import { postedAccounts } from './analytic.ts';
import type { Row, TrytonClient } from './client.ts';
import { type InvoiceRow, modelOfInvoice } from './invoices.ts';
import type { Stream } from './stream.ts';
import { idOf, referredId } from './values.ts';

interface MoveRow extends Row {
  date: string;
  number: string | null;
  post_number: string | null;
  origin: string | null;
  'journal.': { name: string } | null;
}

interface LineRow extends Row {
  move: number;
  debit: string;
  credit: string;
  account: number;
  party: number | null;
  amount_second_currency: string | null;
  description: string | null;
  maturity_date: string | null;
  /** Absent where the database has none. */
  analytic_lines?: number[];
  'second_currency.': { code: string } | null;
  'reconciliation.': { date: string } | null;
  'account.': { 'type.': { receivable: boolean; payable: boolean } | null };
}

const MOVE_FIELDS = ['date', 'number', 'post_number', 'origin', 'journal.name'];
const LINE_FIELDS = [
  ...['debit', 'credit', 'account', 'party', 'amount_second_currency', 'description', 'maturity_date'],
  ...['second_currency.code', 'reconciliation.date', 'account.type.receivable', 'account.type.payable'],
];

const isZero = (text: string): boolean => !/[1-9]/.test(text);

/** Tryton's aged balance has the open lines of parties on accounts of these two kinds. */
function partOf({ party, 'account.': { 'type.': type } }: LineRow): string | null {
  if (party === null) return null;
  return type?.receivable ? 'RECEIVABLE' : type?.payable ? 'PAYABLE' : null;
}

function postingRecord(row: LineRow, accounts: ReadonlyMap<number, string>): SourceRecord {
  const currency = row['second_currency.']?.code ?? null;
  // One of both sides is 0.
  const base = amount(isZero(row.credit) ? row.debit : negated(row.credit));
  return {
    account_id: String(row.account),
    contact_id: idOf(row.party),
    amount: currency === null ? base : amount(row.amount_second_currency ?? '0'),
    currency_id: currency,
    base_amount: base,
    part: partOf(row),
    due_date: row.maturity_date,
    settled_date: row['reconciliation.']?.date ?? null,
    description: row.description,
    ...(row.analytic_lines ? { tracking_category_ids: [...new Set(row.analytic_lines.flatMap((id) => accounts.get(id) ?? []))] } : {}),
  };
}

async function read(client: TrytonClient, ids: readonly number[]): Promise<SourceRecord[]> {
  const moves = [...(await client.rowsOf<MoveRow>('account.move', ids, MOVE_FIELDS)).values()];
  const fields = (await client.hasField('account.move.line', 'analytic_lines')) ? [...LINE_FIELDS, 'analytic_lines'] : LINE_FIELDS;
  const lines = await client.rowsBy<LineRow>('account.move.line', 'move', ids, fields);
  const analytic = [...lines.values()].flat().flatMap(({ analytic_lines = [] }) => analytic_lines);
  const accounts = await postedAccounts(client, analytic);
  const named = moves.map(({ origin }) => referredId(origin, 'account.invoice'));
  const invoices = await client.rowsOf<InvoiceRow>('account.invoice', named, ['type', 'total_amount']);
  return moves.flatMap((move, index) => {
    const postings = lines.get(move.id)?.toSorted((a, b) => a.id - b.id);
    if (!postings) return [];
    const invoice = invoices.get(named[index] ?? 0);
    return {
      platform_id: String(move.id),
      date: move.date,
      source_number: move.post_number ?? move.number,
      journal: move['journal.']?.name ?? null,
      document_type: invoice ? modelOfInvoice(invoice) : null,
      document_id: idOf(invoice?.id),
      postings: postings.map((row) => postingRecord(row, accounts)),
    };
  });
}

/** Transactions of the general ledger. Drafts are in no report of Tryton that its books are judged by. */
export const ledgerTransactions: Stream = {
  dataModel: 'LEDGER_TRANSACTION',
  model: 'account.move',
  domain: (company) => [
    ['company', '=', company],
    ['state', '=', 'posted'],
  ],
  // A reconciliation changes lines alone.
  parts: [{ model: 'account.move.line', field: 'move' }],
  fields: {
    read: [
      ...['date', 'source_number', 'journal', 'document_type', 'document_id'],
      ...['account_id', 'contact_id', 'amount', 'currency_id', 'base_amount', 'part', 'due_date', 'settled_date', 'description'].map(
        (name) => `postings.${name}`,
      ),
      'postings.tracking_category_ids',
    ],
  },
  read,
};
