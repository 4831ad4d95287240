// `npm run content:check [file]`: validates the shipped content, or a pack in a file, and prints its issues or a summary; `--json` prints the pack.
import { readFileSync } from 'node:fs';
import { validateSourcedPack } from './content-pack.ts';
import { packOfTables } from './content-tables.ts';
import { summariseContent } from './shipped-content.ts';

const [file] = process.argv.slice(2).filter((argument) => argument !== '--json');
const checked = validateSourcedPack(file ? JSON.parse(readFileSync(file, 'utf8')) : packOfTables());
if (!checked.ok) {
  for (const { field, code, message } of checked.issues) console.error(`${field || '/'}  ${code}  ${message}`);
  process.exitCode = 1;
} else console.log(process.argv.includes('--json') ? JSON.stringify(checked.value, null, 2) : summariseContent(checked.value));
