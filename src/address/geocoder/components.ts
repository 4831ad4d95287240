// Copies the parts of an address out of its text: house number, street, unit, PO box and the rest.

import { PO_BOX } from './facts/poBox.ts';
import { streetWord } from './facts/streetWords.ts';
import type { Reading } from './read.ts';
import type { AddressComponents } from './types.ts';

/** A stretch of the text that is already understood. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface Understood {
  readonly city: Stretch | null;
  readonly state: Stretch | null;
  readonly postalCode: Stretch | null;
  readonly country: Stretch | null;
}

/** Words that a flat, staircase, floor, shop or office is numbered after, by language. */
const UNIT_WORDS = [
  'apt|apartment|unit|suite|ste|room|rm|flat|floor|fl|shop|office|plot|block|bldg|building|studio|lot',
  'appt|appartement|étage|etage|bte|bo[iî]te|wohnung|whg|stock|og|top|stiege|stg|tür|bus',
  'lgh|lägenhet|leil|leilighet|as|asunto',
  'piso|depto|dpto|departamento|int|interno|interior|scala|piano|apto|conj|sala|loja|bloco|andar|puerta|esc',
  'lok|lokal|byt|m(?=\\.)|daire|kat|кв|квартира|оф|офис|корп|стр',
].join('|');
const COLOMBIAN_STREETS = 'calle|carrera|cra|cr|kr|cl|diagonal|dg|transversal|tv|avenida|av|autopista';
const UNIT = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:${UNIT_WORDS})(?:[.:]|(?!\\p{L}))\\s*(?:no\\.?\\s*)?#?\\s*(?:\\d[a-z0-9-]{0,5}|[a-z]-?\\d{0,4})(?![\\p{L}\\d])` +
    // #12 is a unit, but behind a numbered street of Colombia the house: Calle 72 # 10-34.
    `|(?<!(?:${COLOMBIAN_STREETS})\\.?\\s\\d[^,#]{0,20})#\\s?[a-z0-9-]{1,6}(?![\\p{L}\\d])` +
    '|\\d{1,3}(?:st|nd|rd|th|er|e|ème|eme|\\.)\\s*(?:floor|fl|étage|etage|stock|og)(?!\\p{L})' +
    // Denmark: floor and side. Spain and Portugal: floor and door, whose ordinal sign is read as a letter.
    '|\\d{1,2}(?:\\.\\s*|\\s+)(?:tv|th|mf)(?![\\p{L}\\d])' +
    '|\\d{1,2}\\.?[oa°]\\s?(?:[a-h]|izq|izda|dcha|dch|esq|dto|dir|fte)\\.?(?![\\p{L}\\d])' +
    // Norway: letter of the entrance's floor and four digits.
    '|[hukl]\\d{4}(?![\\p{L}\\d])|d:\\s?\\d{1,4}(?![\\p{L}\\d]))',
  'iu',
);
/**
 * 4/2/5 (house, staircase and door in Austria), 324-HS (house and floor in the Netherlands), 5 A 12 (house, staircase and flat in Finland), 12/A,
 * 12, 12-14, 12 bis, 5a, N165 W2123 (Wisconsin), B-12 and 8-2-293 (India).
 */
const HOUSE =
  '(?:\\d{1,4}[a-z]?(?:/\\d{1,4}[a-z]?){2}|\\d{1,5}-(?:hs|bel|[ivx]{1,4})(?![\\p{L}\\d])|\\d{1,4}\\s[a-z]\\s\\d{1,3}(?!\\d)|\\d{1,4}/[a-zа-я](?![\\p{L}\\d])|\\d{1,4}(?:-\\d{1,4}){2,3}|[A-Z]-\\d{1,4}|\\d{1,5}(?:\\s?[-–/]\\s?\\d{1,5})?(?:\\s?(?:bis|ter|quater|[a-zа-я])(?![\\p{L}\\d]))?|[NSEW]\\d{1,3}\\s?[NSEW]\\d{1,5})';
/** The part of such a number that is the house, and the part that is not. */
const HOUSE_AND_UNIT = /^(\d+[a-z]?)(?:\/(\d+[a-z]?\/\d+[a-z]?)|-(hs|bel|[ivx]+)|\s([a-z]\s\d+))$/iu;
const HOUSE_LABEL =
  '(?:no[.:]?\\s*|h\\.?\\s?no\\.?\\s*|house\\s+no\\.?\\s*|door\\s+no\\.?\\s*|nr\\.?\\s*|n°\\s*|#\\s*|№\\s*|д\\.\\s*|дом\\s+|буд\\.\\s*)?';
/** A street may begin with a number of its own: 350 5th Ave. */
const LEADING_HOUSE = new RegExp(`^${HOUSE_LABEL}(${HOUSE})(?:\\s*,)?\\s+(?=\\P{N}|\\d{1,3}(?:st|nd|rd|th)\\s)`, 'iu');
/** A number after these words names the road or the quarter, not a house. */
const NUMBERED = /(?:sector|phase|ward|zone|block|road no\.?|route|rte|highway|hwy|county road|cr|fm|km|us|state road|sr)$/i;
const TRAILING_HOUSE = new RegExp(`(?:\\s|,\\s*)${HOUSE_LABEL}(${HOUSE})$`, 'iu');

const ALONE_HOUSE = new RegExp(`^${HOUSE_LABEL}#?(${HOUSE})$`, 'iu');

/** Splits the text around the stretches that are understood. Every part is copied from the text. */
export function extractComponents(reading: Reading, understood: Understood): AddressComponents {
  const { text } = reading;
  const cut = (stretch: Stretch | null): string | null => (stretch ? text.slice(stretch.start, stretch.end) : null);
  const known = [understood.city, understood.state, understood.postalCode, understood.country].filter((stretch) => stretch !== null);
  let rest = blank(text, known);
  const poBox = take(PO_BOX, rest);
  rest = poBox.rest;
  const unit = take(UNIT, rest);
  rest = unit.rest;
  const lines = rest
    .split(/[,;|\n]|\s[-–—]\s|\ufffc/)
    .map((line) => line.replace(/^[\s.()-]+|[\s.(-]+$/g, '').trim())
    .filter((line) => line !== '');
  const street = findStreet(lines);
  const house = street?.houseNumber ? HOUSE_AND_UNIT.exec(street.houseNumber) : null;
  const district =
    lines.find(
      (line) =>
        !street?.lines.includes(line) && /^\P{N}+$/u.test(line) && lines.indexOf(line) > (street ? lines.indexOf(street.lines.at(-1)!) : 0),
    ) ?? null;
  return {
    houseNumber: house?.[1] ?? street?.houseNumber ?? null,
    street: street?.name ?? null,
    unit: unit.found ?? house?.[2] ?? house?.[3] ?? house?.[4] ?? null,
    poBox: poBox.group,
    district,
    city: cut(understood.city),
    state: cut(understood.state),
    postalCode: cut(understood.postalCode),
    country: cut(understood.country),
  };
}

/** Replaces understood stretches by a mark, so that the text before and after them is not joined. */
function blank(text: string, stretches: readonly Stretch[]): string {
  let out = '';
  let at = 0;
  for (const stretch of stretches.toSorted((a, b) => a.start - b.start)) {
    if (stretch.start < at) continue;
    out += `${text.slice(at, stretch.start)}\ufffc`;
    at = stretch.end;
  }
  return out + text.slice(at);
}

function take(pattern: RegExp, text: string): { found: string | null; group: string | null; rest: string } {
  const match = pattern.exec(text);
  if (!match || (match.index > 0 && /[\p{L}\d]/u.test(text[match.index - 1]!))) return { found: null, group: null, rest: text };
  return {
    found: match[0].trim(),
    group: (match[1] ?? match[0]).trim(),
    rest: `${text.slice(0, match.index)}\ufffc${text.slice(match.index + match[0].length)}`,
  };
}

interface Street {
  name: string;
  houseNumber: string | null;
  lines: string[];
}

function findStreet(lines: readonly string[]): Street | null {
  const scored = lines.map((line, index) => ({ line, index, rank: streetRank(line) })).filter(({ rank }) => rank > 0);
  const best = scored.toSorted((a, b) => b.rank - a.rank || a.index - b.index)[0];
  if (!best) return null;
  const own = splitHouse(best.line);
  if (own.houseNumber) return { ...own, lines: [best.line] };
  for (const neighbour of [lines[best.index + 1], lines[best.index - 1]]) {
    const alone = neighbour && ALONE_HOUSE.exec(neighbour);
    if (alone)
      return {
        name: own.name,
        houseNumber: alone[1]!,
        lines: neighbour === lines[best.index + 1] ? [best.line, neighbour] : [neighbour, best.line],
      };
  }
  return { ...own, lines: [best.line] };
}

/** 2 for a line with a street word, 1 for a name with a house number, 0 for anything else. */
function streetRank(line: string): number {
  if (!/\p{L}{2}/u.test(line)) return 0;
  const words = line
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '')
    .replace(/ß/g, 'ss')
    .split(/[^\p{L}\d]+/u);
  const hasWord = words.some(
    (word, i) =>
      (word === 'st' && i > 0) ||
      streetWord(word).some(({ role }) => role === 'ending' || (role === 'prefix' ? i < words.length - 1 : i > 0)),
  );
  const hasNumber = splitHouse(line).houseNumber !== null;
  return (hasWord ? 2 : 0) + (hasNumber ? 1 : 0);
}

function splitHouse(line: string): { name: string; houseNumber: string | null } {
  const leading = LEADING_HOUSE.exec(line);
  if (leading) return { name: line.slice(leading[0].length).trim(), houseNumber: leading[1]!.trim() };
  const trailing = TRAILING_HOUSE.exec(line);
  if (trailing && trailing.index > 0 && !NUMBERED.test(line.slice(0, trailing.index)))
    return { name: line.slice(0, trailing.index).replace(/[,\s]+$/, ''), houseNumber: trailing[1]!.trim() };
  return { name: line, houseNumber: null };
}
