// Distributes the tables of companies over the workers of a Citus cluster, and brings them back. Each step leaves what the next run reads from the
// catalogue, so that one that was interrupted is continued by another.
import { Client } from 'pg';
import { type Model, modelOf, type RecordClass } from '../../records/metadata.ts';
import { APPLICATION_ROLE } from '../../records/tenancy.ts';
import { COMMIT_MARK } from '../savepoint.statements.ts';
import { foreignKeysOf } from '../schema-diff.ts';

/** A statement that is still to run, and what it does. */
export interface DistributionStep {
  what: string;
  sql: string;
}

type Run = <T>(sql: string, values?: unknown[]) => Promise<T[]>;

/** The company's own table comes first: the rows of all others are placed with it. */
const byCompany = (records: readonly RecordClass[]): Model[] =>
  records
    .map(modelOf)
    .filter(({ companyColumn }) => companyColumn !== undefined)
    .sort((a, b) => Number(b.table === ANCHOR) - Number(a.table === ANCHOR));

const ANCHOR = 'company';

interface Key {
  name: string;
  table: string;
  target: string;
}

/** What the catalogue says. */
async function stateOf(run: Run) {
  const placed = await run<{ name: string }>(`select relname as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid`);
  const keys = await run<Key>(
    `select conname as name, c.relname as table, t.relname as target from pg_constraint join pg_class c on c.oid = conrelid join pg_class t on t.oid = confrelid
     where contype = 'f' and connamespace = 'public'::regnamespace order by 1`,
  );
  return { placed: new Set(placed.map(({ name }) => name)), keys };
}

const dropped = ({ table, name }: Key): DistributionStep => ({
  what: `drop foreign key ${name}`,
  sql: `alter table "${table}" drop constraint "${name}"`,
});

/** What statements rely on at the nodes too, which the session of a gateway does not reach. */
const NODE_SETTINGS = ['TimeZone=UTC', 'jit=off'];

/** The settings that some worker still lacks. Those of a database reach the workers through the coordinator. */
async function missingSettings(run: Run): Promise<DistributionStep[]> {
  const kept = `select coalesce(array_agg(setting), '{}') from pg_db_role_setting join pg_database on pg_database.oid = setdatabase, unnest(setconfig) setting where datname = current_database()`;
  const nodes = await run<{ kept: string; name: string }>(
    `select result as kept, quote_ident(current_database()) as name from run_command_on_workers($$${kept}$$)`,
  );
  const missing = NODE_SETTINGS.filter((setting) => nodes.some((node) => !node.kept.toLowerCase().includes(setting.toLowerCase())));
  return missing.map((setting) => ({
    what: `set ${setting} at the workers`,
    sql: `alter database ${nodes[0]!.name} set ${setting}`,
  }));
}

/** What is left to do until the tables of companies are distributed. A foreign key to a table that stays on the coordinator cannot hold there. */
export async function stepsToDistribute(run: Run, records: readonly RecordClass[]): Promise<DistributionStep[]> {
  const models = byCompany(records);
  const tables = new Set(models.map(({ table }) => table));
  const { placed, keys } = await stateOf(run);
  const waiting = models.filter(({ table }) => !placed.has(table));
  const isWaiting = (table: string): boolean => waiting.some((model) => model.table === table);
  const ofCompanies = keys.filter(({ table, target }) => tables.has(table) || tables.has(target));
  const gone = ofCompanies.filter(
    ({ table, target }) => isWaiting(table) || isWaiting(target) || !tables.has(target) || !tables.has(table),
  );
  const kept = new Set(ofCompanies.filter((key) => !gone.includes(key)).map(({ name }) => name));
  const wanted = models.flatMap(foreignKeysOf).filter(({ target, name }) => tables.has(target) && !kept.has(name));
  const [role] = await run<{ can: boolean }>(`select rolcanlogin as can from pg_roles where rolname = '${APPLICATION_ROLE}'`);
  return [
    ...(role?.can === false ? [{ what: `let the role ${APPLICATION_ROLE} log in`, sql: `alter role ${APPLICATION_ROLE} login` }] : []),
    ...(await missingSettings(run)),
    ...(placed.has(COMMIT_MARK)
      ? []
      : [{ what: `manage ${COMMIT_MARK}`, sql: `select citus_add_local_table_to_metadata('"${COMMIT_MARK}"')` }]),
    ...gone.map(dropped),
    ...waiting.map(({ table, companyColumn }) => ({
      what: `distribute ${table}`,
      sql: `select create_distributed_table('"${table}"', '${companyColumn}', colocate_with => '${table === ANCHOR ? 'none' : ANCHOR}')`,
    })),
    ...wanted.map(({ name, sql }) => ({ what: `add foreign key ${name}`, sql })),
  ];
}

/** What is left to do until all tables are on the coordinator alone. */
export async function stepsToUndistribute(run: Run, records: readonly RecordClass[]): Promise<DistributionStep[]> {
  const models = byCompany(records);
  const { placed, keys } = await stateOf(run);
  const away = models.filter(({ table }) => placed.has(table)).reverse();
  const isAway = (table: string): boolean => away.some((model) => model.table === table);
  const gone = keys.filter(({ table, target }) => isAway(table) || isAway(target));
  const kept = new Set(keys.filter((key) => !gone.includes(key)).map(({ name }) => name));
  return [
    ...gone.map(dropped),
    ...away.map(({ table }) => ({ what: `bring back ${table}`, sql: `select undistribute_table('"${table}"')` })),
    ...(placed.has(COMMIT_MARK) ? [{ what: `release ${COMMIT_MARK}`, sql: `select undistribute_table('"${COMMIT_MARK}"')` }] : []),
    ...models
      .flatMap(foreignKeysOf)
      .filter(({ name }) => !kept.has(name))
      .map(({ name, sql }) => ({ what: `add foreign key ${name}`, sql })),
  ];
}

/** Throws where the database cannot distribute, or somebody else uses it: a gateway must not run while the foreign keys are gone. */
async function checkCluster(run: Run): Promise<void> {
  const [citus] = await run<{ version: string }>(`select extversion as version from pg_extension where extname = 'citus'`);
  if (!citus)
    throw new Error('the database has no Citus: create extension citus on the coordinator and on every worker, and add the workers');
  const nodes = await run<{ groupid: number }>('select groupid from pg_dist_node where isactive and noderole = $1', ['primary']);
  if (!nodes.some(({ groupid }) => Number(groupid) === 0))
    throw new Error("the coordinator is no node of its cluster: select citus_set_coordinator_host('its host name', its port)");
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

export interface DistributionOptions {
  /** Whether the tables are brought back. */
  isBack?: boolean;
  /** Only tells the steps. */
  isTrial?: boolean;
  told: (step: DistributionStep, index: number, count: number) => void;
}

/** Takes the steps that are left, and checks what they have made. */
export async function distribute(
  connectionString: string,
  records: readonly RecordClass[],
  { isBack = false, isTrial = false, told }: DistributionOptions,
): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  const run: Run = async <T>(sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as T[];
  try {
    await checkCluster(run);
    // A start of the gateway waits for the same lock.
    const [lock] = await run<{ taken: boolean }>(`select pg_try_advisory_lock(hashtext('ledger-gateway migrations')) as taken`);
    if (!lock!.taken) throw new Error('another process migrates or distributes the database');
    const steps = await (isBack ? stepsToUndistribute : stepsToDistribute)(run, records);
    for (const [index, step] of steps.entries()) {
      told(step, index + 1, steps.length);
      if (!isTrial) await run(step.sql);
    }
    const problems = isBack || isTrial ? [] : await problemsOf(run, records);
    if (problems.length > 0) throw new Error(problems.join('; '));
    return steps.length;
  } finally {
    await client.end();
  }
}
