// The catalogue of government identifiers: each kind with its pattern, an example, the check digits it has, and where its rule comes from.
import kinds from './identifier-kinds.json' with { type: 'json' };

/** Where the rule of a kind comes from. */
export const IDENTIFIER_SOURCES = {
  vies: {
    source: 'European Commission, VIES: VAT identification number structure; check digits: stdnum 1.12.0',
    checkedAt: '2026-11-22',
  },
  viesOwn: {
    source: 'European Commission, VIES: VAT identification number structure',
    checkedAt: '2026-11-22',
  },
  library: { source: 'stdnum 1.12.0: format and check digits; not compared with a page of the authority', checkedAt: null },
  libraryFormat: {
    source: 'stdnum 1.12.0: format; its check finds few wrong digits, or none; not compared with a page of the authority',
    checkedAt: null,
  },
  ownFormat: { source: 'Format only, by a rule of its own', checkedAt: null },
  format: { source: 'Format only: no check digits are known here; not compared with a page of the authority', checkedAt: null },
} as const;

/** A kind as it is written down. */
export interface IdentifierRow {
  /** The country, an underscore and the name of the kind. */
  key: string;
  shortName: string;
  displayName: string;
  /** Names of purposes, separated by spaces. */
  purposes: string;
  /** Anchored; given to clients and applied to the upper-case number without spaces. */
  pattern: string;
  /** A number made up here that passes every check. */
  example: string;
  /** Country and name of the check digits' rule (`check-digits.ts`); null without one. */
  check: string | null;
  documentType: string;
  source: keyof typeof IDENTIFIER_SOURCES;
  /** Pattern of the number without separators; its group is the part that the check is for. A number that does not fit has no check. */
  checked?: string;
  /** The page or the rule of the authority that a form or the check follows. */
  authority?: string;
}

/** The kinds, from the file next to this one. */
export const IDENTIFIER_ROWS = kinds as readonly IdentifierRow[];
