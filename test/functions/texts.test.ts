// Texts as functions: what fields accept, keys in their one form, what the database can hold, names in other spellings, and texts as lists compare
// them. Unicode (UAX 15, RFC 8264 and 8265) is the judge of keys.
import { describe, expect, it } from 'vitest';
import { constantCase, snakeCase, snakePath, spokenName } from '../../src/records/naming.ts';
import { folded, searchScope, searchText } from '../../src/records/search-text.ts';
import { isStorable, isStorableText, storable, storableText } from '../../src/records/storable.ts';
import {
  checkDate,
  checkMailAddress,
  checkOneOf,
  checkText,
  checkWebAddress,
  isCalendarDate,
  keyIssue,
  keyText,
  line,
  textOf,
} from '../../src/records/text.ts';

const passed = (value: unknown) => ({ ok: true, value });
const failed = (code: string, message: string) => ({ ok: false, issues: [{ field: 'name', code, message: `name ${message}` }] });

describe('text', () => {
  it('is trimmed, and is not empty, longer than its limit or what the database cannot hold', () => {
    expect(checkText('name', ' a b\t', { max: 3 })).toEqual(passed('a b'));
    expect(checkText('name', ' abcd ', { max: 3 })).toEqual(failed('TOO_LONG', 'must have at most 3 characters, it has 4'));
    for (const value of ['', ' \t\n']) expect(checkText('name', value, { max: 3 })).toEqual(failed('REQUIRED', 'must not be empty'));
    for (const value of [7, null, undefined, ['a']])
      expect(checkText('name', value, { max: 3 })).toEqual(failed('INVALID_TYPE', 'must be a string'));
    for (const value of ['a\u0000b', 'a\ud800b'])
      expect(checkText('name', value, { max: 3 })).toEqual(failed('INVALID_FORMAT', 'must be well-formed text without NUL characters'));
    expect(textOf({ max: 2 })('name', 'ab', {})).toEqual(passed('ab'));
  });

  it('is one line where the rule says so', () => {
    expect(checkText('name', 'a\nb', { max: 9 })).toEqual(passed('a\nb'));
    for (const text of ['a\nb', 'a\u0007b', 'a\u0085b'])
      expect(line(9)('name', text, {})).toEqual(failed('INVALID_FORMAT', 'must not contain control characters'));
    expect(line(3)('name', 'a b', {})).toEqual(passed('a b'));
    expect(line(3)('name', 'abcd', {})).toEqual(failed('TOO_LONG', 'must have at most 3 characters, it has 4'));
  });

  it('has the form of a pattern after it is trimmed', () => {
    const rule = { max: 9, pattern: /^\d+$/, patternHint: 'be digits' };
    expect(checkText('name', ' 12 ', rule)).toEqual(passed('12'));
    expect(checkText('name', '1x', rule)).toEqual(failed('INVALID_FORMAT', 'must be digits'));
  });

  it('is one of a list', () => {
    expect(checkOneOf('name', ' b ', ['a', 'b'])).toEqual(passed('b'));
    expect(checkOneOf('name', 'B', ['a', 'b'])).toEqual(failed('INVALID_VALUE', 'must be one of: a, b'));
    expect(checkOneOf('name', 1, ['a', 'b'])).toEqual(failed('INVALID_TYPE', 'must be a string'));
  });
});

describe('days and addresses', () => {
  it.each([
    ['2026-01-31', true],
    ['2024-02-29', true],
    ['0001-01-01', true],
    ['9999-12-31', true],
    ['2023-02-29', false],
    ['2026-04-31', false],
    ['2026-13-01', false],
    ['2026-00-01', false],
    ['2026-01-00', false],
    ['0000-01-01', false],
    ['2026-1-31', false],
    ['02026-01-31', false],
    ['2026-01-311', false],
    ['2026-01-31T00:00', false],
    ['', false],
  ])('%s is a day of the calendar: %j', (text, is) => {
    expect(isCalendarDate(text)).toBe(is);
    expect(checkDate('name', ` ${text}\n`)).toEqual(
      is ? passed(text) : failed('INVALID_FORMAT', 'must be a calendar date written YYYY-MM-DD'),
    );
  });

  it('a day is a text', () => {
    for (const value of [20260131, null, new Date()]) expect(checkDate('name', value)).toEqual(failed('INVALID_TYPE', 'must be a string'));
  });

  it.each([
    ['https://a.example/b?c=d#e', true],
    ['http://a.example', true],
    ['HTTPS://A.example', true],
    [' https://bücher.example ', true],
    [`https://a.example/${'x'.repeat(2_030)}`, true],
    ['https://localhost', false],
    ['ftp://a.example', false],
    ['xhttps://a.example', false],
    ['httpsx://a.example', false],
    ['https://user@a.example', false],
    ['https://:word@a.example', false],
    ['a.example', false],
    ['/a.example', false],
    ['https://', false],
  ])('%s is a web address: %j', (text, is) => {
    const message = 'must be an absolute http or https address without user information';
    expect(checkWebAddress('name', text)).toEqual(is ? passed(text.trim()) : failed('INVALID_FORMAT', message));
  });

  it('a web address is one line of at most 2,048 characters', () => {
    expect(checkWebAddress('name', 7)).toEqual(failed('INVALID_TYPE', 'must be a string'));
    expect(checkWebAddress('name', 'https://a.ex\nample')).toEqual(failed('INVALID_FORMAT', 'must not contain control characters'));
    expect(checkWebAddress('name', `https://a.example/${'x'.repeat(2_031)}`)).toEqual(
      failed('TOO_LONG', 'must have at most 2048 characters, it has 2049'),
    );
  });

  it.each([
    ['name@example.com', true],
    ['ü+x@bücher.example', true],
    [`${'a'.repeat(64)}@b.example`, true],
    [`${'a'.repeat(65)}@b.example`, false],
    [`a@${'b'.repeat(244)}.example`, true],
    ['a@b.c.example', true],
    ['a@localhost', false],
    ['@b.example', false],
    ['a@b..example', false],
    ['a@.example', false],
    ['a@b.example.', false],
    ['a@b@c.example', false],
    ['a b@c.example', false],
    ['a@b.exam ple', false],
    ['a@b c.example', false],
  ])('%s is a mail address: %j', (text, is) => {
    expect(checkMailAddress('name', text)).toEqual(
      is ? passed(text) : failed('INVALID_FORMAT', 'must be a mail address such as name@example.com'),
    );
  });

  it('a mail address has at most 254 characters (RFC 5321)', () => {
    expect(checkMailAddress('name', `a@${'b'.repeat(245)}.example`)).toEqual(
      failed('TOO_LONG', 'must have at most 254 characters, it has 255'),
    );
  });
});

describe('keys', () => {
  it.each([
    ['A-1', 'A-1'],
    [' A-1 ', 'A-1'],
    ['A\u00a01\u3000', 'A 1'],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['\u212b', '\u00c5'],
    // Compatible forms are others, as in RFC 8265.
    ['\uff21', '\uff21'],
    ['A\u200bB', 'A\u200bB'],
  ])('%j is the key %j', (text, key) => {
    expect(keyText(text)).toBe(key);
  });

  it.each<[string, string | undefined]>([
    ['A-1 b', undefined],
    ['~!', undefined],
    ['x', undefined],
    ['Caf\u00e9', undefined],
    ['\u65e5\u672c', undefined],
    ['A\u200bB', 'not contain the invisible character U+200B'],
    ['A\u0007B', 'not contain the invisible character U+0007'],
    ['A\u2028B', 'not contain the invisible character U+2028'],
    ['A\u2029B', 'not contain the invisible character U+2029'],
    ['A\u00adB', 'not contain the invisible character U+00AD'],
    ['A\ufff9B', 'not contain the invisible character U+FFF9'],
    ['A\u2800B', 'not contain the invisible character U+2800'],
    ['A\ufffeB', 'not contain the invisible character U+FFFE'],
    ['A\u{e0041}B', 'not contain the invisible character U+E0041'],
    [' A', 'not begin or end with a blank'],
    ['A ', 'not begin or end with a blank'],
    ['A\u00a0', 'not begin or end with a blank'],
    ['A\u00a0B', 'not contain the blank U+00A0; the ordinary one is U+0020'],
    ['A B\u3000C', 'not contain the blank U+3000; the ordinary one is U+0020'],
    // The mark that belongs to the letter before it.
    ['Cafe\u0301 au lait', 'be in the Unicode normal form NFC, which U+0301 is not part of here'],
    ['\u00e9 e\u0301', 'be in the Unicode normal form NFC, which U+0301 is not part of here'],
    // A character that is another one.
    ['1 \u212b', 'be in the Unicode normal form NFC, which U+212B is not part of here'],
  ])('%j: %s', (text, issue) => {
    expect(keyIssue(text)).toBe(issue);
  });

  it('a field of a key takes its one form, and rejects by name what shows nothing', () => {
    expect(checkText('name', ' Cafe\u0301 ', { max: 4, isKey: true })).toEqual(passed('Caf\u00e9'));
    expect(checkText('name', 'A\u200bB', { max: 4, isKey: true })).toEqual(
      failed('INVALID_FORMAT', 'must not contain the invisible character U+200B'),
    );
    expect(checkText('name', 'A\u200bB', { max: 4 })).toEqual(passed('A\u200bB'));
  });
});

describe('what the database can hold', () => {
  it.each([
    ['a\u0000', 'a\ufffd'],
    ['\u0000\u0000', '\ufffd\ufffd'],
    ['\ud83d', '\ufffd'],
    ['a\udc00b', 'a\ufffdb'],
  ])('%j is shown as %j', (text, shown) => {
    expect(isStorableText(text)).toBe(false);
    expect(storableText(text)).toBe(shown);
    for (const value of [text, [text], [1, [text]], { a: { b: text } }, { [text]: 1 }]) expect(isStorable(value)).toBe(false);
    expect(storable({ a: [text, 1, null, true], [text]: { b: text } })).toEqual({ a: [shown, 1, null, true], [shown]: { b: shown } });
    expect(storable(text)).toBe(shown);
  });

  it('anything else is the same value', () => {
    const value = { a: ['😀', { é: 1, b: null }], c: true };
    expect(isStorable(value)).toBe(true);
    expect(storable(value)).toBe(value);
    for (const one of [null, undefined, 7, '', '😀']) expect([isStorable(one), storable(one)]).toEqual([true, one]);
  });
});

describe('names', () => {
  it.each([
    ['postedDate', 'posted_date', 'posted date'],
    ['addressLine1', 'address_line1', 'address line 1'],
    ['line1Text', 'line1_text', 'line 1 text'],
    ['totalVAT', 'total_vat', 'total vat'],
    ['id', 'id', 'id'],
  ])('%s is %s and "%s"', (name, snake, spoken) => {
    expect(snakeCase(name)).toBe(snake);
    expect(spokenName(name)).toBe(spoken);
  });

  it('paths and values of enumerations', () => {
    expect(snakePath('data[0].lineItems[1].taxId')).toBe('data[0].line_items[1].tax_id');
    expect(['EINLetter', 'postedDate', 'VAT', 'line1Text', 'ABCDef'].map(constantCase)).toEqual([
      'EIN_LETTER',
      'POSTED_DATE',
      'VAT',
      'LINE1_TEXT',
      'ABC_DEF',
    ]);
  });
});

describe('search', () => {
  it('texts are compared without case and accents', () => {
    expect(['Café', 'CAFE\u0301', 'ÅNGSTRÖM', 'ﬁx', 'ΣΊΣΥΦΟΣ', 'ς', 'ｆｕｌｌ'].map(folded)).toEqual([
      'cafe',
      'cafe',
      'angstrom',
      'fix',
      'σισυφοσ',
      'σ',
      'full',
    ]);
  });

  it('the text that is searched has a line for each column', () => {
    expect(searchText('t.', ['name', 'code'])).toBe("folded_text(coalesce(t.name, '') || E'\\n' || coalesce(t.code, ''))");
    expect(searchText('', ['name'])).toBe("folded_text(coalesce(name, ''))");
  });

  it('its scope is a number or a text, and not the column as it is', () => {
    const props = new Map([
      ['companyId', { column: 'company_id', kind: 'ledgerId' }],
      ['ownerId', { column: 'owner_id', kind: 'id' }],
    ]) as never;
    expect(searchScope({ listColumn: 'company_id', props })).toBe('company_id + 0');
    expect(searchScope({ listColumn: 'owner_id', props })).toBe("owner_id || ''");
    expect(searchScope({ listColumn: 'organisation_id', props })).toBe("organisation_id || ''");
  });
});
