// The metrics of a gateway, read once a second, as the series of a test of promtool in which each second is a minute.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { dump, load } from 'js-yaml';
import { serverBinaries } from '../../support/cluster.ts';

/** What a command exits with that lacks a program it needs. */
export const LACKING = 3;

export const ADMIN_TOKEN = 'admin-token-of-the-incident';

const rulesFile = join(import.meta.dirname, '../../../deploy/prometheus/rules.yaml');
interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
/** The rules, with one text in place of the values in their summaries, which cannot be predicted. */
const rulesText = readFileSync(rulesFile, 'utf8').replaceAll(/\{\{ \$value[^}]*\}\}/g, 'a while');
export const rules = (load(rulesText) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const metrics = new Set([...rulesText.matchAll(/\bgateway_\w+/g)].map(([name]) => name!));

/** Gauges of how long something has waited or is behind, and counts of what happened. */
const growsWithTime = (name: string): boolean => /_oldest_(\w+_)?seconds$|_lag_seconds$|_total$|_bucket$/.test(name);

/** Alerts by the name of their rule, each by its labels. */
export type Firing = Record<string, Record<string, string>[]>;

export class Recording {
  /** The samples of each series, by its name with labels; `_` where a sample has none. */
  readonly #series = new Map<string, string[]>();
  readonly #expected: object[] = [];
  /**
   * The duration of a second of waiting, and of what is counted in it: 60 where the minutes of the test pass as fast as the seconds of the failure.
   */
  readonly #second: number;
  #samples = 0;

  constructor(second = 1) {
    this.#second = second;
  }

  get size(): string {
    return `${this.#series.size} series in ${this.#samples} samples`;
  }

  async #sample(base: string): Promise<void> {
    const instance = `job="ledger-gateway",instance="${new URL(base).host}"`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const text = await fetch(`${base}/metrics`, { headers, signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.text(),
      () => null,
    );
    const now = new Map([[`up{${instance}}`, text === null ? '0' : '1']]);
    for (const [, name, , labels, value] of (text ?? '').matchAll(/^(\w+)(\{([^}]*)\})? (\S+)$/gm))
      if (metrics.has(name!))
        now.set(`${name}{${labels ? `${labels},` : ''}${instance}}`, growsWithTime(name!) ? String(Number(value) * this.#second) : value!);
    for (const key of now.keys()) if (!this.#series.has(key)) this.#series.set(key, Array(this.#samples).fill('_'));
    for (const [key, values] of this.#series) values.push(now.get(key) ?? '_');
    this.#samples++;
  }

  /** Reads the metrics once a second. */
  async watch(base: string, times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await this.#sample(base);
      await setTimeout(1_000);
    }
  }

  /** Has promtool find these alerts at the last sample, and of the rules that `judged` chooses no other. */
  expect(firing: Firing, judged: (alert: string) => boolean = () => true): void {
    const own = rules.filter(({ alert }) => judged(alert));
    this.#expected.push(
      ...own.map(({ alert, labels, annotations }) => ({
        eval_time: `${this.#samples - 1}m`,
        alertname: alert,
        exp_alerts: (firing[alert] ?? []).map((labelled) => ({
          exp_labels: { ...labels, job: 'ledger-gateway', ...labelled },
          exp_annotations: {
            ...annotations,
            summary: annotations.summary!.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, name: string) => labelled[name]!),
          },
        })),
      })),
    );
  }

  /** Has promtool judge what was recorded; returns what it finds wrong, or null. */
  judge(): string | null {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-incident-'));
    try {
      const file = join(folder, 'incident.test.yaml');
      const test = {
        interval: '1m',
        input_series: [...this.#series].map(([name, values]) => ({ series: name, values: values.join(' ') })),
        alert_rule_test: this.#expected,
      };
      writeFileSync(join(folder, 'rules.yaml'), rulesText);
      writeFileSync(file, dump({ rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: [test] }, { lineWidth: -1 }));
      const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
      return status === 0 ? null : stdout + stderr;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** The programs of a PostgreSQL, where they and promtool are installed; ends the process otherwise. */
export function requirePrograms(): string {
  const binaries = serverBinaries();
  const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
  if (binaries && hasPromtool) return binaries;
  console.log(`skipped: ${binaries ? 'promtool is not installed' : 'the programs of a PostgreSQL are not installed'}`);
  process.exit(LACKING);
}
