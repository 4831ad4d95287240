// Wake-ups between processes: published inside a transaction, heard by every process once it commits. A signal only hints; rows are the truth.
import type { PGlite } from '@electric-sql/pglite';
import { Client } from 'pg';
import { type EntityManager, executeIn } from './open.ts';

/** The one channel of the database's LISTEN/NOTIFY that all notifications share; the payload names the signal, and after a line break holds its message. */
const CHANNEL = 'ledger_gateway_signals';

/** How long to wait before listening again after the connection broke. */
const RECONNECT_MS = 1_000;

/** What other files use to wake each other, in this process and in others. */
export interface Notifications {
  /** Wakes the subscribers of `name` in every process when the transaction commits; nobody when it rolls back. A message goes with it, of at most 7,900 bytes. */
  publish(em: EntityManager, name: string, message?: string): Promise<void>;
  /** The same as an expression of another statement, with the values it binds from parameter `$first` on. */
  publication(name: string, first: number): { sql: string; values: string[] };
  /** Calls `wake` after each signal of that name with its message, and without one after a lost connection came back; returns the function that ends it. */
  subscribe(name: string, wake: (message?: string) => void): () => void;
  close(): Promise<void>;
}

/** Starts to listen: on PostgreSQL over a connection of its own, on the embedded database over the one there is. */
export async function openNotifications(
  backend: { url: string } | { client: PGlite },
  onError: (error: Error) => void,
): Promise<Notifications> {
  const wakes = new Map<string, Set<(message?: string) => void>>();
  const heard = (payload = ''): void => {
    const cut = payload.indexOf('\n');
    const [name, message] = cut < 0 ? [payload, undefined] : [payload.slice(0, cut), payload.slice(cut + 1)];
    for (const wake of [...(wakes.get(name) ?? [])]) wake(message);
  };
  const missed = (): void => {
    for (const name of wakes.keys()) heard(name);
  };
  const stop = 'url' in backend ? await listenOnServer(backend.url, heard, missed, onError) : await backend.client.listen(CHANNEL, heard);
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

/** Keeps one listening connection; the first one must succeed, a later one is tried until it does. */
async function listenOnServer(
  url: string,
  heard: (name?: string) => void,
  missed: () => void,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  let closed = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const connect = async (): Promise<void> => {
    const fresh = new Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 2_000 });
    fresh.on('notification', ({ payload }) => heard(payload));
    fresh.on('error', onError);
    fresh.on('end', () => {
      if (!closed && client === fresh) again();
    });
    await fresh.connect();
    await fresh.query(`listen ${CHANNEL}`);
    client = fresh;
  };
  const again = (): void => {
    client = undefined;
    timer = setTimeout(() => connect().then(missed, again), RECONNECT_MS);
  };
  await connect();
  return async () => {
    closed = true;
    clearTimeout(timer);
    await client?.end();
  };
}
