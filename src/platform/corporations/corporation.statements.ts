// Statements about the records of a corporation, whose types the files of corporations do not know.
import { evaluate } from '../../database/expression.statements.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { allModels, type RecordClass } from '../../records/metadata.ts';

/** A record that was archived, and its version before. */
interface Archived {
  id: string;
  previousEtag: string | null;
}

/** Archives the records of a corporation: the rows of every record type with a `corporationId`. Returns them by their type. */
export async function archiveDependants(
  em: EntityManager,
  { organisationId, id }: { organisationId: number; id: string },
  now: Date,
): Promise<[RecordClass, Archived[]][]> {
  const archived: [RecordClass, Archived[]][] = [];
  for (const { class: record, table, props, derived, deletedAt } of allModels()) {
    if (props.get('corporationId')?.kind !== 'id' || !deletedAt) continue;
    const { column } = props.get(deletedAt)!;
    const rows = await executeIn<{ id: string; updatedAt: string }>(
      em,
      `update ${table} set ${column} = $3::timestamptz where organisation_id = $1 and corporation_id = $2 and ${column} is null
       returning id, updated_at::text as "updatedAt"`,
      [organisationId, id, now.toISOString()],
    );
    const etag = derived.get('etag');
    archived.push([record, rows.map((row) => ({ id: row.id, previousEtag: etag ? (etag.compute(row as never) as string) : null }))]);
  }
  return archived;
}

/** Whether the corporation has a registration. */
export const hasRegistration = async (em: EntityManager, id: string): Promise<boolean> =>
  (await evaluate(em, { sql: 'exists (select 1 from registration where corporation_id = $1)', values: [id] })) === true;
