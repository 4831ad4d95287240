// Pulls: a sync with one job per data model, which the queue runs through the connector of the company.
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { Services } from '../../access/context.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { type EventSource, emitEvents, sourceOf } from '../../events/events.ts';
import { coercerFor, namingStrategies } from '../../graphql/input-coercion.ts';
import type { JobContext, Task } from '../../queue/queue.ts';
import { type ErrorCode, GatewayError, inputError, missing } from '../../records/errors.ts';
import type { InputIssue } from '../../records/input-issue.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { type CompanyRow, connectedCompany } from '../companies/company.ts';
import { namesOf } from '../ledger/ledger-record.ts';
import type { RecordInput, WriteScope } from '../writes/change.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { markDeleted } from '../writes/record-store.ts';
import type { Entry } from '../writes/write.ts';
import { LOST_TASK } from './batch.ts';
import type { SourceRecord } from './connector.ts';
import { connectorFor } from './connectors.ts';
import { reportEntries, writeEntries } from './job-entries.ts';
import {
  beginSync,
  endJob,
  isOver,
  type JobState,
  lockSync,
  mainJobs,
  type Refusal,
  type SyncState,
  settleSync,
  startJob,
} from './sync-state.ts';

const TASK = 'pull-sync';

/** Automatic retries of a job whose source failed; the delay doubles from five seconds. */
const MOST_RETRIES = 3;
const FIRST_DELAY_SECONDS = 5;
const retryable = new Set<ErrorCode>(['PLATFORM_ERROR', 'PLATFORM_RATE_LIMIT_EXCEEDED']);

/** A pull to begin. */
export interface NewPull {
  organisationId: number;
  company: CompanyRow;
  dataModels: string[];
  fullSync: boolean;
}

/**
 * The data models of a pull: those asked for, or all that the source serves. Throws OPERATION_NOT_SUPPORTED where it serves none of
 * them: such a sync would end without a record, as if the source had none.
 */
export function pulledModels({ ledgerId, integrationType }: CompanyRow, served: string[], wanted: string[] | null | undefined): string[] {
  if (served.length === 0)
    throw new GatewayError(
      'OPERATION_NOT_SUPPORTED',
      `company ${ledgerId} has nothing to pull: no source system serves ${integrationType} here and no file was imported for it`,
      { field: 'companyId' },
    );
  if (wanted && !wanted.some((dataModel) => served.includes(dataModel)))
    throw new GatewayError(
      'OPERATION_NOT_SUPPORTED',
      `the source of company ${ledgerId} has no ${wanted.join(', ')} records; it has ${served.join(', ')}`,
      { field: 'input.dataModels' },
    );
  return wanted ?? served;
}

/** Stores and enqueues a pull in the caller's transaction. Throws SYNC_IN_PROGRESS while another pull of the company is under way. */
export async function beginPull(
  em: EntityManager,
  services: Services,
  { organisationId, company, dataModels, fullSync }: NewPull,
): Promise<string> {
  await executeIn(em, 'select pg_advisory_xact_lock(hashtext($1))', [`pull ${company.ledgerId}`]);
  const running = await executeIn<{ id: string }>(
    em,
    `select id from sync where company_id = $1 and job_type = 'PULL' and status in ('PENDING', 'RUNNING')`,
    [company.ledgerId],
  );
  if (running[0])
    throw new GatewayError('SYNC_IN_PROGRESS', `sync ${running[0].id} of this company is under way`, { retryAfterSeconds: 30 });
  const { sync } = await beginSync(em, sourceOf(services, organisationId), {
    organisationId,
    companyId: company.ledgerId,
    integrationType: company.integrationType,
    dataModels,
    configMode: 'READ',
    jobType: 'PULL',
    fullSync,
    now: services.clock.now(),
  });
  await services.queue.enqueue(em.getTransactionContext(), TASK, { syncId: sync.id, organisationId });
  return sync.id;
}

/** The task that runs pulls. */
export function pullTask(services: Services, records: readonly RecordClass[]): Task {
  const byModel = new Map(
    records.filter((target) => namesOf(target).parent.length === 0).map((target) => [namesOf(target).dataModel, target]),
  );
  return {
    name: TASK,
    retry: { limit: 5, delaySeconds: 1, backoff: true, maxDelaySeconds: 30 },
    concurrency: 2,
    deadLetter: LOST_TASK,
    handler: (payload, job) => new Pull(services, byModel, Number(payload.organisationId), String(payload.syncId), job).run(),
  };
}

/** One run of a pull. The run after a crash starts the unfinished job again from its beginning. */
class Pull {
  readonly #services: Services;
  readonly #byModel: ReadonlyMap<string, RecordClass>;
  readonly #organisationId: number;
  readonly #syncId: string;
  readonly #queued: JobContext;

  constructor(services: Services, byModel: ReadonlyMap<string, RecordClass>, organisationId: number, syncId: string, queued: JobContext) {
    this.#services = services;
    this.#byModel = byModel;
    this.#organisationId = organisationId;
    this.#syncId = syncId;
    this.#queued = queued;
  }

  get #source(): EventSource {
    return sourceOf(this.#services, this.#organisationId);
  }

  async run(): Promise<void> {
    for (;;) {
      const next = await this.#transaction(async (em, sync) => {
        const job = (await mainJobs(em, sync.id)).find((entry) => entry.status === 'CREATED' || entry.status === 'RUNNING');
        if (!job) return undefined;
        await executeIn(em, 'delete from sync_job where parent_job_id = $1', [job.id]);
        await executeIn(em, 'update sync_job set records_synced = 0 where id = $1', [job.id]);
        await startJob(em, job.id, this.#now());
        await settleSync(em, this.#source, sync.id, this.#now());
        return { sync, job, since: sync.fullSync ? null : await lastPull(em, sync.companyId, job.dataModel) };
      });
      if (!next) return;
      try {
        await this.#pullModel(next.sync, next.job, next.since);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        if (await this.#failed(next.job, error)) return;
      }
    }
  }

  async #pullModel(sync: SyncState, job: JobState, since: Date | null): Promise<void> {
    const target = this.#byModel.get(job.dataModel);
    if (!target) throw new GatewayError('OPERATION_NOT_SUPPORTED', `${job.dataModel} records cannot be pulled`);
    const coerce = recordCoercer(this.#services.schema, target);
    const seen: string[] = [];
    let position = 0;
    const company = { organisationId: this.#organisationId, ledgerId: sync.companyId, integrationType: sync.integrationType };
    const connector = connectorFor(this.#services, sync.integrationType);
    // A full pull of a data model that the source does not have would mark all stored records deleted.
    if (!(await connector.dataModels(company)).includes(job.dataModel))
      throw new GatewayError('OPERATION_NOT_SUPPORTED', `the source has no ${job.dataModel} records`);
    for await (const page of connector.pull({ company, dataModel: job.dataModel, since })) {
      this.#queued.signal.throwIfAborted();
      const start = position;
      position += page.length;
      for (const record of page) if (typeof record.platform_id === 'string') seen.push(record.platform_id);
      await this.#transaction((em, locked) => this.#storePage(em, locked, job, target, page, coerce, start));
    }
    await this.#transaction(async (em, locked) => {
      if (locked.fullSync) await this.#markVanished(em, locked, target, seen);
      await endJob(em, job.id, this.#now());
      await this.#settle(em, locked);
    });
  }

  async #storePage(
    em: EntityManager,
    sync: SyncState,
    job: JobState,
    target: RecordClass,
    page: SourceRecord[],
    coerce: RecordCoercer,
    start: number,
  ): Promise<void> {
    const entries: Entry[] = [];
    const refusals: Refusal[] = [];
    for (const [index, record] of page.entries()) {
      const path = `data[${start + index}]`;
      try {
        entries.push({ path, input: coerce(record, path) });
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        refusals.push({
          error,
          index: start + index,
          platformId: typeof record.platform_id === 'string' ? record.platform_id : null,
          input: null,
        });
      }
    }
    const scope = await this.#scope(em, sync);
    const outcome = await writeEntries(em, scope, sync, target, entries, start);
    outcome.refusals.unshift(...refusals);
    await reportEntries(em, this.#services, scope, sync, job, outcome);
    await settleSync(em, this.#source, sync.id, this.#now());
  }

  async #markVanished(em: EntityManager, sync: SyncState, target: RecordClass, seen: string[]): Promise<void> {
    const scope = await this.#scope(em, sync);
    const gone = await markDeleted(em, scope, target, 'ledger_integration_type = $4 and platform_id <> all($5::text[])', [
      sync.integrationType,
      seen,
    ]);
    const deletions = gone.map((ledgerId) => ({ target, ledgerId, operation: 'DELETE' as const }));
    await emitEvents(em, this.#source, changeEventsOf(em, this.#source, scope.company, deletions));
  }

  /** Ends a job whose source failed, or schedules it again; returns whether this run is over. */
  #failed(job: JobState, error: GatewayError): Promise<boolean> {
    return this.#transaction(async (em, sync) => {
      if (!retryable.has(error.code) || job.retryCount >= MOST_RETRIES) {
        await endJob(em, job.id, this.#now(), error);
        await this.#settle(em, sync);
        return false;
      }
      const delay = error.info.retryAfterSeconds ?? FIRST_DELAY_SECONDS * 2 ** job.retryCount;
      await executeIn(em, `update sync_job set status = 'CREATED', retry_count = retry_count + 1 where id = $1`, [job.id]);
      await settleSync(em, this.#source, sync.id, this.#now());
      const runAfter = new Date(this.#now().getTime() + delay * 1_000);
      await this.#services.queue.enqueue(
        em.getTransactionContext(),
        TASK,
        { syncId: sync.id, organisationId: this.#organisationId },
        { runAfter },
      );
      await this.#queued.completeIn(em.getTransactionContext());
      return true;
    }).then((isOver) => isOver ?? true);
  }

  /** Settles the sync; when that ends it, completes the queue job in the same transaction. */
  async #settle(em: EntityManager, sync: SyncState): Promise<void> {
    const status = await settleSync(em, this.#source, sync.id, this.#now());
    if (isOver({ ...sync, status })) await this.#queued.completeIn(em.getTransactionContext());
  }

  async #scope(em: EntityManager, sync: SyncState): Promise<WriteScope> {
    const company = await connectedCompany(em, this.#organisationId, sync.companyId);
    return { services: this.#services, organisationId: this.#organisationId, company, now: this.#now(), changes: [] };
  }

  #now(): Date {
    return this.#services.clock.now();
  }

  /** Runs work in a transaction that locks the sync; does nothing when the sync is over, such as after a cancellation. */
  #transaction<T>(work: (em: EntityManager, sync: SyncState) => Promise<T>): Promise<T | undefined> {
    return organisationTransaction(this.#services.database, this.#organisationId, async (em) => {
      const sync = await lockSync(em, this.#services, this.#syncId);
      return sync && !isOver(sync) ? work(em, sync) : undefined;
    });
  }
}

/** Start of the last successful pull of a data model; 1970 when there was none. */
async function lastPull(em: EntityManager, companyId: number, dataModel: string): Promise<Date> {
  const rows = await executeIn<{ at: string | Date | null }>(
    em,
    `select max(start_time) as at from sync_job where company_id = $1 and data_model = $2 and job_type = 'PULL' and status = 'SUCCESS' and parent_job_id is null`,
    [companyId, dataModel],
  );
  return new Date(rows[0]?.at ?? 0);
}

type RecordCoercer = (record: SourceRecord, path: string) => RecordInput;

/** Coerces a source record like a REST body. The text of a CSV cell is first converted to the type of its field. */
function recordCoercer(schema: GraphQLSchema, target: RecordClass): RecordCoercer {
  const type = schema.getType(`${modelOf(target).name}Input`) as GraphQLInputObjectType;
  const coercer = coercerFor(type, namingStrategies.ledger);
  const types = new Map(Object.values(type.getFields()).map((field) => [namingStrategies.ledger.fieldName(field.name, field), field.type]));
  return (record, path) => {
    const typed = Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, typeof value === 'string' ? cellValue(value, types.get(name)) : value]),
    );
    const issues: InputIssue[] = [];
    const input = coercer(typed, path, issues) as RecordInput;
    if (issues.length > 0) throw inputError(issues);
    if (input.platformId == null) throw missing(`${path}.platform_id`);
    return input;
  };
}

const numeric = new Set(['Decimal', 'Int', 'PositiveInt']);
const freeForm = new Set(['JSON', 'JSONObject']);

/** Converts the text of a cell to the type of its field. Text that does not convert is returned unchanged, so that the coercer reports it. */
function cellValue(text: string, type: GraphQLInputType | undefined): unknown {
  if (!type) return text;
  const nullable = isNonNullType(type) ? type.ofType : type;
  const { name } = getNamedType(nullable);
  if (isListType(nullable) || isInputObjectType(nullable) || freeForm.has(name)) return jsonOr(text);
  if (numeric.has(name)) return /^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text;
  if (name === 'Boolean') return /^(true|false)$/i.test(text.trim()) ? /^true$/i.test(text.trim()) : text;
  return text;
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
