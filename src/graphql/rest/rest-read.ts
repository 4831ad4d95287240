// Records in their REST form, read for a response whose fields differ from record to record.
import { assertObjectType, type GraphQLObjectType, getNamedType, isObjectType } from 'graphql';
import { type RequestContext, type Services, scopeOf } from '../../access/context.ts';
import type { Where } from '../../database/reader/conditions.ts';
import { FieldTree } from '../../database/reader/field-tree.ts';
import { projectionFor, type Row } from '../../database/reader/projection.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { CacheKey } from '../../runtime/caches.ts';
import { isShown, shownRecord } from './rest-record.ts';

/** What REST shows of each record type. */
const trees = new CacheKey<Services, Map<string, FieldTree>>('rest_fields', () => new Map());

/** The fields of a type that REST shows, those of the records in it too. */
function treeOf(type: GraphQLObjectType): FieldTree {
  const fields = Object.values(type.getFields()).filter((field) => isShown(field, true));
  return new FieldTree(
    type,
    fields.map((field) => {
      const inner = getNamedType(field.type);
      return [field.name, isObjectType(inner) ? treeOf(inner) : new FieldTree(inner)];
    }),
  );
}

/** The records that meet conditions, deleted ones too, by their key, each as in a REST response without expansions. */
export async function readRestRecords<T extends object>(
  context: RequestContext,
  target: RecordClass<T>,
  where: Where<T>,
): Promise<Map<unknown, Row>> {
  const { services } = context;
  const model = modelOf(target);
  const type = assertObjectType(services.schema.getType(model.name));
  const known = services.caches.of(trees);
  const tree = known.get(model.name) ?? treeOf(type);
  known.set(model.name, tree);
  const rows = await services.reader.findRows(projectionFor(model, tree), { where }, { ...scopeOf(context), includeDeleted: true });
  return new Map(rows.map((row: Row) => [row[model.key], shownRecord(type, row, row[model.deletedAt!] != null)]));
}
