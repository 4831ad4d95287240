// Background work: tasks as data, jobs enqueued inside the ORM's transaction, and completion in the transaction of the effect.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job as BossJob, JobResult, PgBoss, QueueResult } from 'pg-boss';
import { addEffects, type Effect } from '../database/effects.ts';
import type { PendingCommits } from '../database/engine/engine.ts';
import type { EntityManager } from '../database/open.ts';
import type { Clock } from '../runtime/clock.ts';
import { countingStatements, workOf } from '../runtime/statement-count.ts';
import { registeredTracer, tracedJob } from '../runtime/tracing.ts';
import type { JobKey } from './outbox.statements.ts';
import type { NewEntry, Outbox, OutboxEntry } from './outbox.ts';
import { openStore, QUEUE_SCHEMA, type QueueBackend, type QueueState, type QueueStore, transactionDb } from './pg-boss.ts';
import type { Move } from './relay.ts';

/**
 * Ids only: the job reads the rows they name when it runs, so it stays correct however late that is. `companyId` is the company whose work it is. On
 * a distributed database it says where the job waits in the outbox and where its completion is marked.
 */
export type JobPayload = Readonly<Record<string, string | number>>;

/** The company of work that belongs to none. A number, because it begins the key of the outbox, which has no null. */
export const NO_COMPANY = 0;

/** The value of `em.getTransactionContext()`. Without one, the call throws an error that says what to pass. */
export type OrmTransaction = object | undefined;

export interface RetryPolicy {
  /** How often a job that failed is run again. */
  limit: number;
  delaySeconds: number;
  /** Doubles the delay each time, with jitter, up to `maxDelaySeconds`. */
  backoff?: boolean;
  maxDelaySeconds?: number;
}

/** One kind of background work. */
export interface Task<P extends JobPayload = JobPayload> {
  name: string;
  retry: RetryPolicy;
  /**
   * Why its jobs are not limited per organisation. Without it, every payload names the `organisationId` that the job works for. Two organisations
   * never have all workers, so their slow or many jobs leave one to the others.
   */
  ungrouped?: string;
  /** Jobs of this kind that one process runs at a time, each independent of the others. Default 3, or 1 for an ungrouped task. */
  concurrency?: number;
  /** Jobs fetched with one statement and run together. The next are fetched when all have ended, so use it for short local work only. Default 1. */
  batch?: number;
  /** Jobs need a `singletonKey`, and at most one job per key waits. A job that already runs does not count. */
  singleton?: boolean;
  /** Seconds without a heartbeat after which a job is run again by another process. Default and minimum 10. */
  heartbeatSeconds?: number;
  /** Seconds after which a running handler counts as failed. Default 900. */
  timeoutSeconds?: number;
  /** The task that receives the payload of a job whose retries are used up. */
  deadLetter?: string;
  handler(payload: P, job: JobContext): Promise<void>;
}

export interface JobContext {
  id: string;
  /** 0 for the first run; counts crashes as well as failures. */
  attempt: number;
  /** Aborts when another process has claimed the job, the timeout has passed or the grace period of a stop is over. */
  signal: AbortSignal;
  queue: Queue;
  /**
   * Completes the job inside the handler's own transaction, so that effect and completion commit together or not at all. Throws when the
   * handler no longer owns the job; let that roll the transaction back. When a handler returns without this call, the job is completed
   * afterwards, so a crash in between runs it again.
   */
  completeIn(transaction: OrmTransaction): Promise<void>;
}

export interface EnqueueOptions {
  /** By the clock of this process. The job waits for the time until then, so that a database whose clock differs keeps it no longer. */
  runAfter?: Date;
  singletonKey?: string;
}

export interface Queue {
  /** Adds a job that exists once the transaction commits. Returns its id, or null when a job with that singleton key already waits. */
  enqueue(transaction: OrmTransaction, taskName: string, payload: JobPayload, options?: EnqueueOptions): Promise<string | null>;
  /** As `enqueue`, for many jobs of one task in one statement. */
  enqueueMany(transaction: OrmTransaction, taskName: string, jobs: readonly QueuedJob[]): Promise<void>;
  /** As `enqueueMany`, or through the outbox where the queue has one: then the jobs are there once a relay has moved them. */
  store(em: EntityManager, taskName: string, jobs: readonly QueuedJob[]): Promise<void>;
  /** Adds the jobs that entries of the outbox describe, except those it has or had within the last hour. */
  readonly move: Move;
  depth(): Promise<Record<string, QueueState>>;
  /** Fetches no further jobs, waits up to `graceMs` for those running, then returns the remaining ones to the queue for other processes. */
  stop(graceMs: number): Promise<void>;
}

/** A job of a task. */
export interface QueuedJob extends EnqueueOptions {
  payload: JobPayload;
}

/** A job to store with its transaction. */
interface NewJob {
  queue: Queue;
  taskName: string;
  job: QueuedJob;
}

/** A job as an entry of the outbox. */
interface EntryContent extends Omit<QueuedJob, 'runAfter'> {
  taskName: string;
  runAfter?: string;
}

/** The workers of a task in each process. */
export const workersOf = ({ concurrency, ungrouped }: Task): number => concurrency ?? (ungrouped ? 1 : 3);

/** How many of them one organisation may have: at least one, and so many that two organisations leave one to the others. */
export const workersOfOne = (task: Task): number => Math.max(1, Math.floor((workersOf(task) - 1) / 2));

const companyOf = ({ companyId = NO_COMPANY }: JobPayload): number => Number(companyId);

/** Entries by their turn within their company. Jobs of one statement have one time of creation, by which the queue orders them. */
function turnsOf(entries: readonly OutboxEntry[]): Iterable<OutboxEntry[]> {
  const turns = new Map<number, number>();
  return Map.groupBy(entries, ({ companyId }) => {
    const turn = turns.get(companyId) ?? 0;
    turns.set(companyId, turn + 1);
    return turn;
  }).values();
}

const enqueued: Effect<NewJob> = {
  async store(em, jobs) {
    for (const [queue, ofQueue] of Map.groupBy(jobs, (one) => one.queue))
      for (const [taskName, ofTask] of Map.groupBy(ofQueue, (one) => one.taskName))
        await queue.store(
          em,
          taskName,
          ofTask.map(({ job }) => job),
        );
  },
};

/** Adds a job that exists once the transaction commits. The jobs of a transaction are stored at its end, with one statement per task. */
export function enqueue(em: EntityManager, queue: Queue, taskName: string, payload: JobPayload, options: EnqueueOptions = {}): void {
  addEffects(em, enqueued, [{ queue, taskName, job: { payload, ...options } }]);
}

export interface QueueOptions {
  /** Schema of the queue's tables. Default `pgboss`. */
  schema?: string;
  /** False for a process that only enqueues. Default true. */
  work?: boolean;
  /** The role that the application's transactions run as, when it differs from the one that owns the queue's tables. */
  grantTo?: string;
  /** Holds the jobs of a transaction and the marks of those whose effect has committed, where the queue is not in the database of the records. */
  outbox?: Outbox | undefined;
  /** What jobs must not run before: the commit of the company that has made them. */
  pendingCommits?: PendingCommits;
  /**
   * Most seconds between looks for jobs that other processes have deferred and for missed notifications. New jobs are announced at commit, and
   * for those that this process knows of it looks when they are due. Default 2.
   */
  pollSeconds?: number;
  /** The clock of the process. */
  clock: Clock;
  onError(error: Error, taskName?: string): void;
}

/** Finished jobs are stored for an hour for inspection; the history is in the rows they worked on. */
const KEEP_FINISHED_SECONDS = 3600;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
/** How often each worker polls on its own; before that it is woken by a notification, or by the look for all tasks. */
const OWN_POLL_SECONDS = 600;
/** Least time to the next look, in which a job that has failed is stored with its delay. Jobs that are due one after the other share a look. */
const LOOK_MS = 1_000;
/** How long an attempt of a job waits for a commit, and how often it looks. The attempts of every task together wait longer than a minute. */
const COMMIT_MS = 30_000;
const COMMIT_POLL_MS = 1_000;
/** How often marks of completed jobs are looked through. */
const FORGET_MS = 600_000;

/** Creates missing tables and queues and starts the workers. Any number of processes may do so at once on one PostgreSQL. */
export async function createQueue(backend: QueueBackend, tasks: readonly Task[], options: QueueOptions): Promise<Queue> {
  const store = openStore(backend, options.schema ?? QUEUE_SCHEMA);
  const queue = new BossQueue(store, tasks, options);
  await store.boss.start();
  const known = new Map((await store.boss.getQueues()).map((stored) => [stored.name, stored]));
  for (const task of [...tasks].sort((a, b) => Number(Boolean(a.deadLetter)) - Number(Boolean(b.deadLetter))))
    await declare(store.boss, task, known.get(task.name));
  if (options.grantTo) await store.grantTo(options.grantTo);
  // The embedded database has one owner, so jobs marked as running belong to a process that has ended.
  if (backend.kind === 'pglite') await store.handBack();
  if (options.work !== false) await queue.work();
  return queue;
}

/** Creates or changes the queue of a task. One that is as it should be takes no statement: each start would otherwise make a hundred of them. */
async function declare(boss: PgBoss, task: Task, known: QueueResult | undefined): Promise<void> {
  const settings = {
    retryLimit: task.retry.limit,
    retryDelay: task.retry.delaySeconds,
    retryBackoff: task.retry.backoff ?? false,
    ...(task.retry.maxDelaySeconds === undefined ? {} : { retryDelayMax: task.retry.maxDelaySeconds }),
    heartbeatSeconds: task.heartbeatSeconds ?? 10,
    expireInSeconds: task.timeoutSeconds ?? 900,
    deleteAfterSeconds: KEEP_FINISHED_SECONDS,
    ...(task.deadLetter ? { deadLetter: task.deadLetter } : {}),
    notify: true,
  };
  if (known && Object.entries(settings).every(([name, value]) => known[name as keyof QueueResult] === value)) return;
  if (known) await boss.updateQueue(task.name, settings);
  else await boss.createQueue(task.name, { ...settings, policy: task.singleton ? 'short' : 'standard' });
  // Fills pg-boss's cache of queues. Otherwise the first use looks the queue up on the main connection. On the embedded database, a first use inside
  // a transaction would wait for that connection indefinitely.
  await boss.touch(task.name, NIL_UUID);
}

class BossQueue implements Queue {
  readonly #store: QueueStore;
  readonly #tasks: ReadonlyMap<string, Task>;
  readonly #options: QueueOptions;
  readonly #tracer = registeredTracer();
  readonly #running = new Set<string>();
  readonly #graceOver = new AbortController();
  #stopped: Promise<void> | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** When the next look is, by the clock of `performance`. A process that only enqueues never looks. */
  #lookAt = Number.NEGATIVE_INFINITY;
  #forgetting: NodeJS.Timeout | undefined;

  constructor(store: QueueStore, tasks: readonly Task[], options: QueueOptions) {
    this.#store = store;
    this.#tasks = new Map(tasks.map((task) => [task.name, task]));
    this.#options = options;
    store.boss.on('error', (error) => this.#report(error));
  }

  async enqueue(transaction: OrmTransaction, taskName: string, payload: JobPayload, options: EnqueueOptions = {}): Promise<string | null> {
    const db = transactionDb(transaction);
    return this.#store.boss.send(taskName, payload, { db, ...this.#sendOptions(taskName, payload, options) });
  }

  async enqueueMany(transaction: OrmTransaction, taskName: string, jobs: readonly QueuedJob[]): Promise<void> {
    const db = transactionDb(transaction);
    const inserts = jobs.map(({ payload, ...options }) => ({ data: payload, ...this.#sendOptions(taskName, payload, options) }));
    if (inserts.length > 0) await this.#store.boss.insert(taskName, inserts, { db });
  }

  async store(em: EntityManager, taskName: string, jobs: readonly QueuedJob[]): Promise<void> {
    const { outbox } = this.#options;
    if (!outbox) return this.enqueueMany(em.getTransactionContext(), taskName, jobs);
    outbox.add(
      em,
      jobs.map((job): NewEntry => {
        this.#check(taskName, job);
        return { kind: 'job', id: randomUUID(), companyId: companyOf(job.payload), content: { taskName, ...job } };
      }),
    );
  }

  readonly move: Move = async (_, entries) => {
    const content = (entry: OutboxEntry) => entry.content as unknown as EntryContent;
    for (const [taskName, ofTask] of Map.groupBy(entries, (entry) => content(entry).taskName))
      for (const turn of turnsOf(ofTask))
        await this.#store.boss.insert(
          taskName,
          turn.map((entry) => {
            const { payload, runAfter, ...options } = content(entry);
            return {
              id: entry.id,
              data: payload,
              ...this.#insertOptions(taskName, payload, { ...options, ...(runAfter ? { runAfter: new Date(runAfter) } : {}) }),
            };
          }),
        );
    return entries.length;
  };

  depth(): Promise<Record<string, QueueState>> {
    return this.#store.depth([...this.#tasks.keys()]);
  }

  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs);
    return this.#stopped;
  }

  async #stop(graceMs: number): Promise<void> {
    clearInterval(this.#forgetting);
    clearTimeout(this.#looking);
    const { boss } = this.#store;
    const finished = Promise.all([...this.#tasks.keys()].map((name) => boss.offWork(name, { wait: true })));
    let timer: NodeJS.Timeout | undefined;
    const graceOver = new Promise((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([finished, graceOver]);
    clearTimeout(timer);
    this.#graceOver.abort(new Error('the process is stopping'));
    if (this.#running.size > 0) await this.#store.handBack([...this.#running]);
    await boss.stop({ graceful: false });
  }

  async work(): Promise<void> {
    for (const task of this.#tasks.values()) await this.#startWorkers(task);
    void this.#look();
    const { outbox } = this.#options;
    const forget = (): unknown => outbox?.forgetCompleted((ids) => this.#store.openOf(ids)).catch((error) => this.#report(error));
    if (outbox) this.#forgetting = setInterval(forget, FORGET_MS).unref();
  }

  /**
   * Looks for jobs whose time has come: one statement for all tasks. Each worker polling on its own was 28 statements a second of an idle process.
   */
  async #look(): Promise<void> {
    this.#lookAt = Number.POSITIVE_INFINITY;
    let nextMs = Number.POSITIVE_INFINITY;
    try {
      for (const [name, ms] of await this.#store.next([...this.#tasks.keys()])) {
        if (ms <= 0) this.#wake(name, () => true);
        else nextMs = Math.min(nextMs, ms);
      }
    } catch (error) {
      this.#report(error as Error);
    }
    this.#lookWithin(nextMs);
  }

  #lookWithin(given: number): void {
    const ms = Math.max(LOOK_MS, Math.min(given, (this.#options.pollSeconds ?? 2) * 1_000));
    const at = performance.now() + ms;
    if (at >= this.#lookAt || this.#stopped) return;
    clearTimeout(this.#looking);
    this.#lookAt = at;
    this.#looking = setTimeout(() => void this.#look(), ms).unref();
  }

  /** Lets workers of a task look for a job. */
  #wake(name: string, isMeant: (worker: { count: number }) => boolean): void {
    const { boss } = this.#store;
    for (const worker of boss.getWipData()) if (worker.name === name && isMeant(worker)) boss.notifyWorker(worker.id);
  }

  async #startWorkers(task: Task): Promise<void> {
    const { boss } = this.#store;
    const workOptions = {
      batchSize: task.batch ?? 1,
      perJobResults: true,
      pollingIntervalSeconds: OWN_POLL_SECONDS,
      notifyPollingIntervalSeconds: OWN_POLL_SECONDS,
      // A worker each, so that a slow job delays only its own.
      localConcurrency: workersOf(task),
      ...(task.ungrouped ? {} : { localGroupConcurrency: workersOfOne(task) }),
    } as const;
    await boss.work<JobPayload, JobResult[], typeof workOptions>(task.name, workOptions, async (jobs: BossJob<JobPayload>[]) => {
      const results = await Promise.all(jobs.map((job) => this.#run(task, job)));
      // Those at work, this one among them, look for the next job at once: a worker otherwise sleeps for its whole polling interval.
      this.#wake(task.name, ({ count }) => count > 0);
      return results;
    });
  }

  async #run(task: Task, job: BossJob<JobPayload>): Promise<JobResult> {
    const key = { companyId: companyOf(job.data), id: job.id };
    this.#running.add(job.id);
    try {
      if (await this.#options.outbox?.isCompleted(key)) return { id: job.id, status: 'completed' };
      await this.#awaitCommit(key);
      const context: JobContext = {
        id: job.id,
        attempt: job.retryCount,
        signal: AbortSignal.any([job.signal, this.#graceOver.signal]),
        queue: this,
        completeIn: (transaction) => this.#completeIn(transaction, task.name, key, job.retryCount),
      };
      const { organisationId } = job.data;
      const owner = task.ungrouped || organisationId === undefined ? {} : { owner: workOf(organisationId) };
      const handle = () => countingStatements({ sent: 0, ...owner }, () => task.handler(job.data, context));
      await (this.#tracer
        ? tracedJob(this.#tracer, { system: 'pg-boss', task: task.name, id: job.id, attempt: job.retryCount }, handle)
        : handle());
      return { id: job.id, status: 'completed' };
    } catch (error) {
      // Its effect may have committed before the error, or by an attempt that this one replaced too early.
      if (await this.#options.outbox?.isCompleted(key).catch(() => false)) return { id: job.id, status: 'completed' };
      this.#report(error instanceof Error ? error : new Error(String(error)), task.name);
      this.#lookWithin(LOOK_MS);
      return { id: job.id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } };
    } finally {
      this.#running.delete(job.id);
    }
  }

  /** Waits until the rows of a job can be read: without them it would do nothing and end. */
  async #awaitCommit({ companyId }: JobKey): Promise<void> {
    if (companyId === NO_COMPANY) return;
    const until = performance.now() + COMMIT_MS;
    while ((await this.#options.pendingCommits?.([companyId]))?.size) {
      if (performance.now() > until) throw new Error('the rows of the job cannot be read yet');
      await pause(COMMIT_POLL_MS, undefined, { signal: this.#graceOver.signal });
    }
  }

  /**
   * Completes the attempt, not only the job, so that a handler whose claim expired cannot complete the attempt that replaced it. Where the queue
   * is in another database, the first attempt to commit completes the job by its mark, and every other one is undone.
   */
  async #completeIn(transaction: OrmTransaction, taskName: string, key: JobKey, retryCount: number): Promise<void> {
    const db = transactionDb(transaction);
    const { outbox } = this.#options;
    const isHeld = outbox
      ? await outbox.complete(transaction!, key)
      : ((await this.#store.boss.complete(taskName, { id: key.id, retryCount }, null, { db })) as { affected?: number }).affected === 1;
    if (!isHeld) throw new Error(`job ${key.id} of ${taskName} is no longer held by this process`);
  }

  #sendOptions(taskName: string, payload: JobPayload, options: EnqueueOptions) {
    this.#check(taskName, { payload, ...options });
    return this.#insertOptions(taskName, payload, options);
  }

  #check(taskName: string, { payload, singletonKey }: QueuedJob): void {
    const task = this.#tasks.get(taskName);
    if (!task) throw new Error(`unknown task "${taskName}"`);
    if (Boolean(task.singleton) !== (singletonKey !== undefined)) {
      throw new Error(`task "${taskName}" ${task.singleton ? 'needs' : 'does not take'} a singletonKey`);
    }
    if (!task.ungrouped && payload.organisationId === undefined)
      throw new Error(`task "${taskName}" needs an organisationId in its payload`);
  }

  #insertOptions(taskName: string, { organisationId }: JobPayload, { runAfter, singletonKey }: EnqueueOptions) {
    const waitMs = runAfter ? runAfter.getTime() - this.#options.clock.now().getTime() : 0;
    if (waitMs > 0) this.#lookWithin(waitMs);
    const isGrouped = !this.#tasks.get(taskName)?.ungrouped && organisationId !== undefined;
    return {
      ...(waitMs > 0 ? { startAfter: waitMs / 1_000 } : {}),
      ...(singletonKey === undefined ? {} : { singletonKey }),
      ...(isGrouped ? { group: { id: String(organisationId) } } : {}),
    };
  }

  /** Errors after the grace period are dropped: the store closes while the remaining handlers run, so they are expected. */
  #report(error: Error, taskName?: string): void {
    if (!this.#graceOver.signal.aborted) this.#options.onError(error, taskName);
  }
}
