// The pull of one data model: the pages of its source, rejected records again, deletions, and records that were pushed while it ran.
import type { EntityManager } from '../../database/open.ts';
import { emitEvents } from '../../events/events.ts';
import { GatewayError } from '../../records/errors.ts';
import { type Model, modelOf } from '../../records/metadata.ts';
import { isStorable, storable } from '../../records/storable.ts';
import { noteCursor } from '../connections/connection-runs.ts';
import type { OpenSource } from '../connections/sources.ts';
import type { Connector, Json, SourcePage, SourceRecord } from '../connectors/connector.ts';
import { timedPages } from '../connectors/timed-pages.ts';
import { resolveStored } from '../writes/arrived-records.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { countUnseen, forgetRefused, hasNameless, refusedBefore, unseen } from './pull.statements.ts';
import { type PulledType, PullPages, pullScope } from './pull-pages.ts';
import { Endless, MAX_TURN_MS, Paused, type PullTurn } from './pull-turn.ts';
import { endJob } from './state/sync.statements.ts';
import { type PullProgress, SyncJob } from './state/sync.ts';
import { type JobState, keyOf, type SyncState } from './state/sync-state.ts';

/** Records that are checked together outside the pages of a source: rejected ones, and those that a full pull has not seen. */
const LOOKED_AT = 50;

/** Records that one transaction marks deleted: few enough that it ends within a second or two on a busy machine. */
const DELETED_AT_ONCE = 500;
/** Most records that a full run deletes without a confirmation, and the share of all where that is more. */
const MAX_DELETED = 20;
const MAX_DELETED_SHARE = 0.1;

/** What a pull of one data model needs. */
export interface ModelPullOptions {
  turn: PullTurn;
  source: OpenSource;
  job: JobState;
  type: PulledType;
  /** Whether all records are read; otherwise those that have changed. */
  isFull: boolean;
  /** Called when a page has been stored. */
  onPage(): void;
  /** Settles the sync in the caller's transaction after the job has ended or waits for a confirmation. */
  settle(em: EntityManager, sync: SyncState): Promise<void>;
}

/** The pull of one data model. After a crash, or in another queue job, it continues after the last page that was stored. */
export class ModelPull {
  readonly #turn: PullTurn;
  readonly #stop: OpenSource['stop'];
  readonly #connector: Connector;
  readonly #job: JobState;
  readonly #model: Model;
  readonly #pages: PullPages;
  readonly #isFull: boolean;
  readonly #onPage: () => void;
  readonly #settle: ModelPullOptions['settle'];
  #progress: PullProgress;

  constructor({ turn, source: { connector, connection, stop }, job, type, isFull, onPage, settle }: ModelPullOptions) {
    this.#turn = turn;
    this.#stop = stop;
    this.#connector = connector;
    this.#job = job;
    this.#model = modelOf(type.record);
    this.#pages = new PullPages(turn.services, turn.organisationId, job, type, connector);
    this.#isFull = isFull;
    this.#onPage = onPage;
    this.#settle = settle;
    const begin: Json = isFull ? null : (connection?.cursors[job.dataModel] ?? null);
    this.#progress = job.progress ?? { cursor: begin, position: 0 };
  }

  /** Runs to the end of the data model, or until its deletions wait for a confirmation. `since` is the start of the last pull. */
  async run(since: Date | null): Promise<void> {
    const leftOut = this.#progress.isListed ? undefined : await this.#readPages(since);
    if (!this.#isFull) await this.#retryRefused();
    else if (!(await this.#deleteVanished())) return;
    await this.#readPushed();
    await this.#resolveStored();
    await this.#turn.transaction(async (em, sync) => {
      const { cursor } = this.#progress;
      if (!sync.fullSync && cursor !== null) await noteCursor(em, sync.companyId, this.#job.dataModel, cursor);
      await em.nativeUpdate(SyncJob, keyOf(this.#job), {
        progress: null,
        ...(leftOut ? { errorResponse: { left_out: storable(leftOut) } } : {}),
      });
      await endJob(em, this.#job, this.#turn.now());
      await this.#settle(em, sync);
    });
  }

  /** Stores the pages of the source; returns what it has left out. */
  async #readPages(since: Date | null): Promise<SourcePage['leftOut']> {
    const { dataModel } = this.#job;
    const { pageMs } = this.#turn.services.config.sourceTimes;
    const listed = this.#connector.pull({ dataModel, cursor: this.#progress.cursor, since, isFull: this.#isFull });
    let leftOut: SourcePage['leftOut'];
    let askedAt = this.#turn.now();
    for await (const page of timedPages(listed, pageMs, this.#stop)) {
      this.#turn.signal.throwIfAborted();
      this.#spend(askedAt);
      if (page.cursor === undefined && this.#turn.ms > MAX_TURN_MS) throw new Endless(dataModel, MAX_TURN_MS);
      if (!isStorable(page.cursor))
        throw new GatewayError('PLATFORM_ERROR', `the source gave a cursor of ${dataModel} records that cannot be stored`);
      leftOut = page.leftOut ?? leftOut;
      if (await this.#storePage(page)) throw new Paused();
      askedAt = this.#turn.now();
    }
    return leftOut;
  }

  /** Stores a page; returns whether another queue job continues after it. */
  async #storePage(page: SourcePage): Promise<boolean | undefined> {
    const { cursor, position: start } = this.#progress;
    this.#progress = { ...this.#progress, cursor: page.cursor ?? cursor, position: start + page.records.length };
    const isPaused = await this.#turn.transaction(async (em, sync) => {
      await this.#pages.store(em, sync, page, { start });
      // Without a cursor of its own, the source is read again from the beginning.
      if (page.cursor === undefined) return false;
      await this.#note(em);
      return this.#turn.endIfOver(em);
    });
    this.#onPage();
    return isPaused;
  }

  /** Stores how far the pull has come. */
  async #note(em: EntityManager, progress = this.#progress): Promise<void> {
    await em.nativeUpdate(SyncJob, keyOf(this.#job), { progress });
  }

  /** Lets another queue job continue while records are read one by one, after the last page. */
  async #pause(em: EntityManager): Promise<void> {
    await this.#note(em);
    await this.#turn.handOver(em);
  }

  /** Tries records again that earlier pulls have rejected and the source has not sent since. */
  async #retryRefused(): Promise<void> {
    for (let { position } = this.#progress; ; position += LOOKED_AT) {
      this.#turn.signal.throwIfAborted();
      const isDone = await this.#turn.transaction(async (em, sync) => {
        const page = await refusedBefore(em, sync, this.#job.dataModel, LOOKED_AT);
        if (page.records.length > 0) await this.#pages.store(em, sync, page, { start: position });
        return page.records.length < LOOKED_AT;
      });
      if (isDone ?? true) return;
    }
  }

  /**
   * Marks deleted what the source has no more, in transactions of some records each. Returns false where the job waits for a confirmation, because
   * there are many. A source that shows nothing, or only a part, may not have deleted the rest.
   */
  async #deleteVanished(): Promise<boolean> {
    const limit = await this.#turn.transaction((em, sync) => this.#limitDeletions(em, sync));
    if (limit === undefined) return false;
    this.#progress = { ...this.#progress, isListed: true };
    // What has come since a confirmation was asked for is not known to be absent.
    const isKnown = this.#progress.isConfirmed && !this.#connector.read;
    if (!isKnown && !(await this.#findAbsent(limit))) return false;
    for (;;) {
      this.#turn.signal.throwIfAborted();
      const step = await this.#turn.transaction(async (em, sync) => {
        const isLast = await this.#pages.deleteAbsent(em, sync, DELETED_AT_ONCE);
        return { isLast, isPaused: !isLast && (await this.#turn.endIfOver(em)) };
      });
      if (step?.isPaused) throw new Paused();
      if (!step || step.isLast) return step !== undefined;
    }
  }

  /** Notes the end of the list; returns how many records may be deleted without a confirmation. */
  async #limitDeletions(em: EntityManager, sync: SyncState): Promise<number> {
    const { dataModel, id } = this.#job;
    const { read } = this.#connector;
    const { total, unseen: missing } = await countUnseen(em, sync, this.#model, id);
    // A source that cannot be asked for single records may not have deleted them where it shows none, or where it shows some that look the same.
    const isUnsure = !read && (missing === total || (await hasNameless(em, sync, dataModel)));
    const most = isUnsure ? 0 : Math.max(MAX_DELETED, Math.floor(total * MAX_DELETED_SHARE));
    const { isConfirmed, isListed, cursor } = this.#progress;
    const isDoubtful = !isConfirmed && missing > most;
    // Where the pages are in doubt, so is that they have all changes.
    if (!isListed && (read || !isDoubtful)) {
      await forgetRefused(em, sync, dataModel);
      // The next run starts after these pages, whatever happens to the deletions.
      if (cursor !== null) await noteCursor(em, sync.companyId, dataModel, cursor);
    }
    await this.#note(em, { ...this.#progress, isListed: true });
    return isDoubtful ? most : Number.POSITIVE_INFINITY;
  }

  /**
   * Finds what the source has no more. Where possible, the source is asked for every record that its list has not shown. The pages of a list that
   * changes while it is read may leave one out. Returns false where these are more than `limit`: then the job waits for a confirmation.
   */
  async #findAbsent(limit: number): Promise<boolean> {
    const size = this.#connector.read ? LOOKED_AT : DELETED_AT_ONCE;
    for (let [position, after] = [this.#progress.position, '']; ; position += LOOKED_AT) {
      const ids = await this.#turn.transaction((em, sync) => unseen(em, sync, this.#model, this.#job.id, after, size));
      if (!ids) return false;
      const none = { found: [], absent: ids, interruption: undefined };
      const { found, absent, interruption } = this.#connector.read ? await this.#readEach(ids) : none;
      const isOver = await this.#turn.transaction(async (em, sync) => {
        if (found.length > 0) await this.#pages.store(em, sync, { records: found }, { start: position });
        await this.#pages.noteAbsent(em, sync, absent);
        if (interruption instanceof Paused) await this.#pause(em);
        // Without a way to ask for them all are noted, so that a confirmation deletes these and no others.
        if ((!this.#connector.read && ids.length === size) || (await this.#pages.countAbsent(em, sync)) <= limit) return false;
        await this.#askForConfirmation(em, sync);
        return true;
      });
      if (isOver ?? true) return false;
      if (interruption) throw interruption;
      if (ids.length < size) return true;
      after = ids.at(-1)!;
    }
  }

  async #askForConfirmation(em: EntityManager, sync: SyncState): Promise<void> {
    const { total, unseen: missing } = await countUnseen(em, sync, this.#model, this.#job.id);
    const errorMessage = `the source no longer shows ${missing} of ${total} ${this.#job.dataModel} records; \`confirmSync\` marks them deleted`;
    await em.nativeUpdate(SyncJob, keyOf(this.#job), { status: 'PENDING_CONFIRMATION', errorMessage });
    await this.#settle(em, sync);
  }

  /**
   * Reads what was pushed while the pages were read, which they have left as it is. A record that the source does not show stays as well: its reads
   * may lag behind its writes. The next list says whether the source has deleted it.
   */
  async #readPushed(): Promise<void> {
    while (this.#connector.read) {
      const pushed = await this.#turn.transaction((em, sync) => this.#pages.pushed(em, sync, LOOKED_AT));
      if (!pushed?.size) return;
      const { found, absent, interruption } = await this.#readEach([...pushed.keys()]);
      await this.#turn.transaction(async (em, sync) => {
        await this.#pages.storePushed(em, sync, { found, absent }, this.#progress.position, pushed);
        if (interruption instanceof Paused) await this.#pause(em);
      });
      if (interruption) throw interruption;
    }
  }

  /**
   * Asks the source for records one by one, as far as it responds. What the source has said before an interruption is stored. A source that allows
   * fewer calls at a time than these take would otherwise be asked the same again after each pause, without end.
   */
  async #readEach(ids: readonly string[]) {
    const asked = { found: [] as SourceRecord[], absent: [] as string[], interruption: undefined as unknown };
    try {
      for (const id of ids) {
        this.#turn.signal.throwIfAborted();
        if (this.#turn.isOver && asked.found.length + asked.absent.length > 0) throw new Paused();
        const askedAt = this.#turn.now();
        const record = await this.#connector.read!(this.#job.dataModel, id);
        this.#spend(askedAt);
        if (record) asked.found.push({ ...record, platform_id: id });
        else asked.absent.push(id);
      }
    } catch (error) {
      asked.interruption = error;
    }
    return asked;
  }

  /** Counts what the source has taken since a time, in all queue jobs of this data model. */
  #spend(since: Date): void {
    const { runMs } = this.#turn.services.config.sourceTimes;
    const spentMs = (this.#progress.spentMs ?? 0) + this.#turn.now().getTime() - since.getTime();
    this.#progress = { ...this.#progress, spentMs };
    if (spentMs > runMs) throw new Endless(this.#job.dataModel, runMs);
  }

  /** Resolves what the pages left: references to records that came many at a time, or in another way than by a pull. */
  async #resolveStored(): Promise<void> {
    const { services, organisationId, source } = this.#turn;
    for (let after: number | undefined = 0; after !== undefined; ) {
      this.#turn.signal.throwIfAborted();
      const last: number = after;
      after = await this.#turn.transaction(async (em, sync) => {
        const scope = await pullScope(services, organisationId, em, sync);
        const next = await resolveStored(em, scope, last);
        emitEvents(em, source, changeEventsOf(em, source, scope.company, scope.changes));
        return next;
      });
    }
  }
}
