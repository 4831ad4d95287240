// How a list is read: which index has its order, which finds its records, and how many records each attempt may read.
import { type Model, modelOf, type Prop, propOf, searchProps } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { searchScope } from '../../records/search-text.ts';
import type { Engine } from '../engine/engine.ts';
import type { Condition, Filter, Order, RelatedCondition } from './conditions.ts';
import {
  again,
  filterSql,
  filtersSql,
  isFindable,
  type Next,
  operandOf,
  type Place,
  usesSearchIndex,
  type WrittenFilter,
  wordsOf,
} from './filter-sql.ts';

/** A condition that all rows of a read meet, in SQL on the table alias `t`. */
export interface Term {
  sql: string;
  /** The columns it needs. */
  columns: readonly string[];
  /** The column it compares, where it compares one with values. */
  column?: string;
  comparison: 'one' | 'none' | 'some' | 'range' | 'other';
  /** The property that has no value under `none`. */
  missing?: Prop;
  /** Right side of a comparison with one value. */
  operand?: string;
  /** Whether it leaves deleted records out, on which the indexes of live records depend. */
  isLive?: boolean;
  /** Whether few records can be expected to meet it, because it names an identifier or a text. */
  isIdentifying?: boolean;
  /** Whether checking a record for it takes a search of its text or of its relations. */
  isCostly?: boolean;
  /** A condition by which an index finds the records that meet it, where no index has its column. */
  find?: { sql: string; isSearch?: boolean; overflow?: string };
}

/** One way to read a page. An attempt that reads its most records without filling the page is followed by the next. */
export type Attempt =
  /** An index has the order and every term, so that nothing but the page is read. */
  | { kind: 'exact'; ordered: readonly Term[] }
  /** The records are read in the order of an index, and the other terms are checked one by one. */
  | { kind: 'scan'; ordered: readonly Term[]; most: number }
  /** The records are found by the index of a term, checked for the others, and sorted. `by` are the last columns of that index, where it is a B-tree. */
  | { kind: 'find'; found: readonly Term[]; by: readonly string[]; most: number }
  /** Each of several nodes reads its part of the page on its own. */
  | { kind: 'merge' };

/** How many records the attempts may read. */
export interface ListBounds {
  /** Records that a condition on an identifier may find before the order is tried. */
  few: number;
  /** Records that are read in their order before they are found by another index, for a page of so many rows. */
  inOrder: (rows: number) => number;
  /** Most records that an attempt reads. */
  most: number;
}

/** Twenty pages fill a page when one record in ten matches, wherever the matches lie. Reading 20,000 records takes the database 15 to 40 ms. */
export const LIST_BOUNDS: ListBounds = { few: 2_000, inOrder: (rows) => Math.max(20 * rows, 500), most: 20_000 };

/** Most records of a relation by which a list is found. */
const MAX_RELATED = 1_000;

const identifyingKinds = new Set(['text', 'email', 'url', 'ipAddress', 'uuid', 'id', 'ledgerId']);

/** Most terms whose indexes are tried one after the other. */
const MAX_FINDING = 3;

/** A property that has some value is a range of its index, since nulls are at one end. */
const comparisonOf = ({ operator, value }: Condition): Term['comparison'] => {
  if (operator === 'isNull') return value ? 'none' : 'range';
  return operator === 'eq' ? 'one' : operator === 'in' ? 'some' : /^[gl]t/.test(operator) ? 'range' : 'other';
};

/** Whether all records that meet a term are equal in its column. */
const isFixed = ({ comparison }: Term): boolean => comparison === 'one' || comparison === 'none';

/** The conditions that must all hold, in the order of their parameters. */
const flattened = (filters: readonly Filter[]): Filter[] =>
  filters.flatMap((filter) => ('all' in filter ? flattened(filter.all) : [filter]));

/** The terms of filters, after those that a batch has for its parents. A deleted record is left out unless it is wanted. */
export function termsOf(
  model: Model,
  filters: readonly Filter[],
  parents: readonly Term[],
  { includeDeleted, engine, companies, next }: { includeDeleted: boolean; engine: Engine; companies: string | undefined; next: Next },
): Term[] {
  const flat = flattened(filters);
  const { written, company } = filtersSql(model, flat, { next, includeDeleted, engine, companies });
  const terms = flat.map((filter, index) => termOf(model, filter, written[index]!));
  const all = [...parents, ...terms];
  for (const [index, filter] of flat.entries())
    if ('relation' in filter)
      findByRelation(model, filter, terms[index]!, { terms: all, written: written[index]!, includeDeleted, company });
  const deleted = model.deletedAt && !includeDeleted ? propOf(model, model.deletedAt).column : undefined;
  return deleted === undefined ? all : [...all, { sql: `t.${deleted} is null`, columns: [deleted], comparison: 'other', isLive: true }];
}

function termOf(model: Model, filter: Filter, written: WrittenFilter): Term {
  const { sql } = written;
  const columns = columnsOf(model, filter);
  if ('search' in filter && wordsOf(filter.search).some(isFindable))
    return { sql, columns, comparison: 'other', isCostly: true, isIdentifying: true, find: { sql, isSearch: true } };
  if (!('prop' in filter)) return { sql, columns, comparison: 'other', isCostly: true };
  const { prop } = filter;
  const comparison = comparisonOf(filter);
  // The lists of ids have an index each, named values have none.
  if (usesSearchIndex(filter) || (filter.operator === 'has' && prop.kind !== 'namedValues'))
    return { sql, columns, comparison, isCostly: true, isIdentifying: true, find: { sql, isSearch: true } };
  if (comparison === 'other') return { sql, columns, comparison, isCostly: filter.operator !== 'isNull' };
  return {
    sql,
    columns,
    column: prop.column,
    comparison,
    isIdentifying: (comparison === 'one' || comparison === 'some') && identifyingKinds.has(prop.kind) && prop.column !== model.listColumn,
    ...(comparison === 'one' ? { operand: operandOf(filter, written) } : {}),
    ...(comparison === 'none' ? { missing: prop } : {}),
  };
}

/** The columns of the record that a condition reads. */
function columnsOf(model: Model, filter: Filter): string[] {
  if ('all' in filter) return filter.all.flatMap((one) => columnsOf(model, one));
  if ('any' in filter) return filter.any.flatMap((one) => columnsOf(model, one));
  if ('not' in filter) return columnsOf(model, filter.not);
  const searched = searchProps(model).map(({ column }) => column);
  if ('search' in filter) return searched;
  if ('relation' in filter)
    return [snakeCase(filter.relation.from), 'organisation_id', ...(model.companyColumn === 'company_id' ? ['company_id'] : [])];
  return [filter.prop.column, ...(usesSearchIndex(filter) ? searched : [])];
}

/** Whether an index finds the records of some condition among these. */
const isIndexed = (filter: Filter): boolean =>
  flattened([filter]).some((one) => {
    if ('search' in one) return wordsOf(one.search).some(isFindable);
    if (!('prop' in one)) return false;
    return usesSearchIndex(one) || (comparisonOf(one) !== 'other' && one.prop.list !== 'scanned');
  });

/** Whether only the search index finds the records of a condition. */
const hasSearch = (filter: Filter): boolean =>
  flattened([filter]).every((one) => 'search' in one || !('prop' in one) || usesSearchIndex(one) || one.prop.list === 'scanned');

/** Finds the records of a reference by those it names, where an index finds these and they are few. */
function findByRelation(
  model: Model,
  filter: RelatedCondition,
  term: Term,
  known: { terms: readonly Term[]; written: WrittenFilter; includeDeleted: boolean; company: Place['company'] },
): void {
  const { relation, match, where } = filter;
  const { terms, includeDeleted } = known;
  const target = modelOf(relation.target());
  const company = terms.find(({ column }) => column === 'company_id')?.operand;
  const isReference = !relation.many && relation.to === target.key && target.companyColumn === 'company_id';
  if (match !== 'some' || !isReference || company === undefined || model.companyColumn !== 'company_id' || !isIndexed(where)) return;
  const conditions = [
    `x.${hasSearch(where) ? searchScope(target) : 'company_id'} = ${company}`,
    ...(known.company && (hasSearch(where) || known.company !== company) ? [`x.company_id = ${known.company}`] : []),
    filterSql(target, where, { alias: 'x', next: again(known.written), includeDeleted, company: known.company }),
    ...(target.deletedAt && !includeDeleted ? [`x.${propOf(target, target.deletedAt).column} is null`] : []),
  ].join(' and ');
  const named = (tail: string): string =>
    `select x.${propOf(target, relation.to).column} from "${target.table}" x where ${conditions} ${tail}`;
  term.isIdentifying = true;
  term.find = {
    sql: `t.${snakeCase(relation.from)} = any(array(${named(`limit ${MAX_RELATED}`)}))`,
    overflow: `exists (${named(`offset ${MAX_RELATED} limit 1`)})`,
  };
}

/** Whether no index has all of an order: it has several keys before the last, or the last one runs the other way. */
export const isGrouped = (order: readonly Order[]): boolean =>
  order.length > 2 || (order.length === 2 && order[0]!.descending !== order[1]!.descending);

/** The attempts to read a page, in their order; at least one. */
export function attemptsOf(model: Model, terms: readonly Term[], order: readonly Order[], rows: number, bounds: ListBounds): Attempt[] {
  const ordered = orderedTerms(model, terms, order);
  // The rows of a company are of one organisation, so the condition of the organisation filters nothing more.
  const isOfCompany = terms.some(({ column, comparison }) => column === 'company_id' && comparison === 'one');
  const isExact = terms.every((term) => term.isLive || ordered?.includes(term) || (isOfCompany && term.column === 'organisation_id'));
  if (ordered && isExact && !isGrouped(order)) return [{ kind: 'exact', ordered }];
  const found = findingTerms(model, terms, ordered ?? []);
  const attempts: Attempt[] = [];
  const most = Math.max(bounds.most, 2 * rows);
  const find = (records: number): Attempt[] => found.map((one) => ({ kind: 'find', ...one, most: records }));
  if (ordered && found.length > 0 && !found.some((one) => one.found.some(({ isIdentifying }) => isIdentifying)))
    attempts.push({ kind: 'scan', ordered, most: bounds.inOrder(rows) });
  attempts.push(...find(bounds.few));
  if (ordered) attempts.push({ kind: 'scan', ordered, most });
  attempts.push(...find(most));
  if (attempts.length === 0)
    attempts.push({ kind: 'find', found: terms.filter((term) => term.isLive || isOfList(model, term)), by: [], most });
  return attempts;
}

/** Whether all rows of the list meet a term. Any other would be checked before the limit, however many records fail it. */
const isOfList = (model: Model, { column, comparison }: Term): boolean =>
  comparison === 'one' && (column === 'organisation_id' || column === model.listColumn);

/** Whether an index has a column itself, and no expression. */
const isPlain = (column: string): boolean => /^\w+$/.test(column);

const areBound = (columns: readonly string[], terms: readonly Term[]): boolean =>
  columns.every((column) => terms.some((term) => isFixed(term) && term.column === column));

/**
 * The terms under which an index returns the rows in the order of the first key of the list, as many as possible. Returns undefined when no index has
 * it.
 */
export function orderedTerms(model: Model, terms: readonly Term[], order: readonly Order[]): Term[] | undefined {
  const [lead, ...others] = order.map(({ prop }) => prop.column);
  if (lead === undefined) return undefined;
  const suffix = [lead, ...others.slice(-1)];
  const live = terms.find(({ isLive }) => isLive);
  const [best] = model.indexes
    .filter((index) => (live || !index.live) && suffix.every((column, place) => index.columns.at(place - suffix.length) === column))
    .map((index) => ({ prefix: index.columns.slice(0, -suffix.length), live: index.live }))
    // Without a leading column the index would return the rows of every tenant.
    .filter(({ prefix }) => prefix.length > 0 && areBound(prefix, terms))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (!best) return undefined;
  const applied = terms.filter(
    (term) =>
      (isFixed(term) && best.prefix.includes(term.column!)) ||
      // An index scan in order checks several values record by record.
      (term.comparison !== 'other' && term.comparison !== 'some' && term.column === lead) ||
      (best.live && term === live),
  );
  return live && !best.live ? [...applied, passingOver(live)] : applied;
}

/**
 * Leaves deleted records out of the rows of an index that has them: counted among those read, a run of them would end the list. The form hides
 * indexes of live records from the planner, which considers them as good as that of the order. It also makes the planner expect that most records are
 * live.
 */
const passingOver = (live: Term): Term => ({ ...live, sql: `num_nulls(t.${live.columns[0]}) <> 0` });

/** What an index finds: the terms it supports, and its last columns, from that of the term on. */
interface Finding {
  found: readonly Term[];
  by: readonly string[];
}

/**
 * The terms whose indexes find records independently of the order, those on each property on their own. The number of records that two of them find
 * together says nothing about the number that is read for it. Terms on identifiers come first, because few records have the same one. Otherwise terms
 * on texts and relations are used together, and then all that have an index, because a text may be common where a date is not. Empty when no term is
 * left to find by.
 */
export function findingTerms(model: Model, terms: readonly Term[], ordered: readonly Term[]): readonly Finding[] {
  const live = terms.find(({ isLive }) => isLive);
  const shared = model.listColumn;
  const columnsFor = (term: Term): { prefix: readonly string[]; by: readonly string[]; live: boolean } | undefined =>
    model.indexes
      .filter((index) => (live || !index.live) && term.column !== undefined && index.columns.includes(term.column))
      .map(({ columns, live: isLive }) => ({
        live: isLive,
        prefix: columns.slice(0, columns.indexOf(term.column!)),
        by: columns.slice(columns.indexOf(term.column!)).filter(isPlain),
      }))
      // Without a leading column the index returns the rows of every tenant. These are few only where they share an identifier or lack a value that
      // every other row has.
      .find(({ prefix }) => (prefix.length > 0 || term.isIdentifying || term.missing?.required) && areBound(prefix, terms));
  // The column of the list alone finds every record.
  const free = terms.filter(({ comparison, column }) => comparison !== 'other' && column !== shared && column !== 'organisation_id');
  const indexed = free.filter((term) => !ordered.includes(term) && columnsFor(term));
  const identifying = indexed.filter(({ isIdentifying }) => isIdentifying);
  const sharedTerm = terms.find(({ column, operand }) => column === shared && operand !== undefined);
  const texts = terms.filter(({ find }) => find && sharedTerm && (live !== undefined || !model.deletedAt));
  const byText: Finding[] = [];
  if (identifying.length === 0 && texts.length > 0) {
    const isSearch = texts.every(({ find }) => find!.isSearch);
    const found = [
      isSearch ? { ...sharedTerm!, sql: `t.${searchScope(model)} = ${sharedTerm!.operand}` } : sharedTerm!,
      // A term that the index covers exactly keeps its form, so that it is not checked again on the rows that were found. The check took half the
      // time of W12.
      ...texts.map((term) => (term.find!.sql === term.sql ? term : { ...term, sql: term.find!.sql })),
      ...(live ? [live] : []),
    ];
    byText.push({ found, by: [] });
  }
  const chosen = Map.groupBy(identifying.length > 0 ? identifying : indexed, ({ column }) => column);
  const byColumn = [...chosen.values()].map((own): Finding => {
    const { prefix, by, live: isLive } = columnsFor(own[0]!)!;
    const found = terms.filter(
      (term) => own.includes(term) || (isLive && term === live) || (isFixed(term) && prefix.includes(term.column!)),
    );
    if (live && !isLive) found.push(passingOver(live));
    // An index does not return the records of several values in its order.
    const isInOrder = own.every(({ comparison }) => comparison !== 'some');
    return { found, by: isInOrder ? by : [] };
  });
  return [...byText, ...byColumn].slice(0, MAX_FINDING);
}
