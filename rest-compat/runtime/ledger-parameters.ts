// The query parameters of the integrations API's reads: paging, filters with bracket operators, expansion and selection.
import { type GraphQLInputObjectType, type GraphQLObjectType, getNamedType } from 'graphql';
import { MAX_PAGE } from '../../src/graphql/connections.ts';
import { type Coercer, coercerFor, namingStrategies } from '../../src/graphql/input-coercion.ts';
import { inputError, invalid } from '../../src/records/errors.ts';
import type { InputIssue } from '../../src/records/input-issue.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { expandable, type Projection } from './stored-operation.ts';

/** The parameters of a route on ledger records, computed once per route. */
export interface LedgerParameters {
  expandable: ReadonlySet<string>;
  filters: Map<string, { field: string; operator: string; coercer: Coercer }>;
  /** Filter fields in the order of the record, for the documentation. */
  filterType: GraphQLInputObjectType | undefined;
  /** Whether the route writes; of the parameters of a read it has `expand` alone. */
  isWrite: boolean;
}

const selectable = new Set(['raw_data', 'data_hash']);
const orders: Record<string, string> = { ledger_created_at: 'LEDGER_CREATED_AT', ledger_updated_at: 'LEDGER_UPDATED_AT' };

/** The parameters of a record type; `filterType` is absent for single reads and writes. */
export function ledgerParameters(
  record: GraphQLObjectType,
  filterType: GraphQLInputObjectType | undefined,
  isWrite: boolean,
): LedgerParameters {
  const filters: LedgerParameters['filters'] = new Map();
  for (const field of Object.values(filterType?.getFields() ?? {})) {
    const operators = (getNamedType(field.type) as GraphQLInputObjectType).getFields();
    for (const operator of Object.values(operators)) {
      const coercer = coercerFor(getNamedType(field.type) as GraphQLInputObjectType, namingStrategies.text);
      filters.set(`${snakeCase(field.name)}[${operator.name}]`, { field: field.name, operator: operator.name, coercer });
    }
  }
  return { expandable: new Set(expandable(record, 'snake')), filters, filterType, isWrite };
}

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

function names(parameter: string, value: string, allowed: ReadonlySet<string>): Set<string> {
  const given = value
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const unknown = given.find((name) => !allowed.has(name));
  if (unknown !== undefined)
    throw invalid(parameter, `${parameter} does not know ${JSON.stringify(unknown.slice(0, 60))}; allowed are ${[...allowed].join(', ')}`);
  // Expanding line_items.item expands line_items too.
  return new Set(given.flatMap((name) => name.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'))));
}

/** Parses the parameters of a single read, a list or a write, starting from the route's own projection; an unknown parameter is refused by name. */
export function readLedgerQuery(parameters: LedgerParameters, plain: Projection, given: Map<string, string>): LedgerRead {
  const projection: { -readonly [K in keyof Projection]: Projection[K] } = { ...plain };
  const args: Record<string, unknown> = {};
  const filter: Record<string, Record<string, unknown>> = {};
  const issues: InputIssue[] = [];
  const sources: LedgerRead['sources'] = new Map();
  const isList = parameters.filterType !== undefined;
  let size: number | undefined;
  const take = (argument: string, value: unknown, name: string): void => {
    args[argument] = value;
    sources.set(argument, name);
  };
  for (const [name, value] of given) {
    if (name === 'expand') projection.expand = new Set([...plain.expand, ...names(name, value, parameters.expandable)]);
    else if (parameters.isWrite) throw unknownParameter(name, parameters);
    else if (name === 'include_deleted_records') {
      projection.deleted = flag(name, value);
      if (projection.deleted) take('includeDeleted', true, name);
    } else if (name === 'select') projection.select = names(name, value, selectable);
    else if (isList && name === 'return_count') projection.count = flag(name, value);
    else if (isList && name === 'limit') size = pageSize(value);
    // The last page has an empty cursor; sent back, it counts as absent and the list starts again.
    else if (isList && (name === 'next' || name === 'prev')) {
      if (value !== '') take(name === 'next' ? 'after' : 'before', value, name);
    } else if (isList && name.startsWith('sort[')) take('orderBy', sort(name, value, args.orderBy), name);
    else {
      const found = addFilter(parameters, name, value, filter, issues);
      if (!found) throw unknownParameter(name, parameters);
      sources.set(`filter.${found}`, name);
    }
  }
  if (issues.length > 0) throw inputError(issues);
  if (args.after !== undefined && args.before !== undefined) throw invalid('prev', 'next and prev exclude each other');
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

function sort(name: string, value: string, already: unknown): { field: string; direction: string } {
  const field = orders[name.slice(5, -1)];
  if (!field || !name.endsWith(']')) throw invalid(name, `${name} is not known; sort[ledger_created_at] and sort[ledger_updated_at] are`);
  const direction = value.toUpperCase();
  if (direction !== 'ASC' && direction !== 'DESC') throw invalid(name, `${name} must be ASC or DESC`);
  if (already) throw invalid(name, 'only one sort parameter can be given');
  return { field, direction };
}

/** Adds the condition of a parameter; returns its field and operator, or undefined when there is no such parameter. */
function addFilter(
  parameters: LedgerParameters,
  name: string,
  value: string,
  filter: Record<string, Record<string, unknown>>,
  issues: InputIssue[],
): string | undefined {
  // `contact_id=7` is short for `contact_id[eq]=7`.
  const bracketed = name.includes('[') ? name : `${name}[eq]`;
  const found = parameters.filters.get(bracketed);
  if (!found) return undefined;
  if (filter[found.field]?.[found.operator] !== undefined) throw invalid(name, `${name} is given more than once`, 'DUPLICATE');
  const own: InputIssue[] = [];
  const coerced = found.coercer({ [found.operator]: value }, '', own) as Record<string, unknown>;
  for (const issue of own) issues.push({ ...issue, field: name, message: issue.message.replace(issue.field, name) });
  filter[found.field] = { ...filter[found.field], ...coerced };
  return `${found.field}.${found.operator}`;
}

function unknownParameter(name: string, parameters: LedgerParameters): ReturnType<typeof invalid> {
  const shown = name.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
  const known = parameters.isWrite
    ? 'run_async, strict and expand'
    : parameters.filterType
      ? 'limit, next, prev, expand, select, include_deleted_records, return_count, sort[…] and the filters of this record'
      : 'expand, select and include_deleted_records';
  return invalid(shown, `${shown} is not a parameter here; known are ${known}`, 'UNKNOWN_FIELD');
}
