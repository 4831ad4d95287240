// node test/proof/mutants/run.ts [FILE…]: Stryker changes the code in small ways, one at a time, and shows the changes that no test notices.
// Without files it takes those of stryker.config.json. Ends with 1 when the tests notice less than 85 %.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const report = join(root, 'dist/mutants.json');

// Without the peer vitest, which is that of the project.
const install = ['ci', '--legacy-peer-deps', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
execFileSync('npm', install, { cwd: import.meta.dirname, stdio: 'inherit' });
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const files = process.argv.slice(2);
const words = ['run', join(import.meta.dirname, 'stryker.config.json'), ...(files.length > 0 ? ['--mutate', files.join(',')] : [])];
rmSync(report, { force: true });
const { status } = spawnSync(process.execPath, [stryker, ...words], { cwd: root, stdio: 'inherit' });
if (!existsSync(report)) process.exit(status || 1);

const { files: judged } = JSON.parse(readFileSync(report, 'utf8')) as { files: Record<string, { mutants: { status: string }[] }> };
const counts = new Map<string, number>();
for (const { mutants } of Object.values(judged)) for (const { status: of } of mutants) counts.set(of, (counts.get(of) ?? 0) + 1);
const count = (...names: string[]): number => names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
const noticed = count('Killed', 'Timeout');
const unnoticed = count('Survived', 'NoCoverage');
if (noticed + unnoticed === 0) {
  console.error(`nothing to change: no code in ${files.join(', ') || 'the files of stryker.config.json'}`);
  process.exit(1);
}
const share = ((100 * noticed) / (noticed + unnoticed)).toFixed(1);
console.log(`${noticed + unnoticed} changes of ${Object.keys(judged).length} files, ${noticed} noticed (${share} %), ${unnoticed} not`);
process.exit(status ?? 1);
