// The task of pulls: runs the jobs of a sync through the connector of the company, one data model after the other.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import type { Task } from '../../queue/queue.ts';
import { type ErrorCode, GatewayError } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { notePulls, noteRun } from '../connections/connection-runs.ts';
import { replaceCredentials } from '../connections/sign-in.ts';
import { dataModelsOf, type OpenSource, openSource, type RunConnection } from '../connections/sources.ts';
import type { ConnectorCompany } from '../connectors/connector.ts';
import { lockInbox } from '../connectors/files/inbox.statements.ts';
import { SourceDown, SourceUnusable } from '../connectors/source-http.ts';
import type { LedgerRecord } from '../ledger/ledger-record.ts';
import { LOST_TASK } from './batch.ts';
import { ModelPull } from './model-pull.ts';
import { type PulledType, pulledTypes } from './pull-pages.ts';
import { Endless, Paused, PULL_TASK, PullTurn } from './pull-turn.ts';
import { endJob, pullEnds, startOfLastPull } from './state/sync.statements.ts';
import { SyncJob } from './state/sync.ts';
import { endOpenJobs, isOver, type JobState, keyOf, mainJobs, type SyncState, settleSync, startJob } from './state/sync-state.ts';

/** Automatic retries of a job whose source failed; the delay doubles from five seconds. */
const MAX_RETRIES = 3;
const FIRST_DELAY_MS = 5_000;
const retryable = new Set<ErrorCode>(['PLATFORM_ERROR', 'PLATFORM_TIMEOUT', 'PLATFORM_RATE_LIMIT_EXCEEDED']);

/** A job that runs for longer counts as lost: it is the longest work plus a page and a call, which take at most ten minutes each. */
const LOST_SECONDS = 2_200;

/** The task that runs pulls. */
export function pullTask(services: Services, records: readonly RecordClass<LedgerRecord>[]): Task {
  const byModel = pulledTypes(records);
  return {
    name: PULL_TASK,
    // A turn that is interrupted costs one page, so many interruptions are no reason to give up.
    retry: { limit: 20, delaySeconds: 1, backoff: true, maxDelaySeconds: 30 },
    concurrency: 5,
    timeoutSeconds: LOST_SECONDS,
    deadLetter: LOST_TASK,
    handler: (payload, job) => new Pull(new PullTurn(services, payload, job), byModel).run(),
  };
}

/** One run of a pull. The run after a crash continues the unfinished job after the last page that was stored. */
class Pull {
  readonly #turn: PullTurn;
  readonly #byModel: ReadonlyMap<string, PulledType>;
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

  constructor(turn: PullTurn, byModel: ReadonlyMap<string, PulledType>) {
    this.#turn = turn;
    this.#byModel = byModel;
  }

  async run(): Promise<void> {
    for (;;) {
      const next = await this.#turn.transaction(async (em, sync) => {
        const job = this.#inOrder(await mainJobs(em, sync)).find((entry) => entry.status === 'CREATED' || entry.status === 'RUNNING');
        if (!job) return undefined;
        // A file that is not committed yet gets a later time than this start, and is read by the next pull.
        await lockInbox(em, sync.companyId);
        const isContinued = job.progress != null;
        if (!isContinued) await em.nativeDelete(SyncJob, { companyId: sync.companyId, syncId: sync.id, parentJobId: job.id });
        await startJob(em, job, this.#turn.now(), isContinued);
        await settleSync(em, this.#turn.source, sync, this.#turn.now());
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
    this.#isRenewed = await replaceCredentials(this.#turn.services, this.#turn.organisationId, used);
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
    const company = { organisationId: this.#turn.organisationId, ledgerId: sync.companyId, integrationType: sync.integrationType };
    // A full pull of a data model that the source does not have would mark all stored records deleted.
    [this.#served = []] = await dataModelsOf(this.#turn.services, [company]);
    if (!this.#served.includes(job.dataModel))
      throw new GatewayError('OPERATION_NOT_SUPPORTED', `the source has no ${job.dataModel} records`);
    const source = await this.#open(company).catch((error) => {
      this.#closed = error;
      throw error;
    });
    try {
      const pull = new ModelPull({
        turn: this.#turn,
        source,
        job,
        type,
        isFull: sync.fullSync,
        onPage: () => {
          this.#isRenewed = false;
        },
        settle: (em, locked) => this.#settle(em, locked),
      });
      await pull.run(since);
      this.#givenUp = undefined;
    } finally {
      await source.close();
    }
  }

  async #open(company: ConnectorCompany): Promise<OpenSource> {
    this.#connection = undefined;
    const source = await openSource(this.#turn.services, company, this.#turn.signal, (connection) => {
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

  /**
   * Ends a job whose source failed, or schedules it again; returns whether this run is over. A pause that the source asks for is no failure. What no
   * other data model would escape ends their jobs too: rejected credentials that are tried for each of them may lock the account. After a source has
   * failed in all attempts for one data model, the others have one attempt each. Otherwise the retries of a dozen would hide for minutes that the
   * source is down.
   */
  #failed(job: JobState, error: GatewayError): Promise<boolean> {
    return this.#turn
      .transaction(async (em, sync) => {
        const isPause = error.code === 'PLATFORM_RATE_LIMIT_EXCEEDED';
        const isOver = error instanceof SourceDown || error instanceof Endless || !retryable.has(error.code);
        if (isOver || (!isPause && (this.#givenUp || job.retryCount >= MAX_RETRIES))) {
          if (!isOver) this.#givenUp = error;
          const isWhole = error === this.#closed || error instanceof SourceUnusable || error.code === 'CONNECTION_EXPIRED';
          await endJob(em, job, this.#turn.now(), error);
          if (isWhole) await endOpenJobs(em, sync, 'FAILED', error, this.#turn.now());
          // That a source is not called for a while does not say why.
          const cause = error instanceof SourceDown && this.#givenUp;
          const reported = cause ? new GatewayError(error.code, `${cause.message}; ${error.message}`, error.info) : error;
          await this.#settle(em, sync, { error: reported, isWhole });
          return false;
        }
        const { retryAfterSeconds } = error.info;
        const { retryMs = FIRST_DELAY_MS } = this.#turn.services.config.sourceTimes;
        const delayMs = retryAfterSeconds === undefined ? retryMs * 2 ** job.retryCount : retryAfterSeconds * 1_000;
        await em.nativeUpdate(SyncJob, keyOf(job), { status: 'CREATED', retryCount: job.retryCount + Number(!isPause) });
        await settleSync(em, this.#turn.source, sync, this.#turn.now());
        await this.#turn.handOver(em, new Date(this.#turn.now().getTime() + delayMs));
        return true;
      })
      .then((isOver) => isOver ?? true);
  }

  /**
   * Settles the sync, with a failure where one ended the last job. When the sync ends or waits for a confirmation, completes the queue job in the
   * same transaction.
   */
  async #settle(em: EntityManager, sync: SyncState, failure?: { error: GatewayError; isWhole: boolean }): Promise<void> {
    const status = await settleSync(em, this.#turn.source, sync, this.#turn.now());
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
      await noteRun(em, this.#turn.source, sync.companyId, { error: failure.error, isLasting, used });
    } else if (isUnconfirmed || status === 'SUCCESS' || status === 'PARTIAL_SUCCESS')
      await noteRun(em, this.#turn.source, sync.companyId, { used });
    await this.#turn.complete(em);
  }
}

/** Start of the last successful pull of a data model; 1970 when there was none. */
const lastPull = async (em: EntityManager, companyId: number, dataModel: string): Promise<Date> =>
  new Date((await startOfLastPull(em, companyId, dataModel)) ?? 0);
