// Conditions in SQL. Their shape, which names a statement, and their values are taken in the same order as the parameters of the statement.
import { type Model, modelOf, type Prop, propOf, searchProps } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { FOLD, folded, searchText } from '../../records/search-text.ts';
import { keyText } from '../../records/text.ts';
import { arrayLiteral } from '../array-literal.ts';
import type { Engine } from '../engine/engine.ts';
import type { Condition, Filter, RelatedCondition } from './conditions.ts';

/** Returns the next parameter of a statement, such as `$3`. */
export type Next = () => string;

const comparisons = { eq: '=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const columnTypes: Partial<Record<Prop['kind'], string>> = {
  ledgerId: 'bigint',
  integer: 'integer',
  amount: 'numeric',
  flag: 'boolean',
  moment: 'timestamptz',
  date: 'date',
};

/** The SQL type of a property's values. */
export const typeOf = (prop: Prop): string => columnTypes[prop.kind] ?? 'text';

/** A text with the characters that LIKE gives a meaning escaped. */
const literal = (text: string): string => folded(text).replace(/[\\%_]/g, '\\$&');

/** Whether the search index can find a text: it holds groups of three letters or digits. */
export const isFindable = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(folded(text));

/** The words of a search text. */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/** Adds the values of conditions to those of a statement, and returns the shape of the conditions: statements differ only where shapes do. */
export function bindFilters(filters: readonly Filter[], values: string[]): string {
  return filters.map((filter) => bindFilter(filter, values)).join();
}

function bindFilter(filter: Filter, values: string[]): string {
  if ('all' in filter) return `(${bindFilters(filter.all, values)})`;
  if ('any' in filter) return `|(${bindFilters(filter.any, values)})`;
  if ('not' in filter) return `!${bindFilter(filter.not, values)}`;
  if ('relation' in filter) return `${filter.relation.name}.${filter.match}(${bindFilter(filter.where, values)})`;
  if ('search' in filter) {
    const words = wordsOf(filter.search);
    for (const word of words) values.push(`%${literal(word)}%`);
    return `?${words.map((word) => (isFindable(word) ? 'f' : '-')).join('')}`;
  }
  const { prop, operator, value } = filter;
  if (operator === 'isNull') return `${prop.name}${value ? '~' : '='}`;
  values.push(valueText(filter));
  return `${prop.name}:${operator}${usesSearchIndex(filter) ? 'f' : ''}`;
}

/** Whether the search index finds the records of a condition on text. */
export const usesSearchIndex = ({ prop, operator, value }: Condition): boolean =>
  (operator === 'contains' || operator === 'startsWith') && prop.search === true && isFindable(String(value));

/** The text that the search index of a record holds. */
const searchedText = (model: Model, alias: string): string =>
  searchText(
    `${alias}.`,
    searchProps(model).map(({ column }) => column),
  );

function valueText({ prop, operator, value }: Condition): string {
  const text = prop.rules?.key ? (one: unknown): string => keyText(String(one)) : String;
  if (operator === 'in') return arrayLiteral(value as unknown[], text);
  if (operator === 'contains') return `%${literal(String(value))}%`;
  if (operator === 'startsWith') return `${literal(String(value))}%`;
  if (prop.kind === 'namedValues') return namedValue(String(value));
  return text(value);
}

/** The JSON that a list of named values contains: `region` for any value of that name, `region=North` for that one. */
function namedValue(text: string): string {
  const [name, ...rest] = text.split('=');
  return JSON.stringify([rest.length === 0 ? { name } : { name, value: rest.join('=') }]);
}

/** Position of a condition in a statement. */
export interface Place {
  /** Alias of the table of its record. */
  alias: string;
  next: Next;
  /** Whether deleted records of relations count; they do in lists that include deleted records. */
  includeDeleted: boolean;
  /** On a distributed engine the company whose node has the rows, or the companies of parents, in SQL; null where any node may have them. */
  company?: string | null | undefined;
}

/** A condition in SQL, and the parameters it takes. */
export interface WrittenFilter {
  sql: string;
  parameters: readonly string[];
}

/** The parameters of a condition, for writing it once more. */
export function again({ parameters }: Pick<WrittenFilter, 'parameters'>): Next {
  const left = [...parameters];
  return () => left.shift()!;
}

/** The right side of a comparison with one value. */
export const operandOf = ({ prop }: Condition, { parameters }: Pick<WrittenFilter, 'parameters'>): string =>
  `${parameters[0]}::${typeOf(prop)}`;

/** Conditions in SQL on the table `t`, and the company of all its rows, which a distributed engine needs in each of them. */
export function filtersSql(
  model: Model,
  filters: readonly Filter[],
  { next, includeDeleted, engine, companies }: { next: Next; includeDeleted: boolean; engine: Engine; companies?: string | undefined },
): { written: WrittenFilter[]; company: Place['company'] } {
  const written = filters.map((filter): WrittenFilter => {
    const parameters: string[] = [];
    const taken = (): string => {
      parameters.push(next());
      return parameters.at(-1)!;
    };
    return { sql: filterSql(model, filter, { alias: 't', next: taken, includeDeleted }), parameters };
  });
  const column = engine.nodeColumn(model);
  if (column === undefined) return { written, company: undefined };
  const named = filters.findIndex((one) => 'prop' in one && one.operator === 'eq' && one.prop.column === column);
  const company = named === -1 ? (companies ?? null) : operandOf(filters[named] as Condition, written[named]!);
  // The condition that names the company may come after those that have to know it.
  const place = { alias: 't', includeDeleted, company };
  return {
    written: filters.map((filter, index) => ({
      ...written[index]!,
      sql: filterSql(model, filter, { ...place, next: again(written[index]!) }),
    })),
    company,
  };
}

/** A condition in SQL. */
export function filterSql(model: Model, filter: Filter, place: Place): string {
  const { alias, next } = place;
  if ('all' in filter) return filter.all.length === 0 ? 'true' : `(${filter.all.map((one) => filterSql(model, one, place)).join(' and ')})`;
  if ('any' in filter) return filter.any.length === 0 ? 'false' : `(${filter.any.map((one) => filterSql(model, one, place)).join(' or ')})`;
  if ('not' in filter) return `(${filterSql(model, filter.not, place)}) is not true`;
  if ('relation' in filter) return relatedSql(filter, place);
  if ('search' in filter) {
    const text = searchedText(model, alias);
    return `(${wordsOf(filter.search)
      .map(() => `${text} like ${next()}::text`)
      .join(' and ')})`;
  }
  const { prop, operator, value } = filter;
  const column = `${alias}.${prop.column}`;
  if (operator === 'isNull') return `${column} is ${value ? '' : 'not '}null`;
  if (operator === 'in') return `${column} = any(${next()}::${typeOf(prop)}[])`;
  if (operator === 'contains' || operator === 'startsWith') {
    const parameter = `${next()}::text`;
    const own = `${FOLD}(${column}) like ${parameter}`;
    if (!usesSearchIndex(filter)) return own;
    return `(${searchedText(model, alias)} like ${operator === 'contains' ? parameter : `('%' || ${parameter})`} and ${own})`;
  }
  // Lists hold numbers; a number is its own JSON.
  if (operator === 'has') return `${column} @> ${next()}::jsonb`;
  return `${column} ${comparisons[operator]} ${next()}::${typeOf(prop)}`;
}

/**
 * Whether related records meet a condition. The offset keeps it from becoming a join, which without statistics read every related record for each
 * record. A distributed engine takes no offset there where several nodes have the rows. Where one node has them, the company must be named.
 */
function relatedSql({ relation, match, where }: RelatedCondition, place: Place): string {
  const { alias, includeDeleted, company } = place;
  const target = modelOf(relation.target());
  const other = `${alias}x`;
  const same = target.scope === 'shared' ? [] : ['organisation_id', ...(target.companyColumn === 'company_id' ? ['company_id'] : [])];
  const conditions = [
    ...same.map((column) => `${other}.${column} = ${alias}.${column}`),
    ...(company && target.companyColumn ? [`${other}.${target.companyColumn} = ${company}`] : []),
    `${other}.${propOf(target, relation.to).column} = ${alias}.${snakeCase(relation.from)}`,
    ...Object.entries(relation.where ?? {}).map(([name, value]) => `${other}.${propOf(target, name).column} = '${value}'`),
    ...(target.deletedAt && !includeDeleted ? [`${other}.${propOf(target, target.deletedAt).column} is null`] : []),
    filterSql(target, where, { ...place, alias: other }),
  ];
  return `${match === 'none' ? 'not ' : ''}exists (select from "${target.table}" ${other} where ${conditions.join(' and ')}${company === null ? '' : ' offset 0'})`;
}
