// The statements of a move: the tables of a database, their rows as JSON, and what holds them together.
import { MEANING } from '../read-path/session.ts';

/** Runs a statement on one of the two databases. */
export type Run = <T>(sql: string, values?: unknown[]) => Promise<T[]>;

/** Notes in the database that is filled which tables are there. While it exists, no gateway starts on that database. */
export const UNFINISHED_MOVE = 'unfinished_move';

/** A table, with the columns that rows are written with. */
export interface Table {
  schema: string;
  name: string;
  columns: string[];
  /** The columns with their types, which must be the same in both databases. */
  form: string;
}

export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `"${schema}"."${name}"`;
const listOf = ({ columns }: Table): string => columns.map((column) => `"${column}"`).join(', ');

/** What the texts of values depend on, the same for both databases. */
export async function sameTexts(run: Run): Promise<void> {
  for (const [name, value] of Object.entries({ ...MEANING, TimeZone: 'UTC', DateStyle: 'ISO' }))
    await run(`set ${name} = ${name === 'search_path' ? value : `'${value}'`}`);
}

/** The tables of the records, and the two of the queue that hold work: the queues, and then their jobs. */
export const tablesOf = (run: Run): Promise<Table[]> =>
  run<Table>(
    `select n.nspname as schema, c.relname as name, to_json(array_agg(a.attname::text order by a.attname)) as columns,
       string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attname) as form
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and (n.nspname = 'public' and c.relkind = 'r' and c.relname not in ('mikro_orm_migrations', '${UNFINISHED_MOVE}')
         or n.nspname = 'pgboss' and c.relname in ('queue', 'job'))
     group by 1, 2 order by 1 desc, 2 desc`,
  );

/** The rows of a table, and a number that is the same where all of them are, in whatever order. */
export async function contentOf(run: Run, table: Table): Promise<{ rows: number; digest: string }> {
  const [found] = await run<{ rows: number; digest: string }>(
    `select count(*)::float8 as rows, coalesce(sum(hashtextextended(row(${listOf(table)})::text, 0)::numeric), 0)::text as digest from ${nameOf(table)}`,
  );
  return found!;
}

/** The rows and the bytes of a table, as the catalogue of the database and a count say. */
export async function sizeOf(run: Run, table: Table): Promise<{ rows: number; bytes: number }> {
  const [found] = await run<{ rows: number; bytes: number }>(
    `select count(*)::float8 as rows, pg_table_size('${nameOf(table)}')::float8 as bytes from ${nameOf(table)}`,
  );
  return found!;
}

/** Reads the rows of a table in parts, each as a JSON array, from one state of the database. */
export async function* partsOf(run: Run, table: Table, rowsOfPart: number): AsyncGenerator<{ rows: number; json: string }> {
  await run('begin');
  try {
    await run(
      `declare parts no scroll cursor for select row_to_json(part.*)::text as json from (select ${listOf(table)} from ${nameOf(table)}) part`,
    );
    for (;;) {
      const rows = await run<{ json: string }>(`fetch ${rowsOfPart} from parts`);
      if (rows.length === 0) return;
      yield { rows: rows.length, json: `[${rows.map(({ json }) => json).join(',')}]` };
    }
  } finally {
    await run('rollback');
  }
}

/** Writes a part. JSON holds every value as its text, which the column reads back. */
export const writePart = (run: Run, table: Table, json: string): Promise<unknown> =>
  run(
    `insert into ${nameOf(table)} (${listOf(table)}) select ${listOf(table)} from json_populate_recordset(null::${nameOf(table)}, $1::text::json)`,
    [json],
  );

/** Whether a database has the secrets or the callers of a gateway. */
export async function isInUse(run: Run): Promise<boolean> {
  const [made] = await run<{ isThere: boolean }>(`select to_regclass('public.kept_setting') is not null as "isThere"`);
  return made!.isThere && (await run('select from kept_setting union all select from organisation limit 1')).length > 0;
}

/** What a database has beyond the tables that the migrations of a gateway have made in it: tables, views and sequences, but no parts of extensions. */
export async function othersIn(target: Run, source: Run): Promise<string[]> {
  const relations = async (run: Run): Promise<string[]> => {
    const found = await run<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
         and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'a', 'i'))
       order by 1`,
    );
    return found.map(({ name }) => name);
  };
  const there = await relations(target);
  if (!there.includes('public.mikro_orm_migrations')) return there;
  const ours = new Set(await relations(source));
  return there.filter((name) => !ours.has(name));
}

export async function isUnfinished(run: Run): Promise<boolean> {
  const [found] = await run<{ isThere: boolean }>(`select to_regclass('public.${UNFINISHED_MOVE}') is not null as "isThere"`);
  return found!.isThere;
}

/** Begins a move: the foreign keys wait until all rows are there, because tables refer to each other in circles. */
export async function begin(run: Run, queueTables: string): Promise<void> {
  const [queue] = await run<{ isThere: boolean }>(`select to_regnamespace('pgboss') is not null as "isThere"`);
  if (!queue!.isThere) await run(queueTables);
  await run('begin');
  await run(`create table ${UNFINISHED_MOVE} (name text primary key)`);
  for (const { table, name } of await foreignKeys(run)) await run(`alter table ${table} drop constraint ${name}`);
  await run('commit');
}

export async function movedTables(run: Run): Promise<Set<string>> {
  return new Set((await run<{ name: string }>(`select name from ${UNFINISHED_MOVE}`)).map(({ name }) => name));
}

export const noteMoved = (run: Run, table: Table): Promise<unknown> => run(`insert into ${UNFINISHED_MOVE} values ($1)`, [nameOf(table)]);

const foreignKeys = (run: Run): Promise<{ table: string; name: string; definition: string }[]> =>
  run(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );

/** Ends a move: the foreign keys of the source hold again, and its sequences continue. */
export async function end(source: Run, target: Run): Promise<void> {
  const [keys, sequences] = [
    await foreignKeys(source),
    await source<{ name: string; value: string }>(
      `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences where schemaname = 'public' and last_value is not null`,
    ),
  ];
  await target('begin');
  for (const { table, name, definition } of keys) await target(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { name, value } of sequences) await target('select setval($1::regclass, $2::bigint)', [name, value]);
  await target(`drop table ${UNFINISHED_MOVE}`);
  await target('commit');
  await target('analyze');
}
