// Loads the migrations, which are SQL files in schema/migrations, for the ORM's migrator in the order of their numbers.
import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { packagePath } from '../runtime/package-root.ts';

/** Directory of the migration files. */
export const migrationsFolder = packagePath('schema', 'migrations');

const files = (): string[] =>
  readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .sort();

/** The statements of a file. A statement ends with a semicolon before a line that is not indented; bodies of blocks are indented throughout. */
const statementsOf = (file: string): string[] =>
  readFileSync(`${migrationsFolder}/${file}`, 'utf8')
    .split(/;\n(?=\S|$)/)
    .filter((statement) => statement.trim());

/** One migration class per file, named after it. */
export function migrationClasses(): { name: string; class: typeof Migration }[] {
  return files().map((file) => {
    const statements = statementsOf(file);
    class SqlFile extends Migration {
      override up(): void {
        for (const statement of statements) this.addSql(statement);
      }
    }
    return { name: file.replace(/\.sql$/, ''), class: SqlFile as unknown as typeof Migration };
  });
}

/** The REVOKE statements of all migrations; each may be run again. */
export const revocations = (): string[] =>
  files()
    .flatMap(statementsOf)
    .filter((statement) => /^ *revoke /m.test(statement));
