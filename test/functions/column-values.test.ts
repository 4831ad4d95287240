// The values of columns as functions: the text of PostgreSQL, the value that code reads, and the JSON that callers get. JSON.parse is the judge that both
// are the same; the moments are written by hand from the forms in PostgreSQL's manual.
import { describe, expect, it } from 'vitest';
import { columnKinds, isoTimestamp } from '../../src/database/reader/column-values.ts';
import { JsonBuffer } from '../../src/json/buffer.ts';
import { type KindName, kinds } from '../../src/records/metadata.ts';

/** The JSON of a column's text, which is within other bytes. */
function json(kind: KindName, text: string): string {
  const bytes = Buffer.from(`0.${text}0`);
  const out = new JsonBuffer();
  columnKinds[kind].write(out, bytes, 2, bytes.length - 1);
  return out.toString();
}

describe('amounts', () => {
  it.each([
    ['12.50', '12.5'],
    ['12.00', '12'],
    ['0.00', '0'],
    ['0', '0'],
    ['100', '100'],
    ['-10.100', '-10.1'],
    ['10.05', '10.05'],
    ['0.000001', '0.000001'],
    ['123456789012345.0', '123456789012345'],
  ])('%s is %s', (text, written) => {
    expect(json('amount', text)).toBe(written);
    expect(columnKinds.amount.value(text)).toBe(Number(text));
  });
});

describe('moments', () => {
  it.each([
    ['2026-01-31 10:20:30+00', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31 10:20:30.1+00', '2026-01-31T10:20:30.100Z'],
    ['2026-01-31 10:20:30.12+00', '2026-01-31T10:20:30.120Z'],
    ['2026-01-31 10:20:30.123+00', '2026-01-31T10:20:30.123Z'],
    ['2026-01-31 10:20:30.1234+00', '2026-01-31T10:20:30.123400Z'],
    ['2026-01-31 10:20:30.12345+00', '2026-01-31T10:20:30.123450Z'],
    ['2026-01-31 10:20:30.123456+00', '2026-01-31T10:20:30.123456Z'],
  ])('%s is %s', (text, moment) => {
    expect(isoTimestamp(text)).toBe(moment);
    expect(columnKinds.moment.value(text)).toBe(moment);
    expect(json('moment', text)).toBe(`"${moment}"`);
  });
});

describe('other values', () => {
  it.each<[KindName[], string, unknown]>([
    [['flag'], 't', true],
    [['flag'], 'f', false],
    [['ledgerId', 'integer'], '-12', -12],
    [['json', 'object', 'list', 'namedValues'], '{"a": [1, "é"]}', { a: [1, 'é'] }],
    [['text', 'country', 'email', 'url', 'ipAddress', 'uuid', 'id', 'date', 'enumeration', 'bytes'], 'é "\\\n', 'é "\\\n'],
  ])('%s: %s', (names, text, value) => {
    for (const name of names) {
      expect(columnKinds[name].value(text), name).toEqual(value);
      expect(JSON.parse(json(name, text)), name).toEqual(value);
    }
  });

  it('every kind has its values', () => {
    expect(Object.keys(columnKinds).sort()).toEqual(Object.keys(kinds).sort());
  });
});
