// Government identifiers: the catalogue of kinds, and the check of one number.
import { createRequire } from 'node:module';
import { type Checked, failed, passed } from '../../records/checked.ts';
import { defineEnum } from '../../records/enums.ts';
import { checkText } from '../../records/text.ts';
import type { EntityForm } from './corporation-types.ts';
import { EU_MEMBERS } from './countries.ts';
import { IDENTIFIER_ROWS, IDENTIFIER_SOURCES, type IdentifierRow } from './identifier-kinds.ts';

/** What an identifier is for. */
export const IdentifierPurposes = defineEnum('IdentifierPurpose', 'What a government identifier is used for.', {
  TAXATION: 'Taxes in general.',
  FORMATION: 'The company register.',
  PAYROLL: 'Payroll.',
  INDIRECT_TAX: 'Sales, value added or goods and services tax.',
  SOCIAL_SECURITY: 'Social security.',
  TRADE: 'Import and export.',
});
export type IdentifierPurpose = keyof typeof IdentifierPurposes.values;

/** The part of a `stdnum` validator that is used here. */
interface CheckDigits {
  validate(value: string): { isValid: boolean };
  compact(value: string): string;
}

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

/**
 * Formats the library refuses although the authority issues them. GSTIN: state codes 38 (Ladakh), 97 and 99, numbers of collectors and
 * deductors (C, D, S before the check digit), and the two formats without a PAN, which non-residents and United Nations bodies hold.
 */
const SKIP_CHECK_DIGITS: Readonly<Record<string, RegExp>> = { IN_GSTIN: /^(?:38|97|99|[0-9]{4}|.{13}[CDS])/ };

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  TAXATION: 'Identifies the company to the tax authority',
  FORMATION: 'Given by the company register',
  INDIRECT_TAX: 'Held for value added, sales or goods and services tax',
};

const rows: ReadonlyMap<string, IdentifierRow> = new Map(IDENTIFIER_ROWS.map((row) => [row.key, row]));

export const IDENTIFIER_KINDS: ReadonlyMap<string, IdentifierKind> = new Map(IDENTIFIER_ROWS.map((row) => [row.key, kindOf(row)]));

function kindOf({ key, pattern, purposes, check, source, shortName, displayName, documentType, example }: IdentifierRow): IdentifierKind {
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
    hasCheckDigits: check !== null && source !== 'libraryFormat',
    ...IDENTIFIER_SOURCES[source],
  };
}

/** The rules of a country are loaded at its first check: those of all 90 take about 60 ms. */
const load = createRequire(import.meta.url);

/** The check digits of a kind that the library knows; null for a number it cannot judge. */
function checkDigitsOf({ key, check }: IdentifierRow, unseparated: string): CheckDigits | null {
  if (check === null || SKIP_CHECK_DIGITS[key]?.test(unseparated)) return null;
  const [country, name] = check.split('.') as [string, string];
  return load(`stdnum/lib/cjs/${country.toLowerCase()}/index.js`)[name];
}

export interface CheckedIdentifier {
  /** As printed: what is stored and shown. */
  value: string;
  /** Upper case without separators or country prefix: what is compared. */
  compact: string;
  /** `warning`: wrong check digits in a country outside STRICT_COUNTRIES; the record becomes INVALID. */
  verdict: 'valid' | 'warning';
}

/** Countries where wrong check digits are a reason to refuse a number; for others the library has only prefixes or is incomplete. */
const STRICT_COUNTRIES = new Set([...EU_MEMBERS, 'GB', 'AU', 'BR']);

/** The longest number of the catalogue has 20 characters; the other 20 allow for printed separators. */
const MAX_PRINTED = 40;

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
  const row = rows.get(key)!;
  const digits = checkDigitsOf(row, unseparated);
  if (digits === null) return passed({ value: printed.value, compact: unseparated, verdict: 'valid' });
  const number = row.unknownPrefix ? compared.slice(row.unknownPrefix.length) : compared;
  if (digits.validate(number).isValid) return passed({ value: printed.value, compact: digits.compact(number), verdict: 'valid' });
  if (STRICT_COUNTRIES.has(kind.country))
    return failed(field, 'INVALID_VALUE', `${field} does not fit ${kind.displayName}: its check digits are wrong`);
  return passed({ value: printed.value, compact: unseparated, verdict: 'warning' });
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
