// Command `npm run migration -- NAME`: writes the next migration file from the difference between the declared records and the existing migrations.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationsFolder } from '../database/migrations.ts';
import { openDatabase } from '../database/open.ts';
import { missingSchema } from '../database/schema-diff.ts';
import { entities } from '../registry.ts';

const name = process.argv[2];
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error('usage: npm run migration -- NAME   (lower case letters, digits and _)');
  process.exit(1);
}
const database = await openDatabase({ entities, log: () => {} });
const statements = await missingSchema(database, entities);
await database.close();
if (statements.length === 0) {
  console.log('The migrations match the declared records; nothing to write.');
} else {
  const number = String(readdirSync(migrationsFolder).filter((file) => file.endsWith('.sql')).length + 1).padStart(4, '0');
  const file = join(migrationsFolder, `${number}_${name}.sql`);
  writeFileSync(file, `${statements.join(';\n')};\n`);
  console.log(`${statements.length} statements written to ${file}`);
}
