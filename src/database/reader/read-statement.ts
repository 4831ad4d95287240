// The texts of reads: what a SELECT is made of, and the form of a list that a range narrows. Only the reader sends them.
import { isDeepStrictEqual } from 'node:util';
import type { FilterOperator, Model, Prop } from '../../records/metadata.ts';
import { propOf } from './projection.ts';

export interface Condition {
  prop: Prop;
  operator: FilterOperator | 'before' | 'after' | 'contains';
  value: unknown;
}

export interface Order {
  prop: Prop;
  descending: boolean;
}

/** What a statement is made from. Values are bound in this order: those of the scope, one for each condition, one for each column of the order. */
export interface StatementParts {
  model: Model;
  /** Condition of the tenant, and the number of values it binds. */
  scope: { sql: string; values: readonly unknown[] };
  where: readonly Condition[];
  includeDeleted: boolean;
}

export interface ListParts extends StatementParts {
  columns: readonly string[];
  order: readonly Order[];
  limit: number | undefined;
  /** Whether the rows begin after those with certain values in the columns of the order. */
  isContinued: boolean;
}

const operators: Record<Condition['operator'], (column: string, parameter: string, type: string) => string> = {
  eq: (column, parameter, type) => `${column} = ${parameter}::text::${type}`,
  in: (column, parameter, type) => `${column} = any(${parameter}::text::${type}[])`,
  gte: (column, parameter, type) => `${column} >= ${parameter}::text::${type}`,
  lte: (column, parameter, type) => `${column} <= ${parameter}::text::${type}`,
  after: (column, parameter, type) => `${column} > ${parameter}::text::${type}`,
  before: (column, parameter, type) => `${column} < ${parameter}::text::${type}`,
  contains: (column, parameter) => `position(lower(${parameter}::text) in lower(${column})) > 0`,
};

/** A condition as a statement has it: the column, and whether it is held against one value, some, a range, or something that no index finds. */
interface Term {
  sql: string;
  column: string;
  against: 'one' | 'some' | 'range' | 'other';
}

const againstOf: Record<Condition['operator'], Term['against']> = {
  eq: 'one',
  in: 'some',
  gte: 'range',
  lte: 'range',
  after: 'range',
  before: 'range',
  contains: 'other',
};

const columnTypes: Partial<Record<Prop['kind'], string>> = {
  ledgerId: 'bigint',
  integer: 'integer',
  amount: 'numeric',
  flag: 'boolean',
  moment: 'timestamptz',
  date: 'date',
};
const typeOf = (prop: Prop): string => columnTypes[prop.kind] ?? 'text';

/** Pages' worth of records that a list reads in their order before it looks a range up: as many as a page of one record in ten takes. */
const PAGES_IN_ORDER = 10;

/** The number of rows that match. */
export const countText = (parts: StatementParts): string =>
  `select count(*) from "${parts.model.table}" t where ${together([parts.scope, ...termsOf(parts)])}`;

/** The rows that match, in their order. */
export function listText(parts: ListParts): string {
  const { model, scope, where, columns, order, limit } = parts;
  const terms = termsOf(parts);
  const position = parts.isContinued ? [{ sql: keyset(order, scope.values.length + where.length + 1) }] : [];
  const ordered = limit === undefined ? undefined : orderedTerms(model, terms, order);
  if (limit !== undefined && ordered) return pageText(parts, terms, [...ordered, ...position], findingTerms(model, terms, ordered), limit);
  // The size stands in the text: as a parameter it would hide from the plan how few rows are wanted. At most 101 sizes occur.
  const bound = limit === undefined ? '' : ` limit ${limit}`;
  return `select ${listed(columns)} from "${model.table}" t where ${together([scope, ...terms, ...position])}${sorted(order)}${bound}`;
}

/**
 * A page of a list whose order an index has. Plans are made without values, often without statistics, and no guess fits a range that matches every
 * record of a company in one request and none in the next. So this form leaves nothing to guess. Records are read in their order, and the
 * conditions that the index does not know are looked at one by one, until the page is full. Where something else can be found by, at most some
 * pages' worth of records are read so; what is missing then is found through the index of the condition and sorted, and begins where the
 * first part ended. The parts of a `union all` run one after the other, the second not at all when the first filled the page; parts with
 * a limit are never given to parallel workers. A subquery as a number hides it from the plan, which then counts on a tenth of the records and
 * takes the index that has the order; with the number in sight it sorted all that a company was guessed to have.
 */
function pageText(
  { model, scope, columns, order }: ListParts,
  terms: readonly Term[],
  ordered: readonly { sql: string }[],
  finding: readonly Term[] | undefined,
  limit: number,
): string {
  const orderColumns = order.map(({ prop }) => prop.column);
  const ofScope = model.scope === 'shared' ? [] : ['organisation_id', model.companyColumn ?? 'organisation_id'];
  const needed = listed([...new Set([...columns, ...ofScope, ...orderColumns, ...terms.map(({ column }) => column)])]);
  const [sorting, keys] = [sorted(order), listed(orderColumns)];
  /** The page from the rows of one index, and the conditions that are left. */
  const page = (taken: readonly { sql: string }[], rest: string, ...more: { sql: string }[]): string =>
    `select ${listed(columns)} from (select ${needed} from "${model.table}" t where ${together(taken)}${rest}) t where ${together([
      scope,
      ...terms.filter((term) => !taken.includes(term)),
      ...more,
    ])}${sorting} limit ${limit}`;
  if (!finding) return page(ordered, `${sorting} limit (select null::bigint)`);
  const most = limit * PAGES_IN_ORDER;
  const end = `select * from (select ${keys} from "${model.table}" t where ${together(ordered)}${sorting} limit (select ${most})) t offset ${most - 1}`;
  const beyond = { sql: `(${keys}) ${order[0]!.descending ? '<' : '>'} (select * from ending)` };
  const found = page([...finding, { sql: 'exists (select from ending)' }], ' offset 0', beyond);
  return `(${page(ordered, `${sorting} limit (select ${most})`)}) union all (with ending as materialized (${end}) ${found}) limit ${limit}`;
}

function termsOf({ model, scope, where, includeDeleted }: StatementParts): Term[] {
  const terms = where.map(({ prop, operator }, index): Term => {
    const sql = operators[operator](`t.${prop.column}`, `$${scope.values.length + index + 1}`, typeOf(prop));
    return { sql, column: prop.column, against: againstOf[operator] };
  });
  if (model.deletedAt && !includeDeleted) {
    const { column } = propOf(model, model.deletedAt);
    terms.push({ sql: `t.${column} is null`, column, against: 'other' });
  }
  return terms;
}

/** The terms under which an index gives the rows in their order, as many as possible; undefined when no index has the order. */
function orderedTerms(model: Model, terms: readonly Term[], order: readonly Order[]): Term[] | undefined {
  if (order.length === 0) return undefined;
  const keys = order.map(({ prop }) => prop.column);
  const [prefix] = model.indexes
    .filter((index) => isDeepStrictEqual(index.slice(-keys.length), keys))
    .map((index) => index.slice(0, -keys.length))
    // Without a first column the index would give the rows of everybody.
    .filter((first) => first.length > 0 && areBound(first, terms))
    .sort((a, b) => b.length - a.length);
  return (
    prefix &&
    terms.filter(({ column, against }) => (against === 'one' && prefix.includes(column)) || (against === 'range' && column === keys[0]))
  );
}

/**
 * The terms through whose index rows are found that the order does not give: ranges alone where one has an index, for the plan takes a bound that
 * is open to one side for a third of the rows. Undefined when there is nothing to find by.
 */
function findingTerms(model: Model, terms: readonly Term[], ordered: readonly Term[]): readonly Term[] | undefined {
  const free = terms.filter((term) => term.against !== 'other' && !ordered.includes(term));
  const before = (term: Term): readonly string[] | undefined =>
    model.indexes
      .filter((index) => index.includes(term.column))
      .map((index) => index.slice(0, index.indexOf(term.column)))
      .find((first) => areBound(first, terms));
  const indexed = free.filter(before);
  const ranges = indexed.filter((term) => term.against === 'range');
  const found = ranges.length > 0 ? ranges : indexed;
  const columns = found.flatMap((term) => before(term)!);
  if (found.length > 0) return terms.filter((term) => found.includes(term) || (term.against === 'one' && columns.includes(term.column)));
  return free.some((term) => term.against === 'range') ? terms : undefined;
}

const areBound = (columns: readonly string[], terms: readonly Term[]): boolean =>
  columns.every((column) => terms.some((term) => term.against === 'one' && term.column === column));

const together = (conditions: readonly { sql: string }[]): string => conditions.map(({ sql }) => sql).join(' and ');

const listed = (columns: readonly string[]): string => columns.map((column) => `t.${column}`).join(', ');

const sorted = (order: readonly Order[]): string =>
  order.length === 0 ? '' : ` order by ${order.map((o) => `t.${o.prop.column}${o.descending ? ' desc' : ''}`).join(', ')}`;

/** Row comparison of the order columns; all columns of an order run the same way. */
function keyset(order: readonly Order[], first: number): string {
  const columns = listed(order.map(({ prop }) => prop.column));
  const parameters = order.map((o, index) => `$${first + index}::text::${typeOf(o.prop)}`).join(', ');
  return `(${columns}) ${order[0]!.descending ? '<' : '>'} (${parameters})`;
}
