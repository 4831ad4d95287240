// Government identifiers: the catalogue of kinds, and the check of one number.
import { type Checked, failed, passed } from '../../records/checked.ts';
import { defineEnum } from '../../records/enums.ts';
import { checkText } from '../../records/text.ts';
import { checkDigits } from './check-digits.ts';
import type { EntityForm } from './corporation-types.ts';
import { EU_MEMBERS } from './countries.ts';
import { IDENTIFIER_ROWS, IDENTIFIER_SOURCES, type IdentifierRow } from './identifier-kinds.ts';

/** What an identifier is for. */
export const IdentifierPurposes = defineEnum('IdentifierPurpose', 'Purpose of a government identifier.', {
  TAXATION: 'Taxes in general.',
  FORMATION: 'Company register.',
  PAYROLL: 'Payroll.',
  INDIRECT_TAX: 'Sales, value added or goods and services tax.',
  SOCIAL_SECURITY: 'Social security.',
  TRADE: 'Import and export.',
});
export type IdentifierPurpose = keyof typeof IdentifierPurposes.values;

export interface IdentifierKind {
  key: string;
  country: string;
  displayName: string;
  shortName: string;
  description: string;
  purposes: readonly IdentifierPurpose[];
  /** Anchored; given to clients and applied to the upper-cased number without spaces. */
  regexString: string;
  /** Null: any form of that country. */
  corporationTypes: readonly EntityForm[] | null;
  documentType: string;
  /** A number made up here that passes every check. */
  example: string;
  hasCheckDigits: boolean;
  /** Where the rule comes from. */
  source: string;
  /** When it was compared with that source; null where it was not. */
  checkedAt: string | null;
}

const COMPANIES_OF_INDIA: readonly EntityForm[] = ['PRIVATE_LIMITED_COMPANY', 'ONE_PERSON_COMPANY', 'PUBLIC_LIMITED_COMPANY'];
const CORPORATION_TYPES: Readonly<Record<string, readonly EntityForm[]>> = { IN_CIN: COMPANIES_OF_INDIA, IN_LLPIN: ['LLP'] };

/** Sources of rules that find few wrong digits, or none. */
const FORMAT_SOURCES: ReadonlySet<IdentifierRow['source']> = new Set(['libraryFormat', 'ownFormat', 'format']);

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  TAXATION: 'Identifies the company to the tax authority',
  FORMATION: 'Given by the company register',
  INDIRECT_TAX: 'Held for value added, sales or goods and services tax',
};

const rows: ReadonlyMap<string, IdentifierRow> = new Map(IDENTIFIER_ROWS.map((row) => [row.key, row]));

export const IDENTIFIER_KINDS: ReadonlyMap<string, IdentifierKind> = new Map(IDENTIFIER_ROWS.map((row) => [row.key, kindOf(row)]));

function kindOf(row: IdentifierRow): IdentifierKind {
  const { key, pattern, purposes, check, source, authority, shortName, displayName, documentType, example } = row;
  const list = purposes.split(' ') as IdentifierPurpose[];
  const country = key.slice(0, 2);
  return {
    key,
    country,
    displayName,
    shortName,
    description: `${DESCRIPTIONS[list[0]!]} (${country}).`,
    purposes: list,
    regexString: pattern,
    corporationTypes: CORPORATION_TYPES[key] ?? null,
    documentType,
    example,
    hasCheckDigits: check !== null && !FORMAT_SOURCES.has(source),
    source: authority === undefined ? IDENTIFIER_SOURCES[source].source : `${IDENTIFIER_SOURCES[source].source}; ${authority}`,
    checkedAt: IDENTIFIER_SOURCES[source].checkedAt,
  };
}

export interface CheckedIdentifier {
  /** As printed: what is stored and shown. */
  value: string;
  /** Upper case without separators or country prefix: what is compared. */
  compact: string;
  /** `warning`: the check digits do not fit; the record becomes INVALID. */
  verdict: 'valid' | 'warning';
}

/** The longest number of the catalogue has 20 characters; the other 20 allow for printed separators. */
const MAX_PRINTED = 40;

/**
 * Checks a number of a kind. Only the pattern rejects it. Check digits that do not fit are a warning, because a wrong rule of a library would reject
 * numbers that the authority assigned.
 */
export function checkIdentifier(key: string, value: unknown, field = 'value'): Checked<CheckedIdentifier> {
  const kind = IDENTIFIER_KINDS.get(key);
  if (!kind) return failed('key', 'INVALID_VALUE', `key must be one of: ${[...IDENTIFIER_KINDS.keys()].join(', ')}`);
  const printed = checkText(field, value, { max: MAX_PRINTED, singleLine: true });
  if (!printed.ok) return printed;
  const compared = printed.value.toUpperCase().replace(/\s/g, '');
  if (!new RegExp(kind.regexString).test(compared)) {
    return failed(field, 'INVALID_FORMAT', `${field} does not fit ${kind.displayName}: it must match ${kind.regexString}`);
  }
  const unseparated = compared.replace(/[-./]/g, '');
  const { check, checked } = rows.get(key)!;
  if (check === null) return passed({ value: printed.value, compact: unseparated, verdict: 'valid' });
  const digits = checkDigits(check);
  const judged = checked === undefined ? unseparated : new RegExp(checked).exec(unseparated)?.[1];
  const verdict = judged === undefined || digits.fits(judged) ? 'valid' : 'warning';
  return passed({ value: printed.value, compact: digits.compact(unseparated), verdict });
}

/** The letters before a number for value added tax of the European Union or Northern Ireland, which are not always those of ISO 3166. */
export function vatLetters(type: string): string | undefined {
  if (type === 'GB_XI_VAT') return 'XI';
  const kind = IDENTIFIER_KINDS.get(type);
  if (!kind || !EU_MEMBERS.includes(kind.country) || !kind.purposes.includes('INDIRECT_TAX')) return undefined;
  return kind.country === 'GR' ? 'EL' : kind.country;
}

/** A number for value added tax that is written with its letters, with its kind; undefined for any other text. */
export function prefixedVatNumber(text: string): { type: string; value: string } | undefined {
  const compact = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const letters = compact.slice(0, 2);
  return [...IDENTIFIER_KINDS.keys()]
    .filter((type) => vatLetters(type) === letters)
    .flatMap((type) => [compact, compact.slice(2)].map((value) => ({ type, value })))
    .find(({ type, value }) => checkIdentifier(type, value).ok);
}

/** Checks `taxIds` of a corporation: known kinds, each kind once. */
export function checkTaxIds(value: unknown, field = 'taxIds'): Checked<(CheckedIdentifier & { type: string })[]> {
  if (!Array.isArray(value)) return failed(field, 'INVALID_TYPE', `${field} must be an array`);
  const checked: (CheckedIdentifier & { type: string })[] = [];
  for (const [at, entry] of value.entries()) {
    const type = entry?.type;
    if (typeof type !== 'string' || !IDENTIFIER_KINDS.has(type)) {
      return failed(
        `${field}.${at}.type`,
        'INVALID_VALUE',
        `${field}.${at}.type must be one of: ${[...IDENTIFIER_KINDS.keys()].join(', ')}`,
      );
    }
    if (checked.some((one) => one.type === type))
      return failed(`${field}.${at}.type`, 'DUPLICATE', `${field}.${at}.type names ${type} a second time`);
    const number = checkIdentifier(type, entry.value, `${field}.${at}.value`);
    if (!number.ok) return number;
    checked.push({ type, ...number.value });
  }
  return passed(checked);
}
