// The migrations are plain SQL files in schema/migrations; this file hands them to the ORM's migrator in the order of their numbers.
import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { packagePath } from './package-root.ts';

/** Directory of the migration files. */
export const migrationsFolder = packagePath('schema', 'migrations');

/** One migration class per file, named after it. */
export function migrationClasses(): { name: string; class: typeof Migration }[] {
  return readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const sql = readFileSync(`${migrationsFolder}/${file}`, 'utf8');
      class SqlFile extends Migration {
        override up(): void {
          // A statement ends with a semicolon before a line that is not indented; block bodies are indented throughout.
          for (const statement of sql.split(/;\n(?=\S|$)/)) if (statement.trim()) this.addSql(statement);
        }
      }
      return { name: file.replace(/\.sql$/, ''), class: SqlFile as unknown as typeof Migration };
    });
}
