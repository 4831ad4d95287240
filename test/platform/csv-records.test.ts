// Counting the records of a CSV file and reading them agree, and cells are separated as the header row separates them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CsvIssue, countRecords, csvRecords } from '../../src/platform/shared/csv-records.ts';

async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  for (const piece of text.match(/[\s\S]{1,3}/g) ?? []) yield new TextEncoder().encode(piece);
}

async function readCount(text: string): Promise<number | undefined> {
  try {
    let count = 0;
    for await (const _ of csvRecords(pieces(text))) count++;
    return count;
  } catch (error) {
    if (error instanceof CsvIssue) return undefined;
    throw error;
  }
}

it('chosen: as many records are counted as are read, whatever is empty, quoted or broken over lines', async () => {
  const cell = fc.oneof(fc.constantFrom('', '""', 'a', '""""', '"\n"', '"\r\n"', '","', '"a""b"', ' '));
  const line = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join(','));
  const file = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 8 })
    .map((lines) => lines.map(([text, end]) => text + end).join(''));
  await fc.assert(
    fc.asyncProperty(file, line, async (lines, last) => {
      const read = await readCount(lines + last);
      expect(read).toBeDefined();
      expect(await countRecords(pieces(lines + last))).toBe(read);
    }),
    { numRuns: 300, examples: [['""\nA\n\n""""\r\n"\n"\n', '""']] },
  );
});

const cellsOf = async (text: string): Promise<string[][]> => {
  const rows: string[][] = [];
  for await (const { cells } of csvRecords(pieces(text))) rows.push(cells);
  return rows;
};

it.each([',', ';', '\t'])('documented: cells separated by %j are found by the header, whatever stands in quotes', async (delimiter) => {
  const quoted = (cells: string[]): string => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter);
  const plain = (cells: string[]): string => cells.join(delimiter);
  const rows = [
    ['name', 'weight, net; gross\t', 'a\nb'],
    ['Tea, green; fine', '1.5', 'say "so"\t'],
  ];
  expect(await cellsOf(`\ufeff\r\n${rows.map(quoted).join('\r\n')}`)).toEqual(rows);
  const bare = [
    ['name', 'sku'],
    ['Tea', 'T-1'],
  ];
  for (const end of ['\n', '\r\n', '\r']) expect(await cellsOf(bare.map(plain).join(end))).toEqual(bare);
});

it('chosen: one column has no delimiter, and a comma in its values then is one', async () => {
  expect(await cellsOf('sku\nA;1\nB\t2\nC,3\n')).toEqual([['sku'], ['A;1'], ['B\t2'], ['C', '3']]);
});
