// Relay connections over the reader: arguments, keyset pages forwards and backwards, cursors. Reads only the selected fields.
import type { GraphQLResolveInfo } from 'graphql';
import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { type RequestContext, tenantOf } from '../access/context.ts';
import type { FieldTree, JsonShape } from '../database/reader/field-tree.ts';
import { type Projection, projectionFor, projectionOf, projectionWith, propOf, type Row } from '../database/reader/projection.ts';
import type { Condition, Order, Reader, ReadQuery } from '../database/reader/reader.ts';
import { jsonProjection } from '../database/reader/record-json.ts';
import { JsonFragment } from '../json/fragment.ts';
import { invalid } from '../records/errors.ts';
import { type FilterOperator, type Model, modelOf, type RecordClass } from '../records/metadata.ts';
import type { TenantScope } from '../records/tenancy.ts';
import { Cursors } from './cursors.ts';
import { JSON_NODES } from './json-lists.ts';
import { lookAhead, mergeTrees } from './look-ahead.ts';

/** Most records one page may hold. */
export const MAX_PAGE = 100;

@ObjectType({ description: 'Position of a page in its list, as in the Relay connection specification.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether records follow this page.' }) hasNextPage!: boolean;
  @Field(() => Boolean, { description: 'Whether records precede this page.' }) hasPreviousPage!: boolean;
  @Field(() => String, { nullable: true, description: 'Cursor of the first record of the page; null on an empty page.' }) startCursor!:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'Cursor of the last record of the page; null on an empty page.' }) endCursor!:
    | string
    | null;
}

/** The page arguments of a connection, as callers send them. */
export interface PageArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
  /** Length of the page when the caller names none. */
  readonly defaultSize: number;
}

/** The arguments of a connection that is read forwards only; `size` is the default page size. */
export function forwardArguments(size: number): new () => Omit<PageArguments, 'last' | 'before'> {
  @ArgsType()
  class ForwardArguments {
    readonly defaultSize = size;
    @Field(() => Int, { nullable: true, description: `Page size from the start, 1 to ${MAX_PAGE}; default ${size}.` })
    first?: number | null;
    @Field(() => String, { nullable: true, description: 'Start after this cursor.' })
    after?: string | null;
  }
  return ForwardArguments;
}

/** The arguments of a connection that is read in both directions; `size` is the default page size. */
export function pageArguments(size: number): new () => PageArguments {
  @ArgsType()
  class BothWays extends forwardArguments(size) {
    @Field(() => Int, { nullable: true, description: `Page size from the end, 1 to ${MAX_PAGE}.` })
    last?: number | null;
    @Field(() => String, { nullable: true, description: 'End before this cursor.' })
    before?: string | null;
  }
  return BothWays;
}

/** A page as the executor reads it; members that were not selected are empty. */
export interface Page {
  nodes: Row[];
  [JSON_NODES]: JsonFragment | undefined;
  edges: { cursor: string; node: Row }[];
  pageInfo: PageInfo;
  totalCount: number | null;
}

const connectionTypes = new Map<RecordClass, RecordClass>();

/** The connection type of a record, made once. */
export function connectionOf(target: RecordClass): RecordClass {
  let type = connectionTypes.get(target);
  if (!type) {
    type = makeConnectionType(target);
    connectionTypes.set(target, type);
  }
  return type;
}

function makeConnectionType(target: RecordClass): RecordClass {
  const { name } = modelOf(target);

  @ObjectType(`${name}Edge`, { description: `A ${name} in a list, with its cursor.`, simpleResolvers: true })
  class Edge {
    @Field(() => String, { description: 'Position of this record in the list, for `after` and `before`.' }) cursor!: string;
    @Field(() => target as never, { description: 'The record.' }) node!: unknown;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${name} records.`, simpleResolvers: true })
  class Connection {
    @Field(() => [target as never], { description: 'The records of the page.' }) nodes!: unknown[];
    @Field(() => [Edge], { description: 'The records of the page with their cursors.' }) edges!: Edge[];
    @Field(() => PageInfo, { description: 'Position of the page in the list.' }) pageInfo!: PageInfo;
    @Field(() => Int, { description: 'Number of records that match, over all pages; counted only when selected.' }) totalCount!: number;
  }
  return Connection;
}

/** What a list reads beyond its page arguments. */
export interface ListRequest {
  model: Model;
  /** The organisation that owns the records, where it may differ from the caller's. */
  organisationId?: number;
  /** Name that binds cursors to this list. */
  list: string;
  where: Condition[];
  /** The filter as given, for the cursor's fingerprint. */
  filter?: unknown;
  order: Order[];
  includeDeleted?: boolean;
}

interface Plan {
  projection: Projection | undefined;
  /** Set where the records can be read as JSON text. */
  shape: JsonShape | undefined;
  edges: boolean;
  total: boolean;
}

const plans = new WeakMap<FieldTree, Plan>();

function planOf(tree: FieldTree, model: Model): Plan {
  let plan = plans.get(tree);
  if (!plan) {
    const nodes = mergeTrees(tree.fields.get('nodes'), tree.fields.get('edges')?.fields.get('node'));
    const paged = tree.fields.has('edges') || tree.fields.has('pageInfo');
    plan = {
      projection: nodes ? projectionFor(model, nodes) : paged ? projectionOf(model, [model.key]) : undefined,
      shape: tree.fields.get(JSON_NODES)?.shape,
      edges: tree.fields.has('edges'),
      total: tree.fields.has('totalCount'),
    };
    plans.set(tree, plan);
  }
  return plan;
}

const ownerOf = (context: RequestContext, { organisationId }: ListRequest): TenantScope =>
  organisationId === undefined ? tenantOf(context) : { organisationId, companyIds: null };

/** Reads one page for a connection field. */
export async function readConnection(
  context: RequestContext,
  info: GraphQLResolveInfo,
  args: PageArguments,
  request: ListRequest,
): Promise<Page> {
  const plan = planOf(lookAhead(info), request.model);
  const tenant = ownerOf(context, request);
  const { where, includeDeleted = false } = request;
  const [page, totalCount] = await Promise.all([
    plan.shape || plan.projection ? readPage(context, plan, args, request) : undefined,
    plan.total ? context.services.reader.count({ model: request.model, tenant, where, includeDeleted, primary: context.primary }) : null,
  ]);
  const { nodes = [], json, size = 0, cursor = () => '', hasNextPage = false, hasPreviousPage = false } = page ?? {};
  return {
    nodes,
    [JSON_NODES]: json,
    edges: plan.edges ? nodes.map((node, index) => ({ cursor: cursor(index), node })) : [],
    // Signing a cursor costs as much as reading its row, so a cursor is made only when it is selected.
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      get startCursor() {
        return size > 0 ? cursor(0) : null;
      },
      get endCursor() {
        return size > 0 ? cursor(size - 1) : null;
      },
    },
    totalCount,
  };
}

interface RowPage {
  nodes: Row[];
  json: JsonFragment | undefined;
  size: number;
  /** The cursor of the record at an index of the page. */
  cursor: (index: number) => string;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

async function readPage(context: RequestContext, plan: Plan, args: PageArguments, request: ListRequest): Promise<RowPage> {
  const { backwards, size, position } = checkPage(args);
  const tenant = ownerOf(context, request);
  const order = request.order.map((entry) => (backwards ? { ...entry, descending: !entry.descending } : entry));
  const keys = request.order.map((entry) => entry.prop.name);
  const cursors = new Cursors(context.services.signer, {
    list: request.list,
    organisationId: tenant.organisationId,
    order: request.order.map((entry) => `${entry.prop.name}${entry.descending ? '-' : '+'}`).join(),
    filter: [request.filter ?? null, request.includeDeleted ?? false],
  });
  const after = position ? cursors.decode(position.cursor, position.field) : undefined;
  const { where, includeDeleted = false } = request;
  // Reads one record more than the page holds, to know whether another page follows.
  const query = { tenant, where, order, limit: size + 1, after, includeDeleted, primary: context.primary };
  const onPage = <T>(rows: T[]): T[] => (backwards ? rows.slice(0, size).reverse() : rows.slice(0, size));
  const { reader } = context.services;
  const { found, ...page } = plan.shape
    ? await readJson(reader, plan.shape, keys, query, onPage)
    : await readRecords(reader, plan.projection!, keys, query, onPage);
  const more = found > size;
  return {
    nodes: page.nodes,
    json: page.json,
    size: Math.min(found, size),
    cursor: (index) => cursors.encode(page.keysOf(index)),
    hasNextPage: backwards ? position !== undefined : more,
    hasPreviousPage: backwards ? more : position !== undefined,
  };
}

/** The rows of a page, as records or as JSON text, and the values of the order columns by index. */
interface PageRows {
  found: number;
  nodes: Row[];
  json: JsonFragment | undefined;
  keysOf: (index: number) => unknown[];
}

type PageQuery = Omit<ReadQuery, 'projection'>;
type OnPage = <T>(rows: T[]) => T[];

async function readRecords(reader: Reader, base: Projection, keys: string[], query: PageQuery, onPage: OnPage): Promise<PageRows> {
  const rows = await reader.rows({ ...query, projection: projectionWith(base, keys) });
  const nodes = onPage(rows);
  return { found: rows.length, nodes, json: undefined, keysOf: (index) => keys.map((name) => nodes[index]![name]) };
}

async function readJson(reader: Reader, shape: JsonShape, keys: string[], query: PageQuery, onPage: OnPage): Promise<PageRows> {
  const projection = jsonProjection(shape, keys);
  const { rows, wanted, json } = await reader.text(projection, query, onPage);
  return {
    found: rows.length,
    nodes: [],
    json: new JsonFragment(json),
    keysOf: (index) => keys.map((name) => projection.value(rows, wanted[index]!, name)),
  };
}

function checkPage(args: PageArguments): { backwards: boolean; size: number; position: { cursor: string; field: string } | undefined } {
  const { first, last, defaultSize } = args;
  // The last page of a list has an empty cursor; sent back, it counts as absent.
  const [after, before] = [args.after || null, args.before || null];
  if (first != null && last != null) throw invalid('last', 'first and last exclude each other');
  if (after != null && before != null) throw invalid('before', 'after and before exclude each other');
  const backwards = last != null || before != null;
  if (backwards && (first != null || after != null))
    throw invalid(before != null ? 'before' : 'last', 'first goes with after, last with before');
  const size = (backwards ? last : first) ?? defaultSize;
  if (size < 1 || size > MAX_PAGE)
    throw invalid(backwards ? 'last' : 'first', `${backwards ? 'last' : 'first'} must be an integer from 1 to ${MAX_PAGE}`, 'OUT_OF_RANGE');
  if (after != null) return { backwards, size, position: { cursor: after, field: 'after' } };
  if (before != null) return { backwards, size, position: { cursor: before, field: 'before' } };
  return { backwards, size, position: undefined };
}

/** The conditions of a filter input. */
export function filterConditions(
  model: Model,
  filter: Record<string, Partial<Record<FilterOperator, unknown>> | null> | null | undefined,
): Condition[] {
  return Object.entries(filter ?? {}).flatMap(([name, operators]) =>
    Object.entries(operators ?? {}).map(([operator, value]) => {
      if (value === null) throw invalid(`filter.${name}.${operator}`, `filter.${name}.${operator} must not be null`);
      return { prop: propOf(model, name), operator: operator as FilterOperator, value };
    }),
  );
}

/** Order by properties and, last, by the record's key, so that no two rows are equal. */
export function orderBy(model: Model, names: string[], descending: boolean): Order[] {
  return [...new Set([...names, model.key])].map((name) => ({ prop: propOf(model, name), descending }));
}
