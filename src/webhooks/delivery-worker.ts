// Makes the deliveries of a process. It claims many due ones with one statement, calls their receivers side by side, and settles many outcomes with
// one commit.
import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from '../access/context.ts';
import { unavailable } from '../database/errors.ts';
import { systemTransaction } from '../database/transaction.ts';
import { companiesOf } from '../events/event-log.ts';
import { DELIVERIES_DUE } from '../events/events.statements.ts';
import { emitEvents, sourceOf } from '../events/events.ts';
import { versionTag } from '../records/version.ts';
import { registeredTracer, tracedJob } from '../runtime/tracing.ts';
import { attempt } from './attempt.ts';
import { CallQueues } from './call-queues.ts';
import type { Claim } from './claim.ts';
import { cancelClosed, claimDue, release, releaseAll, type SettledAttempt, storeAttempts, UNFINISHED } from './deliveries.statements.ts';
import { stateEvent } from './webhook-events.ts';

/** The name of this work in metrics and traces. */
export const DELIVERY_TASK = 'webhook-delivery';

/** Least time between two transactions, in which outcomes gather. */
const GATHER_MS = 20;
/** How often to look for deliveries whose time has come, while there are unfinished ones. */
const POLL_MS = 1_000;
/** How often to look on the embedded database while there are none: nothing but this process makes them there. */
const IDLE_POLL_MS = 60_000;
/** Pause after a transaction that failed. */
const PAUSE_MS = 1_000;
/** Time until a delivery goes back whose record cannot be read yet. */
const PENDING_MS = 5_000;

/** A delivery that is no longer called, and its outcome; without an attempt it only goes back. */
interface Ended {
  claim: Claim;
  settled: SettledAttempt | undefined;
}

/** Whether there is something to send, and someone who takes it. */
const isOpen = ({ webhook, event }: Claim): boolean => webhook.status === 'ENABLED' && webhook.deletedAt === null && event !== null;

/** Runs until it is stopped. */
export class DeliveryWorker {
  readonly #services: Services;
  readonly #queues = new CallQueues();
  readonly #tracer = registeredTracer();
  readonly #graceOver = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #running: Promise<void>;
  #ended: Ended[] = [];
  #isDue = true;
  #pollMs = POLL_MS;
  #isStopping = false;
  #resume = (): void => {};

  constructor(services: Services) {
    this.#services = services;
    this.#unsubscribe = services.notifications.subscribe(DELIVERIES_DUE, () => {
      this.#isDue = true;
      this.#resume();
    });
    this.#running = this.#run();
  }

  /** Claims nothing more, waits for the calls under way, cuts them off after the grace period, and settles what has ended. */
  async stop(graceMs: number): Promise<void> {
    this.#unsubscribe();
    this.#isStopping = true;
    this.#resume();
    const timer = setTimeout(() => this.#graceOver.abort(new Error('the process is stopping')), graceMs);
    await this.#running;
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const { database } = this.#services;
    if (database.kind === 'pglite') await systemTransaction(database, releaseAll).catch((error) => this.#report(error));
    while (!this.#isStopping || this.#queues.isCalling || this.#ended.length > 0) {
      await this.#wait();
      const began = performance.now();
      const isDone = await this.#turn();
      if (this.#isStopping && !isDone) break;
      await pause(isDone ? Math.max(0, began + GATHER_MS - performance.now()) : PAUSE_MS);
    }
  }

  /** Waits until there may be something to claim or to settle. */
  async #wait(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
      if (this.#isDue || this.#ended.length > 0) resolve();
      else timer = setTimeout(resolve, this.#pollMs);
    });
    clearTimeout(timer);
  }

  /** Settles what has ended, claims what is due, and starts calls; returns whether the database took it. */
  async #turn(): Promise<boolean> {
    const isPoll = !this.#isDue;
    this.#isDue = false;
    const now = performance.now();
    const ended = this.#ended.splice(0);
    for (const claim of this.#queues.takeBack(now, this.#isStopping)) ended.push({ claim, settled: undefined });
    this.#pollMs = POLL_MS;
    try {
      // A transaction counts as a write, after which the sizes of all tables are looked at. So an idle process only reads.
      if (isPoll && ended.length === 0 && (await this.#services.database.read(UNFINISHED, [])).length === 0) {
        this.#pollMs = this.#services.notifications.pollMs ?? IDLE_POLL_MS;
        return true;
      }
      const claims = await this.#exchange(ended, !this.#isStopping);
      this.#queues.add(await this.#readable(claims), performance.now());
    } catch (error) {
      this.#report(error);
      if (unavailable(error)) {
        this.#ended.unshift(...ended);
        return false;
      }
      await this.#settleEach(ended);
      return false;
    }
    this.#call();
    return true;
  }

  /** The claims whose records can be read. The others go back later. */
  async #readable(claims: readonly Claim[]): Promise<Claim[]> {
    const pending = await this.#services.database.pendingCommits(companiesOf(claims.map(({ event }) => event!)));
    const isPending = ({ event }: Claim): boolean => pending.has(event!.companyId!);
    for (const claim of claims.filter(isPending))
      void pause(PENDING_MS, undefined, { ref: false }).then(() => this.#ended.push({ claim, settled: undefined }));
    return claims.filter((claim) => !isPending(claim));
  }

  /** One transaction: stores the outcomes of deliveries, and claims others. */
  async #exchange(ended: readonly Ended[], mayClaim: boolean): Promise<Claim[]> {
    const { database, clock, tallies } = this.#services;
    const settled = ended.flatMap((one) => one.settled ?? []);
    const back = ended.filter((one) => !one.settled).map(({ claim }) => claim.id);
    if (settled.length + back.length === 0 && !mayClaim) return [];
    const { claimed, open, cancelled } = await systemTransaction(database, async (em) => {
      const now = clock.now();
      const changed = settled.length > 0 ? await storeAttempts(em, settled, now) : [];
      for (const { replaced, ...webhook } of changed)
        emitEvents(em, sourceOf(this.#services, webhook.organisationId), [
          { ...stateEvent(webhook), previousEtag: versionTag(webhook.id, replaced) },
        ]);
      if (back.length > 0) await release(em, back);
      const claims = mayClaim ? await claimDue(em, this.#queues.room(performance.now()), now) : [];
      const closed = claims.filter((claim) => !isOpen(claim));
      return {
        claimed: claims.length,
        open: claims.filter(isOpen),
        cancelled: closed.length > 0 ? await cancelClosed(em, closed, now) : 0,
      };
    });
    for (const one of settled) {
      const { status } = one.delivery;
      tallies.deliveries.add(status === 'PENDING' ? 'retried' : status.toLowerCase());
      if (status !== 'DELIVERED') this.#logFailure(one);
    }
    for (let count = 0; count < cancelled; count++) tallies.deliveries.add('cancelled');
    // More may be due than one claim takes.
    if (claimed > 0) this.#isDue = true;
    return open;
  }

  /** Settles outcomes one by one after they failed together. One that fails alone is dropped: its delivery is attempted again when its claim ends. */
  async #settleEach(ended: readonly Ended[]): Promise<void> {
    for (const one of ended) await this.#exchange([one], false).catch((error) => this.#report(error));
  }

  /** Starts the calls that are free. */
  #call(): void {
    for (let claim = this.#queues.next(); claim; claim = this.#queues.next()) void this.#attempt(claim);
  }

  async #attempt(claim: Claim): Promise<void> {
    const make = () => attempt(this.#services, claim, this.#graceOver.signal);
    const job = { system: 'postgresql', task: DELIVERY_TASK, id: claim.id, attempt: claim.turn };
    let settled: SettledAttempt | undefined;
    try {
      settled = await (this.#tracer ? tracedJob(this.#tracer, job, make) : make());
    } catch (error) {
      // On our side, such as a secret that cannot be opened: it is attempted again when its claim ends, and its webhook rests.
      this.#report(error);
      for (const other of this.#queues.rest(claim, performance.now())) this.#ended.push({ claim: other, settled: undefined });
    }
    this.#queues.ended(
      claim,
      performance.now(),
      settled && { isFailure: settled.outcome !== 'success', durationMs: settled.attempt.duration },
    );
    if (settled || this.#graceOver.signal.aborted) this.#ended.push({ claim, settled });
    this.#call();
    this.#resume();
  }

  /** Says which attempt failed and why, without what was sent or received. */
  #logFailure({ attempt: { deliveryId, status, error, duration }, delivery }: SettledAttempt): void {
    const { webhookId, attemptsLeft, nextAttemptAt } = delivery;
    const why = status === null ? { reason: error } : { status };
    this.#services.log[nextAttemptAt === null ? 'warn' : 'info'](
      { deliveryId, webhookId, ...why, durationMs: duration, attemptsLeft, nextAttemptAt },
      'delivery failed',
    );
  }

  #report(error: unknown): void {
    this.#services.failures.note(error, DELIVERY_TASK);
  }
}
