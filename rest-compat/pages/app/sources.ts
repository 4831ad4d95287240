// One hash over everything the build depends on: sources, settings and the locked packages.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Hash of the sources in the folder of the front-end package. */
export function sourcesHash(folder: string): string {
  const sources = readdirSync(join(folder, 'src')).map((name) => `src/${name}`);
  const hash = createHash('sha256');
  for (const name of [...sources, 'package-lock.json', 'vite.config.ts'].sort())
    hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}
