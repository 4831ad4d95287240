// Command line: accuracy, speed and size of the geocoder against a file of expected results.
import { performance } from 'node:perf_hooks';
import { Command } from 'commander';
import { readCases } from '../accuracy/cases.ts';
import { type AccuracyCase, type CaseOutcome, halvesOf, type Metric, measure, worstCountries } from '../accuracy/metrics.ts';
import { residentBytes, timeCalls } from '../accuracy/speed.ts';
import { loadGazetteer } from '../gazetteer/gazetteer.ts';
import { createGeocoder } from '../geocoder/geocode.ts';
import { shippedIsoContent } from '../iso/shipped-content.ts';

const program = new Command('geocode:report')
  .description(
    'Measures the geocoder against files of cases: JSON, [{id, address, expect: {country, region?, city?, postcode?, lat?, lon?}, tags}], or the same as lines of tab-separated cells.',
  )
  .argument('<files...>', 'case files')
  .option('--misses', 'list every miss; with --halves, only those of the tuning set')
  .option('--halves', 'report two halves separately: a tuning set and a holdout set')
  .option('--no-speed', 'skip the timing')
  .parse();

const MAX_COUNTRIES = 10;

const options = program.opts<{ misses?: boolean; halves?: boolean; speed: boolean }>();
const cases = program.args.flatMap(readCases);
const before = residentBytes();
const start = performance.now();
const gazetteer = loadGazetteer();
const iso = shippedIsoContent();
const geocoder = createGeocoder(gazetteer, iso);
const loadMs = performance.now() - start;

// Before the outcomes of all cases are kept.
const speed = options.speed
  ? timeCalls(
      geocoder,
      cases.map((test) => test.address),
    )
  : null;
const memory = (residentBytes() - before) / 2 ** 20;

console.log(`${cases.length} cases, gazetteer ${gazetteer.meta.build} (${gazetteer.size.toLocaleString('en')} places)`);
if (options.halves) {
  const { tuned, apart } = halvesOf(cases);
  printAccuracy('Tuning set', tuned, options.misses === true);
  printAccuracy('Holdout set', apart, false);
} else printAccuracy('All cases', cases, options.misses === true);

if (speed) {
  console.log();
  printRows(
    ['Speed and size', 'Measured', 'Must reach', ''],
    [
      ['Throughput, one thread', `${Math.round(speed.perSecond).toLocaleString('en')}/s`, '', ''],
      ['p50', `${speed.p50.toFixed(2)} ms`, '', ''],
      limitRow('p99, up to 300 characters', speed.p99, 5, 'ms', 2),
      limitRow('Worst at 500 characters', speed.worst500, 25, 'ms', 1),
      limitRow('Memory above baseline', memory, 120, 'MB', 0),
      limitRow('Load time', loadMs, 300, 'ms', 0),
    ],
  );
}

/** Prints the metrics of cases and the countries with the most misses. */
function printAccuracy(title: string, tests: readonly AccuracyCase[], listsMisses: boolean): void {
  const outcomes = tests.map((test): CaseOutcome => ({ test, result: geocoder.geocode(test.address) }));
  const metrics = measure(outcomes, gazetteer, iso);
  console.log(`\n${title}: ${tests.length} cases\n`);
  printRows(['Metric', 'Right', 'Of', 'Share', 'Must reach', ''], metrics.filter((metric) => metric.of > 0).map(metricRow));
  const worst = worstCountries(outcomes, gazetteer, iso, MAX_COUNTRIES);
  if (worst.length > 0) {
    console.log();
    const rows = worst.map(({ country, cases, right, of }) => [
      country,
      String(cases),
      String(of - right),
      `${((100 * right) / of).toFixed(1)} %`,
    ]);
    printRows(['Countries with most misses', 'Cases', 'Misses', 'Right'], rows);
  }
  if (listsMisses) for (const metric of metrics) printMisses(metric);
}

function metricRow({ name, right, of, target }: Metric): string[] {
  const share = (100 * right) / of;
  return [
    name,
    Number.isInteger(right) ? String(right) : right.toFixed(2),
    String(of),
    `${share.toFixed(1)} %`,
    target === null ? '' : `${target} %`,
    target === null ? '' : share >= target ? 'reached' : 'BELOW',
  ];
}

function limitRow(name: string, value: number, limit: number, unit: string, digits: number): string[] {
  return [name, `${value.toFixed(digits)} ${unit}`, `${limit} ${unit}`, value <= limit ? 'reached' : 'ABOVE'];
}

function printRows(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd();
  console.log(line(head));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(row));
}

function printMisses({ name, misses }: Metric): void {
  if (misses.length === 0) return;
  console.log(`\n${name}: ${misses.length} missed`);
  for (const miss of misses) console.log(`  ${miss}`);
}
