// The query parameters of lists and records: paging, order, conditions with bracket operators, expansion and selection.

import {
  assertInputObjectType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { MAX_PAGE } from '../../src/graphql/connections.ts';
import { coercerFor, type NamingStrategy, namingStrategies } from '../../src/graphql/input/input-coercion.ts';
import { Gathering } from '../../src/records/checked.ts';
import { invalid } from '../../src/records/errors.ts';
import type { NamedRecords } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import type { Route } from '../routes/route.ts';
import { expandable, jsonNames, type Projection, showOf } from './stored-operation.ts';

/** The parameters of a route, computed once per route. */
export interface LedgerParameters {
  /** A list of the integrations API, one of its records, a write of it, a feed, the conditions and order of any other list, or the conditions of a summary. */
  kind: NonNullable<Route['ledgerQuery']>;
  naming: Route['naming'];
  /** The fields of its filter and of those inside, by their names; filled as they are asked for. */
  fields: Map<GraphQLInputObjectType, FieldsByName>;
  /** The conditions that parameters named, by their names. */
  conditions: LRUCache<string, ConditionPlace>;
  expandable: ReadonlySet<string>;
  /** The fields that a record shows only where they are selected. */
  selectable: ReadonlySet<string>;
  /** The filter of a list. */
  filterType: GraphQLInputObjectType | undefined;
  /** The parameters of the route's arguments. */
  own: readonly string[];
  /** Whether the response can have the number of matches. */
  isCounted: boolean;
  /** What a list can be ordered by: the names in `order_by`, and those of the schema; empty where its order is fixed. */
  orders: ReadonlyMap<string, string>;
  /** Those of the documented `sort[…]` parameters that the list can be ordered by. */
  sorts: ReadonlySet<string>;
}

/** Most names of conditions that a route keeps; relations make their number unlimited. */
const MAX_CONDITIONS = 200;

/** The documented `sort[…]` parameters. */
const SORTS = ['ledger_created_at', 'ledger_updated_at'];

/** The parameters of a route whose field returns a record type. */
export function ledgerParameters(
  record: GraphQLObjectType,
  { args }: Pick<GraphQLField<unknown, unknown>, 'args'>,
  { ledgerQuery: kind = 'one', naming, envelope, args: sources }: Pick<Route, 'ledgerQuery' | 'naming' | 'envelope' | 'args'>,
): LedgerParameters {
  const isList = kind === 'list' || kind === 'conditions' || kind === 'summary';
  const typeOf = (name: string): GraphQLInputObjectType | undefined => {
    const type = args.find((argument) => isList && argument.name === name)?.type;
    const named = type && getNamedType(type);
    return isInputObjectType(named) ? named : undefined;
  };
  const orderType = typeOf('orderBy')?.getFields().field?.type;
  const keys = orderType && getNamedType(orderType);
  const names = isEnumType(keys) ? keys.getValues().map(({ name }) => name) : [];
  const columns = new Set(names.map((name) => name.toLowerCase()));
  return {
    kind,
    naming,
    fields: new Map(),
    conditions: new LRUCache({ max: MAX_CONDITIONS }),
    expandable: new Set(kind === 'conditions' || kind === 'summary' || kind === 'feed' ? [] : expandable(record, 'snake')),
    selectable: new Set(
      Object.values(record.getFields()).flatMap((field) => (showOf(field) === 'select' ? jsonNames(field, 'snake') : [])),
    ),
    filterType: typeOf('filter'),
    own: Object.values(sources).flatMap((source) => (source.from === 'query' ? [source.name] : [])),
    isCounted: envelope.kind === 'page' || envelope.kind === 'counted' || (envelope.kind === 'list' && envelope.total === true),
    orders: new Map(names.map((name) => [naming === 'camel' ? camelCase(name.toLowerCase()) : name.toLowerCase(), name])),
    sorts: new Set(SORTS.filter((name) => columns.has(name))),
  };
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

type FieldsByName = ReadonlyMap<string, GraphQLInputField>;

/** The fields of a filter by their names in parameters. */
function fieldsOf(type: GraphQLInputObjectType, { naming, fields }: Pick<LedgerParameters, 'naming' | 'fields'>): FieldsByName {
  let known = fields.get(type);
  if (!known) {
    const { fieldName }: NamingStrategy = namingStrategies[naming];
    known = new Map(Object.values(type.getFields()).map((field) => [fieldName(field.name, field), field]));
    fields.set(type, known);
  }
  return known;
}

/** The operators of a column; undefined for a type that is not the conditions on a column. */
export function operatorsOf({ type }: GraphQLInputField): GraphQLInputField[] | undefined {
  const named = getNamedType(type);
  if (isListType(getNullableType(type)) || !isInputObjectType(named)) return undefined;
  const fields = Object.values(named.getFields());
  return fields.some((field) => isInputObjectType(getNamedType(field.type))) ? undefined : fields;
}

/** The fields of a filter that a parameter with their name sets: columns and `search`, except those that are arguments of the route. */
export const conditionFields = ({ filterType, own, ...parameters }: LedgerParameters): [string, GraphQLInputField][] =>
  filterType
    ? [...fieldsOf(filterType, parameters)].filter(
        ([name, field]) => !own.includes(name) && (!isInputObjectType(getNamedType(field.type)) || operatorsOf(field) !== undefined),
      )
    : [];

/** The paths to the other records that parameters can be about, `contact` or `line_items.some`, each with a column there. */
export const reachedFields = ({ filterType, ...parameters }: LedgerParameters): [path: string, column: string][] =>
  filterType
    ? [...fieldsOf(filterType, parameters)].flatMap(([name, field]): [string, string][] => {
        const below = getNamedType(field.type);
        const isReached = name !== 'not' && isInputObjectType(below) && !isListType(getNullableType(field.type)) && !operatorsOf(field);
        if (!isReached) return [];
        const { some } = below.getFields();
        const columns = fieldsOf(assertInputObjectType(getNamedType((some ?? field).type)), parameters);
        const column = [...columns].find(([, one]) => operatorsOf(one))![0];
        return (some ? [`${name}.some`, `${name}.none`] : [name]).map((path) => [path, column]);
      })
    : [];

/** The parsed parameters: the projection, and the arguments of the list field. */
export interface LedgerRead {
  projection: Projection;
  args: Record<string, unknown>;
  /** The parameter each argument came from, by its path: `filter.postedDate.gte` from `posted_date[gte]`. */
  sources: Map<string, string>;
}

function flag(name: string, value: string): boolean {
  if (value === 'true') return true;
  if (value === 'false') return false;
  throw invalid(name, `${name} must be true or false`, 'INVALID_TYPE');
}

const listed = (value: string): string[] =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

const unknownIn = (parameter: string, name: string, allowed: Iterable<string>): ReturnType<typeof invalid> =>
  invalid(parameter, `${parameter} does not know ${JSON.stringify(name.slice(0, 60))}; allowed are ${[...allowed].join(', ')}`);

function names(parameter: string, value: string, allowed: ReadonlySet<string>): Set<string> {
  const given = listed(value);
  const unknown = given.find((name) => !allowed.has(name));
  if (unknown !== undefined) throw unknownIn(parameter, unknown, allowed);
  // Expanding line_items.item expands line_items too.
  return new Set(given.flatMap((name) => name.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))));
}

/** Parses the parameters of a single read, a list or a write, starting from the route's own projection; an unknown parameter is rejected by name. */
export function readLedgerQuery(parameters: LedgerParameters, plain: Projection, given: Map<string, string>): LedgerRead {
  const projection: { -readonly [K in keyof Projection]: Projection[K] } = { ...plain };
  const args: Record<string, unknown> = {};
  const filter: Record<string, unknown> = {};
  const issues = new Gathering();
  const sources: LedgerRead['sources'] = new Map();
  const { kind, orders, sorts } = parameters;
  const isPage = kind === 'list';
  const isList = isPage || kind === 'conditions';
  const ofRecord = isPage || kind === 'one';
  let size: number | undefined;
  const take = (argument: string, value: unknown, name: string): void => {
    args[argument] = value;
    sources.set(argument, name);
  };
  for (const [name, value] of given) {
    if (name === 'expand' && (ofRecord || kind === 'write'))
      projection.expand = new Set([...plain.expand, ...names(name, value, parameters.expandable)]);
    else if (kind === 'write') throw unknownParameter(name, parameters);
    else if (name === 'include_deleted_records' && (ofRecord || parameters.own.includes(name))) {
      projection.deleted = flag(name, value);
      if (projection.deleted) take('includeDeleted', true, name);
    } else if (name === 'select' && (ofRecord || kind === 'feed')) projection.select = names(name, value, parameters.selectable);
    else if (isPage && name === 'return_count') projection.count ||= flag(name, value);
    else if (parameters.isCounted && isList && name === 'exact_count') {
      if (!flag(name, value)) continue;
      projection.count = true;
      take('exact', true, name);
    } else if (isPage && name === 'limit') size = pageSize(value);
    // The last page has an empty cursor; sent back, it counts as absent and the list starts again.
    else if (isPage && (name === 'next' || name === 'prev')) {
      if (value !== '') take(name === 'next' ? 'after' : 'before', value, name);
    } else if (isList && name === 'offset') take('offset', wholeNumber(name, value), name);
    else if (isList && orders.size > 0 && name === 'order_by') take('orderBy', order(name, value, orders, args.orderBy), name);
    else if (isPage && sorts.size > 0 && name.startsWith('sort[')) take('orderBy', sort(name, value, sorts, args.orderBy), name);
    else {
      const found = addCondition(parameters, name, value, filter, issues);
      if (!found) throw unknownParameter(name, parameters);
      sources.set(`filter.${found}`, name);
    }
  }
  issues.refuse();
  if (args.after !== undefined && args.before !== undefined) throw invalid('prev', 'next and prev cannot be combined');
  if (args.before !== undefined) take('last', size ?? MAX_PAGE, 'limit');
  else if (size !== undefined) take('first', size, 'limit');
  if (Object.keys(filter).length > 0) args.filter = filter;
  return { projection, args, sources };
}

function pageSize(value: string): number {
  const size = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (size < 1 || size > MAX_PAGE) throw invalid('limit', `limit must be an integer from 1 to ${MAX_PAGE}`, 'OUT_OF_RANGE');
  return size;
}

function wholeNumber(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw invalid(name, `${name} must be a whole number`, 'INVALID_TYPE');
  return Number(value);
}

interface OrderKey {
  field: string;
  direction: string;
}

const once = (name: string, already: unknown): void => {
  if (already) throw invalid(name, `${name}: only one sort or order_by parameter can be given`);
};

/** The keys of `order_by=-posted_date,document_number`. */
function order(name: string, value: string, orders: ReadonlyMap<string, string>, already: unknown): OrderKey[] {
  once(name, already);
  return listed(value).map((key) => {
    const isDescending = key.startsWith('-');
    const field = orders.get(isDescending ? key.slice(1) : key);
    if (field === undefined) throw unknownIn(name, key, orders.keys());
    return { field, direction: isDescending ? 'DESC' : 'ASC' };
  });
}

function sort(name: string, value: string, sorts: ReadonlySet<string>, already: unknown): OrderKey[] {
  const field = name.slice(5, -1);
  if (!sorts.has(field) || !name.endsWith(']'))
    throw invalid(name, `${name} is not known; ${['order_by', ...Array.from(sorts, (sorted) => `sort[${sorted}]`)].join(', ')} are`);
  const direction = value.toUpperCase();
  if (direction !== 'ASC' && direction !== 'DESC') throw invalid(name, `${name} must be ASC or DESC`);
  once(name, already);
  return [{ field: field.toUpperCase(), direction }];
}

/** What a parameter is about: the fields of the filter that lead to a condition. */
interface ConditionPlace {
  path: readonly string[];
  /** What the last field is for the text of a parameter. */
  coerced: (value: string, issues: Gathering) => unknown;
}

/** The condition that a parameter names, such as `contact.name[contains]` or `search`; undefined where it names none. */
function conditionOf(parameters: LedgerParameters, name: string): ConditionPlace | undefined {
  const known = parameters.conditions.get(name);
  if (known) return known;
  const found = findCondition(parameters, name);
  if (found) parameters.conditions.set(name, found);
  return found;
}

function findCondition({ filterType, ...parameters }: LedgerParameters, name: string): ConditionPlace | undefined {
  const [, dotted, bracketed] = /^([\w.]+)(?:\[(\w+)\])?$/.exec(name) ?? [];
  let type = filterType;
  const path: string[] = [];
  const segments = dotted?.split('.') ?? [];
  for (const [index, segment] of segments.entries()) {
    const field = type && fieldsOf(type, parameters).get(segment);
    if (!type || !field || isListType(getNullableType(field.type))) return undefined;
    path.push(field.name);
    const below = getNamedType(field.type);
    if (index < segments.length - 1) type = isInputObjectType(below) ? below : undefined;
    else if (!isInputObjectType(below)) return bracketed === undefined ? placeOf(path, type, field, undefined) : undefined;
    else {
      // `contact_id=7` is short for `contact_id[eq]=7`.
      const operator = operatorsOf(field)?.find((each) => [each.name, snakeCase(each.name)].includes(bracketed ?? 'eq'));
      return operator && placeOf([...path, operator.name], below, operator, field.extensions.names);
    }
  }
  return undefined;
}

/** The condition of the last field of a path, which belongs to a type; its numbers name records of the given types. */
function placeOf(
  path: readonly string[],
  type: GraphQLInputObjectType,
  field: GraphQLInputField,
  names: NamedRecords | undefined,
): ConditionPlace {
  const strategy: NamingStrategy = namingStrategies.text;
  const coercer = coercerFor(type, strategy, names);
  const member = strategy.fieldName(field.name, field);
  const memberOf = (condition: unknown): unknown => (condition as Record<string, unknown>)[field.name];
  return { path, coerced: (value, issues) => memberOf(coercer({ [member]: value }, '', issues)) };
}

/** Adds the condition of a parameter; returns its path, or undefined when there is no such parameter. */
function addCondition(
  parameters: LedgerParameters,
  name: string,
  value: string,
  filter: Record<string, unknown>,
  issues: Gathering,
): string | undefined {
  const found = conditionOf(parameters, name);
  if (!found) return undefined;
  const { path, coerced } = found;
  let place = filter;
  for (const member of path.slice(0, -1)) {
    const inner: Record<string, unknown> = Object.hasOwn(place, member) ? (place[member] as Record<string, unknown>) : {};
    place[member] = inner;
    place = inner;
  }
  const last = path.at(-1)!;
  if (Object.hasOwn(place, last)) throw invalid(name, `${name} is given more than once`, 'DUPLICATE');
  const own = new Gathering();
  place[last] = coerced(value, own);
  for (const { field, code, message } of own.issues) issues.add(name, code, message.replace(field, name));
  return path.join('.');
}

function knownNames({ kind, own, isCounted, orders, sorts }: LedgerParameters): string {
  const record = ['expand', 'select', 'include_deleted_records'];
  const list = ['offset', ...(orders.size > 0 ? ['order_by'] : []), ...(isCounted ? ['exact_count'] : [])];
  const conditions = 'the filters of this record';
  switch (kind) {
    case 'write':
      return `${own.join(', ')} and expand`;
    case 'feed':
      return `${own.join(', ')} and select`;
    case 'one':
      return 'expand, select and include_deleted_records';
    case 'list':
      return `${['limit', 'next', 'prev', ...list, 'return_count', ...(sorts.size > 0 ? ['sort[…]'] : []), ...record].join(', ')} and ${conditions}`;
    case 'summary':
      return `${own.join(', ')} and ${conditions}`;
    case 'conditions':
      return `${[...own, ...list].join(', ')} and ${conditions}`;
  }
}

function unknownParameter(name: string, parameters: LedgerParameters): ReturnType<typeof invalid> {
  const shown = name.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
  // A known column with another operator, or one left open.
  const column = parameters.filterType && fieldsOf(parameters.filterType, parameters).get(/^\w+/.exec(name)?.[0] ?? '');
  const operators = column && operatorsOf(column);
  if (column && operators)
    return invalid(
      shown,
      `${shown} is not a parameter here; the operators of ${/^\w+/.exec(name)} are ${operators.map((each) => snakeCase(each.name)).join(', ')}`,
      'UNKNOWN_FIELD',
    );
  return invalid(shown, `${shown} is not a parameter here; use ${knownNames(parameters)}`, 'UNKNOWN_FIELD');
}
