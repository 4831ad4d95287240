// The rules of product fields: required ones, rejected ones, and the meaning of null and absence.
import { describe, expect, it } from 'vitest';
import type { Product } from '../../../src/platform/products/product.ts';
import { checkProductChange, checkNewProduct as checkWithOwner } from '../../../src/platform/products/rules.ts';
import type { Checked } from '../../../src/records/checked.ts';
import type { Given } from '../../../src/records/fields.ts';
import type { InputIssue } from '../../../src/records/input-issue.ts';

const codes = (checked: Checked<unknown>) => (checked.ok ? [] : checked.issues.map((issue: InputIssue) => `${issue.field} ${issue.code}`));
const owner = { corporationId: 'corp_1' };
const checkNewProduct = (input: Given<Product>) => checkWithOwner({ ...owner, ...input });
const stored = { name: 'Kettle', sku: 'K-1' };

describe('a new product', () => {
  it('name alone or sku alone is enough, and defaults are filled in', () => {
    expect(checkNewProduct({ name: ' Kettle ' })).toEqual({
      ok: true,
      value: { ...owner, name: 'Kettle', taxCode: 'TPP', sourcePlatform: '', codes: {} },
    });
    expect(checkNewProduct({ sku: 'K-1' })).toMatchObject({ ok: true, value: { sku: 'K-1' } });
  });

  it('neither name nor sku is rejected', () => {
    expect(codes(checkNewProduct({}))).toEqual(['name REQUIRED']);
    expect(codes(checkNewProduct({ name: null, sku: null }))).toEqual(['name REQUIRED']);
  });

  it('a product without its corporation is rejected', () => {
    expect(codes(checkWithOwner({ sku: 'K-1' }))).toEqual(['corporationId REQUIRED']);
    expect(codes(checkWithOwner({ sku: 'K-1', corporationId: ' ' }))).toEqual(['corporationId REQUIRED']);
  });

  it('all issues are reported together', () => {
    const input = { name: 'x'.repeat(256), sku: 'a\tb', taxCode: 'a b', weightInKg: 0, originCountry: 'UK', colour: 'red' };
    expect(codes(checkNewProduct(input)).sort()).toEqual(
      [
        'colour UNKNOWN_FIELD',
        'name TOO_LONG',
        'originCountry INVALID_VALUE',
        'sku INVALID_FORMAT',
        'taxCode INVALID_FORMAT',
        'weightInKg OUT_OF_RANGE',
      ].sort(),
    );
  });

  it.each([
    [{ name: 'x'.repeat(255) }],
    [{ sku: 'x'.repeat(128) }],
    [{ sku: 's', description: `${'x'.repeat(1998)}\n.` }],
    [{ sku: 's', taxCode: 'A_b.c-1' }],
    [{ sku: 's', weightInKg: 1_000_000 }],
    [{ sku: 's', volumeInLiters: 0.001 }],
    [{ sku: 's', sourcePlatform: 'BIG_COMMERCE', sourcePlatformId: '77' }],
    [{ sku: 's', sourcePlatform: '' }],
    [{ sku: 's', description: null, customsJurisdictionDetails: null }],
  ])('case %# at the edge of the rules is accepted', (input) => {
    expect(codes(checkNewProduct(input))).toEqual([]);
  });

  it.each([
    [{ sku: 'x'.repeat(129) }, 'sku TOO_LONG'],
    [{ sku: 5 }, 'sku INVALID_TYPE'],
    [{ sku: ' ' }, 'name REQUIRED'],
    [{ name: 'a\u0000b' }, 'name INVALID_FORMAT'],
    [{ name: 'a\ud800b' }, 'name INVALID_FORMAT'],
    [{ sku: 's', description: 'x'.repeat(2001) }, 'description TOO_LONG'],
    [{ sku: 's', taxCode: 'x'.repeat(33) }, 'taxCode TOO_LONG'],
    [{ sku: 's', weightInKg: '5' }, 'weightInKg INVALID_TYPE'],
    [{ sku: 's', weightInKg: Number.NaN }, 'weightInKg OUT_OF_RANGE'],
    [{ sku: 's', volumeInLiters: 1_000_000.5 }, 'volumeInLiters OUT_OF_RANGE'],
    [{ sku: 's', volumeInLiters: Number.POSITIVE_INFINITY }, 'volumeInLiters OUT_OF_RANGE'],
    [{ sku: 's', sourcePlatform: 'shopify' }, 'sourcePlatform INVALID_VALUE'],
    [{ sku: 's', sourcePlatformId: 'x'.repeat(256) }, 'sourcePlatformId TOO_LONG'],
    [{ sku: 's', customsJurisdictionDetails: [] }, 'customsJurisdictionDetails INVALID_TYPE'],
    [{ sku: 's', customsJurisdictionDetails: { UK: '847130' } }, 'customsJurisdictionDetails.UK INVALID_VALUE'],
    [{ sku: 's', customsJurisdictionDetails: { IN: '8471300100' } }, 'customsJurisdictionDetails.IN OUT_OF_RANGE'],
  ])('case %# is rejected and the field named', (input, issue) => {
    expect(codes(checkNewProduct(input))).toEqual([issue]);
  });

  it('customs codes are stored as digits next to the given text, at most 60', () => {
    const checked = checkNewProduct({ sku: 's', customsJurisdictionDetails: { US: '8471.30.0100' } });
    expect(checked).toMatchObject({
      ok: true,
      value: { codes: { US: { digits: '8471300100', display: '8471.30.0100' } } },
    });
    const many = Object.fromEntries(Array.from({ length: 61 }, (_, n) => [`C${n}`, '847130']));
    expect(codes(checkNewProduct({ sku: 's', customsJurisdictionDetails: many }))).toEqual(['customsJurisdictionDetails OUT_OF_RANGE']);
  });
});

describe('a changed product', () => {
  it('absent fields stay absent and null clears', () => {
    expect(checkProductChange({ description: null }, stored)).toEqual({ ok: true, value: { description: null } });
    expect(checkProductChange({ taxCode: null }, stored)).toEqual({ ok: true, value: { taxCode: 'TPP' } });
  });

  it('owner and source are fixed', () => {
    const input = { corporationId: 'corp_2', sourcePlatform: 'XERO', sourcePlatformId: '1' };
    expect(codes(checkProductChange(input, stored))).toEqual([
      'corporationId INVALID_VALUE',
      'sourcePlatform INVALID_VALUE',
      'sourcePlatformId INVALID_VALUE',
    ]);
  });

  it('the last of name and sku cannot be cleared', () => {
    expect(codes(checkProductChange({ name: null }, stored))).toEqual([]);
    expect(codes(checkProductChange({ name: null }, { name: 'Kettle', sku: null }))).toEqual(['name REQUIRED']);
    expect(codes(checkProductChange({ name: null, sku: null }, stored))).toEqual(['name REQUIRED']);
  });
});
