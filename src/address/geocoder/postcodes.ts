// Finds what may be a postcode in a reading and says, per country, what that postcode would mean.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { Areas } from './areas.ts';
import { FORMER_FORMS, POSTCODE_AREAS, REPLACED_CODES } from './facts/postcodeAreas.ts';
import type { Reading, Wording } from './read.ts';

/** What a postcode means in one country. */
export interface PostcodeFacts {
  readonly country: string;
  /** Subdivision the code belongs to by rule; -1 when the rules do not say. */
  readonly area: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  /** How far from that point an address of the code may lie. */
  readonly radiusKm: number;
  /** Places the code is known to serve. */
  readonly places: readonly number[];
  /** 0..1: how rarely another country, a house number or a phone number looks like this. */
  readonly distinct: number;
}

export interface PostcodeCandidate {
  readonly start: number;
  readonly end: number;
  readonly first: number;
  readonly last: number;
  readonly value: string;
  readonly facts: ReadonlyMap<string, PostcodeFacts>;
}

interface CountryPattern {
  readonly countries: string[];
  readonly whole: RegExp;
}

const ZIP_COUNTRIES: Readonly<Record<string, string>> = { US: 'US', PR: 'PR', VI: 'VI', GU: 'GU', AS: 'AS', MP: 'MP' };
const FRENCH_COUNTRIES: ReadonlySet<string> = new Set(['FR', 'GP', 'MQ', 'GF', 'RE', 'YT', 'PM', 'BL', 'MF', 'NC', 'PF', 'WF']);
const ANCHOR_RADIUS: Readonly<Record<string, number>> = { GB: 45, DE: 55, NL: 25, PL: 55 };
/** How far from the middle of a district of a city the addresses of its codes may lie. */
export const DISTRICT_KM = 15;
/** Letters put before a postcode for the country, where they are not the alpha-2 code. */
const COUNTRY_LETTERS: Readonly<Record<string, string>> = {
  D: 'DE',
  F: 'FR',
  A: 'AT',
  B: 'BE',
  I: 'IT',
  L: 'LU',
  S: 'SE',
  N: 'NO',
  E: 'ES',
  P: 'PT',
  H: 'HU',
};
/** With this many rules a country is covered whole, and a code that fits none does not exist. */
const COMPLETE_RULES = 12;
const LOOSE = /^\d{3,10}$/;

/** Compiled postcode rules of all countries; made once per gazetteer. */
export class Postcodes {
  private readonly patterns: readonly CountryPattern[];
  private readonly prefixes = new Map<string, readonly (readonly [RegExp, number])[]>();
  private readonly gazetteer: Gazetteer;
  private readonly areas: Areas;

  constructor(gazetteer: Gazetteer, areas: Areas) {
    this.gazetteer = gazetteer;
    this.areas = areas;
    const byPattern = new Map<string, CountryPattern>();
    for (const [country, rule] of Object.entries(gazetteer.rules.postcodes)) {
      const entry = byPattern.get(rule.pattern) ?? { countries: [], whole: new RegExp(`^(?:${rule.pattern})$`, 'i') };
      entry.countries.push(country);
      byPattern.set(rule.pattern, entry);
      this.prefixes.set(country, this.rulesOf(POSTCODE_AREAS.get(country) ?? rule.prefixes));
    }
    this.patterns = [...byPattern.values()];
  }

  /** The rules of a country; a prefix that several subdivisions share says none of them. */
  private rulesOf(prefixes: readonly (readonly [string, string])[]): readonly (readonly [RegExp, number])[] {
    const rowOf = (code: string): number => this.areas.rows.get(REPLACED_CODES[code] ?? code) ?? -1;
    const rows = Map.groupBy(prefixes, ([prefix]) => prefix);
    return [...rows].map(([prefix, given]) => {
      const areas = new Set(given.map(([, code]) => rowOf(code)));
      return [new RegExp(`^(?:${prefix})`), areas.size === 1 ? [...areas][0]! : -1] as const;
    });
  }

  /** Windows of one to three words that fit the pattern of at least one country; per country the longest window counts. */
  find(reading: Wording): PostcodeCandidate[] {
    const found: PostcodeCandidate[] = [];
    const { tokens, text, street } = reading;
    const inStreet = tokens.map(({ key }, i) => street[i] === 1 && /^\d/.test(key));
    for (let size = 3; size >= 1; size--) {
      for (let first = 0; first + size <= tokens.length; first++) {
        const last = first + size - 1;
        if (inStreet.slice(first, last + 1).includes(true)) continue;
        const start = tokens[first]!.start;
        const end = tokens[last]!.end;
        const value = text.slice(start, end);
        if (end - start > 12 || end - start < 3 || !/\d/.test(value) || !/^[A-Z0-9 -]+$/i.test(value)) continue;
        const facts = this.factsOf(value.toUpperCase());
        for (const other of found)
          if (start < other.end && other.start < end) for (const country of other.facts.keys()) facts.delete(country);
        if (facts.size > 0) found.push({ start, end, first, last, value, facts });
      }
    }
    return found;
  }

  /** Numbers that fit no pattern but may be what a country without a known pattern uses. */
  findLoose(reading: Reading): PostcodeCandidate[] {
    return reading.tokens
      .map((token, i) => ({
        start: token.start,
        end: token.end,
        first: i,
        last: i,
        value: token.raw,
        facts: new Map<string, PostcodeFacts>(),
      }))
      .filter((candidate) => LOOSE.test(candidate.value) && reading.street[candidate.first] !== 1);
  }

  private factsOf(value: string): Map<string, PostcodeFacts> {
    const facts = new Map<string, PostcodeFacts>();
    const prefixed = /^([A-Z]{1,2})-?(\d[\d -]*)$/.exec(value);
    for (const { countries, whole } of this.patterns) {
      const direct = whole.test(value);
      if (!direct && !(prefixed && whole.test(prefixed[2]!))) continue;
      for (const country of countries) {
        if (!direct && !(COUNTRY_LETTERS[prefixed![1]!] ?? prefixed![1]!).split(' ').includes(country)) continue;
        const fact = this.fact(country, direct ? value : prefixed![2]!, direct ? countries.length : 0);
        if (fact) facts.set(country, direct ? fact : { ...fact, distinct: 1 });
      }
    }
    return facts;
  }

  private fact(country: string, code: string, sharedBy: number): PostcodeFacts | null {
    const distinct = /[A-Z]/.test(code) ? 1 : /[-\s]/.test(code) ? 0.6 : sharedBy > 8 ? 0.15 : 0.4;
    const rules = this.prefixes.get(country) ?? [];
    const fits = ([pattern]: readonly [RegExp, number]): boolean => pattern.test(code);
    const rule = rules.find(fits);
    if (!rule && rules.length >= COMPLETE_RULES && !FORMER_FORMS[country]?.test(code)) return null;
    // Prefixes of the address metadata may overlap: such a code says neither subdivision.
    const isShared = !POSTCODE_AREAS.has(country) && rules.some((other) => other[1] !== rule?.[1] && fits(other));
    const area = isShared ? -1 : (rule?.[1] ?? -1);
    const base = { country, area, latitude: null, longitude: null, radiusKm: 0, places: [], distinct };
    if (ZIP_COUNTRIES[country]) return this.zipFact(base, Number(code.slice(0, 5)), code);
    if (FRENCH_COUNTRIES.has(country)) return this.frenchFact(base, Number(code.replace(/\D/g, '')));
    return this.anchorFact(base, code);
  }

  private zipFact(base: PostcodeFacts, code: number, value: string): PostcodeFacts | null {
    const own = this.gazetteer.zip(code);
    const zip = own ?? this.nearestZip(code);
    const named = zip ? this.areas.codes[this.areas.country(this.gazetteer.area(zip.place))]! : undefined;
    // The build gives a code without a town near it a place that is elsewhere.
    const territory = named && ZIP_COUNTRIES[named];
    if ((territory ?? base.country) !== base.country) return null;
    const distinct = value.length > 5 ? 1 : zip ? 0.45 : 0.2;
    return zip
      ? {
          ...base,
          latitude: zip.latitude,
          longitude: zip.longitude,
          radiusKm: own ? 12 : 25,
          places: territory ? [zip.place] : [],
          distinct,
        }
      : { ...base, distinct };
  }

  /** ZIP codes of boxes and of single recipients have no area of their own; the next number of the same ten has one near by. */
  private nearestZip(code: number): { latitude: number; longitude: number; place: number } | null {
    for (let away = 1; away < 10; away++)
      for (const other of [code - away, code + away]) {
        const zip = Math.floor(other / 10) === Math.floor(code / 10) ? this.gazetteer.zip(other) : null;
        if (zip) return zip;
      }
    return null;
  }

  /**
   * Special codes (CEDEX, large recipients) end in other digits than those of the commune, but the first three digits still identify the
   * department.
   */
  private frenchFact(base: PostcodeFacts, code: number): PostcodeFacts | null {
    const digits = String(code).padStart(5, '0');
    const rows = [...this.gazetteer.frenchCommunes(code)];
    const country = this.frenchCountry(digits);
    if (country !== base.country) return null;
    const department = digits.startsWith('20')
      ? Number(digits[2]) <= 1
        ? '2A'
        : '2B'
      : digits.slice(0, 2) === '75'
        ? '75C'
        : digits.slice(0, 2);
    const area = country === 'FR' ? (this.areas.rows.get(`FR-${department}`) ?? -1) : -1;
    if (rows.length === 0) return area === -1 && country === 'FR' ? null : { ...base, area, distinct: 0.2 };
    const weights = rows.map((row) => this.gazetteer.population(row) + 50);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const mean = (of: (row: number) => number): number => rows.reduce((sum, row, i) => sum + of(row) * weights[i]!, 0) / total;
    const latitude = mean((row) => this.gazetteer.latitude(row));
    const longitude = mean((row) => this.gazetteer.longitude(row));
    const own = rows.length === 1 ? this.gazetteer.area(rows[0]!) : area;
    return {
      ...base,
      area: country === 'FR' ? own : area,
      latitude,
      longitude,
      radiusKm: rows.length > 1 ? 12 : 6,
      places: rows,
      distinct: 0.45,
    };
  }

  private frenchCountry(digits: string): string {
    const overseas: Readonly<Record<string, string>> = {
      971: 'GP',
      972: 'MQ',
      973: 'GF',
      974: 'RE',
      975: 'PM',
      976: 'YT',
      986: 'WF',
      987: 'PF',
      988: 'NC',
    };
    if (digits === '97133') return 'BL';
    if (digits === '97150') return 'MF';
    return overseas[digits.slice(0, 3)] ?? 'FR';
  }

  private anchorFact(base: PostcodeFacts, code: string): PostcodeFacts {
    const anchors = this.gazetteer.rules.anchors[base.country];
    if (!anchors) return base;
    for (const length of [4, 3, 2, 1]) {
      const prefix = code.slice(0, length);
      const row = /^[A-Z]\d/.test(code) && length === 2 ? undefined : anchors[prefix];
      if (row === undefined) continue;
      const radiusKm = length > 2 ? this.districtRadius(row) : (ANCHOR_RADIUS[base.country] ?? (length === 2 ? 50 : 90));
      const area = base.area === -1 && base.country === 'GB' ? this.gazetteer.area(row) : base.area;
      return {
        ...base,
        area,
        latitude: this.gazetteer.latitude(row),
        longitude: this.gazetteer.longitude(row),
        radiusKm,
        places: [row],
        distinct: Math.max(base.distinct, 0.3),
      };
    }
    return base.country === 'GB' ? { ...base, distinct: 0.2 } : base;
  }

  /** The codes of a district of a city lie within it, those named after a town around it. */
  private districtRadius(row: number): number {
    return this.gazetteer.seat(row) === 4 ? DISTRICT_KM : 25;
  }
}

/** Great-circle distance in kilometres. */
export function distanceKm(latA: number, lonA: number, latB: number, lonB: number): number {
  const rad = Math.PI / 180;
  const h =
    Math.sin(((latB - latA) * rad) / 2) ** 2 + Math.cos(latA * rad) * Math.cos(latB * rad) * Math.sin(((lonB - lonA) * rad) / 2) ** 2;
  return 12742 * Math.asin(Math.min(1, Math.sqrt(h)));
}
