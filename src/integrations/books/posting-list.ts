// Reads pages of postings: their conditions, their order and their cursors.
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { arrayLiteral } from '../../database/array-literal.ts';
import { Cursors, LateCursor } from '../../graphql/cursors.ts';
import type { FilterInput } from '../../graphql/list-inputs.ts';
import { checkPage, type PageArguments } from '../../graphql/lists/page-arguments.ts';
import { isPlainObject } from '../../records/checked.ts';
import { invalid } from '../../records/errors.ts';
import type { Posting, PostingConnection } from './posting.ts';
import { postingCount, postingPage } from './postings.statements.ts';
import { booksOf, dayOf, numberOf } from './reports.ts';

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
  const cursors = new Cursors(context.services.signer, { list: `${companyId}.postings`, organisationId, order: 'date', filter });
  const after = position ? cursors.decode(position.cursor, position.field).map(String) : [null, null, null, null];
  const books = await booksOf(context, companyId, { ...(from === undefined ? {} : { from }), to });
  const [rows, counted] = await Promise.all([
    books.read(postingPage, books.places, ...values, ...after, String(size + 1), String(offset)),
    isCounted ? books.read(postingCount, books.places, ...values) : undefined,
  ]);
  const page = rows.slice(0, size);
  const nodes = page.map(
    ([date, accountId, part, amount, currencyId, baseAmount, contactId, documentType, documentId, description]): Posting => ({
      companyId,
      date: date!,
      accountId: numberOf(accountId),
      part: part!,
      amount: Number(amount),
      currencyId: currencyId ?? null,
      baseAmount: Number(baseAmount),
      contactId: numberOf(contactId),
      documentType: documentType!,
      documentId: Number(documentId),
      description: description ?? null,
    }),
  );
  const cursor = (index: number): string => {
    const { date, documentType, documentId } = nodes[index]!;
    return cursors.encode([date, documentType, documentId, Number(page[index]!.at(-1))]);
  };
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
