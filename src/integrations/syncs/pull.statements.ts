// The statements of pulls: what a full one has seen and what has vanished, and the records that were refused.

import { executeParts, type NewColumn, newRows } from '../../database/distributed/parts.statements.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import type { Model } from '../../records/metadata.ts';
import type { SourceRecord } from '../connectors/connector.ts';
import { CHANGED_HERE } from '../writes/source-version.statements.ts';
import { RefusedRecord, type Sync } from './sync.ts';

/** The sync of a pull. */
type PullSync = Pick<Sync, 'id' | 'organisationId' | 'companyId' | 'integrationType'>;

/** Notes source ids that a full pull has seen. */
export async function noteSeen(
  em: EntityManager,
  sync: Pick<PullSync, 'id' | 'organisationId' | 'companyId'>,
  jobId: string,
  platformIds: readonly string[],
): Promise<void> {
  if (platformIds.length === 0) return;
  const columns: NewColumn<string>[] = [
    { column: 'company_id', type: 'bigint', all: sync.companyId },
    { column: 'job_id', type: 'text', all: jobId },
    { column: 'platform_id', type: 'text', each: (id) => id },
    { column: 'organisation_id', type: 'bigint', all: sync.organisationId },
    { column: 'sync_id', type: 'text', all: sync.id },
  ];
  await executeParts(em, [newRows(em, { table: 'sync_seen', rows: platformIds, columns, rest: 'on conflict do nothing' })]);
}

/** Condition of the records that a full pull has not seen; `$place` is its job. */
export const vanished = (place: number): string =>
  `not exists (select 1 from sync_seen s where s.company_id = t.company_id and s.job_id = $${place} and s.platform_id = t.platform_id)`;

/** Condition of the records with the given source ids, which are `$place`. */
export const named = (place: number): string => `platform_id = any($${place}::text[])`;

/** Source ids of some records that the source had and a full pull has not seen. */
export async function unseen(em: EntityManager, sync: PullSync, { table }: Model, jobId: string, limit: number): Promise<string[]> {
  const rows = await executeIn<{ id: string }>(
    em,
    `select platform_id as id from "${table}" t where company_id = $1 and organisation_id = $2 and ledger_integration_type = $3 and ledger_deleted_at is null
       and (source_state = 'IN_SYNC' or ${CHANGED_HERE}) and ${vanished(4)} order by platform_id limit ${limit}`,
    [sync.companyId, sync.organisationId, sync.integrationType, jobId],
  );
  return rows.map(({ id }) => id);
}

/** A record that could not be stored. */
interface RefusedEntry {
  platformId: string;
  record: SourceRecord;
}

/** Keeps the records of a page that were refused, and forgets those that were stored or deleted. */
export async function noteRefused(
  em: EntityManager,
  sync: PullSync,
  dataModel: string,
  { refused, stored, deleted }: { refused: readonly RefusedEntry[]; stored: readonly string[]; deleted: readonly string[] },
): Promise<void> {
  const over = [...stored, ...deleted];
  if (over.length > 0) await em.nativeDelete(RefusedRecord, { companyId: sync.companyId, dataModel, platformId: { $in: over } });
  if (refused.length > 0)
    await em.upsertMany(
      RefusedRecord,
      refused.map((entry) => ({
        ...entry,
        companyId: sync.companyId,
        organisationId: sync.organisationId,
        dataModel,
        refusedBy: sync.id,
      })),
    );
}

/** Records of a data model that earlier syncs refused. */
const ofEarlier = ({ id, companyId }: PullSync, dataModel: string) => ({ companyId, dataModel, refusedBy: { $ne: id } });

/** Some records of a data model that earlier syncs refused. */
export async function refusedBefore(em: EntityManager, sync: PullSync, dataModel: string, limit: number): Promise<SourceRecord[]> {
  const found = await em.find(RefusedRecord, ofEarlier(sync, dataModel), {
    limit,
    orderBy: { platformId: 'asc' },
    disableIdentityMap: true,
  });
  return found.map(({ record }) => record);
}

/** Forgets the records that earlier syncs refused and a full pull has not met again. */
export async function forgetRefused(em: EntityManager, sync: PullSync, dataModel: string): Promise<void> {
  await em.nativeDelete(RefusedRecord, ofEarlier(sync, dataModel));
}
