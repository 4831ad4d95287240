// Every rule takes any value: an input issue at worst, never an exception.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkCustomsCode, readCustomsLengths, readHsCodes } from '../../../src/platform/customs/customs-codes.ts';
import { formRules } from '../../../src/platform/incorporation/form-fields.ts';
import { checkIncorporationForm } from '../../../src/platform/incorporation/form-rules.ts';
import { checkHeader, readRow } from '../../../src/platform/products/csv.ts';
import { Product } from '../../../src/platform/products/product.ts';
import { checkNewProduct } from '../../../src/platform/products/rules.ts';
import { validatePack } from '../../../src/platform/registrations/content/content-pack.ts';
import { shippedContentPack } from '../../../src/platform/registrations/content/shipped-content.ts';
import { checkInputValues, checkTaxRegistrationId, checkTaxTypes } from '../../../src/platform/registrations/rules.ts';
import { checkCorporationTypeInfo, checkEntityType } from '../../../src/platform/shared/corporation-types.ts';
import { checkCountry, checkSubdivision } from '../../../src/platform/shared/countries.ts';
import { checkIdentifier, checkTaxIds, IDENTIFIER_KINDS } from '../../../src/platform/shared/government-identifiers.ts';
import type { Checked } from '../../../src/records/checked.ts';
import { writableProps } from '../../../src/records/metadata.ts';

const pack = shippedContentPack();
const anything = fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[A-Z0-9.-]{0,20}$/));
const recordOf = (keys: readonly string[]) => fc.oneof(anything, fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), anything));
const formFields = formRules('IN', 'PRIVATE_LIMITED_COMPANY').fields.map((field) => field.name);
const productFields = [...writableProps(Product).map(({ name }) => name), 'customsJurisdictionDetails'];
const personFields = ['fullName', 'email', 'roles', 'shares', 'interestPercent'];

const RULES: Record<string, [fc.Arbitrary<unknown>, (value: never) => Checked<unknown>]> = {
  checkCountry: [anything, (value) => checkCountry(value)],
  checkSubdivision: [anything, (value) => checkSubdivision('US', value)],
  checkCustomsCode: [anything, (value) => checkCustomsCode('US', value)],
  readHsCodes: [anything, (value) => readHsCodes(value)],
  readCustomsLengths: [recordOf(['US', 'GB']), (value) => readCustomsLengths(value)],
  checkCorporationTypeInfo: [recordOf(['US']), (value) => checkCorporationTypeInfo('US', value)],
  checkEntityType: [anything, (value) => checkEntityType('US', value)],
  checkIdentifier: [anything, (value) => checkIdentifier('DE_VAT', value)],
  checkTaxIds: [fc.array(recordOf(['type', 'value'])), (value) => checkTaxIds(value)],
  checkNewProduct: [fc.dictionary(fc.constantFrom(...productFields), anything), (value) => checkNewProduct(value)],
  checkIncorporationForm: [recordOf(formFields), (value) => checkIncorporationForm('IN', 'PRIVATE_LIMITED_COMPANY', value)],
  keyPersons: [fc.array(recordOf(personFields)), (keyPersons) => checkIncorporationForm('US', 'LLC', { keyPersons })],
  checkTaxTypes: [anything, (value) => checkTaxTypes(pack.content[0]!, value)],
  checkTaxRegistrationId: [anything, (value) => checkTaxRegistrationId(pack.content[0]!, value)],
  checkInputValues: [
    recordOf(pack.fieldSets.us_state!.map((field) => field.key)),
    (value) => checkInputValues(pack.fieldSets.us_state!, value),
  ],
  validatePack: [recordOf(['version', 'portals', 'fieldSets', 'jurisdictions', 'content']), (value) => validatePack(value)],
  checkHeader: [fc.array(fc.string()), (value) => checkHeader(value)],
};

it.each(Object.entries(RULES))('%s makes a value or named issues of anything', (_name, [arbitrary, rule]) => {
  fc.assert(
    fc.property(arbitrary, (value) => {
      const checked = rule(value as never);
      expect(checked.ok || checked.issues.every((issue) => typeof issue.field === 'string' && issue.message.length > 0)).toBe(true);
      expect(checked.ok || checked.issues.length > 0).toBe(true);
    }),
  );
});

it('every kind of identifier takes any text of its pattern without an exception', () => {
  for (const kind of IDENTIFIER_KINDS.values()) {
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(kind.regexString)), (text) => {
        const checked = checkIdentifier(kind.key, text);
        expect(checked.ok || checked.issues[0]?.code === 'INVALID_VALUE').toBe(true);
      }),
      { numRuns: 50 },
    );
  }
});

it('any row of text becomes a change, or errors with short values', () => {
  const layout = checkHeader(['name', 'sku', 'weight_in_kg', 'customs_code_us', 'origin_country'], 'corp_1');
  if (!layout.ok) throw new Error('header refused');
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 4, maxLength: 6 }), (cells) => {
      const row = readRow(layout.value, cells);
      expect(row.ok || row.errors.every((error) => error.value.length <= 100)).toBe(true);
    }),
  );
});
