// The SQL of summaries: groups of records with their aggregates, the number of all records, and the currencies among them, in one statement.
import { type Model, type Prop, propOf } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { searchScope } from '../../records/search-text.ts';
import { currencyOf, isBucketed } from '../../records/summaries.ts';
import type { Engine } from '../engine/engine.ts';
import { type Filter, isOfOne } from './conditions.ts';
import { bindFilters, filtersSql, type Next, typeOf, usesSearchIndex } from './filter-sql.ts';
import { boundParents, forParents, type StatementParts } from './list-statement.ts';

/** The span of time that a bucket of moments or dates covers. */
export type Bucket = 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR';

/** One key of the groups; moments and dates have a bucket. */
export interface GroupKey {
  prop: Prop;
  bucket?: Bucket;
}

/** One aggregate of each group; `count` counts the records that have a value. */
export interface Aggregate {
  of: 'sum' | 'min' | 'max' | 'count';
  prop: Prop;
}

/** One part of the order of the groups: the number of records, or the place of a key or of an aggregate. */
export interface GroupOrder {
  by: 'records' | { key: number } | { aggregate: number };
  descending: boolean;
}

/** What a summary reads. The columns of its rows are the keys, the number of records, the aggregates, and then those that `whole` and `oneCurrency` add. */
export interface SummaryParts {
  model: Model;
  where: readonly Filter[];
  includeDeleted: boolean;
  keys: readonly GroupKey[];
  aggregates: readonly Aggregate[];
  order: readonly GroupOrder[];
  /** Most groups to return. */
  limit: number;
  /** IANA name of the time zone in which moments have their days. */
  timeZone: string;
  /** Adds the number of records and the number of groups, over all groups. */
  whole: boolean;
  /** Adds whether the records have several currencies, in which case the rows are not the groups: each is of one currency. */
  oneCurrency: boolean;
}

/** The columns after the aggregates: the first of the two of `whole`, that of `oneCurrency`, and the place of the parent, from 1. */
export function summaryColumns({ keys, aggregates, whole, oneCurrency }: SummaryParts): {
  whole: number;
  severalCurrencies: number;
  parent: number;
} {
  const own = keys.length + 1 + aggregates.length;
  const severalCurrencies = own + (whole ? 2 : 0);
  return { whole: own, severalCurrencies, parent: severalCurrencies + (oneCurrency ? 1 : 0) };
}

/** The tenant condition of a statement. */
interface Scope {
  sql: string;
  values: readonly unknown[];
}

const UTC = 'UTC';

/** Whether a key needs the time zone. The time zone of the session is UTC, in which a moment needs no conversion. */
const isZoned = ({ prop }: GroupKey, timeZone: string): boolean => prop.kind === 'moment' && timeZone !== UTC;

const zoned = ({ keys, timeZone }: SummaryParts): boolean => keys.some((key) => isZoned(key, timeZone));

/** Adds the values of a summary to those of its scope, and returns the shape of the statement. */
export function bindSummary(parts: SummaryParts, values: string[]): string {
  const { model, keys, aggregates, order, includeDeleted, whole, oneCurrency } = parts;
  const conditions = bindFilters(parts.where, values);
  if (zoned(parts)) values.push(parts.timeZone);
  if (keys.length > 0) values.push(String(parts.limit));
  return [
    model.name,
    conditions,
    keys.map(({ prop, bucket = '' }) => `${prop.name}:${bucket}`).join(),
    zoned(parts),
    aggregates.map(({ of, prop }) => `${of}:${prop.name}`).join(),
    JSON.stringify(order),
    includeDeleted,
    whole,
    oneCurrency,
  ].join('|');
}

/**
 * The statement of a summary. The inner query is a plain aggregation, so that PostgreSQL may hash the groups; only its groups are sorted and
 * counted. Where all records must have one currency, the currency is one more key, and the groups show whether there were several. Without
 * records there is no row. For several parents it is read for each.
 */
export function summaryText(parts: SummaryParts, scope: Scope, parents: StatementParts['parents'], engine: Engine): string {
  const { model, where, includeDeleted, keys, aggregates, whole, oneCurrency } = parts;
  let bound = scope.values.length;
  const next: Next = () => `$${++bound}`;
  const { table, conditions: onParents, companies } = boundParents({ model, parents, engine }, next);
  const filters = filtersSql(model, where, { next, includeDeleted, engine, companies }).written.map(({ sql }) => sql);
  const ofParents = parents.map(({ column }, index) => ({ column, sql: onParents[index]! }));
  const ofOne = where.flatMap((one, index) => (isOfOne(one) ? [{ column: one.prop.column, sql: filters[index]! }] : []));
  const equalTo = (column: string | undefined): string | undefined => [...ofParents, ...ofOne].find((one) => one.column === column)?.sql;
  const conditions = [scope.sql, ...ofParents.map(({ sql }) => sql), ...filters];
  // The search index is chosen by its own form of the company, which other indexes do not have.
  const shared = equalTo(model.listColumn);
  if (shared && where.some((one) => 'search' in one || ('prop' in one && usesSearchIndex(one))))
    conditions.push(shared.replace(`t.${model.listColumn} `, `t.${searchScope(model)} `));
  if (model.deletedAt && !includeDeleted) conditions.push(`t.${propOf(model, model.deletedAt).column} is null`);
  const zone = zoned(parts) ? next() : undefined;
  const grouped = keys.map((key, index) => `${keySql(model, key, zone)} k${index}`);
  if (oneCurrency) grouped.push(`${currencySql(parts, scope, equalTo(model.companyColumn), companies)} c`);
  const groups = grouped.length > 0 ? ` group by ${grouped.map((_, index) => index + 1).join(', ')}` : '';
  const measured = aggregates.map(({ of, prop }, index) => `${of}(t.${prop.column}) a${index}`);
  const readsCurrency = oneCurrency || keys.some(({ prop }) => !model.props.has(prop.name));
  const source = `select ${[...grouped, 'count(*) n', ...measured].join(', ')} from "${model.table}" t${readsCurrency ? parentsSql(model, companies) : ''} where ${conditions.join(' and ')}${groups}`;
  const columns = [
    ...keys.map((_, index) => `k${index}`),
    'n',
    ...aggregates.map((_, index) => `a${index}`),
    ...(whole ? ['sum(n) over ()', 'count(*) over ()'] : []),
    ...(oneCurrency ? ['min(c) over () is distinct from max(c) over () or count(c) over () not in (0, count(*) over ())'] : []),
  ];
  const text = `select ${columns.join(', ')} from (${source}) s${keys.length > 0 ? ` order by ${orderSql(parts)} limit ${next()}::bigint` : ''}`;
  return forParents(table, text);
}

/**
 * The currency as a key of the groups. Where an index has the currencies of the company, its two ends show at no cost whether there are several. If
 * there are not, no record is asked for its own.
 */
function currencySql(
  { model, includeDeleted }: SummaryParts,
  scope: Scope,
  ofCompany: string | undefined,
  companies: string | undefined,
): string {
  const { prop } = currencyOf(model)!;
  const column = columnOf(model, prop);
  const isIndexed = model.indexes.some(({ columns, live }) => live && columns[0] === model.companyColumn && columns[1] === prop.column);
  if (!ofCompany || includeDeleted || !isIndexed || !model.deletedAt || !model.props.has(prop.name)) return column;
  const live = `t.${propOf(model, model.deletedAt).column} is null`;
  const end = (direction: string): string =>
    `(select ${column} from "${model.table}" t where ${scope.sql} and ${ofCompany} and ${live} order by ${column}${direction} limit 1)`;
  const areSeveral = `${end('')} is distinct from ${end(' desc')}`;
  // Nodes do not take a subquery without a table.
  return `case when ${companies === undefined ? `(select ${areSeveral})` : areSeveral} then ${column} end`;
}

const columnOf = (model: Model, prop: Prop): string => `${model.props.has(prop.name) ? 't' : 'o'}.${prop.column}`;

function keySql(model: Model, key: GroupKey, zone: string | undefined): string {
  const column = columnOf(model, key.prop);
  if (!isBucketed(key.prop) || (key.prop.kind === 'date' && key.bucket === 'DAY')) return column;
  const local = key.prop.kind === 'date' ? `${column}::timestamp` : zone ? `${column} at time zone ${zone}::text` : column;
  return `date_trunc('${(key.bucket ?? 'DAY').toLowerCase()}', ${local})`;
}

/** The parents of the records with their currencies; nothing where the records have a currency of their own. */
function parentsSql(model: Model, companies: string | undefined): string {
  const { prop, parents } = currencyOf(model)!;
  if (parents.length === 0) return '';
  const [{ relation }] = parents as [(typeof parents)[number]];
  const kinds = Object.keys(relation.where ?? {});
  const ofCompanies = companies === undefined ? '' : ` where company_id = ${companies}`;
  const rows = parents.map(
    ({ model: parent, relation: { from, where = {} } }) =>
      `select organisation_id, company_id, ${kinds.map((name) => `'${where[name]}'::text ${snakeCase(name)}, `).join('')}${propOf(parent, from).column} number, ${prop.column} from "${parent.table}"${ofCompanies}`,
  );
  const same = ['organisation_id', 'company_id', ...kinds.map(snakeCase)].map((column) => `o.${column} = t.${column}`);
  return ` left join (${rows.join(' union all ')}) o on ${same.join(' and ')} and o.number = t.${propOf(model, relation.to).column}`;
}

/** The order of the groups; the keys come last, so that no two groups are equal. Texts have the order of their code points on every database. */
function orderSql({ keys, order }: SummaryParts): string {
  const keyOrder = (index: number): string => {
    const isText = typeOf(keys[index]!.prop) === 'text';
    return isText ? `k${index} collate "C"` : `k${index}`;
  };
  const named = order.map(({ by, descending }) => {
    const sql = by === 'records' ? 'n' : 'key' in by ? keyOrder(by.key) : `a${by.aggregate}`;
    return `${sql}${descending ? ' desc' : ''} nulls last`;
  });
  const given = new Set(order.flatMap(({ by }) => (by !== 'records' && 'key' in by ? [by.key] : [])));
  return [...named, ...keys.flatMap((_, index) => (given.has(index) ? [] : [`${keyOrder(index)} nulls last`]))].join(', ');
}
