// Government identifiers: the catalogue of kinds, and the check of one number.

import { uid as austrianUid } from 'stdnum/lib/cjs/at/index.js';
import { abn, acn } from 'stdnum/lib/cjs/au/index.js';
import { vat as belgianVat } from 'stdnum/lib/cjs/be/index.js';
import { cnpj } from 'stdnum/lib/cjs/br/index.js';
import { bn } from 'stdnum/lib/cjs/ca/index.js';
import { uid as swissUid } from 'stdnum/lib/cjs/ch/index.js';
import { uscc } from 'stdnum/lib/cjs/cn/index.js';
import { vat as germanVat, stnr } from 'stdnum/lib/cjs/de/index.js';
import { nif } from 'stdnum/lib/cjs/es/index.js';
import { siren, siret, tva } from 'stdnum/lib/cjs/fr/index.js';
import { vat as britishVat, utr } from 'stdnum/lib/cjs/gb/index.js';
import { vat as irishVat } from 'stdnum/lib/cjs/ie/index.js';
import { gstin, pan } from 'stdnum/lib/cjs/in/index.js';
import { iva } from 'stdnum/lib/cjs/it/index.js';
import { cn as corporateNumber } from 'stdnum/lib/cjs/jp/index.js';
import { rfc } from 'stdnum/lib/cjs/mx/index.js';
import { btw } from 'stdnum/lib/cjs/nl/index.js';
import { mva } from 'stdnum/lib/cjs/no/index.js';
import { ird } from 'stdnum/lib/cjs/nz/index.js';
import { nip } from 'stdnum/lib/cjs/pl/index.js';
import { uen } from 'stdnum/lib/cjs/sg/index.js';
import { ein } from 'stdnum/lib/cjs/us/index.js';
import { vat as southAfricanVat } from 'stdnum/lib/cjs/za/index.js';
import { type Checked, failed, passed } from './checked.ts';
import type { EntityForm } from './corporation-types.ts';
import { EU_MEMBERS } from './countries.ts';
import { checkText } from './text.ts';

export const IDENTIFIER_PURPOSES = ['TAXATION', 'FORMATION', 'PAYROLL', 'INDIRECT_TAX', 'SOCIAL_SECURITY', 'TRADE'] as const;
export type IdentifierPurpose = (typeof IDENTIFIER_PURPOSES)[number];

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
  checkDigits: CheckDigits | null;
  /** Official formats that the library does not know; it does not check these numbers. */
  skipCheckDigits?: RegExp;
}

type Row = [
  key: string,
  shortName: string,
  displayName: string,
  purposes: string,
  regexString: string,
  checkDigits: CheckDigits | null,
  documentType: string,
];

const TAX = 'TAXATION';
const VAT = 'INDIRECT_TAX';
const FORMED = 'FORMATION';

const ROWS: readonly Row[] = [
  ['US_EIN', 'EIN', 'Employer Identification Number', 'TAXATION PAYROLL', '^[0-9]{2}-?[0-9]{7}$', ein, 'EINLetter'],
  ['US_STATE_FILE_NUMBER', 'State file number', 'State file number', FORMED, '^[A-Z0-9-]{1,20}$', null, 'CertificateOfIncorporation'],
  ['IN_PAN', 'PAN', 'Permanent Account Number', TAX, '^[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]$', pan, 'PANCard'],
  [
    'IN_GSTIN',
    'GSTIN',
    'Goods and Services Tax Identification Number',
    VAT,
    '^[0-9]{2}(?:[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z][ZSCD][0-9A-Z]|[0-9]{2}[A-Z]{3}[0-9]{5}(?:NF|OS|UN|ON)[0-9A-Z])$',
    gstin,
    'GSTCertificate',
  ],
  ['IN_TAN', 'TAN', 'Tax Deduction and Collection Account Number', 'TAXATION PAYROLL', '^[A-Z]{4}[0-9]{5}[A-Z]$', null, 'TANLetter'],
  [
    'IN_CIN',
    'CIN',
    'Corporate Identification Number',
    FORMED,
    '^[LUF][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}$',
    null,
    'CertificateOfIncorporation',
  ],
  [
    'IN_LLPIN',
    'LLPIN',
    'Limited Liability Partnership Identification Number',
    FORMED,
    '^[A-Z]{3}-?[0-9]{4}$',
    null,
    'CertificateOfIncorporation',
  ],
  ['GB_CRN', 'CRN', 'Company registration number', FORMED, '^(?:[0-9]{8}|[A-Z]{2}[0-9]{6}|R[0-9]{7})$', null, 'CertificateOfIncorporation'],
  ['GB_UTR', 'UTR', 'Unique Taxpayer Reference', TAX, '^[0-9]{10}$', utr, 'Other'],
  [
    'GB_VAT',
    'VAT number',
    'VAT registration number',
    VAT,
    '^(?:GB)?(?:[0-9]{9}|[0-9]{12}|GD[0-4][0-9]{2}|HA[5-9][0-9]{2})$',
    britishVat,
    'VATCertificate',
  ],
  [
    'IE_VAT',
    'VAT number',
    'VAT registration number',
    VAT,
    '^(?:IE)?(?:[0-9]{7}[A-W][A-IW]?|[0-9][A-Z+*][0-9]{5}[A-W])$',
    irishVat,
    'VATCertificate',
  ],
  ['DE_VAT', 'USt-IdNr.', 'Umsatzsteuer-Identifikationsnummer', VAT, '^(?:DE)?[1-9][0-9]{8}$', germanVat, 'VATCertificate'],
  ['DE_STNR', 'Steuernummer', 'Steuernummer', TAX, '^[0-9]{2,5}/?[0-9]{3,4}/?[0-9]{4,5}$', stnr, 'Other'],
  ['FR_TVA', 'TVA', 'Numéro de TVA intracommunautaire', VAT, '^(?:FR)?[A-HJ-NP-Z0-9]{2}[0-9]{9}$', tva, 'VATCertificate'],
  ['FR_SIREN', 'SIREN', 'Numéro SIREN', FORMED, '^[0-9]{9}$', siren, 'CertificateOfIncorporation'],
  ['FR_SIRET', 'SIRET', 'Numéro SIRET', FORMED, '^[0-9]{14}$', siret, 'CertificateOfIncorporation'],
  ['NL_BTW', 'Btw-id', 'Btw-identificatienummer', VAT, '^(?:NL)?[0-9]{9}B[0-9]{2}$', btw, 'VATCertificate'],
  [
    'ES_NIF',
    'NIF',
    'Número de Identificación Fiscal',
    'TAXATION INDIRECT_TAX',
    '^(?:ES)?[A-Z0-9]-?[0-9]{7}-?[A-Z0-9]$',
    nif,
    'VATCertificate',
  ],
  ['IT_IVA', 'Partita IVA', 'Partita IVA', VAT, '^(?:IT)?[0-9]{11}$', iva, 'VATCertificate'],
  [
    'PL_NIP',
    'NIP',
    'Numer identyfikacji podatkowej',
    'TAXATION INDIRECT_TAX',
    '^(?:PL)?[0-9]{3}-?[0-9]{3}-?[0-9]{2}-?[0-9]{2}$',
    nip,
    'VATCertificate',
  ],
  ['AT_UID', 'UID', 'Umsatzsteuer-Identifikationsnummer', VAT, '^(?:AT)?U[0-9]{8}$', austrianUid, 'VATCertificate'],
  ['BE_VAT', 'VAT number', 'VAT registration number', VAT, '^(?:BE)?[01]?[0-9]{3}\\.?[0-9]{3}\\.?[0-9]{3}$', belgianVat, 'VATCertificate'],
  ['CA_BN', 'BN', 'Business Number', 'TAXATION INDIRECT_TAX PAYROLL TRADE', '^[0-9]{9}(?:R[CTPMZ][0-9]{4})?$', bn, 'Other'],
  [
    'SG_UEN',
    'UEN',
    'Unique Entity Number',
    'FORMATION TAXATION',
    '^(?:[0-9]{8}[A-Z]|(?:19|20)[0-9]{7}[A-Z]|[TSR][0-9]{2}[A-Z0-9]{2}[0-9]{4}[A-Z])$',
    uen,
    'CertificateOfIncorporation',
  ],
  ['AE_TRN', 'TRN', 'Tax Registration Number', VAT, '^1[0-9]{14}$', null, 'VATCertificate'],
  ['AU_ABN', 'ABN', 'Australian Business Number', 'TAXATION INDIRECT_TAX', '^[0-9]{11}$', abn, 'Other'],
  ['AU_ACN', 'ACN', 'Australian Company Number', FORMED, '^[0-9]{9}$', acn, 'CertificateOfIncorporation'],
  ['NZ_IRD', 'IRD number', 'Inland Revenue number', 'TAXATION INDIRECT_TAX', '^[0-9]{2,3}-?[0-9]{3}-?[0-9]{3}$', ird, 'Other'],
  [
    'CH_UID',
    'UID',
    'Unternehmens-Identifikationsnummer',
    'TAXATION FORMATION',
    '^CHE-?[0-9]{3}\\.?[0-9]{3}\\.?[0-9]{3}$',
    swissUid,
    'Other',
  ],
  ['NO_MVA', 'MVA', 'Merverdiavgiftsnummer', VAT, '^(?:NO)?[0-9]{9}(?:MVA)?$', mva, 'VATCertificate'],
  ['JP_CN', 'Corporate number', 'Corporate Number', 'TAXATION TRADE', '^[1-9]-?[0-9]{4}-?[0-9]{4}-?[0-9]{4}$', corporateNumber, 'Other'],
  [
    'CN_USCC',
    'USCC',
    'Unified Social Credit Code',
    'FORMATION TAXATION',
    '^[0-9A-HJ-NPQRTUWXY]{2}[0-9]{6}[0-9A-HJ-NPQRTUWXY]{10}$',
    uscc,
    'BusinessLicense',
  ],
  [
    'BR_CNPJ',
    'CNPJ',
    'Cadastro Nacional da Pessoa Jurídica',
    'TAXATION FORMATION',
    '^[0-9A-Z]{2}\\.?[0-9A-Z]{3}\\.?[0-9A-Z]{3}/?[0-9A-Z]{4}-?[0-9]{2}$',
    cnpj,
    'Other',
  ],
  ['MX_RFC', 'RFC', 'Registro Federal de Contribuyentes', TAX, '^[A-ZÑ&]{3,4}-?[0-9]{6}-?(?:[0-9A-Z]{3})?$', rfc, 'Other'],
  ['ZA_VAT', 'VAT number', 'VAT registration number', VAT, '^4[0-9]{9}$', southAfricanVat, 'VATCertificate'],
];

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

export const IDENTIFIER_KINDS: ReadonlyMap<string, IdentifierKind> = new Map(ROWS.map((row) => [row[0], kindOf(row)]));

function kindOf([key, shortName, displayName, purposes, regexString, checkDigits, documentType]: Row): IdentifierKind {
  const list = purposes.split(' ') as IdentifierPurpose[];
  return {
    key,
    country: key.slice(0, 2),
    displayName,
    shortName,
    description: `${DESCRIPTIONS[list[0]!]} (${key.slice(0, 2)}).`,
    purposes: list,
    regexString,
    corporationTypes: CORPORATION_TYPES[key] ?? null,
    documentType,
    checkDigits,
    skipCheckDigits: SKIP_CHECK_DIGITS[key],
  };
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
    return failed(field, 'INVALID_FORMAT', `${field} is not a ${kind.displayName}: it must match ${kind.regexString}`);
  }
  const unseparated = compared.replace(/[-./]/g, '');
  const digits = kind.skipCheckDigits?.test(unseparated) ? null : kind.checkDigits;
  if (digits === null) return passed({ value: printed.value, compact: unseparated, verdict: 'valid' });
  if (digits.validate(compared).isValid) return passed({ value: printed.value, compact: digits.compact(compared), verdict: 'valid' });
  if (STRICT_COUNTRIES.has(kind.country))
    return failed(field, 'INVALID_VALUE', `${field} is not a valid ${kind.displayName}: its check digits do not fit`);
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
