// Files that ship with the code (migrations, tables, built pages): their paths, and the lines of tables; and the program's version. All work from the
// sources and from the compiled copy in dist/.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error('package.json not found above the program');
    directory = parent;
  }
  return directory;
}

/** Directory of package.json. */
export const packageRoot = findRoot();

/** Absolute path of a file that ships with the package. */
export const packagePath = (...parts: string[]): string => join(packageRoot, ...parts);

/** The lines of a table that ships with the package. Tabs separate the cells of a line, which get these names. */
export const packageTable = <N extends string>(path: string, ...names: N[]): Record<N, string>[] =>
  readFileSync(packagePath(path), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .map((cells) => Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ''])) as Record<N, string>);

/** The version of the program. */
export const programVersion: string = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')).version;
