// Notifications between processes, delivered to every process after a commit. A notification is a hint; subscribers read the rows.
import type { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { connectionOptions } from '../postgres-url.ts';
import { afterCommit } from './effects.ts';
import { evaluate } from './expression.statements.ts';
import type { EntityManager } from './open.ts';
import { SESSION } from './read-path/session.ts';

/** The one LISTEN/NOTIFY channel of all notifications. A payload is the name of the notification and, after a line break, its message. */
const CHANNEL = 'ledger_gateway_signals';

/** An SQL expression that publishes what another one computes: the name of a notification, a line break and its message. */
export const publishing = (payload: string): string => `pg_notify('${CHANNEL}', ${payload})`;

/** Delay before listening again after the connection was lost. */
const RECONNECT_MS = 1_000;

/** Notifications of one process are sent together, at most once in this time. Commits that notify queue behind one lock of the server: sent by each write they held it to a third of its commits. */
const GATHER_MS = 20;

/** How often a subscriber looks for itself: a process that ends right after a commit has not announced it. */
const POLL_MS = 5_000;

/** Notifications that wait while the connection is lost; further ones are left to the polls. */
const MAX_WAITING = 10_000;

/** Publishes notifications and subscribes to them, in this process and in others. */
export interface Notifications {
  /** Wakes the subscribers of `name` in every process soon after the transaction has committed, outside of it. A message has at most 7,900 bytes. */
  announce(em: EntityManager, name: string, message?: string): void;
  /** The same within the transaction, for rare changes without polling: either both happen or neither. */
  publish(em: EntityManager, name: string, message?: string): Promise<void>;
  /** Calls `wake` with the message of each notification of that name, and without one after a lost connection is restored. Returns the function that unsubscribes. */
  subscribe(name: string, wake: (message?: string) => void): () => void;
  /** Milliseconds after which a subscriber should look for itself; undefined where no notification can be lost. */
  readonly pollMs: number | undefined;
  close(): Promise<void>;
}

/** A way to notify: on PostgreSQL over a connection of its own, on the embedded database within the only process. */
interface Carrier {
  send(payloads: string[]): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts to listen: on PostgreSQL over a connection of its own, on the embedded database over its only connection. */
export async function openNotifications(
  backend: { url: string } | { client: PGlite },
  onError: (error: Error) => void,
): Promise<Notifications> {
  const wakes = new Map<string, Set<(message?: string) => void>>();
  const notify = (payload = ''): void => {
    const cut = payload.indexOf('\n');
    const [name, message] = cut < 0 ? [payload, undefined] : [payload.slice(0, cut), payload.slice(cut + 1)];
    for (const wake of [...(wakes.get(name) ?? [])]) wake(message);
  };
  const notifyAll = (): void => {
    for (const name of wakes.keys()) notify(name);
  };
  const carrier =
    'url' in backend ? await listenOnServer(backend.url, notify, notifyAll, onError) : await listenWithin(backend.client, notify);
  const outbox = new Outbox(carrier);
  const payloadOf = (name: string, message: string | undefined): string => (message === undefined ? name : `${name}\n${message}`);
  return {
    pollMs: 'url' in backend ? POLL_MS : undefined,
    announce: (em, name, message) => afterCommit(em, () => outbox.add(payloadOf(name, message))),
    async publish(em, name, message) {
      await evaluate(em, { sql: 'pg_notify($1, $2)', values: [CHANNEL, payloadOf(name, message)] });
    },
    subscribe(name, wake) {
      const set = wakes.get(name) ?? new Set();
      wakes.set(name, set);
      set.add(wake);
      return () => {
        set.delete(wake);
        if (set.size === 0 && wakes.get(name) === set) wakes.delete(name);
      };
    },
    close: async () => {
      await outbox.close();
      await carrier.stop();
    },
  };
}

/** The notifications of this process that are not sent yet, each once. */
class Outbox {
  readonly #carrier: Carrier;
  readonly #waiting = new Set<string>();
  #sentAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(carrier: Carrier) {
    this.#carrier = carrier;
  }

  add(payload: string): void {
    if (this.#waiting.size >= MAX_WAITING) return;
    this.#waiting.add(payload);
    // The first one after a pause goes at once.
    this.#timer ??= setTimeout(() => void this.#send(), Math.max(0, this.#sentAt + GATHER_MS - performance.now()));
  }

  /** Sends what waits once the last statement has its response: the connection takes one at a time. */
  async #send(): Promise<void> {
    this.#sentAt = performance.now();
    this.#timer = undefined;
    // What is lost with the connection is found by the polls.
    this.#sending = this.#sending.then(() => this.#sendWaiting()).catch(() => {});
    await this.#sending;
  }

  async #sendWaiting(): Promise<void> {
    const payloads = [...this.#waiting];
    this.#waiting.clear();
    if (payloads.length > 0) await this.#carrier.send(payloads);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#send();
  }
}

async function listenWithin(client: PGlite, notify: (payload: string) => void): Promise<Carrier> {
  const stop = await client.listen(CHANNEL, notify);
  return { send: async (payloads) => payloads.forEach(notify), stop };
}

/** Keeps one listening connection. The first connect must succeed; after a loss it is retried until it succeeds. */
async function listenOnServer(
  url: string,
  notify: (name?: string) => void,
  notifyAll: () => void,
  onError: (error: Error) => void,
): Promise<Carrier> {
  let closed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const connect = async (): Promise<void> => {
    const fresh = new Client(connectionOptions(url, 'notifications', { ...SESSION, keepAlive: true, connectionTimeoutMillis: 2_000 }));
    fresh.on('notification', ({ payload }) => notify(payload));
    fresh.on('error', onError);
    fresh.on('end', () => {
      if (!closed && client === fresh) reconnect();
    });
    await fresh.connect();
    await fresh.query(`listen ${CHANNEL}`);
    client = fresh;
  };
  const reconnect = (): void => {
    client = undefined;
    timer = setTimeout(() => connect().then(notifyAll, reconnect), RECONNECT_MS);
  };
  await connect();
  return {
    send: async (payloads) => client?.query('select pg_notify($1, payload) from unnest($2::text[]) payload', [CHANNEL, payloads]),
    stop: async () => {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
