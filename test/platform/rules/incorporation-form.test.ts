// The incorporation form: field sets by corporation type, roles, share and interest arithmetic.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formRules } from '../../../src/platform/incorporation/form-fields.ts';
import { checkIncorporationForm } from '../../../src/platform/incorporation/form-rules.ts';
import type { EntityForm } from '../../../src/platform/shared/corporation-types.ts';
import { CORPORATION_COUNTRIES } from '../../../src/platform/shared/corporation-types.ts';

const address = { addressLine1: '1 Main St', city: 'Dover', state: 'DE', postalCode: '19901', country: 'US' };
const person = (name: string, roles: string[], more: object = {}) => ({
  fullName: name,
  email: `${name.toLowerCase()}@example.com`,
  roles,
  ...more,
});
const common = {
  companyNames: ['Acme', 'Acme Trading'],
  website: 'https://acme.example.com',
  businessDescription: 'Sells kettles',
  fiscalYearEnd: '12-31',
  physicalAddress: address,
};
const corporation = {
  ...common,
  authorizedShares: 10_000_000,
  optionPoolShares: '1000000',
  keyPersons: [person('Ada', ['DIRECTOR', 'SHAREHOLDER'], { shares: '9000000' })],
};
const llc = (...percents: unknown[]) => ({
  ...common,
  keyPersons: percents.map((interestPercent, at) => person(`Member${at}`, ['MEMBER'], { interestPercent })),
});
const issues = (country: string, form: EntityForm, answers: unknown) => {
  const checked = checkIncorporationForm(country, form, answers);
  return checked.ok ? [] : checked.issues.map((issue) => `${issue.field} ${issue.code}`);
};

describe('field sets', () => {
  it('shares are asked of companies, interests of partnerships, proof of address in India', () => {
    const names = (country: string, form: EntityForm) => formRules(country, form).fields.map((field) => field.name);
    expect(names('US', 'C_CORP')).toContain('authorizedShares');
    expect(names('US', 'LLC')).not.toContain('authorizedShares');
    expect(names('AE', 'BRANCH')).not.toContain('authorizedShares');
    expect(names('IN', 'PRIVATE_LIMITED_COMPANY')).toContain('proofOfAddressFileId');
    expect(names('GB', 'PRIVATE_LIMITED_COMPANY')).not.toContain('proofOfAddressFileId');
  });

  it('the minimums of every corporation type use its own roles', () => {
    for (const [country, { types }] of Object.entries(CORPORATION_COUNTRIES)) {
      for (const { form } of types) {
        const rules = formRules(country, form);
        expect(rules.roles).toEqual(expect.arrayContaining(Object.keys(rules.atLeast)));
      }
    }
  });
});

describe('a submitted form', () => {
  it('a complete corporation form is accepted and normalised', () => {
    const checked = checkIncorporationForm('US', 'C_CORP', corporation);
    expect(checked).toMatchObject({
      ok: true,
      value: {
        authorizedShares: '10000000',
        optionPoolShares: '1000000',
        mailingAddress: null,
        keyPersons: [{ shares: '9000000', interestPercent: null }],
      },
    });
  });

  it('an empty form names every required field', () => {
    expect(issues('US', 'C_CORP', {})).toEqual(
      ['companyNames', 'businessDescription', 'fiscalYearEnd', 'physicalAddress', 'authorizedShares', 'keyPersons'].map(
        (field) => `${field} REQUIRED`,
      ),
    );
    expect(issues('US', 'C_CORP', null)).toEqual(['form INVALID_TYPE']);
  });

  it.each([
    [{ companyNames: ['', ' '] }, 'companyNames REQUIRED'],
    [{ companyNames: ['A', 'a'] }, 'companyNames.1 DUPLICATE'],
    [{ companyNames: ['A', 'B', 'C', 'D'] }, 'companyNames OUT_OF_RANGE'],
    [{ companyNames: 'Acme' }, 'companyNames INVALID_TYPE'],
    [{ website: 'acme' }, 'website INVALID_FORMAT'],
    [{ website: 'javascript:alert(1)' }, 'website INVALID_FORMAT'],
    [{ businessDescription: 'x'.repeat(2001) }, 'businessDescription TOO_LONG'],
    [{ fiscalYearEnd: '02-29' }, 'fiscalYearEnd INVALID_FORMAT'],
    [{ fiscalYearEnd: '13-01' }, 'fiscalYearEnd INVALID_FORMAT'],
    [{ physicalAddress: { city: 'Dover', country: 'US' } }, 'physicalAddress.addressLine1 REQUIRED'],
    [{ mailingAddress: { ...address, country: 'UK' } }, 'mailingAddress.country INVALID_VALUE'],
    [{ mailingAddress: { ...address, state: 'BY' } }, 'mailingAddress.state INVALID_VALUE'],
    [{ mailingAddress: { ...address, state: 'Delaware' } }, 'mailingAddress.state INVALID_VALUE'],
    [{ mailingAddress: { ...address, state: 'US-DE' } }, 'mailingAddress.state INVALID_FORMAT'],
    [{ mailingAddress: { ...address, state: 'x'.repeat(101) } }, 'mailingAddress.state TOO_LONG'],
    [{ mailingAddress: { ...address, street: 'x' } }, 'mailingAddress.street UNKNOWN_FIELD'],
    [{ authorizedShares: '1.5' }, 'authorizedShares INVALID_FORMAT'],
    [{ authorizedShares: -1 }, 'authorizedShares INVALID_FORMAT'],
    [{ authorizedShares: 2 ** 53 }, 'authorizedShares INVALID_FORMAT'],
    [{ authorizedShares: 0 }, 'authorizedShares OUT_OF_RANGE'],
    [{ authorizedShares: 9_999_999 }, 'authorizedShares MISMATCH'],
    [{ optionPoolShares: 1_000_001 }, 'authorizedShares MISMATCH'],
    [{ keyPersons: [] }, 'keyPersons REQUIRED'],
    [{ keyPersons: [person('Ada', ['DIRECTOR'])] }, 'keyPersons OUT_OF_RANGE'],
    [{ keyPersons: [person('Ada', ['DIRECTOR', 'SHAREHOLDER'])] }, 'keyPersons.0.shares REQUIRED'],
    [{ keyPersons: [person('Ada', ['DIRECTOR', 'MEMBER'], { shares: 1 })] }, 'keyPersons.0.roles INVALID_VALUE'],
    [{ keyPersons: [person('Ada', ['DIRECTOR', 'SHAREHOLDER'], { shares: 0 })] }, 'keyPersons MISMATCH'],
    [{ keyPersons: [...corporation.keyPersons, person('Bob', ['DIRECTOR'], { shares: 5 })] }, 'keyPersons.1.shares MISMATCH'],
    [
      { keyPersons: [person('Ada', ['DIRECTOR', 'SHAREHOLDER'], { interestPercent: 100, shares: 1 })] },
      'keyPersons.0.interestPercent UNKNOWN_FIELD',
    ],
    [{ keyPersons: [{ ...corporation.keyPersons[0], email: 'ada' }] }, 'keyPersons.0.email INVALID_FORMAT'],
    [{ colour: 'red' }, 'colour UNKNOWN_FIELD'],
  ])('corporation case %# is rejected and the field named', (change, issue) => {
    expect(issues('US', 'C_CORP', { ...corporation, ...change })).toEqual([issue]);
  });

  it('the state of an address may be left out, and is any text in a country without sub-divisions', () => {
    const { state: _, ...stateless } = address;
    for (const physicalAddress of [stateless, { ...address, country: 'AW', state: 'Oranjestad' }])
      expect(issues('US', 'C_CORP', { ...corporation, physicalAddress })).toEqual([]);
  });

  it('shares are exact beyond 2^53', () => {
    const big = { ...corporation, authorizedShares: '9007199254740993', optionPoolShares: '1' };
    const holder = (shares: string) => [person('Ada', ['DIRECTOR', 'SHAREHOLDER'], { shares })];
    expect(issues('US', 'C_CORP', { ...big, keyPersons: holder('9007199254740992') })).toEqual([]);
    expect(issues('US', 'C_CORP', { ...big, keyPersons: holder('9007199254740993') })).toEqual(['authorizedShares MISMATCH']);
  });

  it.each([[[100]], [['33.3333', '33.3333', '33.3334']], [[0.1, 0.2, '99.7']], [['50.00', 50]]])('interests %j sum to 100', (percents) => {
    expect(issues('US', 'LLC', llc(...percents))).toEqual([]);
  });

  it.each([
    [['33.3333', '33.3333', '33.3333'], 'keyPersons MISMATCH'],
    [[60, 50], 'keyPersons MISMATCH'],
    [[0, 100], 'keyPersons.0.interestPercent OUT_OF_RANGE'],
    [[101], 'keyPersons.0.interestPercent OUT_OF_RANGE'],
    [['1e2'], 'keyPersons.0.interestPercent INVALID_FORMAT'],
    [['33.33333', '66.66667'], 'keyPersons.0.interestPercent INVALID_FORMAT'],
    [[null], 'keyPersons.0.interestPercent REQUIRED'],
  ])('interests %j are rejected', (percents, issue) => {
    expect(issues('US', 'LLC', llc(...percents))).toContain(issue);
  });

  it('any split into ten-thousandths that sums to 100 is accepted, one ten-thousandth more is not', () => {
    const text = (scaled: number) => `${Math.floor(scaled / 10_000)}.${String(scaled % 10_000).padStart(4, '0')}`;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_998 }), (first) => {
        const rest = 1_000_000 - first;
        expect(issues('US', 'LLC', llc(text(first), text(rest)))).toEqual([]);
        expect(issues('US', 'LLC', llc(text(first + 1), text(rest)))).toEqual(['keyPersons MISMATCH']);
      }),
    );
  });

  it('Indian companies need their legal number of persons and a proof of address', () => {
    const one = [person('Ada', ['DIRECTOR', 'SHAREHOLDER'], { shares: 1 })];
    const two = [...one, person('Bob', ['DIRECTOR', 'SHAREHOLDER'], { shares: 1 })];
    const indian = { ...corporation, proofOfAddressFileId: 'file_1' };
    expect(issues('IN', 'PRIVATE_LIMITED_COMPANY', { ...indian, keyPersons: two })).toEqual([]);
    expect(issues('IN', 'PRIVATE_LIMITED_COMPANY', { ...corporation, keyPersons: two })).toEqual(['proofOfAddressFileId REQUIRED']);
    expect(issues('IN', 'PRIVATE_LIMITED_COMPANY', { ...indian, keyPersons: one })).toEqual([
      'keyPersons OUT_OF_RANGE',
      'keyPersons OUT_OF_RANGE',
    ]);
    expect(issues('IN', 'ONE_PERSON_COMPANY', { ...indian, keyPersons: two })).toEqual(['keyPersons OUT_OF_RANGE']);
  });

  it('partnerships need two partners, a branch no owner', () => {
    const partner = (name: string, interestPercent: number) => person(name, ['PARTNER'], { interestPercent });
    expect(issues('GB', 'LLP', { ...common, keyPersons: [partner('Ada', 60), partner('Bob', 40)] })).toEqual([]);
    expect(issues('GB', 'LLP', { ...common, keyPersons: [partner('Ada', 100)] })).toEqual(['keyPersons OUT_OF_RANGE']);
    expect(issues('US', 'LP', { ...common, keyPersons: [person('Ada', ['GENERAL_PARTNER'], { interestPercent: 100 })] })).toEqual([
      'keyPersons OUT_OF_RANGE',
    ]);
    expect(issues('AE', 'BRANCH', { ...common, keyPersons: [person('Ada', ['MANAGER'])] })).toEqual([]);
    expect(issues('AE', 'BRANCH', { ...common, keyPersons: [person('Ada', ['MANAGER'], { shares: 1 })] })).toEqual([
      'keyPersons.0.shares UNKNOWN_FIELD',
    ]);
  });
});
