// Creates and grants the role that row-level security applies to; where that is not allowed, returns the SQL an administrator has to run.
import type { MikroORM } from '@mikro-orm/postgresql';
import { APPLICATION_ROLE } from '../records/tenancy.ts';
import { revocations } from './migrations/files.ts';

type Run = <T>(sql: string) => Promise<T[]>;

const runOn =
  (orm: MikroORM): Run =>
  (sql) =>
    orm.em.getConnection().execute(sql);

/** Runs each statement and ignores its error; the caller then checks whether the goal is reached. */
async function attempt(run: Run, statements: string[]): Promise<void> {
  for (const sql of statements) await run(sql).catch(() => {});
}

async function isMember(run: Run): Promise<boolean> {
  const [row] = await run<{ can: boolean }>(
    `select coalesce((select pg_has_role(oid, 'member') from pg_roles where rolname = '${APPLICATION_ROLE}'), false) as can`,
  );
  return row!.can;
}

/** Creates the role and makes this user a member of it, unless it is one. Returns null, or the SQL that an administrator of the server has to run. */
export async function takeApplicationRole(orm: MikroORM): Promise<string | null> {
  const run = runOn(orm);
  if (await isMember(run)) return null;
  await attempt(run, [`create role ${APPLICATION_ROLE} nologin`, `grant ${APPLICATION_ROLE} to current_user`]);
  return (await isMember(run)) ? null : grantOf(run);
}

/** The SQL that an administrator of the server must run before a start. Returns null for a user who may take the role or can create it. */
export async function missingGrant(run: Run): Promise<string | null> {
  if (await isMember(run)) return null;
  const [row] = await run<{ canCreate: boolean }>(
    `select (rolsuper or rolcreaterole) and not exists (select 1 from pg_roles where rolname = '${APPLICATION_ROLE}') as "canCreate"
     from pg_roles where rolname = current_user`,
  );
  return row!.canCreate ? null : grantOf(run);
}

async function grantOf(run: Run): Promise<string> {
  const [row] = await run<{ user: string; exists: boolean }>(
    `select quote_ident(current_user) as user, exists (select 1 from pg_roles where rolname = '${APPLICATION_ROLE}') as exists`,
  );
  return `${row!.exists ? '' : `create role ${APPLICATION_ROLE} nologin; `}grant ${APPLICATION_ROLE} to ${row!.user}`;
}

const hasRights = `select has_table_privilege('${APPLICATION_ROLE}', 'event', 'insert') as can`;

/** Grants the role its rights, for a database whose migrations ran before the role existed. Returns whether the role has the rights. */
export async function grantToApplicationRole(orm: MikroORM): Promise<boolean> {
  const run = runOn(orm);
  const can = async (): Promise<boolean> => (await run<{ can: boolean }>(hasRights))[0]!.can;
  if (await can()) return true;
  await attempt(run, [
    `grant usage on schema public to ${APPLICATION_ROLE}`,
    `grant select, insert, update, delete on all tables in schema public to ${APPLICATION_ROLE}`,
    `grant usage on all sequences in schema public to ${APPLICATION_ROLE}`,
    `alter default privileges in schema public grant select, insert, update, delete on tables to ${APPLICATION_ROLE}`,
    `alter default privileges in schema public grant usage on sequences to ${APPLICATION_ROLE}`,
    `revoke all on mikro_orm_migrations from ${APPLICATION_ROLE}`,
    ...revocations(),
  ]);
  return can();
}
