// Which registrations sales make necessary: every threshold of the shipped content at its edge, and exact sums.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RegistrationContent, Threshold } from '../../../src/platform/registrations/content/content-shape.ts';
import { shippedContentPack } from '../../../src/platform/registrations/content/shipped-content.ts';
import { type Need, neededRegistrations, type PlacedSale } from '../../../src/platform/registrations/needed.ts';
import { decimalText, scaled } from '../../../src/platform/shared/decimals.ts';

const pack = shippedContentPack();
const jurisdictions = new Map(pack.jurisdictions.map((one) => [one.jurisdictionId, one]));
const entries = new Map(pack.content.map((one) => [one.registrationContentId, one]));

/** A content of one entry with one threshold, so that nothing else is in the result. */
const only = (entry: RegistrationContent, threshold: Threshold) => {
  const lone = { ...entry, thresholds: [threshold] };
  return { pack: { ...pack, content: [lone] }, jurisdictions, entries: new Map([[lone.registrationContentId, lone]]) };
};

const sale = (jurisdictionId: string, amount: number, currency: string, transactions: number | null = 0): PlacedSale => {
  const within: string[] = [];
  for (let id: string | null = jurisdictionId; id !== null; id = jurisdictions.get(id)!.parentJurisdictionId) within.push(id);
  return { within, country: jurisdictions.get(jurisdictionId)!.country!, amount: scaled(amount), currency, transactions };
};

const outcomes = (needs: readonly Need[]): string[] => needs.map(({ outcome }) => outcome);

/** Where to sell and from where, so that the threshold applies. */
function caseOf(entry: RegistrationContent, threshold: Threshold) {
  const { country } = jurisdictions.get(entry.jurisdictionId)!;
  const place = country === null ? 'JUR_DE' : entry.jurisdictionId;
  const established = country === null ? 'FR' : country;
  return { place, seller: { country: threshold.seller === 'NOT_ESTABLISHED' ? 'KP' : established, held: new Set<string>() } };
}

const all = pack.content.flatMap((entry) => (entry.thresholds ?? []).map((threshold, at) => ({ entry, threshold, at })));
const named = all.map((one) => [`${one.entry.registrationContentId} ${one.at}`, one] as const);

describe('every threshold at its edge', () => {
  it.each(named)('%s', (_, { entry, threshold }) => {
    const content = only(entry, threshold);
    const { place, seller } = caseOf(entry, threshold);
    const { amount, transactions, combination } = threshold;
    const at = (limit: { comparison: string; value: number } | null): number =>
      limit ? limit.value + (limit.comparison === 'MORE_THAN' ? 1 : 0) : 0;
    const money = at(amount);
    const count = at(transactions);
    const currency = amount?.currency ?? 'USD';
    const result = (value: number, number: number, unit = currency): string[] =>
      outcomes(neededRegistrations(content, seller, [sale(place, value, unit, number)]));
    expect(result(money, count)).toEqual(['REACHED']);
    expect(result(0, 0)).toEqual([]);
    if (amount !== null && amount.value > 0) {
      const edge = amount.comparison === 'AT_LEAST' ? ['REACHED'] : [];
      if (combination !== 'AND') expect(result(amount.value, 0)).toEqual(edge);
      expect(result(amount.value - 0.01, combination === 'AND' ? count : 0)).toEqual([]);
      expect(result(amount.value + 0.01, combination === 'AND' ? count : 0)).toEqual(['REACHED']);
      expect(result(1, 0, currency === 'XXX' ? 'XTS' : 'XXX')).toEqual(combination === 'AND' ? [] : ['NOT_COMPARED']);
    }
    if (transactions !== null) {
      const sales = combination === 'AND' ? money : 0;
      expect(result(sales, count)).toEqual(['REACHED']);
      expect(result(sales, count - 1)).toEqual([]);
    }
    if (combination === 'AND') expect([result(money, count - 1), result(0, count)]).toEqual([[], []]);
    expect(
      neededRegistrations(content, { ...seller, held: new Set([entry.registrationContentId]) }, [sale(place, money, currency, count)]),
    ).toEqual([]);
  });
});

describe('sums', () => {
  const cents = fc.integer({ min: 0, max: 99_999_999 });

  it('sales of one place are added exactly, in any order and however they are split', () => {
    const entry = entries.get('US_TN_SUT')!;
    const threshold = entry.thresholds![0]!;
    const seller = { country: 'US', held: new Set<string>() };
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 30 }), (parts) => {
        const sales = parts.map((part) => sale('JUR_US_TN', part / 100, 'USD'));
        const total = parts.reduce((sum, part) => sum + part, 0);
        const needs = neededRegistrations(only(entry, threshold), seller, sales);
        expect(outcomes(needs)).toEqual(total >= 10_000_000 ? ['REACHED'] : []);
        expect(outcomes(neededRegistrations(only(entry, threshold), seller, sales.toReversed()))).toEqual(outcomes(needs));
      }),
      { numRuns: 200 },
    );
  });

  it('a decimal is counted digit for digit', () => {
    expect(decimalText(scaled(0.1) + scaled(0.2))).toBe('0.3');
    expect(decimalText(scaled(1e-15))).toBe('0.000000000000001');
    expect(decimalText(scaled(1.5e21))).toBe('1500000000000000000000');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), fc.integer({ min: 0, max: 15 }), (digits, places) => {
        expect(Number(decimalText(scaled(Number(`${digits}e-${places}`))))).toBe(Number(`${digits}e-${places}`));
      }),
    );
  });

  it('amounts of other currencies are said next to the one of the threshold, and not converted', () => {
    const entry = entries.get('US_TX_SUT')!;
    const needs = neededRegistrations(only(entry, entry.thresholds![0]!), { country: 'DE', held: new Set() }, [
      sale('JUR_US_TX', 100, 'USD'),
      sale('JUR_US_TX', 900_000, 'EUR'),
    ]);
    expect(outcomes(needs)).toEqual(['NOT_COMPARED']);
    expect(needs[0]!.reason).toContain('900000 EUR in addition to 100 USD');
    expect(needs[0]!.reason).toContain('not converted');
  });

  it('where amount and number are needed, a number that was not given leaves it open; where one is enough, the amount decides', () => {
    const result = (id: string, place: string, amount: number): string[] => {
      const entry = entries.get(id)!;
      const content = only(entry, entry.thresholds![0]!);
      return outcomes(neededRegistrations(content, { country: 'DE', held: new Set() }, [sale(place, amount, 'USD', null)]));
    };
    expect(result('US_NY_SUT', 'JUR_US_NY', 600_000)).toEqual(['NOT_COMPARED']);
    expect(result('US_NY_SUT', 'JUR_US_NY', 400_000)).toEqual([]);
    expect(result('US_GA_SUT', 'JUR_US_GA', 50_000)).toEqual([]);
    expect(result('US_GA_SUT', 'JUR_US_GA', 150_000)).toEqual(['REACHED']);
  });
});

describe('places', () => {
  const content = { pack, jurisdictions, entries };
  const ids = (country: string, sales: PlacedSale[], held: string[] = []): string[] =>
    neededRegistrations(content, { country, held: new Set(held) }, sales).map(({ entry }) => entry.registrationContentId);

  it('sales in provinces count for the country, sales in a home-rule city for its state', () => {
    expect(ids('US', [sale('JUR_CA_ON', 20_000, 'CAD'), sale('JUR_CA_AB', 10_000.01, 'CAD')])).toEqual(['CA_GST']);
    expect(ids('US', [sale('JUR_US_CO_DENVER', 60_000, 'USD'), sale('JUR_US_CO', 40_001, 'USD')])).toEqual([
      'US_CO_RST',
      'US_CO_DENVER_RST',
    ]);
    expect(ids('US', [sale('JUR_US_CO', 100_001, 'USD')])).toEqual(['US_CO_RST']);
  });

  it('the Union scheme counts the other member states, and no member state where the seller is registered is a reason', () => {
    expect(ids('FR', [sale('JUR_DE', 6_000, 'EUR'), sale('JUR_IT', 4_000.01, 'EUR')])).toEqual(['EU_OSS_UNION_VAT']);
    expect(ids('FR', [sale('JUR_DE', 6_000, 'EUR'), sale('JUR_FR', 30_000, 'EUR')])).toEqual([]);
    expect(ids('FR', [sale('JUR_DE', 20_000, 'EUR')], ['DE_VAT'])).toEqual([]);
    expect(ids('FR', [sale('JUR_DE', 20_000, 'EUR'), sale('JUR_IT', 1, 'EUR')], ['DE_VAT'])).toEqual(['EU_OSS_UNION_VAT']);
    expect(ids('US', [sale('JUR_DE', 1, 'EUR')])).toEqual(['EU_OSS_NON_UNION_VAT']);
  });

  it('a seller established in the country has its threshold, another registers from the first sale in any currency', () => {
    expect(ids('GB', [sale('JUR_GB', 90_000, 'GBP')])).toEqual([]);
    expect(ids('GB', [sale('JUR_GB', 90_000.01, 'GBP')])).toEqual(['GB_VAT']);
    expect(ids('US', [sale('JUR_GB', 1, 'USD')])).toEqual(['GB_VAT']);
  });

  it('an alternative makes a registration unnecessary', () => {
    const sales = [sale('JUR_US_AL', 250_000.01, 'USD'), sale('JUR_US_LA', 100_001, 'USD')];
    expect(ids('US', sales)).toEqual(['US_AL_SSUT', 'US_LA_REMOTE_SUT']);
    expect(ids('US', sales, ['US_AL_RST', 'US_LA_SUT'])).toEqual([]);
  });
});
