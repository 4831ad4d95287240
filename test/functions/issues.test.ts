// Issues of input as functions: which are listed, which are counted, and where their texts are cut.
import { describe, expect, it } from 'vitest';
import { accept, below, failed, Gathering, isPlainObject, memberOf, passed, refuseUnknown } from '../../src/records/checked.ts';
import { listed, MAX_ISSUES, MAX_TEXT, shortened, sizeOf } from '../../src/records/input-issue.ts';

const issue = (field: string, message = `${field} is wrong`) => ({ field, code: 'INVALID_VALUE' as const, message });

describe('checks', () => {
  it('a value passes with warnings where there are any', () => {
    expect(passed(1)).toEqual({ ok: true, value: 1 });
    expect(passed(1, ['old'])).toEqual({ ok: true, value: 1, warnings: ['old'] });
    expect(failed('a', 'INVALID_VALUE', 'a is wrong')).toEqual({ ok: false, issues: [issue('a')] });
  });

  it('the issues of a part have the path of the part before their fields', () => {
    expect(below('data[0].', { issues: [issue('a'), issue('b')], count: 5 })).toEqual({
      issues: [
        { ...issue('a'), field: 'data[0].a' },
        { ...issue('b'), field: 'data[0].b' },
      ],
      count: 5,
    });
  });

  it('a value is accepted, or one error names all issues', () => {
    expect(accept(passed('x'), 'input.')).toBe('x');
    const error = expect.objectContaining({
      code: 'INVALID_PARAMS',
      message: 'a is wrong',
      info: { field: 'input.a', issues: [{ ...issue('a'), field: 'input.a' }] },
    });
    expect(() => accept({ ok: false, issues: [issue('a')] }, 'input.')).toThrow(error);
    expect(() => accept({ ok: false, issues: [issue('a')], count: 3 }, 'input.', 'INVALID_CURSOR')).toThrow(
      expect.objectContaining({ code: 'INVALID_CURSOR', message: 'a is wrong (and 2 more)' }),
    );
  });

  it('a member of what is an object, and of nothing else', () => {
    expect([{ a: 1 }, { b: 1 }, ['a'], null, 'a', undefined].map((value) => memberOf(value, 'a'))).toEqual([
      1,
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(memberOf('text', 'length')).toBe(undefined);
    expect(memberOf(['a'], 'length')).toBe(undefined);
    expect([{}, [], null, 'a', 1, undefined].map(isPlainObject)).toEqual([true, false, false, false, false, false]);
  });
});

describe('gathering', () => {
  it('gives the value with all warnings, or all issues', () => {
    const gathering = new Gathering();
    expect([gathering.take(passed(1, ['one'])), gathering.take(passed(2)), gathering.take(passed(3, ['two', 'three']))]).toEqual([1, 2, 3]);
    gathering.refuse();
    expect(gathering.finish(() => 'made')).toEqual({ ok: true, value: 'made', warnings: ['one', 'two', 'three'] });
    expect(gathering.take({ ok: false, issues: [issue('a')] })).toBe(undefined);
    gathering.add('b', 'REQUIRED', 'b is required');
    expect(
      gathering.finish(() => {
        throw new Error('made without its fields');
      }),
    ).toEqual({ ok: false, issues: [issue('a'), { field: 'b', code: 'REQUIRED', message: 'b is required' }], count: 2 });
    expect(() => gathering.refuse()).toThrow('a is wrong (and 1 more)');
  });

  it('lists the first hundred and all that were listed elsewhere, and counts all', () => {
    const gathering = new Gathering();
    for (let index = 0; index < 99; index++) gathering.add(`f${index}`, 'INVALID_VALUE', 'x');
    gathering.addAll({ issues: [issue('a'), issue('b')], count: 10 });
    gathering.addAll({ issues: [issue('c')] });
    expect([gathering.issues.length, gathering.issues.at(-1)!.field, gathering.count]).toEqual([MAX_ISSUES + 2, 'c', 110]);
  });

  it('lists issues until their characters are the maximum', () => {
    const gathering = new Gathering();
    // A field of 4 and a message of 1,996 characters: four are 8,000.
    for (const field of ['aaaa', 'bbbb', 'cccc']) gathering.add(field, 'INVALID_VALUE', 'x'.repeat(1_996));
    gathering.add('dddd', 'INVALID_VALUE', 'x'.repeat(1_995));
    gathering.add('eeee', 'INVALID_VALUE', 'x'.repeat(1_996));
    gathering.add('ffff', 'INVALID_VALUE', 'x');
    expect(gathering.issues.map(({ field }) => field)).toEqual(['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']);
    expect(gathering.count).toBe(6);
    const full = new Gathering();
    for (const field of ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee']) full.add(field, 'INVALID_VALUE', 'x'.repeat(1_996));
    expect(full.issues).toHaveLength(4);
  });

  it('names one issue of each record of a list, short and without its values once the list is full', () => {
    const gathering = new Gathering();
    for (let index = 0; index < 100; index++) gathering.add(`f${index}`, 'INVALID_VALUE', 'x');
    gathering.beginRecord();
    gathering.add('first', 'INVALID_VALUE', 'y'.repeat(300), { allowed: ['A'] });
    gathering.add('second', 'INVALID_VALUE', 'z');
    gathering.beginRecord();
    gathering.add('third', 'INVALID_VALUE', 'z');
    expect(gathering.issues.slice(100)).toEqual([
      { field: 'first', code: 'INVALID_VALUE', message: `${'y'.repeat(200)}…` },
      { field: 'third', code: 'INVALID_VALUE', message: 'z' },
    ]);
    expect(gathering.count).toBe(103);
  });

  it('a record whose first issue is listed has no other once the list is full', () => {
    const gathering = new Gathering();
    gathering.beginRecord();
    for (let index = 0; index < 102; index++) gathering.add(`f${index}`, 'INVALID_VALUE', 'x');
    expect(gathering.issues).toHaveLength(100);
  });

  it('long choices are listed once, short ones are values of each issue', () => {
    const gathering = new Gathering();
    for (const field of ['a', 'b']) gathering.add(field, 'INVALID_VALUE', `${field} is wrong`, { choices: '; allowed: X, Y' });
    gathering.add('c', 'INVALID_VALUE', 'c is wrong', { choices: '; allowed: Z' });
    for (const field of ['d', 'e']) gathering.add(field, 'INVALID_VALUE', `${field} is wrong`, { allowed: ['V'] });
    gathering.addAll({ issues: [{ ...issue('f'), allowed: ['W'] }] });
    expect(gathering.issues).toEqual([
      issue('a', 'a is wrong; allowed: X, Y'),
      issue('b'),
      issue('c', 'c is wrong; allowed: Z'),
      { ...issue('d'), allowed: ['V'] },
      { ...issue('e'), allowed: ['V'] },
      { ...issue('f'), allowed: ['W'] },
    ]);
  });

  it('names and sentences are cut after two thousand characters', () => {
    const gathering = new Gathering();
    gathering.add('f'.repeat(2_001), 'INVALID_VALUE', 'm'.repeat(2_001));
    expect(gathering.issues).toEqual([issue(`${'f'.repeat(2_000)}…`, `${'m'.repeat(2_000)}…`)]);
  });

  it('each field that is not allowed is an issue, and the allowed ones are listed once', () => {
    const gathering = new Gathering();
    refuseUnknown({ a: 1, b: 2, x: 3, y: 4, [`z${'z'.repeat(2_000)}`]: 5 }, ['a', 'b', 'c'], gathering, 'input.');
    refuseUnknown({ a: 1 }, ['a'], gathering);
    refuseUnknown({ w: 1 }, ['a'], gathering);
    expect(gathering.issues.map(({ field, code, message }) => [field.slice(0, 9), code, message.length > 100 ? 'long' : message])).toEqual([
      ['input.x', 'UNKNOWN_FIELD', 'input.x is not a field here; allowed: a, b, c'],
      ['input.y', 'UNKNOWN_FIELD', 'input.y is not a field here'],
      ['input.zzz', 'UNKNOWN_FIELD', 'long'],
      ['w', 'UNKNOWN_FIELD', 'w is not a field here; allowed: a'],
    ]);
  });
});

describe('bounds', () => {
  it('a text is cut where it is too long, and never in a pair of surrogates', () => {
    expect([shortened('abc', 3), shortened('abcd', 3), shortened('ab😀', 3)]).toEqual(['abc', 'abc…', 'ab\ufffd…']);
    expect(shortened('x'.repeat(2_000))).toBe('x'.repeat(2_000));
    expect(shortened('x'.repeat(2_001))).toBe(`${'x'.repeat(2_000)}…`);
  });

  it('an issue has the characters of its texts', () => {
    expect(sizeOf({ field: 'ab', message: 'cde' })).toBe(5);
    expect(sizeOf({ field: 'ab', column: 'f', message: 'cde', allowed: ['gh', 'i'] })).toBe(9);
  });

  it('a list of issues ends at the hundredth, or where its texts are the maximum', () => {
    const numbers = Array.from({ length: 101 }, (_, index) => index);
    expect(listed(numbers, () => 1)).toEqual(numbers.slice(0, 100));
    expect(listed(numbers.slice(0, 100), () => 1)).toHaveLength(100);
    expect(listed([1, 2, 3, 4], () => MAX_TEXT / 2)).toEqual([1, 2]);
    expect(listed([1, 2, 3, 4], () => MAX_TEXT / 2 - 1)).toEqual([1, 2, 3]);
    expect(listed([1, 2], () => MAX_TEXT)).toEqual([1]);
    expect(listed([], () => 1)).toEqual([]);
  });
});
