// Government identifiers: numbers that must pass, that must be rejected, and that must only cause a warning.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EntityForms } from '../../../src/platform/shared/corporation-types.ts';
import { EU_MEMBERS, isAssignedCountry } from '../../../src/platform/shared/countries.ts';
import { checkIdentifier, checkTaxIds, IDENTIFIER_KINDS } from '../../../src/platform/shared/government-identifiers.ts';

describe('government identifiers', () => {
  it.each([
    ['US_EIN', '91-1144442', '911144442'],
    ['US_STATE_FILE_NUMBER', '7654321', '7654321'],
    ['IN_GSTIN', '27AAPFU0939F1ZV', '27AAPFU0939F1ZV'],
    ['IN_PAN', 'ACUPA7085R', 'ACUPA7085R'],
    ['IN_TAN', 'BLRA00001A', 'BLRA00001A'],
    ['IN_CIN', 'U72200KA2013PTC097389', 'U72200KA2013PTC097389'],
    ['IN_LLPIN', 'AAB-1234', 'AAB1234'],
    ['GB_CRN', 'SC123456', 'SC123456'],
    ['GB_VAT', '980 7806 84', '980780684'],
    ['GB_VAT', 'GB 980 7806 84', '980780684'],
    ['GB_UTR', '1955839661', '1955839661'],
    ['DE_VAT', '136695976', '136695976'],
    ['DE_VAT', 'de136695976', '136695976'],
    ['DE_STNR', '181/815/08155', '18181508155'],
    ['FR_SIREN', '552 008 443', '552008443'],
    ['FR_SIRET', '73282932000074', '73282932000074'],
    ['FR_TVA', '40 303 265 045', '40303265045'],
    ['NL_BTW', '004495445B01', '004495445B01'],
    ['IE_VAT', '6433435F', '6433435F'],
    ['ES_NIF', 'B-58378431', 'B58378431'],
    ['IT_IVA', '00743110157', '00743110157'],
    ['PL_NIP', '8567346215', '8567346215'],
    ['AT_UID', 'U13585627', 'U13585627'],
    ['BE_VAT', 'BE 0403.019.261', '0403019261'],
    ['SG_UEN', '00192200M', '00192200M'],
    ['SG_UEN', '197401143C', '197401143C'],
    ['AE_TRN', '100 1234 5678 9012', '100123456789012'],
    ['AU_ABN', '83 914 571 673', '83914571673'],
    ['AU_ACN', '004 085 616', '004085616'],
    ['CA_BN', '123456782', '123456782'],
    ['CA_BN', '12302 6635 RC 0001', '123026635RC0001'],
    ['NZ_IRD', '49-091-850', '49091850'],
    ['CH_UID', 'CHE-100.155.212', 'CHE100155212'],
    ['JP_CN', '5-8356-7825-6246', '5835678256246'],
    ['CN_USCC', '91110000600037341L', '91110000600037341L'],
    ['BR_CNPJ', '16.727.230/0001-97', '16727230000197'],
    ['MX_RFC', 'GODE 561231 GR8', 'GODE561231GR8'],
    ['NO_MVA', '995 525 828 MVA', '995525828MVA'],
    ['ZA_VAT', '4030112222', '4030112222'],
    ['SM_COE', 'SM24165', '24165'],
    ['NO_MVA', 'NO 995 525 828', '995525828MVA'],
    ['JP_CN', 'T5-8356-7825-6246', '5835678256246'],
    ['FI_ALV', 'FI 4668218-2', '46682182'],
    ['CL_RUT', '8.919.748-1', '89197481'],
    ['AD_NRT', 'L-702646-E', 'L702646E'],
  ])('%s %s is valid and stored as printed', (key, value, compact) => {
    expect(checkIdentifier(key, ` ${value} `)).toEqual({ ok: true, value: { value, compact, verdict: 'valid' } });
  });

  it.each([
    ['IN_GSTIN', '0717USA12345NF1'],
    ['IN_GSTIN', '0717AUS12345UN1'],
    ['IN_GSTIN', '9917SGP29001OS3'],
    ['IN_GSTIN', '38AAPFU0939F1ZV'],
    ['IN_GSTIN', '97AAPFU0939F1Z0'],
    ['IN_GSTIN', '99AAPFU0939F1Z0'],
    ['IN_GSTIN', '27AAPFU0939F1C5'],
    // VIES has these numbers, which the library rejects.
    ['BG_VAT', 'BG831642181'],
    ['BG_VAT', 'BG8501011002'],
    ['SK_DPH', 'SK1020000003'],
    ['CZ_DIC', 'CZ681208919'],
    ['CZ_DIC', 'CZ687836437'],
    ['CZ_DIC', 'CZ699004237'],
    ['DE_STNR', '21/457/03869'],
    ['DE_STNR', '2893081508152'],
    ['CA_BN', '123026635RR0001'],
    ['CA_BN', '12302 6635 RZ 0001'],
    ['CO_NIT', '1.020.123.456-7'],
    ['ID_NPWP', '0010016343093000'],
    ['ID_NPWP', '3171011708450001'],
    ['JP_CN', 'T5-8356-7825-6246'],
    ['GB_UTR', '1955839661K'],
    ['GB_CRN', 'IP00525R'],
    ['GB_CRN', 'SL00911A'],
    ['GB_CRN', 'OE000123'],
    ['GB_CRN', 'R0000123'],
    ['GH_TIN', 'GHA-123456789-0'],
    ['PK_NTN', 'D123456-7'],
    ['PK_NTN', '35202-1234567-1'],
    ['VN_MST', '079123456789'],
    ['SV_NIT', '01234567-8'],
    ['DO_RNC', '001-0123456-7'],
    ['VE_RIF', 'C-12345678-9'],
  ])('%s %s has an official form the check-digit library does not know, and passes', (key, value) => {
    expect(checkIdentifier(key, value)).toMatchObject({ ok: true, value: { verdict: 'valid' } });
  });

  it.each([
    ['US_EIN', '07-1144442'],
    ['IN_GSTIN', '27AAPFU0939F1ZO'],
    ['SG_UEN', '00192200X'],
    ['NZ_IRD', '136-410-133'],
    ['GB_VAT', '802311781'],
    ['DE_VAT', '136695978'],
    ['FR_SIREN', '552008444'],
    ['AU_ABN', '83 914 571 674'],
    ['BR_CNPJ', '16.727.230/0001-98'],
    ['BG_VAT', 'BG831642182'],
    ['BG_VAT', 'BG0984948957'],
    ['SK_DPH', 'SK1020000004'],
    ['CZ_DIC', 'CZ681208918'],
    ['CA_BN', '123026636RR0001'],
    ['CO_NIT', '1.020.123.456-8'],
    ['ID_NPWP', '0010016344093000'],
  ])('%s %s has a wrong check and is only warned about', (key, value) => {
    expect(checkIdentifier(key, value)).toMatchObject({ ok: true, value: { value, verdict: 'warning' } });
  });

  it.each([
    ['IN_GSTIN', '369296450896540', 'INVALID_FORMAT'],
    ['IN_PAN', 'ABMPA32111', 'INVALID_FORMAT'],
    ['IN_PAN', 'ACUXA7085R', 'INVALID_FORMAT'],
    ['GB_VAT', 'XI980780684', 'INVALID_FORMAT'],
    ['US_EIN', '911144442\n1', 'INVALID_FORMAT'],
    ['US_EIN', '', 'REQUIRED'],
    ['US_EIN', 911144442, 'INVALID_TYPE'],
    ['US_EIN', '9'.repeat(41), 'TOO_LONG'],
  ])('%s %j is rejected with %s', (key, value, code) => {
    expect(checkIdentifier(key, value)).toMatchObject({ ok: false, issues: [{ field: 'value', code }] });
  });

  it('an unknown key is rejected and the known ones are listed', () => {
    expect(checkIdentifier('XX_TAX', '1')).toMatchObject({
      ok: false,
      issues: [{ field: 'key', message: expect.stringContaining('US_EIN') }],
    });
  });

  it('every catalogue entry is complete and its pattern anchored', () => {
    for (const kind of IDENTIFIER_KINDS.values()) {
      expect(isAssignedCountry(kind.country)).toBe(true);
      expect(kind.regexString).toMatch(/^\^.*\$$/);
      expect(kind.description).not.toContain('undefined');
      expect(kind.corporationTypes?.every((form) => form in EntityForms.values) ?? true).toBe(true);
    }
    expect(IDENTIFIER_KINDS.get('IN_LLPIN')?.corporationTypes).toEqual(['LLP']);
    expect(IDENTIFIER_KINDS.size).toBe(106);
  });
});

describe('tax ids of a corporation', () => {
  it('each kind once, issues name the entry', () => {
    const ein = { type: 'US_EIN', value: '91-1144442' };
    expect(checkTaxIds([ein])).toMatchObject({ ok: true, value: [{ type: 'US_EIN', compact: '911144442', verdict: 'valid' }] });
    expect(checkTaxIds([ein, ein])).toMatchObject({ ok: false, issues: [{ field: 'taxIds.1.type', code: 'DUPLICATE' }] });
    expect(checkTaxIds([ein, { type: 'DE_VAT', value: '1' }])).toMatchObject({
      ok: false,
      issues: [{ field: 'taxIds.1.value', code: 'INVALID_FORMAT' }],
    });
    expect(checkTaxIds([null])).toMatchObject({ ok: false, issues: [{ field: 'taxIds.0.type', code: 'INVALID_VALUE' }] });
    expect(checkTaxIds('91-1144442')).toMatchObject({ ok: false, issues: [{ field: 'taxIds', code: 'INVALID_TYPE' }] });
  });
});

/** Numbers of the generator below are the same in every run. */
function* seeded(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

describe('every kind', () => {
  it.each([...IDENTIFIER_KINDS.values()].map((kind) => [kind.key, kind] as const))(
    '%s accepts its example, and names its source',
    (key, kind) => {
      expect(checkIdentifier(key, kind.example)).toMatchObject({ ok: true, value: { verdict: 'valid' } });
      expect(kind.source).not.toBe('');
    },
  );

  // A wrong digit passes where a check digit of one digit, or two numbers of one kind, allow it. That is at most four in ten of any kind where the
  // rule has exceptions, and none of most kinds.
  it.each([...IDENTIFIER_KINDS.values()].filter(({ hasCheckDigits }) => hasCheckDigits).map((kind) => [kind.key, kind] as const))(
    '%s with a wrong digit is marked',
    (key, kind) => {
      const random = seeded(7);
      const places = [...kind.example.matchAll(/[0-9]/g)].map(({ index }) => index);
      let caught = 0;
      for (let round = 0; round < 40; round += 1) {
        const at = places[Math.floor(random.next().value * places.length)]!;
        const digit = (Number(kind.example[at]) + 1 + Math.floor(random.next().value * 9)) % 10;
        const checked = checkIdentifier(key, `${kind.example.slice(0, at)}${digit}${kind.example.slice(at + 1)}`);
        if (!checked.ok || checked.value.verdict === 'warning') caught += 1;
      }
      expect(caught).toBeGreaterThanOrEqual(22);
    },
  );

  it('every member state of the European Union has a number for value added tax', () => {
    const countries = [...IDENTIFIER_KINDS.values()]
      .filter(({ purposes }) => purposes.includes('INDIRECT_TAX'))
      .map(({ country }) => country);
    expect(EU_MEMBERS.filter((country) => !countries.includes(country))).toEqual([]);
  });
});

// Numbers that python3-stdnum 1.18, which shares no code with this program, has judged: `kind number fits`. Half of them fit.
describe('an independent judge', () => {
  const judged = readFileSync(join(import.meta.dirname, 'judged-identifiers.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [key: string, number: string, fits: string]);

  it.each([...Map.groupBy(judged, ([key]) => key)])('agrees on %s', (key, numbers) => {
    const verdicts = numbers.map(([, number]) => {
      const checked = checkIdentifier(key, number);
      return [number, checked.ok && checked.value.verdict === 'valid' ? '1' : '0'];
    });
    expect(verdicts).toEqual(numbers.map(([, number, fits]) => [number, fits]));
  });
});
