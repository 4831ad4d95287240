// The migrations of the last release with the digests of their files, as `npm run release-contracts` records them.
import { readFileSync } from 'node:fs';
import { packagePath } from '../../runtime/package-root.ts';

/** Digests of the files of the last release by name, in the form of sha256sum. */
export const releasedMigrations = (): Map<string, string> =>
  new Map(
    [...readFileSync(packagePath('schema', 'released', 'migrations.sha256'), 'utf8').matchAll(/^(\w+) {2}(\w+)\.sql$/gm)].map(
      ([, digest, name]) => [name!, digest!],
    ),
  );
