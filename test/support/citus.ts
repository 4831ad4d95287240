// A coordinator and workers with Citus, made from the machine's binaries.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Cluster, serverBinaries, startCluster } from './cluster.ts';
import { runOnServer } from './server.ts';

/** Whether the server's programs have Citus. */
function hasCitus(binaries: string): boolean {
  const version = dirname(binaries).split('/').at(-1)!;
  return [join('/usr/share/postgresql', version), join(dirname(binaries), 'share')].some((folder) =>
    existsSync(join(folder, 'extension', 'citus.control')),
  );
}

const binaries = serverBinaries();

/** What the machine lacks to make one. */
export const missingPrograms: readonly string[] = [...(binaries ? [] : ['initdb']), ...(binaries && !hasCitus(binaries) ? ['citus'] : [])];

/** Settings of each server. Few shards start fast, and prepared transactions of a crash are settled within seconds. */
const SETTINGS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_prepared_transactions=100',
  'max_connections=100',
  'citus.shard_count=4',
  'citus.node_conninfo=sslmode=disable',
  'citus.recover_2pc_interval=1s',
];

export interface Nodes {
  coordinator: Cluster;
  workers: Cluster[];
  remove(): void;
}

/** Makes and starts a coordinator and its workers, which know each other in the database that their addresses name. */
export async function startNodes(count: number): Promise<Nodes> {
  const nodes: Cluster[] = [];
  const remove = (): void => {
    for (const node of nodes) node.remove();
  };
  try {
    nodes.push(...(await Promise.all(Array.from({ length: count + 1 }, () => startCluster(binaries!, undefined, SETTINGS)))));
    for (const { url } of nodes) await runOnServer(url, 'create extension citus');
    const [coordinator, ...workers] = nodes as [Cluster, ...Cluster[]];
    const portOf = ({ url }: Cluster): string => new URL(url).port;
    await runOnServer(coordinator.url, `select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`);
    for (const worker of workers) await runOnServer(coordinator.url, `select citus_add_node('127.0.0.1', ${portOf(worker)})`);
    return { coordinator, workers, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
