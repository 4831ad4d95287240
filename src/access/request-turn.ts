// The turns of a request at the memory and the event loop of the process. Large work waits for other work of the same caller.
import { Starts } from '../runtime/starts.ts';
import { workOf } from '../runtime/statement-count.ts';
import { type EndTurn, type OnLeave, type Owner, Turns } from '../runtime/turns.ts';
import type { Principal } from './principal.ts';

/** The limits of what one organisation has under way; `/limits` publishes them. */
export const turnLimits = {
  /** Requests of fewer objects never wait. */
  objects: 500,
  /** Bodies of fewer objects are read and parsed at once. Parsed JSON may take ten times its bytes, and the allowance lets a caller send a thousand bodies at once. */
  bodyObjects: 32,
  /** Bytes of a body that weigh as much as an object of a response. */
  bytesPerObject: 512,
  /** Requests of one organisation that wait at once. */
  waiting: 100,
  /** The longest that one waits, and a statement of one for a connection. */
  waitSeconds: 10,
  /** A client loses its connection when it sends or takes less than this per second for so many seconds, and other owners wait for what it holds. */
  slowBytes: 131_072,
  slowSeconds: 3,
} as const;

/** Who has a request under way: an organisation, or a caller without one. */
export const ownerOf = (principal: Principal | null, network: string): Owner => ({
  name: String(principal?.organisationId ?? principal?.identity ?? network),
  waitMs: turnLimits.waitSeconds * 1_000,
});

/** The objects that a body weighs as much as. */
export const objectsIn = (bytes: number): number => Math.ceil(bytes / turnLimits.bytesPerObject);

/** A part that is ready so soon after the last one started belongs to it. A small request has up to five parts, and would wait for a turn before each. */
const SMALL_MS = 1;

/** How often clients are looked at. */
const LOOK_MS = 1_000;

/** The connection of a request, whose other end may be slow. */
export interface Client {
  /** Bytes that the connection has carried; undefined while the request does not wait for the client. */
  carried(): number | undefined;
  /** Ends the connection. */
  end(): void;
}

/** The turns of the requests of an application. */
export class RequestTurns {
  readonly starts = new Starts();
  /** At what is worked on, from the arrival of a body until its response is made. */
  readonly work: Turns;
  /**
   * For what is in memory, from the first byte of a body until the last byte of the response was taken. Clients may be slow, so more turns run at the
   * same time.
   */
  readonly transfer: Turns;
  /**
   * The clients of requests that have a turn at `transfer`. Each entry has what the client had carried at the last check, and the checks at which it
   * was slow.
   */
  readonly #clients = new Map<Client, { owner: string; carried: number; slow: number }>();
  #looking: NodeJS.Timeout | undefined;

  /** `objects` is the size of the largest request, which an organisation works on alone. */
  constructor(objects: number) {
    this.work = new Turns(2 * objects, turnLimits.waiting);
    this.transfer = new Turns(8 * objects, turnLimits.waiting);
  }

  /** Looks at the client of a request from now on; returns the function that ends that. */
  watch(client: Client, owner: string): () => void {
    this.#clients.set(client, { owner, carried: 0, slow: 0 });
    this.#looking ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return () => {
      this.#clients.delete(client);
      if (this.#clients.size > 0) return;
      clearInterval(this.#looking);
      this.#looking = undefined;
    };
  }

  /** Ends the connection of the client that has been slow for longest, of those whose owner others wait for. */
  #look(): void {
    let slowest: Client | undefined;
    let most = turnLimits.slowSeconds - 1;
    for (const [client, seen] of this.#clients) {
      const carried = client.carried();
      seen.slow = carried !== undefined && carried - seen.carried < turnLimits.slowBytes ? seen.slow + 1 : 0;
      seen.carried = carried ?? seen.carried;
      if (seen.slow > most && this.transfer.isAwaitedByOthers(seen.owner)) [slowest, most] = [client, seen.slow];
    }
    slowest?.end();
  }
}

/** Begins without a turn, takes turns when it becomes large, and ends each when nothing of it needs that any more. */
export class RequestTurn {
  readonly #turns: RequestTurns;
  readonly #owner: Owner;
  readonly #onLeave: OnLeave | undefined;
  readonly #client: Client | undefined;
  #work: { objects: number; end: EndTurn } | undefined;
  #transfer: { objects: number; end: EndTurn } | undefined;
  #running = 0;
  /** When a part of it last started. */
  #started = Number.NEGATIVE_INFINITY;
  #isFollowed = false;
  /** Whether the response is made, and whether it was taken. */
  #isMade = false;
  #isSent = false;
  #refusal: unknown;

  constructor(turns: RequestTurns, owner: Owner, onLeave?: OnLeave, client?: Client) {
    this.#turns = turns;
    this.#owner = owner;
    this.#onLeave = onLeave;
    this.#client = client;
  }

  /** Who has the turns of the messages that the response continues with: work of the organisation, which its requests do not wait for. */
  get messageOwner(): Owner {
    return workOf(this.#owner.name);
  }

  /** Begins one of those messages. */
  message(onLeave: OnLeave): RequestTurn {
    return new RequestTurn(this.#turns, this.messageOwner, onLeave, this.#client);
  }

  /**
   * Waits until the next part of the request may start that runs long without a pause. Returns no promise where it may start immediately. It then
   * starts before anything is awaited, because others would be allowed to start as well.
   */
  start(): Promise<void> | undefined {
    if (performance.now() - this.#started < SMALL_MS) return undefined;
    const start = this.#turns.starts.next(this.#owner.name)?.then(() => this.#hasStarted());
    if (!start) this.#hasStarted();
    return start;
  }

  #hasStarted(): void {
    this.#started = performance.now();
  }

  /** Waits until a body of so many objects may arrive; without a promise where it may already. */
  arriving(objects: number): Promise<void> | undefined {
    return objects < turnLimits.bodyObjects ? undefined : this.#refusing(() => this.#hold(objects));
  }

  /** Waits until a body of so many objects may be parsed; without a promise where it may already. */
  parsing(objects: number): Promise<void> | undefined {
    return objects < turnLimits.bodyObjects ? undefined : this.#refusing(() => this.#take(objects));
  }

  /** Ends the turn of a body that is read and kept nowhere. One that is still worked on has another turn now. */
  arrived(): void {
    if (!this.#work) this.#letGo();
  }

  /** Waits until the request may be as large as so many objects; without a promise where it may be already. */
  atLeast(objects: number): Promise<void> | undefined {
    if (objects < turnLimits.objects || objects <= (this.#work?.objects ?? 0)) return undefined;
    return this.#refusing(() => this.#take(objects));
  }

  /** Runs an operation of so many objects when it may run. */
  during<T>(objects: number, run: () => T | Promise<T>): T | Promise<T> {
    const turn = this.atLeast(objects);
    if (turn || this.#work) return this.#during(turn, run);
    const start = this.start();
    return start ? start.then(run) : run();
  }

  /** Ends the turn at work when nothing of the request runs any more: its response is made, and its client takes it. */
  made(): void {
    this.#isMade = true;
    this.#endIfOver();
  }

  /** Ends the turns of a request whose response continues. */
  continues(): void {
    this.#work?.end();
    this.#work = undefined;
    this.#letGo();
  }

  // A query that is rejected here is not run again to render its error.
  async #refusing(take: () => Promise<void>): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    try {
      await take();
    } catch (error) {
      this.#refusal = error;
      this.continues();
      throw error;
    }
    if (this.#isFollowed) return;
    this.#isFollowed = true;
    if (this.#onLeave) this.#onLeave(() => this.#sent());
    else this.#isSent = true;
  }

  // Requests that wait for more while they have some could wait for each other for ever, so each first ends what it has.
  async #take(objects: number): Promise<void> {
    this.#work?.end();
    this.#work = undefined;
    await this.#hold(objects);
    this.#work = { objects, end: await this.#turns.work.take(this.#owner, objects, this.#onLeave) };
  }

  async #hold(objects: number): Promise<void> {
    if (objects <= (this.#transfer?.objects ?? 0)) return;
    this.#letGo();
    const end = await this.#turns.transfer.take(this.#owner, objects, this.#onLeave);
    const unwatch = this.#client && this.#turns.watch(this.#client, this.#owner.name);
    this.#transfer = {
      objects,
      end: () => {
        end();
        unwatch?.();
      },
    };
  }

  #letGo(): void {
    this.#transfer?.end();
    this.#transfer = undefined;
  }

  async #during<T>(turn: Promise<void> | undefined, run: () => T | Promise<T>): Promise<T> {
    this.#running++;
    try {
      await turn;
      const start = this.start();
      if (start) await start;
      return await run();
    } finally {
      this.#running--;
      this.#endIfOver();
    }
  }

  #sent(): void {
    this.#isSent = true;
    this.#endIfOver();
  }

  #endIfOver(): void {
    if (this.#running > 0) return;
    if (this.#isMade || this.#isSent) this.#work?.end();
    if (this.#isSent) this.#letGo();
  }
}
