// `npm run content:check [file]`: validates a content pack, prints its issues or a summary.
import { readFileSync } from 'node:fs';
import { validatePack } from './content-pack.ts';
import { summariseContent } from './shipped-content.ts';

const file = process.argv[2] ?? new URL('./registration-content.json', import.meta.url);
const checked = validatePack(JSON.parse(readFileSync(file, 'utf8')));
if (checked.ok) console.log(summariseContent(checked.value));
else {
  for (const { field, code, message } of checked.issues) console.error(`${field || '/'}  ${code}  ${message}`);
  process.exitCode = 1;
}
