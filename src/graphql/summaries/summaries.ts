// Summaries of lists: checks the arguments, reads what an operation selected, and rejects sums of several currencies.
import type { GraphQLResolveInfo } from 'graphql';
import { type ReadScope, type RequestContext, scopeOf } from '../../access/context.ts';
import { DataRows } from '../../database/read-path/data-rows.ts';
import { conditionsOf, type Filter, isOfOne, type Where } from '../../database/reader/conditions.ts';
import type { FieldTree, SelectedMember } from '../../database/reader/field-tree.ts';
import type { FoundPage, Parents } from '../../database/reader/list-reader.ts';
import {
  type Aggregate,
  type GroupKey,
  type GroupOrder,
  type SummaryParts,
  summaryColumns,
} from '../../database/reader/summary-statement.ts';
import { JsonBuffer } from '../../json/buffer.ts';
import { JsonFragment } from '../../json/fragment.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { type Model, type Prop, type RecordClass } from '../../records/metadata.ts';
import { currencyOf, isBucketed, isMoney } from '../../records/summaries.ts';
import { JSON_GROUPS } from '../json-lists.ts';
import { byGroup, LevelLoaders } from '../level-loaders.ts';
import { filtersOf } from '../list-inputs.ts';
import { lookAhead } from '../look-ahead.ts';
import { aggregatePlace, groupsWriter, type WriteGroups } from './group-json.ts';
import { COUNT, DEFAULT_GROUPS, MAX_GROUPS, MAX_KEYS, type SummaryArguments, type SummaryTypes, summaryOf } from './summary-types.ts';

/** A summary as the executor reads it; members that were not selected are absent. */
export interface Summary {
  totalCount: number;
  groupCount: number;
  groups?: unknown;
  [JSON_GROUPS]?: JsonFragment | undefined;
}

/** What a summary field summarises, besides its arguments. */
export interface SummaryRequest<T extends object> {
  record: RecordClass<T>;
  /** The organisation of the records, where it is not the caller's. */
  organisationId?: number;
  where?: Where<T>;
}

/** What an operation selects of a summary. */
interface Plan {
  whole: boolean;
  /** Writes the selected groups; undefined where none are selected. */
  write: WriteGroups | undefined;
  /** Whether the executor takes the groups as JSON. */
  isJson: boolean;
  /** The aggregates of which the groups are made. */
  aggregates: readonly Aggregate[];
}

/** Most currencies that an error names. */
const MAX_CURRENCIES = 5;

/** The key under which a selection keeps its plan. */
const PLAN = {};

const planOf = (tree: FieldTree, model: Model): Plan =>
  tree.memo(PLAN, () => {
    const groups = tree.fields.get('groups');
    const members = tree.fields.get(JSON_GROUPS)?.members;
    const written = members ?? (groups && membersOf(groups));
    const aggregates: Aggregate[] = [];
    return {
      whole: tree.fields.has('totalCount') || tree.fields.has('groupCount'),
      write: written && groupsWriter(written, model, aggregates),
      isJson: members !== undefined,
      aggregates,
    };
  });

/** All fields that are selected of an object, each under its name. */
const membersOf = ({ fields }: FieldTree): SelectedMember[] =>
  [...fields].map(([name, below]) => ({ key: name, name, members: membersOf(below) }));

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

/** Reads the summary of a field. The summaries of one level of a response are read with one statement. */
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
  const aggregates = [...plan.aggregates];
  const order = orderOf(types, args, keys, aggregates);
  const limit = limitOf(args);
  const timeZone = timeZoneOf(args);
  const filters = [...where.filter((one) => !isOfOne(one)), ...filtersOf(model, args.filter)];
  const hasMoney = aggregates.some(({ of, prop }) => of !== 'count' && isMoney(model, prop));
  const parts: SummaryParts = {
    model,
    where: filters,
    includeDeleted: args.includeDeleted ?? false,
    keys,
    aggregates,
    order,
    limit: plan.write ? limit : 1,
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
  const added = summaryColumns(parts);
  const names = args.groupBy?.map(({ field }) => field) ?? [];
  const out = plan.write && new JsonBuffer();
  const summaryOfRows = (page: FoundPage): Summary => {
    // Without keys there is one group, also of no records.
    const isNone = keys.length === 0 && page.numbers.length === 0;
    const { rows, numbers } = isNone ? { rows: DataRows.of([['0', ...aggregates.map(() => null)]]), numbers: [0] } : page;
    const [first] = numbers;
    const start = out?.length;
    plan.write?.(out!, rows, numbers, keys, names);
    const groups = out && new JsonFragment(out, start, out.length);
    const written = plan.isJson ? { [JSON_GROUPS]: groups } : { groups: groups?.toJSON() };
    if (keys.length === 0) return { totalCount: rows.integer(first!, 0), groupCount: 1, ...written };
    const whole = (column: number): number => (first === undefined || !parts.whole ? 0 : rows.integer(first, column));
    return { totalCount: whole(added.whole), groupCount: whole(added.whole + 1), ...written };
  };
  const isMixed = found.map(
    ({ rows, numbers: [first] }) => parts.oneCurrency && first !== undefined && rows.text(first, added.severalCurrencies) === 't',
  );
  const errors = await mixedCurrencies(context, parts, scope, { ...parents, values: parents.values.filter((_, place) => isMixed[place]) });
  const results = found.map((page, place) => (isMixed[place] ? errors.shift()! : summaryOfRows(page)));
  if (!plan.isJson) out?.release();
  return results;
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
  aggregates: Aggregate[],
): GroupOrder[] {
  const given = orderBy ?? [];
  return given.map(({ field, direction }, index) => {
    const path = `orderBy[${index}].field`;
    if (given.findIndex((other) => other.field === field) !== index) throw invalid(path, `${path} repeats ${field}`, 'DUPLICATE');
    const descending = direction === 'DESC';
    if (field === COUNT) return { by: 'records', descending };
    const sum = types.sums.get(field);
    if (sum) return { by: { aggregate: aggregatePlace(aggregates, 'sum', sum) }, descending };
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
    { ...parts, keys, aggregates: [], order: [], limit: MAX_CURRENCIES + 1, whole: false, oneCurrency: false },
    scope,
    parents,
  );
  return found.map(({ rows, numbers }) => {
    const named = numbers.slice(0, MAX_CURRENCIES).map((row) => rows.text(row, 0) ?? 'no currency');
    const more = numbers.length > MAX_CURRENCIES ? ' and more' : '';
    const message = `the records are in several currencies (${named.join(', ')}${more}); add CURRENCY_ID to groupBy, or filter by one currency`;
    return new GatewayError('MIXED_CURRENCIES', message, {
      field: 'groupBy',
      issues: [{ field: 'groupBy', code: 'INVALID_VALUE', message }],
    });
  });
}
