// Maps GeoNames admin1 and admin2 areas to ISO 3166-2 codes: trusted alphabetic codes first, then names, then the override file.
import { nameKey } from '../../geocoder/normalise.ts';

const GENERIC = new Set(
  (
    'province provincia provincie oblast kraj krai county district region departement department departamento state governorate prefecture municipality ' +
    'of de la du the del al el autonomous republic city rayon raion parish canton muhafazah wilayat okrug judet distrito regiao estado dept zupanija apskritis ' +
    'novads sheng shi zizhiqu co emirate division capital territory special administrative ken fu to do hlavni mesto viloyati viloyat oblysy veloyati welayaty ' +
    'vilayet vilayeti mintaqah mintaqat respublika respublikasi regione jude'
  ).split(' '),
);

const loose = (name) =>
  nameKey(name)
    .split(' ')
    .filter((word) => !GENERIC.has(word))
    .join(' ');

/** The spellings that a register name covers: "Bristol, City of", "Catalunya [Cataluña]", "A/B", "Guyane (française)". */
export function spellings(name) {
  const plain = name
    .replace(/[[(][^\])]*[\])]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const inner = [...name.matchAll(/\[([^\]]+)\]/g)].map((match) => match[1]);
  const inverted = plain.includes(', ') ? [plain.split(', ').reverse().join(' '), plain.split(', ')[0]] : [];
  return [...new Set([name, plain, ...inner, ...inverted, ...plain.split('/').map((part) => part.trim())])].filter(
    (spelling) => spelling.length > 1,
  );
}

function similarity(a, b) {
  if (a === b) return a === '' ? 0 : 1;
  const [wordsA, wordsB] = [a.split(' '), b.split(' ')];
  const [few, many] = wordsA.length < wordsB.length ? [wordsA, wordsB] : [wordsB, wordsA];
  if (few[0] !== '' && few.every((word) => word.length > 2 && many.includes(word))) return 0.86;
  const longest = Math.max(a.length, b.length);
  return longest === 0 ? 0 : 1 - editDistance(a, b) / longest;
}

function editDistance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}

function bestByName(name, candidates) {
  let best = { score: 0, code: null };
  for (const exact of [nameKey(name), loose(name)]) {
    for (const candidate of candidates) {
      for (const spelling of spellings(candidate.name)) {
        const score =
          similarity(exact, exact === nameKey(name) ? nameKey(spelling) : loose(spelling)) + (exact === nameKey(name) ? 0.01 : 0);
        if (score > best.score) best = { score, code: candidate.code };
      }
    }
  }
  return best;
}

/** Where a mapped code comes from, counted for meta.json. */
export const METHODS = ['override', 'code', 'name', 'none'];

export function mapAdmin1({ admin1, regions, iso, overrides }) {
  const current = Map.groupBy(iso, (row) => row.code.slice(0, 2));
  const known = new Set(iso.map((row) => row.code));
  const result = new Map();
  for (const { code: key, name } of admin1) {
    const [country, admin] = key.split('.');
    const candidates = current.get(country) ?? [];
    const region = sameArea(
      name,
      regions[country]?.regions?.find((row) => row.admin === admin),
    );
    const code = region && `${country}-${region.iso}`;
    if (key in overrides) result.set(key, { code: overrides[key], method: overrides[key] === null ? 'none' : 'override' });
    else if (code && known.has(code) && /^[A-Z]+$/.test(region.iso)) result.set(key, { code, method: 'code' });
    else result.set(key, byNames([name, ...Object.values(region?.names ?? {})], candidates) ?? { code: null, method: 'none' });
  }
  return result;
}

/** GeoNames reused admin1 codes (Viet Nam, Taiwan), so a row of the mapping counts only if one of its names resembles the area's. */
function sameArea(name, region) {
  const names = region ? [region.name, ...Object.values(region.names ?? {})] : [];
  return names.some((other) => similarity(loose(name), loose(other)) >= 0.6 || similarity(nameKey(name), nameKey(other)) >= 0.6)
    ? region
    : undefined;
}

/** The same region in several languages; the best spelling wins, and a top-level code wins over a deeper one of the same name. */
function byNames(names, candidates) {
  let best = null;
  for (const level of [topLevel(candidates), candidates]) {
    for (const name of new Set(names)) {
      const match = bestByName(name, level);
      if (match.score >= 0.8 && match.score > (best?.score ?? 0)) best = match;
    }
    if (best) return { code: best.code, method: 'name' };
  }
  return null;
}

const topLevel = (rows) => rows.filter((row) => !row.parent || row.parent.length === 2);

/** Countries whose admin2 numbers are those of ISO 3166-2. */
const SAME_NUMBERS = ['FR', 'RS'];

/** admin2 becomes a deeper code only when ISO itself places that code below the admin1 code, or when admin1 has none. */
export function mapAdmin2({ admin2, admin1Codes, iso }) {
  const below = Map.groupBy(iso, (row) => row.parent ?? '');
  const result = new Map();
  for (const { code: key, name } of admin2) {
    const [country, admin, own] = key.split('.');
    const parent = admin1Codes.get(`${country}.${admin}`)?.code ?? null;
    const candidates = parent ? descendants(parent, below) : (below.get(country) ?? []);
    if (candidates.length === 0) continue;
    const suffix = candidates.find((row) => row.code === `${country}-${own.padStart(2, '0')}`);
    const suffixFits = suffix && (/^[A-Z]+$/.test(own) || SAME_NUMBERS.includes(country));
    const match = suffixFits ? suffix.code : byNames([name], candidates)?.code;
    if (match) result.set(key, match);
  }
  return result;
}

function descendants(code, below) {
  return (below.get(code) ?? []).flatMap((row) => [row, ...descendants(row.code, below)]);
}
