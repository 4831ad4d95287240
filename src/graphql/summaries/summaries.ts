// Summaries beside lists: checks the arguments, reads what an operation selected, and refuses sums of several currencies.
import type { GraphQLResolveInfo } from 'graphql';
import { type ReadScope, type RequestContext, scopeOf } from '../../access/context.ts';
import type { TextRow } from '../../database/read-path/data-rows.ts';
import { columnKinds } from '../../database/reader/column-values.ts';
import { conditionsOf, type Filter, isOfOne, type Where } from '../../database/reader/conditions.ts';
import type { FieldTree } from '../../database/reader/field-tree.ts';
import type { Parents } from '../../database/reader/list-reader.ts';
import { type Aggregate, type GroupKey, type GroupOrder, type SummaryParts } from '../../database/reader/summary-statement.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { type Model, type Prop, propOf, type RecordClass } from '../../records/metadata.ts';
import { currencyOf, isBucketed, isMoney } from '../../records/summaries.ts';
import { byGroup, LevelLoaders } from '../level-loaders.ts';
import { filtersOf } from '../list-inputs.ts';
import { lookAhead } from '../look-ahead.ts';
import {
  type AggregateName,
  AVERAGE_PLACES,
  aggregateNames,
  COUNT,
  DEFAULT_GROUPS,
  MAX_GROUPS,
  MAX_KEYS,
  type SummaryArguments,
  type SummaryTypes,
  summaryOf,
} from './summary-types.ts';

/** A summary as the executor reads it; members that were not selected are absent. */
export interface Summary {
  totalCount: number;
  groupCount: number;
  groups: Group[];
}

/** The aggregates of a group, by property. */
type Values = Record<string, unknown>;

interface Group extends Partial<Record<AggregateName, Values>> {
  key: { field: string; value: string | null }[];
  count: number;
}

/** What a summary field summarises, beside its arguments. */
export interface SummaryRequest<T extends object> {
  record: RecordClass<T>;
  /** The organisation of the records, where it is not the caller's. */
  organisationId?: number;
  where?: Where<T>;
}

/** What an operation selects of a summary. */
interface Plan {
  whole: boolean;
  groups: boolean;
  selected: { member: AggregateName; prop: Prop }[];
}

/** Most currencies that an error names. */
const MOST_CURRENCIES = 5;

/** The key under which a selection keeps its plan. */
const PLAN = {};

const planOf = (tree: FieldTree, model: Model): Plan =>
  tree.memo(PLAN, () => {
    const groups = tree.fields.get('groups');
    return {
      whole: tree.fields.has('totalCount') || tree.fields.has('groupCount'),
      groups: groups !== undefined,
      selected: aggregateNames.flatMap((member) =>
        [...(groups?.fields.get(member)?.fields.keys() ?? [])].map((name) => ({ member, prop: propOf(model, name) })),
      ),
    };
  });

interface LevelRequest {
  args: SummaryArguments;
  types: SummaryTypes;
  organisationId: number | undefined;
  where: readonly Filter[];
}

const summaries = new LevelLoaders<LevelRequest, Summary>('summary_loaders', (context, info, requests) =>
  byGroup(
    requests,
    ({ organisationId }) => organisationId,
    (group) => readLevel(context, info, group),
  ),
);

/** Reads the summary of a field. The summaries of one level of an answer are read with one statement. */
export function readSummary<T extends object>(
  context: RequestContext,
  info: GraphQLResolveInfo,
  args: SummaryArguments,
  { record, where = {}, organisationId }: SummaryRequest<T>,
): Promise<Summary> {
  const types = summaryOf(record);
  return summaries.load(context, info, { args, types, organisationId, where: conditionsOf<object>(types.model, where) });
}

/** Reads the summaries of one level, which differ in their parents only. */
async function readLevel(
  context: RequestContext,
  info: GraphQLResolveInfo,
  requests: readonly LevelRequest[],
): Promise<(Summary | GatewayError)[]> {
  const [{ args, types, organisationId, where }] = requests as [LevelRequest, ...LevelRequest[]];
  const { model } = types;
  const plan = planOf(lookAhead(info), model);
  const keys = keysOf(types, args);
  const aggregates = new Aggregates(plan);
  const order = orderOf(types, args, keys, aggregates);
  const limit = limitOf(args);
  const timeZone = timeZoneOf(args);
  const filters = [...where.filter((one) => !isOfOne(one)), ...filtersOf(model, args.filter)];
  const hasMoney = aggregates.all.some(({ of, prop }) => of !== 'count' && isMoney(model, prop));
  const parts: SummaryParts = {
    model,
    where: filters,
    includeDeleted: args.includeDeleted ?? false,
    keys,
    aggregates: aggregates.all,
    order,
    limit: plan.groups ? limit : 1,
    timeZone,
    whole: plan.whole && keys.length > 0,
    oneCurrency: hasMoney && !fixesCurrency(currencyOf(model)!.prop, keys, filters),
  };
  const parents: Parents = {
    props: where.filter(isOfOne).map(({ prop }) => prop),
    values: requests.map((request) => request.where.filter(isOfOne).map(({ value }) => value)),
  };
  const scope = scopeOf(context, organisationId);
  const found = await context.services.reader.summaries(parts, scope, parents).catch((error: unknown) => {
    throw isUnknownTimeZone(error) ? unknownTimeZone(timeZone) : error;
  });
  const own = keys.length + 1 + aggregates.all.length;
  const summaryOfRows = (rows: readonly TextRow[]): Summary => {
    const [first = []] = rows;
    const groups = rows.map(
      (row): Group => ({
        key: keys.map((key, index) => ({ field: args.groupBy![index]!.field, value: keyValue(key, row[index] ?? null) })),
        count: Number(row[keys.length]),
        ...aggregates.values(row, keys.length + 1),
      }),
    );
    if (keys.length > 0) return { totalCount: Number(first[own] ?? 0), groupCount: Number(first[own + 1] ?? 0), groups };
    const [all = { key: [], count: 0, ...aggregates.values([], 0) }] = groups;
    return { totalCount: all.count, groupCount: 1, groups: [all] };
  };
  const isMixed = found.map(([first]) => parts.oneCurrency && first?.at(-1) === 't');
  const errors = await mixedCurrencies(context, parts, scope, { ...parents, values: parents.values.filter((_, place) => isMixed[place]) });
  return found.map((rows, place) => (isMixed[place] ? errors.shift()! : summaryOfRows(rows)));
}

/** The aggregates of a statement, each once, and the members of a group that are made from them. */
class Aggregates {
  readonly all: Aggregate[] = [];
  readonly #members: { member: AggregateName; prop: Prop; at: number; count: number }[];

  constructor({ selected }: Plan) {
    this.#members = selected.map(({ member, prop }) => ({
      member,
      prop,
      at: this.place(member === 'avg' ? 'sum' : member, prop),
      // An average is the sum by the number of values, so that it is exact until it is rounded once.
      count: member === 'avg' ? this.place('count', prop) : -1,
    }));
  }

  /** The place of an aggregate, which is added where the statement lacks it. */
  place(of: Aggregate['of'], prop: Prop): number {
    const known = this.all.findIndex((one) => one.of === of && one.prop === prop);
    return known >= 0 ? known : this.all.push({ of, prop }) - 1;
  }

  /** The aggregates of a row whose first aggregate is the column `start`. */
  values(row: readonly (string | null)[], start: number): Partial<Record<AggregateName, Values>> {
    const values: Partial<Record<AggregateName, Values>> = {};
    for (const { member, prop, at, count } of this.#members) {
      values[member] ??= {};
      values[member][prop.name] = aggregateValue(member, prop, row[start + at] ?? null, row[start + count] ?? null);
    }
    return values;
  }
}

function aggregateValue(member: AggregateName, prop: Prop, text: string | null, count: string | null): unknown {
  if (text === null) return null;
  if (member === 'avg') return Number(quotient(text, BigInt(count!), AVERAGE_PLACES));
  return member === 'sum' ? Number(text) : columnKinds[prop.kind].value(text);
}

/** A decimal divided by a whole number above zero, rounded half away from zero to a number of places. */
export function quotient(decimal: string, divisor: bigint, places: number): string {
  const isNegative = decimal.startsWith('-');
  const [whole, fraction = ''] = decimal.replace('-', '').split('.') as [string, string?];
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(places) * 2n;
  const unit = divisor * 10n ** BigInt(fraction.length);
  const digits = String((scaled + unit) / (unit * 2n)).padStart(places + 1, '0');
  return `${isNegative ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function keysOf(types: SummaryTypes, { groupBy }: SummaryArguments): GroupKey[] {
  const given = groupBy ?? [];
  if (given.length > MAX_KEYS) throw invalid('groupBy', `groupBy must have at most ${MAX_KEYS} keys`, 'TOO_LONG');
  return given.map(({ field, bucket }, index) => {
    const prop = types.keys.get(field)!;
    const path = `groupBy[${index}]`;
    if (given.findIndex((other) => other.field === field) !== index)
      throw invalid(`${path}.field`, `${path}.field repeats ${field}`, 'DUPLICATE');
    if (isBucketed(prop)) return { prop, bucket: bucket ?? 'DAY' };
    if (bucket != null) throw invalid(`${path}.bucket`, `${path}.bucket is for moments and dates; ${field} is neither`);
    return { prop };
  });
}

function orderOf(
  types: SummaryTypes,
  { groupBy, orderBy }: SummaryArguments,
  keys: readonly GroupKey[],
  aggregates: Aggregates,
): GroupOrder[] {
  const given = orderBy ?? [];
  return given.map(({ field, direction }, index) => {
    const path = `orderBy[${index}].field`;
    if (given.findIndex((other) => other.field === field) !== index) throw invalid(path, `${path} repeats ${field}`, 'DUPLICATE');
    const descending = direction === 'DESC';
    if (field === COUNT) return { by: 'records', descending };
    const sum = types.sums.get(field);
    if (sum) return { by: { aggregate: aggregates.place('sum', sum) }, descending };
    const key = (groupBy ?? []).findIndex((one) => one.field === field);
    if (key < 0 || key >= keys.length) throw invalid(path, `${path} names ${field}, which is not among the keys of groupBy`);
    return { by: { key }, descending };
  });
}

function limitOf({ first }: SummaryArguments): number {
  const limit = first ?? DEFAULT_GROUPS;
  if (limit < 1 || limit > MAX_GROUPS) throw invalid('first', `first must be an integer from 1 to ${MAX_GROUPS}`, 'OUT_OF_RANGE');
  return limit;
}

/** Names with a region. The short names, such as CET, are left out, because PostgreSQL reads them as fixed offsets. */
const zoneName = /^[A-Za-z_]+\/[A-Za-z0-9_+-]+(?:\/[A-Za-z_-]+)?$/;

function timeZoneOf({ timeZone }: SummaryArguments): string {
  if (timeZone == null || timeZone === 'UTC') return 'UTC';
  if (!zoneName.test(timeZone)) throw unknownTimeZone(timeZone);
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw unknownTimeZone(timeZone);
  }
  return timeZone;
}

const unknownTimeZone = (name: string): GatewayError =>
  invalid('timeZone', `timeZone must be UTC or an IANA name such as America/New_York, not ${JSON.stringify(name.slice(0, 60))}`);

/** Whether PostgreSQL does not know a time zone that Node.js knows. */
const isUnknownTimeZone = (error: unknown): boolean => error instanceof Error && /^time zone ".*" not recognized$/.test(error.message);

/** Whether all matching records of a group are in one currency, whatever the data: it is a key, or a condition names one. */
const fixesCurrency = (currency: Prop, keys: readonly GroupKey[], filters: readonly Filter[]): boolean =>
  keys.some(({ prop }) => prop === currency) || filters.some((filter) => namesOne(currency, filter));

function namesOne(currency: Prop, filter: Filter): boolean {
  if ('all' in filter) return filter.all.some((one) => namesOne(currency, one));
  if (!('prop' in filter) || filter.prop !== currency) return false;
  return filter.operator === 'eq' || (filter.operator === 'in' && Array.isArray(filter.value) && new Set(filter.value).size === 1);
}

/** The errors of parents whose records are of several currencies; each names some of them. */
async function mixedCurrencies(context: RequestContext, parts: SummaryParts, scope: ReadScope, parents: Parents): Promise<GatewayError[]> {
  if (parents.values.length === 0) return [];
  const { prop } = currencyOf(parts.model)!;
  const keys = [{ prop }];
  const found = await context.services.reader.summaries(
    { ...parts, keys, aggregates: [], order: [], limit: MOST_CURRENCIES + 1, whole: false, oneCurrency: false },
    scope,
    parents,
  );
  return found.map((rows) => {
    const named = rows.slice(0, MOST_CURRENCIES).map(([code]) => code ?? 'no currency');
    const more = rows.length > MOST_CURRENCIES ? ' and more' : '';
    const message = `the records are in several currencies (${named.join(', ')}${more}); add CURRENCY_ID to groupBy, or filter by one currency`;
    return new GatewayError('MIXED_CURRENCIES', message, {
      field: 'groupBy',
      issues: [{ field: 'groupBy', code: 'INVALID_VALUE', message }],
    });
  });
}

/** The value of a key as text: the first day of a bucket, a flag in words. */
function keyValue({ prop, bucket }: GroupKey, text: string | null): string | null {
  if (text === null) return null;
  if (bucket) return dayOf(text);
  if (prop.kind === 'flag') return text === 't' ? 'true' : 'false';
  return text;
}

/** The date of a time or date as PostgreSQL writes it. ISO 8601 has no BC, and calls 1 BC the year 0000. */
const dayOf = (text: string): string => (text.endsWith('BC') ? text.replace(/^\d+/, '0000') : text).split(' ', 1)[0]!;
