// Reads the one record that a field asks for, or throws the error of its type.
import type { GraphQLResolveInfo } from 'graphql';
import { type ReadScope, type RequestContext, scopeOf } from '../access/context.ts';
import type { Where } from '../database/reader/conditions.ts';
import type { FieldTree } from '../database/reader/field-tree.ts';
import { projectionFor, type Row } from '../database/reader/projection.ts';
import { type Column, modelOf, propOf, type RecordClass, type StoredRecord } from '../records/metadata.ts';
import { notFound } from '../records/not-found.ts';
import { byGroup, LevelLoaders } from './level-loaders.ts';
import { lookAhead } from './look-ahead.ts';

/** The id a caller sent, and the argument that had it. */
export interface GivenId {
  id: string | number;
  field: string;
}

/** The record that meets the conditions, with what the operation selected of it; the error of its type when the scope has none. */
export async function ownRecord<T extends object>(
  context: RequestContext,
  selection: GraphQLResolveInfo | FieldTree,
  record: RecordClass<T>,
  where: Where<T>,
  { id, field }: GivenId,
  scope: ReadScope = scopeOf(context),
): Promise<Row> {
  const tree = 'fields' in selection ? selection : lookAhead(selection);
  const [row] = await context.services.reader.findRows(projectionFor(modelOf(record), tree), { where, limit: 1 }, scope);
  if (!row) throw notFound(record, id, field);
  return row;
}

interface OwnRequest {
  record: RecordClass;
  /** One value for each property that is compared. */
  where: Readonly<Record<string, string | number>>;
  given: GivenId;
  scope: ReadScope;
}

/** Reads the records of requests that are alike but for the values they compare with. */
async function readEach(context: RequestContext, info: GraphQLResolveInfo, requests: readonly OwnRequest[]): Promise<(Row | Error)[]> {
  const [{ record, where, given, scope }] = requests as [OwnRequest, ...OwnRequest[]];
  if (requests.length === 1) return [await ownRecord(context, info, record, where, given, scope)];
  const model = modelOf(record);
  const names = Object.keys(where);
  const parents = {
    props: names.map((name) => propOf(model, name)),
    values: requests.map((request) => names.map((name) => request.where[name])),
  };
  const projection = projectionFor(model, lookAhead(info));
  const found = await context.services.reader.rowsOfEach({ ...scope, projection, where: [], limit: 1 }, parents);
  return found.map(([row], place) => row ?? notFound(record, requests[place]!.given.id, given.field));
}

const ownRecords = new LevelLoaders<OwnRequest, Row>(
  'own_records',
  (context, info, requests) =>
    byGroup(
      requests,
      ({ scope }) => scope.includeDeleted === true,
      (group) => readEach(context, info, group),
    ),
  { joinsRequests: true },
);

/**
 * The same for conditions of one value each. One statement reads the records of a level, and of requests with the same key that wait at the same
 * time.
 */
export const ownRecordOfEach = (
  context: RequestContext,
  info: GraphQLResolveInfo,
  record: RecordClass,
  where: Readonly<Record<string, string | number>>,
  given: GivenId,
  scope: ReadScope,
): Promise<Row> => ownRecords.load(context, info, { record, where, given, scope });

/** Some properties of the record that meets the conditions; the error of its type when the scope has none. */
export async function ownProperties<T extends object, K extends Column<T>>(
  context: RequestContext,
  record: RecordClass<T>,
  where: Where<T>,
  select: readonly K[],
  { id, field }: GivenId,
  scope: ReadScope = scopeOf(context),
): Promise<StoredRecord<T, K>> {
  const found = await context.services.reader.one(record, where, select, scope);
  if (!found) throw notFound(record, id, field);
  return found;
}
