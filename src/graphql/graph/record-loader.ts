// Reads the records that the rows of one level lead to by their keys, with one statement per record type.
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../../access/context.ts';
import { projectionFor, type Row } from '../../database/reader/projection.ts';
import { decodeGlobalId } from '../../records/ids.ts';
import { type Model, modelOf, type RecordClass } from '../../records/metadata.ts';
import { LevelLoaders } from '../level-loaders.ts';
import { lookAhead } from '../look-ahead.ts';
import { mayRead } from '../node.ts';
import { authoriseRead, scopeBeside } from './visibility.ts';

/** The key of a record, and what else its primary key and its tenant are known by. */
export interface RecordKey {
  key: string | number;
  companyId?: number;
  organisationId?: number;
}

/** The records that one row leads to. */
interface RecordRequest {
  model: Model;
  keys: readonly RecordKey[];
}

type KnownKey = RecordKey & { model: Model };

const records = new LevelLoaders<RecordRequest, (Row | null)[]>('records', async (context, info, requests) => {
  const tree = lookAhead(info);
  const found = new Map<Model, Map<unknown, Row>>();
  const read = async (group: readonly KnownKey[]): Promise<void> => {
    const [{ model, organisationId }] = group as [KnownKey, ...KnownKey[]];
    const companies = [...new Set(group.flatMap(({ companyId }) => companyId ?? []))];
    const where = {
      [model.key]: { in: [...new Set(group.map(({ key }) => key))] },
      ...(model.companyProp && companies.length > 0 ? { [model.companyProp]: { in: companies } } : {}),
    };
    const scope = { ...scopeBeside(context, organisationId === undefined ? {} : { organisationId }), includeDeleted: true };
    const rows = await context.services.reader.findRows(projectionFor(model, tree), { where }, scope);
    const own = found.get(model) ?? new Map<unknown, Row>();
    found.set(model, own);
    for (const row of rows) own.set(row[model.key], Object.assign(row, { __typename: model.name }));
  };
  const all = requests.flatMap(({ model, keys }) => keys.map((key) => ({ model, ...key })));
  const groups = Map.groupBy(all, ({ model, organisationId }) => `${model.name} ${organisationId}`);
  await Promise.all([...groups.values()].map(read));
  return requests.map(({ model, keys }) => keys.map(({ key }) => found.get(model)?.get(key) ?? null));
});

/**
 * The records with these keys as the field selects them, as a reference shows them: deleted ones too. Null for a record that the caller may not see.
 */
export function loadRecords(
  context: RequestContext,
  info: GraphQLResolveInfo,
  record: RecordClass,
  keys: readonly RecordKey[],
): Promise<(Row | null)[]> {
  const model = modelOf(record);
  authoriseRead(context, model);
  return records.load(context, info, { model, keys });
}

/** The record with this key, as `loadRecords` returns it. */
export async function loadRecord(
  context: RequestContext,
  info: GraphQLResolveInfo,
  record: RecordClass,
  key: RecordKey,
): Promise<Row | null> {
  const [found] = await loadRecords(context, info, record, [key]);
  return found!;
}

/** The record with this global id, as `loadRecord` returns it; null for one of a type that the caller may not read. */
export async function loadNode(context: RequestContext, info: GraphQLResolveInfo, id: string | null): Promise<Row | null> {
  const named = id === null ? undefined : decodeGlobalId(id);
  if (!named || !mayRead(context, named.model)) return null;
  return loadRecord(context, info, named.model.class, { key: named.key });
}
