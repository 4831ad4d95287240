// Command `npm run migration -- NAME`: writes migration files from the difference between the declared records and the existing migrations.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrationFiles, migrationsFolder } from '../database/migrations/files.ts';
import { releasedMigrations } from '../database/migrations/released.ts';
import { DECLARATION_FORM, destructiveSteps, reviewMigration } from '../database/migrations/review.ts';
import { writeMigrations } from '../database/migrations/write.ts';
import { openDatabase } from '../database/open.ts';
import { declaredColumns, missingSchema } from '../database/schema-diff.ts';
import { entities } from '../registry.ts';

const {
  positionals: [name],
  values: { destructive: declarations },
} = parseArgs({ allowPositionals: true, options: { destructive: { type: 'string', multiple: true, default: [] } } });
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error(`usage: npm run migration -- NAME [--destructive '${DECLARATION_FORM}']…   (NAME: lower case letters, digits and _)`);
  process.exit(1);
}
// The tables of new records are what the migration is to make.
const database = await openDatabase({ entities, log: () => {}, allow: { missingTables: true } });
const statements = await missingSchema(database, entities);
await database.close();
const newest = migrationFiles().at(-1)?.name ?? '';
const files = writeMigrations({ statements, name, now: new Date(), newest, declarations });
const context = { released: [...releasedMigrations().keys()], declared: declaredColumns(entities) };
const issues = files.flatMap((file) => reviewMigration(file, context));
if (issues.length > 0) {
  console.error(`Nothing is written.\n${issues.join('\n')}`);
  if (destructiveSteps(statements).length > 0)
    console.error(
      `The program of the last release still runs while this one starts. Spread the change over two releases (docs/operations/upgrade.md), or declare each destructive step:\n  npm run migration -- ${name} --destructive '${DECLARATION_FORM}'`,
    );
  process.exitCode = 1;
} else if (files.length === 0) {
  console.log('The migrations match the declared records; nothing to write.');
} else {
  for (const file of files) {
    const path = join(migrationsFolder, `${file.name}.sql`);
    writeFileSync(path, file.text, { flag: 'wx' });
    console.log(`${file.statements.length} statements written to ${path}`);
  }
}
