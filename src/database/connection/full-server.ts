// A pool whose server has no connection left waits for one of its own connections, instead of failing the request that would have opened another.
import type { Pool, PoolClient } from 'pg';

type Done = (error: Error | undefined, client: PoolClient | undefined, release: (destroy?: Error | boolean) => void) => void;

const TOO_MANY_CONNECTIONS = '53300';

/** How long the pool opens no further connection. */
const REST_MS = 5_000;

/** Makes a pool as large as its server allows, for a while after each connection that was refused. */
export function waitWhileServerIsFull(pool: Pool): void {
  const { max } = pool.options;
  const open: (done: Done) => void = pool.connect.bind(pool);
  let timer: NodeJS.Timeout | undefined;
  const connect = (done: Done): void =>
    open((error, client, release) => {
      const isFull = (error as { code?: string } | undefined)?.code === TOO_MANY_CONNECTIONS;
      if (!isFull || pool.totalCount === 0) return done(error, client, release);
      pool.options.max = pool.totalCount;
      clearTimeout(timer);
      timer = setTimeout(() => {
        pool.options.max = max;
      }, REST_MS).unref();
      connect(done);
    });
  const promised = (): Promise<PoolClient> =>
    new Promise((resolve, reject) => connect((error, client) => (error ? reject(error) : resolve(client!))));
  pool.connect = ((done?: Done) => (done ? connect(done) : promised())) as Pool['connect'];
}
