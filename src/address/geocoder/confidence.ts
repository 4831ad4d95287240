// Turns scores into a calibrated probability that country and subdivision are right.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { Areas } from './areas.ts';
import type { Context } from './claims.ts';
import { describeLayout } from './layout.ts';
import type { Mention } from './mentions.ts';
import type { Hypothesis } from './score.ts';
import { WEIGHTS } from './weights.ts';

/** The features that the probability is computed from; leads in score units, the others 0 or 1. */
export interface Features {
  /** Lead over the best hypothesis in another country. */
  readonly countryLead: number;
  /** Lead over the best hypothesis in another subdivision of the same country. */
  readonly areaLead: number;
  readonly named: number;
  readonly postcode: number;
  readonly typo: number;
  readonly unnamedPlace: number;
  readonly conflict: number;
  /** The text surely names an area, by name or postcode, that the result is not in: Moscow, TN may be a town that the tables lack. */
  readonly contradicted: number;
  /** Only the country is known although the text names a town in it that the tables lack. */
  readonly unread: number;
  /** The same in a text of names alone. */
  readonly bare: number;
  /** The street words belong to a language of other countries. */
  readonly misfit: number;
  /** The name is that of a street. */
  readonly street: number;
  /** The text has a longer name, of which the result has a part alone. */
  readonly part: number;
  /** A large city, and every other place that the words may mean has less than a twentieth of its inhabitants. */
  readonly prominent: number;
  /** A small place, or one of unknown size, that nothing else in the text supports. */
  readonly small: number;
  /** The name is also that of a subdivision of another state, and the text says neither. */
  readonly shared: number;
}

/**
 * Logistic regression on sample addresses (target: country and subdivision both right), its bias lowered by 1 so that 0.8 stays safe on addresses
 * of other kinds. Weights whose sign was implausible, because few cases have the feature (misfit, conflict, contradicted), were set by hand.
 */
export const CONFIDENCE = {
  bias: -3,
  countryLead: 0.8,
  areaLead: 0.55,
  named: 0.2,
  postcode: 0.65,
  typo: -0.3,
  unnamedPlace: -0.1,
  conflict: -0.2,
  contradicted: -0.3,
  misfit: -0.3,
  street: -0.3,
  part: -0.3,
  prominent: 0.6,
  small: -0.5,
  shared: -0.5,
  unread: -2,
  bare: 0,
};

/** Below this lead another place is as likely: the result is ambiguous. */
export const AMBIGUOUS_LEAD = 0.6;
/** A result that leads by less than this is not sure, whatever else supports it: a rival of the same name has the same support. */
const SURE_LEAD = 1;
/** What such a result has at most; callers act unasked from 0.8 on. */
const UNSURE = 0.79;
const LEAD_CAP = 5;
/** What a rival loses that needs a correction of the text. */
const CORRECTION = 1.5;
/** Part of the score for 100,000 inhabitants, and for twenty times as many as another. */
const LARGE_CITY = WEIGHTS.population * 5;
const TWENTY_TIMES = WEIGHTS.population * Math.log10(20);
/** Score of an assumed rival: the tables lack some villages, and one of the same name elsewhere would score about this. */
const UNKNOWN_RIVAL = 2;

/**
 * True unless the result explains more of the text: its name is longer and contains the name of the other. That name may also be part of a street.
 */
function isRival(best: Hypothesis, other: Hypothesis): boolean {
  const [own, its] = [best.span ?? best.mention, other.span];
  if (!own || !its || (best.span?.edits ?? 0) > 0) return true;
  const isInside = own.start <= its.start && its.end <= own.end && its.end - its.start < own.end - own.start;
  return !isInside && !(isStreetName(other) && !isStreetName(best));
}

/** What another name loses where it needs a correction that the result does not: few words of an address are misspelt. */
const corrected = (best: Hypothesis, other: Hypothesis): number => ((other.span?.edits ?? 0) > (best.span?.edits ?? 0) ? CORRECTION : 0);

/** True for a large city next to a place of less than a twentieth of its inhabitants, or next to none. */
function outgrows(best: Hypothesis, other: Hypothesis | undefined): boolean {
  const own = best.kind === 'place' ? best.parts.population! : 0;
  if (own < LARGE_CITY) return false;
  return other === undefined || other.score <= UNKNOWN_RIVAL || (other.kind === 'place' && own - other.parts.population! >= TWENTY_TIMES);
}

/** A subdivision of another state with the same name is as likely from such a share of the inhabitants on. */
const COMPARABLE = 0.25;

/** True where the same words name a subdivision of another state that has enough inhabitants, and nothing in the text speaks against it. */
function isShared(best: Hypothesis, others: readonly Hypothesis[], areas: Areas, gazetteer: Gazetteer): boolean {
  const own = best.span ?? best.mention;
  const sameName = others.filter(({ mention }) => mention !== null && mention.start === own?.start && mention.end === own.end);
  if (sameName.some(({ kind, country }) => kind === 'country' && country === best.country)) return false;
  const inhabitants = best.kind === 'place' ? gazetteer.population(best.place) : areas.population(best.area);
  return sameName.some(
    ({ kind, area, country, parts }) =>
      kind === 'subdivision' &&
      country !== best.country &&
      (parts.conflict ?? 0) >= 0 &&
      parts.postcodeForeign === undefined &&
      (parts.language ?? 0) >= (best.parts.language ?? 0) &&
      areas.population(area) >= inhabitants * COMPARABLE,
  );
}

/** True where the name is that of a street. */
const isStreetName = ({ parts }: Hypothesis): boolean => (parts.street ?? 0) < WEIGHTS.streetTail;

/** True where a word may be the name of a town: it is outside streets and countries. */
const hasTown = (context: Context): boolean => describeLayout(context).freeBefore.at(-1)! > 0;

/** True for names alone. */
const isBare = ({ reading }: Context): boolean => reading.tokens.every(({ key }, i) => reading.street[i] === 0 && !/\d/.test(key));

/** From this strength on words surely name an area. */
const CLEAR = 0.5;
/** Part of the score of an area that is surely named, and is elsewhere. */
const CONTRADICTION = -2;

/** True where an area is named that the result is not in, and none that it is in; of the subdivisions of its country also where the country is named. */
function isContradicted(best: Hypothesis, { areas, mentions }: Context): boolean {
  if ((best.parts.conflict ?? 0) <= CONTRADICTION && (best.parts.named ?? 0) <= 0) return true;
  const own = best.span ?? best.mention;
  const named = mentions
    .filter(({ strength, start, end }) => strength >= CLEAR && !(own && start < own.end && own.start < end))
    .filter(({ interpretations }) => interpretations.every(({ area }) => !areas.isCountry(area) && areas.country(area) === best.country));
  const holds = ({ interpretations }: Mention): boolean => interpretations.some(({ area }) => areas.related(area, best.area));
  return named.length > 0 && !named.some(holds);
}

export function featuresOf(best: Hypothesis, all: readonly Hypothesis[], context: Context): Features {
  const { areas, gazetteer } = context;
  const sameState = (other: Hypothesis): boolean =>
    other.country === best.country || areas.sovereign(other.country) === best.country || areas.sovereign(best.country) === other.country;
  const rivals = all.filter((other) => isRival(best, other));
  const foreign = rivals.find((other) => !sameState(other));
  const elsewhere = rivals.find((other) => other.country === best.country && !areas.related(other.area, best.area));
  const lead = (other: Hypothesis | undefined): number =>
    Math.min(LEAD_CAP, best.score - Math.max(other ? other.score - corrected(best, other) : UNKNOWN_RIVAL, UNKNOWN_RIVAL));
  const supported = (best.parts.postcodeArea ?? 0) > 0 || (best.parts.postcodeNear ?? 0) > 0.5 || (best.parts.postcodeListed ?? 0) > 0;
  const isOutsidePostcode = (best.parts.postcodeArea ?? 0) < 0;
  const isUnread = best.kind === 'country' && hasTown(context) && areas.hasSubdivisions(best.country);
  return {
    countryLead: lead(foreign),
    areaLead: lead(elsewhere),
    named: (best.parts.named ?? 0) > 1.5 || (best.parts.sameSpan ?? 0) > 1 ? 1 : 0,
    postcode: supported ? 1 : 0,
    typo: best.span && best.span.edits > 0 ? 1 : 0,
    unnamedPlace: best.kind === 'place' ? 0 : 1,
    unread: isUnread ? 1 : 0,
    bare: isUnread && isBare(context) ? 1 : 0,
    misfit: (best.parts.language ?? 0) < 0 ? 1 : 0,
    street: isStreetName(best) ? 1 : 0,
    part: best.parts.partOfName === undefined ? 0 : 1,
    prominent: [foreign, elsewhere].every((other) => outgrows(best, other)) ? 1 : 0,
    small: best.kind === 'place' && best.parts.population! < 3.6 && (best.parts.named ?? 0) <= 0 && !supported ? 1 : 0,
    shared: !supported && isShared(best, all, areas, gazetteer) ? 1 : 0,
    conflict: (best.parts.conflict ?? 0) < -0.5 || isOutsidePostcode ? 1 : 0,
    contradicted: isOutsidePostcode || isContradicted(best, context) ? 1 : 0,
  };
}

export function confidenceOf(features: Features): number {
  let logit = CONFIDENCE.bias;
  for (const [name, value] of Object.entries(features)) logit += CONFIDENCE[name as keyof Features] * value;
  const likely = 1 / (1 + Math.exp(-logit));
  const isUnsure =
    features.street === 1 ||
    features.part === 1 ||
    features.shared === 1 ||
    features.contradicted === 1 ||
    features.bare === 1 ||
    Math.min(features.countryLead, features.areaLead) < SURE_LEAD;
  return isUnsure ? Math.min(likely, UNSURE) : likely;
}
