// Output of the administration commands: aligned columns, and a progress bar for long work.
import { progressLine } from '../address/cli/progress.ts';

/** Prints what a command found: for people, or with `--json` as one JSON value per line. */
export class Printer {
  readonly #isJson: () => boolean;

  /** `isJson` is asked when something is printed, after the options were read. */
  constructor(isJson: () => boolean) {
    this.#isJson = isJson;
  }

  /** Prints one result: its value, or a text that says the same. */
  result(value: unknown, text: string): void {
    console.log(this.#isJson() ? JSON.stringify(value) : text);
  }

  /** Prints rows under their headings. In JSON these are the names of the members, and the values keep their types. */
  table(headings: string[], rows: unknown[][]): void {
    if (this.#isJson()) {
      const objectOf = (row: unknown[]) => Object.fromEntries(headings.map((name, at) => [name.replaceAll(' ', '_'), row[at] ?? null]));
      console.log(JSON.stringify(rows.map(objectOf)));
    } else
      printTable(
        headings,
        rows.map((row) => row.map(cell)),
      );
  }
}

/** A value as people read it in a column. */
export const cell = (value: unknown): string => (value == null ? '-' : Array.isArray(value) ? value.join(',') : String(value));

/** Prints rows as aligned columns under their headings. */
function printTable(headings: string[], rows: string[][]): void {
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
