// A city the tables do not know, read from where cities stand: before the state and ZIP, or beside the postcode.
import type { Stretch } from './components.ts';
import type { Mention } from './mentions.ts';
import type { Context, Hypothesis } from './score.ts';

/** The words between the street and the state or postcode; null when the text gives no such room. */
export function nameTextCity({ reading, mentions }: Context, best: Hypothesis, supporting: readonly Mention[]): Stretch | null {
  const { tokens, segments, segmentOf, street } = reading;
  const anchors = [...supporting.map((mention) => mention.first), ...(best.postcode ? [best.postcode.first] : [])].filter((first) => first > 0);
  if (anchors.length === 0) return null;
  const isCity = (i: number): boolean =>
    !/\d/.test(tokens[i]!.key) && street[i]! < 0.3 && !mentions.some((mention) => mention.strength >= 0.5 && mention.first <= i && i <= mention.last);
  const before = Math.min(...anchors) - 1;
  let [first, last] = [before, before];
  if (isCity(before)) while (first > segments[segmentOf[before]!]!.first && isCity(first - 1)) first--;
  else if (best.postcode && best.postcode.last + 1 < tokens.length && isCity(best.postcode.last + 1)) {
    first = last = best.postcode.last + 1;
    while (last < segments[segmentOf[last]!]!.last && isCity(last + 1)) last++;
  } else return null;
  if (last - first > 3 || (first === 0 && tokens.length > last + 1 && segments.length === 1 && last > 2)) return null;
  return { start: tokens[first]!.start, end: tokens[last]!.end };
}
