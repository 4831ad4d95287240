// Command `npm run suite -- NAME --rounds N`: runs one suite with N rounds, or every suite in its small form for the name `all`. It prints the
// figures, and exits with an error when a test fails.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const folder = dirname(fileURLToPath(import.meta.url));
/** A suite is a file, or a folder of files that use the same number of rounds. */
const places = new Map(
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return [[entry.name, join(folder, entry.name, '/')] as const];
    return entry.name.endsWith('.test.ts') ? [[entry.name.slice(0, -'.test.ts'.length), join(folder, entry.name)] as const] : [];
  }),
);
const names = [...places.keys(), 'all'];
const { values, positionals } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string' } } });
const [name = ''] = positionals;
/** Without a number each suite runs in its small form. */
const rounds = values.rounds ?? (name === 'all' ? undefined : '10');

if (!names.includes(name) || !/^(?!0)\d{1,6}$/.test(rounds ?? '1')) {
  console.error(`usage: npm run suite -- NAME [--rounds N], NAME one of ${names.join(', ')}, N a whole number from 1`);
  process.exit(2);
}
const runner = spawn('vitest', ['run', places.get(name) ?? folder, '--silent=false', '--reporter=default'], {
  stdio: 'inherit',
  env: { ...process.env, SUITE_ROUNDS: rounds },
});
runner.on('exit', (code) => process.exit(code ?? 1));
