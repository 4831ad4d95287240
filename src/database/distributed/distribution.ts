// Distributes the tables of companies over the workers of a Citus cluster, and brings them back.
import { Client } from 'pg';
import { connectionOptions } from '../../postgres-url.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { type DistributedEngine, type Run, runOn } from '../engine/engine.ts';
import { SESSION } from '../read-path/session.ts';
import { stepsToDistribute, stepsToUndistribute } from './steps.ts';

/** Throws where the database cannot distribute, or someone else uses it: a gateway must not run while the foreign keys are gone. */
async function checkCluster(run: Run): Promise<void> {
  const [citus] = await run<{ version: string }>(`select extversion as version from pg_extension where extname = 'citus'`);
  if (!citus)
    throw new Error('the database has no Citus: create extension citus on the coordinator and on every worker, and add the workers');
  const nodes = await run<{ groupid: number }>(`select groupid from pg_dist_node where isactive and noderole = 'primary'`);
  if (!nodes.some(({ groupid }) => Number(groupid) === 0))
    throw new Error("the coordinator is not registered as a node: select citus_set_coordinator_host('its host name', its port)");
  if (!nodes.some(({ groupid }) => Number(groupid) > 0)) throw new Error("the cluster has no workers: select citus_add_node('host', port)");
  const others = await run<{ name: string }>(
    `select coalesce(nullif(application_name, ''), client_addr::text, 'a local program') as name from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and application_name not like 'citus%'`,
  );
  if (others.length > 0) throw new Error(`${others.length} connections use the database: stop the gateways and close the others first`);
}

/** What does not hold after the last step; nothing for most. */
async function problemsOf(run: Run, records: readonly RecordClass[]): Promise<string[]> {
  const unprotected = await run<{ name: string }>(
    `select distinct c.relname as name from pg_dist_partition join pg_class c on c.oid = logicalrelid where partmethod = 'h' and not c.relrowsecurity`,
  );
  const groups = await run<{ count: number }>(
    `select count(distinct colocationid)::int as count from pg_dist_partition where partmethod = 'h'`,
  );
  const left = await stepsToDistribute(run, records);
  return [
    ...left.map(({ what }) => `not done: ${what}`),
    ...unprotected.map(({ name }) => `${name} has no row-level security`),
    ...(groups[0]!.count === 1 ? [] : ['the rows of a company are not together on one node']),
  ];
}

/** Takes the steps that are left, and checks what they have made. */
export const distribute: DistributedEngine['distribute'] = async (url, records, { undo = false, dryRun = false, onStep }) => {
  const client = new Client(connectionOptions(url, 'admin', SESSION));
  await client.connect();
  const run = runOn(client);
  try {
    await checkCluster(run);
    // A start of the gateway waits for the same lock.
    const [lock] = await run<{ taken: boolean }>(`select pg_try_advisory_lock(hashtext('ledger-gateway migrations')) as taken`);
    if (!lock!.taken) throw new Error('another process migrates or distributes the database');
    const steps = await (undo ? stepsToUndistribute : stepsToDistribute)(run, records);
    for (const [index, step] of steps.entries()) {
      onStep(step, index + 1, steps.length);
      if (!dryRun) await run(step.sql);
    }
    const problems = undo || dryRun ? [] : await problemsOf(run, records);
    if (problems.length > 0) throw new Error(problems.join('; '));
    return steps.length;
  } finally {
    await client.end();
  }
};
