// Reads pages of postings: their conditions, their order and their cursors.
import type { GraphQLResolveInfo } from 'graphql';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { arrayLiteral } from '../../database/array-literal.ts';
import type { TextRow } from '../../database/open.ts';
import { Cursors, LateCursor } from '../../graphql/cursors.ts';
import { byGroup, LevelLoaders } from '../../graphql/level-loaders.ts';
import type { FilterInput } from '../../graphql/list-inputs.ts';
import { checkPage, type PageArguments } from '../../graphql/lists/page-arguments.ts';
import { isPlainObject } from '../../records/checked.ts';
import { invalid } from '../../records/errors.ts';
import { dayOf } from './days.ts';
import type { Posting, PostingConnection } from './posting.ts';
import { postingCount, postingPage, rowPostings } from './postings.statements.ts';
import type { Period } from './report-types.ts';
import { type Books, booksOf, numberOf, reportsOpen } from './reports.ts';
import { sourceCount, sourcePage, sourceRowPostings } from './source-postings.statements.ts';

type Operators = Readonly<Record<string, unknown>>;

/** The operators of a column; null is no value of any of them. */
function operatorsOf(filter: FilterInput, column: string): Operators {
  const operators = filter[column];
  if (!isPlainObject(operators)) return {};
  for (const [operator, value] of Object.entries(operators))
    if (value === null) throw invalid(`filter.${column}.${operator}`, `filter.${column}.${operator} must not be null`);
  return operators;
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(String);

/** The values that a column may have by `eq` and `in`, as an array; null for any. */
function valuesOf({ eq, in: any }: Operators): string | null {
  if (eq === undefined && any === undefined) return null;
  const values = listOf(any ?? eq).filter((value) => eq === undefined || value === String(eq));
  return arrayLiteral(values, (value) => value);
}

/** The last or the first of days that are given. */
const latest = (...days: unknown[]): string | undefined =>
  days
    .filter((day) => day !== undefined)
    .map(String)
    .sort()
    .at(-1);
const earliest = (...days: unknown[]): string | undefined =>
  days
    .filter((day) => day !== undefined)
    .map(String)
    .sort()[0];

interface Conditions {
  from: string | undefined;
  to: string | undefined;
  values: (string | null)[];
}

/** The period that a filter names, and the values of its conditions in the order of the statements. */
function conditionsOf(context: RequestContext, filter: FilterInput): Conditions {
  const date = operatorsOf(filter, 'date');
  for (const [operator, value] of Object.entries(date))
    if (operator !== 'isNull') for (const day of listOf(value)) dayOf(context, day, `filter.date.${operator}`);
  const text = (value: unknown): string | null => (value === undefined ? null : String(value));
  const columns = ['accountId', 'contactId', 'documentId', 'documentType', 'part'].map((column) => operatorsOf(filter, column));
  return {
    from: latest(date.gte, date.gt, date.eq),
    to: earliest(date.lte, date.lt, date.eq),
    values: [
      text(date.gt),
      text(date.lt),
      // Every posting has a date.
      date.isNull === true ? '{}' : valuesOf(date),
      ...columns.flatMap((operators) => [valuesOf(operators), text(operators.isNull)]),
    ],
  };
}

type Values = readonly (string | null)[];

/** A posting with its place in the list. */
interface PlacedPosting {
  posting: Posting;
  place: (string | number | null)[];
}

/** How a list of postings is read. */
interface PostingList {
  /** What its places are made of. */
  order: string;
  read(values: Values, after: string[] | null, page: Values): Promise<TextRow[]>;
  count(values: Values): Promise<TextRow[]>;
  rowsOf(companyId: number, row: TextRow): PlacedPosting;
}

/** The ids in a list of tracking categories. */
const idsIn = (tracking: string | null | undefined): string[] | null =>
  tracking == null ? null : (JSON.parse(tracking) as unknown[]).map(String);

/** What the rows of both lists begin with. */
const postingOf = (
  companyId: number,
  [date, accountId, part, amount, currencyId, baseAmount, contactId, documentType, documentId, description]: TextRow,
) => ({
  ...{ companyId, date: date!, accountId: numberOf(accountId), part: part ?? null, amount: Number(amount) },
  ...{ baseAmount: Number(baseAmount), contactId: numberOf(contactId), documentType: documentType ?? null },
  ...{ documentId: numberOf(documentId), currencyId: currencyId ?? null, description: description ?? null },
});

const derived = (books: Books): PostingList => ({
  order: 'date',
  read: (values, after, page) => books.read(postingPage, books.places, ...values, ...(after ?? [null, null, null, null]), ...page),
  count: (values) => books.read(postingCount, books.places, ...values),
  rowsOf(companyId, row) {
    const ofSource = {
      dueDate: row[11] ?? null,
      settledDate: null,
      transactionId: null,
      sourceNumber: null,
      journal: null,
    };
    const posting = { ...postingOf(companyId, row), origin: 'DERIVED', ...ofSource, trackingCategoryIds: idsIn(row[12]) };
    return { posting, place: [posting.date, posting.documentType, posting.documentId, Number(row[10])] };
  },
});

const ofSource = (books: Books): PostingList => ({
  order: 'transaction',
  read: (values, after, page) => books.readSource(sourcePage, ...values, ...(after ?? [null, null, null]), ...page),
  count: (values) => books.readSource(sourceCount, ...values),
  rowsOf(companyId, row) {
    const [place, dueDate, settledDate, transactionId, sourceNumber, journal, tracking] = row.slice(10);
    const posting = {
      ...postingOf(companyId, row),
      ...{ origin: 'SOURCE', transactionId: transactionId!, sourceNumber: sourceNumber ?? null, journal: journal ?? null },
      ...{ dueDate: dueDate ?? null, settledDate: settledDate ?? null, currencyId: row[4] ?? books.currency },
      trackingCategoryIds: idsIn(tracking),
    };
    return { posting, place: [posting.date, posting.transactionId, Number(place)] };
  },
});

/** A page of the postings of a company. */
export async function readPostings(
  context: RequestContext,
  companyId: number,
  args: PageArguments,
  filter: FilterInput,
  isCounted: boolean,
): Promise<PostingConnection> {
  const { size, position, offset } = checkPage(args);
  const { organisationId } = tenantOf(context);
  const { from, to = 'infinity', values } = conditionsOf(context, filter);
  const books = await booksOf(context, companyId, { ...(from === undefined ? {} : { from }), to });
  const { read, rowsOf, count, order } = books.isOfSource ? ofSource(books) : derived(books);
  const cursors = new Cursors(context.services.signer, { list: `${companyId}.postings`, organisationId, order, filter });
  const after = position ? cursors.decode(position.cursor, position.field).map(String) : null;
  const [rows, counted] = await Promise.all([
    read(values, after, [String(size + 1), String(offset)]),
    isCounted ? count(values) : undefined,
  ]);
  const page = rows.slice(0, size).map((row) => rowsOf(companyId, row));
  const nodes = page.map(({ posting }) => posting);
  const cursor = (index: number): string => cursors.encode(page[index]!.place);
  const late = (index: number): LateCursor | null => (nodes.length === 0 ? null : new LateCursor(() => cursor(index)));
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursor(index) })),
    pageInfo: {
      hasNextPage: rows.length > size,
      hasPreviousPage: position !== undefined || offset > 0,
      startCursor: late(0),
      endCursor: late(nodes.length - 1),
    },
    totalCount: Number(counted?.[0]?.[0] ?? 0),
    totalCountIsEstimate: false,
  };
}

/** The postings that a row of a report is asked for. */
export interface RowRequest {
  companyId: number;
  period: Period;
  /** Its account, or the part that replaces one; or its contact, in a report of what is open of a part. */
  row: { accountId: number | null; part: string } | { contactId: number | null; openPart: string };
  size: number;
}

/** Reads the rows of one report together: from documents, each would read all of them again. */
async function readRows(context: RequestContext, requests: readonly RowRequest[]): Promise<Posting[][]> {
  const [{ companyId, period, row, size }] = requests as [RowRequest, ...RowRequest[]];
  const books = await booksOf(context, companyId, period);
  const openPart = 'openPart' in row ? row.openPart : undefined;
  const by = openPart === undefined ? 'ACCOUNT' : 'CONTACT';
  const keys = requests.map(({ row: one }) => String('openPart' in one ? (one.contactId ?? '') : (one.accountId ?? one.part)));
  const values = [arrayLiteral(keys, (one) => one), String(size), ...(openPart === undefined ? [] : [openPart])];
  const isOfSource = openPart === undefined ? books.isOfSource : await reportsOpen(books, openPart);
  const { rowsOf } = isOfSource ? ofSource(books) : derived(books);
  const rows = await (isOfSource
    ? books.readSource(sourceRowPostings[by], ...values)
    : books.read(rowPostings[by], books.places, ...values));
  const found = Map.groupBy(rows, ([key]) => key!);
  return keys.map((key) => (found.get(key) ?? []).map(([, ...columns]) => rowsOf(companyId, columns).posting));
}

const rowLoaders = new LevelLoaders<RowRequest, Posting[]>('row_postings', (context, _, requests) =>
  byGroup(
    requests,
    ({ companyId, period, row }) => JSON.stringify([companyId, period, 'openPart' in row && row.openPart]),
    (group) => readRows(context, group),
  ),
);

/** The first postings of a row of a report. */
export const readRowPostings = (context: RequestContext, info: GraphQLResolveInfo, request: RowRequest): Promise<Posting[]> =>
  rowLoaders.load(context, info, request);
