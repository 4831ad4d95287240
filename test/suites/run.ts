// Command `npm run suite -- NAME --rounds N`: runs one suite with N rounds, prints its figures, and exits with an error when a test fails.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const folder = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(folder).flatMap((file) => (file.endsWith('.test.ts') ? [file.slice(0, -'.test.ts'.length)] : []));
/** Tests outside this folder that belong to the same suite and use the same number of rounds. */
const parts: Record<string, string[]> = {
  crash: ['test/events/crash.test.ts', 'test/integrations/crash.test.ts', 'test/platform/import-crash.test.ts', 'test/queue-crash.test.ts'],
};
const { values, positionals } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string', default: '10' } } });
const [name = ''] = positionals;
const rounds = Number(values.rounds);

if (!names.includes(name) || !Number.isInteger(rounds) || rounds < 1) {
  console.error(`usage: npm run suite -- NAME [--rounds N], NAME one of ${names.join(', ')}, N a whole number from 1`);
  process.exit(2);
}
const runner = spawn('vitest', ['run', join(folder, `${name}.test.ts`), ...(parts[name] ?? []), '--silent=false', '--reporter=default'], {
  stdio: 'inherit',
  env: { ...process.env, SUITE_ROUNDS: String(rounds) },
});
runner.on('exit', (code) => process.exit(code ?? 1));
