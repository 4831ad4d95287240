// One hash over everything the build depends on: sources, settings, the locked packages and the client package.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const CLIENT = '../../../schema/client';
/** A new field of the schema concerns no operation that was built before. */
const LEFT_OUT = new Set(['README.md', 'fields.generated.ts']);

/** Hash of the sources in the folder of the front-end package. */
export function sourcesHash(folder: string): string {
  const filesOf = (name: string): string[] =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !LEFT_OUT.has(entry.name))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const hash = createHash('sha256');
  for (const name of [...filesOf('src'), ...filesOf(CLIENT), 'package-lock.json', 'vite.config.ts'].sort())
    hash.update(`${name}\0`).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}
