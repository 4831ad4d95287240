// Large JSON parsed in pieces is what JSON.parse makes of it, and is rejected where JSON.parse rejects it.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseWritten } from '../../src/json/exact-json.ts';
import { parseInPieces } from '../../src/json/pieces.ts';
import { watchTurns } from '../support/loop-turns.ts';

type Result = { value: unknown } | { refused: true };

const whole = (text: string): Result => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { refused: true };
  }
};

const inPieces = (text: string, parse: (text: string, names?: number) => unknown = (piece) => JSON.parse(piece)): Promise<Result> =>
  parseInPieces(Buffer.from(text), parse).then(
    (value): Result => ({ value }),
    (): Result => ({ refused: true }),
  );

const filler = fc.constantFrom(
  () => 'x'.repeat(70_000),
  () => '\\"\\\\'.repeat(12_000),
  () => Array.from({ length: 9_000 }, (_, index) => ({ a: index, b: [null, '],[', '},{'] })),
  () => Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`k${index}`, index % 7])),
  () => Array.from({ length: 40_000 }, () => 1),
);

/** JSON values with large parts at any place. */
const large = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    filler.map((make) => make()),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', '1', 'a')), tie('value'), { maxKeys: 4 }),
  ),
})).value;

const written = fc.tuple(large, fc.constantFrom(0, 1, 3)).map(([value, indent]) => JSON.stringify(value, null, indent));

it('any value is the same in pieces', async () => {
  await fc.assert(
    fc.asyncProperty(written, async (text) => {
      // By the names that were counted, of which any other number is an error.
      const counted = await inPieces(text, (piece, names) => parseWritten(piece, Number, names));
      expect(isDeepStrictEqual(counted, whole(text))).toBe(true);
    }),
    { numRuns: 60, seed: 1 },
  );
}, 120_000);

it('a text in which a sign is missing, added or another is rejected as JSON.parse rejects it', async () => {
  const damage = fc.tuple(
    written,
    fc.double({ min: 0, max: 0.999, noNaN: true }),
    fc.constantFrom('', '', ',', '[', ']', '{', '}', '"', ':', '\\', ' '),
    fc.nat(1),
  );
  await fc.assert(
    fc.asyncProperty(damage, async ([text, share, sign, removed]) => {
      // Near a sign that matters, which most of a long text are not.
      const at = Math.max(text.slice(Math.floor(share * text.length)).search(/[[\]{},:"]/), 0) + Math.floor(share * text.length);
      const wrong = text.slice(0, at) + sign + text.slice(at + removed);
      expect(isDeepStrictEqual(await inPieces(wrong), whole(wrong))).toBe(true);
    }),
    { numRuns: 300, seed: 1 },
  );
}, 240_000);

const blanks = ' '.repeat(70_000);
const long = `"${'x'.repeat(70_000)}"`;

it.each<[string, string]>([
  ['a list of blanks', `[${blanks}]`],
  ['an object of blanks', `{${blanks}}`],
  ['blanks between commas', `[1,${blanks},2]`],
  ['blanks after the last comma', `[${long},${blanks}]`],
  ['blanks after the last comma of an object', `{"a":${long},${blanks}}`],
  ['nothing after the last comma', `[${long},]`],
  ['nothing after the last comma of an object', `{"a":${long},}`],
  ['nothing before the first comma', `[,${long}]`],
  ['two lists', `[${long}][${long}]`],
  ['two lists within one', `[[${long},1]][[1,${long}]]`],
  ['two objects within one', `{"a":{"b":${long}}},{"c":{"d":${long}}}`],
  ['a value without a name', `{${long},${long}}`],
  ['a number as a name', `{1:${long}}`],
  ['a name of escapes', `{"\\u0061\\"":${long},"\\u0061":[${long}]}`],
  ['only blanks', blanks],
  ['a deep list', `${'['.repeat(1_000)}${long}${']'.repeat(1_000)}`],
  ['a list in lists', `${'['.repeat(20)}${long},${long}${']'.repeat(20)}`],
])('%s is read as JSON.parse reads it', async (_, text) => {
  expect(isDeepStrictEqual(await inPieces(text), whole(text))).toBe(true);
});

it('a mark of the byte order is no part of the value, and characters of several bytes are whole', async () => {
  const text = JSON.stringify({ 'é"\\': ['ü€𝄞"\\'.repeat(20_000), { 'é"\\': 'ß'.repeat(40_000) }] });
  for (const mark of ['', '\ufeff']) expect(await inPieces(mark + text)).toEqual(whole(text));
});

it('bytes that are not UTF-8 are rejected', async () => {
  const bytes = Buffer.from(`{"a":${long},"b":"?"}`);
  bytes[bytes.indexOf('?')] = 0xe9;
  await expect(parseInPieces(bytes, (piece) => JSON.parse(piece))).rejects.toThrow(TypeError);
});

it('a name that an object has twice is rejected, in one piece and in several', async () => {
  await expect(parseInPieces(Buffer.from(`{"a":${long},"b":1,"a":2}`), (piece) => JSON.parse(piece))).rejects.toThrow('the name "a" twice');
  const text = `{"a":[{"b":1},{"b":2,"c":{"b":3},"\\u0062":4}],"d":"\\"b\\":1"}`;
  for (const padding of ['', blanks])
    await expect(parseInPieces(Buffer.from(text + padding), (piece, counted) => parseWritten(piece, undefined, counted))).rejects.toThrow(
      'the name "b" twice',
    );
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(names, fc.nat(5), fc.jsonValue(), async (some, at, value) => {
      const member = (name: string): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`;
      expect(parseWritten(`{${some.map(member).join()}}`, Number)).toEqual(
        Object.fromEntries(some.map((name) => [name, JSON.parse(JSON.stringify(value))])),
      );
      expect(() => parseWritten(`{${[...some, some[at % some.length]!].map(member).join(' , ')}}`)).toThrow('twice');
    }),
    { seed: 1 },
  );
});

it('no piece of a list of records is longer than two pieces, and other work is done between them', async () => {
  const records = Array.from({ length: 60_000 }, (_, index) => ({
    platform_id: `p${index}`,
    name: 'x'.repeat(100),
    line_items: [{ quantity: 1 }],
  }));
  const lengths: number[] = [];
  const text = JSON.stringify({ data: records });
  const bytes = Buffer.from(text);
  const turns = watchTurns();
  await parseInPieces(bytes, (piece) => {
    lengths.push(piece.length);
    return JSON.parse(piece);
  });
  const { longest, all } = await turns();
  expect(Math.max(...lengths)).toBeLessThan(131_072);
  expect(longest).toBeLessThan(all / 4);
});
