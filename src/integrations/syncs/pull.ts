// Pulls: a sync with one job per data model, which the queue runs through the connector of the company.
import type { Services } from '../../access/context.ts';
import { lockUntilCommit } from '../../database/locks.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { type EventSource, emitEvents, sourceOf } from '../../events/events.ts';
import { enqueue, type JobContext, type JobPayload, type Task } from '../../queue/queue.ts';
import { type ErrorCode, GatewayError } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { isStorable, storable } from '../../records/storable.ts';
import type { CompanyRow } from '../companies/company.ts';
import { noteCursor, notePulls, noteRun } from '../connections/connection-runs.ts';
import { replaceCredentials } from '../connections/sign-in.ts';
import { dataModelsOf, type OpenSource, openSource, type RunConnection } from '../connections/sources.ts';
import type { Connector, ConnectorCompany, Json, SourcePage, SourceRecord } from '../connectors/connector.ts';
import { SourceDown, SourceUnusable } from '../connectors/source-http.ts';
import { timedPages } from '../connectors/timed-pages.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import { resolveStored } from '../writes/arrived-records.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { LOST_TASK } from './batch.ts';
import { countUnseen, forgetRefused, hasNameless, refusedBefore, unseen } from './pull.statements.ts';
import { type PulledType, PullPages, pulledTypes, pullScope } from './pull-pages.ts';
import { endJob, pullEnds, startOfLastPull } from './sync.statements.ts';
import { type PullProgress, SyncJob, type SyncKey } from './sync.ts';
import {
  beginSync,
  confirmJobs,
  endOpenJobs,
  isOver,
  type JobState,
  lockSyncOf,
  mainJobs,
  refuseDuringSync,
  replaceUnconfirmed,
  type SyncState,
  settleSync,
  startJob,
} from './sync-state.ts';

const TASK = 'pull-sync';

/** Records that are checked together outside the pages of a source: rejected ones, and those that a full pull has not seen. */
const LOOKED_AT = 50;

/** Records that one transaction marks deleted: few enough that it ends within a second or two on a busy machine. */
const DELETED_AT_ONCE = 500;
/** Most records that a full run deletes without a confirmation, and the share of all where that is more. */
const MAX_DELETED = 20;
const MAX_DELETED_SHARE = 0.1;

/** Automatic retries of a job whose source failed; the delay doubles from five seconds. */
const MAX_RETRIES = 3;
const FIRST_DELAY_MS = 5_000;
const retryable = new Set<ErrorCode>(['PLATFORM_ERROR', 'PLATFORM_TIMEOUT', 'PLATFORM_RATE_LIMIT_EXCEEDED']);

/** Work of one queue job, after which the pull continues in another. */
const TURN_MS = 600_000;
/** Longest work of one that cannot continue in another. */
const MAX_TURN_MS = 900_000;
/** A job that runs for longer counts as lost: it is the longest work plus a page and a call, which take at most ten minutes each. */
const LOST_SECONDS = 2_200;

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
  await lockPulls(em, company.ledgerId);
  await refuseDuringSync(em, company.ledgerId, 'PULL');
  const source = sourceOf(services, organisationId);
  if (fullSync) await replaceUnconfirmed(em, source, company.ledgerId, dataModels, services.clock.now());
  const { sync } = await beginSync(em, source, {
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

/** Lets the deletions of a full pull continue that wait for a confirmation; `lockPulls` comes before the lock of the sync. */
export async function confirmPull(em: EntityManager, services: Services, source: EventSource, sync: SyncState): Promise<void> {
  const isWaiting = sync.status === 'PENDING_CONFIRMATION';
  if (isWaiting) await refuseDuringSync(em, sync.companyId, 'PULL');
  await confirmJobs(em, source, sync, services.clock.now());
  const { id: syncId, companyId, organisationId } = sync;
  // Otherwise a queue job is at work on the other data models, and finds these when it looks for the next one.
  if (isWaiting) enqueue(em, services.queue, TASK, { syncId, companyId, organisationId });
}

/** Lets pulls of a company begin one after the other. */
export const lockPulls = (em: EntityManager, companyId: number): Promise<void> => lockUntilCommit(em, `pull ${companyId}`);

/** The task that runs pulls. */
export function pullTask(services: Services, records: readonly RecordClass<LedgerRecord>[]): Task {
  const byModel = pulledTypes(records);
  return {
    name: TASK,
    // A turn that is interrupted costs one page, so many interruptions are no reason to give up.
    retry: { limit: 20, delaySeconds: 1, backoff: true, maxDelaySeconds: 30 },
    concurrency: 5,
    timeoutSeconds: LOST_SECONDS,
    deadLetter: LOST_TASK,
    handler: (payload, job) => new Pull(services, byModel, Number(payload.organisationId), payload, job).run(),
  };
}

/** A pull that continues in another queue job. */
class Paused extends Error {}

/** The source did not come to an end in its time. It is not tried again at once. */
class Endless extends GatewayError {
  constructor(dataModel: string, ms: number) {
    super('PLATFORM_TIMEOUT', `the source gave ${dataModel} records for more than ${ms / 1_000} seconds without an end`);
  }
}

/** One run of a pull. The run after a crash continues the unfinished job after the last page that was stored. */
class Pull {
  readonly #services: Services;
  readonly #byModel: ReadonlyMap<string, PulledType>;
  readonly #organisationId: number;
  readonly #payload: JobPayload;
  readonly #queued: JobContext;
  readonly #began: number;
  /** The connection of the last call, with the credentials that it used. */
  #connection: RunConnection | undefined;
  /** Whether credentials that were rejected have been replaced since the last page. */
  #isRenewed = false;
  /** The error with which the source has failed for a data model in all attempts; undefined once another data model has succeeded since. */
  #givenUp: GatewayError | undefined;
  /** Whether the source has accepted the settings in this run. */
  #isChecked = false;
  /** The data models of the source; empty before the first of the run. */
  #served: readonly string[] = [];
  /** An error of opening the source, which every other data model of the run would meet too. */
  #closed: unknown;
  /** How long the source has taken for the records of the data model, in earlier queue jobs too. */
  #spentMs = 0;

  constructor(
    services: Services,
    byModel: ReadonlyMap<string, PulledType>,
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

  /** Replaces credentials that the source has rejected, once, where there are others: the run continues with them. */
  async #replaceCredentials(error: GatewayError): Promise<boolean> {
    const used = this.#connection;
    if (error.code !== 'CONNECTION_EXPIRED' || !used || this.#isRenewed) return false;
    this.#isRenewed = await replaceCredentials(this.#services, this.#organisationId, used);
    return this.#isRenewed;
  }

  /** The jobs in the order of the references of their records, so that few references are open. Those that cannot be pulled come first. */
  #inOrder(jobs: readonly JobState[]): JobState[] {
    const order = [...this.#byModel.keys()];
    return jobs.toSorted((a, b) => order.indexOf(a.dataModel) - order.indexOf(b.dataModel));
  }

  async #pullModel(sync: SyncState, job: JobState, since: Date | null): Promise<void> {
    const type = this.#byModel.get(job.dataModel);
    if (!type) throw new GatewayError('OPERATION_NOT_SUPPORTED', `${job.dataModel} records cannot be pulled`);
    const company = { organisationId: this.#organisationId, ledgerId: sync.companyId, integrationType: sync.integrationType };
    // A full pull of a data model that the source does not have would mark all stored records deleted.
    [this.#served = []] = await dataModelsOf(this.#services, [company]);
    if (!this.#served.includes(job.dataModel))
      throw new GatewayError('OPERATION_NOT_SUPPORTED', `the source has no ${job.dataModel} records`);
    const source = await this.#open(company).catch((error) => {
      this.#closed = error;
      throw error;
    });
    try {
      await this.#pullPages(source, sync, job, type, since);
    } finally {
      await source.close();
    }
  }

  async #open(company: ConnectorCompany): Promise<OpenSource> {
    this.#connection = undefined;
    const source = await openSource(this.#services, company, this.#queued.signal, (connection) => {
      this.#connection = connection;
    });
    try {
      if (source.connector.isCheckedFirst && !this.#isChecked) await source.connector.check();
      this.#isChecked = true;
      return source;
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  async #pullPages(
    { connector, connection, stop }: OpenSource,
    sync: SyncState,
    job: JobState,
    type: PulledType,
    since: Date | null,
  ): Promise<void> {
    const pages = new PullPages(this.#services, this.#organisationId, job, type, connector);
    const { dataModel } = job;
    const begin: Json = sync.fullSync ? null : (connection?.cursors[dataModel] ?? null);
    let leftOut: SourcePage['leftOut'];
    let progress: PullProgress = job.progress ?? { cursor: begin, position: 0 };
    this.#spentMs = progress.spentMs ?? 0;
    const asked = { dataModel, cursor: progress.cursor, since, isFull: sync.fullSync };
    const listed = progress.isListed ? [] : timedPages(connector.pull(asked), this.#services.config.sourceTimes.pageMs, stop);
    let askedAt = this.#now();
    for await (const page of listed) {
      this.#queued.signal.throwIfAborted();
      this.#spend(dataModel, askedAt);
      if (page.cursor === undefined && this.#turnMs > MAX_TURN_MS) throw new Endless(dataModel, MAX_TURN_MS);
      if (!isStorable(page.cursor))
        throw new GatewayError('PLATFORM_ERROR', `the source gave a cursor of ${dataModel} records that cannot be stored`);
      const start = progress.position;
      leftOut = page.leftOut ?? leftOut;
      progress = { cursor: page.cursor ?? progress.cursor, position: start + page.records.length, spentMs: this.#spentMs };
      // Without a cursor of its own, the source is read again from the beginning.
      const stored = page.cursor === undefined ? null : progress;
      const isPaused = await this.#transaction(async (em, locked) => {
        await pages.store(em, locked, page, { start });
        if (stored) await em.nativeUpdate(SyncJob, keyOf(job), { progress: stored });
        return stored !== null && this.#endsTurn(em);
      });
      this.#isRenewed = false;
      if (isPaused) throw new Paused();
      askedAt = this.#now();
    }
    if (!sync.fullSync) await this.#retryRefused(job, pages, progress.position);
    else if (!(await this.#deleteVanished(connector, job, type, pages, progress))) return;
    await this.#readPushed(connector, job, pages, { ...progress, isListed: sync.fullSync });
    await this.#resolveStored();
    await this.#transaction(async (em, locked) => {
      if (!locked.fullSync && progress.cursor !== null) await noteCursor(em, locked.companyId, dataModel, progress.cursor);
      await em.nativeUpdate(SyncJob, keyOf(job), {
        progress: null,
        ...(leftOut ? { errorResponse: { left_out: storable(leftOut) } } : {}),
      });
      await endJob(em, job, this.#now());
      await this.#settle(em, locked);
    });
    this.#givenUp = undefined;
  }

  /** Lets another queue job continue with the pull. */
  async #handOver(em: EntityManager, runAfter?: Date): Promise<void> {
    enqueue(em, this.#services.queue, TASK, this.#payload, runAfter ? { runAfter } : {});
    await this.#queued.completeIn(em.getTransactionContext());
  }

  /** The same while records are read one by one, after the last page. */
  async #pause(em: EntityManager, job: JobState, progress: PullProgress): Promise<void> {
    await em.nativeUpdate(SyncJob, keyOf(job), { progress: { ...progress, spentMs: this.#spentMs } });
    await this.#handOver(em);
  }

  /** Lets another queue job continue where this one has worked long enough; returns whether it did. */
  async #endsTurn(em: EntityManager): Promise<boolean> {
    if (!this.#isTurnOver()) return false;
    await this.#handOver(em);
    return true;
  }

  /** Tries records again that earlier pulls have rejected and the source has not sent since. */
  async #retryRefused(job: JobState, pages: PullPages, start: number): Promise<void> {
    for (let position = start; ; position += LOOKED_AT) {
      this.#queued.signal.throwIfAborted();
      const isDone = await this.#transaction(async (em, sync) => {
        const records = await refusedBefore(em, sync, job.dataModel, LOOKED_AT);
        if (records.length > 0) await pages.store(em, sync, { records }, { start: position });
        return records.length < LOOKED_AT;
      });
      if (isDone ?? true) return;
    }
  }

  /**
   * Marks deleted what the source has no more, in transactions of some records each. Returns false where the job waits for a confirmation, because
   * there are many. A source that shows nothing, or only a part, may not have deleted the rest.
   */
  async #deleteVanished(connector: Connector, job: JobState, type: PulledType, pages: PullPages, progress: PullProgress): Promise<boolean> {
    const limit = await this.#transaction(async (em, sync) => {
      const { total, unseen: missing } = await countUnseen(em, sync, modelOf(type.record), job.id);
      // A source that cannot be asked for single records may not have deleted them where it shows none, or where it shows some that look the same.
      const isUnsure = !connector.read && (missing === total || (await hasNameless(em, sync, job.dataModel)));
      const most = isUnsure ? 0 : Math.max(MAX_DELETED, Math.floor(total * MAX_DELETED_SHARE));
      const isDoubtful = !progress.isConfirmed && missing > most;
      // Where the pages are in doubt, so is that they have all changes.
      if (!progress.isListed && (connector.read || !isDoubtful)) {
        await forgetRefused(em, sync, job.dataModel);
        // The next run starts after these pages, whatever happens to the deletions.
        if (progress.cursor !== null) await noteCursor(em, sync.companyId, job.dataModel, progress.cursor);
      }
      await em.nativeUpdate(SyncJob, keyOf(job), { progress: { ...progress, isListed: true } });
      return isDoubtful ? most : Number.POSITIVE_INFINITY;
    });
    // What has come since a confirmation was asked for is not known to be absent.
    const isKnown = progress.isConfirmed && !connector.read;
    if (limit === undefined) return false;
    if (!isKnown && !(await this.#findAbsent(connector, job, type, pages, { ...progress, isListed: true }, limit))) return false;
    for (;;) {
      this.#queued.signal.throwIfAborted();
      const step = await this.#transaction(async (em, sync) => {
        const isLast = await pages.deleteAbsent(em, sync, DELETED_AT_ONCE);
        return { isLast, isPaused: !isLast && (await this.#endsTurn(em)) };
      });
      if (step?.isPaused) throw new Paused();
      if (!step || step.isLast) return step !== undefined;
    }
  }

  /**
   * Finds what the source has no more. Where possible, the source is asked for every record that its list has not shown. The pages of a list that
   * changes while it is read may leave one out. Returns false where these are more than `limit`: then the job waits for a confirmation.
   */
  async #findAbsent(
    connector: Connector,
    job: JobState,
    type: PulledType,
    pages: PullPages,
    progress: PullProgress,
    limit: number,
  ): Promise<boolean> {
    const size = connector.read ? LOOKED_AT : DELETED_AT_ONCE;
    for (let [position, after] = [progress.position, '']; ; position += LOOKED_AT) {
      const ids = await this.#transaction((em, sync) => unseen(em, sync, modelOf(type.record), job.id, after, size));
      if (!ids) return false;
      const none = { found: [], absent: ids, interruption: undefined };
      const { found, absent, interruption } = connector.read ? await this.#readEach(connector, job.dataModel, ids) : none;
      const isOver = await this.#transaction(async (em, sync) => {
        if (found.length > 0) await pages.store(em, sync, { records: found }, { start: position });
        await pages.noteAbsent(em, sync, absent);
        if (interruption instanceof Paused) await this.#pause(em, job, progress);
        // Without a way to ask for them all are noted, so that a confirmation deletes these and no others.
        if ((!connector.read && ids.length === size) || (await pages.countAbsent(em, sync)) <= limit) return false;
        const { total, unseen: missing } = await countUnseen(em, sync, modelOf(type.record), job.id);
        const errorMessage = `the source no longer shows ${missing} of ${total} ${job.dataModel} records; \`confirmSync\` marks them deleted`;
        await em.nativeUpdate(SyncJob, keyOf(job), { status: 'PENDING_CONFIRMATION', errorMessage });
        await this.#settle(em, sync);
        return true;
      });
      if (isOver ?? true) return false;
      if (interruption) throw interruption;
      if (ids.length < size) return true;
      after = ids.at(-1)!;
    }
  }

  /**
   * Reads what was pushed while the pages were read, which they have left as it is. A record that the source does not show stays as well: its reads
   * may lag behind its writes. The next list says whether the source has deleted it.
   */
  async #readPushed(connector: Connector, job: JobState, pages: PullPages, progress: PullProgress): Promise<void> {
    while (connector.read) {
      const pushed = await this.#transaction((em, sync) => pages.pushed(em, sync, LOOKED_AT));
      if (!pushed?.size) return;
      const { found, absent, interruption } = await this.#readEach(connector, job.dataModel, [...pushed.keys()]);
      await this.#transaction(async (em, sync) => {
        await pages.storePushed(em, sync, { found, absent }, progress.position, pushed);
        if (interruption instanceof Paused) await this.#pause(em, job, progress);
      });
      if (interruption) throw interruption;
    }
  }

  /**
   * Asks the source for records one by one, as far as it responds. What the source has said before an interruption is stored. A source that allows
   * fewer calls at a time than these take would otherwise be asked the same again after each pause, without end.
   */
  async #readEach(connector: Connector, dataModel: string, ids: readonly string[]) {
    const asked = { found: [] as SourceRecord[], absent: [] as string[], interruption: undefined as unknown };
    try {
      for (const id of ids) {
        this.#queued.signal.throwIfAborted();
        if (this.#isTurnOver() && asked.found.length + asked.absent.length > 0) throw new Paused();
        const askedAt = this.#now();
        const record = await connector.read!(dataModel, id);
        this.#spend(dataModel, askedAt);
        if (record) asked.found.push({ ...record, platform_id: id });
        else asked.absent.push(id);
      }
    } catch (error) {
      asked.interruption = error;
    }
    return asked;
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

  /**
   * Ends a job whose source failed, or schedules it again; returns whether this run is over. A pause that the source asks for is no failure. What no
   * other data model would escape ends their jobs too: rejected credentials that are tried for each of them may lock the account. After a source has
   * failed in all attempts for one data model, the others have one attempt each. Otherwise the retries of a dozen would hide for minutes that the
   * source is down.
   */
  #failed(job: JobState, error: GatewayError): Promise<boolean> {
    return this.#transaction(async (em, sync) => {
      const isPause = error.code === 'PLATFORM_RATE_LIMIT_EXCEEDED';
      const isOver = error instanceof SourceDown || error instanceof Endless || !retryable.has(error.code);
      if (isOver || (!isPause && (this.#givenUp || job.retryCount >= MAX_RETRIES))) {
        if (!isOver) this.#givenUp = error;
        const isWhole = error === this.#closed || error instanceof SourceUnusable || error.code === 'CONNECTION_EXPIRED';
        await endJob(em, job, this.#now(), error);
        if (isWhole) await endOpenJobs(em, sync, 'FAILED', error, this.#now());
        // That a source is not called for a while does not say why.
        const cause = error instanceof SourceDown && this.#givenUp;
        const reported = cause ? new GatewayError(error.code, `${cause.message}; ${error.message}`, error.info) : error;
        await this.#settle(em, sync, { error: reported, isWhole });
        return false;
      }
      const { retryAfterSeconds } = error.info;
      const { retryMs = FIRST_DELAY_MS } = this.#services.config.sourceTimes;
      const delayMs = retryAfterSeconds === undefined ? retryMs * 2 ** job.retryCount : retryAfterSeconds * 1_000;
      await em.nativeUpdate(SyncJob, keyOf(job), { status: 'CREATED', retryCount: job.retryCount + Number(!isPause) });
      await settleSync(em, this.#source, sync, this.#now());
      await this.#handOver(em, new Date(this.#now().getTime() + delayMs));
      return true;
    }).then((isOver) => isOver ?? true);
  }

  /**
   * Settles the sync, with a failure where one ended the last job. When the sync ends or waits for a confirmation, completes the queue job in the
   * same transaction.
   */
  async #settle(em: EntityManager, sync: SyncState, failure?: { error: GatewayError; isWhole: boolean }): Promise<void> {
    const status = await settleSync(em, this.#source, sync, this.#now());
    const isUnconfirmed = status === 'PENDING_CONFIRMATION';
    if (!isUnconfirmed && !isOver({ ...sync, status })) return;
    const used = this.#connection;
    if (used) {
      const modelNamed = (dataModel: string) => (this.#byModel.has(dataModel) ? modelOf(this.#byModel.get(dataModel)!.record) : undefined);
      const ends = await pullEnds(em, sync, modelNamed, used.keepsRawData);
      await notePulls(em, sync.companyId, ends, this.#served);
    }
    if (failure && (failure.isWhole || status === 'FAILED')) {
      const isLasting = failure.isWhole && !retryable.has(failure.error.code);
      await noteRun(em, this.#source, sync.companyId, { error: failure.error, isLasting, used });
    } else if (isUnconfirmed || status === 'SUCCESS' || status === 'PARTIAL_SUCCESS')
      await noteRun(em, this.#source, sync.companyId, { used });
    await this.#queued.completeIn(em.getTransactionContext());
  }

  #now(): Date {
    return this.#services.clock.now();
  }

  /** Counts what the source has taken since a time. */
  #spend(dataModel: string, since: Date): void {
    const { runMs } = this.#services.config.sourceTimes;
    this.#spentMs += this.#now().getTime() - since.getTime();
    if (this.#spentMs > runMs) throw new Endless(dataModel, runMs);
  }

  /** How long this queue job has worked. */
  get #turnMs(): number {
    return this.#now().getTime() - this.#began;
  }

  #isTurnOver(): boolean {
    return this.#turnMs > TURN_MS;
  }

  /** Runs work in a transaction that locks the sync; does nothing when the sync is over, such as after a cancellation. */
  #transaction<T>(work: (em: EntityManager, sync: SyncState) => Promise<T>): Promise<T | undefined> {
    return organisationTransaction(this.#services.database, this.#organisationId, async (em) => {
      const sync = await lockSyncOf(em, this.#services, this.#payload);
      return sync && !isOver(sync) ? work(em, sync) : undefined;
    });
  }
}

const keyOf = ({ id, companyId }: JobState): SyncKey => ({ id, companyId });

/** Start of the last successful pull of a data model; 1970 when there was none. */
const lastPull = async (em: EntityManager, companyId: number, dataModel: string): Promise<Date> =>
  new Date((await startOfLastPull(em, companyId, dataModel)) ?? 0);
