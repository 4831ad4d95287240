// Builds the table of legal forms from the published list of ISO 20275.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';

const list = process.env.ELF_LIST;
if (!list) throw new Error('ELF_LIST names the published file');
const tables = join(import.meta.dirname, '..', 'tables');

const columns = [
  'ELF Code',
  'Country Code (ISO 3166-1)',
  'Country sub-division code (ISO 3166-2)',
  'Language Code (ISO 639-1)',
  'Entity Legal Form name Local name',
  'Entity Legal Form name Transliterated name (per ISO 01-140-10)',
  'Abbreviations Local language',
] as const;
type Row = Record<(typeof columns)[number] | 'ELF Status ACTV/INAC', string>;

const tidy = (text: string): string => text.trim().replace(/\s+/g, ' ');
const bytes = readFileSync(list);
const rows: Row[] = parse(bytes, { columns: true, bom: true });
const forms = rows
  .filter((row) => row['ELF Status ACTV/INAC'] === 'ACTV' && row['Country Code (ISO 3166-1)'] !== '')
  .map((row) => columns.map((column) => tidy(row[column])))
  .sort((a, b) => (a[1]! + a[2]! + a[0]! + a[3]! < b[1]! + b[2]! + b[0]! + b[3]! ? -1 : 1));
const text = `${forms.map((form) => form.join('\t')).join('\n')}\n`;
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
writeFileSync(join(tables, 'forms.tsv'), text);
const meta = {
  source: 'Global Legal Entity Identifier Foundation, ISO 20275: Entity Legal Forms Code List',
  page: 'https://www.gleif.org/en/about-lei/code-lists/iso-20275-entity-legal-forms-code-list',
  file: basename(list),
  sha256: sha256(bytes),
  counts: {
    rows: forms.length,
    codes: new Set(forms.map(([code]) => code)).size,
    countries: new Set(forms.map(([, country]) => country)).size,
  },
  table: { bytes: Buffer.byteLength(text), sha256: sha256(text) },
};
writeFileSync(join(tables, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`);
console.log(JSON.stringify(meta, null, 2));
