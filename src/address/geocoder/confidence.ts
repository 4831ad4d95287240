// Turns scores into a calibrated probability that country and subdivision are right.
import type { Areas } from './areas.ts';
import type { Hypothesis } from './score.ts';

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
  /** Only the country is known although the text says more. */
  readonly unread: number;
  /** The street words belong to a language of other countries, or the name is where a street name would be. */
  readonly misfit: number;
  /** A small place, or one of unknown size, that nothing else in the text supports. */
  readonly small: number;
}

/**
 * Logistic regression on sample addresses (target: country and subdivision both right), its bias lowered by 1 so that 0.8 stays safe on addresses
 * of other kinds. Weights whose sign was implausible, because few cases have the feature (misfit, conflict), were set by hand.
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
  misfit: -0.3,
  small: -0.5,
  unread: -2,
};

const LEAD_CAP = 5;
/** Score of an assumed rival: the tables lack some villages, and one of the same name elsewhere would score about this. */
const UNKNOWN_RIVAL = 2;

export function featuresOf(best: Hypothesis, all: readonly Hypothesis[], areas: Areas, words: number): Features {
  const sameState = (other: Hypothesis): boolean =>
    other.country === best.country || areas.sovereign(other.country) === best.country || areas.sovereign(best.country) === other.country;
  const foreign = all.find((other) => !sameState(other));
  const elsewhere = all.find((other) => other.country === best.country && !areas.related(other.area, best.area));
  const lead = (other: Hypothesis | undefined): number =>
    Math.min(LEAD_CAP, best.score - Math.max(other?.score ?? UNKNOWN_RIVAL, UNKNOWN_RIVAL));
  const supported = (best.parts.postcodeArea ?? 0) > 0 || (best.parts.postcodeNear ?? 0) > 0.5 || (best.parts.postcodeListed ?? 0) > 0;
  return {
    countryLead: lead(foreign),
    areaLead: lead(elsewhere),
    named: (best.parts.named ?? 0) > 1.5 || (best.parts.sameSpan ?? 0) > 1 ? 1 : 0,
    postcode: supported ? 1 : 0,
    typo: best.span && best.span.edits > 0 ? 1 : 0,
    unnamedPlace: best.kind === 'place' ? 0 : 1,
    unread: best.kind === 'country' && words > (best.mention ? best.mention.last - best.mention.first + 1 : 0) ? 1 : 0,
    misfit: (best.parts.language ?? 0) < 0 || (best.parts.street ?? 0) < 0 ? 1 : 0,
    small: best.kind === 'place' && best.parts.population! < 3.6 && (best.parts.named ?? 0) <= 0 && !supported ? 1 : 0,
    conflict: (best.parts.conflict ?? 0) < -0.5 || (best.parts.postcodeAreaConflict ?? 0) < 0 ? 1 : 0,
  };
}

export function confidenceOf(features: Features): number {
  let logit = CONFIDENCE.bias;
  for (const [name, value] of Object.entries(features)) logit += CONFIDENCE[name as keyof Features] * value;
  return 1 / (1 + Math.exp(-logit));
}
