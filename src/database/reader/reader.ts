// The read path: one prepared statement per level returns rows with their relations attached, or their JSON. The only file that sends SELECTs for reads.
import { CLOSE, COMMA, END, JsonBuffer, OPEN } from '../../json/buffer.ts';
import { JsonFragment } from '../../json/fragment.ts';
import { GatewayError } from '../../records/errors.ts';
import { type Column, type Model, modelOf, propOf, type RecordClass, type Relation, type StoredRecord } from '../../records/metadata.ts';
import { scopeCondition } from '../../records/tenancy.ts';
import { type Engine, engineOf } from '../engine/engine.ts';
import type { Database } from '../open.ts';
import type { DataRows } from '../read-path/data-rows.ts';
import { type Condition, conditionsOf, type Filter, type Order, type OrderBy, ordersOf, type ReadScope, type Where } from './conditions.ts';
import type { NestedList } from './field-tree.ts';
import { bindFilters } from './filter-sql.ts';
import { LIST_BOUNDS, type ListBounds } from './list-plan.ts';
import {
  allNumbers,
  bindParents,
  byPlace,
  conditionsOn,
  type FoundPage,
  ListReader,
  type PageQuery,
  type Parents,
  parentColumns,
  type RecordCount,
} from './list-reader.ts';
import { plainText } from './list-statement.ts';
import { type Projection, projectionOf, projectionWith, type Row } from './projection.ts';
import { type BelowRelation, type JsonProjection, RelatedJson } from './record-json.ts';
import { Statements } from './statements.ts';
import { bindSummary, type SummaryParts, summaryColumns, summaryText } from './summary-statement.ts';

export interface FindQuery<T> {
  where: Where<T>;
  order?: OrderBy<T>;
  limit?: number;
}

export interface ReadQuery extends ReadScope {
  projection: Projection;
  where: readonly Filter[];
  order?: Order[];
  limit?: number;
}

export type { ReadScope };

/** Chooses and orders the rows of a page among those found. */
type OnPage = (rows: number[]) => number[];

/** What was found for a page. */
export interface FoundRows {
  /** The number of rows, which may be one more than the page holds. */
  found: number;
  /** The value in the last row of the property that the list is sorted by first; undefined without rows. */
  last: unknown;
}

/** A page as records. */
export interface RowPage extends FoundRows {
  rows: Row[];
}

/** A page as a JSON array, and its rows. */
export interface JsonPage extends FoundRows {
  rows: DataRows;
  wanted: number[];
  json: JsonFragment;
}

/** Reads the pages of a list of each of these records, which have the properties that it needs, as JSON. */
export type ReadNested = (list: NestedList, records: readonly Row[]) => Promise<readonly JsonFragment[]>;

/** What is read below rows: within the same scope, and the lists by their own reader. */
type Below = Pick<ReadQuery, 'tenant' | 'freshness'> & { nested?: ReadNested };

/**
 * Most records that the records of one level own together, in one relation. It is as many as an operation may ask for, and twice as many as one
 * record may own.
 */
export const MAX_OWNED = 20_000;

const sortedBy = ({ order }: PageQuery): string => order[0]!.prop.name;

const NO_PARENTS: Parents = { props: [], values: [[]] };

/** Runs the reads of one process. Statements are cached by the shape of the read, so that a request only binds values. */
export class Reader {
  readonly #statements = new Statements();
  /** The pages and counts of lists. */
  readonly #lists: ListReader;
  /** Projections of the lists of properties that the code names. */
  readonly #projections = new Map<string, Projection>();
  readonly #database: Database;
  readonly #engine: Engine;

  constructor(database: Database, bounds: ListBounds = LIST_BOUNDS) {
    this.#database = database;
    this.#engine = engineOf(database.orm.em);
    this.#lists = new ListReader(database, this.#statements, bounds);
  }

  /** Number of cached statements. */
  get size(): number {
    return this.#statements.size;
  }

  /** Forgets the statements; those prepared on a connection stay there until another takes their name. */
  clear(): void {
    this.#statements.clear();
    this.#projections.clear();
  }

  /** Some properties of the one record that meets the conditions; undefined when the scope has none. */
  async one<T extends object, K extends Column<T>>(
    record: RecordClass<T>,
    where: Where<T>,
    select: readonly K[],
    scope: ReadScope,
  ): Promise<StoredRecord<T, K> | undefined> {
    return (await this.find(record, { where, limit: 1 }, select, scope))[0];
  }

  /** Some properties of every record that meets the conditions, in the order of the query. */
  async find<T extends object, K extends Column<T>>(
    record: RecordClass<T>,
    query: FindQuery<T>,
    select: readonly K[],
    scope: ReadScope,
  ): Promise<StoredRecord<T, K>[]> {
    return this.findRows(this.#projectionOf(modelOf(record), select), query, scope, select);
  }

  /** The same for what an operation selected, with the selected relations; the properties `also` are read besides. */
  findRows<T extends object, K extends Column<T> = never>(
    projection: Projection<T>,
    { where, order, limit }: FindQuery<T>,
    scope: ReadScope,
    also: readonly K[] = [],
  ): Promise<(Row & StoredRecord<T, K>)[]> {
    const { model } = projection;
    const rows = this.rows({
      ...scope,
      projection: projectionWith(projection, also),
      where: conditionsOf(model, where),
      ...(order ? { order: ordersOf(model, order) } : {}),
      ...(limit === undefined ? {} : { limit }),
    });
    return rows as Promise<(Row & StoredRecord<T, K>)[]>;
  }

  /** The number of records that meet the conditions. */
  async count<T extends object>(record: RecordClass<T>, where: Where<T>, scope: ReadScope): Promise<number> {
    const model = modelOf(record);
    const [found] = await this.#lists.counts(model, conditionsOf(model, where), scope, { exact: true, parents: NO_PARENTS });
    return found!.count;
  }

  #projectionOf<T extends object>(model: Model<T>, select: readonly Column<T>[]): Projection<T> {
    const key = `${model.name} ${select.join()}`;
    let projection = this.#projections.get(key);
    if (!projection) {
      projection = projectionOf(model, select);
      this.#projections.set(key, projection);
    }
    return projection;
  }

  /** The rows of a query with their relations, in the requested order. */
  async rows(query: ReadQuery): Promise<Row[]> {
    const { projection } = query;
    const rows = (await this.#read(query)).texts().map(projection.build);
    await this.attach(projection, rows, query);
    return rows;
  }

  /** The rows of each parent with their relations, in the requested order; with a limit, at most so many of each. */
  rowsOfEach(query: ReadQuery, parents: Parents): Promise<Row[][]> {
    return this.#lists.ofNodes(query.projection.model, parents, (own, named) =>
      this.#rowsOfEach({ ...query, where: [...named, ...query.where] }, own),
    );
  }

  async #rowsOfEach(query: ReadQuery, parents: Parents): Promise<Row[][]> {
    const { projection } = query;
    if (parents.props.length === 0) return [await this.rows(query)];
    const texts = (await this.#read(query, parents)).texts();
    const rows = texts.map(projection.build);
    await this.attach(projection, rows, query);
    const groups = Map.groupBy(rows.keys(), (row) => Number(texts[row]!.at(-1)) - 1);
    return parents.values.map((_, place) => (groups.get(place) ?? []).map((row) => rows[row]!));
  }

  /** The pages of parents as records with their relations. `onPage` gets the numbers of the rows found and returns those of the page, in their order. */
  async pages(projection: Projection, query: PageQuery, parents: Parents, onPage: OnPage): Promise<(RowPage | GatewayError)[]> {
    const found = await this.#lists.pages(projection, query, parents);
    const texts = new Map(found.flatMap((page) => (page instanceof GatewayError ? [] : [[page.rows, page.rows.texts()] as const])));
    const pages = found.map((page) => {
      if (page instanceof GatewayError) return page;
      const { rows, numbers } = page;
      const built = (row: number): Row => projection.build(texts.get(rows)![row]!);
      const last = numbers.at(-1);
      return {
        found: numbers.length,
        last: last === undefined ? undefined : built(last)[sortedBy(query)],
        rows: onPage(numbers).map(built),
      };
    });
    const all = pages.flatMap((page) => (page instanceof GatewayError ? [] : page.rows));
    await this.attach(projection, all, query);
    return pages;
  }

  /** The same as a JSON array for each parent, without building records. */
  async jsonPages(
    json: JsonProjection,
    query: PageQuery & { nested?: ReadNested },
    parents: Parents,
    onPage: OnPage,
  ): Promise<(JsonPage | GatewayError)[]> {
    const found = await this.#lists.pages(json.projection, query, parents);
    const wanted = found.map((page) => (page instanceof GatewayError ? [] : onPage(page.numbers)));
    const related = new Map<DataRows, RelatedJson[]>();
    // All related records are written into one buffer first; the rows then copy their parts from it.
    const relatedOut = json.below.length > 0 ? new JsonBuffer() : undefined;
    if (relatedOut) {
      const known = [...found.keys()].filter((place) => !(found[place] instanceof GatewayError));
      await Promise.all(
        [...Map.groupBy(known, (place) => (found[place] as FoundPage).rows)].map(async ([rows, places]) => {
          const below = places.flatMap((place) => wanted[place]!);
          related.set(rows, await this.#related(json, rows, below, query, relatedOut));
        }),
      );
    }
    const out = new JsonBuffer();
    const pages = found.map((page, place) => {
      if (page instanceof GatewayError) return page;
      const { rows, numbers } = page;
      const own = wanted[place]!;
      const below = related.get(rows) ?? [];
      const start = out.length;
      out.copy(OPEN);
      for (let index = 0; index < own.length; index++) {
        if (index > 0) out.copy(COMMA);
        json.write(out, rows, own[index]!, below);
      }
      out.copy(CLOSE);
      const last = numbers.at(-1);
      return {
        found: numbers.length,
        last: last === undefined ? undefined : json.value(rows, last, sortedBy(query)),
        rows,
        wanted: own,
        json: new JsonFragment(out, start, out.length),
      };
    });
    relatedOut?.release();
    return pages;
  }

  /** The number of records of each parent that meet the conditions. */
  counts(model: Model, where: readonly Filter[], scope: ReadScope, options: { exact: boolean; parents: Parents }): Promise<RecordCount[]> {
    return this.#lists.counts(model, where, scope, options);
  }

  /** The rows of a query; those of pairs have the place of their pair, from 1, as a last column. */
  #read(query: ReadQuery, pairs?: Parents): Promise<DataRows> {
    const { projection, tenant, where, order = [], limit, includeDeleted = false } = query;
    const scope = scopeCondition(projection.model, tenant, 1);
    const values = [...scope.values];
    const ofPairs = bindParents(pairs, this.#engine.nodeColumn(projection.model), values);
    const conditions = bindFilters(where, values);
    const shape = `${projection.columns}|${scope.sql}|${conditions}|${order.map((o) => o.prop.name + o.descending).join()}|${limit ?? ''}|${includeDeleted}|${ofPairs}`;
    const statement = this.#statements.of(shape, () =>
      plainText({
        model: projection.model,
        columns: projection.props.map((prop) => prop.column),
        scope,
        where,
        includeDeleted,
        parents: parentColumns(pairs),
        engine: this.#engine,
        order,
        limit,
      }),
    );
    return this.#database.readRows(statement, values, query.freshness);
  }

  /** The groups of the summary of each parent, as rows of the columns that `SummaryParts` names. */
  summaries(parts: SummaryParts, scope: ReadScope, parents: Parents): Promise<FoundPage[]> {
    return this.#lists.ofNodes(parts.model, parents, (own, named) =>
      this.#summaries({ ...parts, where: [...named, ...parts.where] }, scope, own),
    );
  }

  async #summaries(parts: SummaryParts, { tenant, freshness }: ReadScope, parents: Parents): Promise<FoundPage[]> {
    const [first] = parents.values;
    const isSingle = parents.values.length === 1;
    const read: SummaryParts = isSingle ? { ...parts, where: [...conditionsOn(parents, first!), ...parts.where] } : parts;
    const several = isSingle ? undefined : parents;
    const scope = scopeCondition(parts.model, tenant, 1);
    const values = [...scope.values];
    const shape = `summary|${scope.sql}|${bindParents(several, this.#engine.nodeColumn(parts.model), values)}|${bindSummary(read, values)}`;
    const statement = this.#statements.of(shape, () => summaryText(read, scope, parentColumns(several), this.#engine), true);
    const rows = await this.#database.readRows(statement, values, freshness);
    if (isSingle) return [{ rows, numbers: allNumbers(rows) }];
    return byPlace(rows, summaryColumns(parts).parent, parents.values.length).map((numbers) => ({ rows, numbers }));
  }

  /** Attaches the relations to rows that were read before, with one statement per relation and level. */
  async attach(projection: Projection, rows: Row[], query: Pick<ReadQuery, 'tenant' | 'freshness'>): Promise<void> {
    if (rows.length === 0 || projection.relations.length === 0) return;
    await Promise.all(projection.relations.map((entry) => this.#attachOne(projection.model, entry, rows, query)));
  }

  async #attachOne(
    model: Model,
    { relation, projection }: Projection['relations'][number],
    rows: Row[],
    query: Pick<ReadQuery, 'tenant' | 'freshness'>,
  ): Promise<void> {
    const read = relatedRead(model, relation, projection.model, rows, (row, name) => row[name], query);
    const found = new Map<string, Row[]>();
    if (read) {
      const texts = owned(relation, await this.#read({ ...read.query, projection }, read.pairs)).texts();
      const records = texts.map(projection.build);
      await this.attach(projection, records, read.query);
      for (const [index, record] of records.entries()) {
        const key = read.pairs ? texts[index]!.at(-1)! : String(record[relation.to]);
        const known = found.get(key);
        if (known) known.push(record);
        else found.set(key, [record]);
      }
    }
    attachRecords(relation, rows, read?.keyOf ?? (() => null), found);
  }

  /** Reads and writes what the given rows have below them. */
  #related(json: JsonProjection, rows: DataRows, wanted: number[], query: Below, out: JsonBuffer): Promise<RelatedJson[]> {
    const records = json.needs.length === 0 ? [] : wanted.map((row) => recordOf(json, rows, row));
    return Promise.all(
      json.below.map((entry) =>
        'relation' in entry
          ? this.#relatedJson(json, entry, rows, wanted, query, out)
          : this.#nestedJson(entry, records, wanted, query, out),
      ),
    );
  }

  /** Reads the pages of a list for the records of the given rows. */
  async #nestedJson(list: NestedList, records: readonly Row[], wanted: number[], { nested }: Below, out: JsonBuffer): Promise<RelatedJson> {
    const related = new RelatedJson({ many: false }, out);
    const pages = await nested!(list, records);
    const begin = Buffer.from(`{${JSON.stringify(list.nodes)}:`);
    for (const [place, row] of wanted.entries()) {
      const start = out.length;
      out.copy(begin);
      pages[place]!.copyTo(out);
      out.copy(END);
      related.assign(row, [related.add(start)]);
    }
    for (const output of new Set(pages.map((page) => page.output))) if (output instanceof JsonBuffer) output.release();
    return related;
  }

  async #relatedJson(
    { projection, position }: JsonProjection,
    { relation, json }: BelowRelation,
    rows: DataRows,
    wanted: number[],
    query: Below,
    out: JsonBuffer,
  ): Promise<RelatedJson> {
    const related = new RelatedJson(relation, out);
    const valueIn = (row: number, name: string): string | null => rows.text(row, position(name));
    const read = relatedRead(projection.model, relation, json.projection.model, wanted, valueIn, query);
    if (!read) return related;
    const targets = owned(relation, await this.#read({ ...read.query, projection: json.projection }, read.pairs));
    const below = await this.#related(json, targets, allNumbers(targets), query, out);
    const byKey = new Map<string, number[]>();
    const keyColumn = read.pairs ? json.projection.props.length : json.position(relation.to);
    for (let row = 0; row < targets.length; row++) {
      const key = targets.text(row, keyColumn)!;
      const known = byKey.get(key);
      if (known && !relation.many) continue;
      const start = out.length;
      json.write(out, targets, row, below);
      if (known) known.push(related.add(start));
      else byKey.set(key, [related.add(start)]);
    }
    for (const row of wanted) {
      const key = read.keyOf(row);
      if (key === null) continue;
      const records = byKey.get(key);
      if (records) related.assign(row, records);
      else if (relation.standIn) {
        const start = out.length;
        json.writeStandIn(out, relation.standIn(valueIn(row, relation.from)));
        byKey.set(key, [related.add(start)]);
        related.assign(row, byKey.get(key)!);
      }
    }
    return related;
  }
}

/** The rows of a relation; throws where they are too many for one response. */
function owned({ name }: Relation, rows: DataRows): DataRows {
  if (rows.length <= MAX_OWNED) return rows;
  throw new GatewayError(
    'QUERY_TOO_COMPLEX',
    `the records of this response have more than ${MAX_OWNED} ${name} together; ask for a shorter page`,
  );
}

/** What the lists of a row are read by. */
function recordOf({ needs, value }: JsonProjection, rows: DataRows, row: number): Row {
  const record: Row = {};
  for (const name of needs) record[name] = value(rows, row, name);
  return record;
}

/** How the records of a relation are read for many rows, and how they are distinguished. */
interface RelatedRead<R> {
  query: Omit<ReadQuery, 'projection'>;
  /** Where the rows are of several companies: each company with each value, which the found rows name by their place. */
  pairs: Parents | undefined;
  /** The key under which the records of a row are found; null when it names none. */
  keyOf: (row: R) => string | null;
}

/** The indexes of the tables begin with the company, so a read names it: once where all rows are of one company, otherwise with each value. */
function relatedRead<R>(
  model: Model,
  relation: Relation,
  target: Model,
  rows: readonly R[],
  valueIn: (row: R, name: string) => unknown,
  { tenant, freshness }: Pick<ReadQuery, 'tenant' | 'freshness'>,
): RelatedRead<R> | undefined {
  const byCompany = model.companyColumn !== undefined && model.companyColumn === target.companyColumn;
  const companyIn = (row: R): unknown => (byCompany ? valueIn(row, model.companyProp!) : undefined);
  const named = rows.filter((row) => valueIn(row, relation.from) !== null);
  const [first] = named;
  if (first === undefined) return undefined;
  const to = propOf(target, relation.to);
  const isOfOne = named.every((row) => companyIn(row) === companyIn(first));
  const places = new Map<string, number>();
  const values: unknown[][] = [];
  const pairOf = (row: R): string => `${companyIn(row)}/${valueIn(row, relation.from)}`;
  for (const row of named) {
    if (places.has(pairOf(row))) continue;
    places.set(pairOf(row), values.length);
    values.push([companyIn(row), valueIn(row, relation.from)]);
  }
  const company = propOf.bind(null, target, target.companyProp!);
  const where: Condition[] = [
    ...(byCompany && isOfOne ? [{ prop: company(), operator: 'eq' as const, value: companyIn(first) }] : []),
    ...(isOfOne ? [{ prop: to, operator: 'in' as const, value: values.map(([, value]) => value) }] : []),
    ...Object.entries(relation.where ?? {}).map(([name, value]) => ({ prop: propOf(target, name), operator: 'eq' as const, value })),
  ];
  const keyOf = (row: R): string | null => {
    const value = valueIn(row, relation.from);
    if (value === null) return null;
    return isOfOne ? String(value) : String(places.get(pairOf(row))! + 1);
  };
  return {
    keyOf,
    pairs: isOfOne ? undefined : { props: [company(), to], values },
    query: {
      tenant,
      where,
      order: [...(relation.orderedBy ? [relation.orderedBy] : []), target.key].map((name) => ({
        prop: propOf(target, name),
        descending: false,
      })),
      freshness,
      ...(relation.many ? { limit: MAX_OWNED + 1 } : {}),
      // A reference still shows the record it names when that is deleted.
      includeDeleted: !relation.owned && !relation.many && relation.to === target.key,
    },
  };
}

/** Attaches the records of a relation, by the key of each row. */
function attachRecords(
  relation: Relation,
  rows: readonly Row[],
  keyOf: (row: Row) => string | null,
  found: ReadonlyMap<string, Row[]>,
): void {
  for (const row of rows) {
    const key = keyOf(row);
    const records = key === null ? [] : (found.get(key) ?? []);
    if (relation.many) row[relation.name] = records;
    else {
      // The first of several records is taken. Rows are in key order, so the choice is stable.
      const match = records[0] ?? (key === null ? null : (relation.standIn?.(row[relation.from]) ?? null));
      row[relation.name] = relation.wrapped ? (match ? [match] : []) : match;
    }
  }
}
