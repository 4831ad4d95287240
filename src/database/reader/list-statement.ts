// The SQL of a list: one statement for each way to read a page of it. PostgreSQL plans without values and often without statistics, so the form of a
// statement says which index is read and how far; no estimate decides. Only the reader sends it.
import type { Model } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import type { Engine } from '../engine/engine.ts';
import type { Filter, Order } from './conditions.ts';
import { type Next, typeOf } from './filter-sql.ts';
import { type Attempt, attemptsOf, isGrouped, LIST_BOUNDS, type ListBounds, type Term, termsOf } from './list-plan.ts';

/** A column whose values are those of parents: `p.v0` is the first. */
interface ParentColumn {
  column: string;
  type: string;
  /** Whether the column holds a list, which has the value among others. */
  isList: boolean;
}

/** The parts of a statement. It binds the values of the scope, of the parents, of the conditions, of the position, and of the offset. */
export interface StatementParts {
  model: Model;
  /** Condition of the tenant, and the values it binds. */
  scope: { sql: string; columns: string[]; values: readonly unknown[] };
  where: readonly Filter[];
  includeDeleted: boolean;
  /** Properties whose values are those of a parent, where the statement reads for several parents. */
  parents: readonly ParentColumn[];
  engine: Engine;
}

/** The parts of a statement that returns rows, all of them or the first. */
export interface RowParts extends StatementParts {
  columns: readonly string[];
  order: readonly Order[];
  limit: number | undefined;
}

export interface ListParts extends RowParts {
  /** Rows of the page. */
  limit: number;
  /** Where the page begins: for each key of the order, whether the row before has no value in it. */
  position: readonly boolean[] | undefined;
  hasOffset: boolean;
  /** Rows of the page and those that its offset skips, in round numbers, for the plan. */
  reach: number;
  bounds: ListBounds;
}

/** Counts the parameters of a statement from a number on. */
function counter(from: number): Next {
  let last = from;
  return () => `$${++last}`;
}

const and = (conditions: readonly { sql: string }[]): string =>
  conditions.length === 0 ? 'true' : conditions.map(({ sql }) => sql).join(' and ');

const listed = (columns: Iterable<string>): string => [...columns].map((column) => `t.${column}`).join(', ');

/** Whether records without a value come first. */
const nullsFirst = ({ nulls }: Order): boolean => nulls === 'first';

const keysOf = (order: readonly Order[]): string[] =>
  order.map((key) => {
    // For PostgreSQL null is the largest value, unless the order says otherwise.
    const nulls = key.prop.required || nullsFirst(key) === key.descending ? '' : ` nulls ${nullsFirst(key) ? 'first' : 'last'}`;
    return `t.${key.prop.column}${key.descending ? ' desc' : ''}${nulls}`;
  });

const sorted = (order: readonly Order[]): string => (order.length === 0 ? '' : ` order by ${keysOf(order).join(', ')}`);

/** The parents of a statement. */
interface BoundParents {
  /** A table `p` of their values and places, from 1; undefined without parents. */
  table: string | undefined;
  /** The condition on each of their columns. */
  conditions: string[];
  /** On a distributed engine their companies, as the right side of a comparison. */
  companies: string | undefined;
}

/** Binds the values of parents as `bindParents` adds them. */
export function boundParents({ model, parents, engine }: Pick<StatementParts, 'model' | 'parents' | 'engine'>, next: Next): BoundParents {
  const arrays = parents.map(({ type }) => `${next()}::${type}[]`);
  const nodeColumn = engine.nodeColumn(model);
  const company = parents.findIndex(({ column }) => column === nodeColumn);
  const named = company === -1 ? undefined : { index: company, different: `${next()}::${parents[company]!.type}[]` };
  const companies = named && `any(${named.different})`;
  const names = arrays.map((_, index) => `v${index}, `).join('');
  return {
    table: arrays.length === 0 ? undefined : `${engine.parents(arrays, named)} p(${names}place)`,
    // The company of a parent alone does not lead to the nodes that have the rows of all parents.
    conditions: parents.map(({ column, isList }, index) => {
      const own = `t.${column} ${isList ? '@>' : '='} p.v${index}`;
      return index === company ? `${own} and t.${column} = ${companies}` : own;
    }),
    companies,
  };
}

/**
 * The terms of a statement, with those of its parents first, and the term by which a distributed engine finds the node of the rows. That term is null
 * where several nodes have them.
 */
function partsOf(parts: StatementParts): { terms: Term[]; next: Next; node: Term | null | undefined; table: string | undefined } {
  const next = counter(parts.scope.values.length);
  const { table, conditions, companies } = boundParents(parts, next);
  const parents = parts.parents.map(({ column, isList }, index): Term => {
    const sql = conditions[index]!;
    if (isList) return { sql, columns: [column], comparison: 'other', isIdentifying: true, find: { sql, isSearch: true } };
    return {
      sql,
      columns: [column],
      column,
      comparison: 'one',
      operand: `p.v${index}`,
      isIdentifying: column !== parts.model.listColumn,
    };
  });
  const terms = termsOf(parts.model, parts.where, parents, {
    includeDeleted: parts.includeDeleted,
    engine: parts.engine,
    companies,
    next,
  });
  const nodeColumn = parts.engine.nodeColumn(parts.model);
  const names = ({ column, operand }: Term): boolean => column === nodeColumn && operand !== undefined;
  const node = nodeColumn === undefined ? undefined : (terms.find(names) ?? null);
  const own: Term = { sql: parts.scope.sql, columns: parts.scope.columns, column: 'organisation_id', comparison: 'one', operand: '$1' };
  return { terms: parts.model.scope === 'shared' ? terms : [own, ...terms], next, node, table };
}

/** The ways to read a page. Several nodes take no statement but one in which each of them reads and sorts its own rows. */
export function attemptsFor(parts: ListParts, { terms, node } = partsOf(parts)): Attempt[] {
  return node === null ? [{ kind: 'merge' }] : attemptsOf(parts.model, terms, parts.order, parts.reach, parts.bounds);
}

/** The rows of a table that meet terms. With the term of its company, a distributed engine knows which node has them. */
const rowsOf = ({ table }: Model, terms: readonly { sql: string }[], node: Term | null | undefined): string =>
  `from "${table}" t where ${and(node && !terms.some(({ sql }) => sql === node.sql) ? [node, ...terms] : terms)}`;

/** A statement for each parent: its rows, then the place of the parent, from 1. The parents are read one after the other by their index. */
export const forParents = (table: string | undefined, text: string): string =>
  table === undefined ? text : `select t.*, p.place from ${table} cross join lateral (${text}) t`;

/** The rows that match, without bounds: all of them, or the first in the order of the list. */
export function plainText(parts: RowParts): string {
  const { terms, table } = partsOf(parts);
  const limit = parts.limit === undefined ? '' : ` limit ${parts.limit}`;
  const text = `select ${listed(parts.columns)} from "${parts.model.table}" t where ${and(terms)}${sorted(parts.order)}${limit}`;
  return forParents(table, text);
}

/** A page, as the attempt of this number reads it. A row without a key says that the attempt read its most records and does not know the page. */
export function pageText(parts: ListParts, number: number): string {
  const own = partsOf(parts);
  const { terms, next, node } = own;
  // By these terms, because the statement leaves out those that the attempt has applied: a page by a text checked each text again, for a third of its time.
  const attempt = attemptsFor(parts, own)[number]!;
  const position = parts.position && positionOf(parts.order, parts.position, next);
  const offset = parts.hasOffset ? next() : undefined;
  const statement = new PageStatement(parts, terms, position, offset, node);
  if (attempt.kind === 'merge') return statement.merged();
  const text = attempt.kind === 'find' ? statement.found(attempt) : statement.inOrder(attempt);
  return forParents(own.table, text);
}

/** Where a page begins, as SQL on the row before it. */
interface Position {
  /** What all rows of the page meet. */
  sql: string;
  /** The same among the rows that have a value in the first key, or among those that have none, in a form that an index supports. */
  values: string;
  missing: string;
  /** Whether the row before has no value in the first key. */
  leadIsNull: boolean;
}

function positionOf(order: readonly Order[], position: readonly boolean[], next: Next): Position {
  const values = order.map(({ prop }, place) => (position[place] ? undefined : `${next()}::${typeOf(prop)}`));
  const [lead, key] = [order[0]!, order.at(-1)!];
  const sign = lead.descending ? '<' : '>';
  const sql = beyondValues(order, values);
  return {
    sql,
    values:
      order.length === 2 && key.descending === lead.descending
        ? `(${listed(order.map(({ prop }) => prop.column))}) ${sign} (${values.join(', ')})`
        : `t.${lead.prop.column} ${sign}= ${values[0]}`,
    missing: order.length === 2 ? `t.${key.prop.column} ${key.descending ? '<' : '>'} ${values[1]}` : 'true',
    leadIsNull: position[0]!,
  };
}

/** The rows after the one with these values: they differ in some key, in its direction, and are equal in those before it. */
function beyondValues(order: readonly Order[], values: readonly (string | undefined)[]): string {
  const isPlain = order.every(({ prop, descending }, place) => prop.required && descending === order[0]!.descending && values[place]);
  if (isPlain) return `(${listed(order.map(({ prop }) => prop.column))}) ${order[0]!.descending ? '<' : '>'} (${values.join(', ')})`;
  const alternatives = order.map((key, place) => {
    const column = `t.${key.prop.column}`;
    const equal = order.slice(0, place).map(({ prop }, before) => `t.${prop.column} ${values[before] ? `= ${values[before]}` : 'is null'}`);
    const value = values[place];
    const missing = nullsFirst(key);
    if (!value) return missing ? [...equal, `${column} is not null`] : undefined;
    const larger = `${column} ${key.descending ? '<' : '>'} ${value}`;
    return [...equal, key.prop.required || missing ? larger : `(${larger} or ${column} is null)`];
  });
  return `(${alternatives.flatMap((one) => (one ? [`(${one.join(' and ')})`] : [])).join(' or ')})`;
}

/** A key in the order of an index, where null is the largest value. No row of a segment has the other kind of first key, so that it makes no difference there. */
const inIndexOrder = ({ prop, descending }: Order): Order => ({ prop, descending, nulls: descending ? 'first' : 'last' });

/** A part of a list whose rows all have a value in the first key of the order, or all have none. */
interface Segment {
  terms: readonly { sql: string }[];
  order: readonly Order[];
  hasLead: boolean;
}

/** An attempt that reads in the order of the list. */
type InOrder = Extract<Attempt, { kind: 'exact' | 'scan' }>;

class PageStatement {
  readonly #parts: ListParts;
  readonly #terms: readonly Term[];
  readonly #position: Position | undefined;
  readonly #offset: string | undefined;
  readonly #limit: number;
  readonly #node: Term | null | undefined;

  constructor(
    parts: ListParts,
    terms: readonly Term[],
    position: Position | undefined,
    offset: string | undefined,
    node: Term | null | undefined,
  ) {
    this.#parts = parts;
    this.#terms = terms;
    this.#position = position;
    this.#offset = offset;
    this.#limit = parts.limit;
    this.#node = node;
  }

  /** Lets each node read the rows of the page and those before it. */
  merged(): string {
    const { columns, order, model } = this.#parts;
    const terms = [...this.#terms, ...(this.#position ? [this.#position] : [])];
    return `select ${listed(columns)} from "${model.table}" t where ${and(terms)}${sorted(order)} limit ${this.#limit}${this.#offset ? ` offset ${this.#offset}::bigint` : ''}`;
  }

  /**
   * Reads in the order of the index, part by part. The parts of a `union all` run one after the other, and none runs once the page is full. Parts
   * with a limit get no parallel workers.
   */
  inOrder(attempt: InOrder): string {
    const segments = this.#segments(attempt.ordered);
    const texts = segments.flatMap((segment) =>
      isGrouped(this.#parts.order) && attempt.kind === 'scan' ? this.#groupedParts(segment, attempt) : this.#scannedParts(segment, attempt),
    );
    if (texts.length === 0) return `select ${listed(this.#parts.columns)} from "${this.#parts.model.table}" t where false`;
    return this.#skipping(`select * from (${texts.map((text) => `(${text})`).join(' union all ')}) t limit ${this.#rows()}`);
  }

  /** Reads what the indexes of some terms find, and sorts it. */
  found({ found, by, most }: Extract<Attempt, { kind: 'find' }>): string {
    const { columns, order, model } = this.#parts;
    const overflows = found.flatMap(({ find }) => (find?.overflow ? [find.overflow] : []));
    const tooMany = [`(select count(*) from found) > ${most}`, ...overflows].join(' or ');
    const rest = [...this.#rest(found), ...(this.#position ? [this.#position] : [])];
    const offset = this.#offset ? ` offset ${this.#offset}::bigint` : '';
    // The order of the index leads the planner to it. Without statistics it considers any index of the list as good, and sorts what it finds unless
    // it expects to need only a part.
    const bound = by.length > 0 ? `order by ${listed(by)} limit ${this.#hidden(String(most + 1))}` : `limit ${most + 1}`;
    const rows = `select ${this.#needed(found, order)} ${rowsOf(model, found, this.#node)} ${bound}`;
    if (this.#node?.operand?.startsWith('p.')) {
      // Nodes take no common table expression in a subquery for each parent. Where too many are found, the rows have no key.
      const key = snakeCase(model.key);
      const own = columns.map((column) => (column === key ? `case when not t.too_many then t.${key} end as ${key}` : `t.${column}`));
      const counted = `select t.*, ${[`count(*) over () > ${most}`, ...overflows].join(' or ')} as too_many from (${rows}) t`;
      return `select ${own.join(', ')} from (${counted}) t where (t.too_many or ${and(rest)})${sorted(order)} limit ${this.#limit}`;
    }
    return `with found as materialized (${rows})
      (select ${this.#nulls()} where ${tooMany}) union all (select ${listed(columns)} from found t where ${and([...rest, { sql: `not (${tooMany})` }])}${sorted(order)} limit ${this.#limit}${offset})`;
  }

  /** Rows that the parts return: the page and those that are skipped. A sum hides the number from the planner, which would choose by it. */
  #rows(): string {
    return this.#offset ? `(select ${this.#limit} + ${this.#offset}::bigint)` : String(this.#limit);
  }

  /** The rows after the offset; a row without a key comes first. */
  #skipping(text: string): string {
    if (!this.#offset) return text;
    const { columns, model } = this.#parts;
    const key = snakeCase(model.key);
    return `with page as materialized (${text})
      (select ${listed(columns)} from page t where t.${key} is null limit 1) union all (select ${listed(columns)} from page t where t.${key} is not null offset ${this.#offset}::bigint)`;
  }

  #rest(applied: readonly Term[]): readonly Term[] {
    return this.#terms.filter((term) => !applied.includes(term));
  }

  /** The columns of what an index finds: those of the page, and those that it is sorted by and checked for afterwards. */
  #needed(applied: readonly Term[], order: readonly Order[]): string {
    const checked = this.#rest(applied).flatMap((term) => term.columns);
    return listed(new Set([...this.#parts.columns, ...order.map(({ prop }) => prop.column), ...checked]));
  }

  #nulls(): string {
    return this.#parts.columns.map(() => 'null').join(', ');
  }

  /** The segments of the list from the position on, in their order. */
  #segments(ordered: readonly Term[]): Segment[] {
    const { order } = this.#parts;
    const [lead, ...others] = order as [Order, ...Order[]];
    const position = this.#position;
    const column = `t.${lead.prop.column}`;
    // A comparison is never true of null.
    const onLead = ordered.filter((term) => term.comparison !== 'other' && term.column === lead.prop.column);
    const hasNone = onLead.some(({ comparison }) => comparison === 'none');
    const hasValues = lead.prop.required || (onLead.length > 0 && !hasNone);
    // An index whose first columns are null in all rows has the order of the others; the planner sees it when they are named.
    const missingBefore = (descending: boolean): Order[] =>
      ordered.flatMap(({ missing }) => (missing && missing !== lead.prop ? [inIndexOrder({ prop: missing, descending })] : []));
    const values: Segment = {
      terms: [
        ...ordered,
        ...(hasValues ? [] : [{ sql: `${column} is not null` }]),
        ...(position && !position.leadIsNull ? [{ sql: order.length === 1 ? position.sql : position.values }] : []),
      ],
      order: [...missingBefore(lead.descending), inIndexOrder(lead), ...others],
      hasLead: true,
    };
    if (hasValues) return [values];
    const missing: Segment = {
      terms: [...ordered, { sql: `${column} is null` }, ...(position?.leadIsNull ? [{ sql: position.missing }] : [])],
      // The planner does not know that the first key is the same in all these rows, so the order names it in the direction of the index.
      order: [...missingBefore(others[0]!.descending), inIndexOrder({ prop: lead.prop, descending: others[0]!.descending }), ...others],
      hasLead: false,
    };
    const both = nullsFirst(lead) ? [missing, values] : [values, missing];
    const left = position && position.leadIsNull !== nullsFirst(lead) ? [both[1]!] : both;
    return hasNone ? left.filter(({ hasLead }) => !hasLead) : left;
  }

  /** A limit whose number the planner does not see: it then assumes a tenth of the records and uses the index with the order. With a visible number it sorted all records it estimated for the company. */
  #hidden(rows: string): string {
    return `(select ${rows}::bigint)`;
  }

  /** The rows in the order of the index that meet the other terms. Those are checked outside, because the planner takes them for rare without statistics, and any index for as good as another. */
  #scannedParts({ terms, order }: Segment, attempt: InOrder): string[] {
    const { columns, model } = this.#parts;
    const scanned = `${rowsOf(model, terms, this.#node)}${sorted(order)}`;
    const rest = and(this.#rest(attempt.ordered));
    const read = attempt.kind === 'exact' ? this.#rows() : String(attempt.most);
    const rows = `select ${listed(columns)} from (select ${this.#needed(attempt.ordered, order)} ${scanned} limit ${this.#hidden(read)}) t where ${rest}${sorted(order)} limit ${this.#rows()}`;
    if (attempt.kind === 'exact') return [rows];
    return [rows, `select ${this.#nulls()} from (select ${scanned} offset ${this.#hidden(read)} limit 1) t`];
  }

  /** The rows of an order by several keys: read by the first, sorted by all. The last group of equal first keys may be incomplete, so it is left to the next attempt. */
  #groupedParts({ terms, order, hasLead }: Segment, { ordered, most }: { ordered: readonly Term[]; most: number }): string[] {
    const { columns, model } = this.#parts;
    const [lead] = order as [Order, ...Order[]];
    const inIndex = [lead, inIndexOrder({ ...order.at(-1)!, descending: lead.descending })];
    const scanned = `select ${this.#needed(ordered, order)} ${rowsOf(model, terms, this.#node)}${hasLead ? sorted(inIndex) : ''} limit ${this.#hidden(String(most))}`;
    const ending = hasLead
      ? `(not exists (select from ending) or t.${lead.prop.column} ${lead.descending ? '>' : '<'} (select t.${lead.prop.column} from ending t))`
      : 'not exists (select from ending)';
    const position = this.#position?.leadIsNull === !hasLead ? [this.#position] : [];
    const rest = and([...this.#rest(ordered), ...position, { sql: ending }]);
    const last = `select t.* from scanned t offset ${most - 1} limit 1`;
    return [
      `with scanned as materialized (${scanned}), ending as materialized (${last}) (select ${listed(columns)} from scanned t where ${rest}${sorted(order)} limit ${this.#rows()}) union all (select ${this.#nulls()} where exists (select from ending))`,
    ];
  }
}

/** The number of rows that match, up to the most that are read, and the number of rows read. */
export function countText(parts: StatementParts, most: { matching: number; read: number; checked: number } | undefined): string {
  const { terms, node, table } = partsOf(parts);
  const text = ((): string => {
    if (!most) return `select count(*), 0 from "${parts.model.table}" t where ${and(terms)}`;
    if (node === null)
      return `select count(*), 0 from (select 1 from "${parts.model.table}" t where ${and(terms)} limit ${most.matching + 1}) t`;
    const attempts = attemptsOf(parts.model, terms, [], 1, LIST_BOUNDS);
    const applied = [...new Set(attempts.flatMap((attempt) => (attempt.kind === 'find' ? attempt.found : terms)))];
    const rest = terms.filter((term) => !applied.includes(term));
    const columns = listed(new Set(['organisation_id', ...rest.flatMap((term) => term.columns)]));
    const isCheap = rest.every(({ isCostly }) => !isCostly);
    const limit = rest.length === 0 ? most.matching : isCheap ? most.read : most.checked;
    const overflows = applied.flatMap(({ find }) => (find?.overflow ? [find.overflow] : []));
    const isMore = [`count(*) > ${limit}`, ...overflows].join(' or ');
    const read = `case when ${isMore} then ${most.read + 1} else count(*) end`;
    return `select count(*) filter (where ${and(rest)}), ${read} from (select ${columns} ${rowsOf(parts.model, applied, node)} limit ${limit + 1}) t`;
  })();
  return forParents(table, text);
}

/** What the planner expects of the rows that match. Planned again for the values of each call. */
export const estimateText = (parts: StatementParts): string =>
  `explain (format json) select from "${parts.model.table}" t where ${and(partsOf(parts).terms)}`;
