// What the alerts say about a real incident: a gateway under load loses its database, gets it back and is killed. Its metrics, read once a second, become the
// series of a test of promtool in which each second is a minute.
// node incident.ts, after `npm run build` at the root
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { dump, load } from 'js-yaml';
import { serverBinaries, startCluster } from '../../support/cluster.ts';
import { startGateway } from '../gateway.ts';

/** What a command exits with that lacks a program it needs. */
const LACKING = 3;
const CALLERS = 4;
const ADMIN_TOKEN = 'admin-token-of-the-incident';
/** Phases of the incident, in samples. */
const [HEALTHY, OUTAGE, AFTER, KILLED] = [12, 14, 16, 6];

const rulesFile = join(import.meta.dirname, '../../../deploy/prometheus/rules.yaml');
interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
const rulesText = readFileSync(rulesFile, 'utf8');
const rules = (load(rulesText) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const metrics = new Set([...rulesText.matchAll(/\bgateway_\w+/g)].map(([name]) => name!));

/** The samples of each series, by its name with labels; `_` where a sample has none. */
const series = new Map<string, string[]>();
let samples = 0;

async function sample(base: string): Promise<void> {
  const instance = `job="ledger-gateway",instance="${new URL(base).host}"`;
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const text = await fetch(`${base}/metrics`, { headers, signal: AbortSignal.timeout(5_000) }).then(
    (answer) => answer.text(),
    () => null,
  );
  const now = new Map([[`up{${instance}}`, text === null ? '0' : '1']]);
  for (const [, name, , labels, value] of (text ?? '').matchAll(/^(\w+)(\{([^}]*)\})? (\S+)$/gm))
    if (metrics.has(name!)) now.set(`${name}{${labels ? `${labels},` : ''}${instance}}`, value!);
  for (const key of now.keys()) if (!series.has(key)) series.set(key, Array(samples).fill('_'));
  for (const [key, values] of series) values.push(now.get(key) ?? '_');
  samples++;
}

/** Reads the metrics once a second. */
async function watch(base: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await sample(base);
    await setTimeout(1_000);
  }
}

/** The alerts that promtool has to find at a minute: of each rule named one with these labels each, and of no other rule. */
function expected(minute: number, firing: Record<string, Record<string, string>[]>): object[] {
  return rules.map(({ alert, labels, annotations }) => ({
    eval_time: `${minute}m`,
    alertname: alert,
    exp_alerts: (firing[alert] ?? []).map((own) => ({
      exp_labels: { ...labels, job: 'ledger-gateway', ...own },
      exp_annotations: {
        ...annotations,
        summary: annotations.summary!.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => own[name]!),
      },
    })),
  }));
}

async function incident(binaries: string, folder: string): Promise<string> {
  const cluster = await startCluster(binaries);
  const gateway = await startGateway(join(folder, 'data'), { DATABASE_URL: cluster.url, ADMIN_TOKEN });
  let isOver = false;
  // GraphQL alone: during the outage its responses have the status 200, with the error beside the data.
  const send = () =>
    fetch(`${gateway.base}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ corporations(first: 1) { nodes { id } } }' }),
    }).then(
      (answer) => answer.text(),
      () => {},
    );
  const load = Array.from({ length: CALLERS }, async () => {
    for (; !isOver; await setTimeout(50)) await send();
  });
  try {
    await watch(gateway.base, HEALTHY);
    cluster.stop('immediate');
    await watch(gateway.base, OUTAGE);
    cluster.start();
    await watch(gateway.base, AFTER);
    isOver = true;
    await Promise.all(load);
    await gateway.stop();
    await watch(gateway.base, KILLED);
  } finally {
    isOver = true;
    cluster.remove();
  }
  const host = new URL(gateway.base).host;
  return dump(
    {
      rule_files: [rulesFile],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: [...series].map(([name, values]) => ({ series: name, values: values.join(' ') })),
          alert_rule_test: [
            ...expected(HEALTHY - 1, {}),
            ...expected(HEALTHY + OUTAGE - 1, {
              GatewayServerErrors: [{}],
              GatewayWorkFails: [{ task: 'queue' }, { task: 'webhook-delivery' }],
            }),
            ...expected(HEALTHY + OUTAGE + AFTER - 1, {}),
            ...expected(samples - 1, { GatewayDown: [{ instance: host }] }),
          ],
        },
      ],
    },
    { lineWidth: -1 },
  );
}

async function main(): Promise<number> {
  const binaries = serverBinaries();
  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  if (!binaries || !hasPromtool) {
    console.log(`skipped: ${binaries ? 'promtool is not installed' : 'the programs of a PostgreSQL are not installed'}`);
    return LACKING;
  }
  const folder = mkdtempSync(join(tmpdir(), 'gateway-incident-'));
  try {
    const file = join(folder, 'incident.test.yaml');
    writeFileSync(file, await incident(binaries, folder));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    if (status !== 0) console.log(stdout + stderr);
    console.log(
      `${rules.length} alerts over ${series.size} series of an incident in ${samples} samples: ${status === 0 ? 'as they should be' : 'FAILED'}`,
    );
    return status === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main();
