// How measurements are printed.
import { type Measure, totalMs } from './load.ts';

/** A terminal shows the current step on a line of its own; the next line of the report replaces it. */
const isWatched = process.stderr.isTTY === true;
const wipe = '\r\x1b[2K';

export const say = (text = ''): void => {
  if (isWatched) process.stderr.write(wipe);
  console.log(text);
};

/** Shows the current step. */
export const step = (text: string): void => {
  if (isWatched) process.stderr.write(`${wipe}  … ${text}`.slice(0, 100));
};

export const number = (value: number, digits: number, width = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }).padStart(width);

export const HEAD =
  '            subject         req/s   p50 ms   p99 ms    server  postgres  workers     total  statements      rows    bytes';

/** The note on rejected requests at the end of a row; empty when none were rejected. */
export const refusals = ({ refused }: Measure): string => (refused > 0 ? `  ${number(refused, 0)} refused (503)` : '');

export function printRow(workload: string, subject: string, result: Measure): void {
  say(
    `  ${workload.padEnd(9)} ${subject.padEnd(12)} ${number(result.perSecond, 0, 8)} ${number(result.p50, 1, 8)} ${number(result.p99, 1, 8)} ${number(result.serverMs, 3, 9)} ${number(result.databaseMs, 3, 9)} ${(result.workersMs === undefined ? '' : number(result.workersMs, 3)).padStart(8)} ${number(totalMs(result), 3, 9)} ${number(result.statements, 2, 11)} ${(result.rows === undefined ? '' : number(result.rows, 0)).padStart(9)} ${number(result.bytes, 0, 8)}${refusals(result)}`,
  );
}

const DIGITS = { times: 2, s: 2, ms: 1, MB: 0, B: 0, '/s': 0 } as const;

/** A figure of the report, with the value it must reach and the one it aims at where they are set. */
export interface Figure {
  /** The same in every run, so that runs can be compared. */
  name: string;
  title: string;
  value: number;
  unit: keyof typeof DIGITS;
  must?: number;
  aim?: number;
  /** More is better for rates, less for costs. */
  better: 'more' | 'less';
}

export const inUnit = (value: number, { unit }: Figure, width = 0): string => number(value, DIGITS[unit], width);

function judged(figure: Figure): string {
  const { value, must, aim, better } = figure;
  if (must === undefined) return '';
  const holds = (limit: number): boolean => (better === 'less' ? value <= limit : value >= limit);
  const word = aim !== undefined && holds(aim) ? 'aim reached' : holds(must) ? 'reached' : 'NOT reached';
  return `${inUnit(must, figure, 9)} ${aim === undefined ? ''.padStart(9) : inUnit(aim, figure, 9)}  ${word}`;
}

export function printFigures(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ title }) => title.length));
  say(`\n  ${''.padEnd(width + 13)}   measured            must       aim`);
  for (const figure of figures) {
    const { name, title, value, unit } = figure;
    say(`  ${name.padEnd(12)} ${title.padEnd(width)} ${inUnit(value, figure, 10)} ${unit.padEnd(5)} ${judged(figure)}`.trimEnd());
  }
}
