// Names one edit away from what was typed, tried only where a place is expected and nothing fits.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { PLACE, postingKind } from '../gazetteer/layout.ts';
import { PARTICLES, streetWord } from './facts/streetWords.ts';
import type { Reading, Segment, Span } from './read.ts';

const codesOf = (letters: string): number[] => [...letters].map((letter) => letter.charCodeAt(0));
const LATIN = codesOf('abcdefghijklmnopqrstuvwxyz ');
const CYRILLIC = codesOf('абвгдежзийклмнопрстуфхцчшщъыьэюя');
const MIN_LETTERS = 5;
const MAX_RUNS = 8;
const MAX_LETTERS = 28;

/** Calls `visit` with every key at edit distance one: deletions, transpositions, substitutions, insertions. The buffer is reused. */
export function forEachEdit(key: string, visit: (codes: Uint16Array, length: number) => void): void {
  const alphabet = /[\u0400-\u04ff]/.test(key) ? CYRILLIC : LATIN;
  const source = Uint16Array.from(key, (letter) => letter.charCodeAt(0));
  const length = source.length;
  const codes = new Uint16Array(length + 1);
  for (let i = 0; i <= length; i++) {
    if (i < length) {
      codes.set(source);
      codes.copyWithin(i, i + 1, length);
      visit(codes, length - 1);
      codes.set(source);
      for (const letter of alphabet) {
        codes[i] = letter;
        if (letter !== source[i]) visit(codes, length);
      }
      if (i + 1 < length && source[i] !== source[i + 1]) {
        codes[i] = source[i + 1]!;
        codes[i + 1] = source[i]!;
        visit(codes, length);
      }
    }
    codes.set(source);
    codes.copyWithin(i + 1, i, length);
    for (const letter of alphabet) {
      codes[i] = letter;
      visit(codes, length + 1);
    }
  }
}

/** Spans for runs of words outside street names that become a place name with one edit; later and longer runs are tried first. */
export function typoSpans(reading: Reading, gazetteer: Gazetteer, taken: ReadonlySet<number>): Span[] {
  const spans: Span[] = [];
  for (const { first, last, segment } of candidateRuns(reading, taken).slice(0, MAX_RUNS)) {
    const key = reading.tokens
      .slice(first, last + 1)
      .map((token) => token.key)
      .join(' ');
    const seen = new Set<string>();
    forEachEdit(key, (codes, length) => {
      if (!gazetteer.hasCodes(codes, length)) return;
      const variant = String.fromCharCode(...codes.subarray(0, length));
      const postings = gazetteer.lookup(variant);
      if (seen.has(variant) || postings.length === 0 || postingKind(postings[0]!) !== PLACE) return;
      seen.add(variant);
      spans.push({
        start: reading.tokens[first]!.start,
        end: reading.tokens[last]!.end,
        first,
        last,
        segment,
        key: variant,
        postings,
        edits: 1,
      });
    });
  }
  return spans;
}

function candidateRuns(reading: Reading, taken: ReadonlySet<number>): { first: number; last: number; segment: number; rank: number }[] {
  const runs: { first: number; last: number; segment: number; rank: number }[] = [];
  const usable = (i: number): boolean =>
    !taken.has(i) && !/\d/.test(reading.tokens[i]!.key) && reading.street[i]! < 0.8 && streetWord(reading.tokens[i]!.key).length === 0;
  /** A part of a longer name: Vegas del Genil is not Vigo. */
  const isPart = (segment: Segment, first: number, last: number): boolean =>
    (first - 2 >= segment.first && PARTICLES.has(reading.tokens[first - 1]!.key) && usable(first - 2)) ||
    (last + 2 <= segment.last && PARTICLES.has(reading.tokens[last + 1]!.key) && usable(last + 2));
  reading.segments.forEach((segment, index) => {
    for (let first = segment.first; first <= segment.last; first++) {
      for (let last = first; last <= Math.min(segment.last, first + 3) && usable(last); last++) {
        const letters = reading.tokens.slice(first, last + 1).reduce((sum, token) => sum + token.key.length, 0);
        if (letters < MIN_LETTERS || letters > MAX_LETTERS || isPart(segment, first, last)) continue;
        const edge = (last === segment.last || !usable(last + 1) ? 2 : 0) + (first === segment.first || !usable(first - 1) ? 1.5 : 0);
        runs.push({ first, last, segment: index, rank: edge + index * 0.6 });
      }
    }
  });
  return runs.sort((a, b) => b.rank - a.rank || b.first - a.first);
}
