// A new registration against its content entry.
import { describe, expect, it } from 'vitest';
import { shippedContentPack } from '../../../src/platform/registrations/content/shipped-content.ts';
import {
  checkInputValues,
  checkTaxRegistrationId,
  checkTaxTypes,
  missingPrerequisites,
  needsTaxTypes,
} from '../../../src/platform/registrations/rules.ts';
import type { Checked } from '../../../src/records/checked.ts';

const pack = shippedContentPack();
const entry = (id: string) => pack.content.find((one) => one.registrationContentId === id)!;
const codes = (checked: Checked<unknown>) => (checked.ok ? [] : checked.issues.map((issue) => `${issue.field} ${issue.code}`));

describe('tax types', () => {
  it.each([
    ['US_CA_RST', ['RST'], []],
    ['US_CA_RST', ['RST', 'DTT'], []],
    ['US_CA_RST', ['DTT'], ['taxTypes REQUIRED']],
    ['US_CA_RST', ['RST', 'VAT'], ['taxTypes.1 INVALID_VALUE']],
    ['US_CA_RST', ['RST', 'RST'], ['taxTypes.1 DUPLICATE']],
    ['CA_GST', ['GST'], ['taxTypes REQUIRED']],
    ['CA_GST', ['HST', 'GST'], []],
    ['CA_GST', [], ['taxTypes REQUIRED']],
    ['CA_GST', 'GST', ['taxTypes INVALID_TYPE']],
  ])('%s with %j', (id, taxTypes, issues) => {
    expect(codes(checkTaxTypes(entry(id), taxTypes))).toEqual(issues);
  });

  it('only local jurisdictions may omit them', () => {
    expect(['STATE_OR_PROVINCE', 'COUNTRY', 'TRADEBLOC'].every(needsTaxTypes)).toBe(true);
    expect(['COUNTY', 'CITY', 'DISTRICT', 'LOCAL'].some(needsTaxTypes)).toBe(false);
  });
});

describe('the number of the authority', () => {
  it.each([
    ['DE_VAT', 'DE 136695976', []],
    ['DE_VAT', '136695978', []],
    ['DE_VAT', '12', ['taxRegistrationId INVALID_FORMAT']],
    ['GB_VAT', '980 7806 84', []],
    ['CA_GST', '12302 6635 RT 0001', []],
    ['CA_GST', '123026635 RT 0001', []],
    ['CA_QC_QST', '1234567890 TQ 0001', []],
    ['IN_MH_GST', '27AAPFU0939F1ZV', []],
    ['IN_MH_GST', '27AAPFU0939F1ZO', []],
    ['IN_KA_GST', '27AAPFU0939F1ZV', ['taxRegistrationId INVALID_FORMAT']],
    ['IN_LA_GST', '38AAPFU0939F1ZV', []],
    ['IN_GST', '9917SGP29001OS3', []],
    ['US_TX_SUT', '3-20123-4567-8', []],
    ['US_TX_SUT', '', ['taxRegistrationId REQUIRED']],
    ['SA_VAT', '300000000000003', []],
  ])('%s %s', (id, value, issues) => {
    expect(codes(checkTaxRegistrationId(entry(id), value))).toEqual(issues);
  });
});

describe('input values', () => {
  const fields = pack.fieldSets.us_state!;
  const answers = {
    federal_ein: '91-1144442',
    business_description: 'Kettles',
    first_taxable_sale_date: '2025-01-31',
    monthly_taxable_sales: 5000,
    has_physical_presence: false,
    accounting_basis: 'ACCRUAL',
    contact_email: 'tax@example.com',
  };

  it('complete answers are accepted', () => {
    expect(checkInputValues(fields, answers)).toEqual({ ok: true, value: answers });
  });

  it.each([
    [{ federal_ein: null }, 'inputValues.federal_ein REQUIRED'],
    [{ federal_ein: '91' }, 'inputValues.federal_ein INVALID_FORMAT'],
    [{ naics_code: '12345' }, 'inputValues.naics_code INVALID_FORMAT'],
    [{ first_taxable_sale_date: '2025-02-30' }, 'inputValues.first_taxable_sale_date INVALID_FORMAT'],
    [{ monthly_taxable_sales: 1.5 }, 'inputValues.monthly_taxable_sales INVALID_TYPE'],
    [{ has_physical_presence: 'no' }, 'inputValues.has_physical_presence INVALID_TYPE'],
    [{ has_physical_presence: true }, 'inputValues.place_of_business REQUIRED'],
    [{ place_of_business: 'Dover' }, 'inputValues.place_of_business UNKNOWN_FIELD'],
    [{ accounting_basis: 'BARTER' }, 'inputValues.accounting_basis INVALID_VALUE'],
    [{ contact_email: 'tax' }, 'inputValues.contact_email INVALID_FORMAT'],
    [{ colour: 'red' }, 'inputValues.colour UNKNOWN_FIELD'],
  ])('case %# is rejected and the field named', (change, issue) => {
    expect(codes(checkInputValues(fields, { ...answers, ...change }))).toEqual([issue]);
  });
});

describe('prerequisites', () => {
  it('a member entry of the bloc needs one of its schemes', () => {
    expect(missingPrerequisites(entry('DE_OSS_VAT'), new Set())).toEqual([['EU_OSS_UNION_VAT', 'EU_OSS_NON_UNION_VAT', 'EU_IOSS_VAT']]);
    expect(missingPrerequisites(entry('DE_OSS_VAT'), new Set(['EU_IOSS_VAT']))).toEqual([]);
    expect(missingPrerequisites(entry('DE_VAT'), new Set())).toEqual([]);
  });
});
