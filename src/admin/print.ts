// Output of the administration commands: aligned columns, and a progress bar for long work.
import { progressLine } from '../address/cli/progress.ts';

/** Prints rows as aligned columns under their headings. */
export function printTable(headings: string[], rows: string[][]): void {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]!.length)));
  for (const row of [headings, ...rows])
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}

/** Draws a progress bar on a terminal, and nothing elsewhere, so that programs can read the output. */
export function progressBar(): { show(done: number, total: number): void; end(): void } {
  const started = performance.now();
  return {
    show(done, total) {
      if (process.stderr.isTTY) process.stderr.write(`\r${progressLine(done, total, (performance.now() - started) / 1000)}`);
    },
    end() {
      if (process.stderr.isTTY) process.stderr.write('\n');
    },
  };
}
