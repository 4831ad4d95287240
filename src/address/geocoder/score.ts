// Weighs every hypothesis about what the address means. All knowledge about what counts is here and in weights.ts.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { COMMON_NAME, MAIN_NAME, PLACE, postingId, postingKind, postingQuality, RARE_NAME } from '../gazetteer/layout.ts';
import type { Areas } from './areas.ts';
import type { Mention } from './mentions.ts';
import { distanceKm, type PostcodeCandidate } from './postcodes.ts';
import type { Reading, Span } from './read.ts';
import { isHome, PARTICLES, speaks, streetWord } from './streetWords.ts';
import type { WeightTable } from './weights.ts';

export interface Hypothesis {
  readonly kind: 'place' | 'subdivision' | 'country' | 'postcode';
  /** Most specific area claimed: a subdivision or a country row. */
  readonly area: number;
  readonly country: number;
  /** Place row; -1 when the text names none. */
  readonly place: number;
  readonly span: Span | null;
  readonly mention: Mention | null;
  readonly postcode: PostcodeCandidate | null;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

export interface Context {
  readonly reading: Reading;
  readonly mentions: readonly Mention[];
  readonly postcodes: readonly PostcodeCandidate[];
  readonly gazetteer: Gazetteer;
  readonly areas: Areas;
  readonly weights: WeightTable;
}

type Parts = Record<string, number>;
type Claim = Pick<Hypothesis, 'kind' | 'area' | 'country' | 'place' | 'span' | 'mention'> & { postcode?: PostcodeCandidate; ending?: number };

const PLACES_PER_SPAN = 24;
const POSTINGS_PER_SPAN = 600;

/** All hypotheses, best first. */
export function weigh(context: Context, spans: readonly Span[] = context.reading.spans): Hypothesis[] {
  const claims = [...placeClaims(context, spans), ...areaClaims(context), ...postcodeClaims(context), ...endingClaims(context)];
  const layout = describe(context);
  return claims.map((claim) => scoreClaim(context, layout, claim)).sort((a, b) => b.score - a.score || a.place - b.place || a.area - b.area);
}

function placeClaims({ gazetteer, areas, mentions, postcodes }: Context, spans: readonly Span[]): Claim[] {
  const claims: Claim[] = [];
  const named = mentions.filter((mention) => mention.strength > 0.3).flatMap((mention) => mention.interpretations.map((row) => row.area));
  const listed = new Set(postcodes.flatMap((candidate) => [...candidate.facts.values()].flatMap((fact) => fact.places)));
  for (const span of spans) {
    let taken = 0;
    for (let i = 0; i < Math.min(span.postings.length, POSTINGS_PER_SPAN); i++) {
      const posting = span.postings[i]!;
      if (postingKind(posting) !== PLACE) break;
      const place = postingId(posting);
      const area = gazetteer.area(place);
      if (taken >= PLACES_PER_SPAN && !listed.has(place) && !named.some((row) => areas.contains(row, area))) continue;
      taken++;
      claims.push({ kind: 'place', area, country: areas.country(area), place, span, mention: null });
    }
  }
  return claims;
}

function areaClaims({ areas, mentions }: Context): Claim[] {
  const claims: Claim[] = [];
  for (const mention of mentions) {
    for (const { area } of mention.interpretations) {
      claims.push({ kind: areas.isCountry(area) ? 'country' : 'subdivision', area, country: areas.country(area), place: -1, span: null, mention });
    }
  }
  return claims;
}

function postcodeClaims({ areas, gazetteer, postcodes, mentions }: Context): Claim[] {
  const claims: Claim[] = [];
  const named = new Set(mentions.filter((mention) => mention.strength > 0.3).flatMap((mention) => mention.interpretations.map((row) => areas.country(row.area))));
  for (const postcode of postcodes) {
    for (const fact of postcode.facts.values()) {
      const country = areas.rows.get(fact.country);
      if (country === undefined || (fact.distinct < 0.3 && fact.places.length === 0 && !named.has(country))) continue;
      const place = fact.places[0] ?? -1;
      const area = fact.area !== -1 ? fact.area : place !== -1 ? gazetteer.area(place) : country;
      claims.push({ kind: 'postcode', area, country, place, span: null, mention: null, postcode });
    }
  }
  return claims;
}

/** A long word no table knows may still end like the place names of one country. */
function endingClaims({ areas, gazetteer, reading }: Context): Claim[] {
  const claims: Claim[] = [];
  reading.tokens.forEach((token, i) => {
    if (!/^[a-z]{6,}$/.test(token.key) || reading.street[i]! > 0 || reading.spans.some((span) => span.first <= i && i <= span.last)) return;
    const found = [5, 4, 3].map((length) => gazetteer.rules.endings[token.key.slice(-length)]).find((row) => row !== undefined);
    const country = found && areas.rows.get(found[0]);
    if (country !== undefined) claims.push({ kind: 'country', area: country, country, place: -1, span: null, mention: null, ending: found![1] / 100 });
  });
  return claims;
}

interface Layout {
  /** Number of words in each segment that are neither numbers nor named areas. */
  readonly plainWords: readonly number[];
  /** Rank of each segment among those with plain words, 0..1. */
  readonly lateness: readonly number[];
  readonly plainSegments: number;
  readonly isPlain: readonly boolean[];
  /** Per word: how many words before it lie outside street names and country names; one of them should be the city. */
  readonly freeBefore: readonly number[];
}

function describe({ reading, mentions, postcodes }: Context): Layout {
  const isPlain = reading.tokens.map((token) => !/\d/.test(token.key));
  for (const candidate of postcodes) for (let i = candidate.first; i <= candidate.last; i++) isPlain[i] = false;
  const areaOnly = isPlain.slice();
  for (const mention of mentions) if (mention.strength >= 0.5) for (let i = mention.first; i <= mention.last; i++) areaOnly[i] = false;
  const isCountry = new Set(mentions.filter((mention) => mention.interpretations.some((row) => row.isCountry)).flatMap((mention) => range(mention.first, mention.last)));
  let free = 0;
  const freeBefore = isPlain.map((plain, i) => {
    const before = free;
    if (plain && reading.street[i]! < 0.8 && !isCountry.has(i)) free++;
    return before;
  });
  const plainWords = reading.segments.map((segment) => count(areaOnly, segment.first, segment.last));
  const order = reading.segments.map((_, i) => i).filter((i) => plainWords[i]! > 0);
  const lateness = reading.segments.map((_, i) => (order.length < 2 ? 1 : order.filter((other) => other < i).length / (order.length - 1)));
  return { plainWords, lateness: lateness.map((value) => Math.min(1, value)), plainSegments: order.length, isPlain, freeBefore };
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

const count = (flags: readonly boolean[], from: number, to: number): number => {
  let total = 0;
  for (let i = from; i <= to; i++) if (flags[i]) total++;
  return total;
};

function scoreClaim(context: Context, layout: Layout, claim: Claim): Hypothesis {
  const parts: Parts = {};
  const { weights: w } = context;
  if (claim.kind === 'place') scorePlace(context, layout, claim, parts);
  else if (claim.kind === 'subdivision') parts.base = w.subdivisionBase + w.areaPopulation * Math.log10(context.areas.population(claim.area) + 1000);
  else if (claim.ending !== undefined) parts.ending = w.ending * claim.ending;
  else if (claim.kind === 'country') parts.base = w.countryBase;
  else parts.base = w.postcodeBase + (claim.place >= 0 ? w.postcodePlace * Math.log10(context.gazetteer.population(claim.place) + 10) * 0.5 : 0);
  scoreMentions(context, layout, claim, parts);
  const postcode = scorePostcodes(context, claim, parts);
  const country = context.areas.codes[claim.country]!;
  if (context.reading.languages.size > 0) parts.language = speaks(context.reading.languages, country) ? w.language + (isHome(context.reading.languages, country) ? w.languageHome : 0) : w.languageMiss;
  let score = 0;
  for (const part of Object.values(parts)) score += part;
  return { ...claim, postcode, score, parts };
}

function scorePlace({ reading, gazetteer, weights: w }: Context, layout: Layout, claim: Claim, parts: Parts): void {
  const span = claim.span!;
  const quality = qualityOf(span, claim.place);
  const population = gazetteer.population(claim.place);
  const seat = gazetteer.seat(claim.place);
  parts.base = w.placeBase + (quality === COMMON_NAME ? w.commonName : quality === RARE_NAME ? w.rareName : 0) + span.edits * w.typo;
  parts.words = w.placeToken * (span.last - span.first) + w.placeLetters * Math.min(span.key.length, 16) + (span.key.length <= 3 && !/[^\u0000-\u024f]/.test(span.key) ? w.shortName : 0); // biome-ignore lint/suspicious/noControlCharactersInRegex: range start
  parts.population = population === 0 ? w.population * 2.3 + w.unpopulated : w.population * Math.log10(population + 20);
  parts.seat = seat === 3 ? w.capital : seat === 2 ? w.firstSeat : seat === 4 ? w.partOfPlace : 0;
  const segment = reading.segments[span.segment]!;
  const before = count(layout.isPlain as boolean[], segment.first, span.first - 1);
  const after = count(layout.isPlain as boolean[], span.last + 1, segment.last);
  const own = layout.plainWords[span.segment]! - count(layout.isPlain as boolean[], span.first, span.last);
  if (before + after === 0) parts.segment = w.wholeSegment;
  else if (own <= 0) parts.segment = w.restOfSegment;
  else if (after === 0) parts.segment = w.segmentEnd;
  parts.late = w.lateSegment * layout.lateness[span.segment]!;
  if (layout.plainSegments >= 3 && layout.lateness[span.segment] === 0) parts.first = w.firstOfMany;
  parts.street = streetPenalty(reading, span, w);
  if (span.last < segment.last && /^\d{1,4}$/.test(reading.tokens[span.last + 1]!.key) && layout.plainSegments >= 2 && layout.lateness[span.segment]! < 1) parts.beforeNumber = w.beforeNumber;
  if (span.first > 0 && /^\d/.test(reading.tokens[span.first - 1]!.key) && span.first - 1 > segment.first) parts.afterNumber = w.afterNumber;
}

export function qualityOf(span: Span, place: number): number {
  for (const posting of span.postings) if (postingKind(posting) === PLACE && postingId(posting) === place) return postingQuality(posting);
  return RARE_NAME;
}

/** A name is part of a street name when all its words are; a longer name that merely contains a street word is not. */
function streetPenalty(reading: Reading, span: Span, w: WeightTable): number {
  for (let i = span.first; i < span.last; i++) if (reading.street[i] === 1 && streetWord(reading.tokens[i]!.key).length > 0) return 0;
  let first = span.first;
  while (first < span.last && (PARTICLES.has(reading.tokens[first]!.key) || reading.tokens[first]!.key === 'st')) first++;
  const zone = reading.street[first]!;
  return zone >= 0.8 ? w.streetZone * zone : zone > 0 ? w.streetTail : 0;
}

const overlaps = (a: { start: number; end: number }, b: { start: number; end: number }): boolean => a.start < b.end && b.start < a.end;

function scoreMentions(context: Context, layout: Layout, claim: Claim, parts: Parts): void {
  const { areas, mentions, reading, weights: w } = context;
  const taken = claim.span ?? null;
  for (const mention of mentions) {
    const shared = taken !== null && overlaps(taken, mention);
    let best = Number.NEGATIVE_INFINITY;
    for (const row of mention.interpretations) {
      if (claim.mention === mention && row.area !== claim.area) continue;
      const value = row.isCountry || areas.isCountry(row.area) ? countryValue(areas, claim, row.area, row.isCode, w) : subdivisionValue(areas, claim, row.area, row.isCode, w);
      if (value > best) best = value;
    }
    if (shared) {
      const whole = taken.start === mention.start && taken.end === mention.end;
      const inside = !whole && mention.start <= taken.start && taken.end <= mention.end;
      if (whole) asPlace(areas, layout, claim, mention, parts, context);
      if (whole) parts.sameSpan = (parts.sameSpan ?? 0) + best * mention.strength * (best > 0 ? w.sameSpan : w.sameSpanConflict);
      else if (inside) parts.insideArea = Math.min(parts.insideArea ?? 0, mention.strength * (w.insideArea + Math.min(best, 0)));
      continue;
    }
    const adjacent = best > 0 && taken !== null && mention.first === taken.last + 1 && !/\d/.test(reading.text.slice(taken.end, mention.start)) ? w.subdivisionAdjacent : 0;
    const name = best > 0 ? 'named' : 'conflict';
    parts[name] = (parts[name] ?? 0) + (best + adjacent) * mention.strength;
  }
}

/** The words name an area and the place claims them: unlikely when another city stands before, when only a side name fits, or when the area is far larger. */
function asPlace(areas: Areas, layout: Layout, claim: Claim, mention: Mention, parts: Parts, { gazetteer, weights: w }: Context): void {
  if (layout.freeBefore[mention.first]! > 0) parts.areaAsPlace = w.areaAsPlace * mention.strength;
  if (mention.interpretations.some((row) => row.isCountry) && qualityOf(claim.span!, claim.place) !== MAIN_NAME) parts.countryAsPlace = w.countryAsPlace * mention.strength;
  const largest = Math.max(...mention.interpretations.map((row) => areas.population(row.area)));
  if (largest > 20 * (gazetteer.population(claim.place) + 1000)) parts.outranked = w.outranked * mention.strength;
}

function countryValue(areas: Areas, claim: Claim, country: number, isCode: boolean, w: WeightTable): number {
  const weight = isCode ? w.countryCode : w.countryName;
  if (claim.country === country) return weight;
  if (areas.sovereign(claim.country) === country) return weight * w.sovereign;
  return isCode ? w.countryConflict * 0.6 : w.countryConflict;
}

function subdivisionValue(areas: Areas, claim: Claim, area: number, isCode: boolean, w: WeightTable): number {
  const weight = isCode ? w.subdivisionCode : w.subdivisionName;
  if (claim.area === area || areas.contains(area, claim.area)) return weight;
  if (areas.contains(claim.area, area)) return weight * 0.4;
  return areas.country(area) === claim.country ? w.subdivisionConflict : w.subdivisionConflict * (isCode ? 0.9 : 1.2);
}

/** The postcode that supports the claim best, if any; its parts are added. */
function scorePostcodes(context: Context, claim: Claim, parts: Parts): PostcodeCandidate | null {
  let best: { candidate: PostcodeCandidate; total: number; parts: Parts } | null = null;
  const code = context.areas.codes[claim.country]!;
  for (const candidate of context.postcodes) {
    if (claim.postcode && claim.postcode !== candidate) continue;
    if (claim.span && overlaps(claim.span, candidate)) continue;
    const own = postcodeParts(context, claim, candidate, code);
    if (!own) continue;
    const total = Object.values(own).reduce((sum, part) => sum + part, 0);
    if (!best || total > best.total) best = { candidate, total, parts: own };
  }
  if (best) Object.assign(parts, best.parts);
  else if (context.postcodes.some((candidate) => candidate.first > 0 && [...candidate.facts.values()].some((fact) => fact.distinct >= 0.4))) parts.postcodeForeign = context.weights.postcodeForeign;
  return best?.candidate ?? null;
}

function postcodeParts({ areas, gazetteer, reading, weights: w }: Context, claim: Claim, candidate: PostcodeCandidate, code: string): Parts | null {
  const fact = candidate.facts.get(code);
  if (!fact) return null;
  const parts: Parts = { postcode: w.postcodeShape * fact.distinct + (fact.distinct >= 0.6 ? w.postcodeDistinct * fact.distinct : 0) };
  if (claim.span && (candidate.last === claim.span.first - 1 || candidate.first === claim.span.last + 1)) parts.postcodeAdjacent = w.postcodeAdjacent;
  if (candidate.first === 0 && reading.segments[0]!.last > candidate.last && claim.span?.first !== candidate.last + 1) parts.postcodeLeading = w.postcodeLeading;
  if (fact.area !== -1 && !areas.isCountry(claim.area)) parts.postcodeArea = areas.related(fact.area, claim.area) ? w.postcodeArea : w.postcodeAreaConflict;
  if (claim.kind === 'postcode' && fact.radiusKm > 0 && fact.radiusKm <= 12 && candidate.first > 0) parts.postcodeListed = w.postcodeListed * 0.6;
  if (claim.kind === 'place') {
    if (fact.places.includes(claim.place) && code === 'FR') parts.postcodeListed = w.postcodeListed;
    else if (fact.latitude !== null) {
      const away = distanceKm(fact.latitude, fact.longitude!, gazetteer.latitude(claim.place), gazetteer.longitude(claim.place));
      if (away < fact.radiusKm * 2) parts.postcodeNear = w.postcodeNear * (1 - away / (fact.radiusKm * 3));
      else if (away > fact.radiusKm * 4) parts.postcodeFar = w.postcodeFar;
    }
  }
  return parts;
}
