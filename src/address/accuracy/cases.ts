// Reads files of expected results: JSON, or lines of tab-separated cells below a line of their names.
import { readFileSync } from 'node:fs';
import type { AccuracyCase } from './metrics.ts';

/** The cases of a file. */
export function readCases(file: string): AccuracyCase[] {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.tsv')) return JSON.parse(text) as AccuracyCase[];
  const [head, ...lines] = text.trimEnd().split('\n');
  const names = head!.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    const cell = (name: string): string | undefined => cells[names.indexOf(name)] || undefined;
    const words = (name: string): string[] | undefined => cell(name)?.split(' ');
    const degrees = (name: string): number | undefined => (cell(name) === undefined ? undefined : Number(cell(name)));
    return {
      id: cell('id')!,
      address: cell('address')!,
      expect: {
        country: cell('country')!,
        region: cell('region'),
        city: cell('city'),
        postcode: cell('postcode'),
        lat: degrees('lat'),
        lon: degrees('lon'),
        country_also: words('country_also'),
      },
      tags: (words('in_text') ?? []).map((part) => `${part}-in-text`),
    };
  });
}
