// Reads an address into words, segments and name spans: everything that can be said before deciding what it means.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { ColumnData } from '../gazetteer/layout.ts';
import type { IsoContent } from '../iso/content.ts';
import { boxNumber } from './facts/poBox.ts';
import { AREA_CODES, isMonth, LINKS, PARTICLES, streetWord } from './facts/streetWords.ts';
import { isUnspaced, nameKey, prepare, type Token, tokenise } from './normalise.ts';
import { romanised } from './romanise.ts';

/** Words between two separators. */
export interface Segment {
  readonly first: number;
  readonly last: number;
}

/** A run of words (or part of an unspaced word) that is a known name. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly first: number;
  readonly last: number;
  readonly segment: number;
  readonly key: string;
  readonly postings: ColumnData;
  /** Edits between the text and the name. */
  readonly edits: number;
}

/** An address as words and segments, without the names in it. */
export interface Wording {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly segmentOf: readonly number[];
  readonly segments: readonly Segment[];
  /** 0..1 per word: how surely it belongs to a street name. */
  readonly street: readonly number[];
  readonly languages: ReadonlySet<string>;
}

export interface Reading extends Wording {
  readonly spans: readonly Span[];
}

/** The longest names are official country names: "United Kingdom of Great Britain and Northern Ireland". */
const MAX_WORDS = 8;
const MAX_UNSPACED = 8;
const SEPARATOR = /[,;:|/()[\]、，。\n]|\s[-–—]+\s|\s[-–—]|[-–—]\s/;
const UNSPACED_ENDINGS = /[市県縣区區町村省府都道州시군구도동읍면]$/;

export function read(address: string, gazetteer: Gazetteer, inverted: InvertedNames): Reading {
  const wording = wordingOf(prepare(address), inverted);
  const { text, tokens, segments } = wording;
  const spans = segments.flatMap((segment, index) => [
    ...spacedSpans(text, tokens, segment, index, gazetteer),
    ...unspacedSpans(tokens, segment, index, gazetteer),
  ]);
  return { ...wording, spans };
}

/** Names of countries in which ISO 3166 has a comma, such as Moldova, Republic of. Addresses that the gateway writes end with them. */
export type InvertedNames = ReadonlySet<string>;

export const invertedNames = ({ countries }: IsoContent): InvertedNames =>
  new Set(countries.filter(({ name }) => name.includes(',')).map(({ name }) => nameKey(name)));

/** The words of a text as it is, with their segments and streets. */
export function wordingOf(text: string, inverted: InvertedNames): Wording {
  const tokens = tokenise(text);
  const { segmentOf, segments } = splitSegments(text, tokens, inverted);
  const { street, languages } = streetZones(tokens, segments);
  const box = boxNumber(text);
  // The number of a post office box is as little a postal code as that of a house.
  if (box) for (const [i, { start, end }] of tokens.entries()) if (start < box.end && box.start < end) street[i] = 1;
  return { text, tokens, segmentOf, segments, street, languages };
}

function splitSegments(text: string, tokens: readonly Token[], inverted: InvertedNames): Pick<Wording, 'segmentOf' | 'segments'> {
  const segmentOf: number[] = [];
  const segments: { first: number; last: number }[] = [];
  tokens.forEach((token, i) => {
    const gap = i === 0 ? '' : text.slice(tokens[i - 1]!.end, token.start);
    const separates = SEPARATOR.test(gap) && !(gap.trim() === ',' && isInName(tokens, i, inverted));
    if (i === 0 || separates) segments.push({ first: i, last: i });
    segments[segments.length - 1]!.last = i;
    segmentOf.push(segments.length - 1);
  });
  return { segmentOf, segments };
}

/** True for a word within such a name. */
function isInName(tokens: readonly Token[], at: number, inverted: InvertedNames): boolean {
  const keys = tokens.slice(Math.max(0, at - MAX_WORDS + 1), at + MAX_WORDS - 1).map(({ key }) => key);
  const before = Math.min(at, MAX_WORDS - 1);
  for (let first = 0; first < before; first++)
    for (let end = before + 1; end <= Math.min(keys.length, first + MAX_WORDS); end++)
      if (inverted.has(keys.slice(first, end).join(' '))) return true;
  return false;
}

/** A name may run on into a bracket or past a slash: Nienburg (Saale). */
function spacedSpans(text: string, tokens: readonly Token[], segment: Segment, index: number, gazetteer: Gazetteer): Span[] {
  const spans: Span[] = [];
  for (let first = segment.first; first <= segment.last; first++) {
    let key = '';
    for (let last = first; last <= Math.min(tokens.length - 1, first + MAX_WORDS - 1); last++) {
      if (last > segment.last && !/^\s?[(/]$/.test(text.slice(tokens[last - 1]!.end, tokens[last]!.start))) break;
      key = last === first ? tokens[last]!.key : `${key} ${tokens[last]!.key}`;
      if (last === first && (key.length < 2 || /^\p{N}+$/u.test(key))) continue;
      const found = spellingVariants(key)
        .map((variant) => gazetteer.lookup(variant))
        .find((postings) => postings.length > 0);
      if (found)
        spans.push({ start: tokens[first]!.start, end: tokens[last]!.end, first, last, segment: index, key, postings: found, edits: 0 });
    }
  }
  return spans;
}

/** German umlauts are often typed as two letters; the tables have them as one. */
export function spellingVariants(key: string): string[] {
  return /[aou]e/.test(key) ? [key, key.replace(/([aou])e/g, '$1')] : [key, ...romanised(key)];
}

function unspacedSpans(tokens: readonly Token[], segment: Segment, index: number, gazetteer: Gazetteer): Span[] {
  const spans: Span[] = [];
  for (let i = segment.first; i <= segment.last; i++) {
    const token = tokens[i]!;
    if (!isUnspaced(token.key) || token.key.length !== token.end - token.start) continue;
    for (let from = 0; from < token.key.length; from++) {
      for (let length = Math.min(MAX_UNSPACED, token.key.length - from); length >= 2; length--) {
        if (from === 0 && length === token.key.length && spans.some((span) => span.first === i && span.end === token.end)) continue;
        const part = token.key.slice(from, from + length);
        const exact = gazetteer.lookup(part);
        const found = exact.length > 0 || length < 3 ? exact : gazetteer.lookup(part.replace(UNSPACED_ENDINGS, ''));
        if (found.length > 0)
          spans.push({
            start: token.start + from,
            end: token.start + from + length,
            first: i,
            last: i,
            segment: index,
            key: part,
            postings: found,
            edits: 0,
          });
      }
    }
  }
  return spans;
}

/** Hamlets of France are numbered like streets: 25 Le Suc. A postcode has more digits. */
const HOUSE_NUMBER = /^\d{1,4}$/;
const HAMLET_ARTICLES: ReadonlySet<string> = new Set(['le', 'les']);

const isNumber = (key: string): boolean => /^\d/.test(key);

/** A suffix word claims the words before it back to the house number; a prefix word claims the words after it, fading with distance. */
function streetZones(tokens: readonly Token[], segments: readonly Segment[]): { street: number[]; languages: Set<string> } {
  const street = new Array<number>(tokens.length).fill(0);
  const languages = new Set<string>();
  const raise = (i: number, value: number): void => {
    street[i] = Math.max(street[i]!, value);
  };
  for (const { first, last } of segments) {
    if (last > first && HOUSE_NUMBER.test(tokens[first]!.raw) && HAMLET_ARTICLES.has(tokens[first + 1]!.key)) languages.add('fr');
    for (let i = first; i <= last; i++) {
      if (isAreaCode(tokens, street, first, i)) continue;
      const named = i > first && !isNumber(tokens[i - 1]!.key) && !LINKS.has(tokens[i + 1]?.key ?? '');
      const words = streetWord(tokens[i]!.key);
      const both = words.length > 1;
      for (const word of words) {
        if (both && (word.role === 'suffix') !== named) continue;
        if (word.role === 'ending') {
          raise(i, 1);
          for (const language of word.languages) languages.add(language);
        } else if (word.role === 'suffix' ? claimBefore(tokens, first, i, raise) : claimAfter(tokens, last, i, raise)) {
          for (const language of word.languages) languages.add(language);
        }
      }
      if (tokens[i]!.key === 'st' && i > first && i < last && isNumber(tokens[i + 1]!.key) && isGermanStreet(tokens, i, last)) {
        claimBefore(tokens, first, i, raise);
        languages.add('de');
      } else if (isSt(tokens[i]!) && i > first && !isNumber(tokens[i - 1]!.key) && isEnglishStreet(tokens, i, last)) {
        claimBefore(tokens, first, i, raise);
        languages.add('en');
      }
    }
  }
  return { street, languages };
}

/** True for a word such as CT or PL that is a code. It is one after a named street, or in capitals after a name without a number. */
function isAreaCode(tokens: readonly Token[], street: readonly number[], first: number, i: number): boolean {
  const { key, raw } = tokens[i]!;
  if (!AREA_CODES.has(key) || i === first) return false;
  if (i - 1 > first && street[i - 1] === 0 && street.slice(first, i).includes(1)) return true;
  const before = tokens.slice(first, i);
  return raw === raw.toUpperCase() && before.every((token) => !isNumber(token.key) && token.raw !== token.raw.toUpperCase());
}

/** German streets are named after towns with this ending, and end with their number: Hersfelder St. 15. */
const isGermanStreet = (tokens: readonly Token[], i: number, last: number): boolean => i + 1 === last && /.{3}er$/.test(tokens[i - 1]!.key);

/** Saint and Sint have the same key, and are no streets. */
const isSt = ({ raw }: Token): boolean => raw.toLowerCase() === 'st';

/** "st" is a street, except before a name that would make it a saint where nothing before it looks like a street name. */
function isEnglishStreet(tokens: readonly Token[], i: number, last: number): boolean {
  return i === last || isNumber(tokens[0]!.key) || isNumber(tokens[i + 1]!.key);
}

function claimBefore(tokens: readonly Token[], first: number, at: number, raise: (i: number, value: number) => void): boolean {
  if (at === first || isNumber(tokens[at - 1]!.key)) return false;
  raise(at, 1);
  for (let i = at - 1; i >= Math.max(first, at - 4); i--) {
    if (/^\d+$/.test(tokens[i]!.key)) break;
    raise(i, i === at - 1 ? 1 : 0.8);
  }
  return true;
}

/** The last word of a date that a street is named after, with its year if it has one: 19 mars 1962, 5 de Mayo. Returns -1 where none begins. */
function dateEnd(tokens: readonly Token[], at: number, last: number): number {
  if (!/^\d{1,2}$|^1er$/.test(tokens[at]!.key)) return -1;
  const month = tokens[at + 1]?.key === 'de' ? at + 2 : at + 1;
  if (month > last || !isMonth(tokens[month]!.key)) return -1;
  return month < last && /^1[789]\d\d$/.test(tokens[month + 1]!.key) ? month + 1 : month;
}

function claimAfter(tokens: readonly Token[], last: number, at: number, raise: (i: number, value: number) => void): boolean {
  if (at === last || (isNumber(tokens[at + 1]!.key) && dateEnd(tokens, at + 1, last) < 0)) return false;
  raise(at, 1);
  let strength = 1;
  for (let i = at + 1; i <= last; i++) {
    const end = strength === 1 ? dateEnd(tokens, i, last) : -1;
    if (end > 0) {
      for (; i <= end; i++) raise(i, 1);
      i = end;
      strength = 0.3;
      continue;
    }
    if (isNumber(tokens[i]!.key)) break;
    raise(i, strength);
    if (!PARTICLES.has(tokens[i]!.key)) strength = strength === 1 ? 0.45 : 0.3;
  }
  return true;
}
