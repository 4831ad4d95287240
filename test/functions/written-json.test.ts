// JSON that is written in pieces, and digests of JSON. JSON.stringify is the judge of the texts; the digests were made with Python: hashlib, json.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBuffer } from '../../src/json/buffer.ts';
import { digestOf } from '../../src/json/digest.ts';
import { JsonFragment, jsonOf, textOf } from '../../src/json/fragment.ts';

function bufferOf(...texts: string[]): JsonBuffer {
  const out = new JsonBuffer();
  for (const text of texts) out.text(text);
  return out;
}

describe('buffer', () => {
  it('texts are quoted as JSON.stringify quotes them', () => {
    const quoted = (text: string): string => {
      const out = bufferOf('[');
      const bytes = Buffer.from(`x${text}y`);
      out.quote(bytes, 1, bytes.length - 1);
      return out.toString();
    };
    for (const text of ['', 'a', 'é𝄞', '"', '\\', '\n', '\u0000', '\u001f', ' ', '!', 'a"b\\c\u0007d', '\u007f\u2028'])
      expect(quoted(text)).toBe(`[${JSON.stringify(text)}`);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(quoted(text)).toBe(`[${JSON.stringify(text)}`);
      }),
      { numRuns: 50, seed: 1 },
    );
  });

  it('it grows with what is written, whichever way', () => {
    const part = 'é'.repeat(30_000);
    const bytes = Buffer.from(`<${part}>`);
    const other = bufferOf('(', part, ')');
    const out = bufferOf('0');
    let expected = '0';
    for (let round = 0; round < 3; round++) {
      out.copy(bytes, 1, bytes.length - 1);
      out.copy(bytes);
      out.copyPart(other, 1, other.length - 1);
      out.text(part);
      out.quote(bytes, 1, bytes.length - 1);
      expected += `${part}<${part}>${part}${part}"${part}"`;
      expect(out.length).toBe(Buffer.byteLength(expected));
      expect(out.bytes.equals(Buffer.from(expected))).toBe(true);
    }
    expect(out.toString()).toBe(expected);
  });

  it('a text, a copy and a quoted text each fit a buffer that they fill', () => {
    // A new buffer has 65,536 bytes. What is written to a view past its end would be lost.
    for (const free of [0, 1, 2, 3, 4, 5]) {
      const start = 'x'.repeat(65_536 - free);
      const write: ((out: JsonBuffer) => void)[] = [
        (out) => out.text('éé'),
        (out) => out.copy(Buffer.from('éé')),
        (out) => out.copyPart(bufferOf('éé'), 0, 4),
        (out) => out.quote(Buffer.from('éé'), 0, 4),
      ];
      for (const [index, one] of write.entries()) {
        const out = new JsonBuffer();
        out.text(start.slice(0, 10));
        out.copy(Buffer.from(start.slice(10)));
        one(out);
        expect(out.toString()).toBe(`${start}${index === 3 ? '"éé"' : 'éé'}`);
      }
    }
  });

  it('after its release it is empty, and what is written to it or a new one does not meet', () => {
    const first = bufferOf('first');
    first.release();
    expect([first.length, first.toString()]).toEqual([0, '']);
    const second = bufferOf('second');
    first.text('again');
    first.copy(Buffer.from('!'));
    expect([first.toString(), second.toString()]).toEqual(['again!', 'second']);
    second.release();
    second.release();
    const [third, fourth] = [bufferOf('third'), bufferOf('fourth')];
    expect([third.toString(), fourth.toString()]).toEqual(['third', 'fourth']);
  });

  it('buffers that are released are used again, sixteen of at most one megabyte', () => {
    const memory = (buffer: JsonBuffer): ArrayBufferLike => buffer.bytes.buffer;
    const make = (count: number): JsonBuffer[] => Array.from({ length: count }, () => bufferOf('x'));
    const release = (buffers: JsonBuffer[]): Set<ArrayBufferLike> => {
      const memories = new Set(buffers.map(memory));
      for (const buffer of buffers) buffer.release();
      return memories;
    };
    // Whatever earlier tests left is taken and dropped.
    make(16);
    const released = release(make(20));
    const again = make(20);
    expect(again.filter((buffer) => released.has(memory(buffer)))).toHaveLength(16);
    const large = bufferOf('x'.repeat(1_048_577));
    const largest = bufferOf('x'.repeat(349_525));
    expect([large.bytes.buffer.byteLength > 1_048_576, largest.bytes.buffer.byteLength]).toEqual([true, 1_048_575]);
    const kept = release([large, largest]);
    const next = make(2).map((buffer) => kept.has(memory(buffer)));
    expect(next).toEqual([true, false]);
  });
});

describe('fragments', () => {
  const value = { a: [1, 'é'], b: null };
  const text = JSON.stringify(value);

  it('a result without fragments is the text of JSON.stringify', () => {
    expect(jsonOf({ data: value })).toBe(JSON.stringify({ data: value }));
    expect(textOf(jsonOf({ data: value }))).toBe(JSON.stringify({ data: value }));
    expect(jsonOf(undefined)).toBe('null');
  });

  it('one that is all of its text or buffer is between the rest of the result as it is', () => {
    expect(jsonOf({ data: new JsonFragment(text), more: 1 })).toBe(`{"data":${text},"more":1}`);
    const output = bufferOf(text);
    const json = jsonOf({ data: new JsonFragment(output), more: 1 });
    expect(json).toEqual(['{"data":', output, ',"more":1}']);
    expect(textOf(json)).toBe(`{"data":${text},"more":1}`);
  });

  it('several, and parts of a buffer, are in one buffer in their order, and their own are released', () => {
    const output = bufferOf('[', text, ',', '"two"', ']');
    const end = 1 + Buffer.byteLength(text);
    const [one, two] = [new JsonFragment(output, 1, end), new JsonFragment(output, end + 1, end + 6)];
    expect([one.isWhole, two.isWhole, new JsonFragment(output).isWhole]).toEqual([false, false, true]);
    expect([new JsonFragment(output, 0, 5).isWhole, new JsonFragment(output, 1).isWhole]).toEqual([false, false]);
    expect(JSON.parse(JSON.stringify([one, two, new JsonFragment(text)]))).toEqual([value, 'two', value]);
    const json = jsonOf({ two, list: [one, new JsonFragment('"three"')] });
    expect(textOf(json)).toBe(`{"two":"two","list":[${text},"three"]}`);
    expect(output.length).toBe(0);
  });

  it('one part of a buffer alone is without the rest of the buffer', () => {
    expect(textOf(jsonOf({ data: new JsonFragment(bufferOf('[1,2]'), 1, 2) }))).toBe('{"data":1}');
    expect(textOf(jsonOf([new JsonFragment('1'), new JsonFragment('2')]))).toBe('[1,2]');
  });

  it('a fragment outside a result is its value, also after a result that failed', () => {
    const failing = {
      toJSON: () => {
        throw new Error('failed');
      },
    };
    expect(() => jsonOf([new JsonFragment('1'), failing])).toThrow('failed');
    expect(JSON.stringify([new JsonFragment(text)])).toBe(`[${text}]`);
  });
});

describe('digests', () => {
  const value = { b: [{ d: 1, c: 'é' }, null], a: { z: true, y: 1.5 } };

  it('are SHA-256 of the JSON with its names sorted', () => {
    expect(digestOf(value)).toBe('58007f369e9d1de53e96c045cd7a057af61c7ea9ad0545b7c6094013026fd70d');
    expect(digestOf(value, 'base64url')).toBe('WAB_Np6dHeU-lsBFzXoFevYcfqmtBUW3xglAEwJv1w0');
    expect(digestOf({ a: { y: 1.5, z: true }, b: [{ c: 'é', d: 1 }, null] })).toBe(digestOf(value));
  });

  it('depend on the order of lists, on names, and on values', () => {
    const digests = [value, { ...value, b: value.b.toReversed() }, { ...value, c: null }, [], {}, null, 'null', 0].map((one) =>
      digestOf(one),
    );
    expect(new Set(digests).size).toBe(digests.length);
  });
});
