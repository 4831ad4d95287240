// The accuracy metrics over a file of expected results. Definitions: country = exact or an accepted other; subdivision = equal, ancestor or
// descendant; city = same letters, contained words, another name of the place or its Latin
// spelling, and country right; postcode = same letters and digits;
// distance = haversine, no result is a miss.
import { createHash } from 'node:crypto';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { PLACE, postingId, postingKind } from '../gazetteer/layout.ts';
import { isUnspaced, nameKey } from '../geocoder/normalise.ts';
import { distanceKm } from '../geocoder/postcodes.ts';
import { romanised } from '../geocoder/romanise.ts';
import type { GeocodeResult } from '../geocoder/types.ts';
import type { IsoContent } from '../iso/content.ts';

export interface AccuracyCase {
  readonly id: string;
  readonly address: string;
  readonly expect: {
    readonly country: string;
    readonly region?: string;
    readonly city?: string;
    readonly postcode?: string;
    readonly lat?: number;
    readonly lon?: number;
    readonly country_also?: readonly string[];
    readonly region_also?: readonly string[];
  };
  readonly tags: readonly string[];
}

export interface CaseOutcome {
  readonly test: AccuracyCase;
  readonly result: GeocodeResult;
}

/** One line of the report: a share with its target, or null when no case applies. */
export interface Metric {
  readonly name: string;
  readonly right: number;
  readonly of: number;
  readonly target: number | null;
  readonly misses: readonly string[];
}

/** What the results of one country got right, over all that its cases expect. */
export interface CountryAccuracy {
  readonly country: string;
  readonly cases: number;
  readonly right: number;
  readonly of: number;
}

/** The cases in two halves by a hash of their ids: one to tune on, and one that alone says whether the tuning holds. */
export function halvesOf(cases: readonly AccuracyCase[]): { tuned: AccuracyCase[]; apart: AccuracyCase[] } {
  const isTuned = ({ id }: AccuracyCase): boolean => (createHash('sha1').update(id).digest()[0]! & 1) === 0;
  return { tuned: cases.filter(isTuned), apart: cases.filter((test) => !isTuned(test)) };
}

type Check = (outcome: CaseOutcome) => boolean;

export function measure(outcomes: readonly CaseOutcome[], gazetteer: Gazetteer, iso: IsoContent): Metric[] {
  const tagged = (tag: string) => (outcome: CaseOutcome) => outcome.test.tags.includes(tag);
  const region = outcomes.filter((outcome) => outcome.test.expect.region !== undefined);
  const american = (outcome: CaseOutcome): boolean => outcome.test.expect.country === 'US';
  const located = outcomes.filter((outcome) => outcome.test.expect.lat !== undefined);
  const sure = outcomes.filter((outcome) => outcome.result.confidence >= 0.8);
  const isRegion: Check = (outcome) => regionRight(outcome, iso);
  const isCity: Check = (outcome) => cityRight(outcome, gazetteer);
  return [
    metric('Country, all', outcomes, countryRight, 98),
    metric('Country, named in text', outcomes.filter(tagged('country-in-text')), countryRight, 99),
    macro('Country, macro over countries', outcomes, 99.2),
    metric('Subdivision, all', region, isRegion, 97),
    metric('Subdivision, US', region.filter(american), isRegion, 99),
    metric(
      'Subdivision, not US',
      region.filter((outcome) => !american(outcome)),
      isRegion,
      93.5,
    ),
    metric('City named in text', outcomes.filter(tagged('city-in-text')), isCity, 96),
    metric('Within 10 km', located, withinTenKm, 91),
    metric('Postcode copied', outcomes.filter(tagged('postcode-in-text')), postcodeRight, 98.5),
    metric('Confidence >= 0.8: coverage', outcomes, (outcome) => outcome.result.confidence >= 0.8, 92, false),
    metric('Confidence >= 0.8: country', sure, countryRight, 99.7),
    metric(
      'Confidence >= 0.8: subdivision',
      sure.filter((outcome) => outcome.test.expect.region !== undefined),
      isRegion,
      98.5,
    ),
  ];
}

/** The countries with the most misses, at most so many; of equal ones that with the smaller share right first. */
export function worstCountries(outcomes: readonly CaseOutcome[], gazetteer: Gazetteer, iso: IsoContent, most: number): CountryAccuracy[] {
  const checks: [applies: Check, check: Check][] = [
    [() => true, countryRight],
    [({ test }) => test.expect.region !== undefined, (outcome) => regionRight(outcome, iso)],
    [({ test }) => test.tags.includes('city-in-text'), (outcome) => cityRight(outcome, gazetteer)],
    [({ test }) => test.expect.lat !== undefined, withinTenKm],
    [({ test }) => test.tags.includes('postcode-in-text'), postcodeRight],
  ];
  const byCountry = Map.groupBy(outcomes, ({ test }) => test.expect.country);
  return [...byCountry]
    .map(([country, group]) => {
      const applied = group.flatMap((outcome) => checks.flatMap(([applies, check]) => (applies(outcome) ? [check(outcome)] : [])));
      return { country, cases: group.length, right: applied.filter(Boolean).length, of: applied.length };
    })
    .filter(({ right, of }) => right < of)
    .sort((a, b) => b.of - b.right - (a.of - a.right) || a.right / a.of - b.right / b.of)
    .slice(0, most);
}

function metric(name: string, outcomes: readonly CaseOutcome[], check: Check, target: number, list = true): Metric {
  const misses = outcomes.filter((outcome) => !check(outcome));
  return { name, right: outcomes.length - misses.length, of: outcomes.length, target, misses: list ? misses.map(describe) : [] };
}

/** Mean over countries of the share right, so that each country counts once. Counted where the country is named in the text. */
function macro(name: string, outcomes: readonly CaseOutcome[], target: number): Metric {
  const named = outcomes.filter((outcome) => outcome.test.tags.includes('country-in-text'));
  const countries = new Set(named.map((outcome) => outcome.test.expect.country));
  let sum = 0;
  for (const country of countries) {
    const group = named.filter((outcome) => outcome.test.expect.country === country);
    sum += group.filter(countryRight).length / group.length;
  }
  return { name, right: sum, of: countries.size, target, misses: [] };
}

function describe({ test, result }: CaseOutcome): string {
  const found = result.result;
  const got = found
    ? `${found.country.alpha2} ${found.subdivision?.code ?? '-'} ${found.locality?.name ?? '-'} ${found.postalCode?.value ?? '-'} @${found.coordinates?.latitude.toFixed(2) ?? '-'},${found.coordinates?.longitude.toFixed(2) ?? '-'}`
    : 'no result';
  const { country, region, city, postcode, lat, lon } = test.expect;
  return `${test.id}  ${test.address}  expected ${[country, region, city, postcode, lat !== undefined ? `@${lat.toFixed(2)},${lon?.toFixed(2)}` : ''].filter(Boolean).join(' ')}  got ${got}  (${result.confidence})`;
}

export function countryRight({ test, result }: CaseOutcome): boolean {
  const country = result.result?.country.alpha2;
  return country !== undefined && [test.expect.country, ...(test.expect.country_also ?? [])].includes(country);
}

function regionRight({ test, result }: CaseOutcome, iso: IsoContent): boolean {
  const code = result.result?.subdivision?.code;
  if (!code) return false;
  const accepted = [test.expect.region!, ...(test.expect.region_also ?? [])];
  return accepted.some((region) => ancestors(code, iso).includes(region) || ancestors(region, iso).includes(code));
}

function ancestors(code: string, iso: IsoContent): string[] {
  const chain: string[] = [];
  for (let row: string | null | undefined = code; row && chain.length < 6; row = iso.subdivision(row)?.parent) chain.push(row);
  return chain;
}

export function cityRight(outcome: CaseOutcome, gazetteer: Gazetteer): boolean {
  const expected = outcome.test.expect.city;
  const locality = outcome.result.result?.locality;
  if (!expected || !locality || !countryRight(outcome)) return false;
  const wanted = [nameKey(expected), ...romanised(nameKey(expected))];
  const names = [locality.name, locality.localName].filter((name) => name !== null).map(nameKey);
  if (names.some((name) => wanted.some((key) => isWithin(name, key) || isWithin(key, name) || lettersOf(name) === lettersOf(key))))
    return true;
  return [...gazetteer.lookup(wanted[0]!)].some(
    (posting) =>
      postingKind(posting) === PLACE &&
      gazetteer.geonamesId(postingId(posting)) !== null &&
      gazetteer.geonamesId(postingId(posting)) === locality.geonamesId,
  );
}

/** One name as words of another; in a script without spaces, as a part of it: 山东省临沂市 is 临沂市. */
const isWithin = (part: string, whole: string): boolean => (isUnspaced(part) ? whole.includes(part) : ` ${whole} `.includes(` ${part} `));

/** N'Zérékoré is Nzérékoré. */
const lettersOf = (name: string): string => name.replaceAll(' ', '');

function withinTenKm({ test, result }: CaseOutcome): boolean {
  const at = result.result?.coordinates;
  return at != null && distanceKm(at.latitude, at.longitude, test.expect.lat!, test.expect.lon!) <= 10;
}

function postcodeRight({ test, result }: CaseOutcome): boolean {
  const compact = (text: string): string => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  return compact(result.result?.postalCode?.value ?? '') === compact(test.expect.postcode ?? '?');
}
