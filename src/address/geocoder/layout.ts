// The layout of an address: which segments have plain words, which come late, and which words could still be the city.
import type { Context } from './claims.ts';

export interface Layout {
  /** Number of words in each segment that are neither numbers nor named areas. */
  readonly plainWords: readonly number[];
  /** Rank of each segment among those with plain words, 0..1. */
  readonly lateness: readonly number[];
  readonly plainSegments: number;
  readonly isPlain: readonly boolean[];
  /** Per word, and for the end: how many words before lie outside street names and country names; one of them should be the city. */
  readonly freeBefore: readonly number[];
}

export function describeLayout({ reading, mentions, postcodes }: Context): Layout {
  const isPlain = reading.tokens.map((token) => !/\d/.test(token.key));
  for (const candidate of postcodes) for (let i = candidate.first; i <= candidate.last; i++) isPlain[i] = false;
  const areaOnly = isPlain.slice();
  for (const mention of mentions) if (mention.strength >= 0.5) for (let i = mention.first; i <= mention.last; i++) areaOnly[i] = false;
  const isCountry = new Set(
    mentions
      .filter((mention) => mention.interpretations.some((row) => row.isCountry))
      .flatMap((mention) => range(mention.first, mention.last)),
  );
  let free = 0;
  const freeBefore = isPlain.map((plain, i) => {
    const before = free;
    if (plain && reading.street[i]! < 0.8 && !isCountry.has(i)) free++;
    return before;
  });
  freeBefore.push(free);
  const plainWords = reading.segments.map((segment) => count(areaOnly, segment.first, segment.last));
  const order = reading.segments.map((_, i) => i).filter((i) => plainWords[i]! > 0);
  const lateness = reading.segments.map((_, i) => (order.length < 2 ? 1 : order.filter((other) => other < i).length / (order.length - 1)));
  return { plainWords, lateness: lateness.map((value) => Math.min(1, value)), plainSegments: order.length, isPlain, freeBefore };
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Number of set flags in a range, both ends included. */
export const count = (flags: readonly boolean[], from: number, to: number): number => {
  let total = 0;
  for (let i = from; i <= to; i++) if (flags[i]) total++;
  return total;
};
