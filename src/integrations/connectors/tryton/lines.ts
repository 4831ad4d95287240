// Lines of sales, purchases, shipments and invoices: how they are read, and how they are written.
import type { SourceRecord } from '../connector.ts';
import { amount, negated } from '../decimals.ts';
import { accountsIn, analyticAccounts, ENTRIES, entryCommands, type WithEntries, withEntries } from './analytic.ts';
import type { Row, TrytonClient } from './client.ts';
import { cannotSay } from './errors.ts';
import { type Command, changedValues, childCommands, childrenOf, deletedIds, isMark, marked } from './stream.ts';
import { rateOf, taxesOf } from './tax-sets.ts';
import { decimal, idOf } from './values.ts';

/** A line of a document, as Tryton has it. */
export interface LineRow extends Row, WithEntries {
  type: string;
  quantity: number | null;
  unit_price: string | null;
  amount: string | null;
  description: string | null;
  note: string | null;
  taxes: number[];
  product: number | null;
  account?: number | null;
  origin?: string | null;
  'product.': { template: number; rec_name: string } | null;
}

const LINE_FIELDS = [
  ...['type', 'quantity', 'unit_price', 'amount', 'description', 'note', 'taxes', 'product'],
  ...['product.template', 'product.rec_name'],
];

const LINE_SENT = ['item_id', 'variant_id', 'description', 'quantity', 'unit_amount', 'tax_id', 'tracking_category_ids'];
const LINE_READ = ['name', 'sub_total', 'is_tax_inclusive'];
const inLines = (names: readonly string[]): string[] => names.map((name) => `line_items.${name}`);

/** The declared fields of the lines of a document that is written, and of one that is only read. The lines of invoices have an account. */
export const lineFields = { read: inLines(LINE_READ), both: inLines(LINE_SENT) };
export const invoiceLineFields = { read: inLines(LINE_READ), both: inLines([...LINE_SENT, 'account_id']) };

/** Lines of documents, and their analytic accounts. */
export interface Lines<T extends LineRow> {
  byDocument: Map<number, T[]>;
  /** By the entries of the lines. */
  accounts: ReadonlyMap<number, string>;
}

/** The lines of documents, with further fields. */
export async function linesOf<T extends LineRow>(
  client: TrytonClient,
  model: string,
  parent: keyof T & string,
  ids: readonly number[],
  more: readonly string[] = [],
): Promise<Lines<T>> {
  if (ids.length === 0) return { byDocument: new Map(), accounts: new Map() };
  const byDocument = await client.rowsBy<T>(model, parent, ids, await withEntries(client, model, [...LINE_FIELDS, ...more]));
  return { byDocument, accounts: await analyticAccounts(client, [...byDocument.values()].flat()) };
}

/** A line as a child of a document. The lines of a credit note have the other sign in Tryton. */
export function lineRecord(row: LineRow, accounts: ReadonlyMap<number, string>, isCredit = false): SourceRecord {
  const sub_total = isCredit && row.amount !== null ? negated(row.amount) : row.amount;
  return {
    platform_id: String(row.id),
    item_id: idOf(row['product.']?.template),
    variant_id: idOf(row.product),
    name: row['product.']?.rec_name ?? null,
    description: row.description,
    // A number in Tryton too.
    quantity: isCredit && row.quantity ? -row.quantity : row.quantity,
    unit_amount: amount(row.unit_price),
    sub_total: amount(sub_total),
    is_tax_inclusive: false,
    tax_id: rateOf(row.taxes),
    ...accountsIn(row, accounts),
    ...('account' in row ? { account_id: idOf(row.account) } : {}),
  };
}

/** Titles, subtotals and comments are no lines of ours. */
export const isLine = ({ type }: LineRow): boolean => type === 'line';

/** Where the lines of a kind of document are, and how the source fills them in. */
export interface LineKind {
  model: string;
  /** Field that names the document. */
  parent: string;
  /** What the form of a line knows of its document. */
  context(document: Record<string, unknown>): Record<string, unknown>;
}

/** The variant of a line: the one it names, or the only one of its item. */
async function productOf(client: TrytonClient, { variant_id, item_id }: SourceRecord): Promise<number | null> {
  if (variant_id) return Number(variant_id);
  if (!item_id) return null;
  const found = await client.find('product.product', [['template', '=', Number(item_id)]]);
  if (found === null) throw cannotSay(`The product ${item_id} of Tryton has no variant or several: a line names one of them`);
  return found;
}

async function lineValues(client: TrytonClient, line: SourceRecord): Promise<Record<string, unknown>> {
  if (Number(line.discount_amount ?? 0) !== 0) throw cannotSay('Lines have no discounts in Tryton: send the price after the discount');
  if (line.is_tax_inclusive === true) throw cannotSay('Prices are without tax in Tryton');
  const { description, quantity, unit_amount, tax_id, account_id, tracking_category_ids } = line;
  return {
    ...(line.variant_id || line.item_id ? { product: await productOf(client, line) } : {}),
    ...(description === undefined ? {} : { description }),
    ...(quantity === undefined ? {} : { quantity: quantity === null ? null : Number(quantity) }),
    ...(unit_amount === undefined ? {} : { unit_price: decimal(unit_amount) }),
    ...(tax_id === undefined ? {} : { taxes: tax_id === null ? [] : taxesOf(tax_id) }),
    ...(account_id ? { account: Number(account_id) } : {}),
    ...(tracking_category_ids === undefined ? {} : { [ENTRIES]: tracking_category_ids ?? [] }),
  };
}

/** The taxes of a line become exactly these. */
const taxCommands = (next: unknown, current: readonly number[]): Command[] => {
  const ids = next as number[];
  const gone = current.filter((id) => !ids.includes(id));
  const added = ids.filter((id) => !current.includes(id));
  return [...(gone.length > 0 ? [['remove', gone] as const] : []), ...(added.length > 0 ? [['add', added] as const] : [])];
};

/** What the source fills in when a product is chosen: unit, account and price. Taxes are those of the record, or none. */
async function defaultsOf(client: TrytonClient, kind: LineKind, values: Record<string, unknown>, document: Record<string, unknown>) {
  if (!values.product) return {};
  const { unit, account, unit_price } = await client.changed(
    kind.model,
    { type: 'line', ...kind.context(document), product: values.product, quantity: values.quantity ?? null },
    ['product'],
  );
  return { unit, ...(account === undefined ? {} : { account }), ...(unit_price === undefined ? {} : { unit_price }) };
}

async function newLine(
  client: TrytonClient,
  kind: LineKind,
  line: SourceRecord,
  document: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { taxes = [], [ENTRIES]: accounts = [], ...values } = await lineValues(client, line);
  const entries = await entryCommands(client, kind.model, accounts as string[]);
  return {
    type: 'line',
    ...(await defaultsOf(client, kind, values, document)),
    ...values,
    taxes: taxCommands(taxes, []),
    ...(entries.length > 0 ? { [ENTRIES]: entries } : {}),
  };
}

/** The commands for the lines of a new document. The first carries the mark; a document without lines gets an empty comment that does. */
export async function newLines(
  client: TrytonClient,
  kind: LineKind,
  record: SourceRecord,
  document: Record<string, unknown>,
  mark: string,
): Promise<Command[]> {
  const lines: Record<string, unknown>[] = [];
  for (const line of childrenOf(record, 'line_items') ?? []) lines.push(await newLine(client, kind, line, document));
  const [first = { type: 'comment' }, ...others] = lines;
  return [['create', [{ ...first, note: mark }, ...others]]];
}

/** The commands that make the lines of a document those of a record; none where they are. */
export async function lineCommands(
  client: TrytonClient,
  kind: LineKind,
  record: SourceRecord,
  current: SourceRecord,
  document: Record<string, unknown>,
): Promise<Command[]> {
  const existing = childrenOf(current, 'line_items') ?? [];
  const rows = await client.rowsOf<LineRow>(
    kind.model,
    existing.map(({ platform_id }) => Number(platform_id)),
    await withEntries(client, kind.model, ['taxes']),
  );
  return childCommands(childrenOf(record, 'line_items'), existing, async (line, known) => {
    if (!known) return newLine(client, kind, line, document);
    const { taxes, [ENTRIES]: accounts, ...values } = changedValues(await lineValues(client, line), await lineValues(client, known));
    const row = rows.get(Number(known.platform_id))!;
    const defaults = values.product ? await defaultsOf(client, kind, values, document) : {};
    return {
      ...defaults,
      ...values,
      ...(taxes ? { taxes: taxCommands(taxes, row.taxes) } : {}),
      ...(accounts ? { [ENTRIES]: await entryCommands(client, kind.model, accounts as string[], row) } : {}),
    };
  });
}

/** The commands with one more, which replaces the mark of the last write by that of this one, on a line that stays or on an empty comment. */
export async function withMark(
  client: TrytonClient,
  kind: LineKind,
  document: number,
  commands: readonly Command[],
  mark: string,
): Promise<Command[]> {
  const rows = await client.rows<LineRow>(kind.model, { domain: [[kind.parent, '=', document]], fields: ['note'] });
  const gone = new Set(deletedIds(commands));
  const stay = rows.filter(({ id }) => !gone.has(id));
  const row = stay.find(({ note }) => note?.split('\n').some(isMark)) ?? stay[0];
  const command: Command = row ? ['write', [row.id], { note: marked(row.note, mark) }] : ['create', [{ type: 'comment', note: mark }]];
  return [...commands, command];
}
