// What a PostgreSQL database needs to be for responses to be the same on every one: checked when the gateway starts, and by `doctor`.
import type { RecordClass } from '../../records/metadata.ts';
import { modelOf } from '../../records/metadata.ts';
import { UNFINISHED_MOVE } from '../move/move.statements.ts';
import { MEANING } from '../read-path/session.ts';

type Run = <T>(sql: string) => Promise<T[]>;

/** The outcome of one check. */
export interface ServerCheck {
  what: string;
  /** The finding, for a server that passes the check. */
  words: string;
  /** Why the server fails the check, and the remedy. */
  problem?: string | undefined;
}

/** A read-only session would start and then fail at the first. */
const NEEDED: Readonly<Record<string, string>> = { ...MEANING, default_transaction_read_only: 'off' };

/** The settings of a session that change what statements mean. */
export async function settingsCheck(run: Run): Promise<ServerCheck> {
  // By default the path begins with a schema named like the user, which hardly any database has. What counts is where names are looked up.
  const effective = (name: string): string =>
    name === 'search_path' ? `array_to_string(current_schemas(false), ', ')` : `current_setting('${name}')`;
  const names = Object.keys(NEEDED).map((name) => `${effective(name)} as "${name}"`);
  const [found] = await run<Record<string, string>>(`select ${names.join(', ')}`);
  const others = Object.entries(NEEDED).filter(([name, value]) => found![name] !== value);
  const remedies = others.map(([name, value]) => `alter role current_user set ${name} = ${name === 'search_path' ? value : `'${value}'`}`);
  // A session that takes no writes takes no change of its role either.
  if (found!.default_transaction_read_only !== 'off') remedies.unshift('set default_transaction_read_only = off');
  return {
    what: 'settings of the session',
    words: `${names.length} settings are as statements need them`,
    problem:
      others.length === 0
        ? undefined
        : `the sessions of the database user have ${others.map(([name]) => `${name} = '${found![name]}'`).join(', ')}. Connect with its user and run: ${remedies.join('; ')}`,
  };
}

/** Names and texts are compared by their Unicode form, which PostgreSQL knows in this encoding alone. */
async function encodingCheck(run: Run): Promise<ServerCheck> {
  const [found] = await run<{ name: string; encoding: string; collation: string }>(
    'select datname as name, getdatabaseencoding() as encoding, datcollate as collation from pg_database where datname = current_database()',
  );
  const { name, encoding, collation } = found!;
  const problem = `the database ${name} has the encoding ${encoding} instead of UTF8. Create it again with: create database "${name}" encoding 'UTF8' template template0`;
  return { what: 'encoding', words: `${encoding}; lists sort texts by ${collation}`, problem: encoding === 'UTF8' ? undefined : problem };
}

/** Extensions and tables are found in one schema, whatever search path made them. */
async function schemaCheck(run: Run): Promise<ServerCheck> {
  const [tables] = await run<{ schema: string }>(
    `select relnamespace::regnamespace::text as schema from pg_class where relname in ('mikro_orm_migrations', 'access_key') and relkind = 'r'
     group by relnamespace having count(*) = 2 order by relnamespace <> 'public'::regnamespace limit 1`,
  );
  const extensions = await run<{ name: string; schema: string }>(
    `select extname as name, extnamespace::regnamespace::text as schema from pg_extension
     where extname in ('pg_trgm', 'btree_gin') and extnamespace not in ('public'::regnamespace, 'pg_catalog'::regnamespace)`,
  );
  const [move] = await run<{ isUnfinished: boolean }>(`select to_regclass('public.${UNFINISHED_MOVE}') is not null as "isUnfinished"`);
  if (move!.isUnfinished)
    return {
      what: 'schema',
      words: '',
      problem:
        'a move from an embedded database has not ended. Run "npm run admin -- move" again with the same --to, or begin with an empty database',
    };
  const problem =
    tables && tables.schema !== 'public'
      ? `the tables of the gateway are in the schema ${tables.schema} instead of public. Move them with: alter schema public rename to public_before; alter schema ${tables.schema} rename to public`
      : extensions.length === 0
        ? undefined
        : `extensions are in other schemas than public. Move them with: ${extensions.map(({ name }) => `alter extension ${name} set schema public`).join('; ')}`;
  return { what: 'schema', words: 'tables and extensions are in public', problem };
}

/** Letters of four scripts, and as lists compare them. */
const LETTERS = ['ÆŁÉΩЖ', 'æłeωж'] as const;

/** Whether lists find a text whatever its case, which a restored function may not with the locales of another server. */
export async function foldingCheck(run: Run): Promise<ServerCheck> {
  const [made] = await run<{ isMade: boolean }>(`select to_regproc('public.folded_text') is not null as "isMade"`);
  if (!made!.isMade) return { what: 'case of texts', words: 'the first start chooses the collation that folds them' };
  const [found] = await run<{ text: string; collation: string }>(`select folded_text('${LETTERS[0]}') as text`);
  return {
    what: 'case of texts',
    words: 'letters of every script are found in either case',
    problem:
      found!.text === LETTERS[1]
        ? undefined
        : `lists do not find ${LETTERS[0]} as ${LETTERS[1]}: apply the migrations, or restore the database on a server with the same collations`,
  };
}

/** Whether the server takes writes, and the user has rights on the tables. */
async function writeCheck(run: Run): Promise<ServerCheck> {
  const [found] = await run<{ isStandby: boolean; user: string; owner: string | null }>(
    `select pg_is_in_recovery() as "isStandby", quote_ident(current_user) as user,
       (select relowner::regrole::text from pg_class where oid = to_regclass('public.mikro_orm_migrations') and not has_table_privilege(oid, 'select')) as owner`,
  );
  const { isStandby, user, owner } = found!;
  const problem = isStandby
    ? 'it is a standby, which takes no writes. Name the primary'
    : `the tables belong to the role ${owner} and not to ${user}. Connect with that role, or have an administrator of the server run in this database: reassign owned by ${owner} to ${user}`;
  return {
    what: 'writes',
    words: 'the server takes writes, and the user may read the tables',
    problem: isStandby || owner !== null ? problem : undefined,
  };
}

/** What can be checked before migrations. */
export const serverChecks = async (run: Run): Promise<ServerCheck[]> => [
  await writeCheck(run),
  await encodingCheck(run),
  await settingsCheck(run),
  await schemaCheck(run),
];

/** What is wrong with a database that lacks tables of the records although no migration is pending; undefined where none is missing. */
export async function missingTables(run: Run, records: readonly RecordClass[]): Promise<string | undefined> {
  const tables = records.map((entity) => `'${modelOf(entity).table}'`);
  const missing = await run<{ name: string }>(
    `select name from unnest(array[${tables}]) name where to_regclass('public.' || quote_ident(name)) is null`,
  );
  return missing.length === 0
    ? undefined
    : `lacks the tables ${missing.map(({ name }) => name).join(', ')}, although the migrations that make them are noted as applied. Restore the whole backup into an empty database`;
}

function refuse(checks: readonly ServerCheck[], setting: string): void {
  const problem = checks.find((check) => check.problem !== undefined)?.problem;
  if (problem !== undefined) throw new Error(`the database of ${setting} cannot be used: ${problem}`);
}

/** Throws for a database on which results would differ. */
export const refuseUnfit = async (run: Run, setting: string): Promise<void> => refuse(await serverChecks(run), setting);

/** Throws for sessions, as a pooler hands them out, in which statements would mean something else. */
export const refuseOtherSettings = async (run: Run): Promise<void> => refuse([await settingsCheck(run)], 'DATABASE_URL');
