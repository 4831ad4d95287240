// The number of rows of an import in one transaction.
import { expect, test } from 'vitest';
import { ImportPace } from '../../src/platform/products/imports/pace.ts';

/** The number of rows of each transaction, when `milliseconds` returns its duration. */
function pacedBy(pace: ImportPace, milliseconds: (rows: number) => number, transactions: number): number[] {
  return Array.from({ length: transactions }, () => {
    const { rows } = pace;
    pace.record(rows, milliseconds(rows));
    return rows;
  });
}

test('on the embedded database a transaction of an import converges on the rows that take 25 ms', () => {
  const pace = new ImportPace('pglite');
  expect(pacedBy(pace, (rows) => rows / 8, 5)).toEqual([50, 100, 200, 200, 200]);
  expect(pacedBy(pace, (rows) => rows, 3)).toEqual([200, 25, 25]);
  expect(pacedBy(pace, () => 10_000, 2)).toEqual([25, 10]);
  expect(pacedBy(pace, () => 0.01, 9).at(-1)).toBe(1_000);
});

test('on a server a transaction of an import holds 5,000 rows however long they take', () => {
  expect(pacedBy(new ImportPace('postgres'), (rows) => rows, 2)).toEqual([5_000, 5_000]);
});
