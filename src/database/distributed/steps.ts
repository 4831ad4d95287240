// Which node has the rows of a table: the steps that distribute the tables of companies over the workers of a Citus cluster or bring them back. Each
// step leaves what the next run reads from the catalogue, so that one that was interrupted is continued by another.
import { type Model, modelOf, type RecordClass } from '../../records/metadata.ts';
import { APPLICATION_ROLE } from '../../records/tenancy.ts';
import type { Run } from '../engine/engine.ts';
import { foreignKeysOf } from '../engine/foreign-keys.ts';

/**
 * A table that stays on the coordinator and that Citus manages from the first step to the last step back. The application role has no rights on it.
 */
export const COMMIT_MARK = 'kept_setting';

/** A statement that is still to run, and what it does. */
interface DistributionStep {
  what: string;
  sql: string;
}

/**
 * The column that says which worker has a row: that of the company, so that all rows of one company are together. Records without it are at the
 * coordinator (docs/decisions/placement.md). A record that names a company and is not limited by it, such as an event, belongs to the organisation.
 */
export const nodeColumn = ({ companyColumn }: Pick<Model, 'companyColumn'>): string | undefined => companyColumn;

/** The company's own table comes first: the rows of all others are placed with it. */
const byCompany = (records: readonly RecordClass[]): Model[] =>
  records
    .map(modelOf)
    .filter((model) => nodeColumn(model) !== undefined)
    .sort((a, b) => Number(b.table === ANCHOR) - Number(a.table === ANCHOR));

/** The table of companies. */
export const ANCHOR = 'company';

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
    ...waiting.map((model) => ({
      what: `distribute ${model.table}`,
      sql: `select create_distributed_table('"${model.table}"', '${nodeColumn(model)}', colocate_with => '${model.table === ANCHOR ? 'none' : ANCHOR}')`,
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
    ...models
      .flatMap(foreignKeysOf)
      .filter(({ name }) => !kept.has(name))
      .map(({ name, sql }) => ({ what: `add foreign key ${name}`, sql })),
    ...(placed.has(COMMIT_MARK) ? [{ what: `release ${COMMIT_MARK}`, sql: `select undistribute_table('"${COMMIT_MARK}"')` }] : []),
  ];
}

/** Where the tables of companies are, and which steps are left until all of them are distributed. */
export async function placementState(run: Run, records: readonly RecordClass[]) {
  const [placed] = await run<{ tables: number; workers: number; isManaged: boolean }>(
    `select count(*) filter (where partmethod = 'h')::int as tables, coalesce(bool_or(relname = '${COMMIT_MARK}'), false) as "isManaged",
       (select count(*)::int from pg_dist_node where noderole = 'primary' and shouldhaveshards) as workers
     from pg_dist_partition join pg_class on pg_class.oid = logicalrelid`,
  );
  return { ...placed!, left: await stepsToDistribute(run, records) };
}
