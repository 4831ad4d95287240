// Countries and subdivisions named or coded in the text, each with a strength: how surely the words mean an area at all.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { COUNTRY, PLACE, postingId, postingKind, postingQuality, RARE_NAME } from '../gazetteer/layout.ts';
import type { IsoContent } from '../iso/content.ts';
import type { Areas } from './areas.ts';
import type { Reading, Span } from './read.ts';

export interface Interpretation {
  readonly area: number;
  readonly isCountry: boolean;
  readonly isCode: boolean;
}

export interface Mention {
  readonly start: number;
  readonly end: number;
  readonly first: number;
  readonly last: number;
  readonly segment: number;
  /** 0..1 by position, length and street context. */
  readonly strength: number;
  readonly interpretations: readonly Interpretation[];
}

/** Countries whose addresses carry the letters of the ISO subdivision code. */
const CODED_COUNTRIES = ['US', 'CA', 'AU', 'BR', 'IT', 'MX', 'IN', 'MY'];
/** Codes that are also frequent words of addresses when written small. */
const WORD_CODES: ReadonlySet<string> = new Set(
  'or in la de me ok hi oh al pa ma co id il mo ne no de da di en et na va to ac am ba be do es is it my om se si so st su ta al ca mi ms'.split(
    ' ',
  ),
);

/** Codes by letters; made once per ISO content. */
export class AreaCodes {
  private readonly byLetters = new Map<string, Interpretation[]>();

  constructor(areas: Areas, iso: IsoContent) {
    areas.codes.forEach((code, area) => {
      const country = iso.country(code);
      if (code.length === 2)
        for (const letters of [code, country?.alpha3]) if (letters) this.add(letters, { area, isCountry: true, isCode: true });
      const suffix = code.slice(3);
      if (code.length > 2 && CODED_COUNTRIES.includes(code.slice(0, 2)) && /^[A-Z]{2,3}$/.test(suffix))
        this.add(suffix, { area, isCountry: false, isCode: true });
    });
  }

  private add(letters: string, interpretation: Interpretation): void {
    this.byLetters.set(letters, [...(this.byLetters.get(letters) ?? []), interpretation]);
  }

  get(letters: string): readonly Interpretation[] {
    return this.byLetters.get(letters.toUpperCase()) ?? [];
  }
}

export function findMentions(reading: Reading, codes: AreaCodes, areas: Areas, gazetteer: Gazetteer): Mention[] {
  const named = reading.spans.map((span) => namedMention(reading, span, areas, gazetteer)).filter((mention) => mention !== null);
  const coded = reading.tokens.map((_, i) => codedMention(reading, i, codes)).filter((mention) => mention !== null);
  return merge([...named, ...coded], areas);
}

function namedMention(reading: Reading, span: Span, areas: Areas, gazetteer: Gazetteer): Mention | null {
  const interpretations: Interpretation[] = [];
  let quality = RARE_NAME;
  let large = 0;
  for (const posting of span.postings) {
    const kind = postingKind(posting);
    if (kind === PLACE) {
      large = Math.max(large, gazetteer.population(postingId(posting)));
      continue;
    }
    quality = Math.min(quality, postingQuality(posting));
    if (!interpretations.some((other) => other.area === postingId(posting)))
      interpretations.push({ area: postingId(posting), isCountry: kind === COUNTRY, isCode: false });
  }
  if (interpretations.length === 0 || interpretations.every((row) => !row.isCountry && areas.isCountry(row.area))) return null;
  const isCountry = interpretations.some((row) => row.isCountry);
  const short = span.key.length <= 4 && !isCountry && /^[a-z]+$/.test(span.key);
  const at = position(reading, span.first, span.last);
  const place = at.wholeSegment
    ? at.lastSegment || at.onlyAreasFollow
      ? 1
      : 0.75
    : at.endsText
      ? 0.85
      : at.onlyNumbersFollow
        ? isCountry
          ? 0.4
          : 0.7
        : at.startsText
          ? 0.4
          : 0.2;
  const street = 1 - 0.8 * Math.max(...reading.street.slice(span.first, span.last + 1));
  const strength =
    place *
    street *
    (quality === RARE_NAME ? 0.35 : 1) *
    (short && !at.wholeSegment && !at.onlyNumbersFollow ? 0.3 : 1) *
    (!isCountry && large > 0 ? 0.85 : 1);
  return { start: span.start, end: span.end, first: span.first, last: span.last, segment: span.segment, strength, interpretations };
}

function codedMention(reading: Reading, index: number, codes: AreaCodes): Mention | null {
  const token = reading.tokens[index]!;
  if (!/^[a-z]{2,3}$/i.test(token.raw) || (index === 0 && reading.tokens.length > 1)) return null;
  const interpretations = codes.get(token.raw);
  if (interpretations.length === 0) return null;
  const at = position(reading, index, index);
  const upper = token.raw === token.raw.toUpperCase();
  const wordLike = !upper && WORD_CODES.has(token.raw.toLowerCase());
  const base =
    at.wholeSegment && (at.lastSegment || at.onlyAreasFollow)
      ? 0.95
      : at.bracketed
        ? 0.9
        : at.numberFollows && at.onlyNumbersFollow
          ? 0.95
          : at.endsText || isBeforeCountry(reading, index)
            ? 0.75
            : at.wholeSegment
              ? 0.6
              : at.onlyNumbersFollow
                ? 0.5
                : 0.1;
  const street = 1 - 0.8 * reading.street[index]!;
  const alone = reading.tokens.length === 1 && upper ? 1.7 : 1;
  const strength = alone * street * base * (upper ? 1 : wordLike && !at.wholeSegment && !at.bracketed ? 0.55 : 0.8);
  if (strength < 0.15) return null;
  return { start: token.start, end: token.end, first: index, last: index, segment: reading.segmentOf[index]!, strength, interpretations };
}

/** True where nothing but the name of a country follows: harvie heights, ab canada. */
const isBeforeCountry = ({ spans, tokens }: Reading, index: number): boolean =>
  spans.some(
    ({ first, last, postings }) =>
      first === index + 1 && last === tokens.length - 1 && postings.some((posting) => postingKind(posting) === COUNTRY),
  );

interface Position {
  wholeSegment: boolean;
  lastSegment: boolean;
  endsText: boolean;
  startsText: boolean;
  /** Only words with digits follow in the segment. */
  onlyNumbersFollow: boolean;
  numberFollows: boolean;
  /** Everything after is short or numeric: codes, postcodes. */
  onlyAreasFollow: boolean;
  bracketed: boolean;
}

function position(reading: Reading, first: number, last: number): Position {
  const { tokens, segments, segmentOf, text } = reading;
  const segment = segments[segmentOf[first]!]!;
  const plain = (from: number, to: number): number => {
    let count = 0;
    for (let i = from; i <= to; i++) if (!/\d/.test(tokens[i]!.key)) count++;
    return count;
  };
  const before = plain(segment.first, first - 1);
  const after = plain(last + 1, segment.last);
  const rest = plain(last + 1, tokens.length - 1);
  return {
    wholeSegment: before === 0 && after === 0,
    lastSegment: rest === 0,
    endsText: rest === 0,
    startsText: first === 0,
    onlyNumbersFollow: after === 0,
    numberFollows: last < segment.last,
    onlyAreasFollow: rest <= 5 && segments.length - 1 - segmentOf[last]! <= 2,
    bracketed: text[tokens[first]!.start - 1] === '(' && text[tokens[last]!.end] === ')',
  };
}

/** One mention per run of words: equal runs are joined, a run inside a longer and no weaker one is dropped. */
function merge(mentions: readonly Mention[], areas: Areas): Mention[] {
  const merged: Mention[] = [];
  for (const mention of mentions.toSorted((a, b) => b.end - b.start - (a.end - a.start) || b.strength - a.strength)) {
    const same = merged.findIndex((other) => other.start === mention.start && other.end === mention.end);
    if (same >= 0) {
      const other = merged[same]!;
      merged[same] = {
        ...other,
        strength: Math.max(other.strength, mention.strength),
        interpretations: [...other.interpretations, ...mention.interpretations],
      };
    } else if (
      !merged.some((other) => other.start <= mention.start && mention.end <= other.end && other.strength >= mention.strength * 0.6)
    ) {
      merged.push(mention);
    }
  }
  return merged
    .filter((mention) => mention.strength >= 0.05)
    .map((mention) => ({ ...mention, interpretations: withoutDuplicates(mention.interpretations, areas) }));
}

/** Svalbard is a country of its own and a subdivision of Norway; the country wins. */
function withoutDuplicates(interpretations: readonly Interpretation[], areas: Areas): Interpretation[] {
  const sovereigns = new Set(interpretations.filter((row) => row.isCountry).map((row) => areas.sovereign(row.area)));
  return interpretations.filter((row) => row.isCountry || !sovereigns.has(areas.country(row.area)));
}
