// The embedded geocoder: read, classify, score, compose. Pure functions over tables loaded once.
import { type Gazetteer, loadGazetteer } from '../gazetteer/gazetteer.ts';
import { COUNTRY, postingId, postingKind, postingQuality } from '../gazetteer/layout.ts';
import type { IsoContent } from '../iso/content.ts';
import { shippedIsoContent } from '../iso/shipped-content.ts';
import { Areas } from './areas.ts';
import type { Context } from './claims.ts';
import { alternativesTo, compose, round } from './compose.ts';
import { AMBIGUOUS_LEAD, confidenceOf, type Features, featuresOf } from './confidence.ts';
import { AreaCodes, findMentions } from './mentions.ts';
import { fold, isUnspaced, nameKey } from './normalise.ts';
import { Postcodes } from './postcodes.ts';
import { invertedNames, type Reading, read } from './read.ts';
import { ReverseGeocoder } from './reverse.ts';
import { type Hypothesis, weigh } from './score.ts';
import { Suggester } from './suggest.ts';
import { type AddressSuggestion, type GeocodeResult, MAX_ADDRESS_LENGTH, type Match, type ReverseGeocodeResult } from './types.ts';
import { typoSpans } from './typos.ts';
import { SURE } from './verdict.ts';
import { WEIGHTS, type WeightTable } from './weights.ts';

export interface GeocodeOptions {
  /** Adds the score components of the result. */
  readonly debug?: boolean;
}

/** A geocoder over one gazetteer and one version of the ISO content. Make a new one when either changes; that takes a few milliseconds. */
export interface Geocoder {
  readonly dataVersion: string;
  readonly isoVersion: string;
  geocode(address: string, options?: GeocodeOptions): GeocodeResult;
  /** Completes a text to names of places, of one country where it is given. */
  suggest(text: string, country: string | null, most: number): AddressSuggestion[];
  /** The code of the country that has a name, usual ones included; undefined where none or several have it. */
  countryNamed(name: string): string | undefined;
  /** The country, subdivision and city of a position. */
  reverse(latitude: number, longitude: number): ReverseGeocodeResult;
}

export function createGeocoder(gazetteer: Gazetteer, iso: IsoContent = shippedIsoContent(), weights: WeightTable = WEIGHTS): Geocoder {
  const areas = new Areas(gazetteer, iso);
  const codes = new AreaCodes(areas, iso);
  const postcodes = new Postcodes(gazetteer, areas);
  const inverted = invertedNames(iso);
  const engine = {
    name: 'embedded',
    dataVersion: gazetteer.meta.build,
    isoVersion: iso.version,
    attribution: [...gazetteer.meta.attribution],
  };

  function geocode(address: string, options: GeocodeOptions = {}): GeocodeResult {
    const reading = read(address.slice(0, MAX_ADDRESS_LENGTH), gazetteer, inverted);
    const context: Context = {
      reading,
      mentions: findMentions(reading, codes, areas, gazetteer),
      postcodes: postcodes.find(reading),
      gazetteer,
      areas,
      weights,
    };
    const all = rank(context);
    const query = { address, normalized: fold(reading.text) };
    const best = all[0];
    if (!best || best.score <= 0) return { query, match: 'none', confidence: 0, result: null, alternatives: [], engine };
    const features = featuresOf(best, all, context);
    const confidence = round(confidenceOf(features));
    const match = matchOf(best, features, confidence);
    const result = compose(context, withLoosePostcode(context, best), iso, { match, confidence });
    const alternatives = alternativesTo(context, best, all, confidence);
    return {
      query,
      match,
      confidence,
      result,
      alternatives,
      engine,
      ...(options.debug ? { debug: { ...best.parts, ...prefixed(features) } } : {}),
    };
  }

  /**
   * Where no number fits the postcode pattern of the country, takes a number that is not a house number and is next to the place or in a later
   * segment.
   */
  function withLoosePostcode({ reading }: Context, best: Hypothesis): Hypothesis {
    const { span } = best;
    if (best.postcode || !span) return best;
    const free = postcodes.findLoose(reading).filter(({ first }) => first > 0 && !followsStreet(reading, first));
    const adjacent = free.find(
      ({ first, last }) => first === span.last + 1 || (last === span.first - 1 && reading.segmentOf[last] === span.segment),
    );
    const postcode = adjacent ?? free.find(({ first }) => first > span.last);
    return postcode ? { ...best, postcode } : best;
  }

  // Made at the first use: most gateways are never asked.
  let suggester: Suggester | undefined;
  let reverser: ReverseGeocoder | undefined;
  return {
    dataVersion: gazetteer.meta.build,
    isoVersion: iso.version,
    geocode,
    suggest(text, country, most) {
      suggester ??= new Suggester(gazetteer, areas, iso, postcodes);
      return suggester.suggest(text, country, most);
    },
    countryNamed(name) {
      const postings = [...gazetteer.lookup(nameKey(name.replace(/^the\s+/i, '')))].filter((posting) => postingKind(posting) === COUNTRY);
      const best = Math.min(...postings.map(postingQuality));
      const [first, ...others] = postings.filter((posting) => postingQuality(posting) === best);
      return first === undefined || others.length > 0 ? undefined : gazetteer.areas[postingId(first)];
    },
    reverse(latitude, longitude) {
      reverser ??= new ReverseGeocoder(gazetteer, areas, iso);
      return reverser.locate(latitude, longitude);
    },
  };
}

function rank(context: Context): Hypothesis[] {
  const all = weigh(context);
  const best = all[0];
  if (best && fitsWell(best)) return all;
  const taken = new Set<number>();
  for (const mention of context.mentions) if (mention.strength >= 0.5) for (let i = mention.first; i <= mention.last; i++) taken.add(i);
  const spans = typoSpans(context.reading, context.gazetteer, taken);
  return spans.length === 0 ? all : weigh(context, [...context.reading.spans, ...spans]);
}

/** Whether a typo is unlikely: the place is outside every street name, at a usual position, and large or supported by something else. */
function fitsWell({ kind, parts }: Hypothesis): boolean {
  if (kind !== 'place' || (parts.street ?? 0) < 0 || parts.areaAsPlace !== undefined || (parts.segment ?? 0) === 0) return false;
  return parts.population! > 2.6 || (parts.named ?? 0) > 0 || (parts.postcodeNear ?? 0) > 0 || (parts.postcodeListed ?? 0) > 0;
}

function matchOf(best: Hypothesis, features: Features, confidence: number): Match {
  if (features.countryLead < AMBIGUOUS_LEAD || features.areaLead < AMBIGUOUS_LEAD) return 'ambiguous';
  return confidence >= SURE && best.kind === 'place' && features.typo === 0 ? 'exact' : 'partial';
}

/** True for the number after a street name, or after a name in a script without spaces, where a house number is expected. */
function followsStreet({ segments, segmentOf, street, tokens }: Reading, i: number): boolean {
  return segments[segmentOf[i]!]!.first !== i && (street[i - 1]! >= 0.8 || isUnspaced(tokens[i - 1]!.key));
}

const prefixed = (features: Features): Record<string, number> =>
  Object.fromEntries(Object.entries(features).map(([name, value]) => [`signal.${name}`, value]));

let shared: Geocoder | undefined;

/** Geocodes with the bundled tables and ISO content, loaded on first use. */
export function geocode(address: string, options?: GeocodeOptions): GeocodeResult {
  shared ??= createGeocoder(loadGazetteer());
  return shared.geocode(address, options);
}
