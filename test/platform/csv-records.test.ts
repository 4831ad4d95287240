// Counting and reading the records of a CSV file agree, and cells are separated by the delimiter of the header row.
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

it('as many records are counted as are read, with empty, quoted and multi-line cells', async () => {
  const cell = fc.oneof(fc.constantFrom('', '""', 'a', '""""', '"\n"', '"\r\n"', '","', '"a""b"', ' '));
  const line = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join(','));
  const file = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 8 })
    .map((lines) => lines.map(([text, end]) => text + end).join(''));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('', '\ufeff'), file, line, async (mark, lines, last) => {
      const text = mark + lines + last;
      const read = await readCount(text);
      expect(read).toBeDefined();
      expect(await countRecords(pieces(text))).toBe(read);
    }),
    {
      numRuns: 300,
      examples: [
        ['', '""\nA\n\n""""\r\n"\n"\n', '""'],
        ['\ufeff', '\n\nsku,name\n', 'A,b'],
      ],
    },
  );
});

const cellsOf = async (text: string): Promise<string[][]> => {
  const rows: string[][] = [];
  for await (const { cells } of csvRecords(pieces(text))) rows.push(cells);
  return rows;
};

it.each([',', ';', '\t'])('cells separated by %j are found by the header, whatever the quoted cells contain', async (delimiter) => {
  const quoted = (cells: string[]): string => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter);
  const plain = (cells: string[]): string => cells.join(delimiter);
  const rows = [
    ['name', 'weight, net; gross\t', 'a\nb'],
    ['Tea, green; fine', '1.5', 'say "so"\t'],
  ];
  expect(await cellsOf(`\ufeff\r\n${rows.map(quoted).join('\r\n')}`)).toEqual(rows);
  const unquoted = [
    ['name', 'sku'],
    ['Tea', 'T-1'],
  ];
  for (const end of ['\n', '\r\n', '\r']) expect(await cellsOf(unquoted.map(plain).join(end))).toEqual(unquoted);
});

it('one column has no delimiter, and a comma in its values then is one', async () => {
  expect(await cellsOf('sku\nA;1\nB\t2\nC,3\n')).toEqual([['sku'], ['A;1'], ['B\t2'], ['C', '3']]);
});

async function* wholeOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

it('every record before a line that is no CSV is read, however long its reader takes', async () => {
  const records: number[] = [];
  const file = `name\n${Array.from({ length: 200 }, (_, index) => `n${index}\n`).join('')}"open\n`;
  const read = async (): Promise<void> => {
    for await (const { line } of csvRecords(wholeOf(file))) {
      await new Promise(setImmediate);
      records.push(line);
    }
  };
  await expect(read()).rejects.toThrow('line 202: a quote is misplaced or not closed');
  expect(records).toEqual(Array.from({ length: 201 }, (_, index) => index + 1));
});
