// How measurements are printed.
import type { Contender } from './contender.ts';
import { type Measure, totalMs } from './load.ts';

export const say = (text = ''): void => console.log(text);

export const number = (value: number, digits: number, width: number): string => value.toFixed(digits).padStart(width);

export const HEAD = '       who             req/s   p50 ms   p99 ms    server  postgres     total  statements    bytes';

export function printRow(workload: string, who: Contender['name'], result: Measure): void {
  say(
    `  ${workload.padEnd(4)} ${who.padEnd(12)} ${number(result.perSecond, 0, 8)} ${number(result.p50, 1, 8)} ${number(result.p99, 1, 8)} ${number(result.serverMs, 3, 9)} ${number(result.databaseMs, 3, 9)} ${number(totalMs(result), 3, 9)} ${number(result.statements, 2, 11)} ${String(result.bytes).padStart(8)}`,
  );
}

/** A figure beside what must be reached and what is aimed at. */
export interface Verdict {
  workload: string;
  ratio: number;
  must: number;
  aim: number;
  /** Of rates more is better, of costs less. */
  better: 'more' | 'less';
}

export function printVerdicts(verdicts: readonly Verdict[]): void {
  say('\n               ratio    must     aim');
  for (const { workload, ratio, must, aim, better } of verdicts) {
    const holds = (limit: number): boolean => (better === 'less' ? ratio <= limit : ratio >= limit);
    const word = holds(aim) ? 'aim reached' : holds(must) ? 'reached' : 'NOT reached';
    say(`  ${workload.padEnd(12)} ${number(ratio, 2, 5)} ${number(must, 2, 7)} ${number(aim, 2, 7)}  ${word}`);
  }
}
