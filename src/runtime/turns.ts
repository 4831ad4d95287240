// Turns at what has little room: an owner may take as much as it leaves to others, and waits in its own order for more.
import { GatewayError } from '../records/errors.ts';

/** Who takes turns. */
export interface Owner {
  name: string;
  /** Milliseconds that it waits for a turn at most; without it, as long as it takes and for any number of turns. */
  waitMs?: number;
}

/** Ends a turn; a second call does nothing. */
export type EndTurn = () => void;

/** Has `leave` called when the waiting caller is gone; returns the function that ends that. */
export type OnLeave = (leave: () => void) => () => void;

interface Waiting {
  begin(): void;
}

const noTurn: EndTurn = () => {};

/**
 * The turns at one resource. An owner gets another turn while it has less than is free. Alone it has half, and however many take as much as they can,
 * something is left. Of those that wait, the one that has least is next.
 */
export class Turns {
  #free: number;
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #taken = new Map<string, number>();
  /** Owners that wait; of those with equal turns, the one whose last turn ended longest ago comes first. */
  readonly #waiting = new Map<string, Set<Waiting>>();

  /** `mostWaiting` is the number of turns that one owner may wait for at once, where it does not wait as long as it takes. */
  constructor(room: number, mostWaiting = Number.POSITIVE_INFINITY) {
    this.#free = room;
    this.#most = Math.max(1, room / 2);
    this.#mostWaiting = mostWaiting;
  }

  /** How many turns are waited for. */
  get waiting(): number {
    let sum = 0;
    for (const { size } of this.#waiting.values()) sum += size;
    return sum;
  }

  /** Whether an owner other than the one of this name waits. */
  isAwaitedByOthers(name: string): boolean {
    return this.#waiting.size > (this.#waiting.has(name) ? 1 : 0);
  }

  /** Takes a turn, at once where it may; RATE_LIMIT_EXCEEDED when the owner waits for too many turns or for too long. */
  take(owner: Owner | undefined, weight = 1, onLeave?: OnLeave): EndTurn | Promise<EndTurn> {
    if (!owner) return noTurn;
    const taken = Math.min(weight, this.#most);
    const { name } = owner;
    return this.#mayBegin(name) && !this.#waiting.has(name) ? this.#begin(name, taken) : this.#wait(owner, taken, onLeave);
  }

  #mayBegin(name: string): boolean {
    return (this.#taken.get(name) ?? 0) < this.#free;
  }

  #begin(name: string, weight: number): EndTurn {
    this.#free -= weight;
    this.#taken.set(name, (this.#taken.get(name) ?? 0) + weight);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = this.#taken.get(name)! - weight;
      if (left > 0) this.#taken.set(name, left);
      else this.#taken.delete(name);
      this.#free += weight;
      const waiting = this.#waiting.get(name);
      if (waiting) {
        this.#waiting.delete(name);
        this.#waiting.set(name, waiting);
      }
      for (let next = this.#next(); next; next = this.#next()) next.begin();
    };
  }

  #next(): Waiting | undefined {
    let chosen: string | undefined;
    for (const name of this.#waiting.keys())
      if (this.#mayBegin(name) && (chosen === undefined || (this.#taken.get(name) ?? 0) < (this.#taken.get(chosen) ?? 0))) chosen = name;
    return chosen === undefined ? undefined : this.#waiting.get(chosen)!.values().next().value;
  }

  #wait({ name, waitMs }: Owner, weight: number, onLeave?: OnLeave): Promise<EndTurn> {
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(name) ?? new Set();
      if (waitMs !== undefined && own.size >= this.#mostWaiting) throw tooMuch();
      this.#waiting.set(name, own);
      let stay: (() => void) | undefined;
      const leave = (): void => {
        clearTimeout(timer);
        stay?.();
        own.delete(waiting);
        if (own.size === 0) this.#waiting.delete(name);
      };
      const refuse = (): void => {
        leave();
        reject(tooMuch());
      };
      const waiting: Waiting = {
        begin: () => {
          leave();
          resolve(this.#begin(name, weight));
        },
      };
      own.add(waiting);
      const timer = waitMs === undefined ? undefined : setTimeout(refuse, waitMs).unref();
      stay = onLeave?.(refuse);
    });
  }
}

const tooMuch = (): GatewayError =>
  new GatewayError('RATE_LIMIT_EXCEEDED', 'too many requests of this caller are in progress; send it again when one of them has ended', {
    retryAfterSeconds: 5,
  });
