// One hash over everything the build depends on: sources, settings and the locked packages.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Files that the server uses too. */
const SHARED = ['../parts/share-link.ts', '../parts/shell-quote.ts'];

/** Hash of the sources in the folder of the front-end package. */
export function sourcesHash(folder: string): string {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const hash = createHash('sha256');
  for (const name of [...sources, ...SHARED, 'package-lock.json', 'vite.config.ts'].sort())
    hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}
