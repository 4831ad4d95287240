// Turns scores into a calibrated probability that country and subdivision are right.
import type { Areas } from './areas.ts';
import type { Hypothesis } from './score.ts';

/** What the probability is computed from; all in score units or 0/1. */
export interface Signals {
  readonly score: number;
  /** Lead over the best hypothesis in another country. */
  readonly countryLead: number;
  /** Lead over the best hypothesis in another subdivision of the same country. */
  readonly areaLead: number;
  readonly named: number;
  readonly postcode: number;
  readonly typo: number;
  readonly unnamedPlace: number;
  readonly conflict: number;
}

/** Fitted by logistic regression on sample addresses (target: country and subdivision both right). */
export const CONFIDENCE = { bias: -2.2, score: 0.08, countryLead: 0.55, areaLead: 0.45, named: 0.8, postcode: 0.6, typo: -1.0, unnamedPlace: -0.6, conflict: -0.6 }; // prettier-ignore

export const LEAD_CAP = 5;

export function signalsOf(best: Hypothesis, all: readonly Hypothesis[], areas: Areas): Signals {
  const sameState = (other: Hypothesis): boolean => other.country === best.country || areas.sovereign(other.country) === best.country || areas.sovereign(best.country) === other.country;
  const foreign = all.find((other) => !sameState(other));
  const elsewhere = all.find((other) => other.country === best.country && !areas.related(other.area, best.area));
  const lead = (other: Hypothesis | undefined): number => Math.min(LEAD_CAP, best.score - (other?.score ?? best.score - LEAD_CAP));
  return {
    score: Math.min(20, best.score),
    countryLead: lead(foreign),
    areaLead: lead(elsewhere),
    named: (best.parts.named ?? 0) > 1.5 || (best.parts.sameSpan ?? 0) > 1 ? 1 : 0,
    postcode: (best.parts.postcodeArea ?? 0) > 0 || (best.parts.postcodeNear ?? 0) > 0.5 || (best.parts.postcodeListed ?? 0) > 0 ? 1 : 0,
    typo: best.span && best.span.edits > 0 ? 1 : 0,
    unnamedPlace: best.kind === 'place' ? 0 : 1,
    conflict: (best.parts.conflict ?? 0) < -0.5 || (best.parts.postcodeAreaConflict ?? 0) < 0 ? 1 : 0,
  };
}

export function confidenceOf(signals: Signals): number {
  let logit = CONFIDENCE.bias;
  for (const [name, value] of Object.entries(signals)) logit += CONFIDENCE[name as keyof Signals] * value;
  return 1 / (1 + Math.exp(-logit));
}
