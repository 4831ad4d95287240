// Customs codes: the lengths each country accepts, and the check of one code.
import { type Checked, failed, Gathering, isPlainObject, passed, refuseUnknown } from '../../records/checked.ts';
import { checkCountry, EU_MEMBERS } from '../shared/countries.ts';
import type { NationalCodes } from './national/national-codes.ts';

export interface CustomsLengths {
  /** Digit counts accepted besides the international six. */
  lengths: readonly number[];
  /** A statistical key may end in one check letter (New Zealand); it is kept in the display form only. */
  finalLetter?: boolean;
}

export type CustomsLengthTable = Readonly<Record<string, CustomsLengths>>;

export interface CustomsCode {
  digits: string;
  display: string;
  warnings: string[];
}

export interface CustomsCodeOptions {
  lengths?: CustomsLengthTable;
  /** Six-digit codes of the Harmonized System; null while no list is loaded, and then no code is looked up. */
  hsCodes?: ReadonlySet<string> | null;
  /** The national tariffs in force, by country. */
  national?: ReadonlyMap<string, NationalCodes>;
}

const same = (countries: string, ...lengths: number[]): CustomsLengthTable =>
  Object.fromEntries(countries.split(' ').map((country) => [country, { lengths }]));

/** National lengths by country: United States HTS and Schedule B, European CN and TARIC, Gulf tariff, and so on. */
export const CUSTOMS_LENGTHS: CustomsLengthTable = {
  ...same(EU_MEMBERS.join(' '), 8, 10),
  ...same('US GB CA AU MX', 8, 10),
  ...same('CN', 8, 10, 13),
  ...same('JP', 9, 10),
  ...same('KR', 10),
  ...same('IN SG BR ID VN NO ZA', 8),
  ...same('AE BH KW OM QA SA', 8, 12),
  ...same('TR', 8, 10, 12),
  ...same('CH TW TH', 8, 11),
  ...same('MY', 8, 9, 10),
  ...same('PH', 8, 9, 10, 11),
  NZ: { lengths: [8, 10], finalLetter: true },
};

/** Countries that are not in the table: any of these lengths is accepted. */
const OTHER_COUNTRIES: CustomsLengths = { lengths: [7, 8, 9, 10, 11, 12, 13] };

const INTERNATIONAL_LENGTH = 6;
const MAX_WRITTEN = 40;
const WRITTEN = /^[0-9](?:[. -]*[0-9])*$/;
/** 77 is reserved by the World Customs Organization; 98 and 99 are national use and legal. */
const UNUSED_CHAPTERS = new Set(['00', '77']);

/**
 * Checks a customs code of a country. A code outside the lists is only a warning, as older headings exist. A longer code is looked up in the
 * national tariff in force where there is one, otherwise its first six digits in the Harmonized System.
 */
export function checkCustomsCode(
  country: string,
  text: unknown,
  options: CustomsCodeOptions = {},
  field = 'customsCode',
): Checked<CustomsCode> {
  if (typeof text !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const display = text.trim();
  if (display === '') return failed(field, 'REQUIRED', `${field} must not be empty`);
  if (display.length > MAX_WRITTEN) return failed(field, 'TOO_LONG', `${field} must have at most ${MAX_WRITTEN} characters`);

  const table = options.lengths ?? CUSTOMS_LENGTHS;
  const { lengths, finalLetter } = Object.hasOwn(table, country) ? table[country]! : OTHER_COUNTRIES;
  const hasLetter = finalLetter === true && /[0-9][. -]?[A-Za-z]$/.test(display);
  const written = hasLetter ? display.slice(0, -1).replace(/[. -]$/, '') : display;
  if (!WRITTEN.test(written)) {
    return failed(field, 'INVALID_FORMAT', `${field} must consist of digits, with full stops, spaces or hyphens only between them`);
  }

  const digits = written.replace(/[. -]/g, '');
  // A final letter belongs to the national key, so a six-digit international code cannot have one.
  const accepted = hasLetter ? lengths : [INTERNATIONAL_LENGTH, ...lengths];
  if (!accepted.includes(digits.length)) {
    return failed(field, 'OUT_OF_RANGE', `${field} for ${country} must have ${accepted.join(', ')} digits, it has ${digits.length}`);
  }
  const chapter = digits.slice(0, 2);
  if (UNUSED_CHAPTERS.has(chapter)) {
    return failed(
      field,
      'INVALID_VALUE',
      `${field} begins with ${chapter}, which is not a chapter of the Harmonized System (01 to 99 without 77)`,
    );
  }
  return passed({ digits, display, warnings: warningsOf(digits, options.hsCodes ?? null, options.national?.get(country)) });
}

function warningsOf(digits: string, hsCodes: ReadonlySet<string> | null, national: NationalCodes | undefined): string[] {
  const core = digits.slice(0, INTERNATIONAL_LENGTH);
  if (national && digits !== core) return national.knows(digits) ? [] : [`${digits} is not a code of the tariff of ${national.name}`];
  return hsCodes === null || hsCodes.has(core) ? [] : [`${core} is not a six-digit code of the loaded Harmonized System list`];
}

/** Checks the list an operator loads: six-digit codes as an array of strings. */
export function readHsCodes(json: unknown): Checked<ReadonlySet<string>> {
  if (!Array.isArray(json)) return failed('json', 'INVALID_TYPE', 'json must be an array of six-digit strings');
  if (json.length === 0) return failed('json', 'REQUIRED', 'json must not be empty');
  const wrong = json.findIndex((code) => typeof code !== 'string' || !/^[0-9]{6}$/.test(code));
  return wrong < 0
    ? passed(new Set<string>(json))
    : failed(`json.${wrong}`, 'INVALID_FORMAT', `json.${wrong} must be a string of six digits`);
}

/** Checks the table an operator loads: country to accepted lengths besides six. */
export function readCustomsLengths(json: unknown): Checked<CustomsLengthTable> {
  if (!isPlainObject(json)) return failed('json', 'INVALID_TYPE', 'json must be an object keyed by country');
  const gathering = new Gathering();
  const table: Record<string, CustomsLengths> = {};
  for (const [country, row] of Object.entries(json)) {
    const at = `json.${country}`;
    const { lengths, finalLetter = false, ...rest } = isPlainObject(row) ? row : {};
    gathering.take(checkCountry(country, at));
    refuseUnknown(rest, ['lengths', 'finalLetter'], gathering, `${at}.`);
    if (!isLengthList(lengths)) gathering.add(`${at}.lengths`, 'INVALID_VALUE', `${at}.lengths must list integers from 7 to 13`);
    else if (typeof finalLetter !== 'boolean')
      gathering.add(`${at}.finalLetter`, 'INVALID_TYPE', `${at}.finalLetter must be true or false`);
    else table[country] = { lengths, finalLetter };
  }
  return gathering.finish(() => table);
}

function isLengthList(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((n) => Number.isInteger(n) && n > INTERNATIONAL_LENGTH && n <= 13);
}
