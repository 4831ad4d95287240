// Loads the migrations, which are SQL files in schema/migrations, for the ORM's migrator in the order of their names.
import { readdirSync, readFileSync } from 'node:fs';
import type { MigrationObject } from '@mikro-orm/core';
import { Migration } from '@mikro-orm/migrations';
import { packagePath } from '../../runtime/package-root.ts';
import { readSteps } from './statements.ts';

/** Directory of the migration files. */
export const migrationsFolder = packagePath('schema', 'migrations');

/** The header line of a file whose statements each commit on their own. All of them may be run again, so a file that was interrupted starts again. */
export const WITHOUT_TRANSACTION = '-- transaction: none';

/** How long a statement of such a file waits for a lock. No request queues behind it, but it waits for every older transaction. */
const PATIENT_LOCK_TIMEOUT = '10min';

/** A migration as its file says. */
export interface MigrationFile {
  name: string;
  /** The comment lines that the file begins with. */
  header: string[];
  statements: string[];
  /** Whether the statements commit together, with the entry that marks the file as applied. */
  isTransactional: boolean;
}

/** Reads the text of a file. A statement ends with a semicolon before a line that is not indented; bodies of blocks are indented throughout. */
export function parseMigration(name: string, text: string): MigrationFile {
  const lines = text.split('\n');
  const header = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('--')),
  );
  const statements = text.split(/;\n(?=\S|$)/).filter((statement) => statement.trim());
  return { name, header, statements, isTransactional: !header.includes(WITHOUT_TRANSACTION) };
}

/** The migrations of this program. */
export const migrationFiles = (): MigrationFile[] =>
  readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => parseMigration(file.replace(/\.sql$/, ''), readFileSync(`${migrationsFolder}/${file}`, 'utf8')));

/** The index that a statement builds concurrently. */
const builtIndex = (statement: string): string | undefined =>
  readSteps(statement)
    .find(({ definition }) => definition === 'concurrently if not exists ')
    ?.what.match(/^create index (\w+)$/)?.[1];

/** A class of the migrator for each file. */
export const migrationClasses = (files: readonly MigrationFile[]): MigrationObject[] =>
  files.map(({ name, statements, isTransactional }) => {
    class SqlFile extends Migration {
      override isTransactional(): boolean {
        return isTransactional;
      }
      override async up(): Promise<void> {
        if (!isTransactional) this.addSql(`set lock_timeout = '${PATIENT_LOCK_TIMEOUT}'`);
        for (const statement of statements) {
          const index = builtIndex(statement);
          // A build that was interrupted leaves an index that no query uses, and that "if not exists" treats as a finished one.
          if (index && (await this.#isInvalid(index))) this.addSql(`drop index concurrently "${index}"`);
          this.addSql(statement);
        }
        if (!isTransactional) this.addSql('reset lock_timeout');
      }
      async #isInvalid(index: string): Promise<boolean> {
        const found = await this.execute('select 1 from pg_index where indexrelid = to_regclass(?) and not indisvalid', [index]);
        return found.length > 0;
      }
    }
    return { name, class: SqlFile };
  });

/** The REVOKE statements of all migrations; each may be run again. */
export const revocations = (): string[] =>
  migrationFiles()
    .flatMap(({ statements }) => statements)
    .filter((statement) => /^ *revoke /m.test(statement));
