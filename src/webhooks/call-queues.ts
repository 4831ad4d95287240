// The deliveries that a process holds, by webhook: which call comes next within the bounds, and how many more may be claimed.
import type { Claim, ClaimCapacity } from './claim.ts';

/** Calls of one process to one webhook at a time. */
const CALLS_PER_WEBHOOK = 4;
/** Calls of one process at a time. Of these, a number may be to webhooks whose last attempt failed, so that they delay no others. */
const MAX_CALLS = { healthy: 128, failing: 32 } as const;
/** Most deliveries held to webhooks that respond. None is held ahead for a failing one. */
const MAX_HELD = 512;
/** A webhook that responds fast has so many milliseconds of calls claimed ahead, at most `MAX_AHEAD` deliveries. */
const AHEAD_MS = 100;
const MAX_AHEAD = 64;
/** A delivery that waited longer for its call goes back, so that webhook changes made in the meantime take effect. */
const STALE_MS = 1_000;
/** A webhook without deliveries is forgotten after this time. */
const FORGET_MS = 10_000;
/** A webhook whose attempts fail on our side rests, after each such failure twice as long. */
const REST_MS = 1_000;
const MAX_REST_MS = 60_000;

type Kind = keyof typeof MAX_CALLS;

interface CallQueue {
  webhook: string;
  kind: Kind;
  waiting: { claim: Claim; since: number }[];
  calling: number;
  /** How many deliveries it may hold. */
  most: number;
  usedAt: number;
  /** No delivery is claimed for it before. */
  restsUntil: number;
  restMs: number;
}

/** The outcome of a call, for the pace of the next ones. */
export interface CallEnd {
  isFailure: boolean;
  durationMs: number;
}

/** The claimed deliveries of a process. */
export class CallQueues {
  readonly #queues = new Map<string, CallQueue>();
  /** The queues that have a delivery waiting and a call free, in the order of their turns. */
  readonly #ready: Record<Kind, Set<CallQueue>> = { healthy: new Set(), failing: new Set() };
  readonly #calling: Record<Kind, number> = { healthy: 0, failing: 0 };

  /** Whether a call is under way. */
  get isCalling(): boolean {
    return this.#calling.healthy + this.#calling.failing > 0;
  }

  room(now: number): ClaimCapacity {
    const held: Record<Kind, number> = { healthy: 0, failing: 0 };
    const webhooks: ClaimCapacity['webhooks'] = [];
    for (const { webhook, kind, waiting, calling, most, restsUntil } of this.#queues.values()) {
      held[kind] += waiting.length + calling;
      webhooks.push({ id: webhook, room: now < restsUntil ? 0 : Math.max(0, most - waiting.length - calling) });
    }
    return {
      healthy: Math.max(0, MAX_HELD - held.healthy),
      failing: Math.max(0, MAX_CALLS.failing - held.failing),
      each: CALLS_PER_WEBHOOK,
      webhooks,
    };
  }

  add(claims: readonly Claim[], now: number): void {
    for (const claim of claims) {
      const queue = this.#queueOf(claim, now);
      queue.waiting.push({ claim, since: now });
      this.#offer(queue);
    }
  }

  /** Takes the delivery to call next, and counts the call; undefined while no call is free or nothing waits. */
  next(): Claim | undefined {
    for (const kind of ['healthy', 'failing'] as const) {
      if (this.#calling[kind] >= MAX_CALLS[kind]) continue;
      for (const queue of this.#ready[kind]) {
        this.#ready[kind].delete(queue);
        const first = queue.waiting.shift()!;
        queue.calling++;
        this.#calling[kind]++;
        this.#offer(queue);
        return first.claim;
      }
    }
    return undefined;
  }

  /** Notes the end of a call; without `end` the receiver is not to blame. */
  ended({ webhookId }: Claim, now: number, end?: CallEnd): void {
    const queue = this.#queues.get(webhookId)!;
    queue.calling--;
    this.#calling[queue.kind]--;
    queue.usedAt = now;
    if (end) {
      const { isFailure, durationMs } = end;
      queue.restMs = REST_MS;
      this.#turn(queue, isFailure ? 'failing' : 'healthy');
      const ahead = Math.min(MAX_AHEAD, Math.floor((CALLS_PER_WEBHOOK * AHEAD_MS) / Math.max(1, durationMs)));
      queue.most = isFailure ? CALLS_PER_WEBHOOK : Math.max(CALLS_PER_WEBHOOK, ahead);
    }
    this.#offer(queue);
  }

  /** Lets the webhook of a delivery rest after a failure on our side; returns its deliveries that wait, which go back. */
  rest({ webhookId }: Claim, now: number): Claim[] {
    const queue = this.#queues.get(webhookId)!;
    this.#ready[queue.kind].delete(queue);
    // Calls that were under way when it began to rest fail for the same reason.
    if (now >= queue.restsUntil) {
      queue.restsUntil = now + queue.restMs;
      queue.restMs = Math.min(MAX_REST_MS, 2 * queue.restMs);
    }
    return queue.waiting.splice(0).map(({ claim }) => claim);
  }

  /** Removes the deliveries that have waited too long, or all that wait, and returns them. */
  takeBack(now: number, all = false): Claim[] {
    const back: Claim[] = [];
    for (const queue of this.#queues.values()) {
      while (queue.waiting[0] && (all || now - queue.waiting[0].since > STALE_MS)) back.push(queue.waiting.shift()!.claim);
      if (queue.waiting.length === 0) this.#ready[queue.kind].delete(queue);
      const isForgotten = queue.waiting.length + queue.calling === 0 && now - Math.max(queue.usedAt, queue.restsUntil) > FORGET_MS;
      if (isForgotten) this.#queues.delete(queue.webhook);
    }
    return back;
  }

  #queueOf({ webhookId, webhook }: Claim, now: number): CallQueue {
    const kind: Kind = webhook.failingSince === null ? 'healthy' : 'failing';
    const known = this.#queues.get(webhookId);
    if (known) {
      this.#turn(known, kind);
      known.usedAt = now;
      return known;
    }
    const queue: CallQueue = {
      webhook: webhookId,
      kind,
      waiting: [],
      calling: 0,
      most: CALLS_PER_WEBHOOK,
      usedAt: now,
      restsUntil: 0,
      restMs: REST_MS,
    };
    this.#queues.set(webhookId, queue);
    return queue;
  }

  /** Moves a queue with its calls to the other kind. */
  #turn(queue: CallQueue, kind: Kind): void {
    if (queue.kind === kind) return;
    this.#ready[queue.kind].delete(queue);
    this.#calling[queue.kind] -= queue.calling;
    this.#calling[kind] += queue.calling;
    queue.kind = kind;
    this.#offer(queue);
  }

  #offer(queue: CallQueue): void {
    if (queue.waiting.length > 0 && queue.calling < CALLS_PER_WEBHOOK) this.#ready[queue.kind].add(queue);
  }
}
