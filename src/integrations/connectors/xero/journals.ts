// The general ledger: journals with their lines, which Xero never changes. What changes a document adds a journal that takes the earlier one back.
import type { PullRequest, SourcePage, SourceRecord } from '../connector.ts';
import { amount } from '../decimals.ts';
import type { Row, XeroClient } from './client.ts';
import { isLackOfScope, unreadable } from './errors.ts';
import type { Stream } from './stream.ts';
import { type TrackingRow, trackingOf } from './tracking.ts';
import { moment } from './values.ts';

/** Journals of a page. */
const PAGE = 100;

/** The documents of journals by the types of their sources; others, such as transfers, are not documents here. */
const documentTypes: Readonly<Record<string, string>> = {
  ...{ ACCREC: 'INVOICE', ACCPAY: 'BILL', ACCRECCREDIT: 'INVOICE_CREDIT_NOTE', ACCPAYCREDIT: 'BILL_CREDIT_NOTE' },
  ...{ ACCRECPAYMENT: 'PAYMENT', ACCPAYPAYMENT: 'PAYMENT', ARCREDITPAYMENT: 'PAYMENT', APCREDITPAYMENT: 'PAYMENT' },
  ...{ AROVERPAYMENT: 'PAYMENT', APOVERPAYMENT: 'PAYMENT', AROVERPAYMENTPAYMENT: 'PAYMENT', APOVERPAYMENTPAYMENT: 'PAYMENT' },
  ...{ ARPREPAYMENT: 'PAYMENT', APPREPAYMENT: 'PAYMENT', ARPREPAYMENTPAYMENT: 'PAYMENT', APPREPAYMENTPAYMENT: 'PAYMENT' },
  ...{ CASHREC: 'BANK_TRANSACTION', CASHPAID: 'EXPENSE', MANJOURNAL: 'JOURNAL_ENTRY' },
};

interface JournalRow extends Row {
  JournalID: string;
  JournalNumber: string;
  JournalDate?: string;
  SourceID?: string;
  SourceType?: string;
  JournalLines?: LineRow[];
}

interface LineRow {
  AccountID?: string;
  Description?: string;
  NetAmount?: string;
  TrackingCategories?: TrackingRow[];
}

/** The net amounts of a journal add up to 0, in the base currency: its tax has lines of its own. */
async function transactionRecord(row: Row, client: XeroClient): Promise<SourceRecord> {
  const { JournalID, JournalNumber, JournalDate, SourceID, SourceType, JournalLines = [] } = row as JournalRow;
  const documentType = Object.hasOwn(documentTypes, SourceType ?? '') ? documentTypes[SourceType!]! : null;
  return {
    platform_id: JournalID,
    date: moment(JournalDate)?.slice(0, 10) ?? null,
    source_number: JournalNumber,
    journal: SourceType || null,
    document_type: documentType,
    document_id: documentType === null ? null : (SourceID ?? null),
    postings: await Promise.all(
      JournalLines.map(async ({ AccountID, Description, NetAmount, TrackingCategories }) => ({
        account_id: AccountID,
        amount: amount(NetAmount ?? null),
        description: Description || null,
        tracking_category_ids: await trackingOf(client, TrackingCategories),
      })),
    ),
  };
}

/** Position of a pull. */
type Cursor = {
  /** Number of the last journal that was read. */
  after: number;
  isDone: boolean;
};

/** A cursor in the middle continues the pull that it is of. The next one reads the last page again: a journal may appear after one with a later number. */
function begin(last: Cursor | null, isFull: boolean): number {
  if (last && !last.isDone) return last.after;
  return isFull || !last ? 0 : Math.max(0, last.after - PAGE);
}

/** Pages in the order of the numbers. */
async function* pages(client: XeroClient, { cursor, isFull }: PullRequest, signal: AbortSignal): AsyncGenerator<SourcePage> {
  const last = cursor as Cursor | null;
  let after = begin(last, isFull);
  for (let isDone = false; !isDone; ) {
    signal.throwIfAborted();
    const found = await client.rows({ path: 'Journals', query: { offset: String(after) } }).catch((error: unknown) => {
      if (!isLackOfScope(error)) throw error;
      // What was pulled with the scope must not be taken for gone without it.
      if (last !== null) throw error;
      return null;
    });
    if (found === null) {
      yield { records: [], leftOut: { 'journals that the sign-in may not read': 1 } };
      return;
    }
    const numbers = found.rows.map(({ JournalNumber }) => Number(JournalNumber));
    const next = numbers.reduce((most, number) => Math.max(most, number), after);
    if (!Number.isSafeInteger(next) || (found.rows.length > 0 && next === after)) throw unreadable();
    after = next;
    isDone = found.rows.length < PAGE;
    const records = await Promise.all(found.rows.map((row) => transactionRecord(row, client)));
    yield { records, cursor: { after, isDone } satisfies Cursor };
  }
}

/** Transactions of the general ledger. */
export const ledgerTransactions: Stream = {
  dataModel: 'LEDGER_TRANSACTION',
  endpoint: 'Journals',
  id: 'JournalID',
  pages,
  reportsChanges: true,
  fields: {
    read: [
      ...['date', 'source_number', 'journal', 'document_type', 'document_id'],
      ...['account_id', 'amount', 'description', 'tracking_category_ids'].map((name) => `postings.${name}`),
    ],
  },
  record: transactionRecord,
};
