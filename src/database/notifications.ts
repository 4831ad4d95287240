// Notifications between processes: published inside a transaction, delivered to every process once it commits. A notification is a hint; subscribers read the rows.
import type { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { type EntityManager, executeIn } from './open.ts';

/** The one LISTEN/NOTIFY channel of all notifications. A payload is the name of the notification and, after a line break, its message. */
const CHANNEL = 'ledger_gateway_signals';

/** Delay before listening again after the connection was lost. */
const RECONNECT_MS = 1_000;

/** Publishes notifications and subscribes to them, in this process and in others. */
export interface Notifications {
  /** Wakes the subscribers of `name` in every process when the transaction commits, and none when it rolls back. A message has at most 7,900 bytes. */
  publish(em: EntityManager, name: string, message?: string): Promise<void>;
  /** The same as an SQL expression for another statement, with the values it binds from parameter `$first` on. */
  publication(name: string, first: number): { sql: string; values: string[] };
  /** Calls `wake` with the message of each notification of that name, and without one after a lost connection is restored. Returns the function that unsubscribes. */
  subscribe(name: string, wake: (message?: string) => void): () => void;
  close(): Promise<void>;
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
  const stop =
    'url' in backend ? await listenOnServer(backend.url, notify, notifyAll, onError) : await backend.client.listen(CHANNEL, notify);
  const publication: Notifications['publication'] = (payload, first) => ({
    sql: `pg_notify($${first}, $${first + 1})`,
    values: [CHANNEL, payload],
  });
  return {
    publication,
    async publish(em, name, message) {
      const { sql, values } = publication(message === undefined ? name : `${name}\n${message}`, 1);
      await executeIn(em, `select ${sql}`, values);
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
    close: () => stop(),
  };
}

/** Keeps one listening connection. The first connect must succeed; after a loss it is retried until it succeeds. */
async function listenOnServer(
  url: string,
  notify: (name?: string) => void,
  notifyAll: () => void,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  let closed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const connect = async (): Promise<void> => {
    const fresh = new Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 2_000 });
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
  return async () => {
    closed = true;
    clearTimeout(timer);
    await client?.end();
  };
}
