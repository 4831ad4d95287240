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

/** Settings of each server. Few shards start fast. */
const SETTINGS = [
  'shared_preload_libraries=citus',
  'wal_level=logical',
  'max_prepared_transactions=100',
  'max_connections=100',
  'citus.shard_count=4',
  'citus.node_conninfo=sslmode=disable',
];

export interface Nodes {
  coordinator: Cluster;
  workers: Cluster[];
  /** Makes and starts one more worker. */
  addWorker(): Promise<void>;
  /** Makes and starts a standby that streams from a worker. */
  addStandby(worker: Cluster): Promise<Cluster>;
  remove(): void;
}

/** Makes and starts a coordinator and its workers, which know each other in the database that their addresses name. */
export async function startNodes(count: number): Promise<Nodes> {
  const nodes: Cluster[] = [];
  const remove = (): void => {
    for (const node of nodes) node.remove();
  };
  const server = async (upstream?: Cluster): Promise<Cluster> => {
    const node = await startCluster(binaries!, upstream, SETTINGS);
    nodes.push(node);
    return node;
  };
  const start = async (): Promise<Cluster> => {
    const node = await server();
    await runOnServer(node.url, 'create extension citus');
    return node;
  };
  const portOf = ({ url }: Cluster): string => new URL(url).port;
  try {
    const [coordinator, ...workers] = (await Promise.all(Array.from({ length: count + 1 }, start))) as [Cluster, ...Cluster[]];
    const add = (worker: Cluster): Promise<void> => runOnServer(coordinator.url, `select citus_add_node('127.0.0.1', ${portOf(worker)})`);
    await runOnServer(coordinator.url, `select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`);
    for (const worker of workers) await add(worker);
    return {
      coordinator,
      workers,
      async addWorker() {
        const worker = await start();
        await add(worker);
        workers.push(worker);
      },
      addStandby: server,
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}
