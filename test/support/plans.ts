// Plans of statements under test: what the database reads for them, by its own count.
import { type CompiledQuery, Kysely } from 'kysely';
import type { Database, Statement } from '../../src/database/open.ts';
import { currentOwner } from '../../src/runtime/statement-count.ts';
import { isOnWorkers } from './server.ts';

export type Run = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

/** A statement that was sent, with its values. */
export interface Sent {
  statement: Statement;
  values: readonly (string | null)[];
}

/** A node of a plan as EXPLAIN (FORMAT JSON) returns it; the numbers only with ANALYZE. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
  /** What a distributed engine asks its nodes for, with the plan that each node makes. */
  'Distributed Query'?: { Job: { Tasks: { 'Remote Plan': [{ Plan: PlanNode }][] }[] } };
}

/** A scan of a table: how it was made, and the rows that it returned or looked at in vain. */
export interface Scan {
  how: string;
  table: string;
  rows: number;
}

/** The nodes below one, those of other machines among them. */
function belowOf(plan: PlanNode): PlanNode[] {
  const tasks = plan['Distributed Query']?.Job.Tasks ?? [];
  return [...(plan.Plans ?? []), ...tasks.flatMap((task) => task['Remote Plan'].flatMap((remote) => remote.map(({ Plan }) => Plan)))];
}

/** A name without the number of a shard. */
const plainName = (name: string): string => name.replace(/_\d{6,}$/, '');

/** The tables with more than so many rows, by their statistics; those of companies on the nodes that have them. */
export async function tablesAbove(run: Run, rows: number): Promise<Set<unknown>> {
  const found = await run(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > ${rows}`,
  );
  const distributed = isOnWorkers
    ? await run(
        `select logicalrelid::text as relname from pg_dist_partition cross join lateral
           run_command_on_shards(logicalrelid, $$select reltuples::bigint from pg_class where oid = '%s'::regclass$$) shard
         where partmethod = 'h' group by 1 having sum(result::bigint) > ${rows}`,
      )
    : { rows: [] };
  return new Set([...found.rows, ...distributed.rows].map((row) => row.relname));
}

/** Every node of a plan that reads a table. */
export function scansOf(plan: PlanNode): Scan[] {
  const below = belowOf(plan).flatMap(scansOf);
  const table = plan['Relation Name'] && plainName(plan['Relation Name']);
  if (table === undefined) return below;
  const looked = (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const how = [plan['Node Type'], ...indexesOf(plan)].join(' ');
  return [{ how, table, rows: looked * (plan['Actual Loops'] ?? 0) }, ...below];
}

const indexesOf = (plan: PlanNode): string[] =>
  plan['Index Name']
    ? [plainName(plan['Index Name'])]
    : (plan.Plans ?? []).filter((one) => one['Node Type'].startsWith('Bitmap')).flatMap(indexesOf);

/** A connection of its own, whose settings end with it. Opening one costs the server 10 ms, in which it reads the catalogue again. */
export async function ownConnection(database: Database): Promise<{ run: Run; close: () => void }> {
  const native = await database.native();
  if (!('totalCount' in native)) return { run: (text, values) => native.query(text, values), close: () => {} };
  const client = await native.connect();
  await client.query('set statement_timeout = 0');
  return {
    // Filling a large table takes longer than the client waits for a read.
    run: (text, values = []) => {
      const query = { text, values, query_timeout: 3_600_000 };
      return client.query<Record<string, unknown>>(query);
    },
    close: () => client.release(true),
  };
}

/** Runs work on a connection of its own. */
export async function onConnection<T>(database: Database, work: (run: Run) => Promise<T>): Promise<T> {
  const { run, close } = await ownConnection(database);
  try {
    return await work(run);
  } finally {
    close();
  }
}

/** The statements that a database is sent from now on. */
export function captured(database: Database): Sent[] {
  const sent: Sent[] = [];
  const readRows = database.readRows.bind(database);
  database.readRows = (statement, values, primary) => {
    sent.push({ statement, values });
    return readRows(statement, values, primary);
  };
  return sent;
}

/** The statements of transactions that requests send while work runs; those of background tasks are not theirs. */
export async function writesOf(work: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const sent: CompiledQuery[] = [];
  const { executeQuery } = Kysely.prototype;
  Kysely.prototype.executeQuery = function <R>(this: Kysely<unknown>, query: CompiledQuery<R>) {
    const owner = currentOwner();
    if (owner && !owner.name.startsWith('work of ')) sent.push(query);
    return executeQuery.call(this, query) as ReturnType<typeof this.executeQuery<R>>;
  };
  try {
    await work();
  } finally {
    Kysely.prototype.executeQuery = executeQuery;
  }
  return sent;
}

const literal = (value: string | null): string => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`);

/** The generic plan of a statement, and on a distributed engine that for its values, as sessions there plan; with `analyze`, from running it. */
export async function planOf(run: Run, { statement, values }: Sent, analyze: boolean): Promise<PlanNode> {
  await run(`set plan_cache_mode = ${isOnWorkers ? 'force_custom_plan' : 'force_generic_plan'}`);
  await run(`prepare planned as ${statement.text}`);
  try {
    const given = values.length > 0 ? `(${values.map(literal).join()})` : '';
    const options = analyze ? 'analyze, timing off, format json' : 'format json';
    const { rows } = await run(`explain (${options}) execute planned${given}`);
    return (rows[0]!['QUERY PLAN'] as [{ Plan: PlanNode }])[0].Plan;
  } finally {
    await run('deallocate planned');
  }
}
