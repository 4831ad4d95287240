// Everything the address could mean, before scoring: places, areas and postcodes named in it, and the country a name sounds like.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { PLACE, postingId, postingKind } from '../gazetteer/layout.ts';
import type { Areas } from './areas.ts';
import { isHome } from './facts/streetWords.ts';
import type { Mention } from './mentions.ts';
import type { PostcodeCandidate } from './postcodes.ts';
import type { Reading, Span } from './read.ts';
import type { WeightTable } from './weights.ts';

/** What the pipeline knows about one address. */
export interface Context {
  readonly reading: Reading;
  readonly mentions: readonly Mention[];
  readonly postcodes: readonly PostcodeCandidate[];
  readonly gazetteer: Gazetteer;
  readonly areas: Areas;
  readonly weights: WeightTable;
}

/** One possible meaning. */
export interface Claim {
  readonly kind: 'place' | 'subdivision' | 'country' | 'postcode';
  /** Most specific area claimed: a subdivision or a country row. */
  readonly area: number;
  readonly country: number;
  /** Place row; -1 when the text names none. */
  readonly place: number;
  readonly span: Span | null;
  readonly mention: Mention | null;
  /** The postcode the claim was made from. */
  readonly postcode?: PostcodeCandidate;
  /** An unknown name that ends like the names of the country: its word, and the share of the names with that ending that lie there. */
  readonly ending?: { readonly word: number; readonly share: number };
}

/** From this radius on the area of a postcode has several subdivisions. */
const COARSE_KM = 90;
const PLACES_PER_SPAN = 24;
const POSTINGS_PER_SPAN = 600;

export function allClaims(context: Context, spans: readonly Span[]): Claim[] {
  return [...placeClaims(context, spans), ...areaClaims(context), ...postcodeClaims(context), ...endingClaims(context)];
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
      claims.push({
        kind: areas.isCountry(area) ? 'country' : 'subdivision',
        area,
        country: areas.country(area),
        place: -1,
        span: null,
        mention,
      });
    }
  }
  return claims;
}

function postcodeClaims({ areas, gazetteer, postcodes, mentions, reading }: Context): Claim[] {
  const claims: Claim[] = [];
  const named = new Set(
    mentions
      .filter((mention) => mention.strength > 0.3)
      .flatMap((mention) => mention.interpretations.map((row) => areas.country(row.area))),
  );
  for (const postcode of postcodes) {
    for (const fact of postcode.facts.values()) {
      const country = areas.rows.get(fact.country);
      if (
        country === undefined ||
        (fact.distinct < 0.3 && fact.places.length === 0 && !named.has(country) && !isHome(reading.languages, fact.country))
      )
        continue;
      const place = fact.places[0] ?? -1;
      // A town that stands for a tenth of the country says nothing of the subdivision.
      const isNear = place !== -1 && fact.radiusKm < COARSE_KM;
      const area = fact.area !== -1 ? fact.area : isNear ? gazetteer.area(place) : country;
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
    if (country !== undefined)
      claims.push({
        kind: 'country',
        area: country,
        country,
        place: -1,
        span: null,
        mention: null,
        ending: { word: i, share: found![1] / 100 },
      });
  });
  return claims;
}
