// Finds a city that the tables lack: by its ending, or by its position before the state and ZIP or next to the postcode.

import type { Context } from './claims.ts';
import type { Stretch } from './components.ts';
import type { Mention } from './mentions.ts';
import type { PostcodeCandidate } from './postcodes.ts';
import type { Hypothesis } from './score.ts';

const UNSPACED_CITY =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,6}?[市区县縣區]|[\p{sc=Hangul}]{1,6}[시군구](?![\p{sc=Hangul}])|^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,6}$/u;

/** The name whose ending says the country, or the words between the street and the state or postcode; null without any. */
export function nameTextCity(context: Context, best: Hypothesis, supporting: readonly Mention[]): Stretch | null {
  const { reading } = context;
  const anchor = supporting.filter((mention) => mention.strength >= 0.5).sort((a, b) => a.first - b.first)[0];
  const after = Math.max(0, ...supporting.map((mention) => mention.end), best.postcode?.end ?? 0);
  const isCity = cityWords(context, supporting, best.postcode);
  if (best.ending && isCity(best.ending.word)) return grow(context, best.ending.word, isCity);
  const unspaced = UNSPACED_CITY.exec(reading.text.slice(after));
  if (unspaced) return { start: after + unspaced.index, end: after + unspaced.index + unspaced[0].length };
  const limit = Math.min(anchor?.first ?? Number.POSITIVE_INFINITY, best.postcode?.first ?? Number.POSITIVE_INFINITY);
  const following =
    best.postcode && best.postcode.last + 1 < reading.tokens.length && isCity(best.postcode.last + 1) ? best.postcode.last + 1 : null;
  if (limit === 0 && following === null) {
    const next = afterAreas(supporting);
    return next < reading.tokens.length && isCity(next) ? grow(context, next, isCity) : null;
  }
  if (limit === Number.POSITIVE_INFINITY) return null;
  const seed = limit > 0 && isCity(limit - 1) && !(following !== null && best.postcode!.first === limit) ? limit - 1 : following;
  return seed === null ? null : grow(context, seed, isCity);
}

/** The first word behind the areas that a text begins with: Kyrgyzstan, Talas region, Kokoy. */
function afterAreas(supporting: readonly Mention[]): number {
  let next = 0;
  for (const { first, last } of supporting.toSorted((a, b) => a.first - b.first)) if (first === next) next = last + 1;
  return next;
}

/** Names of areas that the result is not in are no areas here: Wirral, NB. A word of streets belongs to a town behind a street: Grand Lake Road, NS. */
function cityWords({ reading }: Context, supporting: readonly Mention[], postcode: PostcodeCandidate | null): (i: number) => boolean {
  const { tokens, segments, segmentOf, street } = reading;
  const isNumber = tokens.map(({ key }, i) => /\d/.test(key) && !(postcode && postcode.first <= i && i <= postcode.last));
  const hasNumber = segments.map(({ first, last }) => isNumber.slice(first, last + 1).includes(true));
  const firstStreet = segments.findIndex(
    ({ first, last }, i) => hasNumber.slice(0, i + 2).includes(true) && street.slice(first, last + 1).includes(1),
  );
  const isBehindStreet = (segment: number): boolean => firstStreet >= 0 && firstStreet < segment && !hasNumber[segment];
  return (i) =>
    !/\d/.test(tokens[i]!.key) &&
    (street[i]! < 0.3 || isBehindStreet(segmentOf[i]!)) &&
    !supporting.some(
      ({ strength, first, last, interpretations }) =>
        first <= i && i <= last && (strength >= 0.5 || interpretations.some(({ isCountry, isCode }) => isCountry && !isCode)),
    );
}

/** The run of city words around one, within its segment; runs of more than four words are no city. */
function grow({ reading }: Context, seed: number, isCity: (i: number) => boolean): Stretch | null {
  const { tokens, segments, segmentOf } = reading;
  const segment = segments[segmentOf[seed]!]!;
  let [first, last] = [seed, seed];
  while (first > segment.first && isCity(first - 1)) first--;
  while (last < segment.last && isCity(last + 1)) last++;
  return last - first > 3 ? null : { start: tokens[first]!.start, end: tokens[last]!.end };
}
