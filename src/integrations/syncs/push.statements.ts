// The statements of pushes: the queue of a company, and what a push leaves at its record.
import { raw } from '@mikro-orm/core';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { executeParts, type NewColumn, newRows } from '../../database/parts.statements.ts';
import type { Model } from '../../records/metadata.ts';
import type { SourceRecord } from '../connectors/connector.ts';
import { SourcePush, SyncJob, type SyncKey } from './state/sync.ts';

/** A push that a run has claimed, with what earlier attempts have sent. */
export type ClaimedPush = Pick<
  SourcePush,
  'id' | 'companyId' | 'syncId' | 'jobId' | 'dataModel' | 'ledgerId' | 'attempts' | 'failures' | 'sent'
>;

/** The first push of a company, and who may work on it. */
export interface WaitingPush {
  push: ClaimedPush;
  /** The queue job that works on it. */
  claimedBy: string | null;
  /** How long that job has it unless it reports that it continues. 0 where its process has not reported for seconds. */
  heldMs: number;
  /** When a push that no job works on is due. */
  due: Date | null;
}

/** How long a claim holds that is not renewed, by the clock of the database, which all processes share. */
const LEASE = "now() + interval '5 seconds'";

/** Stores pushes of records, in their order. */
export async function insertPushes(
  em: EntityManager,
  { organisationId, companyId, syncId, jobId }: Pick<SourcePush, 'organisationId' | 'companyId' | 'syncId' | 'jobId'>,
  pushes: readonly Pick<SourcePush, 'id' | 'dataModel' | 'ledgerId'>[],
): Promise<void> {
  const columns: NewColumn<(typeof pushes)[number]>[] = [
    { column: 'company_id', type: 'bigint', all: companyId },
    { column: 'id', type: 'text', each: ({ id }) => id },
    { column: 'organisation_id', type: 'bigint', all: organisationId },
    { column: 'sync_id', type: 'text', all: syncId },
    { column: 'job_id', type: 'text', all: jobId },
    { column: 'data_model', type: 'text', each: ({ dataModel }) => dataModel },
    { column: 'ledger_id', type: 'bigint', each: ({ ledgerId }) => ledgerId },
    { column: 'attempts', type: 'int', sql: '0' },
    { column: 'failures', type: 'int', sql: '0' },
    { column: 'sent', type: 'jsonb', sql: "'[]'" },
  ];
  await executeParts(em, [newRows(em, { table: 'source_push', rows: pushes, columns })]);
}

/**
 * Locks the first push of a company. Pushes of a company are sent one after the other, so that the source sees the changes of a record in their
 * order.
 */
export async function firstPush(em: EntityManager, companyId: number): Promise<WaitingPush | undefined> {
  const [first] = await executeIn<{
    row: Omit<ClaimedPush, 'ledgerId' | 'companyId'> & { ledgerId: string | number };
    owner: string | null;
    held: string | number;
    due: string | Date | null;
  }>(
    em,
    `select jsonb_build_object('id', id, 'syncId', sync_id, 'jobId', job_id, 'dataModel', data_model, 'ledgerId', ledger_id, 'attempts', attempts, 'failures', failures, 'sent', sent) as row,
       claimed_by as owner, case when claimed_by is null then claimed_until end as due,
       case when claimed_by is null then 0 else greatest(0, ceil(extract(epoch from claimed_until - now()) * 1000)) end as held from source_push where company_id = $1 order by id limit 1 for update`,
    [companyId],
  );
  if (!first) return undefined;
  const { row, owner, held, due } = first;
  return {
    push: { ...row, companyId, ledgerId: Number(row.ledgerId) },
    claimedBy: owner,
    heldMs: Number(held),
    due: due === null ? null : new Date(due),
  };
}

/** Gives a push to a queue job, counts the attempt, and stores what it may send. */
export async function claimPush(
  em: EntityManager,
  { companyId, id }: ClaimedPush,
  by: string,
  sent: readonly SourceRecord[],
): Promise<void> {
  const claim = { claimedBy: by, claimedUntil: raw(LEASE), attempts: raw('attempts + 1'), sent: [...sent] };
  await em.nativeUpdate(SourcePush, { companyId, id }, claim);
}

/** What attempts may have sent of records whose pushes are not over. */
export async function sentForms(
  em: EntityManager,
  { companyId, dataModel }: Pick<ClaimedPush, 'companyId' | 'dataModel'>,
  ledgerIds: readonly number[],
): Promise<Pick<ClaimedPush, 'ledgerId' | 'sent'>[]> {
  const condition = { companyId, dataModel, ledgerId: { $in: [...ledgerIds] }, attempts: { $gt: 0 } };
  return em.find(SourcePush, condition, { fields: ['ledgerId', 'sent'], disableIdentityMap: true });
}

/** Keeps a claim; returns whether the job has it still. */
export const renewClaim = async (em: EntityManager, { companyId, id }: ClaimedPush, by: string): Promise<boolean> =>
  (await em.nativeUpdate(SourcePush, { companyId, id, claimedBy: by }, { claimedUntil: raw(LEASE) })) > 0;

/** A push that is to be tried again: when, how often the source has failed it, and what is known to have been sent. Absent values stay. */
interface Release {
  due?: Date | null;
  failures?: number;
  sent?: SourceRecord[];
}

/** Ends a claim of a push that is to be tried again, at a moment or at once. */
export async function releasePush(
  em: EntityManager,
  { companyId, id }: ClaimedPush,
  { due = null, ...known }: Release = {},
): Promise<void> {
  await em.nativeUpdate(SourcePush, { companyId, id }, { claimedBy: null, claimedUntil: due, ...known });
}

/**
 * Notes at the running pulls of a data model that a record was pushed. Pages that they have requested before may show an older version of it, and
 * later pages may not show it at all.
 */
export async function notePushedDuringPulls(
  em: EntityManager,
  { companyId, dataModel }: Pick<ClaimedPush, 'companyId' | 'dataModel'>,
  platformId: string,
): Promise<void> {
  await executeIn(
    em,
    `insert into sync_seen as seen (company_id, job_id, platform_id, organisation_id, sync_id, pushes)
     select j.company_id, j.id, $3, j.organisation_id, j.sync_id, 1 from sync_job j join sync s on s.id = j.sync_id and s.company_id = j.company_id
     where j.company_id = $1 and j.data_model = $2 and j.job_type = 'PULL' and j.status in ('CREATED', 'RUNNING', 'PENDING_CONFIRMATION') and j.parent_job_id is null
     on conflict (company_id, job_id, platform_id) do update set pushes = seen.pushes + 1, is_absent = false`,
    [companyId, dataModel, platformId],
  );
}

/** Sends the pushes of a record for that of another push. */
export async function movePushes(
  em: EntityManager,
  { companyId, dataModel, ledgerId }: Pick<ClaimedPush, 'companyId' | 'dataModel' | 'ledgerId'>,
  from: number,
): Promise<void> {
  await em.nativeUpdate(SourcePush, { companyId, dataModel, ledgerId: from }, { ledgerId });
}

/** Removes a push that is done; returns whether their sync has others. */
export async function removePush(
  em: EntityManager,
  { companyId, id, syncId }: Pick<SourcePush, 'companyId' | 'id' | 'syncId'>,
): Promise<boolean> {
  const rows = await executeIn<{ others: boolean }>(
    em,
    `delete from source_push where company_id = $1 and id = $2
     returning exists (select 1 from source_push where company_id = $1 and sync_id = $3 and id <> $2) as others`,
    [companyId, id, syncId],
  );
  return rows[0]?.others ?? false;
}

/** How a push ended; what is absent stays as it is at the record. */
interface PushOutcome {
  state: 'IN_SYNC' | 'PENDING_PUSH' | 'PUSH_FAILED';
  /** The words of the source. */
  error?: string;
  hash?: string;
  platformId?: string;
}

/** Notes at a record, live or deleted, how its push ended. */
export async function notePush(
  em: EntityManager,
  { table }: Model,
  { companyId, ledgerId }: Pick<ClaimedPush, 'companyId' | 'ledgerId'>,
  { state, error, hash, platformId }: PushOutcome,
): Promise<void> {
  await executeIn(
    em,
    `update "${table}" set source_state = $3, source_error = $4, source_hash = coalesce($5, source_hash), platform_id = coalesce($6, platform_id)
     where company_id = $1 and ledger_id = $2 and source_state in ('PENDING_PUSH', 'PUSH_FAILED')`,
    [companyId, ledgerId, state, error ?? null, hash ?? null, platformId ?? null],
  );
}

/** Notes at a record which of its fields the source has left out of a push that it took. */
export async function noteLeftOut(
  em: EntityManager,
  { table }: Model,
  { companyId, ledgerId }: Pick<ClaimedPush, 'companyId' | 'ledgerId'>,
  fields: readonly string[],
): Promise<void> {
  await executeIn(em, `update "${table}" set source_error = $3 where company_id = $1 and ledger_id = $2 and source_state = 'IN_SYNC'`, [
    companyId,
    ledgerId,
    `the source does not take ${fields.join(', ')}`,
  ]);
}

/** The records whose pushes a sync reports as rejected. */
export async function refusedPushes(em: EntityManager, { id, companyId }: SyncKey): Promise<Pick<SourcePush, 'dataModel' | 'ledgerId'>[]> {
  const jobs = await em.find(
    SyncJob,
    { companyId, syncId: id, status: 'FAILED', parentJobId: { $ne: null } },
    { fields: ['dataModel', 'errorResponse'], disableIdentityMap: true },
  );
  return jobs.flatMap(({ dataModel, errorResponse }) => {
    const { ledger_id: ledgerId } = errorResponse as Record<string, unknown>;
    return ledgerId === undefined ? [] : [{ dataModel, ledgerId: Number(ledgerId) }];
  });
}

/** Lets records that the source has rejected be sent again; returns which of them are as it rejected them. */
export async function reopen(em: EntityManager, { table }: Model, companyId: number, ledgerIds: readonly number[]): Promise<number[]> {
  const rows = await executeIn<{ id: string | number }>(
    em,
    `update "${table}" set source_state = 'PENDING_PUSH', source_error = null
     where company_id = $1 and ledger_id = any($2::bigint[]) and source_state = 'PUSH_FAILED' returning ledger_id as id`,
    [companyId, ledgerIds],
  );
  return rows.map(({ id }) => Number(id));
}
