// The state of a schema: which migrations a database lacks, which ones this program does not know, and which program applied them.
import { programVersion } from '../../runtime/package-root.ts';
import { type MigrationFile, migrationFiles } from './files.ts';

/** Runs one statement on a database that is open. */
export type RunStatement = <T>(sql: string) => Promise<T[]>;

export interface SchemaState {
  /** Migrations that the next start applies, in their order. */
  pending: MigrationFile[];
  /** Names of applied migrations that belong to a newer or different program. */
  unknown: string[];
  /** The newest applied migration; null in a database that has none. */
  newest: string | null;
  /** Version of the program that applied the last ones; null where it left no note. */
  appliedBy: string | null;
}

/** Notes on the migrations' own table which program applied them, so that an older one can name it. */
export const noteProgram = `comment on table mikro_orm_migrations is '${programVersion}'`;

/** How to call the program that a newer schema needs: its version, where its note says one. */
export const programFor = ({ appliedBy }: SchemaState): string =>
  appliedBy === null || appliedBy === programVersion ? 'that program' : `version ${appliedBy}`;

const NO_SUCH_TABLE = '42P01';

/** Compares the applied migrations with those of this program; changes nothing, not even a database that has none. */
export async function schemaState(run: RunStatement, files: readonly MigrationFile[] = migrationFiles()): Promise<SchemaState> {
  const text =
    "select name, obj_description('mikro_orm_migrations'::regclass, 'pg_class') as program from mikro_orm_migrations order by name";
  const rows = await run<{ name: string; program: string | null }>(text).catch((error: { code?: string }) => {
    if (error.code === NO_SUCH_TABLE) return [];
    throw error;
  });
  const applied = rows.map(({ name }) => name);
  return {
    pending: files.filter(({ name }) => !applied.includes(name)),
    unknown: applied.filter((name) => !files.some((file) => file.name === name)),
    newest: applied.at(-1) ?? null,
    appliedBy: rows[0]?.program ?? null,
  };
}
