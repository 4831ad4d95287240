// Searches the Harmonized System by words: ranks codes for a text, and suggests codes for a product by its ordinary name.
import { stemmer } from 'stemmer';
import type { Services } from '../../access/context.ts';
import { CacheKey, Kept } from '../../runtime/caches.ts';
import { customsTable, type HarmonizedSystem, harmonizedSystem, type TariffEntry } from './harmonized-system.ts';
import { covered, wordsOf } from './words.ts';

/** How much a word counts by its place: in the description itself, in that of the heading, in that of the chapter. */
const PLACES = { own: 3, heading: 2, chapter: 0.7 };
/** The constants of BM25: how soon repeated words stop counting, and how much long descriptions count less. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.7;
/** The last word of a product name says what it is, those before it say which kind: "steel water bottle". */
const LAST_WORD = 1.6;
/** A word that was replaced by what it means still counts a little. */
const REPLACED = 0.3;
/** What a dictionary says that a word may mean counts less than the word. */
const DICTIONARY = 0.3;
/** Words of a name beyond these are not compared. */
const MAX_WORDS = 60;

/** A code that a search found. */
export interface Ranked {
  entry: TariffEntry;
  /** From 0 to 1: the part of what the words could score at most. */
  score: number;
  /** The words of the description that led to it, by the words of the text where these differ. */
  reasons: string[];
}

/** A word that is searched for. */
interface Wanted {
  weight: number;
  /** What the caller wrote, where the searched word is what it means. */
  given: string | null;
  word: string;
}

/** The descriptions by their stems. */
export class TariffSearch {
  readonly #documents: readonly TariffEntry[];
  /** By stem: the documents that have it, and its weight in each, already reduced by their lengths. */
  readonly #postings = new Map<string, { documents: number[]; weights: number[]; rarity: number }>();
  readonly #everyday = new Map<string, string>();
  readonly #nouns = new Map<string, string>();
  readonly #stems = new Map<string, string>();
  /** The section of each chapter. */
  readonly #sections: ReadonlyMap<string, string>;

  constructor(system: HarmonizedSystem) {
    this.#documents = system.entries.filter(({ level }) => level >= 4);
    this.#sections = new Map(system.entries.filter(({ level }) => level === 2).map(({ code, parent }) => [code, parent!]));
    const lengths: number[] = [];
    this.#documents.forEach((entry, document) => {
      const weights = new Map<string, number>();
      const add = (description: string, weight: number): void => {
        for (const word of wordsOf(covered(description))) {
          const stem = this.#stem(word);
          weights.set(stem, (weights.get(stem) ?? 0) + weight);
        }
      };
      add(entry.description, PLACES.own);
      if (entry.level === 6) add(system.find(entry.code.slice(0, 4))!.description, PLACES.heading);
      add(system.find(entry.code.slice(0, 2))!.description, PLACES.chapter);
      lengths.push([...weights.values()].reduce((sum, weight) => sum + weight, 0));
      for (const [stem, weight] of weights) {
        const posting = this.#postings.get(stem) ?? { documents: [], weights: [], rarity: 0 };
        posting.documents.push(document);
        posting.weights.push(weight);
        this.#postings.set(stem, posting);
      }
    });
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    for (const posting of this.#postings.values()) {
      const { documents, weights } = posting;
      posting.rarity = Math.log(1 + (this.#documents.length - documents.length + 0.5) / (documents.length + 0.5));
      documents.forEach((document, at) => {
        const weight = weights[at]!;
        weights[at] = weight / (weight + SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * lengths[document]!) / mean));
      });
    }
    for (const [phrase, meaning] of pairsOf('everyday.tsv')) this.#everyday.set(wordsOf(phrase).join(' '), meaning);
    for (const [noun, meaning] of pairsOf('words.tsv')) this.#nouns.set(noun, meaning);
  }

  /** Headings and codes under a code that have words of the text, the best first, then those whose digits begin with the text, in their order. */
  search(text: string, under: string | null, most: number): Ranked[] {
    const isUnder = ({ code }: TariffEntry): boolean =>
      under === null || code.startsWith(under) || this.#sections.get(code.slice(0, 2)) === under;
    const digits = text.replace(/[\s.-]/g, '');
    if (/^[0-9]{2,}$/.test(digits)) {
      const begun = this.#documents.filter(
        (entry) => (entry.code.startsWith(digits) || (entry.level === 6 && digits.startsWith(entry.code))) && isUnder(entry),
      );
      return begun.slice(0, most).map((entry) => ({ entry, score: 1, reasons: [] }));
    }
    return this.#ranked(this.#meaningOf(wordsOf(text), 1), isUnder, most);
  }

  /** Six-digit codes for a product, the best first, at most one of a heading. */
  suggest(name: string, description: string, most: number): Ranked[] {
    const wanted = this.#meaningOf(wordsOf(name), LAST_WORD);
    // The description distinguishes kinds; the name says what the product is.
    for (const [stem, one] of this.#meaningOf(wordsOf(description), 1))
      if (!wanted.has(stem)) wanted.set(stem, { ...one, weight: one.weight * 0.3 });
    const headings = new Set<string>();
    return this.#ranked(
      wanted,
      ({ level, code }) => {
        const heading = code.slice(0, 4);
        if (level !== 6 || headings.has(heading)) return false;
        headings.add(heading);
        return true;
      },
      most,
    );
  }

  #stem(word: string): string {
    let stem = this.#stems.get(word);
    if (stem === undefined) {
      stem = stemmer(word);
      // Only the words of the tables are kept: those of callers have no end.
      if (this.#nouns.size === 0) this.#stems.set(word, stem);
    }
    return stem;
  }

  /** The stems to look for: the words, what everyday words mean, and what a dictionary says of nouns. */
  #meaningOf(given: string[], ofLast: number): Map<string, Wanted> {
    const words = given.slice(0, MAX_WORDS);
    const wanted = new Map<string, Wanted>();
    const add = (word: string, weight: number, from: string | null): void => {
      const stem = this.#stem(word);
      if ((wanted.get(stem)?.weight ?? 0) < weight) wanted.set(stem, { weight, given: from, word });
    };
    for (const [at, word] of words.entries()) add(word, at === words.length - 1 ? ofLast : 1, null);
    for (const { phrase, at, length, meaning } of meaningsIn(words, this.#everyday)) {
      for (const word of words.slice(at, at + length)) wanted.get(this.#stem(word))!.weight *= REPLACED;
      for (const word of wordsOf(meaning)) add(word, ofLast, phrase);
    }
    for (const { phrase, at, length, meaning } of meaningsIn(words, this.#nouns)) {
      const share = DICTIONARY * (at + length === words.length ? ofLast : 0.6);
      for (const one of meaning.split(' ')) add(one.slice(0, -1), (share * Number(one.at(-1))) / 9, phrase);
    }
    return wanted;
  }

  #ranked(wanted: ReadonlyMap<string, Wanted>, isWanted: (entry: TariffEntry) => boolean, most: number): Ranked[] {
    const scores = new Float64Array(this.#documents.length);
    let highest = 0;
    for (const [stem, { weight }] of wanted) {
      const posting = this.#postings.get(stem);
      if (!posting) continue;
      const { documents, weights, rarity } = posting;
      highest = Math.max(highest, weight * rarity);
      for (let at = 0; at < documents.length; at += 1) scores[documents[at]!]! += weight * rarity * weights[at]!;
    }
    const found = [...scores.keys()].filter((document) => scores[document]! > 0).sort((a, b) => scores[b]! - scores[a]! || a - b);
    const ranked: Ranked[] = [];
    for (const document of found) {
      const entry = this.#documents[document]!;
      if (!isWanted(entry)) continue;
      ranked.push({ entry, score: Math.min(1, scores[document]! / (2 * highest)), reasons: this.#reasons(document, wanted) });
      if (ranked.length === most) break;
    }
    return ranked;
  }

  /** The four words that count most for a document. */
  #reasons(document: number, wanted: ReadonlyMap<string, Wanted>): string[] {
    return [...wanted]
      .flatMap(([stem, { weight, given, word }]) => {
        const posting = this.#postings.get(stem);
        const at = posting ? posting.documents.indexOf(document) : -1;
        return at < 0
          ? []
          : [{ share: weight * posting!.rarity * posting!.weights[at]!, text: given === null ? word : `${given}: ${word}` }];
      })
      .sort((a, b) => b.share - a.share)
      .slice(0, 4)
      .map(({ text }) => text);
  }
}

const pairsOf = (file: string): [string, string][] =>
  customsTable(file)
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [string, string]);

/** The phrases of a text that a table has, the longest first; no word is part of two. */
function* meaningsIn(
  words: readonly string[],
  table: ReadonlyMap<string, string>,
): Generator<{ phrase: string; at: number; length: number; meaning: string }> {
  const isTaken = words.map(() => false);
  for (const length of [3, 2, 1])
    for (let at = 0; at + length <= words.length; at += 1) {
      if (isTaken.slice(at, at + length).some(Boolean)) continue;
      const phrase = words.slice(at, at + length).join(' ');
      const meaning = singulars(phrase)
        .map((noun) => table.get(noun))
        .find((found) => found !== undefined);
      if (meaning === undefined) continue;
      isTaken.fill(true, at, at + length);
      yield { phrase, at, length, meaning };
    }
}

/** A noun as it is and without the endings of a plural. */
const singulars = (noun: string): string[] => [noun, noun.replace(/s$/, ''), noun.replace(/es$/, ''), noun.replace(/ies$/, 'y')];

export const tariffSearch = new CacheKey<Services, Kept<TariffSearch>>(
  'tariff_search',
  ({ caches }) => new Kept(() => new TariffSearch(caches.of(harmonizedSystem).get())),
);
