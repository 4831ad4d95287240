// Reads pages of lists: one statement for a page, or for the pages of all parents of a level, and the next attempt where one reads too much.
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../records/errors.ts';
import { filterOperators, type Model, orderProps, type Prop } from '../../records/metadata.ts';
import { scopeCondition } from '../../records/tenancy.ts';
import { atMost } from '../../runtime/caches.ts';
import { arrayLiteral } from '../array-literal.ts';
import { type Engine, engineOf } from '../engine/engine.ts';
import type { Database, Statement } from '../open.ts';
import type { DataRows } from '../read-path/data-rows.ts';
import type { Freshness } from '../replicas/read-balancer.ts';
import type { Condition, Filter, Order, ReadScope } from './conditions.ts';
import { bindFilters, typeOf } from './filter-sql.ts';
import { isGrouped, type ListBounds } from './list-plan.ts';
import { attemptsFor, countText, estimateText, type ListParts, pageText } from './list-statement.ts';
import type { Projection } from './projection.ts';
import type { Statements } from './statements.ts';

/** A page of a list. */
export interface PageQuery extends ReadScope {
  where: readonly Filter[];
  order: readonly Order[];
  limit: number;
  /** Rows to skip. */
  offset?: number;
  /** Values of the row that the page starts after, in the keys of the order. For a page before a row, the caller reverses the order. */
  after?: readonly unknown[] | undefined;
}

/** The records that a level of a response has lists for: properties of the listed records, and their values for each. A property that holds a list has the value among others. */
export interface Parents {
  props: readonly Prop[];
  values: readonly (readonly unknown[])[];
}

/** The rows of one page: their numbers among the rows of a result. */
export interface FoundPage {
  rows: DataRows;
  numbers: number[];
}

/** A number of records, and whether it is an estimate. */
export interface RecordCount {
  count: number;
  isEstimate: boolean;
}

/**
 * Limits of counting: most records that are counted, most that are read to count the matches, and most where each check searches text or relations.
 */
export const MAX_COUNTED = { matching: 10_000, read: 100_000, checked: 20_000 };

/** Offsets are planned for in three steps, so that few statements differ by them. */
const reachOf = (limit: number, offset: number): number => (offset === 0 ? limit : offset <= 1_000 ? 1_000 : 10_000);

/** Most parents for which a level makes more than one attempt. Together they read what the database reads within its time for one statement. */
const MAX_AGAIN = 100;

/** How many lists are remembered, and how long, for their records change. */
const REMEMBERED = { max: 2_000, ttl: 60_000 };

/** Whether a parent is named by one of the values of a list. */
const isList = ({ kind }: Prop): boolean => kind === 'list';

/** The conditions that name one parent. */
export const conditionsOn = ({ props }: Parents, values: readonly unknown[]): Condition[] =>
  props.map((prop, index) => ({ prop, operator: isList(prop) ? 'has' : 'eq', value: values[index] }));

/** The numbers of the rows of each of several parents; a column of the rows has the place of the parent, from 1. */
export function byPlace(rows: DataRows, column: number, parents: number): number[][] {
  const counts = new Uint32Array(parents);
  for (let row = 0; row < rows.length; row++) counts[rows.integer(row, column) - 1]!++;
  const groups = Array.from(counts, (count) => new Array<number>(count));
  for (let row = rows.length - 1; row >= 0; row--) {
    const place = rows.integer(row, column) - 1;
    groups[place]![--counts[place]!] = row;
  }
  return groups;
}

const isRange = (filter: Filter): boolean => 'prop' in filter && /^[gl]t/.test(filter.operator);

/** The numbers of all rows. */
export const allNumbers = (rows: DataRows): number[] => Array.from({ length: rows.length }, (_, row) => row);

/** The values that all conditions but ranges compare with: few lists differ by them, while a range moves with every page of a calendar. */
function namedValues({ tenant, where }: PageQuery): string {
  const values = [String(tenant?.organisationId)];
  bindFilters(
    where.filter((filter) => !isRange(filter)),
    values,
  );
  return values.join('\n');
}

/** How the rows of a page are read. */
interface Reading {
  shape: string;
  attempts: readonly boolean[];
  read: (attempt: number) => Promise<DataRows>;
}

/** Reads pages and counts. */
export class ListReader {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #bounds: ListBounds;
  readonly #engine: Engine;
  /**
   * The attempts of a shape. For each, whether it costs little where it was not needed: a scan ends with the page, and one that finds few records
   * reads few.
   */
  readonly #attempts = new LRUCache<string, boolean[]>(atMost(5_000));
  /**
   * The attempt that last served a page of a list, where it was not the first. How many records meet conditions depends on their values, so a list of
   * the same values is read by the same attempt. A fourth of the requests of W8 made a failing attempt before.
   */
  readonly #remembered = new LRUCache<string, number>(REMEMBERED);

  constructor(database: Database, statements: Statements, bounds: ListBounds) {
    this.#database = database;
    this.#statements = statements;
    this.#bounds = bounds;
    this.#engine = engineOf(database.orm.em);
  }

  /** The pages of the parents, in their order; FILTER_TOO_BROAD in the place of a page for which every attempt would read too many records. */
  pages(projection: Projection, query: PageQuery, parents: Parents): Promise<(FoundPage | GatewayError)[]> {
    // Statements in an order by several keys or with an offset have parts that nodes take only for one company.
    const isOfOne = isGrouped(query.order) || Boolean(query.offset);
    const read = (own: Parents, where: readonly Filter[]) => this.#pages(projection, { ...query, where: [...where, ...query.where] }, own);
    return this.ofNodes(projection.model, parents, read, isOfOne);
  }

  /**
   * Reads for parents. On a distributed engine the condition that names one company leads to its node. Parents of several companies are read together
   * where each of them names its own, unless `isOfOne` says that the statement has to name one.
   */
  async ofNodes<T>(
    model: Model,
    parents: Parents,
    read: (own: Parents, where: readonly Filter[]) => Promise<T[]>,
    isOfOne = false,
  ): Promise<T[]> {
    const { props, values } = parents;
    const node = this.#engine.nodeColumn(model);
    if (node === undefined) return read(parents, []);
    const company = props.findIndex(({ column }) => column === node);
    if (!isOfOne && company !== -1 && new Set(values.map((own) => String(own[company]))).size > 1) return read(parents, []);
    const isNamed = (_: unknown, place: number): boolean => company === -1 || place === company;
    const left = props.filter((prop, place) => !isNamed(prop, place));
    const groups = Map.groupBy(values.keys(), (index) => JSON.stringify(values[index]!.filter(isNamed)));
    const all: T[] = [];
    await Promise.all(
      [...groups.values()].map(async (indexes) => {
        const own = indexes.map((index) => values[index]!.filter((value, place) => !isNamed(value, place)));
        const named = { props: props.filter(isNamed), values: [] };
        const found = await read(
          { props: left, values: left.length === 0 ? [[]] : own },
          conditionsOn(named, values[indexes[0]!]!.filter(isNamed)),
        );
        for (const [place, index] of indexes.entries()) all[index] = found[left.length === 0 ? 0 : place]!;
      }),
    );
    return all;
  }

  async #pages(projection: Projection, query: PageQuery, parents: Parents): Promise<(FoundPage | GatewayError)[]> {
    const { props, values } = parents;
    if (values.length === 1)
      return [await this.#page(projection, { ...query, where: [...conditionsOn(parents, values[0]!), ...query.where] })];
    // Several records of a level may lead to one parent.
    const keys = values.map((own) => (own.length === 1 ? String(own[0]) : JSON.stringify(own)));
    const different = new Map(keys.map((key, index) => [key, values[index]!]));
    if (different.size === values.length) return this.#level(projection, query, parents);
    const pages = await this.#level(projection, query, { props, values: [...different.values()] });
    const places = new Map([...different.keys()].map((key, index) => [key, index]));
    return keys.map((key) => pages[places.get(key)!]!);
  }

  /** Tries the attempts of a page: the one that knew the last page of this list, then the others in their order. */
  async #page(projection: Projection, query: PageQuery): Promise<FoundPage | GatewayError> {
    const key = keyPlace(projection);
    const { shape, attempts, read } = this.#reading(projection, query);
    const list = attempts.length > 1 ? shape + namedValues(query) : '';
    const first = attempts.length > 1 ? (this.#remembered.get(list) ?? 0) : 0;
    for (let turn = 0; turn < attempts.length; turn++) {
      const attempt = turn === 0 ? first : turn <= first ? turn - 1 : turn;
      const rows = await read(attempt);
      const numbers = allNumbers(rows);
      if (!isKnown(rows, numbers, key)) continue;
      if (attempt !== first && attempts[attempt]) this.#remembered.set(list, attempt);
      return { rows, numbers };
    }
    return tooBroad(projection.model);
  }

  /** Tries the attempts of the pages of several parents, each for the parents that the one before does not know. */
  async #level(projection: Projection, query: PageQuery, { props, values }: Parents): Promise<(FoundPage | GatewayError)[]> {
    const key = keyPlace(projection);
    const pages: (FoundPage | GatewayError)[] = [];
    let open = values.map((_, index) => index);
    for (let attempt = 0; open.length > 0; attempt++) {
      const { attempts, read } = this.#reading(projection, query, { props, values: open.map((index) => values[index]!) });
      const isTooLong = attempt === attempts.length || (attempt > 0 && open.length > MAX_AGAIN);
      const rows = isTooLong ? undefined : await read(attempt);
      const groups = rows ? byPlace(rows, projection.props.length, open.length) : [];
      open = open.filter((index, place) => {
        const numbers = groups[place] ?? [];
        if (rows && !isKnown(rows, numbers, key)) return true;
        pages[index] = rows ? { rows, numbers } : tooBroad(projection.model);
        return false;
      });
    }
    return pages;
  }

  /** The shape of a page or of the pages of several parents, the ways to read it, and each of them. */
  #reading(projection: Projection, query: PageQuery, parents?: Parents): Reading {
    const { model } = projection;
    const { tenant, where, order, limit, offset = 0, after, includeDeleted = false, freshness } = query;
    const scope = scopeCondition(model, tenant, 1);
    const values = [...scope.values];
    const ofParents = bindParents(parents, this.#engine.nodeColumn(model), values);
    const conditions = bindFilters(where, values);
    if (after) for (const value of after) if (value !== null) values.push(String(value));
    if (offset > 0) values.push(String(offset));
    const sorting = order.map(({ prop, descending, nulls }) => `${prop.name}${descending ? '-' : '+'}${nulls ?? ''}`).join();
    const position = after?.map((value) => value === null);
    const reach = reachOf(limit, offset);
    const shape = `${projection.columns}|${scope.sql}|${conditions}|${sorting}|${position?.map(Number).join('') ?? ''}|${limit}|${offset > 0 ? reach : ''}|${includeDeleted}|${ofParents}`;
    const parts = (): ListParts => ({
      model,
      columns: projection.props.map(({ column }) => column),
      scope,
      where,
      includeDeleted,
      order,
      limit,
      position,
      hasOffset: offset > 0,
      reach,
      bounds: this.#bounds,
      parents: parentColumns(parents),
      engine: this.#engine,
    });
    let attempts = this.#attempts.get(shape);
    if (attempts === undefined) {
      attempts = attemptsFor(parts()).map((one) => one.kind !== 'find' || one.most <= this.#bounds.few);
      this.#attempts.set(shape, attempts);
    }
    const read = (attempt: number): Promise<DataRows> => {
      const statement = this.#statements.of(`${shape}|${attempt}`, () => pageText(parts(), attempt));
      return this.#database.readRows(statement, values, freshness);
    };
    return { shape, attempts, read };
  }

  /**
   * The number of records of each parent: exact up to 10,000, and above that where it is asked for or the records are read anyway. Otherwise it is
   * the estimate of the planner.
   */
  counts(
    model: Model,
    where: readonly Filter[],
    scope: ReadScope,
    { exact, parents }: { exact: boolean; parents: Parents },
  ): Promise<RecordCount[]> {
    return this.ofNodes(model, parents, (own, named) => this.#counts(model, [...named, ...where], scope, { exact, parents: own }));
  }

  async #counts(
    model: Model,
    where: readonly Filter[],
    scope: ReadScope,
    { exact, parents }: { exact: boolean; parents: Parents },
  ): Promise<RecordCount[]> {
    const [first] = parents.values;
    const isSingle = parents.values.length === 1;
    const most = exact ? undefined : MAX_COUNTED;
    const filters = isSingle ? [...conditionsOn(parents, first!), ...where] : where;
    const rows = await this.#count(model, filters, scope, isSingle ? undefined : parents, most);
    const found = new Map(
      rows.map(([matching, read, place]) => [Number(place ?? 1) - 1, { matching: Number(matching), read: Number(read) }]),
    );
    return Promise.all(
      parents.values.map(async (values, index): Promise<RecordCount> => {
        // A company that is gone has no row on its node.
        const { matching, read } = found.get(index) ?? { matching: 0, read: 0 };
        if (!most || (matching <= most.matching && read <= most.read)) return { count: matching, isEstimate: false };
        const estimate = await this.#estimate(model, [...conditionsOn(parents, values), ...where], scope);
        return { count: Math.max(estimate, matching), isEstimate: true };
      }),
    );
  }

  #count(
    model: Model,
    where: readonly Filter[],
    { tenant, includeDeleted = false, freshness }: ReadScope,
    parents: Parents | undefined,
    most: typeof MAX_COUNTED | undefined,
  ): Promise<readonly (readonly (string | null)[])[]> {
    const scope = scopeCondition(model, tenant, 1);
    const values = [...scope.values];
    const shape = `count|${model.name}|${scope.sql}|${bindParents(parents, this.#engine.nodeColumn(model), values)}|${bindFilters(where, values)}|${includeDeleted}|${most ? '' : 'exact'}`;
    const parts = { model, scope, where, includeDeleted, parents: parentColumns(parents), engine: this.#engine };
    return this.#run(shape, () => countText(parts, most), values, freshness);
  }

  async #estimate(model: Model, where: readonly Filter[], { tenant, includeDeleted = false, freshness }: ReadScope): Promise<number> {
    const scope = scopeCondition(model, tenant, 1);
    const values = [...scope.values];
    const shape = `estimate|${model.name}|${scope.sql}|${bindFilters(where, values)}|${includeDeleted}`;
    const parts = { model, scope, where, includeDeleted, parents: [], engine: this.#engine };
    const rows = await this.#run(shape, () => estimateText(parts), values, freshness);
    return this.#engine.expectedRows(JSON.parse(rows.map(([line]) => line).join('\n')));
  }

  #run(shape: string, write: () => string, values: string[], freshness: Freshness | undefined): ReturnType<Database['read']> {
    const statement: Statement = this.#statements.of(shape, write);
    return this.#database.read(statement, values, freshness);
  }
}

/**
 * Adds the values of parents, an array for each property, and returns the shape they give a statement. One more array has the companies, each once,
 * where these say which node has the rows. With repeated ones PostgreSQL expected most of a table, and read all of it.
 */
export function bindParents(parents: Parents | undefined, nodeColumn: string | undefined, values: string[]): string {
  if (!parents) return '';
  for (const index of parents.props.keys()) values.push(arrayLiteral(parents.values, (own) => String(own[index])));
  const company = parents.props.findIndex(({ column }) => column === nodeColumn);
  if (company !== -1) values.push(arrayLiteral([...new Set(parents.values.map((own) => String(own[company])))], String));
  return parents.props.map(({ name }) => name).join();
}

/** The columns of parents, for a statement. */
export const parentColumns = (parents: Parents | undefined): ListParts['parents'] =>
  parents?.props.map((prop) => ({ column: prop.column, type: isList(prop) ? 'jsonb' : typeOf(prop), isList: isList(prop) })) ?? [];

/** The place of the key among the columns of a projection. */
const keyPlace = ({ props, model }: Projection): number => props.findIndex(({ name }) => name === model.key);

/** Whether the attempt knows the page: otherwise some row has no key. */
const isKnown = (rows: DataRows, numbers: readonly number[], key: number): boolean => numbers.every((row) => !rows.isNull(row, key));

const words = new Intl.ListFormat('en-GB');

/** The rejection names what an index begins with, after the column of the tenant, and what it orders by. */
function tooBroad(model: Model): GatewayError {
  const leading = new Set(model.indexes.flatMap(({ columns }) => columns.slice(0, 2)));
  const ordered = new Set(orderProps(model));
  const isIndexed = (prop: Prop): boolean => ordered.has(prop) || (leading.has(prop.column) && filterOperators(prop).length > 0);
  const names = [...model.props.values()].filter(isIndexed).map(({ name }) => name);
  return new GatewayError(
    'FILTER_TOO_BROAD',
    `too many records would have to be read to find this page: no index leads to the few that meet the conditions in this order. Add a condition that few records meet, or order by what a condition limits. Indexes have ${words.format(names)}`,
    { field: 'filter' },
  );
}
