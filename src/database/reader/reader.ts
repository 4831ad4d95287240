// The read path: one prepared statement per level returns rows with their relations attached, or their JSON. The only file that sends SELECTs for reads.
import { LRUCache } from 'lru-cache';
import { CLOSE, COMMA, JsonBuffer, OPEN } from '../../json/buffer.ts';
import type { Model, Relation } from '../../records/metadata.ts';
import { scopeCondition, type TenantScope } from '../../records/tenancy.ts';
import { arrayLiteral } from '../array-literal.ts';
import type { Database, Statement } from '../open.ts';
import type { DataRows } from '../wire/data-rows.ts';
import { type Projection, propOf, type Row } from './projection.ts';
import { type Condition, countText, listText, type Order } from './read-statement.ts';
import { type JsonProjection, RelatedJson } from './record-json.ts';

export type { Condition, Order };

export interface ReadQuery {
  projection: Projection;
  tenant: TenantScope | null;
  where: Condition[];
  order?: Order[];
  limit?: number;
  /** Values in the order columns of the row that the page starts after; for a page before a row, the caller reverses the order. */
  after?: unknown[] | undefined;
  includeDeleted?: boolean;
  primary?: boolean;
}

const textOf = (condition: Condition): string =>
  condition.operator === 'in' ? arrayLiteral(condition.value as unknown[], String) : String(condition.value);

/** Most characters of all cached statements. A character takes 100 to 120 bytes in the server's memory of every connection; the statement of a list of all columns takes 270 KB. */
const MAX_TEXT = 400_000;

/** Runs the reads of one process. Statements are cached by the shape of the read, so that a request only binds values. */
export class Reader {
  readonly #statements = new LRUCache<string, Statement>({
    maxSize: MAX_TEXT,
    sizeCalculation: ({ text }) => text.length,
    dispose: ({ name }) => this.#freeNames.push(name),
  });
  /** Names of evicted statements, for reuse: a connection keeps a prepared statement until another text is prepared under its name. */
  readonly #freeNames: string[] = [];
  readonly #database: Database;
  #names = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The rows of a query with their relations, in the requested order. */
  async rows(query: ReadQuery): Promise<Row[]> {
    const { projection } = query;
    const rows = (await this.#read(query)).texts().map(projection.build);
    await this.attach(projection, rows, query);
    return rows;
  }

  /**
   * The rows as a JSON array, without building records. `onPage` gets the numbers of the rows and returns those to write, in their order; the
   * others are only read.
   */
  async text(
    json: JsonProjection,
    query: Omit<ReadQuery, 'projection'>,
    onPage: (rows: number[]) => number[],
  ): Promise<{ rows: DataRows; wanted: number[]; json: JsonBuffer }> {
    const rows = await this.#read({ ...query, projection: json.projection });
    const wanted = onPage(allOf(rows));
    // All related records are written into one buffer first; the rows then copy their parts from it.
    const relatedOut = new JsonBuffer();
    const related = await this.#related(json, rows, wanted, query, relatedOut);
    const out = new JsonBuffer();
    out.copy(OPEN);
    for (const [place, row] of wanted.entries()) {
      if (place > 0) out.copy(COMMA);
      json.write(out, rows, row, related);
    }
    out.copy(CLOSE);
    relatedOut.release();
    return { rows, wanted, json: out };
  }

  #read(query: ReadQuery): Promise<DataRows> {
    const { projection, tenant, where, order = [], limit, after, includeDeleted = false } = query;
    const scope = scopeCondition(projection.model, tenant, 1);
    const values = [...scope.values, ...where.map(textOf), ...(after ?? []).map(String)];
    const shape = `${projection.columns}|${scope.sql}|${where.map((c) => c.prop.name + c.operator).join()}|${order.map((o) => o.prop.name + o.descending).join()}|${after ? 1 : 0}|${limit ?? ''}|${includeDeleted}`;
    const statement = this.#statement(shape, () =>
      listText({
        model: projection.model,
        columns: projection.props.map((prop) => prop.column),
        scope,
        where,
        includeDeleted,
        order,
        limit,
        isContinued: after !== undefined,
      }),
    );
    return this.#database.readRows(statement, values, query.primary);
  }

  /** The one row of a query, or undefined. */
  async row(query: ReadQuery): Promise<Row | undefined> {
    return (await this.rows({ ...query, limit: 1 }))[0];
  }

  /** The number of rows that match. */
  async count(query: { model: Model } & Pick<ReadQuery, 'tenant' | 'where' | 'includeDeleted' | 'primary'>): Promise<number> {
    const { model, tenant, where, includeDeleted = false } = query;
    const scope = scopeCondition(model, tenant, 1);
    const shape = `count|${model.name}|${scope.sql}|${where.map((c) => c.prop.name + c.operator).join()}|${includeDeleted}`;
    const statement = this.#statement(shape, () => countText({ model, scope, where, includeDeleted }));
    const rows = await this.#database.read(statement, [...scope.values, ...where.map(textOf)], query.primary);
    return Number(rows[0]![0]);
  }

  /** Attaches the relations to rows that were read before, with one statement per relation and level. */
  async attach(projection: Projection, rows: Row[], query: Pick<ReadQuery, 'tenant' | 'primary'>): Promise<void> {
    if (rows.length === 0 || projection.relations.length === 0) return;
    await Promise.all(projection.relations.map((entry) => this.#attachOne(projection.model, entry, rows, query)));
  }

  async #attachOne(
    model: Model,
    { relation, projection }: Projection['relations'][number],
    rows: Row[],
    query: Pick<ReadQuery, 'tenant' | 'primary'>,
  ): Promise<void> {
    for (const { parents, read } of relatedReads(model, relation, projection.model, rows, (row, name) => row[name], query))
      attachRecords(relation, parents, await this.rows({ ...read, projection }));
  }

  /** Reads and writes the records of each relation for the given rows. */
  #related(
    json: JsonProjection,
    rows: DataRows,
    wanted: number[],
    query: Pick<ReadQuery, 'tenant' | 'primary'>,
    out: JsonBuffer,
  ): Promise<RelatedJson[]> {
    return Promise.all(json.relations.map((entry) => this.#relatedJson(json, entry, rows, wanted, query, out)));
  }

  async #relatedJson(
    { projection, position }: JsonProjection,
    { relation, json }: JsonProjection['relations'][number],
    rows: DataRows,
    wanted: number[],
    query: Pick<ReadQuery, 'tenant' | 'primary'>,
    out: JsonBuffer,
  ): Promise<RelatedJson> {
    const related = new RelatedJson(relation, out);
    const valueIn = (row: number, name: string): string | null => rows.text(row, position(name));
    for (const { parents, read } of relatedReads(projection.model, relation, json.projection.model, wanted, valueIn, query)) {
      const targets = await this.#read({ ...read, projection: json.projection });
      const below = await this.#related(json, targets, allOf(targets), query, out);
      const byKey = new Map<string | null, number[]>();
      for (let row = 0; row < targets.length; row++) {
        const key = targets.text(row, json.position(relation.to));
        const known = byKey.get(key);
        if (known && !relation.many) continue;
        const start = out.length;
        json.write(out, targets, row, below);
        if (known) known.push(related.add(start));
        else byKey.set(key, [related.add(start)]);
      }
      for (const row of parents) {
        const value = valueIn(row, relation.from);
        const records = byKey.get(value);
        if (records) related.assign(row, records);
        else if (value !== null && relation.standIn) {
          const start = out.length;
          json.writeStandIn(out, relation.standIn(value));
          byKey.set(value, [related.add(start)]);
          related.assign(row, byKey.get(value)!);
        }
      }
    }
    return related;
  }

  #statement(shape: string, write: () => string): Statement {
    let statement = this.#statements.get(shape);
    if (!statement) {
      statement = { name: this.#freeNames.pop() ?? `r${++this.#names}`, text: write() };
      this.#statements.set(shape, statement);
    }
    return statement;
  }
}

/** The numbers of all rows. */
const allOf = (rows: DataRows): number[] => Array.from({ length: rows.length }, (_, row) => row);

/** The reads of a relation for many rows: one per company, because the indexes of the tables begin with the company. */
function relatedReads<R>(
  model: Model,
  relation: Relation,
  target: Model,
  rows: R[],
  valueIn: (row: R, name: string) => unknown,
  { tenant, primary }: Pick<ReadQuery, 'tenant' | 'primary'>,
): { parents: R[]; read: Omit<ReadQuery, 'projection'> }[] {
  if (rows.length === 0) return [];
  const byCompany = model.companyColumn !== undefined && target.companyColumn !== undefined;
  const groups = byCompany ? Map.groupBy(rows, (row) => valueIn(row, 'companyId')) : new Map([[undefined, rows]]);
  return [...groups].flatMap(([companyId, parents]) => {
    const keys = new Set<unknown>();
    for (const row of parents) {
      const key = valueIn(row, relation.from);
      if (key !== null) keys.add(key);
    }
    if (keys.size === 0) return [];
    const where: Condition[] = [
      ...(byCompany ? [{ prop: propOf(target, 'companyId'), operator: 'eq' as const, value: companyId }] : []),
      { prop: propOf(target, relation.to), operator: 'in', value: [...keys] },
      ...Object.entries(relation.where ?? {}).map(([name, value]) => ({ prop: propOf(target, name), operator: 'eq' as const, value })),
    ];
    const order = [{ prop: propOf(target, target.key), descending: false }];
    return [
      {
        parents,
        read: {
          tenant,
          where,
          order,
          primary: primary ?? false,
          includeDeleted: !relation.owned && !relation.many && relation.to === target.key,
        },
      },
    ];
  });
}

function attachRecords(relation: Relation, rows: Row[], found: Row[]): void {
  if (relation.many) {
    const lists = Map.groupBy(found, (row) => row[relation.to]);
    for (const row of rows) row[relation.name] = lists.get(row[relation.from]) ?? [];
    return;
  }
  const index = new Map<unknown, Row>();
  // The first of several records is taken. Rows are in key order, so the choice is stable.
  for (const row of found) if (!index.has(row[relation.to])) index.set(row[relation.to], row);
  for (const row of rows) {
    const value = row[relation.from];
    const match = index.get(value) ?? (value === null ? null : (relation.standIn?.(value) ?? null));
    row[relation.name] = relation.wrapped ? (match ? [match] : []) : match;
  }
}
