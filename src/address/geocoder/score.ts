// Scores every claim about the meaning of an address. The rules are here, their numbers in weights.ts.
import { COMMON_NAME, MAIN_NAME, PLACE, postingId, postingKind, postingQuality, RARE_NAME } from '../gazetteer/layout.ts';
import type { Areas } from './areas.ts';
import { allClaims, type Claim, type Context } from './claims.ts';
import { isHome, LINKS, PARTICLES, speaks, streetWord } from './facts/streetWords.ts';
import { count, describeLayout, type Layout } from './layout.ts';
import type { Mention } from './mentions.ts';
import { isUnspaced } from './normalise.ts';
import { distanceKm, type PostcodeCandidate } from './postcodes.ts';
import type { Reading, Span } from './read.ts';
import type { WeightTable } from './weights.ts';

/** A claim with its weight and the parts the weight is the sum of. */
export interface Hypothesis extends Omit<Claim, 'postcode'> {
  /** The postcode that supports the claim best. */
  readonly postcode: PostcodeCandidate | null;
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
}

type Parts = Record<string, number>;
/** All hypotheses, best first. */
export function weigh(context: Context, spans: readonly Span[] = context.reading.spans): Hypothesis[] {
  const layout = describeLayout(context);
  return allClaims(context, spans)
    .map((claim) => scoreClaim(context, layout, claim))
    .sort((a, b) => b.score - a.score || a.place - b.place || a.area - b.area);
}

function scoreClaim(context: Context, layout: Layout, claim: Claim): Hypothesis {
  const parts: Parts = {};
  const { weights: w } = context;
  if (claim.kind === 'place') scorePlace(context, layout, claim, parts);
  else if (claim.kind === 'subdivision')
    parts.base = w.subdivisionBase + w.areaPopulation * Math.log10(context.areas.population(claim.area) + 1000);
  else if (claim.ending !== undefined) parts.ending = w.ending * claim.ending.share;
  else if (claim.kind === 'country') parts.base = w.countryBase;
  else
    parts.base =
      w.postcodeBase + (claim.place >= 0 ? w.postcodePlace * Math.log10(context.gazetteer.population(claim.place) + 10) * 0.5 : 0);
  if (claim.kind === 'subdivision' && claim.mention) {
    const zone = Math.max(...context.reading.street.slice(claim.mention.first, claim.mention.last + 1));
    if (zone >= 0.8) parts.street = w.streetZone * zone;
  }
  scoreMentions(context, layout, claim, parts);
  const postcode = scorePostcodes(context, claim, parts);
  // A municipality with its part, near its postcode: Gronau-Epe, 48599.
  if (parts.partOfName && (parts.postcodeNear ?? 0) > 0 && claim.span!.edits === 0 && isHead(context.reading, claim.span!))
    delete parts.partOfName;
  // A town that only a street is named after, and that the postcode is not in: Via Roma 1, 37121 is in Verona.
  const isElsewhere = (parts.postcodeArea ?? 0) < 0 || parts.postcodeFar !== undefined;
  if (claim.kind === 'place' && isElsewhere && (parts.street ?? 0) < w.streetTail) parts.streetContradicted = w.streetContradicted;
  if (isElsewhere && claim.span && claim.span.edits > 0) parts.typoContradicted = w.typoContradicted;
  // The same for the last word of a longer name that the tables lack: Fagnano Alto is not Alto.
  if (isElsewhere && claim.span && (parts.segment ?? 0) < w.restOfSegment) parts.partContradicted = w.partContradicted;
  // A town that only a street is named after, with another name behind it: Victoria Avenue, Goose Bay.
  if (claim.span && (parts.street ?? 0) < w.streetTail && layout.freeBefore.at(-1)! > layout.freeBefore[claim.span.last + 1]!)
    parts.streetBeforeName = w.streetContradicted;
  const country = context.areas.codes[claim.country]!;
  if (context.reading.languages.size > 0)
    parts.language = speaks(context.reading.languages, country)
      ? w.language + (isHome(context.reading.languages, country) ? w.languageHome : 0)
      : w.languageMiss;
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
  parts.words =
    w.placeToken * (span.last - span.first) +
    w.placeLetters * Math.min(span.key.length, 16) +
    (span.key.length <= 3 && /^[a-z ]+$/.test(span.key) ? w.shortName : 0);
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
  if (isPartOfName(reading, span, population)) parts.partOfName = w.partOfName;
  // Unexplained words more likely belong to a name that the tables lack: Groß Düngen is not a misspelt Hungen.
  if (span.edits > 0 && own > 0) parts.typoOfPart = w.typoOfPart;
  if (span.edits > 0 && reading.tokens[span.first]!.key[0] !== span.key[0]) parts.typoAtStart = w.typoAtStart;
  if (
    span.last < segment.last &&
    /^\d{1,4}$/.test(reading.tokens[span.last + 1]!.key) &&
    layout.plainSegments >= 2 &&
    layout.lateness[span.segment]! < 1
  )
    parts.beforeNumber = w.beforeNumber;
  if (span.first > 0 && /^\d/.test(reading.tokens[span.first - 1]!.key) && span.first - 1 > segment.first)
    parts.afterNumber = w.afterNumber;
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

/** An area of a name is meant rather than a place in it, or than one elsewhere, when it has so many times the inhabitants. */
const LARGER_AROUND = 20;
const LARGER_ELSEWHERE = 8;
const LARGER_FIRST_LEVEL = 4;
/** Below this a name with a district after a hyphen is rather the beginning of another name. */
const LARGE = 100_000;

/** Words that say what the place after them is: ville de Nantes. */
const KINDS_OF_PLACE: ReadonlySet<string> = new Set(
  'aeroport aeropuerto canton cidade citta ciudad commune comune departamento departement distrito estado gare hospital hotel mairie municipalite municipio partido provincia province region universidad universite ville vila'.split(
    ' ',
  ),
);

/** True where the words around show that the name is longer: Villaluenga de la Sagra is not Sagra, Amigny-Rouy is not Rouy, Coria del Río not Coria, but Köln-Ehrenfeld is Köln. */
function isPartOfName(reading: Reading, span: Span, population: number): boolean {
  const { text, tokens, segments, street } = reading;
  if (isUnspaced(span.key)) return false;
  if (/[\p{L}]-$/u.test(text.slice(0, span.start))) return true;
  if (population >= LARGE && span.edits === 0) return false;
  const start = segments[span.segment]!.first;
  let before = span.first - 1;
  while (before > start && LINKS.has(tokens[before]!.key)) before--;
  const continues =
    before >= start &&
    before < span.first - 1 &&
    street[before] === 0 &&
    /^\p{L}{3,}$/u.test(tokens[before]!.key) &&
    !KINDS_OF_PLACE.has(tokens[before]!.key);
  const follows = span.last + 1 < segments[span.segment]!.last && LINKS.has(tokens[span.last + 1]!.key);
  return continues || follows || isHead(reading, span);
}

/** True for the name before a hyphen. */
const isHead = ({ text }: Reading, { end }: Span): boolean => /^-\p{L}/u.test(text.slice(end));

const overlaps = (a: { start: number; end: number }, b: { start: number; end: number }): boolean => a.start < b.end && b.start < a.end;

function scoreMentions(context: Context, layout: Layout, claim: Claim, parts: Parts): void {
  const { areas, mentions, reading, weights: w } = context;
  const taken = claim.span ?? null;
  const held = taken !== null && mentions.some((mention) => isHeldBy(areas, claim, mention));
  for (const mention of mentions) {
    const shared = taken !== null && overlaps(taken, mention);
    let best = Number.NEGATIVE_INFINITY;
    for (const row of mention.interpretations) {
      if (claim.mention === mention && row.area !== claim.area) continue;
      const value =
        row.isCountry || areas.isCountry(row.area)
          ? countryValue(areas, claim, row.area, row.isCode, w)
          : subdivisionValue(areas, claim, row.area, row.isCode, w);
      if (value > best) best = value;
    }
    if (shared) {
      const whole = taken.start === mention.start && taken.end === mention.end;
      const inside = !whole && mention.start <= taken.start && taken.end <= mention.end;
      if (whole) asPlace(areas, layout, claim, mention, held, parts, context);
      if (whole && !(best < 0 && (held || outnumbers(context, claim.place, mention))))
        parts.sameSpan = (parts.sameSpan ?? 0) + best * mention.strength * (best > 0 ? w.sameSpan : w.sameSpanConflict);
      else if (inside) parts.insideArea = Math.min(parts.insideArea ?? 0, mention.strength * (w.insideArea + Math.min(best, 0)));
      continue;
    }
    const adjacent =
      best > 0 && taken !== null && mention.first === taken.last + 1 && !/\d/.test(reading.text.slice(taken.end, mention.start))
        ? w.subdivisionAdjacent
        : 0;
    const name = best > 0 ? 'named' : 'conflict';
    parts[name] = (parts[name] ?? 0) + (best + adjacent) * mention.strength;
  }
}

/** True for a subdivision named next to a place that lies in it. It says which place is meant, also when a larger area has the name too. */
const isHeldBy = (areas: Areas, claim: Claim, mention: Mention): boolean =>
  mention.strength >= 0.5 &&
  !overlaps(claim.span!, mention) &&
  mention.interpretations.some((row) => !areas.isCountry(row.area) && areas.contains(row.area, claim.area));

/**
 * The words name an area and the place claims them. This is unlikely when another city comes first, when only a secondary name fits, or when the area
 * is far larger.
 */
function asPlace(
  areas: Areas,
  layout: Layout,
  claim: Claim,
  mention: Mention,
  held: boolean,
  parts: Parts,
  { gazetteer, mentions, weights: w }: Context,
): void {
  if (mentions.some((other) => other !== mention && namesCountryOf(claim, other) && namesCountryOf(claim, mention))) return;
  if (layout.freeBefore[mention.first]! > 0) parts.areaAsPlace = w.areaAsPlace * mention.strength;
  if (mention.interpretations.some((row) => row.isCountry) && qualityOf(claim.span!, claim.place) !== MAIN_NAME)
    parts.countryAsPlace = w.countryAsPlace * mention.strength;
  if (held) return;
  const inhabitants = gazetteer.population(claim.place) + 1000;
  const larger = mention.interpretations.filter(({ area }) => areas.population(area) > inhabitants * timesLarger(areas, area, claim.area));
  if (larger.length === 0) return;
  const isState = larger.some(({ area }) => !areas.contains(area, claim.area) && isFirstLevel(areas, area));
  parts.outranked = (isState ? w.outrankedByState : w.outranked) * mention.strength;
}

/** True for a city with more inhabitants than any area of its name: it is the better known of them. */
const outnumbers = ({ areas, gazetteer }: Context, place: number, mention: Mention): boolean =>
  mention.interpretations.every(({ area }) => gazetteer.population(place) > areas.population(area));

/** Where two names of the country follow each other, the first is its city of that name: Panamá, Panamá. */
const namesCountryOf = (claim: Claim, { interpretations, strength }: Mention): boolean =>
  strength >= 0.5 && interpretations.some(({ area, isCountry, isCode }) => isCountry && !isCode && area === claim.country);

const isFirstLevel = (areas: Areas, area: number): boolean => areas.path(area).length === 1;

function timesLarger(areas: Areas, area: number, of: number): number {
  if (areas.contains(area, of)) return LARGER_AROUND;
  return isFirstLevel(areas, area) ? LARGER_FIRST_LEVEL : LARGER_ELSEWHERE;
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
  return areas.country(area) === claim.country ? w.subdivisionConflict : w.subdivisionForeign * (isCode ? 1.5 : 1.2);
}

/** The postcode that supports the claim best, if any; its parts are added. */
function scorePostcodes(context: Context, claim: Claim, parts: Parts): PostcodeCandidate | null {
  let best: { candidate: PostcodeCandidate; total: number; parts: Parts } | null = null;
  const code = context.areas.codes[claim.country]!;
  for (const candidate of context.postcodes) {
    if (claim.postcode && claim.postcode !== candidate) continue;
    if (claim.span && overlaps(claim.span, candidate)) continue;
    const own = postcodeParts(context, claim, candidate, code);
    if (!own) {
      if (isBefore(context.reading, candidate, claim)) parts.postcodeOfOther = context.weights.postcodeOfOther;
      continue;
    }
    const total = Object.values(own).reduce((sum, part) => sum + part, 0);
    if (!best || total > best.total) best = { candidate, total, parts: own };
  }
  if (best) Object.assign(parts, best.parts);
  else if (context.postcodes.some((candidate) => candidate.first > 0 && [...candidate.facts.values()].some((fact) => fact.distinct >= 0.4)))
    parts.postcodeForeign = context.weights.postcodeForeign;
  return best?.candidate ?? null;
}

/** True for a code with a name behind it, as the countries write it that have the code before the town: 72172 Sulz. ZIP codes end their line. */
function beginsName({ tokens, segments, segmentOf }: Reading, { first, last }: PostcodeCandidate): boolean {
  const segment = segments[segmentOf[last]!]!;
  const next = tokens[last + 1];
  return first > 0 && last < segment.last && /^\p{L}{3,}$/u.test(next!.key) && !/^(?:usa|united|us)$/.test(next!.key);
}

/** True for a number that only postcodes of other countries look like, directly before the name: 72172 Sulz is in no country with four digits. */
const isBefore = ({ segments, segmentOf }: Reading, { first, last, facts }: PostcodeCandidate, { span }: Claim): boolean =>
  span !== null &&
  last === span.first - 1 &&
  segmentOf[last] === span.segment &&
  first === segments[span.segment]!.first &&
  first > 0 &&
  facts.size > 0;

function postcodeParts(
  { areas, gazetteer, reading, weights: w }: Context,
  claim: Claim,
  candidate: PostcodeCandidate,
  code: string,
): Parts | null {
  const fact = candidate.facts.get(code);
  if (!fact) return null;
  const parts: Parts = { postcode: w.postcodeShape * fact.distinct + (fact.distinct >= 0.6 ? w.postcodeDistinct * fact.distinct : 0) };
  if (claim.span && (candidate.last === claim.span.first - 1 || candidate.first === claim.span.last + 1))
    parts.postcodeAdjacent = w.postcodeAdjacent;
  if (candidate.first === 0 && reading.segments[0]!.last > candidate.last && claim.span?.first !== candidate.last + 1)
    parts.postcodeLeading = w.postcodeLeading;
  if (code === 'US' && beginsName(reading, candidate)) parts.zipFirst = w.zipFirst;
  if (fact.area !== -1 && !areas.isCountry(claim.area))
    parts.postcodeArea = areas.related(fact.area, claim.area) ? w.postcodeArea : w.postcodeAreaConflict;
  if (claim.kind === 'postcode' && fact.radiusKm > 0 && fact.radiusKm <= 12 && candidate.first > 0)
    parts.postcodeListed = w.postcodeListed * 0.6;
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
