// THE list of engines besides one server, and which of them a database is on.
import { Client } from 'pg';
import { connectionOptions } from '../postgres-url.ts';
import { distributed } from './distributed/engine.ts';
import { type DistributedEngine, type Engine, type Run, runOn } from './engine/engine.ts';
import { oneServer } from './engine/one-server.ts';
import { SESSION } from './read-path/session.ts';

/** The engines that have rows on several nodes. */
export const distributedEngines: readonly DistributedEngine[] = [distributed];

const PROBE_MS = 2_000;
const RESPONSE_MS = 6_000;
const NO_SUCH_DATABASE = '3D000';

/** The engine that a connection leads to. */
export async function engineIn(run: Run): Promise<Engine> {
  for (const engine of distributedEngines) if (await engine.isIn(run)) return engine;
  return oneServer;
}

/**
 * The engine behind an address, asked before the first connection of a pool: it decides how that one plans. Throws where no server responds. A
 * gateway that treated a distributed database as one server would commit the parts of a write separately. A database that does not exist is not
 * distributed.
 */
export async function engineAt(url: string | undefined): Promise<Engine> {
  if (url === undefined) return oneServer;
  const client = new Client(connectionOptions(url, 'start', { ...SESSION, connectionTimeoutMillis: PROBE_MS, query_timeout: RESPONSE_MS }));
  client.on('error', () => {});
  try {
    await client.connect();
    return await engineIn(runOn(client));
  } catch (error) {
    if ((error as { code?: string }).code === NO_SUCH_DATABASE) return oneServer;
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
