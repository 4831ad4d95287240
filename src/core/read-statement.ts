// The texts of reads: what a SELECT is made of, and the form of a list that a range narrows. Only the reader sends them.
import { isDeepStrictEqual } from 'node:util';
import type { FilterOperator, Model, Prop } from './model.ts';
import { propOf } from './record-selection.ts';

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

/** Conditions that may match anything from no record of a company to all of them. */
const ranges: ReadonlySet<Condition['operator']> = new Set(['gte', 'lte', 'after', 'before']);

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

/** A condition as a statement has it, and the column that it holds against one value, a range, or something that no index finds. */
interface Term {
  sql: string;
  column: string;
  against: 'one' | 'range' | 'other';
}

/** The number of rows that match. */
export const countText = (parts: StatementParts): string =>
  `select count(*) from "${parts.model.table}" t where ${together([parts.scope, ...termsOf(parts)])}`;

/** The rows that match, in their order. */
export function listText(parts: ListParts): string {
  const { model, scope, where, columns, order, limit } = parts;
  const terms = termsOf(parts);
  const position = parts.isContinued ? [{ sql: keyset(order, scope.values.length + where.length + 1) }] : [];
  const ordered = limit === undefined ? undefined : orderedTerms(model, terms, order);
  if (limit !== undefined && ordered) return narrowedText(parts, terms, [scope, ...ordered, ...position], limit);
  // The size stands in the text: as a parameter it would hide from the plan how few rows are wanted. At most 101 sizes occur.
  const bound = limit === undefined ? '' : ` limit ${limit}`;
  return `select ${listed(columns)} from "${model.table}" t where ${together([scope, ...terms, ...position])}${sorted(order)}${bound}`;
}

/**
 * A list that a range narrows. Plans know no values, and no guess fits a range that matches every record of a company in one request and none
 * in the next. So this form needs none. First records are read in their order until the page is full, at most so many pages' worth of them.
 * What is missing then is found through the range and sorted; it begins where the first part ended. The parts of a `union all` run one after
 * the other and the second not at all when the first filled the page; parts with a limit are never given to parallel workers. A subquery as
 * a number hides it from the plan, which then counts on a tenth of the records and takes the index that has the order; with the number in
 * sight it rather sorted all of a company's, of which it guessed there were fewer.
 */
function narrowedText(
  { model, scope, columns, order }: ListParts,
  terms: readonly Term[],
  ordered: readonly { sql: string }[],
  limit: number,
): string {
  const most = limit * PAGES_IN_ORDER;
  const found = [scope, ...rangeTerms(model, terms)];
  const needed = listed([...new Set([...columns, ...order.map(({ prop }) => prop.column), ...terms.map(({ column }) => column)])]);
  const keys = listed(order.map(({ prop }) => prop.column));
  const rows = (conditions: readonly { sql: string }[], rest: string): string =>
    `(select ${needed} from "${model.table}" t where ${together(conditions)}${rest}) t`;
  const others = (conditions: readonly { sql: string }[]): readonly Term[] => terms.filter((term) => !conditions.includes(term));
  const end = `(select ${keys} from "${model.table}" t where ${together(ordered)}${sorted(order)} offset (select ${most - 1}) limit 1)`;
  const beyond = { sql: `(${keys}) ${order[0]!.descending ? '<' : '>'} ${end}` };
  return `(select ${listed(columns)} from ${rows(ordered, `${sorted(order)} limit (select ${most})`)} where ${together(others(ordered))} limit ${limit}) union all (select ${listed(columns)} from ${rows(found, ' offset 0')} where ${together([...others(found), beyond])}${sorted(order)} limit ${limit}) limit ${limit}`;
}

function termsOf({ model, scope, where, includeDeleted }: StatementParts): Term[] {
  const terms = where.map(({ prop, operator }, index): Term => {
    const sql = operators[operator](`t.${prop.column}`, `$${scope.values.length + index + 1}`, typeOf(prop));
    return { sql, column: prop.column, against: operator === 'eq' ? 'one' : ranges.has(operator) ? 'range' : 'other' };
  });
  if (model.deletedAt && !includeDeleted) {
    const { column } = propOf(model, model.deletedAt);
    terms.push({ sql: `t.${column} is null`, column, against: 'other' });
  }
  return terms;
}

/** The terms under which an index gives the rows in their order, as many as possible; undefined when it takes every range or there is none, or when no index has the order. */
function orderedTerms(model: Model, terms: readonly Term[], order: readonly Order[]): Term[] | undefined {
  const keys = order.map(({ prop }) => prop.column);
  const isBound = boundBy(terms);
  const [prefix] = model.indexes
    .filter((index) => isDeepStrictEqual(index.slice(-keys.length), keys))
    .map((index) => index.slice(0, -keys.length))
    .filter((first) => first.every(isBound))
    .sort((a, b) => b.length - a.length);
  const free = terms.filter(({ column, against }) => against === 'range' && column !== keys[0]);
  if (!prefix || free.length === 0) return undefined;
  return terms.filter(
    ({ column, against }) => (against === 'one' && prefix.includes(column)) || (against === 'range' && column === keys[0]),
  );
}

/** The terms through which rows are found by a range: those of an index that has one; all where none has. */
function rangeTerms(model: Model, terms: readonly Term[]): readonly Term[] {
  const isBound = boundBy(terms);
  const isRange = (column: string): boolean => terms.some((term) => term.against === 'range' && term.column === column);
  const index = model.indexes.find((columns) => {
    const place = columns.findIndex(isRange);
    return place >= 0 && columns.slice(0, place).every(isBound);
  });
  if (!index) return terms;
  return terms.filter(({ column, against }) => against === 'range' || (against === 'one' && index.includes(column)));
}

const boundBy =
  (terms: readonly Term[]) =>
  (column: string): boolean =>
    terms.some((term) => term.against === 'one' && term.column === column);

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
