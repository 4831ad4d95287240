// The product import file: header, rows, and cells that a spreadsheet must not execute.
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { checkHeader, readRow, repeatedKeyError, rowKeys } from '../../../src/platform/products/csv.ts';
import { csvCell, csvLine, sniffText } from '../../../src/platform/shared/csv-safety.ts';

const layoutOf = (cells: string[], corporationId: string | null = 'corp_1') => {
  const checked = checkHeader(cells, corporationId);
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues));
  return checked.value;
};
const read = (header: string, row: string[], corporationId: string | null = 'corp_1') =>
  readRow(layoutOf(header.split(','), corporationId), row);
const headerIssues = (cells: string[], corporationId: string | null = 'corp_1') => {
  const checked = checkHeader(cells, corporationId);
  return checked.ok ? [] : checked.issues.map((issue) => `${issue.field} ${issue.code}`);
};

describe('the header', () => {
  it('names are trimmed and case-insensitive, a byte order mark is dropped', () => {
    expect(headerIssues(['\uFEFFNAME ', ' Sku', 'Customs_Code_us', 'corporation_id'], null)).toEqual([]);
  });

  it.each([
    [['name', 'colour'], 'colour UNKNOWN_FIELD'],
    [['name', ''], 'column 2 UNKNOWN_FIELD'],
    [['name', 'constructor'], 'constructor UNKNOWN_FIELD'],
    [['name', 'sku', 'SKU '], 'sku DUPLICATE'],
    [['name', 'customs_code_US', 'customs_code_us'], 'customs_code_us DUPLICATE'],
    [['name', 'customs_code_UK'], 'customs_code_uk INVALID_VALUE'],
    [['name', 'customs_code_'], 'customs_code_ REQUIRED'],
    [['description'], 'name REQUIRED'],
  ])('header %j is rejected', (cells, issue) => {
    expect(headerIssues(cells)).toEqual([issue]);
  });

  it('without a corporation in the request the column is needed', () => {
    expect(headerIssues(['sku'], null)).toEqual(['corporation_id REQUIRED']);
    expect(headerIssues(['sku'])).toEqual([]);
  });
});

describe('a row', () => {
  it('every column sets its field, empty cells leave the stored value', () => {
    const header =
      'name,sku,description,product_taxability_code,source_platform,source_platform_id,origin_country,weight_in_kg,volume_in_liters,customs_code_us,customs_code_in,customs_code_gb';
    const row = ['Kettle', ' K-1 ', '', 'TPP', 'SHOPIFY', '77', 'DE', '1.5', '2', '8471.30.0100', '-', ''];
    expect(read(header, row)).toEqual({
      warnings: [],
      ok: true,
      change: {
        corporationId: 'corp_1',
        name: 'Kettle',
        sku: 'K-1',
        taxCode: 'TPP',
        sourcePlatform: 'SHOPIFY',
        sourcePlatformId: '77',
        originCountry: 'DE',
        weightInKg: 1.5,
        volumeInLiters: 2,
        customsCodes: { US: { digits: '8471300100', display: '8471.30.0100', warnings: [] }, IN: null },
      },
    });
  });

  it.each([
    ['name,sku', ['', ' '], null, 'REQUIRED'],
    ['name,sku', ['Kettle'], null, 'INVALID_FORMAT'],
    ['name,sku', ['Kettle', 'K-1', 'x'], null, 'INVALID_FORMAT'],
    ['sku,weight_in_kg', ['K-1', '1,5'], 'weight_in_kg', 'INVALID_TYPE'],
    ['sku,weight_in_kg', ['K-1', '1 kg'], 'weight_in_kg', 'INVALID_TYPE'],
    ['sku,weight_in_kg', ['K-1', '0'], 'weight_in_kg', 'OUT_OF_RANGE'],
    ['sku,product_taxability_code', ['K-1', 'a b'], 'product_taxability_code', 'INVALID_FORMAT'],
    ['sku,origin_country', ['K-1', 'UK'], 'origin_country', 'INVALID_VALUE'],
    ['sku,customs_code_in', ['K-1', '8471300100'], 'customs_code_in', 'OUT_OF_RANGE'],
    ['sku,customs_code_us', ['K-1', '--'], 'customs_code_us', 'INVALID_FORMAT'],
    ['sku,source_platform', ['K-1', 'EBAY'], 'source_platform', 'INVALID_VALUE'],
    ['sku,source_platform_id', ['K-1', '77'], 'source_platform', 'REQUIRED'],
    ['sku,corporation_id', ['K-1', 'corp_2'], 'corporation_id', 'MISMATCH'],
  ])('%s with %j is an error of column %s', (header, cells, column, code) => {
    expect(read(header, cells)).toMatchObject({ ok: false, errors: [{ column, code }] });
  });

  it('all errors of a row are reported, messages name the column, values are cut at 100', () => {
    const result = read('sku,product_taxability_code,weight_in_kg', ['x'.repeat(200), '%', 'heavy']);
    expect(result).toMatchObject({
      ok: false,
      errors: [
        { column: 'sku', code: 'TOO_LONG', value: 'x'.repeat(100) },
        { column: 'product_taxability_code', message: expect.stringMatching(/^product_taxability_code must/) },
        { column: 'weight_in_kg', value: 'heavy' },
      ],
    });
  });

  it('a cut value never ends in half a character', () => {
    const result = read('sku', [`${'x'.repeat(99)}${'😀'.repeat(40)}`]);
    expect(result).toMatchObject({ ok: false, errors: [{ value: 'x'.repeat(99) }] });
  });

  it('without a corporation in the request every row names its own', () => {
    expect(read('sku,corporation_id', ['K-1', 'corp_9'], null)).toMatchObject({ ok: true, change: { corporationId: 'corp_9' } });
    expect(read('sku,corporation_id', ['K-1', ''], null)).toMatchObject({
      ok: false,
      errors: [{ column: 'corporation_id', code: 'REQUIRED' }],
    });
  });

  it('the keys are the sku, given or stored, and the platform with its id; the error of a repeated one names its column', () => {
    const keys = (header: string, row: string[], storedSku?: string) => {
      const result = read(header, row);
      if (!result.ok) throw new Error('refused');
      return rowKeys(result.change, storedSku);
    };
    const named = 'name,source_platform,source_platform_id';
    const both = keys('sku,source_platform,source_platform_id', ['K', 'XERO', '1']);
    const [sku] = keys('sku', ['K']);
    const [source] = keys(named, ['n', 'XERO', '1']);
    expect(both).toEqual([sku, source]);
    expect(keys(named, ['n', 'XERO', '1'], 'K')).toEqual([source, { ...sku, column: 'source_platform_id', value: '1' }]);
    expect(keys(named, ['n', 'STRIPE', '1'])).not.toEqual([source]);
    expect(keys('sku', ['k'])).not.toEqual([sku]);
    expect(keys('name', ['n'])).toEqual([]);
    expect(both.map((key) => repeatedKeyError(key, 2))).toEqual([
      { column: 'sku', code: 'DUPLICATE', message: 'sku repeats row 2, and only the first is imported', value: 'K' },
      {
        column: 'source_platform_id',
        code: 'DUPLICATE',
        message: 'source_platform_id repeats row 2, and only the first is imported',
        value: '1',
      },
    ]);
  });
});

describe('cells of the error report', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@cmd', "'@cmd"],
    ['\t=1', "'\t=1"],
    ['=A,"B"', '"\'=A,""B"""'],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a\nb', '"a\nb"'],
    ['a=b', 'a=b'],
  ])('%j is written %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });

  it('a written line is read back by a strict parser', () => {
    const cells = ['a"b', 'c,d', 'e\r\nf', '', 'ü'];
    expect(parse(csvLine(cells))).toEqual([cells]);
  });
});

describe('content sniffing', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it('CSV text is text, with or without a byte order mark', () => {
    expect(sniffText(bytes('sku,name\r\nK-1,Kettle\n'), true)).toEqual({ kind: 'text' });
    expect(sniffText(bytes('\uFEFFsku\tname'), true)).toEqual({ kind: 'text' });
  });

  it.each([
    ['xlsx', [0x50, 0x4b, 0x03, 0x04, 0x14]],
    ['xls', [0xd0, 0xcf, 0x11, 0xe0]],
    ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d, 0x31]],
    ['UTF-16', [0xff, 0xfe, 0x73, 0x00]],
    ['Latin-1', [0x6b, 0xfc, 0x62]],
    ['NUL', [0x61, 0x00, 0x62]],
  ])('%s bytes are binary', (_name, start) => {
    expect(sniffText(Uint8Array.from(start))).toMatchObject({ kind: 'binary' });
  });

  it('a sample may end inside a character, a whole file may not', () => {
    const cut = bytes('sku,ü').slice(0, -1);
    expect(sniffText(cut)).toEqual({ kind: 'text' });
    expect(sniffText(cut, true)).toMatchObject({ kind: 'binary' });
  });

  it('a file of no bytes or of blanks is empty', () => {
    expect(sniffText(new Uint8Array(), true)).toEqual({ kind: 'empty' });
    expect(sniffText(bytes(' \r\n'), true)).toEqual({ kind: 'empty' });
  });
});
