// Finds a city that the tables lack: by its ending, or by its position before the state and ZIP or next to the postcode.

import type { Context } from './claims.ts';
import type { Stretch } from './components.ts';
import type { Mention } from './mentions.ts';
import type { Hypothesis } from './score.ts';

const UNSPACED_CITY = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,6}?[市区县縣區]|[\p{sc=Hangul}]{1,6}[시군구](?![\p{sc=Hangul}])/u;

/** The name whose ending says the country, or the words between the street and the state or postcode; null without any. */
export function nameTextCity(context: Context, best: Hypothesis, supporting: readonly Mention[]): Stretch | null {
  const { reading } = context;
  const anchor = supporting.filter((mention) => mention.strength >= 0.5).sort((a, b) => a.first - b.first)[0];
  const after = Math.max(0, ...supporting.map((mention) => mention.end), best.postcode?.end ?? 0);
  const isCity = cityWords(context);
  if (best.ending && isCity(best.ending.word)) return grow(context, best.ending.word, isCity);
  const unspaced = UNSPACED_CITY.exec(reading.text.slice(after));
  if (unspaced) return { start: after + unspaced.index, end: after + unspaced.index + unspaced[0].length };
  const limit = Math.min(anchor?.first ?? Number.POSITIVE_INFINITY, best.postcode?.first ?? Number.POSITIVE_INFINITY);
  const following =
    best.postcode && best.postcode.last + 1 < reading.tokens.length && isCity(best.postcode.last + 1) ? best.postcode.last + 1 : null;
  if (limit === Number.POSITIVE_INFINITY || (limit === 0 && following === null)) return null;
  const seed = limit > 0 && isCity(limit - 1) && !(following !== null && best.postcode!.first === limit) ? limit - 1 : following;
  return seed === null ? null : grow(context, seed, isCity);
}

function cityWords({ reading, mentions }: Context): (i: number) => boolean {
  return (i) =>
    !/\d/.test(reading.tokens[i]!.key) &&
    reading.street[i]! < 0.3 &&
    !mentions.some(
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
