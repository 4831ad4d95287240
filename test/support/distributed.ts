// A Citus cluster of the test's own with a gateway's settings, and what the suites on one share.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { missingPrograms, type Nodes, startNodes } from './citus.ts';
import { serverUrl } from './gateway.ts';
import { compiledProgram } from './made.ts';
import { PROGRAM_ADMIN, type Settings } from './program.ts';

/** Why the suites on a cluster do not run here; null where they do. */
export const notDistributed: string | null =
  missingPrograms.length > 0
    ? `not run: ${missingPrograms.join(' and ')} not installed`
    : serverUrl || process.env.SUITE_ROUNDS
      ? null
      : 'needs DATABASE_URL';

export interface DistributedCluster extends Nodes {
  /** The settings of a gateway on it. */
  settings: Settings;
  /** Runs a statement at the coordinator. */
  query<T = Record<string, unknown>>(sql: string): Promise<T[]>;
  /** Runs a command of the administration, killed after a time where one is given. Returns its output, and its error output where it failed. */
  admin(words: string[], killedAfterMs?: number): Promise<{ output: string; refusal: string | null }>;
  /** Distributes the tables of companies, once nothing uses the database. */
  distribute(command?: 'distribute' | 'undistribute'): Promise<void>;
  /** Waits until no prepared transaction waits for the decision of a coordinator that was killed. */
  decided(): Promise<void>;
}

/** Makes and starts a coordinator and its workers. */
export async function startDistributed(count: number): Promise<DistributedCluster> {
  const nodes = await startNodes(count);
  return { ...nodes, ...toolsOf(nodes.coordinator.url) };
}

function toolsOf(url: string): Omit<DistributedCluster, keyof Nodes> {
  const settings = { DATABASE_URL: url };
  const query = async <T>(sql: string): Promise<T[]> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as T[];
    } finally {
      await client.end();
    }
  };
  const admin: DistributedCluster['admin'] = async (words, killedAfterMs) => {
    const env = { PATH: process.env.PATH, ADMIN_TOKEN: PROGRAM_ADMIN, LOG_LEVEL: 'silent', ...settings };
    const main = join(await compiledProgram(), 'src', 'admin', 'main.js');
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [main, ...words], { env }, (error, output, said) =>
        resolve({ output, refusal: error ? said || String(error.signal) : null }),
      );
      if (killedAfterMs !== undefined) void setTimeout(killedAfterMs).then(() => child.kill('SIGKILL'));
    });
  };
  return {
    settings,
    query,
    admin,
    async distribute(command = 'distribute') {
      // The connections of a gateway or a command that has ended may still be closing.
      for (let attempt = 1; ; attempt++) {
        const { refusal } = await admin([command]);
        if (refusal === null) return;
        if (attempt === 60) throw new Error(refusal);
        await setTimeout(1_000);
      }
    },
    async decided() {
      while ((await query('select 1 from pg_dist_transaction limit 1')).length > 0) await setTimeout(100);
    },
  };
}
