// Computes the SQL that is missing between the migrations and the record declarations: tables and indexes by the ORM, foreign keys by this file.

import { type Model, modelOf, type RecordClass } from '../records/metadata.ts';
import type { Database } from './open.ts';
import { isDistributed } from './read-path/engine.ts';

/** A foreign key that the declarations require. */
export interface ForeignKey {
  name: string;
  /** The table it leads to. */
  target: string;
  sql: string;
}

/** The foreign keys of a record. They include the company, so that no record can reference one of another company even through a defect in the code. */
export function foreignKeysOf(model: Model): ForeignKey[] {
  const keys: ForeignKey[] = [];
  if (model.companyColumn === 'company_id') {
    keys.push(foreignKey(model, 'company', 'organisation_id, company_id', 'company', 'organisation_id, ledger_id'));
    for (const prop of model.props.values()) {
      // A foreign key cannot cover the items of a list; the write path checks those.
      if (prop.target && prop.kind !== 'list')
        keys.push(foreignKey(model, prop.column, `company_id, ${prop.column}`, modelOf(prop.target()).table, 'company_id, ledger_id'));
    }
  } else if (model.scope === 'organisation') {
    keys.push(foreignKey(model, 'organisation', 'organisation_id', 'organisation', 'id'));
  }
  return keys;
}

function foreignKey(model: Model, label: string, columns: string, target: string, targetColumns: string): ForeignKey {
  const name = `${model.table}_${label}_fkey`;
  const sql = `alter table "${model.table}" add constraint "${name}" foreign key (${columns}) references "${target}" (${targetColumns})`;
  return { name, target, sql };
}

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
  const ofCompanies = new Set(models.flatMap(({ companyColumn, table }) => (companyColumn ? [table] : [])));
  // Where the rows of companies are on other nodes, no key of theirs leads to a table that is not.
  const canHold = isDistributed(database.orm.em) ? ({ target }: { target: string }): boolean => ofCompanies.has(target) : () => true;
  const wanted = models.flatMap((model) => foreignKeysOf(model).filter((key) => !ofCompanies.has(model.table) || canHold(key)));
  const dropped = rows.filter((row) => !wanted.some((key) => key.name === row.name));
  return [
    ...statements,
    ...wanted.filter((key) => !present.has(key.name)).map((key) => key.sql),
    ...dropped.map((row) => `alter table "${row.table}" drop constraint "${row.name}"`),
  ];
}
