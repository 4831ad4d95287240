// The parser finds data rows in the bytes of the database however the network splits them. It writes their values as the same JSON as any other
// reader.
import { describe, expect, it } from 'vitest';
import { DataRows, type TextRow } from '../../src/database/read-path/data-rows.ts';
import { columnKinds, isoTimestamp } from '../../src/database/reader/column-values.ts';
import { DataRowParser, type RowSink } from '../../src/database/wire/row-parser.ts';
import { JsonBuffer } from '../../src/json/buffer.ts';
import type { KindName } from '../../src/records/metadata.ts';

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const rowMessage = (fields: TextRow): Buffer => {
  const count = Buffer.alloc(2);
  count.writeInt16BE(fields.length);
  const columns = fields.flatMap((field) => {
    const bytes = Buffer.from(field ?? '');
    const length = Buffer.alloc(4);
    length.writeInt32BE(field === null ? -1 : bytes.length);
    return [length, bytes];
  });
  return message('D', Buffer.concat([count, ...columns]));
};

describe('responses on a connection', () => {
  const first: TextRow[] = [['1', null, 'Zoë 😀'], ['', 'x'.repeat(300), null], []];
  const second: TextRow[] = [['2']];
  const other = (type: string): Buffer => message(type, Buffer.from('I'));
  const notice = other('N');
  const stream = Buffer.concat([
    ...['1', '2'].map(other),
    ...first.map(rowMessage),
    notice,
    ...['C', 'Z', '2', 'E', 'Z', '2'].map(other),
    ...second.map(rowMessage),
    ...['C', 'Z', 'Z'].map(other),
  ]);
  /** The messages the driver must receive: notices, the end of the last of the three responses, and everything after it. */
  const forDriver = Buffer.concat([notice, other('Z'), other('Z')]);

  const received = (chunks: Buffer[]) => {
    const passed: Buffer[] = [];
    const parser = new DataRowParser((bytes) => passed.push(Buffer.from(bytes)));
    const seen: (TextRow[] | string)[] = [];
    const sink: RowSink = {
      rows: new DataRows(),
      parsed: () => void seen.push('parsed'),
      failed: (bytes) => void seen.push(bytes.toString()),
      ready() {
        seen.push(this.rows.texts());
        this.rows = new DataRows();
        return seen.length === 5;
      },
    };
    parser.sink = sink;
    for (const chunk of chunks) parser.take(chunk);
    return { seen, passed: Buffer.concat(passed), isOver: parser.sink === undefined };
  };
  const expected = { seen: ['parsed', first, other('E').toString(), [], second], passed: forDriver, isOver: true };

  it('they are the same wherever the stream is split', () => {
    for (let cut = 0; cut <= stream.length; cut++)
      expect(received([stream.subarray(0, cut), stream.subarray(cut)]), `cut at ${cut}`).toEqual(expected);
  });

  it('they are the same byte by byte', () => {
    expect(received(Array.from(stream, (byte) => Buffer.from([byte])))).toEqual(expected);
  });

  it('everything is passed to the driver when there is no row sink', () => {
    const passed: Buffer[] = [];
    const parser = new DataRowParser((bytes) => passed.push(Buffer.from(bytes)));
    for (const chunk of [stream.subarray(0, 40), stream.subarray(40)]) parser.take(chunk);
    expect(Buffer.concat(passed)).toEqual(stream);
  });

  it('one column of a row is read as well as all', () => {
    const rows = new DataRows();
    for (const row of first) rows.add(rowMessage(row), 0);
    for (const [number, row] of first.entries()) expect(row.map((_, column) => rows.text(number, column))).toEqual(row);
  });
});

const written = (kind: KindName, text: string): string => {
  const output = new JsonBuffer();
  const bytes = Buffer.from(`..${text}..`);
  columnKinds[kind].write(output, bytes, 2, bytes.length - 2);
  const json = output.toString();
  output.release();
  return json;
};

describe('values as JSON', () => {
  it('texts are escaped as JSON.stringify escapes them', () => {
    const texts = [
      '',
      'Zoë 😀 \u2028',
      'long '.repeat(50_000),
      ...Array.from({ length: 128 }, (_, code) => `a${String.fromCharCode(code)}é`),
    ];
    expect(texts.map((text) => written('text', text))).toEqual(texts.map((text) => JSON.stringify(text)));
  });

  it('amounts are the number they hold, without zeros of their scale', () => {
    const amounts = ['0', '10', '100', '10.00', '1.50', '-0.10', '0.000000000000001', '999999999999999', '12.0', '1200.340'];
    expect(amounts.map((amount) => written('amount', amount))).toEqual([
      '0',
      '10',
      '100',
      '10',
      '1.5',
      '-0.1',
      '0.000000000000001',
      '999999999999999',
      '12',
      '1200.34',
    ]);
  });

  it('moments have milliseconds, or microseconds where the value has them', () => {
    const moments = ['', '.1', '.12', '.123', '.1234', '.12345', '.123456'].map((fraction) => `2026-01-31 10:00:00${fraction}+00`);
    expect(moments.map((moment) => written('moment', moment))).toEqual(moments.map((moment) => JSON.stringify(isoTimestamp(moment))));
    expect(written('moment', moments[2]!)).toBe('"2026-01-31T10:00:00.120Z"');
  });

  it('flags and documents', () => {
    expect([written('flag', 't'), written('flag', 'f'), written('json', '{"a": [1, "é"]}')]).toEqual(['true', 'false', '{"a": [1, "é"]}']);
  });
});
