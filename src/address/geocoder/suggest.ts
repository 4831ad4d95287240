// Type-ahead: completes the end of a text to names of places, over an index of all their names in alphabetical order.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { type ColumnData, LOCAL_NAME, PLACE, postingId, postingKind } from '../gazetteer/layout.ts';
import type { IsoContent } from '../iso/content.ts';
import type { Areas } from './areas.ts';
import { countryRef, localityOf, subdivisionPath } from './compose.ts';
import { beginsStreetWord, speaks, streetWord } from './facts/streetWords.ts';
import { beginnings, nameKey, writtenKey } from './normalise.ts';
import { distanceKm, type PostcodeCandidate, type Postcodes } from './postcodes.ts';
import { invertedNames, type Wording, wordingOf } from './read.ts';
import type { AddressSuggestion } from './types.ts';

/** Words at the end of a text that a name may have. */
const MAX_WORDS = 5;
/** More entries than are wanted, as places of one name in one subdivision give the same text. */
const SPARE = 5;
/** Every so many entries have their key in memory; those between are read where a search ends. */
const STEP = 64;
/** A house number has fewer digits than most postcodes; of those of three digits some are postcodes. */
const HOUSE = /^\d{1,2}$|^\d{1,5}\p{L}$/u;
const NEAR_KM = 30;
/** Words that a name of a saint continues after: Avenida San Martín. */
const SAINTS: ReadonlySet<string> = new Set(['san', 'santa', 'santo', 'sao']);

const rowOf = (entry: number): number => entry & ~LOCAL_NAME;

/** How well a place fits what was typed before it; the better fit comes first, then the larger place. */
type Rank = (row: number) => number;

interface Ranked {
  readonly entry: number;
  readonly row: number;
  readonly rank: number;
}

/** Suggests places for the end of a text. */
export class Suggester {
  readonly #gazetteer: Gazetteer;
  readonly #areas: Areas;
  readonly #iso: IsoContent;
  readonly #postcodes: Postcodes;
  /** Rows of places in the order of the keys of their names. */
  readonly #entries: ColumnData;
  /** The keys of every STEPth entry. */
  readonly #landmarks: readonly string[];

  constructor(gazetteer: Gazetteer, areas: Areas, iso: IsoContent, postcodes: Postcodes) {
    this.#gazetteer = gazetteer;
    this.#areas = areas;
    this.#iso = iso;
    this.#postcodes = postcodes;
    this.#entries = gazetteer.alphabet;
    this.#landmarks = Array.from({ length: Math.ceil(this.#entries.length / STEP) }, (_, at) => this.#keyAt(at * STEP));
  }

  /** Completions of a text. Those that fit its street and postcode come first, then the largest place. They are of one country where it is given. */
  suggest(text: string, country: string | null, most: number): AddressSuggestion[] {
    const comma = text.lastIndexOf(',') + 1;
    const segment = text.slice(comma);
    const within = this.#withinPlace(text.slice(0, Math.max(comma - 1, 0)), segment, country, most);
    if (within.length > 0) return within;
    const wording = wordingOf(text, invertedNames(this.#iso));
    const postcodes = this.#postcodes.find(wording);
    const isStreet = streetWords(wording);
    const starts = [...segment.matchAll(/[^\s]+/gu)].map(({ index }) => comma + index).slice(-MAX_WORDS);
    for (const start of starts) {
      const token = wording.tokens.findIndex((own) => own.end > start);
      if (token >= 0 && isStreet[token]) continue;
      const rank = this.#rankOf(
        wording,
        postcodes.filter(({ end }) => end <= start),
      );
      const entries = this.#largest(beginnings(text.slice(start)), country, rank, most + SPARE);
      const found = entries.map((entry) => this.#suggestion(text.slice(0, start), entry));
      const distinct = found.filter(({ text: own }, at) => found.findIndex((other) => other.text === own) === at);
      if (distinct.length > 0) return distinct.slice(0, most);
    }
    return [];
  }

  /** The places that the segment before names, where the last one begins the name or code of their country or subdivision: `London, Ont`. */
  #withinPlace(before: string, segment: string, country: string | null, most: number): AddressSuggestion[] {
    const at = before.lastIndexOf(',') + 1;
    const key = nameKey(before.slice(at));
    const wanted = nameKey(segment);
    if (key === '' || wanted === '') return [];
    const rows = [...this.#gazetteer.lookup(key)].filter((posting) => postingKind(posting) === PLACE).map(postingId);
    const fits = [...new Set(rows)].filter(
      (row) => this.#isIn(row, country) && this.#namesAreasOf(row).some((name) => name.startsWith(wanted)),
    );
    const head = before.slice(0, at);
    return fits.slice(0, most).map((row) => this.#suggestion(at > 0 ? `${head} ` : head, row));
  }

  /** Keys of the names and codes of the areas that a place is in. */
  #namesAreasOf(row: number): string[] {
    const { codes } = this.#areas;
    const area = this.#gazetteer.area(row);
    const above = subdivisionPath(this.#areas, this.#iso, area).flatMap(({ code, name }) => [code.slice(3), name]);
    const alpha2 = codes[this.#areas.country(area)]!;
    return [...above, alpha2, countryRef(this.#iso, alpha2).name].map(nameKey);
  }

  /** Two for a place where a postcode before it leads, one for a country that speaks the language of the street words. */
  #rankOf({ languages }: Wording, postcodes: readonly PostcodeCandidate[]): Rank {
    const { codes } = this.#areas;
    if (languages.size === 0 && postcodes.length === 0) return () => 0;
    const speaking = new Uint8Array(codes.length);
    codes.forEach((code, row) => {
      if (code.length === 2 && speaks(languages, code)) speaking[row] = 1;
    });
    return (row) => {
      const country = this.#areas.country(this.#gazetteer.area(row));
      const isServed = postcodes.some((postcode) => this.#isServed(row, codes[country]!, postcode));
      return speaking[country]! + (isServed ? 2 : 0);
    };
  }

  /** True for a place in the area of a postcode, or near its position. */
  #isServed(row: number, country: string, postcode: PostcodeCandidate): boolean {
    const fact = postcode.facts.get(country);
    if (!fact) return false;
    if (fact.latitude === null) return fact.area !== -1 && this.#areas.related(fact.area, this.#gazetteer.area(row));
    const away = distanceKm(fact.latitude, fact.longitude!, this.#gazetteer.latitude(row), this.#gazetteer.longitude(row));
    return away <= Math.max(NEAR_KM, fact.radiusKm);
  }

  /**
   * The entries of the places that fit best, then of the largest ones, whose names begin with one of the keys. A smaller row number is a larger
   * place.
   */
  #largest(keys: readonly string[], country: string | null, rank: Rank, most: number): number[] {
    const best: Ranked[] = [];
    for (const key of keys) {
      const end = this.#placeOf(`${key}\uffff`);
      for (let at = this.#placeOf(key); at < end; at++) {
        const entry = this.#entries[at]!;
        const row = rowOf(entry);
        if (!this.#isIn(row, country)) continue;
        const own = rank(row);
        const isBefore = (other: Ranked): boolean => own > other.rank || (own === other.rank && row < other.row);
        if ((best.length === most && !isBefore(best[most - 1]!)) || best.some((other) => other.row === row)) continue;
        const place = best.findIndex(isBefore);
        best.splice(place < 0 ? best.length : place, 0, { entry, row, rank: own });
        if (best.length > most) best.pop();
      }
    }
    return best.map(({ entry }) => entry);
  }

  /** The place of the first entry whose key does not come before the given one. */
  #placeOf(key: string): number {
    const landmark = firstFrom(0, this.#landmarks.length, (at) => this.#landmarks[at]! < key);
    const most = Math.min(landmark * STEP, this.#entries.length);
    return firstFrom(Math.max(0, (landmark - 1) * STEP), most, (at) => this.#keyAt(at) < key);
  }

  #keyAt(at: number): string {
    return writtenKey(this.#nameOf(this.#entries[at]!));
  }

  #nameOf(entry: number): string {
    return entry >= LOCAL_NAME ? this.#gazetteer.localName(rowOf(entry))! : this.#gazetteer.name(entry);
  }

  #isIn(row: number, country: string | null): boolean {
    return country === null || this.#areas.codes[this.#areas.country(this.#gazetteer.area(row))] === country;
  }

  #suggestion(head: string, entry: number): AddressSuggestion {
    const row = rowOf(entry);
    const area = this.#gazetteer.area(row);
    const path = subdivisionPath(this.#areas, this.#iso, area);
    const country = countryRef(this.#iso, this.#areas.codes[this.#areas.country(area)]!);
    const label = [this.#nameOf(entry), path.at(-1)?.name, country.name].filter((part) => part !== undefined).join(', ');
    return {
      text: head + label,
      country,
      subdivision: path.at(-1) ?? null,
      locality: localityOf(this.#gazetteer, row)!,
      coordinates: { latitude: this.#gazetteer.latitude(row), longitude: this.#gazetteer.longitude(row) },
    };
  }
}

/** The first of the places from `low` on, before `high`, that are not before the one sought; `high` where all are. */
function firstFrom(low: number, high: number, isBefore: (at: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True for a word that only ends names of streets. */
const isAfterNames = (key: string): boolean => {
  const kinds = streetWord(key);
  return kinds.length > 0 && kinds.every(({ role }) => role !== 'prefix');
};

/**
 * Per word, whether it belongs to the name of a street. That is a word that was read as such, a number after it, and the word after a house number.
 * It is also a last word that may become a street word where none came before, as `Str` in `10 Downing Str`. The first word of a segment may still
 * begin a place, as in `Al Khums`. A segment with a street is not followed by a street.
 */
function streetWords({ text, tokens, segments, street }: Wording): boolean[] {
  const segment = segments.at(-1);
  if (!segment) return [];
  const { first, last } = segment;
  const is = street.map((zone, i) => zone >= 0.8 && i !== first);
  if (street.slice(0, first).some((zone) => zone >= 0.8)) return is.fill(false, first);
  const done = tokens.findLastIndex(({ key }, i) => i < last && street[i] === 1 && isAfterNames(key));
  if (done > first) is.fill(false, done + 1);
  for (let i = first + 1; i <= last; i++) {
    const goesOn = SAINTS.has(tokens[i - 1]!.key) || /^\d+$/.test(tokens[i]!.key);
    is[i] ||= goesOn && (is[i - 1]! || street[i - 1]! >= 0.8);
  }
  const isHouse = first === 0 && last > 0 && HOUSE.test(tokens[0]!.key);
  const named = street.findIndex((zone, i) => i >= first && zone >= 0.8);
  if (isHouse) is[1] = true;
  const { key, end } = tokens[last]!;
  if (end < text.length || last === first || (named >= 0 && named < last)) return is;
  const before = tokens[last - 1]!.key;
  if (/^\d{1,3}$/.test(before)) is[last] ||= key.length >= 3 && beginsStreetWord(key, 'prefix');
  else if (!/\d/.test(before)) is[last] ||= (isHouse || key.length >= 4) && beginsStreetWord(key, 'suffix');
  return is;
}
