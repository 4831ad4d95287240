// The turn of a request at the memory and the event loop of the process: what is large waits for what else its caller has under way.
import { Starts } from '../runtime/starts.ts';
import { type EndTurn, type OnLeave, type Owner, Turns } from '../runtime/turns.ts';
import type { Principal } from './principal.ts';

/** The limits of what one organisation has under way; `/limits` publishes them. */
export const turnLimits = {
  /** Requests of fewer objects never wait. */
  objects: 500,
  /** Bytes of a body that weigh as much as an object of a response. */
  bytesPerObject: 512,
  /** Requests of one organisation that wait at once. */
  waiting: 100,
  /** The longest that one waits, and a statement of one for a connection. */
  waitSeconds: 10,
} as const;

/** Who has a request under way: an organisation, or a caller without one. */
export const ownerOf = (principal: Principal | null, network: string): Owner => ({
  name: String(principal?.organisationId ?? principal?.identity ?? network),
  waitMs: turnLimits.waitSeconds * 1_000,
});

/** The objects that a body weighs as much as. */
export const objectsIn = (bytes: number): number => Math.ceil(bytes / turnLimits.bytesPerObject);

/** The turns of the requests of an application. */
export class RequestTurns {
  readonly starts = new Starts();
  readonly turns: Turns;

  /** `objects` is the size of the largest request, which an organisation has under way alone. */
  constructor(objects: number) {
    this.turns = new Turns(2 * objects, turnLimits.waiting);
  }
}

/** Begins without a turn, takes one when it becomes large, and ends it when its response is sent and nothing of it runs any more. */
export class RequestTurn {
  readonly #turns: RequestTurns;
  readonly #owner: Owner;
  readonly #onLeave: OnLeave | undefined;
  #objects = 0;
  #end: EndTurn | undefined;
  #running = 0;
  #isAnswered = false;
  #refusal: unknown;

  constructor(turns: RequestTurns, owner: Owner, onLeave?: OnLeave) {
    this.#turns = turns;
    this.#owner = owner;
    this.#onLeave = onLeave;
  }

  /** Waits until the next part of the request may start that takes long without a pause; without a promise where it may at once. */
  start(): Promise<void> | undefined {
    return this.#turns.starts.next(this.#owner.name);
  }

  /** Waits until the request may be as large as so many objects; without a promise where it may be already. */
  atLeast(objects: number): Promise<void> | undefined {
    if (objects < turnLimits.objects || objects <= this.#objects) return undefined;
    return this.#take(objects);
  }

  /** Runs an operation of so many objects when it may run. */
  during<T>(objects: number, run: () => T | Promise<T>): T | Promise<T> {
    const turn = this.atLeast(objects);
    if (turn || this.#end) return this.#during(turn, run);
    const start = this.start();
    return start ? start.then(run) : run();
  }

  async #take(objects: number): Promise<void> {
    // A query that is rejected here is not run again to render its error.
    if (this.#refusal) throw this.#refusal;
    const isFirst = this.#end === undefined;
    // Requests that wait for more while they have some could wait for each other for ever.
    this.#end?.();
    try {
      this.#end = await this.#turns.turns.take(this.#owner, objects, this.#onLeave);
    } catch (error) {
      this.#refusal = error;
      throw error;
    }
    this.#objects = objects;
    if (!isFirst) return;
    if (this.#onLeave) this.#onLeave(() => this.#answered());
    else this.#isAnswered = true;
  }

  async #during<T>(turn: Promise<void> | undefined, run: () => T | Promise<T>): Promise<T> {
    this.#running++;
    try {
      await turn;
      await this.start();
      return await run();
    } finally {
      this.#running--;
      this.#endIfOver();
    }
  }

  #answered(): void {
    this.#isAnswered = true;
    this.#endIfOver();
  }

  #endIfOver(): void {
    if (this.#isAnswered && this.#running === 0) this.#end?.();
  }
}
