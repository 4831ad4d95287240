// JSON read as it was written: numbers with all their digits, names that an object has twice, and bytes that are UTF-8. RFC 8259 is the judge.
import { describe, expect, it } from 'vitest';
import { decodeUtf8, exactReviver, parseExact, parseSourceJson, parseWritten, RepeatedName } from '../../src/json/exact-json.ts';

const marked = (source: string): string => `<${source}>`;

describe('numbers', () => {
  it.each<[string, unknown]>([
    ['1', 1],
    ['-0.1', -0.1],
    ['123456789012345', 123456789012345],
    // 16 digits: 2^53 - 1 is exact, 2^53 + 1 is not.
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '<9007199254740993>'],
    ['0.1234567890123456', '<0.1234567890123456>'],
    ['12345678.12345678', '<12345678.12345678>'],
    ['1e400', '<1e400>'],
    ['1E+400', '<1E+400>'],
    ['1.5e-400', '<1.5e-400>'],
    ['1e22', 1e22],
    ['1e100', 1e100],
    ['[1,{"a":9007199254740993,"b":"9007199254740993"}]', [1, { a: '<9007199254740993>', b: '9007199254740993' }]],
  ])('%s', (text, value) => {
    expect(parseExact(text, marked)).toEqual(value);
  });

  it('of a source stay text, and of a caller too', () => {
    expect(parseSourceJson('[9007199254740993]')).toEqual(['9007199254740993']);
    expect(parseWritten('[9007199254740993]')).toEqual(['9007199254740993']);
    expect(parseWritten('[9007199254740993]', marked)).toEqual(['<9007199254740993>']);
  });

  it('a reviver without the source of a number leaves it', () => {
    expect(exactReviver(marked).call({}, 'a', 2 ** 53, undefined)).toBe(2 ** 53);
    expect(exactReviver(marked).call({}, 'a', '9007199254740993', { source: '9007199254740993' })).toBe('9007199254740993');
  });
});

describe('names', () => {
  it.each([
    '{}',
    '[]',
    'null',
    '"a"',
    '{"a":null}',
    '{"a":1,"b":{"a":1,"b":[{"a":1},{"a":[[{"a":{}}]]}]}}',
    '{"a:b":":","c":"\\":","d\\\\":"\\\\","e\\"":"\\\\\\""}',
    '{"":1," ":2}',
    '[{"a":{"b":{"c":1}}},[{"a":"x"}],null,1,"a"]',
    ' { "a" : [ { "b" : 1 } , { "b" : 2 } ] } ',
  ])('%s has each name once', (text) => {
    expect(parseWritten(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"b":{"a":1},"a":1,"a":1}', 'a'],
    ['[{"a":1},{"a":1,"b":2,"a":3}]', 'a'],
    ['{"c":[{"a":{"b":1,"b":2}}]}', 'b'],
    ['{"c":[[],{},"b",{"b":1}],"b":1,"c":2}', 'c'],
    // By what they say, not by how they are written.
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\"":1,"\\u0022":2}', '"'],
    ['{ "a" : 1 ,\n\t"a"\r\n:\t2 }', 'a'],
    ['{"":1,"":2}', ''],
    ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
    ['{"x":"a","a":"a","y":":","a":1}', 'a'],
    ['{"a":{"x":1},"b":[1],"a":{"x":2}}', 'a'],
  ])('%s has one twice', (text, name) => {
    const message = `an object has the name ${JSON.stringify(name)} twice`;
    expect(() => parseWritten(text)).toThrow(new RepeatedName(name));
    expect(() => parseWritten(text)).toThrow(message);
  });

  it('the name is shown by its first sixty characters', () => {
    const name = 'n'.repeat(61);
    expect(() => parseWritten(`{"${name}":1,"${name}":2}`)).toThrow(/name "n{60}" twice$/);
  });

  it('a number of names that was counted before is believed', () => {
    expect(parseWritten('{"a":1,"b":2}', undefined, 2)).toEqual({ a: 1, b: 2 });
    expect(() => parseWritten('{"a":1,"a":2}', undefined, 2)).toThrow(RepeatedName);
  });

  it('a text that is no JSON is rejected as JSON.parse rejects it', () => {
    for (const text of ['', '{', '{"a"}', '"a', '"a\\"', '{"a":1,}', '{"a":12345678901234567890'])
      expect(() => parseWritten(text), text).toThrow(SyntaxError);
  });
});

it('bytes are read as UTF-8 without a mark of the byte order, and others are rejected', () => {
  expect(decodeUtf8(Buffer.from('c3a9f09d849e', 'hex'))).toBe('é𝄞');
  expect(decodeUtf8(Buffer.from('efbbbf7b7d', 'hex'))).toBe('{}');
  for (const bytes of ['c3', 'e9', 'eda080', 'c080', 'ff']) expect(() => decodeUtf8(Buffer.from(bytes, 'hex')), bytes).toThrow(TypeError);
});
