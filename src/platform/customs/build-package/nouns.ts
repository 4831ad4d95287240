// The nouns of WordNet that name goods, each with the words of its synonyms, its kinds and its definition.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from '../words.ts';

interface Sense {
  topic: number;
  words: string[];
  kinds: string[];
  definition: string;
}

/** The lexicographer files of what is traded: animals, artefacts, food, natural objects, plants, substances. */
const TRADED = new Set([5, 6, 13, 17, 20, 27]);
/** A noun has its common meanings first. */
const SENSES = 2;
const LEVELS = 3;

const rows = (folder: string, file: string): string[] =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('  '));

/** A synset as `data.noun` writes it: offset, lexicographer file, type, words, pointers, and the gloss. */
function readSense(line: string): [string, Sense] {
  const [head, gloss = ''] = line.split(' | ');
  const fields = head!.trim().split(' ');
  const count = Number.parseInt(fields[3]!, 16);
  const words = Array.from({ length: count }, (_, at) => fields[4 + 2 * at]!.replaceAll('_', ' '));
  const first = 4 + 2 * count;
  const pointers = Array.from({ length: Number(fields[first]) }, (_, at) => fields.slice(first + 1 + 4 * at, first + 5 + 4 * at));
  const kinds = pointers.filter(([symbol]) => symbol === '@').map(([, offset]) => offset!);
  return [fields[0]!, { topic: Number(fields[1]), words, kinds, definition: gloss.split(';')[0]! }];
}

/** Each noun of at most three words with the words it may mean, the surest first; weights from 0 to 9. */
export function* readNouns(folder: string): Generator<[string, [string, number][]]> {
  const senses = new Map(rows(folder, 'data.noun').map(readSense));
  for (const line of rows(folder, 'index.noun')) {
    const fields = line.trim().split(' ');
    const noun = fields[0]!.replaceAll('_', ' ');
    if (!/^[a-z]{3,}( [a-z]{2,}){0,2}$/.test(noun)) continue;
    // Names and Latin species are written with a capital letter there; an ordinary product name has neither.
    const traded = fields
      .slice(-Number(fields[2]))
      .filter((offset) => TRADED.has(senses.get(offset)!.topic) && senses.get(offset)!.words.includes(noun));
    const weights = new Map<string, number>();
    traded.slice(0, SENSES).forEach((offset, order) => {
      const add = (text: string, weight: number): void => {
        for (const word of wordsOf(text)) weights.set(word, Math.max(weights.get(word) ?? 0, weight / (1 + order)));
      };
      let level = [offset];
      for (let distance = 0; distance <= LEVELS; distance += 1) {
        for (const one of level) for (const word of senses.get(one)!.words) add(word, 0.6 ** distance);
        level = level.flatMap((one) => senses.get(one)!.kinds);
      }
      add(senses.get(offset)!.definition, 0.3);
    });
    yield [noun, [...weights].map(([word, weight]): [string, number] => [word, Math.round(weight * 9)]).sort((a, b) => b[1] - a[1])];
  }
}
