// node test/proof/postgresql.ts VERSION: the tests of the contract and of the integrations on a PostgreSQL of that version from a package of npm.
// Ends with 3 where the package does not fit this machine.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startCluster } from '../support/cluster.ts';

const [version = ''] = process.argv.slice(2);
const native = join(import.meta.dirname, 'node_modules', `postgresql-${version}`, 'native');
execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
  cwd: import.meta.dirname,
  stdio: 'inherit',
});
if (!existsSync(native)) {
  console.log(`the package of PostgreSQL ${version} is for another kind of machine`);
  process.exit(3);
}
/** npm packs no symbolic links; the package lists those of its libraries. */
const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
for (const { source, target } of links) {
  const link = join(dirname(native), target);
  if (!existsSync(link)) symlinkSync(join(dirname(native), source), link);
}
const binaries = join(native, 'bin');
for (const program of ['initdb', 'pg_ctl', 'postgres']) chmodSync(join(binaries, program), 0o755);

const cluster = await startCluster(binaries, undefined, ['max_connections=100', 'fsync=off']);
// Longer limits than in CI: a proof runs for an hour, next to other work.
const words = ['vitest', 'run', 'test/contract', 'test/integrations', 'test/connections', '--test-timeout=180000', '--hook-timeout=300000'];
const { status } = spawnSync('npx', words, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: cluster.url } });
cluster.remove();
process.exit(status ?? 1);
