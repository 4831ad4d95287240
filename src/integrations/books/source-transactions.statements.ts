// The statements that store transactions of a source with their postings and, in the same transaction, the monthly totals.
import { arrayLiteral } from '../../database/array-literal.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { executeParts, type NewColumn, newRows } from '../../database/parts.statements.ts';
import { exactTotal } from '../writes/exact-sum.ts';
import { baseOf, type PostingInput, type TransactionInput } from './source-transactions.ts';

/** The books that are written. */
export interface SourceBooks {
  organisationId: number;
  companyId: number;
  integrationType: string;
}

/** A transaction with the digest of what the source said of it. */
export interface SentTransaction {
  transaction: TransactionInput;
  hash: string;
}

const ofBooks = ({ companyId, organisationId, integrationType }: SourceBooks): unknown[] => [companyId, organisationId, integrationType];
const OF_BOOKS = 'company_id = $1 and organisation_id = $2 and ledger_integration_type = $3';

/** What an account of a month gains. */
interface Movement {
  month: string;
  account: string;
  base: string | number;
}

const monthOf = (date: string): string => `${date.slice(0, 7)}-01`;
const text = (value: string | number | null | undefined): string | null => (value == null ? null : String(value));

/** The columns that all three tables share. */
const shared = <R>({ companyId, organisationId, integrationType }: SourceBooks): NewColumn<R>[] => [
  { column: 'company_id', type: 'bigint', all: companyId },
  { column: 'organisation_id', type: 'bigint', all: organisationId },
  { column: 'ledger_integration_type', type: 'text', all: integrationType },
];

/** Stores transactions that are new or differ from what is stored; each replaces its postings. */
export async function writeTransactions(em: EntityManager, books: SourceBooks, sent: readonly SentTransaction[]): Promise<void> {
  const known = await executeIn<{ id: string; hash: string | null }>(
    em,
    `select platform_id as id, case when ledger_deleted_at is null then source_hash end as hash from ledger_transaction
     where ${OF_BOOKS} and platform_id = any($4::text::text[]) order by platform_id for update`,
    [...ofBooks(books), arrayLiteral(sent, ({ transaction }) => transaction.platformId)],
  );
  const hashes = new Map(known.map(({ id, hash }) => [id, hash]));
  const changed = sent.filter(({ transaction, hash }) => hashes.get(transaction.platformId) !== hash);
  if (changed.length === 0) return;
  const replaced = changed.flatMap(({ transaction: { platformId } }) => (hashes.has(platformId) ? [platformId] : []));
  const removed = await removePostings(em, books, replaced);
  const rows = changed.flatMap(({ transaction }) => transaction.postings.map((posting, place) => ({ transaction, posting, place })));
  await insertTransactions(em, books, changed);
  await insertPostings(em, books, rows);
  const added = rows.map(({ transaction, posting }) => ({
    month: monthOf(transaction.date),
    account: String(posting.accountId),
    base: baseOf(posting),
  }));
  await addToTotals(em, books, [...removed, ...added]);
}

/** Marks transactions deleted that the source has no more; their postings go. */
export async function removeTransactions(em: EntityManager, books: SourceBooks, ids: readonly string[], now: Date): Promise<void> {
  await executeIn(
    em,
    `update ledger_transaction set ledger_deleted_at = $5::timestamptz where ${OF_BOOKS} and platform_id = any($4::text::text[]) and ledger_deleted_at is null`,
    [...ofBooks(books), arrayLiteral(ids, (id) => id), now.toISOString()],
  );
  await addToTotals(em, books, await removePostings(em, books, ids));
}

/** Removes the postings of transactions; returns what their accounts lose. */
async function removePostings(em: EntityManager, books: SourceBooks, ids: readonly string[]): Promise<Movement[]> {
  if (ids.length === 0) return [];
  return executeIn<Movement>(
    em,
    `delete from source_posting where ${OF_BOOKS} and transaction_id = any($4::text::text[])
     returning date_trunc('month', date)::date::text as month, account_id as account, (-base_amount)::text as base`,
    [...ofBooks(books), arrayLiteral(ids, (id) => id)],
  );
}

async function insertTransactions(em: EntityManager, books: SourceBooks, rows: readonly SentTransaction[]): Promise<void> {
  const columns: NewColumn<SentTransaction>[] = [
    ...shared<SentTransaction>(books),
    { column: 'platform_id', type: 'text', each: ({ transaction }) => transaction.platformId },
    { column: 'source_number', type: 'text', each: ({ transaction }) => text(transaction.sourceNumber) },
    { column: 'journal', type: 'text', each: ({ transaction }) => text(transaction.journal) },
    { column: 'document_type', type: 'text', each: ({ transaction }) => text(transaction.documentType) },
    { column: 'document_id', type: 'text', each: ({ transaction }) => text(transaction.documentId) },
    { column: 'source_hash', type: 'text', each: ({ hash }) => hash },
  ];
  const set = ['source_number', 'journal', 'document_type', 'document_id', 'source_hash'].map((name) => `${name} = excluded.${name}`);
  const rest = `on conflict (company_id, ledger_integration_type, platform_id) do update set ledger_deleted_at = null, ${set.join(', ')}`;
  await executeParts(em, [newRows(em, { table: 'ledger_transaction', rows, columns, rest })]);
}

interface PostingRow {
  transaction: TransactionInput;
  posting: PostingInput;
  place: number;
}

async function insertPostings(em: EntityManager, books: SourceBooks, rows: readonly PostingRow[]): Promise<void> {
  const own = (column: string, type: string, value: (posting: PostingInput) => string | number | null): NewColumn<PostingRow> => ({
    column,
    type,
    each: ({ posting }) => value(posting),
  });
  const columns: NewColumn<PostingRow>[] = [
    ...shared<PostingRow>(books),
    { column: 'transaction_id', type: 'text', each: ({ transaction }) => transaction.platformId },
    { column: 'place', type: 'integer', each: ({ place }) => place },
    { column: 'date', type: 'date', each: ({ transaction }) => transaction.date },
    own('account_id', 'text', ({ accountId }) => String(accountId)),
    own('contact_id', 'text', ({ contactId }) => text(contactId)),
    own('amount', 'numeric', ({ amount }) => amount),
    own('currency_id', 'text', ({ currencyId }) => text(currencyId)),
    own('base_amount', 'numeric', baseOf),
    own('part', 'text', ({ part }) => text(part)),
    own('due_date', 'date', ({ dueDate }) => text(dueDate)),
    own('settled_date', 'date', ({ settledDate }) => text(settledDate)),
    own('tracking_category_ids', 'jsonb', ({ trackingCategoryIds: ids }) => (ids ? JSON.stringify(ids.map(String)) : null)),
    own('description', 'text', ({ description }) => text(description)),
  ];
  await executeParts(em, [newRows(em, { table: 'source_posting', rows, columns })]);
}

/** Adds to the monthly totals in the order of their keys: writers of the same totals wait for each other, and never in a circle. */
async function addToTotals(em: EntityManager, books: SourceBooks, movements: readonly Movement[]): Promise<void> {
  const groups = Map.groupBy(movements, ({ month, account }) => `${month} ${account}`);
  const rows = [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => ({ ...group[0]!, base: exactTotal(group.map(({ base }) => base)) }))
    .filter(({ base }) => Number(base) !== 0);
  if (rows.length === 0) return;
  const columns: NewColumn<Movement>[] = [
    ...shared<Movement>(books),
    { column: 'month', type: 'date', each: ({ month }) => month },
    { column: 'account_id', type: 'text', each: ({ account }) => account },
    { column: 'balance', type: 'numeric', each: ({ base }) => base },
  ];
  const rest = `on conflict (company_id, ledger_integration_type, month, account_id) do update set balance = posting_total.balance + excluded.balance`;
  await executeParts(em, [newRows(em, { table: 'posting_total', rows, columns, rest })]);
}
