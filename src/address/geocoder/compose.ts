// Builds the result from the best hypothesis and its rivals.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { type IsoContent, resolveCode } from '../iso/content.ts';
import type { Areas } from './areas.ts';
import type { Context } from './claims.ts';
import { extractComponents } from './components.ts';
import { DUAL_TERRITORIES } from './facts/territories.ts';
import { formatAddress } from './format.ts';
import type { Mention } from './mentions.ts';
import { DISTRICT_KM, distanceKm, type PostcodeFacts } from './postcodes.ts';
import { type Hypothesis, qualityOf } from './score.ts';
import { nameTextCity } from './textCity.ts';
import type { Alternative, CountryRef, Evidence, GeocodedAddress, LocalityRef, Precision, SubdivisionRef } from './types.ts';
import { type Finding, verdictOn } from './verdict.ts';

export function compose(
  context: Context,
  best: Hypothesis,
  iso: IsoContent,
  { match, confidence }: Pick<Finding, 'match' | 'confidence'>,
): GeocodedAddress {
  const { areas, gazetteer, reading } = context;
  const alpha2 = areas.codes[best.country]!;
  const fact = best.postcode?.facts.get(alpha2) ?? null;
  const supporting = context.mentions.filter((mention) => supports(areas, mention, best));
  const area = deepest(context, best, fact, supporting);
  const path = subdivisionPath(areas, iso, area);
  const textCity = best.kind === 'place' ? null : nameTextCity(context, best, supporting);
  const placed = best.kind === 'place' || (fact !== null && fact.places.length > 0 && fact.places[0] === best.place && fact.radiusKm < 20);
  const place = placed ? best.place : -1;
  const stateMention = supporting.find((mention) =>
    mention.interpretations.some((row) => !row.isCountry && areas.contains(row.area, area)),
  );
  const countryMention = supporting.find((mention) => mention !== stateMention && mention.interpretations.some((row) => row.isCountry));
  const components = extractComponents(reading, {
    city: best.span ?? textCity,
    state: stateMention ?? null,
    postalCode: best.postcode,
    country: countryMention ?? null,
  });
  const country = countryRef(iso, alpha2);
  const position = locate(gazetteer, best, fact, place);
  const address = {
    formatted: formatAddress(components, {
      locality: place >= 0 && best.kind === 'place' ? gazetteer.name(place) : null,
      country: country.name,
      alpha2,
    }),
    country,
    parentCountry: DUAL_TERRITORIES[alpha2]?.parent ?? null,
    parentSubdivision: DUAL_TERRITORIES[alpha2]?.code ?? null,
    subdivision: path.at(-1) ?? null,
    subdivisionPath: path,
    county: countyOf(gazetteer, areas, place),
    locality: textCity
      ? { name: reading.text.slice(textCity.start, textCity.end), localName: null, geonamesId: null, population: null }
      : localityOf(gazetteer, place),
    postalCode: best.postcode
      ? { value: best.postcode.value, validFormat: fact !== null, consistent: isConsistent(context, best, fact) }
      : null,
    components,
    ...position,
    evidence: evidenceOf(context, best, supporting, fact),
  };
  const isCityCorrected = (best.span?.edits ?? 0) > 0;
  const replaced = replacedIn(context, best, supporting);
  return { ...address, verdict: verdictOn(address, { match, confidence, isCityCorrected, replaced, hasStreets: false }) };
}

/** The areas that the text names and that the result is not in. */
function replacedIn({ mentions }: Context, best: Hypothesis, supporting: readonly Mention[]): ('country' | 'state')[] {
  if ((best.parts.conflict ?? 0) > CLEAR_CONFLICT) return [];
  const others = mentions.filter(
    (mention) =>
      mention.strength >= 0.5 &&
      !supporting.includes(mention) &&
      !(best.span && mention.start < best.span.end && best.span.start < mention.end),
  );
  const areCountries = others.map(({ interpretations }) => interpretations.every(({ isCountry }) => isCountry));
  return [...new Set(areCountries.map((isCountry) => (isCountry ? 'country' : 'state')))];
}

/** Part of the score from which on a named area speaks against the result. */
const CLEAR_CONFLICT = -0.5;

const supports = (areas: Areas, mention: Mention, best: Hypothesis): boolean =>
  !(best.span && mention.start < best.span.end && best.span.start < mention.end) &&
  mention.strength >= 0.3 &&
  mention.interpretations.some((row) => areas.related(row.area, best.area) || areas.sovereign(best.country) === row.area);

/** The most specific area that the place, a supporting name or the postcode rule gives, each inside the one before. */
function deepest({ areas }: Context, best: Hypothesis, fact: PostcodeFacts | null, supporting: readonly Mention[]): number {
  let area = best.area;
  const asSubdivision = supporting.filter(
    (mention) => mention.strength >= 0.4 && !mention.interpretations.some((row) => row.isCountry && areas.related(row.area, best.area)),
  );
  const named = asSubdivision.flatMap((mention) => mention.interpretations.map((row) => row.area));
  for (const inner of [...named, fact?.area ?? -1]) if (inner !== -1 && inner !== area && areas.contains(area, inner)) area = inner;
  return area;
}

/** The subdivisions that an area is in, from the top down to itself. */
export function subdivisionPath(areas: Areas, iso: IsoContent, area: number): SubdivisionRef[] {
  const path: SubdivisionRef[] = [];
  for (const row of areas.path(area)) {
    const found = resolveCode(iso, areas.codes[row]!);
    if (found && !path.some((other) => other.code === found.code))
      path.push({ code: found.code, name: found.name, type: found.type, level: path.length + 1 });
  }
  return path;
}

/** A country as results show it. */
export function countryRef(iso: IsoContent, alpha2: string): CountryRef {
  const row = iso.country(alpha2);
  return { alpha2, alpha3: row?.alpha3 ?? null, numeric: row?.numeric ?? null, name: row?.name ?? alpha2 };
}

/** A place as results show it; null without one. */
export function localityOf(gazetteer: Gazetteer, place: number): LocalityRef | null {
  if (place < 0) return null;
  return {
    name: gazetteer.name(place),
    localName: gazetteer.localName(place),
    geonamesId: gazetteer.geonamesId(place),
    population: gazetteer.population(place) || null,
  };
}

function countyOf(gazetteer: Gazetteer, areas: Areas, place: number): GeocodedAddress['county'] {
  const number = place < 0 ? 0 : gazetteer.county(place);
  const state = place < 0 ? '' : areas.codes[gazetteer.area(place)]!.slice(3);
  const name = gazetteer.rules.counties[`${state}.${String(number).padStart(3, '0')}`];
  const fips = STATE_FIPS[state];
  return number > 0 && name && fips ? { name, code: `${fips}${String(number).padStart(3, '0')}`, scheme: 'FIPS' } : null;
}

/** Numeric state codes that the county codes start with. */
const STATE_FIPS: Readonly<Record<string, string>> = Object.fromEntries(
  'AL01 AK02 AZ04 AR05 CA06 CO08 CT09 DE10 DC11 FL12 GA13 HI15 ID16 IL17 IN18 IA19 KS20 KY21 LA22 ME23 MD24 MA25 MI26 MN27 MS28 MO29 MT30 NE31 NV32 NH33 NJ34 NM35 NY36 NC37 ND38 OH39 OK40 OR41 PA42 RI44 SC45 SD46 TN47 TX48 UT49 VT50 VA51 WA53 WV54 WI55 WY56'
    .split(' ')
    .map((row) => [row.slice(0, 2), row.slice(2)]),
);

/** A postcode is consistent when its rule or position agrees with the place; unknown when neither says anything. */
function isConsistent({ areas, gazetteer }: Context, best: Hypothesis, fact: PostcodeFacts | null): boolean | null {
  if (!fact) return null;
  const byArea = fact.area === -1 || areas.isCountry(best.area) ? null : areas.related(fact.area, best.area);
  if (byArea !== null) return byArea;
  if (fact.latitude === null || best.place < 0 || best.kind !== 'place') return null;
  return distanceKm(fact.latitude, fact.longitude!, gazetteer.latitude(best.place), gazetteer.longitude(best.place)) < fact.radiusKm * 3;
}

type Located = Pick<GeocodedAddress, 'coordinates' | 'precision' | 'accuracyMeters'>;

function locate(gazetteer: Gazetteer, best: Hypothesis, fact: PostcodeFacts | null, place: number): Located {
  const at = (latitude: number, longitude: number, precision: Precision, accuracyMeters: number): Located => ({
    coordinates: { latitude, longitude },
    precision,
    accuracyMeters,
  });
  const exactCode = fact?.latitude != null && fact.radiusKm <= DISTRICT_KM ? fact : null;
  if (place >= 0 && best.kind === 'place') {
    const [latitude, longitude] = [gazetteer.latitude(place), gazetteer.longitude(place)];
    const near = exactCode && exactCode.country !== 'FR' && distanceKm(exactCode.latitude!, exactCode.longitude!, latitude, longitude) < 30;
    if (near) return at(exactCode.latitude!, exactCode.longitude!, 'postal_code', 5_000);
    const radius = gazetteer.isApproximate(place)
      ? 12_000
      : Math.round(1000 * Math.min(15, 1.5 + Math.sqrt(gazetteer.population(place)) / 100));
    return at(latitude, longitude, 'locality', radius);
  }
  if (fact?.latitude != null) return at(fact.latitude, fact.longitude!, 'postal_code', fact.radiusKm * 1000);
  const precision: Precision = best.kind === 'country' ? 'country' : 'subdivision';
  return { coordinates: null, precision, accuracyMeters: null };
}

function evidenceOf(
  { areas, gazetteer, reading }: Context,
  best: Hypothesis,
  supporting: readonly Mention[],
  fact: PostcodeFacts | null,
): Evidence[] {
  const evidence: Evidence[] = [];
  if (best.span)
    evidence.push({
      kind: 'place',
      text: reading.text.slice(best.span.start, best.span.end),
      supports: `${gazetteer.name(best.place)}, ${areas.codes[best.area]}${qualityOf(best.span, best.place) > 0 ? ' (other name)' : ''}${best.span.edits > 0 ? ' (one edit)' : ''}`,
    });
  for (const mention of supporting) {
    const row = mention.interpretations.find(
      (other) => areas.related(other.area, best.area) || areas.sovereign(best.country) === other.area,
    )!;
    evidence.push({
      kind: `${row.isCountry ? 'country' : 'subdivision'}_${row.isCode ? 'code' : 'name'}`,
      text: reading.text.slice(mention.start, mention.end),
      supports: areas.codes[row.area]!,
    });
  }
  if (best.postcode && fact)
    evidence.push({
      kind: fact.area !== -1 || fact.latitude !== null ? 'postcode_rule' : 'postcode_format',
      text: best.postcode.value,
      supports: fact.area !== -1 ? areas.codes[fact.area]! : fact.country,
    });
  if ((best.parts.ending ?? 0) > 0) evidence.push({ kind: 'language', text: reading.text, supports: areas.codes[best.country]! });
  if ((best.parts.language ?? 0) > 0)
    evidence.push({ kind: 'language', text: [...reading.languages].join(' '), supports: areas.codes[best.country]! });
  return evidence;
}

/** Up to five different places that the words could also mean. */
export function alternativesTo(
  { areas, gazetteer }: Context,
  best: Hypothesis,
  all: readonly Hypothesis[],
  confidence: number,
): Alternative[] {
  const label = (row: Hypothesis): string => `${areas.codes[row.area]}|${row.kind === 'place' ? gazetteer.name(row.place) : ''}`;
  const seen = new Set([label(best)]);
  const rivals: Hypothesis[] = [];
  for (const row of all) {
    if (rivals.length === 5 || row.score < best.score - 6) break;
    if (seen.has(label(row)) || (row.kind !== 'place' && areas.related(row.area, best.area))) continue;
    seen.add(label(row));
    rivals.push(row);
  }
  const odds = rivals.map((row) => Math.exp(row.score - best.score));
  const total = odds.reduce((sum, value) => sum + value, 0);
  return rivals.map((row, i) => {
    const path = areas.path(row.area);
    return {
      country: areas.codes[row.country]!,
      subdivision: path.length > 0 ? areas.codes[path.at(-1)!]! : null,
      locality: row.kind === 'place' ? gazetteer.name(row.place) : null,
      confidence: round((1 - confidence) * (odds[i]! / Math.max(total, 1e-9))),
    };
  });
}

export const round = (value: number): number => Math.round(value * 1000) / 1000;
