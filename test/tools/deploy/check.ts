// Checks what deploy/ ships with the programs and schemas that read it. A program that is not installed is named as skipped on the last line.
// node check.ts
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, loadAll } from 'js-yaml';

const deploy = join(import.meta.dirname, '../../../deploy');
const scratch = mkdtempSync(join(import.meta.dirname, 'node_modules/check-'));

const skipped = new Set<string>();
const failed: string[] = [];
let checks = 0;

/** Runs a program in a folder; returns what it prints, or null where it is not installed or fails. */
function run(folder: string, program: string, ...words: string[]): string | null {
  const { error, status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    skipped.add(program);
    return null;
  }
  checks++;
  if (!error && status === 0) return stdout;
  failed.push(`${program} ${words.join(' ')}\n${error ?? stdout + stderr}`);
  return null;
}

interface Resource {
  apiVersion: string;
  kind: string;
}

/**
 * A program that makes each rendered resource by its class. The compiler rejects names and types that the schemas of Kubernetes and of the Prometheus
 * operator do not have, and `validate` rejects what only the values show.
 */
function programOf(rendered: string): string {
  const lines = (loadAll(rendered) as Resource[]).map(({ apiVersion, kind, ...members }, index) => {
    const models = apiVersion.startsWith('monitoring.') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models';
    return `import { ${kind} as Kind${index} } from '${models}/${apiVersion}';\nnew Kind${index}(${JSON.stringify(members)}).validate();`;
  });
  return `${lines.join('\n')}\n`;
}

/** The overlay of docs/operations/install.md, next to a link to deploy/ as the document has it. */
function writeOverlay(): void {
  const [, overlay] = /^```yaml\n(# kustomization.yaml\n[\s\S]*?)^```$/m.exec(
    readFileSync(join(deploy, '../docs/operations/install.md'), 'utf8'),
  )!;
  symlinkSync(deploy, join(scratch, 'deploy'));
  mkdirSync(join(scratch, 'overlay'));
  writeFileSync(join(scratch, 'overlay/kustomization.yaml'), overlay!);
  writeFileSync(join(scratch, 'overlay/secrets.env'), 'DATABASE_URL=postgres://database/ledger\nSIGNING_SECRET=secret\n');
}

/** The expressions of the board as rules, which promtool reads. */
function rulesOf(board: string): string {
  const expressions = [...board.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) => JSON.parse(text!) as string);
  const rules = expressions.map((expr, index) => ({
    record: `board:expression${index}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*'),
  }));
  return dump({ groups: [{ name: 'board', rules }] });
}

try {
  run(join(deploy, 'prometheus'), 'promtool', 'check', 'rules', 'rules.yaml');
  run(join(deploy, 'prometheus'), 'promtool', 'test', 'rules', 'rules.test.yaml');
  writeFileSync(join(scratch, 'board.yaml'), rulesOf(readFileSync(join(deploy, 'grafana/ledger-gateway.json'), 'utf8')));
  run(scratch, 'promtool', 'check', 'rules', 'board.yaml');
  run(join(deploy, 'systemd'), 'systemd-analyze', 'verify', './ledger-gateway.service');
  run(join(deploy, 'systemd'), 'sh', '-n', 'ledger-admin');
  writeOverlay();
  const rendered = run(join(scratch, 'overlay'), 'kubectl', 'kustomize', '.');
  if (rendered) {
    const file = join(scratch, 'resources.mjs');
    writeFileSync(file, programOf(rendered));
    run(
      scratch,
      'tsc',
      ...'--ignoreConfig --noEmit --allowJs --checkJs --strict --skipLibCheck --target es2024 --module nodenext'.split(' '),
      file,
    );
    run(scratch, 'node', file);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const text of failed) console.log(text);
const reasons = [...skipped].map((program) => `${program} is not installed`);
console.log(`${checks} checks, ${failed.length} failed${reasons.length > 0 ? `; skipped: ${reasons.join(', ')}` : ''}`);
process.exitCode = failed.length > 0 ? 1 : 0;
