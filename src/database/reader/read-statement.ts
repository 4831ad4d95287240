// The SQL of reads: the parts of a SELECT, and the form of a page whose order an index has. Only the reader sends it.
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

/** The parts of a statement. It binds the values of the scope, then one per condition, then one per column of the order. */
export interface StatementParts {
  model: Model;
  /** Condition of the tenant, and the values it binds. */
  scope: { sql: string; values: readonly unknown[] };
  where: readonly Condition[];
  includeDeleted: boolean;
}

export interface ListParts extends StatementParts {
  columns: readonly string[];
  order: readonly Order[];
  limit: number | undefined;
  /** Whether the rows begin after given values in the columns of the order. */
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

/** A condition in SQL: its column, and whether it compares with one value, several, a range, or in a way that no index supports. */
interface Term {
  sql: string;
  column: string;
  comparison: 'one' | 'some' | 'range' | 'other';
}

const comparisonOf: Record<Condition['operator'], Term['comparison']> = {
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

/**
 * Number of rows that a list reads in its order before it uses the index of a condition. Twenty pages fill a page when one record in ten matches,
 * wherever the matches lie; 500 rows cost less than the second part of a short page.
 */
const rowsInOrder = (limit: number): number => Math.max(20 * limit, 500);

/** The number of rows that match. */
export const countText = (parts: StatementParts): string =>
  `select count(*) from "${parts.model.table}" t where ${together([parts.scope, ...termsOf(parts)])}`;

/** The rows that match, in the order of the list. */
export function listText(parts: ListParts): string {
  const { model, scope, where, columns, order, limit } = parts;
  const terms = termsOf(parts);
  const position = parts.isContinued ? [{ sql: keyset(order, scope.values.length + where.length + 1) }] : [];
  const ordered = limit === undefined ? undefined : orderedTerms(model, terms, order);
  if (limit !== undefined && ordered) return pageText(parts, terms, [...ordered, ...position], findingTerms(model, terms, ordered), limit);
  // The limit is part of the text, because a parameter would hide from the planner how few rows are wanted. At most 101 limits occur.
  const bound = limit === undefined ? '' : ` limit ${limit}`;
  return `select ${listed(columns)} from "${model.table}" t where ${together([scope, ...terms, ...position])}${sorted(order)}${bound}`;
}

/**
 * A page of a list whose order an index has. PostgreSQL plans without values and often without statistics, and no estimate fits a range that
 * matches every record of a company in one request and none in the next, so this form does not depend on estimates. Records are read in the
 * order of the list, and conditions outside the index are checked one by one, until the page is full. Where another condition has an index,
 * only some records are read this way (`rowsInOrder`); the missing records are found through that index and sorted, beginning
 * where the first part ended. The parts of a `union all` run one after the other, and the second does not run when the first fills the page;
 * PostgreSQL gives parts with a limit to no parallel workers. A limit in a subquery hides its number from the planner, which then assumes a
 * tenth of the records and uses the index with the order; with a visible number it sorted all records it estimated for the company.
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
  /** The page from the rows that one index finds; the remaining conditions filter them. */
  const page = (found: readonly { sql: string }[], tail: string, ...more: { sql: string }[]): string =>
    `select ${listed(columns)} from (select ${needed} from "${model.table}" t where ${together(found)}${tail}) t where ${together([
      scope,
      ...terms.filter((term) => !found.includes(term)),
      ...more,
    ])}${sorting} limit ${limit}`;
  if (!finding) return page(ordered, `${sorting} limit (select null::bigint)`);
  const most = rowsInOrder(limit);
  const end = `select * from (select ${keys} from "${model.table}" t where ${together(ordered)}${sorting} limit (select ${most})) t offset ${most - 1}`;
  const beyond = { sql: `(${keys}) ${order[0]!.descending ? '<' : '>'} (select * from ending)` };
  const missing = page([...finding, { sql: 'exists (select from ending)' }], ' offset 0', beyond);
  return `(${page(ordered, `${sorting} limit (select ${most})`)}) union all (with ending as materialized (${end}) ${missing}) limit ${limit}`;
}

function termsOf({ model, scope, where, includeDeleted }: StatementParts): Term[] {
  const terms = where.map(({ prop, operator }, index): Term => {
    const sql = operators[operator](`t.${prop.column}`, `$${scope.values.length + index + 1}`, typeOf(prop));
    return { sql, column: prop.column, comparison: comparisonOf[operator] };
  });
  if (model.deletedAt && !includeDeleted) {
    const { column } = propOf(model, model.deletedAt);
    terms.push({ sql: `t.${column} is null`, column, comparison: 'other' });
  }
  return terms;
}

/** The terms under which an index returns the rows in the order of the list, as many as possible; undefined when no index has the order. */
function orderedTerms(model: Model, terms: readonly Term[], order: readonly Order[]): Term[] | undefined {
  if (order.length === 0) return undefined;
  const keys = order.map(({ prop }) => prop.column);
  const [prefix] = model.indexes
    .filter((index) => isDeepStrictEqual(index.slice(-keys.length), keys))
    .map((index) => index.slice(0, -keys.length))
    // Without a leading column the index would return the rows of every tenant.
    .filter((first) => first.length > 0 && areBound(first, terms))
    .sort((a, b) => b.length - a.length);
  return (
    prefix &&
    terms.filter(
      ({ column, comparison }) => (comparison === 'one' && prefix.includes(column)) || (comparison === 'range' && column === keys[0]),
    )
  );
}

/**
 * The terms whose index finds rows independently of the order. They are ranges only where a range has an index, because the planner estimates
 * a range with one bound as a third of the rows. Undefined when no term is left to find by.
 */
function findingTerms(model: Model, terms: readonly Term[], ordered: readonly Term[]): readonly Term[] | undefined {
  const free = terms.filter((term) => term.comparison !== 'other' && !ordered.includes(term));
  const before = (term: Term): readonly string[] | undefined =>
    model.indexes
      .filter((index) => index.includes(term.column))
      .map((index) => index.slice(0, index.indexOf(term.column)))
      .find((first) => areBound(first, terms));
  const indexed = free.filter(before);
  const ranges = indexed.filter((term) => term.comparison === 'range');
  const found = ranges.length > 0 ? ranges : indexed;
  const columns = found.flatMap((term) => before(term)!);
  if (found.length > 0) return terms.filter((term) => found.includes(term) || (term.comparison === 'one' && columns.includes(term.column)));
  return free.some((term) => term.comparison === 'range') ? terms : undefined;
}

const areBound = (columns: readonly string[], terms: readonly Term[]): boolean =>
  columns.every((column) => terms.some((term) => term.comparison === 'one' && term.column === column));

const together = (conditions: readonly { sql: string }[]): string => conditions.map(({ sql }) => sql).join(' and ');

const listed = (columns: readonly string[]): string => columns.map((column) => `t.${column}`).join(', ');

const sorted = (order: readonly Order[]): string =>
  order.length === 0 ? '' : ` order by ${order.map((o) => `t.${o.prop.column}${o.descending ? ' desc' : ''}`).join(', ')}`;

/** Row comparison of the order columns; all columns of an order have the same direction. */
function keyset(order: readonly Order[], first: number): string {
  const columns = listed(order.map(({ prop }) => prop.column));
  const parameters = order.map((o, index) => `$${first + index}::text::${typeOf(o.prop)}`).join(', ');
  return `(${columns}) ${order[0]!.descending ? '<' : '>'} (${parameters})`;
}
