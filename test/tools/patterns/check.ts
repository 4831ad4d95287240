// Command `node check.ts`: recheck examines every regular expression of the program for run times that explode with the length of a text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';

const root = join(import.meta.dirname, '../../..');
const sources = ['src', 'rest-compat', 'site'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(app|built|build-package|node_modules)\//.test(file))
    .map((file) => join(folder, file)),
);

/** A regular expression literal. It follows a character after which no operand ends, so that a division does not match. */
const literal = /(?<=[(,=:[!&|?{};>]\s*|return\s+)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g;

const found = new Map<string, { source: string; flags: string; file: string }>();
for (const file of sources) {
  for (const [text, source, flags] of readFileSync(join(root, file), 'utf8').matchAll(literal)) {
    try {
      new RegExp(source!, flags);
    } catch {
      continue;
    }
    found.set(`${file} ${text}`, { source: source!, flags: flags!, file });
  }
}

/** Files whose patterns may take quadratic time because other checks keep the text short; nothing worse is allowed anywhere. */
const short: Record<string, string> = {
  'src/security/private-addresses.ts': 'a host name',
  'src/postgres-url.ts': 'a setting of an operator',
  'src/database/reader/column-values.ts': 'a number of a column',
  'src/address/geocoder/components.ts': 'an address of at most 500 characters',
  'src/address/iso/check.ts': 'content of an operator',
  'src/platform/registrations/content/pattern-safety.ts': 'content of an operator',
  'src/platform/customs/national/published-files.ts': 'a tariff file of an operator',
  'src/platform/shared/decimals.ts': '30 digits',
  'src/integrations/writes/integrity-check.ts': 'a message of the program that quotes an id of at most 800 characters',
  'src/integrations/connectors/files/file-kind.ts': 'the beginning of a file',
  'site/pages/guides.ts': 'a guide of the package',
};
const tally = { safe: 0, vulnerable: 0, unknown: 0 };
const wrong: string[] = [];
for (const { source, flags, file } of found.values()) {
  const { status, complexity } = await check(source, flags.replace(/[dv]/g, ''), { timeout: 10_000 });
  tally[status]++;
  const isShort = file in short && complexity?.type === 'polynomial' && complexity.degree === 2;
  if (status === 'vulnerable' && !isShort) wrong.push(`${file}: /${source}/${flags} is ${complexity?.summary}`);
  if (status === 'unknown') console.log(`not judged: ${file}: /${source}/${flags}`);
}
for (const line of wrong) console.log(line);
console.log(`${found.size} patterns: ${tally.safe} safe, ${tally.vulnerable} of the square of a short text, ${tally.unknown} not judged`);
process.exitCode = found.size > 100 && wrong.length === 0 ? 0 : 1;
