// The shipped ISO 3166-2 codes against other registers: the successors in CLDR (of codes that it calls deprecated), and the changes of ISO's
// newsletters II-1 and II-3 in Debian's iso-codes.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { resolveCode } from '../../src/address/iso/content.ts';
import { shippedIsoContent, shippedRows } from '../../src/address/iso/shipped-content.ts';
import { packagePath } from '../../src/runtime/package-root.ts';

const iso = shippedIsoContent();
const successors = (code: string): readonly string[] => iso.subdivision(code)?.supersededBy ?? [];

/** Where the register keeps other successors than CLDR, and why. */
const DECISIONS: Readonly<Record<string, string>> = {
  'CN-15': 'CLDR has CN-MN; the code of Inner Mongolia is CN-NM in iso-3166 and iso-codes',
  'CZ-611': 'CLDR has CZ-663, which is no code; the number of Havlíčkův Brod is 631',
  'FR-GUA': 'ISO lists FR-971 in addition to the country',
  'FR-H': 'FR-COR was itself replaced by FR-20R',
  'FR-LRE': 'ISO lists FR-974 in addition to the country',
  'FR-MAY': 'ISO lists FR-976 in addition to the country',
  'CZ-10A': 'CLDR has the districts of Prague, which were withdrawn too',
  'CZ-10B': 'the same',
  'CZ-10C': 'the same',
  'CZ-10D': 'the same',
  'CZ-10E': 'the same',
  'CZ-10F': 'the same',
  'NO-23': 'CLDR alone has this code; the counties that became NO-50 were NO-16 and NO-17',
};

it('every code that CLDR has replaced is withdrawn with the same successors, or is decided otherwise', () => {
  const lines = readFileSync(packagePath('test', 'address', 'registers', 'cldr-subdivisions.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1);
  const others = lines
    .map((line) => line.split('\t') as [string, string])
    .filter(([code, list]) => {
      const same = [...successors(code)].sort().join(' ') === list.split(' ').sort().join(' ');
      return iso.subdivision(code)?.status !== 'withdrawn' || !same;
    });
  expect(lines.length).toBe(120);
  expect(others.map(([code]) => code).sort()).toEqual(Object.keys(DECISIONS).sort());
});

it('the successors of a withdrawn code lead to a code in force', () => {
  const lost = shippedRows()
    .subdivisions.filter(({ supersededBy }) => supersededBy.length > 0)
    .filter(({ code }) => resolveCode(iso, code)?.status !== 'current');
  expect(lost.map(({ code }) => code)).toEqual([]);
});

it.each([
  ['MH-UJL', 'withdrawn', 'II-1: Ujelang was dropped'],
  ['MH-L', 'current', 'II-1: the chains of islands were added'],
  ['MH-T', 'current', 'II-1: the chains of islands were added'],
  ['UG-234', 'current', 'II-1: Bududa was added'],
  ['UG-416', 'current', 'II-1: Lyantonde was added'],
  ['CV-SL', 'current', 'II-3: Sal alone'],
  ['CV-SO', 'current', 'II-3: São Lourenço dos Órgãos'],
  ['IE-C', 'current', 'II-3: Connaught alone'],
  ['IE-CO', 'current', 'II-3: Cork'],
  ['ID-MA', 'current', 'II-3: Maluku, the province'],
  ['ID-ML', 'current', 'II-3: Maluku, the islands'],
] as const)('%s is %s (%s)', (code, status, _change) => {
  expect(iso.subdivision(code)?.status).toBe(status);
});
