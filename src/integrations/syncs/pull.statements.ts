// The statements of pulls: whether one is due, what a full one has seen and what has vanished, and the records that were rejected.

import { type EntityManager, executeIn, type Statement } from '../../database/open.ts';
import { executeParts, type NewColumn, newRows } from '../../database/parts.statements.ts';
import { type GatewayError, invalid } from '../../records/errors.ts';
import type { Model } from '../../records/metadata.ts';
import { isStorable } from '../../records/storable.ts';
import type { SourcePage, SourceRecord } from '../connectors/connector.ts';
import { isSourced } from '../ledger/ledger-record.ts';
import { CHANGED_HERE } from '../writes/source-version.statements.ts';
import { RefusedRecord, type Sync } from './state/sync.ts';

/** A row while a connection is due. */
export const DUE_CONNECTIONS: Statement = {
  name: 'due_connections',
  text: 'select 1 from connection where next_run_at <= $1::timestamptz limit 1',
};

/** The sync of a pull. */
type PullSync = Pick<Sync, 'id' | 'organisationId' | 'companyId' | 'integrationType'>;

/** Notes source ids that a full pull has seen, or of records that the source has no more. */
export async function noteSeen(
  em: EntityManager,
  sync: Pick<PullSync, 'id' | 'organisationId' | 'companyId'>,
  jobId: string,
  platformIds: readonly string[],
  isAbsent = false,
): Promise<void> {
  if (platformIds.length === 0) return;
  const columns: NewColumn<string>[] = [
    { column: 'company_id', type: 'bigint', all: sync.companyId },
    { column: 'job_id', type: 'text', all: jobId },
    { column: 'platform_id', type: 'text', each: (id) => id },
    { column: 'organisation_id', type: 'bigint', all: sync.organisationId },
    { column: 'sync_id', type: 'text', all: sync.id },
    { column: 'is_absent', type: 'boolean', all: isAbsent },
  ];
  await executeParts(em, [
    newRows(em, { table: 'sync_seen', rows: platformIds, columns, rest: isAbsent ? 'on conflict do nothing' : SHOWN }),
  ]);
}

/** A record that the source shows after all is not absent. */
const SHOWN = 'on conflict (company_id, job_id, platform_id) do update set is_absent = false where sync_seen.is_absent';

/** Notes that the source, which a pull asks for changes only, shows records again whose deletion waits for a confirmation. */
export async function noteShown(
  em: EntityManager,
  { companyId }: Pick<PullSync, 'companyId'>,
  dataModel: string,
  platformIds: readonly string[],
): Promise<void> {
  await executeIn(
    em,
    `update sync_seen s set is_absent = false from sync_job j where j.company_id = $1 and j.data_model = $2 and j.status = 'PENDING_CONFIRMATION'
       and s.company_id = $1 and s.job_id = j.id and s.is_absent and s.platform_id = any($3::text[])`,
    [companyId, dataModel, platformIds],
  );
}

/** The records that the source had: a pull deletes them, or marks them as a conflict, when the source no longer has them. Parameters: $1 to $3. */
const knownOf = ({ class: target }: Model): string =>
  `t.company_id = $1 and t.organisation_id = $2 and t.ledger_integration_type = $3 and t.ledger_deleted_at is null${
    isSourced(target) ? ` and (t.source_state = 'IN_SYNC' or ${CHANGED_HERE})` : ''
  }`;
const known = ({ companyId, organisationId, integrationType }: PullSync): unknown[] => [companyId, organisationId, integrationType];

/** How many records the source had, and how many of them a full pull has not seen. */
export async function countUnseen(
  em: EntityManager,
  sync: PullSync,
  model: Model,
  jobId: string,
): Promise<{ total: number; unseen: number }> {
  const [row] = await executeIn<{ total: number; unseen: number }>(
    em,
    `select count(*)::int as total, count(*) filter (where s.platform_id is null or s.is_absent)::int as unseen
     from "${model.table}" t left join sync_seen s on s.company_id = $1 and s.job_id = $4 and s.platform_id = t.platform_id where ${knownOf(model)}`,
    [...known(sync), jobId],
  );
  return row!;
}

/** Condition of the records with the given source ids, which are `$place`. */
export const named = (place: number): string => `platform_id = any($${place}::text[])`;

/** Source ids of some records after one that the source had and a full pull has not seen, in their order. */
export async function unseen(
  em: EntityManager,
  sync: PullSync,
  model: Model,
  jobId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await executeIn<{ id: string }>(
    em,
    `select t.platform_id as id from "${model.table}" t where ${knownOf(model)} and t.platform_id > $5
       and not exists (select 1 from sync_seen s where s.company_id = $1 and s.job_id = $4 and s.platform_id = t.platform_id)
     order by t.platform_id limit ${limit}`,
    [...known(sync), jobId, after],
  );
  return rows.map(({ id }) => id);
}

/** A record that could not be stored. */
export interface RefusedEntry {
  /** What it is kept under. */
  platformId: string;
  record: SourceRecord;
  /** Where in its file it is; absent for one of no file. */
  place?: string | undefined;
  /** Why the connector has rejected it, and does so again until the source sends one record of its id. */
  error?: GatewayError;
}

/** What a record is kept under that the connector has rejected next to another of its name. */
export const repeatedOf = (name: string): string => `repeated ${name}`;

/** A record as it is kept with why its id is rejected, and with where in its file it is. */
type Kept = [record: SourceRecord, message?: string | null, place?: string | null];

/** Keeps the records of a page that were rejected, and forgets those that were stored or deleted. */
export async function noteRefused(
  em: EntityManager,
  sync: PullSync,
  dataModel: string,
  { refused, stored, deleted }: { refused: readonly RefusedEntry[]; stored: readonly string[]; deleted: readonly string[] },
): Promise<void> {
  const over = [...stored, ...deleted].flatMap((name) => [name, repeatedOf(name)]);
  if (over.length > 0) await em.nativeDelete(RefusedRecord, { companyId: sync.companyId, dataModel, platformId: { $in: over } });
  const kept = new Map(refused.map((entry) => [entry.platformId, entry]));
  if (kept.size > 0)
    await em.upsertMany(
      RefusedRecord,
      [...kept.values()].map(({ platformId, record, place = null, error }) => ({
        platformId,
        record:
          error || place !== null
            ? JSON.stringify([record, error?.message ?? null, place] satisfies Kept)
            : isStorable(record)
              ? record
              : JSON.stringify(record),
        companyId: sync.companyId,
        organisationId: sync.organisationId,
        integrationType: sync.integrationType,
        dataModel,
        refusedBy: sync.id,
      })),
    );
}

/** What a rejected record without an id that can be stored is kept under begins with; its digest follows. */
export const NAMELESS = 'without platform_id';

/** Whether a pull has rejected records without an id that can be stored. Any record that it has not seen may be one of them. */
export async function hasNameless(em: EntityManager, { id, companyId }: PullSync, dataModel: string): Promise<boolean> {
  const own = { companyId, dataModel, refusedBy: id, platformId: { $like: `${NAMELESS} %` } };
  return (await em.count(RefusedRecord, own)) > 0;
}

/** Records of a data model that earlier syncs rejected, of this source or kept before their source was noted. */
const ofEarlier = ({ id, companyId, integrationType }: PullSync, dataModel: string) => ({
  ...{ companyId, dataModel, refusedBy: { $ne: id } },
  $or: [{ integrationType }, { integrationType: null }],
});

/** Some records of a data model that earlier syncs rejected. */
export async function refusedBefore(em: EntityManager, sync: PullSync, dataModel: string, limit: number): Promise<SourcePage> {
  const found = await em.find(RefusedRecord, ofEarlier(sync, dataModel), {
    limit,
    orderBy: { platformId: 'asc' },
    disableIdentityMap: true,
  });
  const entries = found.map(({ record }): Kept => {
    const kept: SourceRecord | Kept = typeof record === 'string' ? JSON.parse(record) : record;
    return Array.isArray(kept) ? kept : [kept];
  });
  const rejected = entries.flatMap(([, message], index) =>
    message == null ? [] : [[index, invalid('file', message, 'DUPLICATE')] as const],
  );
  return {
    records: entries.map(([record]) => record),
    places: entries.map(([, , place]) => place ?? undefined),
    rejected: new Map(rejected),
  };
}

/** Forgets the records that earlier syncs rejected and a full pull has not seen again. */
export async function forgetRefused(em: EntityManager, sync: PullSync, dataModel: string): Promise<void> {
  await em.nativeDelete(RefusedRecord, ofEarlier(sync, dataModel));
}
