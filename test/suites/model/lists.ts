// Lists of the model: which records a filter selects, in which order pages come, and what they add up to.

import type { Books, Stored } from './books.ts';
import { type Caller, type Row, rowOf } from './caller.ts';
import { Difference, same } from './compare.ts';
import type { Condition, ListOperation } from './operations.ts';
import { snake, type Type } from './types.ts';

const folded = (text: unknown): string =>
  String(text)
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();

function holds({ field, operator, value, isNot }: Condition, { values }: Stored): boolean {
  const own = values[field] ?? null;
  const results: Record<Condition['operator'], () => boolean> = {
    isNull: () => (own === null) === value,
    eq: () => own === value,
    in: () => own !== null && (value as unknown[]).includes(own),
    contains: () => own !== null && folded(own).includes(folded(value)),
    startsWith: () => own !== null && folded(own).startsWith(folded(value)),
    gte: () => own !== null && Number(own) >= Number(value),
    lt: () => own !== null && Number(own) < Number(value),
  };
  // A record matches either a condition or its `not`, whatever its values.
  return results[operator]() !== isNot;
}

/** The records that a list has. */
export function selected(books: Books, type: Type, { conditions, isAny, includeDeleted }: ListOperation): Stored[] {
  const all = books.records.filter((record) => record.type === type.name && (includeDeleted || !record.isDeleted));
  if (conditions.length === 0) return all;
  return all.filter((record) => (isAny ? conditions.some((one) => holds(one, record)) : conditions.every((one) => holds(one, record))));
}

/** Text is ordered by its bytes, which is the one order that all databases have. */
function compared(a: unknown, b: unknown): number {
  if (typeof a === 'number') return a - Number(b);
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** Checks that rows are in the order that was asked for. Records that are equal in it may come in any order. */
function checkOrder({ order }: ListOperation, rows: readonly Row[]): void {
  for (const [index, row] of rows.entries()) {
    const next = rows[index + 1];
    if (!next) continue;
    const [a, b] = order ? [row[order.field] ?? null, next[order.field] ?? null] : [row.id, next.id];
    const isFirst = order?.nulls === 'FIRST';
    if (a === null || b === null ? a !== b && (a === null) !== isFirst : compared(a, b) * (order?.isDescending ? -1 : 1) > 0)
      throw new Difference('order', `the list has ${JSON.stringify(a)} before ${JSON.stringify(b)}`);
  }
}

interface Page {
  rows: Row[];
  next: string | null;
}

/** Whether REST can express a list: it has no groups and no negation, and each condition once. */
function isForRest({ surface, conditions, isAny, order, isBackwards }: ListOperation): boolean {
  const names = conditions.map(({ field, operator }) => `${field} ${operator}`);
  const isPlain = new Set(names).size === names.length && !conditions.some(({ isNot }) => isNot) && !(isAny && conditions.length > 1);
  return surface === 'rest' && isPlain && !order?.nulls && !isBackwards;
}

async function restPage(caller: Caller, type: Type, operation: ListOperation, after: string | null): Promise<Page> {
  const { size, includeDeleted, conditions, order } = operation;
  const query = new URLSearchParams({ limit: String(size) });
  if (includeDeleted) query.set('include_deleted_records', 'true');
  if (order) query.set('order_by', `${order.isDescending ? '-' : ''}${snake(order.field)}`);
  for (const { field, operator, value } of conditions) query.set(`${snake(field)}[${snake(operator)}]`, String(value));
  if (after !== null) query.set('next', after);
  const response = await caller.rest('GET', `${snake(type.many)}?${query}`);
  if (response.status !== 200) throw new Difference('list', response.text);
  return { rows: rowOf(response.body.data) as Row[], next: response.body.pagination.next };
}

async function graphqlPage(caller: Caller, type: Type, operation: ListOperation, cursor: string | null): Promise<Page> {
  const { size, isBackwards, includeDeleted, order } = operation;
  const variables = {
    filter: filterOf(operation),
    orderBy: order
      ? [
          {
            field: snake(order.field).toUpperCase(),
            direction: order.isDescending ? 'DESC' : 'ASC',
            ...(order.nulls ? { nulls: order.nulls } : {}),
          },
        ]
      : null,
    cursor,
    size,
    includeDeleted,
  };
  const ends = isBackwards ? 'last: $size, before: $cursor' : 'first: $size, after: $cursor';
  const fields = ['ledgerId', 'etag', ...Object.keys(type.fields)].join(' ');
  const response = await caller.graphql(
    `query ($size: Int, $cursor: String, $filter: ${type.name}Filter, $orderBy: [${type.name}Order!], $includeDeleted: Boolean!) {
      company(id: "company_${caller.company.id}") { list: ${type.many}(${ends}, filter: $filter, orderBy: $orderBy, includeDeleted: $includeDeleted) {
        nodes { ${fields} } pageInfo { hasNextPage endCursor hasPreviousPage startCursor } } } }`,
    variables,
  );
  const page = response.body?.data?.company?.list;
  if (!page) throw new Difference('list', response.text);
  const { hasNextPage, endCursor, hasPreviousPage, startCursor } = page.pageInfo;
  const next = isBackwards ? hasPreviousPage && startCursor : hasNextPage && endCursor;
  return { rows: rowOf(page.nodes) as Row[], next: next || null };
}

function filterOf({ conditions, isAny }: ListOperation): unknown {
  const all = conditions.map(({ field, operator, value, isNot }) => {
    const one = { [field]: { [operator]: value } };
    return isNot ? { not: one } : one;
  });
  return all.length === 0 ? null : { [isAny ? 'or' : 'and']: all };
}

/** Reads a list page by page. After the first page `between` writes; the records that it leaves as they are come once all the same. */
export async function checkList(
  caller: Caller,
  type: Type,
  operation: ListOperation,
  books: () => Books,
  between: () => Promise<void>,
): Promise<void> {
  const page = isForRest(operation) ? restPage : graphqlPage;
  const before = selected(books(), type, operation).map(({ id, etags }) => ({ id, etag: etags.at(-1) }));
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let pages = 0; ; pages++) {
    const { rows: own, next }: Page = await page(caller, type, operation, cursor);
    if (own.length > operation.size) throw new Difference('list', `a page of ${operation.size} has ${own.length} records`);
    rows.splice(operation.isBackwards ? 0 : rows.length, 0, ...own);
    if (pages === 0) await between();
    if (next === null) break;
    if (pages > 500) throw new Difference('list', 'the pages do not end');
    cursor = next;
  }
  const ids = rows.map(({ id }) => Number(id));
  const after = new Map(selected(books(), type, operation).map(({ id, etags }) => [id, etags.at(-1)]));
  const kept = before.flatMap(({ id, etag }) => (after.get(id) === etag ? [id!] : []));
  const sorted = (all: number[]): number[] => all.toSorted((a, b) => a - b);
  if (operation.between.length === 0) {
    same('list', `${type.many} of ${JSON.stringify(operation)}`, sorted(ids), sorted(kept));
    checkOrder(operation, rows);
  } else {
    const seen = ids.filter((id) => kept.includes(id));
    same('walk', `unchanged ${type.many} of a walk`, sorted(seen), sorted(kept));
  }
}

/** Checks the sums per currency of the records that a filter selects. */
export async function checkSums(caller: Caller, type: Type, operation: ListOperation, books: Books): Promise<void> {
  const response = await caller.graphql(
    `query ($filter: ${type.name}Filter) { company(id: "company_${caller.company.id}") {
      sums: ${type.many}Summary(filter: $filter, groupBy: [{ field: CURRENCY_ID }]) { groups { key { value } count sum { totalAmount } } } } }`,
    { filter: filterOf(operation) },
  );
  if (!response.body?.data?.company) throw new Difference('sum', response.text);
  const seen = (response.body.data.company.sums.groups as { key: { value: unknown }[]; count: number; sum: Row }[]).map(
    ({ key, count, sum }) => [key[0]!.value, count, sum.totalAmount],
  );
  const groups = Map.groupBy(selected(books, type, { ...operation, includeDeleted: false }), ({ values }) => values.currencyId ?? null);
  const expected = [...groups].map(([currency, records]) => {
    const amounts = records.flatMap(({ values }) => (values.totalAmount == null ? [] : [Number(values.totalAmount)]));
    return [currency, records.length, amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0)];
  });
  const byCurrency = (list: unknown[][]): unknown[][] => list.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  same('sum', `sums of ${type.many}`, byCurrency(seen), byCurrency(expected));
}
