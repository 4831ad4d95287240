// How the code may depend on itself: one way, and with each outside thing behind its one file.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packagePath, packageRoot } from '../../src/runtime/package-root.ts';

interface Source {
  file: string;
  text: string;
  imports: string[];
}

function sourcesOf(folder: string): Source[] {
  return readdirSync(packagePath(folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(app|built|build-package|node_modules)\//.test(file))
    .map((file) => {
      const path = packagePath(folder, file);
      const text = readFileSync(path, 'utf8');
      const imports = [...text.matchAll(/^(?:import|export)[^;]*?from '([^']+)'/gm)].map(([, name]) =>
        name!.startsWith('.') ? relative(packageRoot, join(dirname(path), name!)) : name!,
      );
      return { file: join(folder, file), text, imports };
    });
}

const src = sourcesOf('src');
const rest = sourcesOf('rest-compat');
const surfaces = ['src/platform/', 'src/integrations/', 'src/address/'];

describe('imports', () => {
  it('chosen: only serve.ts, which puts the program together, knows the REST adapters', () => {
    const known = src.filter((source) => source.imports.some((name) => name.startsWith('rest-compat/'))).map((source) => source.file);
    expect(known).toEqual(['src/serve.ts']);
  });

  it('chosen: core imports no surface', () => {
    const wrong = src.filter(
      (source) =>
        source.file.startsWith('src/core/') && source.imports.some((name) => surfaces.some((surface) => name.startsWith(surface))),
    );
    expect(wrong.map((source) => source.file)).toEqual([]);
  });

  it('chosen: no door imports the ORM or runs SQL', () => {
    const wrong = rest.filter((source) =>
      source.imports.some(
        (name) => name.startsWith('@mikro-orm') || name === 'pg' || name === 'kysely' || name.endsWith('core/transact.ts'),
      ),
    );
    expect(wrong.map((source) => source.file)).toEqual([]);
  });

  it('chosen: the environment is read in one file', () => {
    const readers = [...src, ...rest].filter((source) => source.text.includes('process.env')).map((source) => source.file);
    expect(readers).toEqual(['src/config.ts']);
  });
});
