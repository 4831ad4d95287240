// Computes the SQL that is missing between the migrations and the record declarations: tables and indexes by the ORM, foreign keys by this file.

import { modelOf, type RecordClass } from '../records/metadata.ts';
import { areTogether, engineOf } from './engine/engine.ts';
import { foreignKeysOf } from './engine/foreign-keys.ts';
import type { Database } from './open.ts';

/** The columns of the records, by table. */
export const declaredColumns = (records: readonly RecordClass[]): Map<string, Set<string>> =>
  new Map(records.map(modelOf).map(({ table, props }) => [table, new Set([...props.values()].map(({ column }) => column))]));

/** The statements that number columns from sequences as the database does already. */
async function sequenceDefaults(database: Database): Promise<Set<string>> {
  const rows = await database.orm.em.getConnection().execute<{ statement: string }[]>(
    `select format('alter table "%s" alter column "%s" set default %s', relname, attname, replace(pg_get_expr(adbin, adrelid), '::regclass', '')) as statement
       from pg_attrdef join pg_class on pg_class.oid = adrelid join pg_attribute on attrelid = adrelid and attnum = adnum
       where relnamespace = 'public'::regnamespace and pg_get_expr(adbin, adrelid) like 'nextval(%'`,
  );
  return new Set(rows.map(({ statement }) => statement));
}

/** Statements that bring a migrated database in line with the declarations; empty when there is no drift. */
export async function missingSchema(database: Database, records: readonly RecordClass[]): Promise<string[]> {
  const update = await database.orm.schema.getUpdateSchemaSQL({ wrap: false });
  const numbered = await sequenceDefaults(database);
  // The ORM has no foreign keys and functions in its metadata and would drop ours, and it does not read which sequence numbers a column.
  const statements = update
    .split(/;\n/)
    .map((statement) => statement.trim().replace(/;$/, ''))
    .filter((statement) => statement && !/drop constraint "\w+_fkey"$|^drop function /.test(statement) && !numbered.has(statement));
  const rows = await database.orm.em
    .getConnection()
    .execute<{ name: string; table: string }[]>(
      `select conname as name, relname as table from pg_constraint join pg_class on pg_class.oid = conrelid where contype = 'f' and connamespace = 'public'::regnamespace`,
    );
  const present = new Set(rows.map((row) => row.name));
  const models = records.map(modelOf);
  const engine = engineOf(database.orm.em);
  const byTable = new Map(models.map((model) => [model.table, model]));
  const wanted = models.flatMap((model) => foreignKeysOf(model).filter(({ target }) => areTogether(engine, model, byTable.get(target)!)));
  const dropped = rows.filter((row) => !wanted.some((key) => key.name === row.name));
  return [
    ...statements,
    ...wanted.filter((key) => !present.has(key.name)).map((key) => key.sql),
    ...dropped.map((row) => `alter table "${row.table}" drop constraint "${row.name}"`),
  ];
}
