// Names one edit away from what was typed, tried only where a place is expected and nothing fits.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { PLACE, postingKind } from '../gazetteer/layout.ts';
import type { Reading, Span } from './read.ts';
import { streetWord } from './streetWords.ts';

const LATIN = 'abcdefghijklmnopqrstuvwxyz ';
const CYRILLIC = 'абвгдежзийклмнопрстуфхцчшщъыьэюя';
const MIN_LETTERS = 5;
const MAX_RUNS = 6;

/** Every key at edit distance one: deletions, transpositions, substitutions, insertions. */
export function* editsOf(key: string): Generator<string> {
  const alphabet = /[\u0400-\u04ff]/.test(key) ? CYRILLIC : LATIN;
  for (let i = 0; i <= key.length; i++) {
    const head = key.slice(0, i);
    const tail = key.slice(i);
    if (tail.length > 0) yield head + tail.slice(1);
    if (tail.length > 1) yield head + tail[1] + tail[0] + tail.slice(2);
    for (const letter of alphabet) {
      if (tail.length > 0 && tail[0] !== letter) yield head + letter + tail.slice(1);
      yield head + letter + tail;
    }
  }
}

/** Spans for runs of words outside street names that become a place name with one edit; later and longer runs are tried first. */
export function typoSpans(reading: Reading, gazetteer: Gazetteer, taken: ReadonlySet<number>): Span[] {
  const spans: Span[] = [];
  for (const { first, last, segment } of candidateRuns(reading, taken).slice(0, MAX_RUNS)) {
    const key = reading.tokens.slice(first, last + 1).map((token) => token.key).join(' '); // prettier-ignore
    const seen = new Set<string>();
    for (const variant of editsOf(key)) {
      if (seen.has(variant)) continue;
      seen.add(variant);
      if (!gazetteer.has(variant)) continue;
      const postings = gazetteer.lookup(variant);
      if (postingKind(postings[0]!) !== PLACE) continue;
      spans.push({ start: reading.tokens[first]!.start, end: reading.tokens[last]!.end, first, last, segment, key: variant, postings, edits: 1 });
    }
  }
  return spans;
}

function candidateRuns(reading: Reading, taken: ReadonlySet<number>): { first: number; last: number; segment: number; rank: number }[] {
  const runs: { first: number; last: number; segment: number; rank: number }[] = [];
  const usable = (i: number): boolean => !taken.has(i) && !/\d/.test(reading.tokens[i]!.key) && reading.street[i]! < 0.8 && streetWord(reading.tokens[i]!.key).length === 0;
  reading.segments.forEach((segment, index) => {
    for (let first = segment.first; first <= segment.last; first++) {
      for (let last = first; last <= Math.min(segment.last, first + 3) && usable(last); last++) {
        const letters = reading.tokens.slice(first, last + 1).reduce((sum, token) => sum + token.key.length, 0);
        if (letters < MIN_LETTERS || letters > 28) continue;
        const edge = (last === segment.last || !usable(last + 1) ? 2 : 0) + (first === segment.first || !usable(first - 1) ? 1.5 : 0);
        runs.push({ first, last, segment: index, rank: edge + index * 0.6 });
      }
    }
  });
  return runs.sort((a, b) => b.rank - a.rank || b.first - a.first);
}
