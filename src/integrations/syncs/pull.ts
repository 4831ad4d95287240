// Pulls: a sync with one job per data model, which the queue runs through the connector of the company.
import type { Services } from '../../access/context.ts';
import { lockUntilCommit } from '../../database/locks.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { type EventSource, emitEvents, sourceOf } from '../../events/events.ts';
import { enqueue, type JobContext, type JobPayload, type Task } from '../../queue/queue.ts';
import { type ErrorCode, GatewayError } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import type { CompanyRow } from '../companies/company.ts';
import { noteCursor, noteRun } from '../connections/connection-runs.ts';
import { replaceCredentials } from '../connections/sign-in.ts';
import { dataModelsOf, type OpenSource, openSource, type RunConnection } from '../connections/sources.ts';
import type { Connector, Json, SourceRecord } from '../connectors/connector.ts';
import { SourceDown } from '../connectors/source-http.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { inOrderOfReferences } from '../ledger/references.ts';
import { resolveStored } from '../writes/arrivals.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { deleteFromSource } from '../writes/source-versions.ts';
import { LOST_TASK } from './batch.ts';
import { forgetRefused, refusedBefore, unseen, vanished } from './pull.statements.ts';
import { PullPages, pullScope } from './pull-pages.ts';
import { endJob, startOfLastPull } from './sync.statements.ts';
import { type PullProgress, SyncJob, type SyncKey } from './sync.ts';
import {
  beginSync,
  isOver,
  type JobState,
  lockSyncOf,
  mainJobs,
  refuseDuringSync,
  type SyncState,
  settleSync,
  startJob,
} from './sync-state.ts';

const TASK = 'pull-sync';

/** Records that are looked at together outside the pages of a source: refused ones, and those that a full pull has not seen. */
const LOOKED_AT = 50;

/** Automatic retries of a job whose source failed; the delay doubles from five seconds. */
const MOST_RETRIES = 3;
const FIRST_DELAY_SECONDS = 5;
const retryable = new Set<ErrorCode>(['PLATFORM_ERROR', 'PLATFORM_TIMEOUT', 'PLATFORM_RATE_LIMIT_EXCEEDED']);

/** Work of one queue job, after which the pull goes on in another: a job that runs for 15 minutes counts as lost. */
const TURN_MS = 600_000;

/** A pull to begin. */
export interface NewPull {
  organisationId: number;
  company: CompanyRow;
  dataModels: string[];
  fullSync: boolean;
  syncType?: 'MANUAL' | 'AUTO_SYNC';
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
  { organisationId, company, dataModels, fullSync, syncType = 'MANUAL' }: NewPull,
): Promise<string> {
  await lockUntilCommit(em, `pull ${company.ledgerId}`);
  await refuseDuringSync(em, company.ledgerId, 'PULL');
  const { sync } = await beginSync(em, sourceOf(services, organisationId), {
    organisationId,
    companyId: company.ledgerId,
    integrationType: company.integrationType,
    dataModels,
    configMode: 'READ',
    jobType: 'PULL',
    syncType,
    fullSync,
    now: services.clock.now(),
  });
  enqueue(em, services.queue, TASK, { syncId: sync.id, companyId: sync.companyId, organisationId });
  return sync.id;
}

/** The task that runs pulls. */
export function pullTask(services: Services, records: readonly RecordClass<LedgerRecord>[]): Task {
  const byModel = new Map(
    records.filter((target) => namesOf(target).parent.length === 0).map((target) => [namesOf(target).dataModel, target]),
  );
  return {
    name: TASK,
    // A turn that is interrupted costs one page, so many interruptions are no reason to give up.
    retry: { limit: 20, delaySeconds: 1, backoff: true, maxDelaySeconds: 30 },
    concurrency: 2,
    deadLetter: LOST_TASK,
    handler: (payload, job) => new Pull(services, byModel, Number(payload.organisationId), payload, job).run(),
  };
}

/** A pull that goes on in another queue job. */
class Paused extends Error {}

/** One run of a pull. The run after a crash continues the unfinished job after the last page that was stored. */
class Pull {
  readonly #services: Services;
  readonly #byModel: ReadonlyMap<string, RecordClass<LedgerRecord>>;
  readonly #organisationId: number;
  readonly #payload: JobPayload;
  readonly #queued: JobContext;
  readonly #began: number;
  /** The connection of the last call, with the credentials that it used. */
  #connection: RunConnection | undefined;
  /** Whether credentials that were refused have been replaced since the last page. */
  #isRenewed = false;

  constructor(
    services: Services,
    byModel: ReadonlyMap<string, RecordClass<LedgerRecord>>,
    organisationId: number,
    payload: JobPayload,
    queued: JobContext,
  ) {
    this.#services = services;
    this.#byModel = byModel;
    this.#organisationId = organisationId;
    this.#payload = payload;
    this.#queued = queued;
    this.#began = services.clock.now().getTime();
  }

  get #source(): EventSource {
    return sourceOf(this.#services, this.#organisationId);
  }

  async run(): Promise<void> {
    for (;;) {
      const next = await this.#transaction(async (em, sync) => {
        const job = this.#inOrder(await mainJobs(em, sync)).find((entry) => entry.status === 'CREATED' || entry.status === 'RUNNING');
        if (!job) return undefined;
        const isContinued = job.progress != null;
        if (!isContinued) await em.nativeDelete(SyncJob, { companyId: sync.companyId, syncId: sync.id, parentJobId: job.id });
        await startJob(em, job, this.#now(), isContinued);
        await settleSync(em, this.#source, sync, this.#now());
        return { sync, job, since: sync.fullSync ? null : await lastPull(em, sync.companyId, job.dataModel) };
      });
      if (!next) return;
      try {
        await this.#pullModel(next.sync, next.job, next.since);
      } catch (error) {
        if (error instanceof Paused) return;
        if (!(error instanceof GatewayError)) throw error;
        if (await this.#replaceCredentials(error)) continue;
        if (await this.#failed(next.job, error)) return;
      }
    }
  }

  /** Replaces credentials that the source has refused, once, where there are others: the run goes on with them. */
  async #replaceCredentials(error: GatewayError): Promise<boolean> {
    const used = this.#connection;
    if (error.code !== 'CONNECTION_EXPIRED' || !used || this.#isRenewed) return false;
    this.#isRenewed = await replaceCredentials(this.#services, this.#organisationId, used);
    return this.#isRenewed;
  }

  /** The jobs in the order of the references of their records, so that few references are open; those that cannot be pulled first. */
  #inOrder(jobs: readonly JobState[]): JobState[] {
    const order = inOrderOfReferences([...this.#byModel.values()]);
    return jobs.toSorted((a, b) => order.indexOf(this.#byModel.get(a.dataModel)!) - order.indexOf(this.#byModel.get(b.dataModel)!));
  }

  async #pullModel(sync: SyncState, job: JobState, since: Date | null): Promise<void> {
    const target = this.#byModel.get(job.dataModel);
    if (!target) throw new GatewayError('OPERATION_NOT_SUPPORTED', `${job.dataModel} records cannot be pulled`);
    const company = { organisationId: this.#organisationId, ledgerId: sync.companyId, integrationType: sync.integrationType };
    // A full pull of a data model that the source does not have would mark all stored records deleted.
    const [served] = await dataModelsOf(this.#services, [company]);
    if (!served!.includes(job.dataModel)) throw new GatewayError('OPERATION_NOT_SUPPORTED', `the source has no ${job.dataModel} records`);
    this.#connection = undefined;
    const source = await openSource(this.#services, company, this.#queued.signal, (connection) => {
      this.#connection = connection;
    });
    try {
      await this.#pullPages(source, sync, job, target, since);
    } finally {
      await source.close();
    }
  }

  async #pullPages(
    { connector, connection }: OpenSource,
    sync: SyncState,
    job: JobState,
    target: RecordClass<LedgerRecord>,
    since: Date | null,
  ): Promise<void> {
    const pages = new PullPages(this.#services, this.#organisationId, job, target, connector.read !== undefined);
    const { dataModel } = job;
    const begin: Json = sync.fullSync ? null : (connection?.cursors[dataModel] ?? null);
    let progress: PullProgress = job.progress ?? { cursor: begin, position: 0 };
    for await (const page of connector.pull({ dataModel, cursor: progress.cursor, since, isFull: sync.fullSync })) {
      this.#queued.signal.throwIfAborted();
      const start = progress.position;
      progress = { cursor: page.cursor ?? progress.cursor, position: start + page.records.length };
      // Without a cursor of its own, the source is read again from the beginning.
      const stored = page.cursor === undefined ? null : progress;
      await this.#transaction(async (em, locked) => {
        // A source that shows everything each time shows what was refused, too.
        await pages.store(em, locked, page, { start, keepsRefused: stored !== null });
        if (stored) await em.nativeUpdate(SyncJob, keyOf(job), { progress: stored });
        if (stored && this.#now().getTime() - this.#began > TURN_MS) await this.#handOver(em);
      });
      this.#isRenewed = false;
      if (stored && this.#now().getTime() - this.#began > TURN_MS) throw new Paused();
    }
    if (sync.fullSync) await this.#confirmVanished(connector, job, target, pages, progress.position);
    else await this.#retryRefused(job, pages, progress.position);
    await this.#readPushed(connector, job, pages, progress.position);
    await this.#resolveStored();
    await this.#transaction(async (em, locked) => {
      if (locked.fullSync) {
        await this.#markVanished(em, locked, job, target);
        await forgetRefused(em, locked, dataModel);
      }
      if (progress.cursor !== null) await noteCursor(em, locked.companyId, dataModel, progress.cursor);
      await em.nativeUpdate(SyncJob, keyOf(job), { progress: null });
      await endJob(em, job, this.#now());
      await this.#settle(em, locked);
    });
  }

  /** Lets another queue job go on with the pull. */
  async #handOver(em: EntityManager, runAfter?: Date): Promise<void> {
    enqueue(em, this.#services.queue, TASK, this.#payload, runAfter ? { runAfter } : {});
    await this.#queued.completeIn(em.getTransactionContext());
  }

  /** Tries records again that earlier pulls have refused and the source has not sent since. */
  async #retryRefused(job: JobState, pages: PullPages, start: number): Promise<void> {
    for (let position = start; ; position += LOOKED_AT) {
      this.#queued.signal.throwIfAborted();
      const isDone = await this.#transaction(async (em, sync) => {
        const records = await refusedBefore(em, sync, job.dataModel, LOOKED_AT);
        if (records.length > 0) await pages.store(em, sync, { records }, { start: position, keepsRefused: true });
        return records.length < LOOKED_AT;
      });
      if (isDone ?? true) return;
    }
  }

  /**
   * Asks the source for every record that a full pull has not seen, where it can be asked: the pages of a list that changes while it is read
   * may leave one out.
   */
  async #confirmVanished(
    connector: Connector,
    job: JobState,
    target: RecordClass<LedgerRecord>,
    pages: PullPages,
    start: number,
  ): Promise<void> {
    for (let position = start; connector.read; position += LOOKED_AT) {
      const ids = await this.#transaction((em, sync) => unseen(em, sync, modelOf(target), job.id, LOOKED_AT));
      if (!ids?.length) return;
      const { found, deleted, interruption } = await this.#readEach(connector, job.dataModel, ids);
      await this.#transaction((em, sync) => pages.store(em, sync, { records: found, deleted }, { start: position, keepsRefused: true }));
      if (interruption) throw interruption;
    }
  }

  /** Reads what was pushed while the pages were read, which they have left as it is. */
  async #readPushed(connector: Connector, job: JobState, pages: PullPages, position: number): Promise<void> {
    while (connector.read) {
      const pushed = await this.#transaction((em, sync) => pages.pushed(em, sync, LOOKED_AT));
      if (!pushed?.size) return;
      const { found, deleted, interruption } = await this.#readEach(connector, job.dataModel, [...pushed.keys()]);
      await this.#transaction((em, sync) => pages.storePushed(em, sync, { records: found, deleted }, position, pushed));
      if (interruption) throw interruption;
    }
  }

  /**
   * Asks the source for records one by one, as far as it answers. What it has said before an interruption is stored: a source that allows fewer
   * calls at a time than these take would otherwise be asked the same again after each pause, without an end.
   */
  async #readEach(connector: Connector, dataModel: string, ids: readonly string[]) {
    const answers = { found: [] as SourceRecord[], deleted: [] as string[], interruption: undefined as unknown };
    try {
      for (const id of ids) {
        this.#queued.signal.throwIfAborted();
        const record = await connector.read!(dataModel, id);
        if (record) answers.found.push({ ...record, platform_id: id });
        else answers.deleted.push(id);
      }
    } catch (error) {
      answers.interruption = error;
    }
    return answers;
  }

  /** Resolves what the pages left: references to records that came many at a time, or in another way than by a pull. */
  async #resolveStored(): Promise<void> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      this.#queued.signal.throwIfAborted();
      const last: number = after;
      after = await this.#transaction(async (em, sync) => {
        const scope = await pullScope(this.#services, this.#organisationId, em, sync);
        const next = await resolveStored(em, scope, last);
        emitEvents(em, this.#source, changeEventsOf(em, this.#source, scope.company, scope.changes));
        return next;
      });
    }
  }

  /** Marks deleted what was in sync and the source does not have any more. */
  async #markVanished(em: EntityManager, sync: SyncState, job: JobState, target: RecordClass<LedgerRecord>): Promise<void> {
    const scope = await pullScope(this.#services, this.#organisationId, em, sync);
    await deleteFromSource(em, scope, target, { condition: vanished, values: [job.id] });
    emitEvents(em, this.#source, changeEventsOf(em, this.#source, scope.company, scope.changes));
  }

  /** Ends a job whose source failed, or schedules it again; returns whether this run is over. A pause that the source asks for is no failure. */
  #failed(job: JobState, error: GatewayError): Promise<boolean> {
    return this.#transaction(async (em, sync) => {
      const isPause = error.code === 'PLATFORM_RATE_LIMIT_EXCEEDED';
      const isOver = error instanceof SourceDown || !retryable.has(error.code);
      if (isOver || (!isPause && job.retryCount >= MOST_RETRIES)) {
        await endJob(em, job, this.#now(), error);
        await noteRun(em, this.#source, sync.companyId, { error, used: this.#connection });
        await this.#settle(em, sync);
        return false;
      }
      const delay = error.info.retryAfterSeconds ?? FIRST_DELAY_SECONDS * 2 ** job.retryCount;
      await em.nativeUpdate(SyncJob, keyOf(job), { status: 'CREATED', retryCount: job.retryCount + Number(!isPause) });
      await settleSync(em, this.#source, sync, this.#now());
      await this.#handOver(em, new Date(this.#now().getTime() + delay * 1_000));
      return true;
    }).then((isOver) => isOver ?? true);
  }

  /** Settles the sync; when that ends it, completes the queue job in the same transaction. */
  async #settle(em: EntityManager, sync: SyncState): Promise<void> {
    const status = await settleSync(em, this.#source, sync, this.#now());
    if (!isOver({ ...sync, status })) return;
    if (status === 'SUCCESS' || status === 'PARTIAL_SUCCESS') await noteRun(em, this.#source, sync.companyId, { used: this.#connection });
    await this.#queued.completeIn(em.getTransactionContext());
  }

  #now(): Date {
    return this.#services.clock.now();
  }

  /** Runs work in a transaction that locks the sync; does nothing when the sync is over, such as after a cancellation. */
  #transaction<T>(work: (em: EntityManager, sync: SyncState) => Promise<T>): Promise<T | undefined> {
    return organisationTransaction(this.#services.database, this.#organisationId, async (em) => {
      const sync = await lockSyncOf(em, this.#services, this.#payload);
      return sync && !isOver(sync) ? work(em, sync) : undefined;
    });
  }
}

/** The key of a job. */
const keyOf = ({ id, companyId }: JobState): SyncKey => ({ id, companyId });

/** Start of the last successful pull of a data model; 1970 when there was none. */
const lastPull = async (em: EntityManager, companyId: number, dataModel: string): Promise<Date> =>
  new Date((await startOfLastPull(em, companyId, dataModel)) ?? 0);
