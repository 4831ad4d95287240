// The query parameters of summaries: keys of the groups, aggregates, order, time zone, number of groups, and the filters of the list.
import {
  assertEnumType,
  assertInputObjectType,
  assertObjectType,
  type GraphQLField,
  type GraphQLInputObjectType,
  getNamedType,
  isObjectType,
} from 'graphql';
import { aggregateNames, DEFAULT_GROUPS, MAX_GROUPS, MAX_KEYS } from '../../src/graphql/summaries/summary-types.ts';
import { invalid } from '../../src/records/errors.ts';
import type { Route } from '../routes/route.ts';
import { type LedgerParameters, type LedgerRead, ledgerParameters, readLedgerQuery } from './ledger-parameters.ts';
import { jsonName, type Projection } from './stored-operation.ts';

/** The parameters of a summary route, computed once per route. */
export interface SummaryParameters {
  /** The names that each of `sum`, `avg`, `min` and `max` knows. */
  aggregates: ReadonlyMap<string, ReadonlySet<string>>;
  /** The keys by their names in `group_by`. */
  keys: ReadonlyMap<string, string>;
  buckets: ReadonlyMap<string, string>;
  /** What the groups are ordered by, by the names in `order_by`. */
  orders: ReadonlyMap<string, string>;
  hasDeleted: boolean;
  /** The conditions of the list that the summary belongs to. */
  conditions: LedgerParameters;
}

const inputOf = (field: GraphQLField<unknown, unknown>, name: string): GraphQLInputObjectType =>
  assertInputObjectType(getNamedType(field.args.find((argument) => argument.name === name)!.type));

/** The values of an enumeration field of an input, by their names in a query. */
const choicesOf = (input: GraphQLInputObjectType, name: string): Map<string, string> =>
  new Map(
    assertEnumType(getNamedType(input.getFields()[name]!.type))
      .getValues()
      .map(({ name: value }) => [value.toLowerCase(), value]),
  );

/** The parameters of the route of a summary field. */
export function summaryParameters(field: GraphQLField<unknown, unknown>, route: Route): SummaryParameters {
  const summary = assertObjectType(getNamedType(field.type));
  const group = assertObjectType(getNamedType(summary.getFields().groups!.type));
  const aggregates = aggregateNames.flatMap((name): [string, Set<string>][] => {
    const members = getNamedType(group.getFields()[name]?.type);
    return isObjectType(members) ? [[name, new Set(Object.values(members.getFields()).map((member) => jsonName(member, 'snake')))]] : [];
  });
  const groupBy = inputOf(field, 'groupBy');
  const hasDeleted = field.args.some(({ name }) => name === 'includeDeleted');
  const conditions = ledgerParameters(summary, field, route);
  const own = [
    'group_by',
    ...aggregates.map(([name]) => name),
    'order_by',
    'time_zone',
    'limit',
    ...(hasDeleted ? ['include_deleted_records'] : []),
  ];
  return {
    aggregates: new Map(aggregates),
    keys: choicesOf(groupBy, 'field'),
    buckets: choicesOf(groupBy, 'bucket'),
    orders: choicesOf(inputOf(field, 'orderBy'), 'field'),
    hasDeleted,
    conditions: { ...conditions, own: [...conditions.own, ...own] },
  };
}

const partsOf = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** The value of a name; an unknown one is rejected with those that are known. */
function known(parameter: string, name: string, values: ReadonlyMap<string, string>): string {
  const found = values.get(name.toLowerCase());
  if (found !== undefined) return found;
  throw invalid(parameter, `${parameter} does not know ${JSON.stringify(name.slice(0, 60))}; allowed are ${[...values.keys()].join(', ')}`);
}

function limitOf(value: string): number {
  const limit = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > MAX_GROUPS) throw invalid('limit', `limit must be an integer from 1 to ${MAX_GROUPS}`, 'OUT_OF_RANGE');
  return limit;
}

/** Parses the parameters of a summary; an unknown parameter is rejected by name. */
export function readSummaryQuery(parameters: SummaryParameters, plain: Projection, given: Map<string, string>): LedgerRead {
  const ofGroups = (name: string): boolean => name !== 'include_deleted_records' && parameters.conditions.own.includes(name);
  const others = new Map([...given].filter(([name]) => !ofGroups(name)));
  const { args, sources } = readLedgerQuery(parameters.conditions, plain, others);
  // The currency may have to be added to the keys, even if no keys were given.
  sources.set('groupBy', 'group_by');
  const [expand, select] = [new Set(plain.expand), new Set(plain.select)];
  const take = (argument: string, value: unknown, name: string): void => {
    args[argument] = value;
    sources.set(argument, name);
  };
  for (const [name, value] of given) {
    if (others.has(name)) continue;
    const members = parameters.aggregates.get(name);
    if (members) {
      const allowed = new Map([...members].map((member) => [member, member]));
      for (const part of partsOf(value)) {
        expand.add(`groups.${name}`);
        select.add(`groups.${name}.${known(name, part, allowed)}`);
      }
    } else if (name === 'group_by') take('groupBy', partsOf(value).map(keyIn(parameters)), name);
    else if (name === 'order_by') take('orderBy', partsOf(value).map(orderIn(parameters)), name);
    else if (name === 'time_zone') take('timeZone', value, name);
    else if (name === 'limit') take('first', limitOf(value), name);
  }
  return { projection: { ...plain, expand, select }, args, sources };
}

/** One part of `group_by`: `status`, or `posted_date:month`. */
const keyIn =
  ({ keys, buckets }: SummaryParameters) =>
  (part: string): { field: string; bucket?: string } => {
    const [name, bucket, ...rest] = part.split(':');
    const field = known('group_by', rest.length > 0 ? part : name!, keys);
    return bucket === undefined ? { field } : { field, bucket: known('group_by', bucket, buckets) };
  };

/** One part of `order_by`: `status`, or `-sum_total_amount` for the largest first. */
const orderIn =
  ({ orders }: SummaryParameters) =>
  (part: string): { field: string; direction: string } => ({
    field: known('order_by', part.replace(/^-/, ''), orders),
    direction: part.startsWith('-') ? 'DESC' : 'ASC',
  });

/** A parameter for the documentation. */
export interface DescribedParameter {
  name: string;
  description: string;
  schema: Record<string, unknown>;
}

/** The schema of a key of `order_by`. */
export const sortKey = (names: Iterable<string>): { type: string; pattern: string } => ({
  type: 'string',
  pattern: `^-?(${[...names].join('|')})$`,
});

/** The parameters other than filters, for the documentation. */
export function describedParameters({ aggregates, keys, orders, buckets, hasDeleted }: SummaryParameters): DescribedParameter[] {
  const listOf = (items: object): Record<string, unknown> => ({ type: 'array', items });
  const named = (names: Iterable<string>): object => ({ type: 'string', enum: [...names] });
  return [
    {
      name: 'group_by',
      description: 'Group keys; dates by day, or as in `created_at:month`.',
      schema: {
        ...listOf({ anyOf: [named(keys.keys()), { type: 'string', pattern: `^\\w+:(${[...buckets.keys()].join('|')})$` }] }),
        maxItems: MAX_KEYS,
      },
    },
    ...[...aggregates].map(([name, members]) => ({
      name,
      description: `Columns of \`${name}\`.`,
      schema: listOf(named(members)),
    })),
    {
      name: 'order_by',
      description: 'Sort keys; `-` in front for descending.',
      schema: listOf(sortKey(orders.keys())),
    },
    {
      name: 'time_zone',
      description: 'IANA time zone of the days, such as America/New_York.',
      schema: { type: 'string', default: 'UTC' },
    },
    {
      name: 'limit',
      description: 'Number of groups to return.',
      schema: { type: 'integer', minimum: 1, maximum: MAX_GROUPS, default: DEFAULT_GROUPS },
    },
    ...(hasDeleted
      ? [{ name: 'include_deleted_records', description: 'Include deleted records.', schema: { type: 'boolean', default: false } }]
      : []),
  ];
}
