// A coordinator that has distributed the tables of companies over workers with Citus: what it takes in another form than one server.
import { LockMode } from '@mikro-orm/core';
import { propOf } from '../../records/metadata.ts';
import type { ChosenRows, DistributedEngine, Run } from '../engine/engine.ts';
import { oneServer } from '../engine/one-server.ts';
import { servingWith } from '../read-path/session.ts';
import { distribute } from './distribution.ts';
import { pendingCommits } from './pending-commits.ts';
import { ANCHOR, COMMIT_MARK, nodeColumn, placementState } from './steps.ts';

/** The catalogue of Citus is asked for by its name first, because a server without Citus does not know the table. */
async function hasCatalogue(run: Run): Promise<boolean> {
  const [found] = await run<{ isThere: boolean }>(`select to_regclass('pg_catalog.pg_dist_partition') is not null as "isThere"`);
  return found!.isThere;
}

/** Removes rows company by company: those of one are on one node, and no statement locks rows of several. */
async function removeByCompany(run: Run, { model, condition, values, chosen }: ChosenRows, company: string): Promise<string[]> {
  const column = `t."${propOf(model, model.key).column}"::text`;
  const found = await run<{ key: string; company: string }>(`select ${column} as key, t.${company}::text as company from ${chosen}`, [
    ...values,
  ]);
  const [last, next] = [values.length + 1, values.length + 2];
  const gone: { key: string }[] = [];
  for (const [own, rows] of Map.groupBy(found, (row) => row.company))
    gone.push(
      ...(await run<{ key: string }>(
        `delete from "${model.table}" t where t.${company} = $${last}::bigint and ${column} = any($${next}::text[]) and ${condition} returning ${column} as key`,
        [...values, own, rows.map(({ key }) => key)],
      )),
    );
  return gone.map(({ key }) => key);
}

/** A plan as PostgreSQL explains it, with that of one of its tasks. All of them read about as many rows. */
type Explained = [
  { Plan: { 'Plan Rows': number; 'Distributed Query'?: { Job: { 'Task Count': number; Tasks: { 'Remote Plan': Explained[] }[] } } } },
];

function expectedRows([{ Plan: plan }]: Explained): number {
  const job = plan['Distributed Query']?.Job;
  if (!job) return plan['Plan Rows'];
  const [task] = job.Tasks;
  return job['Task Count'] * (task?.['Remote Plan'].reduce((rows, remote) => rows + expectedRows(remote), 0) ?? 0);
}

/** The engine of a Citus cluster. */
export const distributed: DistributedEngine = {
  // It needs the values to plan, because they decide which node has the rows. It sends the settings of a transaction to the nodes only where that is
  // asked for.
  session: servingWith({
    plan_cache_mode: 'force_custom_plan',
    'citus.propagate_set_commands': 'local',
    // A node that does not respond would otherwise hold the question for all nodes until the time limit of statements.
    'citus.node_connection_timeout': '1000',
    // After 10 ms, unless set, a statement for several nodes opens more connections to each and closes them at its end. These took the workers more CPU
    // than the statement did.
    'citus.executor_slow_start_interval': '100',
  }),
  pooledSession: undefined,
  nodeColumn,
  // It rejects a subquery for each row of an array. It takes one for each row of a table that has the companies where their records are.
  parents(arrays, companies) {
    if (companies === undefined) return oneServer.parents(arrays, companies);
    const { index: company, different } = companies;
    const values = arrays.map((array, index) => (index === company ? 'c.ledger_id' : `(${array})[c.place]`));
    const places = `select ledger_id, unnest(array_positions(${arrays[company]}, ledger_id)) as place from "${ANCHOR}" where ledger_id = any(${different})`;
    return `(select ${values.join(', ')}, c.place from (${places}) c)`;
  },
  // Has the transaction commit in two phases. With rows at one worker and others only at the coordinator, the worker would commit first. A crash before
  // the commit of the coordinator then lost the rows of the coordinator. A change of a table that Citus manages on the coordinator prepares the worker
  // instead; this one changes no row.
  begin: [`delete from ${COMMIT_MARK} where name = ''`],
  pendingCommits,
  // The workers, whose row-level security needs the settings too, receive `set local` but not `set_config`.
  settings: (settings) => ({
    own: {},
    statements: Object.entries(settings).map(([name, value]) => `set local ${name === 'role' ? `role ${value}` : `${name} = '${value}'`}`),
  }),
  skipLocked: { mode: LockMode.NONE, sql: '' },
  // It would copy what a select returns, which it rejects under row-level security.
  newRows: 'values',
  // No statement may write two tables.
  together: (parts) => parts.map((part) => [part]),
  remove(run, rows) {
    const company = nodeColumn(rows.model);
    return company === undefined ? oneServer.remove(run, rows) : removeByCompany(run, rows, company);
  },
  expectedRows,
  async isIn(run) {
    if (!(await hasCatalogue(run))) return false;
    return (await run(`select from pg_dist_partition where logicalrelid = to_regclass('public.${COMMIT_MARK}')`)).length > 0;
  },
  /**
   * Distributes the tables of companies that migrations have added; older programs do not know these tables. What else is left was interrupted, and is
   * not continued while gateways run: foreign keys are missing in the meantime.
   */
  async place(run, records, hasMigrated, log) {
    const { tables, left } = await placementState(run, records);
    if (left.length === 0) return;
    if (tables === 0 || !hasMigrated)
      throw new Error(
        `the tables of companies are not all on the workers: a distribution was interrupted, or a migration was before it could place its tables. Run "npm run admin -- distribute" (or undistribute) again; ${left.length} steps are left, the first: ${left[0]!.what}`,
      );
    await run('set statement_timeout = 0');
    for (const { what, sql } of left) {
      log(what);
      await run(sql);
    }
  },
  distribute,
  async check(run, records) {
    if (!(await hasCatalogue(run))) return undefined;
    const { tables, workers, isManaged, left } = await placementState(run, records);
    if (!isManaged) return { isComplete: true, text: 'Citus is there, and every table is on the coordinator' };
    const text = `${tables} tables of companies on ${workers} workers`;
    if (left.length === 0) return { isComplete: true, text };
    return { isComplete: false, text: `${text}; ${left.length} steps are left, run distribute: ${left[0]!.what}` };
  },
};
