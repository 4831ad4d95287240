// Relay connections over the reader: arguments, keyset pages forwards and backwards, cursors. Reads only the selected fields.
import { type GraphQLResolveInfo, getArgumentValues } from 'graphql';
import { Field, Int, ObjectType } from 'type-graphql';
import { type RequestContext, scopeOf } from '../access/context.ts';
import {
  type Condition,
  conditionsOf,
  type Filter,
  isOfOne,
  type Order,
  type OrderBy,
  ordersOf,
  type ReadScope,
  valueOfOne,
  type Where,
} from '../database/reader/conditions.ts';
import type { FieldTree, JsonShape, NestedList } from '../database/reader/field-tree.ts';
import { bindFilters } from '../database/reader/filter-sql.ts';
import { type PageQuery, type Parents, type RecordCount } from '../database/reader/list-reader.ts';
import { type Projection, projectionFor, projectionOf, projectionWith, type Row } from '../database/reader/projection.ts';
import type { FoundRows, JsonPage } from '../database/reader/reader.ts';
import { jsonProjection } from '../database/reader/record-json.ts';
import type { JsonFragment } from '../json/fragment.ts';
import { GatewayError } from '../records/errors.ts';
import { isOrderable, type Model, modelOf, type Prop, propOf, type RecordClass } from '../records/metadata.ts';
import { DateTime } from '../records/scalars.ts';
import { type CursorScope, Cursors, LateCursor } from './cursors.ts';
import { JSON_NODES, type NestedPages, UnwrittenError } from './json-lists.ts';
import { byGroup, LevelLoaders } from './level-loaders.ts';
import { type FilterInput, filtersOf, type OrderInput } from './list-inputs.ts';
import { checkPage, type PageArguments, type PagePlace } from './lists/page-arguments.ts';
import { lookAhead, mergeTrees } from './look-ahead.ts';

export { cursorArguments, forwardArguments, MAX_OFFSET, MAX_PAGE, type PageArguments, pageArguments } from './lists/page-arguments.ts';

@ObjectType({ description: 'Position of a page in its list, as in the Relay connection specification.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether another page follows.' }) hasNextPage!: boolean;
  @Field(() => Boolean, { description: 'Whether another page precedes.' }) hasPreviousPage!: boolean;
  @Field(() => String, { nullable: true, description: 'Cursor of the first record; null on an empty page.' })
  startCursor!: LateCursor | null;
  @Field(() => String, { nullable: true, description: 'Cursor of the last record; null on an empty page.' })
  endCursor!: LateCursor | null;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'End of a list sorted by `ledgerUpdatedAt` or `ledgerCreatedAt`, ascending: all records before this moment are in it; later ones follow once no running write can precede them. Null for other lists.',
  })
  settledUntil?: string | null;
}

/** A page as the executor reads it; members that were not selected are empty. */
export interface Page {
  nodes: Row[];
  [JSON_NODES]: JsonFragment | undefined;
  edges: { cursor: string; node: Row }[];
  pageInfo: PageInfo;
  totalCount: number | null;
  totalCountIsEstimate: boolean;
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

  @ObjectType(`${name}Edge`, { description: `${name} record with its cursor.`, simpleResolvers: true })
  class Edge {
    @Field(() => String, { description: 'Position for `after` and `before`.' }) cursor!: string;
    @Field(() => target, { description: 'The record.' }) node!: unknown;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${name} records.`, simpleResolvers: true })
  class Connection {
    @Field(() => [target], { description: 'Records of the page.' }) nodes!: unknown[];
    @Field(() => [Edge], { description: 'Records with their cursors.' }) edges!: Edge[];
    @Field(() => PageInfo, { description: 'Position of the page in the list.' }) pageInfo!: PageInfo;
    @Field(() => Int, {
      description: 'Number of matching records.',
    })
    totalCount!: number;
    @Field(() => Boolean, { description: 'Whether `totalCount` is an estimate.' }) totalCountIsEstimate!: boolean;
  }
  return Connection;
}

/** What a list reads beyond its page arguments. */
export interface ListRequest<T extends object> {
  record: RecordClass<T>;
  /** The organisation that owns the records, where it may differ from the caller's. */
  organisationId?: number;
  /** Name that binds cursors to this list. */
  list: string;
  where?: Where<T>;
  /** The filter of the caller, whose conditions must hold too. */
  filter?: FilterInput | null;
  /** The order of the caller, which replaces the order of the list. */
  orderBy?: readonly OrderInput[] | null;
  /** By the key alone when absent. */
  order?: OrderBy<T>;
  includeDeleted?: boolean;
}

interface Plan {
  projection: Projection | undefined;
  /** Set where the records can be read as JSON text. */
  shape: JsonShape | undefined;
  edges: boolean;
  total: boolean;
}

/** The key under which a selection keeps its plan. */
const PLAN = {};

function planOf(tree: FieldTree, model: Model): Plan {
  return tree.memo(PLAN, () => {
    const nodes = mergeTrees(tree.fields.get('nodes'), tree.fields.get('edges')?.fields.get('node'));
    const paged = tree.fields.has('edges') || tree.fields.has('pageInfo');
    return {
      projection: nodes ? projectionFor(model, nodes) : paged ? projectionOf(model, [model.key]) : undefined,
      shape: tree.fields.get(JSON_NODES)?.shape,
      edges: tree.fields.has('edges'),
      total: tree.fields.has('totalCount'),
    };
  });
}

/** One page that a response needs. */
interface PageRequest {
  args: PageArguments;
  model: Model;
  scope: ReadScope;
  /** Conditions with one value, which name the parent of the list. */
  parent: readonly Condition[];
  /** The other conditions of the list itself. */
  where: readonly Filter[];
  /** Name that binds cursors to the list. */
  list: string;
  filter: FilterInput | null | undefined;
  /** The order under the conditions of the caller. */
  order: (given: readonly Filter[]) => Order[];
}

/** What the pages of a level share: their arguments are those of one field, so they are read with one statement. */
interface Level {
  args: PageArguments;
  model: Model;
  scope: ReadScope;
  filters: readonly Filter[];
  order: readonly Order[];
  /** Properties whose values name the parent of a list. */
  props: readonly Prop[];
  /** The end of a list in the order of stamps. */
  settledUntil?: string;
  /** Whether the statement leaves out rows after that end. */
  isCut?: boolean;
}

/** The list of one parent: the name that binds its cursors, and the values that name the parent. */
interface ParentList {
  list: string;
  values: readonly unknown[];
}

const pages = new LevelLoaders<PageRequest, Page>('page_loaders', (context, info, requests) => {
  const plan = planOf(lookAhead(info), requests[0]!.model);
  return byGroup(requests, sharedBy, (level) => readLevel(context, info, plan, level));
});

/** The info for a resolver that is asked which page it would read. */
interface AskingInfo extends GraphQLResolveInfo {
  asked: PageRequest[];
}

/** What such a resolver returns; it is not used. */
const NO_PAGE = undefined as unknown as Promise<Page>;

/** Reads one page for a connection field. Pages of one level of a response that differ in their parents only are read with one statement. */
export function readConnection<T extends object>(
  context: RequestContext,
  info: GraphQLResolveInfo,
  args: PageArguments,
  request: ListRequest<T>,
): Promise<Page> {
  const model = modelOf(request.record);
  const asked: PageRequest = {
    args,
    model,
    ...placed(context, model, request),
    filter: request.filter,
    order: (given) => orderOf(model, request, given),
  };
  if (!('asked' in info)) return pages.load(context, info, asked);
  (info as AskingInfo).asked.push(asked);
  return NO_PAGE;
}

/** The parts of a page that follow from the place of its list. */
function placed<T extends object>(
  context: RequestContext,
  model: Model<T>,
  {
    list,
    where = {},
    organisationId,
    includeDeleted = false,
  }: Pick<ListRequest<T>, 'list' | 'where' | 'organisationId' | 'includeDeleted'>,
): Pick<PageRequest, 'scope' | 'parent' | 'where' | 'list'> {
  const conditions = conditionsOf(model, where);
  return {
    scope: { ...scopeOf(context, organisationId), includeDeleted },
    parent: conditions.filter(isOfOne),
    where: conditions.filter((one) => !isOfOne(one)),
    list,
  };
}

/**
 * The pages of a list of each record, as JSON. The resolver of the list says which page the first record has. The pages of the other records differ
 * from it in their organisation, their name and the values that name the parent. A request for each page was half the cost of W11.
 */
async function nestedPages(
  context: RequestContext,
  info: GraphQLResolveInfo,
  { field, node, shape, placeOf }: NestedPages,
  records: readonly Row[],
): Promise<JsonFragment[]> {
  if (records.length === 0) return [];
  const asking: AskingInfo = { ...info, asked: [] };
  try {
    await field.resolve!(records[0], getArgumentValues(field, node, info.variableValues), context, asking);
    const level = levelOf(asking.asked as [PageRequest]);
    const places = records.map((record) => placeOf(record, context));
    const lists = places.map(({ list, where }): ParentList => ({ list, values: level.props.map(({ name }) => valueOfOne(where[name])) }));
    const pages = new Array<JsonFragment>(records.length);
    await Promise.all(
      [...Map.groupBy(places.keys(), (index) => places[index]!.organisationId)].map(async ([organisationId, own]) => {
        const scope = { ...level.scope, ...scopeOf(context, organisationId) };
        const ofOne = own.map((index) => lists[index]!);
        const found = await opened(context, { ...level, scope }, ofOne, (from, known) => readJson(context, info, shape, from, known));
        for (const [place, page] of found.entries()) {
          if (page instanceof Error) throw page;
          pages[own[place]!] = page.json;
        }
      }),
    );
    return pages;
  } catch (error) {
    throw new UnwrittenError('a list within a list has no page', { cause: error });
  }
}

/**
 * The order of a list: that of the caller, or the order of the list. A list that is sorted by its key alone and limited by a range is read in the
 * order of the range, whose index has the page at its beginning. For changes since a moment, that is the order of the changes.
 */
function orderOf<T extends object>(model: Model<T>, { order = { by: [] }, orderBy }: ListRequest<T>, filters: readonly Filter[]): Order[] {
  const key = propOf(model, model.key);
  const given = (orderBy ?? []).map(({ field, direction, nulls }): Order => {
    const own: Order = { prop: propOf(model, field), descending: direction === 'DESC' };
    return nulls ? { ...own, nulls: nulls === 'FIRST' ? 'first' : 'last' } : own;
  });
  if (given.length > 0)
    return given.some(({ prop }) => prop === key)
      ? given.slice(0, given.findIndex(({ prop }) => prop === key) + 1)
      : [...given, { prop: key, descending: given[0]!.descending }];
  const ranged = new Set(filters.flatMap((one) => ('prop' in one && isRange(one) ? [one.prop] : [])));
  const [range] = ranged;
  if (order.by.length > 0 || ranged.size !== 1 || !isOrderable(model, range!)) return ordersOf(model, order);
  return [range!, key].map((prop) => ({ prop, descending: order.descending ?? false }));
}

const isRange = ({ operator }: Condition): boolean => /^[gl]t/.test(operator);

/** What may differ between the pages of a field besides their parents: the field has the same arguments in every row. */
const sharedBy = ({ model, scope, parent, where }: PageRequest): string => {
  const values: string[] = [];
  const shape = bindFilters(where, values);
  return JSON.stringify([model.name, scope.tenant?.organisationId, parent.map(({ prop }) => prop.name), shape, values]);
};

/** What the pages of a level have in common. */
function levelOf(requests: readonly PageRequest[]): Level {
  const [{ args, model, scope, parent, where, filter, order }] = requests as [PageRequest, ...PageRequest[]];
  // Where only the count is read too.
  checkPage(args);
  const given = filtersOf(model, filter);
  return { args, model, scope, filters: [...where, ...given], order: order(given), props: parent.map(({ prop }) => prop) };
}

/** Reads the pages of the parents of one level. */
async function readLevel(
  context: RequestContext,
  info: GraphQLResolveInfo,
  plan: Plan,
  requests: readonly PageRequest[],
): Promise<(Page | GatewayError)[]> {
  const level = levelOf(requests);
  const { args, model, filters, scope } = level;
  const lists = requests.map(({ list, parent }): ParentList => ({ list, values: parent.map(({ value }) => value) }));
  const [found, counts] = await Promise.all([
    plan.shape || plan.projection ? readRows(context, info, plan, level, lists) : undefined,
    plan.total
      ? context.services.reader.counts(model, filters, scope, { exact: args.exact === true, parents: parentsOf(level, lists) })
      : undefined,
  ]);
  return requests.map((_, index) => {
    const page = found?.[index];
    return page instanceof GatewayError ? page : pageOf(plan, page, counts?.[index]);
  });
}

const parentsOf = ({ props }: Level, lists: readonly ParentList[]): Parents => ({ props, values: lists.map(({ values }) => values) });

function pageOf(plan: Plan, page: FoundPage | undefined, total: RecordCount | undefined): Page {
  const {
    nodes = [],
    json,
    size = 0,
    cursor = () => '',
    hasNextPage = false,
    hasPreviousPage = false,
    settledUntil: until = null,
  } = page ?? {};
  return {
    nodes,
    [JSON_NODES]: json,
    edges: plan.edges ? nodes.map((node, index) => ({ cursor: cursor(index), node })) : [],
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: size > 0 ? new LateCursor(() => cursor(0)) : null,
      endCursor: size > 0 ? new LateCursor(() => cursor(size - 1)) : null,
      settledUntil: until,
    },
    totalCount: total?.count ?? null,
    totalCountIsEstimate: total?.isEstimate ?? false,
  };
}

interface FoundPage extends FoundRows {
  nodes: Row[];
  json: JsonFragment | undefined;
  size: number;
  /** The cursor of the record at an index of the page. */
  cursor: (index: number) => string;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  settledUntil: string | null;
}

const reversed = ({ prop, descending, nulls }: Order): Order => ({
  prop,
  descending: !descending,
  nulls: nulls === 'first' ? 'last' : 'first',
});

function readRows(
  context: RequestContext,
  info: GraphQLResolveInfo,
  plan: Plan,
  level: Level,
  lists: readonly ParentList[],
): Promise<(FoundPage | GatewayError)[]> {
  return opened(context, level, lists, (from, known) => readOpened(context, info, plan, from, known));
}

/** A level that ends at a settled time. What is read has to see everything before that end, so its place is chosen again. */
function endingAt(end: number, { services }: RequestContext, level: Level): Level {
  const { consistency } = services.database;
  const freshness = level.scope.freshness && consistency.freshness(level.scope.tenant!.organisationId);
  return { ...level, scope: { ...level.scope, freshness }, settledUntil: new Date(end).toISOString() };
}

/** Whether a level is in the ascending order of stamps. */
const isOfStamps = ({ order: [first], scope }: Level): boolean =>
  first?.prop.settles === true && !first.descending && scope.tenant !== undefined;

/** The companies whose records a level lists; 0 where no parent names one, none where companies have no such records. */
function companiesOf({ model, props, scope }: Level, lists: readonly ParentList[]): number[] {
  if (model.companyColumn === undefined) return [];
  const place = props.findIndex(({ column }) => column === model.companyColumn);
  return place < 0 ? [...(scope.tenant?.companyIds ?? [0])] : [...new Set(lists.map(({ values }) => Number(values[place])))];
}

type ReadPages<Page> = (level: OpenedLevel, lists: readonly ParentList[]) => Promise<(Page | GatewayError)[]>;

/** Whether all rows found for these pages are before a settled time. */
const isBefore = (end: number, pages: readonly (FoundRows | GatewayError)[]): boolean =>
  pages.every((page) => page instanceof GatewayError || page.found === 0 || Date.parse(String(page.last)) < end);

/**
 * Reads the pages of lists from their cursor on. A list in the order of stamps ends before the stamps that running transactions may still add, so that
 * a reader who continues after the last stamp misses nothing. Pages whose rows are all before a recent settled time need no later one.
 */
async function opened<Page extends FoundRows>(
  context: RequestContext,
  level: Level,
  lists: readonly ParentList[],
  read: ReadPages<Page>,
): Promise<(Page | GatewayError)[]> {
  const place = checkPage(level.args);
  if (!isOfStamps(level)) return pagesAt(context, { ...level, ...place }, lists, read);
  const { settledTimes } = context.services.database;
  const { organisationId } = level.scope.tenant!;
  const readUntil = async (end: number, isCut: boolean): Promise<(Page | GatewayError)[]> => {
    await context.services.database.requireCommits(companiesOf(level, lists));
    return pagesAt(context, { ...endingAt(end, context, level), ...place, isCut }, lists, read);
  };
  const recent = place.backwards ? undefined : settledTimes.recent(organisationId);
  if (recent !== undefined) {
    const pages = await readUntil(recent, false);
    if (isBefore(recent, pages)) return pages;
  }
  return readUntil(await settledTimes.of(organisationId), true);
}

/** A cursor belongs to the list of one parent; those of the others reject it. */
async function pagesAt<Page>(
  context: RequestContext,
  level: Level & PagePlace,
  lists: readonly ParentList[],
  read: ReadPages<Page>,
): Promise<(Page | GatewayError)[]> {
  const cursorsFor = cursorsOf(context, level);
  const { position } = level;
  if (!position) return read({ ...level, after: undefined, cursorsFor }, lists);
  const places = lists.map(({ list }) => refusal(() => cursorsFor(list).decode(position.cursor, position.field)));
  const known = lists.filter((_, index) => !(places[index] instanceof GatewayError));
  const after = places.find((one): one is unknown[] => !(one instanceof GatewayError));
  const found = known.length > 0 ? await read({ ...level, after, cursorsFor }, known) : [];
  return places.map((one) => (one instanceof GatewayError ? one : found.shift()!));
}

/** What a function returns, or the error of ours that it throws. */
function refusal<T>(run: () => T): T | GatewayError {
  try {
    return run();
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

/** A level whose pages begin after the same row. */
interface OpenedLevel extends Level, PagePlace {
  after: unknown[] | undefined;
  cursorsFor: (list: string) => Cursors;
}

const keysOf = ({ order }: Level): string[] => order.map(({ prop }) => prop.name);

/** What the reader is asked for. It reads one record more than the page holds, to know whether another page follows. */
function queryOf({ scope, filters, order, settledUntil: value, isCut, backwards, size, after, offset }: OpenedLevel): PageQuery {
  const where: readonly Filter[] = isCut ? [...filters, { prop: order[0]!.prop, operator: 'lt', value }] : filters;
  return { ...scope, where, order: backwards ? order.map(reversed) : order, limit: size + 1, after, offset };
}

const onPageOf =
  ({ backwards, size }: PagePlace) =>
  (rows: number[]): number[] =>
    backwards ? rows.slice(0, size).reverse() : rows.slice(0, size);

function readJson(
  context: RequestContext,
  info: GraphQLResolveInfo,
  shape: JsonShape,
  level: OpenedLevel,
  lists: readonly ParentList[],
): Promise<(JsonPage | GatewayError)[]> {
  // The lists of an operation are those that its document was compiled with.
  const nested = (list: NestedList, records: readonly Row[]) => nestedPages(context, info, list as NestedPages, records);
  const query = { ...queryOf(level), nested };
  return context.services.reader.jsonPages(jsonProjection(shape, keysOf(level)), query, parentsOf(level, lists), onPageOf(level));
}

async function readOpened(
  context: RequestContext,
  info: GraphQLResolveInfo,
  plan: Plan,
  level: OpenedLevel,
  lists: readonly ParentList[],
): Promise<(FoundPage | GatewayError)[]> {
  const { backwards, size, position, offset, cursorsFor } = level;
  const keys = keysOf(level);
  const placeOf = (
    index: number,
    { found, last }: FoundRows,
    valuesOf: (place: number) => unknown[],
  ): Omit<FoundPage, 'nodes' | 'json'> => {
    let cursors: Cursors | undefined;
    return {
      found,
      last,
      size: Math.min(found, size),
      cursor: (place) => {
        cursors ??= cursorsFor(lists[index]!.list);
        return cursors.encode(valuesOf(place));
      },
      hasNextPage: backwards ? position !== undefined : found > size,
      hasPreviousPage: backwards ? found > size : position !== undefined || offset > 0,
      settledUntil: level.settledUntil ?? null,
    };
  };
  if (plan.shape) {
    const { value } = jsonProjection(plan.shape, keys);
    return (await readJson(context, info, plan.shape, level, lists)).map((page, index) => {
      if (page instanceof GatewayError) return page;
      const { rows, wanted, json } = page;
      return { nodes: [], json, ...placeOf(index, page, (place) => keys.map((name) => value(rows, wanted[place]!, name))) };
    });
  }
  const projection = projectionWith(plan.projection!, keys);
  const pages = await context.services.reader.pages(projection, queryOf(level), parentsOf(level, lists), onPageOf(level));
  return pages.map((page, index) => {
    if (page instanceof GatewayError) return page;
    const { rows } = page;
    return { nodes: rows, json: undefined, ...placeOf(index, page, (place) => keys.map((name) => rows[place]![name])) };
  });
}

/** The conditions of a list as a cursor is bound to them: neither their order nor how a caller spelled them matters. */
const boundTo = (filters: readonly Filter[]): string[] =>
  filters
    .map((filter) => {
      const values: string[] = [];
      return JSON.stringify([bindFilters([filter], values), values]);
    })
    .sort();

const cursorsOf = ({ services }: RequestContext, { scope, order, filters }: Level): ((list: string) => Cursors) => {
  let common: Omit<CursorScope, 'list'> | undefined;
  return (list) => {
    common ??= {
      organisationId: scope.tenant!.organisationId,
      order: order.map(({ prop, descending, nulls }) => `${prop.name}${descending ? '-' : '+'}${nulls ?? ''}`).join(),
      filter: [boundTo(filters), scope.includeDeleted ?? false],
    };
    return new Cursors(services.signer, { ...common, list });
  };
};
