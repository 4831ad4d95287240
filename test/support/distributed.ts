// A Citus cluster of the test's own: a coordinator and workers.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { type Cluster, startCluster } from './cluster.ts';

const SHARE = '/usr/share/postgresql';

/** Whether the server's programs have Citus. */
export function hasCitus(binaries: string): boolean {
  const version = dirname(binaries).split('/').at(-1)!;
  return [join(SHARE, version), join(dirname(binaries), 'share')].some((folder) => existsSync(join(folder, 'extension', 'citus.control')));
}

/** Settings of each server. Few shards start fast, and prepared transactions of a crash are settled within seconds. */
const SETTINGS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_prepared_transactions=50',
  'citus.shard_count=4',
  'citus.node_conninfo=sslmode=disable',
  'citus.recover_2pc_interval=1s',
];

export interface DistributedCluster {
  coordinator: Cluster;
  workers: Cluster[];
  remove(): void;
}

async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Makes and starts a coordinator and its workers. */
export async function startDistributed(binaries: string, count: number): Promise<DistributedCluster> {
  const nodes: Cluster[] = [];
  const remove = (): void => {
    for (const node of nodes) node.remove();
  };
  try {
    for (let node = 0; node <= count; node++) {
      nodes.push(await startCluster(binaries, undefined, SETTINGS));
      await run(nodes.at(-1)!.url, 'create extension citus');
    }
    const [coordinator, ...workers] = nodes as [Cluster, ...Cluster[]];
    const portOf = ({ url }: Cluster): string => new URL(url).port;
    await run(
      coordinator.url,
      `select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`,
      ...workers.map((worker) => `select citus_add_node('127.0.0.1', ${portOf(worker)})`),
    );
    return { coordinator, workers, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
