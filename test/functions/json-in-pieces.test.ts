// JSON in pieces of 64 bytes: JSON.parse of the whole text is the judge.
// test/process/json-pieces.test.ts has pieces of their usual length.
import { describe, expect, it } from 'vitest';
import { parseInPieces } from '../../src/json/pieces.ts';

/** A thousandth of the usual length. */
const PIECE = 64;
/** Longer than a piece. */
const long = 'x'.repeat(70);
const blanks = ' \t\n\r'.repeat(18);

interface Piece {
  text: string;
  names: number | undefined;
}

/** The value of a text, and the pieces that were parsed. */
async function inPieces(text: string): Promise<{ value: unknown; pieces: Piece[] }> {
  const pieces: Piece[] = [];
  const value = await parseInPieces(
    Buffer.from(text),
    (piece, names) => {
      pieces.push({ text: piece, names });
      return JSON.parse(piece);
    },
    PIECE,
  );
  return { value, pieces };
}

const entries = (count: number): string[] => Array.from({ length: count }, (_, index) => `{"id":${index},"text":"],[},{:é\\"\\\\"}`);
const members = (count: number): string[] => Array.from({ length: count }, (_, index) => `"m${index}":[${index},{"a":",:"}]`);

describe('values', () => {
  it.each<[string, string]>([
    ['a list of small entries', `[${entries(20).join()}]`],
    ['an object of small members', `{${members(20).join()}}`],
    ['a list with a long entry first', `["${long}",1,2]`],
    ['a list with a long entry between small ones', `[1,[2],"${long}",{"a":3},4]`],
    ['a list with a long entry last', `[1,2,"${long}"]`],
    ['a list with several long entries', `["${long}","${long}",["${long}"]]`],
    ['an object with a long member first', `{"a":"${long}","b":1,"c":[2]}`],
    ['an object with a long member between small ones', `{"a":1,"b":{"c":"${long}"},"d":2}`],
    ['an object with a long member last', `{"a":1,"b":2,"c":["${long}"]}`],
    ['names of escapes before long values', `{"\\u0061\\"\\\\":"${long}", "\\n:" \t\n\r: ["${long}"]}`],
    ['blanks of each kind around everything', `${blanks}[${blanks}"${long}"${blanks},${blanks}1${blanks}]${blanks}`],
    ['blanks of each kind in an object', `${blanks}{${blanks}"a"${blanks.slice(0, 9)}:${blanks}"${long}"${blanks},"b":1}${blanks}`],
    ['an empty list of blanks', `[${blanks}]`],
    ['an empty object of blanks', `{${blanks}}`],
    ['a long text alone', `"${long}"`],
    ['a long number', '1'.repeat(70)],
    ['a name that sets the prototype, with a long value', `{"__proto__":{"a":"${long}"},"b":1}`],
    ['a name that sets the prototype, with a short value', `{"__proto__":[1],"b":"${long}"}`],
    ['a name longer than a piece', `{"${long}":"${long}"}`],
    ['twenty levels', `${'{"a":[1,'.repeat(10)}"${long}"${',2]}'.repeat(10)}`],
    ['texts of commas and brackets', `["${'],'.repeat(40)}",{"a":"${'\\"},{'.repeat(20)}"},1]`],
  ])('%s', async (_, text) => {
    const { value } = await inPieces(text);
    expect(value).toEqual(JSON.parse(text));
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
  });

  it.each<[string, string]>([
    ['nothing between commas', `["${long}",,1]`],
    ['blanks between commas', `["${long}",${blanks},1]`],
    ['nothing before the first comma', `[,"${long}"]`],
    ['nothing after the last comma', `["${long}",]`],
    ['nothing after the last comma of an object', `{"a":"${long}",}`],
    ['nothing before the first comma of an object', `{,"a":"${long}"}`],
    ['two values', `["${long}"]["${long}"]`],
    ['a closing bracket too early', `[["${long}"]],[["${long}"]]`],
    ['brackets of two kinds', `["${long}"}`],
    ['a list in the brackets of an object', `{"${long}"]`],
    ['no closing bracket', `["${long}"`],
    ['no closing quote', `["${long}]`],
    ['no value', `{"a":"${long}","b":}`],
    ['no name', `{"${long}","a":1}`],
    ['a number as a name of a long value', `{1:"${long}"}`],
    ['a name and a word before a long value', `{"a" "b":"${long}"}`],
    ['a word before a name', `{x"a":"${long}"}`],
    ['a comma within a value', `{"a":"${long}" 1,"b":2}`],
    ['only blanks', blanks],
  ])('%s is no JSON', async (_, text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    await expect(inPieces(text)).rejects.toThrow(SyntaxError);
  });

  it('a member whose name would set the prototype is one like others', async () => {
    const { value } = await inPieces(`{"__proto__":"${long}"}`);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')).toEqual(Object.getOwnPropertyDescriptor({ a: long }, 'a'));
  });

  it('bytes: a mark of the byte order is left out once, and others than UTF-8 are rejected', async () => {
    const text = JSON.stringify({ a: `é𝄞${long}`, b: ['ß'.repeat(40), 1] });
    expect((await inPieces(`\ufeff${text}`)).value).toEqual(JSON.parse(text));
    await expect(inPieces(`\ufeff\ufeff${text}`)).rejects.toThrow(SyntaxError);
    const bytes = Buffer.from(`["${long}","?"]`);
    bytes[bytes.indexOf('?')] = 0xe9;
    await expect(parseInPieces(bytes, (piece) => JSON.parse(piece), PIECE)).rejects.toThrow(TypeError);
    await expect(parseInPieces(Buffer.from([0x22, 0xe9, 0x22]), (piece) => JSON.parse(piece), PIECE)).rejects.toThrow(TypeError);
  });

  it.each([
    ['two short members', `{"a":1,"b":"${long}","a":2}`],
    ['two long members', `{"a":"${long}","a":"${long}"}`],
    ['a long and a short member', `{"a":"${long}","a":1}`],
    ['a long and a short member with another spelling', `{"\\u0061":"${long}","a":1}`],
    ['members far away from each other', `{"a":1,${members(20).join()},"a":2}`],
  ])('a name that an object has twice is rejected: %s', async (_, text) => {
    await expect(inPieces(text)).rejects.toThrow('an object has the name "a" twice');
  });
});

describe('pieces', () => {
  it('a text of up to one piece is parsed whole, and a longer one is not', async () => {
    const list = (length: number): string => `[1,"${'x'.repeat(length - 6)}"]`;
    expect((await inPieces(list(64))).pieces).toEqual([{ text: list(64), names: undefined }]);
    // Counted, though its entries are one piece together.
    for (const length of [65, 66]) expect((await inPieces(list(length))).pieces).toEqual([{ text: list(length), names: 0 }]);
    expect((await inPieces(list(67))).pieces.map(({ text }) => text.length)).toEqual([3, 65]);
    expect((await inPieces(`${blanks}${list(64)}${blanks}`)).pieces).toEqual([{ text: list(64), names: undefined }]);
  });

  it('small entries come in pieces as long as one may be, each with the number of its names', async () => {
    for (const [open, close, entry] of [
      ['[', ']', (index: number) => `{"a":${index},"é":[","]}`],
      ['{', '}', (index: number) => `"m${index}":{"a:":1}`],
    ] as const) {
      const small = Array.from({ length: 50 }, (_, index) => entry(index));
      const runs: string[] = [small[0]!];
      for (const one of small.slice(1)) {
        const longer = `${runs.at(-1)},${one}`;
        if (Buffer.byteLength(longer) <= PIECE) runs[runs.length - 1] = longer;
        else runs.push(one);
      }
      const { pieces } = await inPieces(`${open}${small.join()}${close}`);
      expect(pieces).toEqual(runs.map((run) => ({ text: open + run + close, names: run.match(/":/g)!.length })));
    }
  });

  it('a long entry is read by its own entries, and those around it with their neighbours', async () => {
    const { pieces } = await inPieces(`[1,{"a":2},{"name":[3,"${long}"],"c":4},{"d":5},6]`);
    expect(pieces.map(({ text, names }) => [text.replace(long, 'long'), names])).toEqual([
      ['[1,{"a":2}]', 1],
      // The name, then the list of its value.
      ['"name"', undefined],
      ['[3]', 0],
      ['"long"', undefined],
      ['{"c":4}', 1],
      ['[{"d":5},6]', 1],
    ]);
  });

  it('entries of more than eight levels are parsed whole', async () => {
    const nested = (levels: number): string => `${'[1,'.repeat(levels)}"${long}"${']'.repeat(levels)}`;
    const whole = async (levels: number): Promise<string> => (await inPieces(nested(levels))).pieces.at(-1)!.text.replace(long, 'long');
    expect(await whole(8)).toBe('"long"');
    expect(await whole(9)).toBe('[1,"long"]');
    expect(await whole(10)).toBe('[1,[1,"long"]]');
    const objects = `${'{"a":'.repeat(10)}"${long}"${'}'.repeat(10)}`;
    expect((await inPieces(objects)).pieces.at(-1)!.text.replace(long, 'long')).toBe('{"a":{"a":"long"}}');
  });
});
