// The read path: from a look-ahead tree to one prepared statement per level, plain rows with their relations attached. The only file that writes SELECTs for reads.
import { LRUCache } from 'lru-cache';
import type { Database, Statement, WireRow } from './database.ts';
import { type Derived, type FilterOperator, type Model, modelOf, type Prop, type Relation } from './kit.ts';
import type { FieldTree } from './selection.ts';
import { scopeCondition, type TenantScope } from './tenancy.ts';

/** A record as resolvers and the executor see it: GraphQL field names, wire values, relations attached. */
export type Row = Record<string, unknown>;

/** What to read of a record: its columns, computed fields and relations, made once per look-ahead tree. */
export interface Selection {
  id: number;
  model: Model;
  props: Prop[];
  derived: Derived[];
  relations: { relation: Relation; selection: Selection }[];
  build: (row: WireRow) => Row;
}

export interface Condition {
  prop: Prop;
  operator: FilterOperator | 'before' | 'after' | 'contains';
  value: unknown;
}

export interface Order {
  prop: Prop;
  descending: boolean;
}

export interface ReadQuery {
  selection: Selection;
  tenant: TenantScope | null;
  where: Condition[];
  order?: Order[];
  limit?: number;
  /** Values of the order columns of the row the page starts after (or ends before, with the order reversed by the caller). */
  after?: unknown[] | undefined;
  includeDeleted?: boolean;
  primary?: boolean;
}

let selectionCount = 0;
const selectionCache = new WeakMap<FieldTree, Map<Model, Selection>>();

/** Columns a field with its own resolver needs, by type and field name; declared by the resolver's file. */
const needsOfResolvers = new Map<string, string[]>();

/** Declares which properties of a record a field resolver of that record reads. */
export function resolverNeeds(typeName: string, field: string, props: string[]): void {
  needsOfResolvers.set(`${typeName}.${field}`, props);
}

/** The selection for a record type below a look-ahead tree. */
export function selectionFor(model: Model, tree: FieldTree): Selection {
  let perModel = selectionCache.get(tree);
  if (!perModel) {
    perModel = new Map();
    selectionCache.set(tree, perModel);
  }
  let selection = perModel.get(model);
  if (!selection) {
    selection = makeSelection(model, tree);
    perModel.set(model, selection);
  }
  return selection;
}

/** The selection of the given properties, for reads that no operation asked for. */
export function selectionOf(model: Model, names: string[]): Selection {
  return assemble(model, new Set(names), [], []);
}

function makeSelection(model: Model, tree: FieldTree): Selection {
  const props = new Set<string>([model.key]);
  const derived: Derived[] = [];
  const relations: Selection['relations'] = [];
  const concrete = tree.byType.get(model.name);
  for (const [name, child] of [...tree.fields, ...(concrete?.fields ?? [])]) {
    const relation = model.relations.get(name);
    const computed = model.derived.get(name);
    if (relation) {
      props.add(relation.from);
      const target = modelOf(relation.target());
      const selection = makeSelection(target, child);
      relations.push({ relation, selection: selectionWith(selection, [relation.to]) });
    } else if (computed) {
      derived.push(computed);
      for (const need of computed.needs) props.add(need);
    } else if (model.props.has(name)) {
      props.add(name);
    } else {
      for (const need of needsOfResolvers.get(`${model.name}.${name}`) ?? []) props.add(need);
    }
  }
  if (relations.length > 0 && model.companyColumn) props.add('companyId');
  return assemble(model, props, derived, relations);
}

const widened = new WeakMap<Selection, Map<string, Selection>>();

/** The selection with further properties; the same object for the same question, so that its statements are found again. */
export function selectionWith(selection: Selection, names: string[]): Selection {
  if (names.every((name) => selection.props.some((prop) => prop.name === name))) return selection;
  let perNames = widened.get(selection);
  if (!perNames) {
    perNames = new Map();
    widened.set(selection, perNames);
  }
  const key = names.join();
  let wider = perNames.get(key);
  if (!wider) {
    wider = assemble(
      selection.model,
      new Set([...selection.props.map((prop) => prop.name), ...names]),
      selection.derived,
      selection.relations,
    );
    perNames.set(key, wider);
  }
  return wider;
}

function assemble(model: Model, names: Set<string>, derived: Derived[], relations: Selection['relations']): Selection {
  const props = [...names].map((name) => propOf(model, name));
  return { id: ++selectionCount, model, props, derived, relations, build: compileBuilder(props, derived, relations) };
}

export function propOf(model: Model, name: string): Prop {
  const prop = model.props.get(name);
  if (!prop) throw new Error(`${model.name} has no property ${name}`);
  return prop;
}

// One object literal per selection gives every row the same hidden class; filling properties in a loop costs about twice as much.
function compileBuilder(props: Prop[], derived: Derived[], relations: Selection['relations']): Selection['build'] {
  const members = [
    ...props.map((prop, index) => `${JSON.stringify(prop.name)}: r[${index}]`),
    ...relations.map(({ relation }) => `${JSON.stringify(relation.name)}: ${relation.many || relation.wrapped ? '[]' : 'null'}`),
  ];
  const computed = derived.map((field, index) => `o[${JSON.stringify(field.name)}] = d[${index}].compute(o);`).join('');
  return new Function('d', `return (r) => { const o = {${members.join(', ')}}; ${computed} return o; }`)(derived) as Selection['build'];
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

const columnTypes: Partial<Record<Prop['kind'], string>> = {
  ledgerId: 'bigint',
  integer: 'integer',
  amount: 'numeric',
  flag: 'boolean',
  moment: 'timestamptz',
  date: 'date',
};
const typeOf = (prop: Prop): string => columnTypes[prop.kind] ?? 'text';

/** PostgreSQL's array literal of the values. */
const arrayLiteral = (values: readonly unknown[]): string =>
  `{${values.map((value) => `"${String(value).replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;

const textOf = (condition: Condition): string =>
  condition.operator === 'in' ? arrayLiteral(condition.value as unknown[]) : String(condition.value);

/** Runs the reads of one process over its database. Statement texts are kept by shape, so that a request only binds values. */
export class Reader {
  readonly #statements = new LRUCache<string, Statement>({ max: 2_000 });
  readonly #database: Database;
  #names = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The rows of a query with their relations, in the order asked for. */
  async rows(query: ReadQuery): Promise<Row[]> {
    const { selection, tenant, where, order = [], limit, after, includeDeleted = false } = query;
    const scope = scopeCondition(selection.model, tenant, 1);
    const values = [...scope.values, ...where.map(textOf), ...(after ?? []).map(String)];
    const shape = `${selection.id}|${scope.sql}|${where.map((c) => c.prop.name + c.operator).join()}|${order.map((o) => o.prop.name + o.descending).join()}|${after ? 1 : 0}|${limit ?? ''}|${includeDeleted}`;
    const statement = this.#statement(shape, () => {
      const columns = selection.props.map((prop) => `t.${prop.column}`).join(', ');
      const conditions = this.#conditions(selection.model, scope, where, includeDeleted);
      if (after) conditions.push(keyset(order, scope.values.length + where.length + 1));
      const sorting =
        order.length > 0 ? ` order by ${order.map((o) => `t.${o.prop.column}${o.descending ? ' desc' : ''}`).join(', ')}` : '';
      // The size stands in the text: as a parameter it would hide from the plan how few rows are wanted. At most 101 sizes occur.
      const bound = limit === undefined ? '' : ` limit ${limit}`;
      return `select ${columns} from "${selection.model.table}" t where ${conditions.join(' and ')}${sorting}${bound}`;
    });
    const wire = await this.#database.read(statement, values, query.primary);
    const rows = wire.map(selection.build);
    await this.attach(selection, rows, query);
    return rows;
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
    const statement = this.#statement(
      shape,
      () => `select count(*) from "${model.table}" t where ${this.#conditions(model, scope, where, includeDeleted).join(' and ')}`,
    );
    const rows = await this.#database.read(statement, [...scope.values, ...where.map(textOf)], query.primary);
    return rows[0]![0] as number;
  }

  /** Reads the relations of rows that were read already, one statement per relation and level. */
  async attach(selection: Selection, rows: Row[], query: Pick<ReadQuery, 'tenant' | 'primary'>): Promise<void> {
    if (rows.length === 0 || selection.relations.length === 0) return;
    await Promise.all(selection.relations.map((entry) => this.#attachOne(selection.model, entry, rows, query)));
  }

  async #attachOne(
    model: Model,
    { relation, selection }: Selection['relations'][number],
    rows: Row[],
    query: Pick<ReadQuery, 'tenant' | 'primary'>,
  ): Promise<void> {
    const byCompany = model.companyColumn !== undefined && selection.model.companyColumn !== undefined;
    const groups = byCompany ? Map.groupBy(rows, (row) => row.companyId) : new Map([[undefined, rows]]);
    for (const [companyId, group] of groups) {
      const keys = new Set<unknown>();
      for (const row of group) if (row[relation.from] !== null) keys.add(row[relation.from]);
      if (keys.size === 0) continue;
      const where: Condition[] = [
        ...(byCompany ? [{ prop: propOf(selection.model, 'companyId'), operator: 'eq' as const, value: companyId }] : []),
        { prop: propOf(selection.model, relation.to), operator: 'in', value: [...keys] },
        ...Object.entries(relation.where ?? {}).map(([name, value]) => ({
          prop: propOf(selection.model, name),
          operator: 'eq' as const,
          value,
        })),
      ];
      const order = [{ prop: propOf(selection.model, selection.model.key), descending: false }];
      const found = await this.rows({
        selection,
        tenant: query.tenant,
        where,
        order,
        primary: query.primary ?? false,
        includeDeleted: !relation.owned && !relation.many,
      });
      place(relation, group, found);
    }
  }

  #conditions(model: Model, scope: { sql: string; values: unknown[] }, where: Condition[], includeDeleted: boolean): string[] {
    const conditions = [
      scope.sql,
      ...where.map((c, index) => operators[c.operator](`t.${c.prop.column}`, `$${scope.values.length + index + 1}`, typeOf(c.prop))),
    ];
    if (model.deletedAt && !includeDeleted) conditions.push(`t.${propOf(model, model.deletedAt).column} is null`);
    return conditions;
  }

  #statement(shape: string, write: () => string): Statement {
    let statement = this.#statements.get(shape);
    if (!statement) {
      statement = { name: `r${++this.#names}`, text: write() };
      this.#statements.set(shape, statement);
    }
    return statement;
  }
}

/** Row comparison of the order columns; all columns of an order run the same way. */
function keyset(order: Order[], first: number): string {
  const columns = order.map((o) => `t.${o.prop.column}`).join(', ');
  const parameters = order.map((o, index) => `$${first + index}::text::${typeOf(o.prop)}`).join(', ');
  return `(${columns}) ${order[0]!.descending ? '<' : '>'} (${parameters})`;
}

function place(relation: Relation, rows: Row[], found: Row[]): void {
  if (relation.many) {
    const lists = Map.groupBy(found, (row) => row[relation.to]);
    for (const row of rows) row[relation.name] = lists.get(row[relation.from]) ?? [];
    return;
  }
  const index = new Map<unknown, Row>();
  // The first of several wins: rows come in key order, so the choice is stable.
  for (const row of found) if (!index.has(row[relation.to])) index.set(row[relation.to], row);
  for (const row of rows) {
    const match = index.get(row[relation.from]) ?? null;
    row[relation.name] = relation.wrapped ? (match ? [match] : []) : match;
  }
}
