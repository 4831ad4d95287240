// The catalogue of government identifiers: each kind with its pattern, an example, the check digits it has, and where its rule comes from.
import kinds from './identifier-kinds.json' with { type: 'json' };

/** Where the rule of a kind comes from. */
export const IDENTIFIER_SOURCES = {
  vies: {
    source: 'European Commission, VIES: VAT identification number structure; check digits: stdnum 1.12.0',
    checkedAt: '2026-11-22',
  },
  library: { source: 'stdnum 1.12.0: format and check digits; not compared with a page of the authority', checkedAt: null },
  libraryFormat: {
    source: 'stdnum 1.12.0: format; its check finds few wrong digits, or none; not compared with a page of the authority',
    checkedAt: null,
  },
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
  /** Country and name of the check in the library; null where it has none. */
  check: string | null;
  documentType: string;
  source: keyof typeof IDENTIFIER_SOURCES;
  /** A prefix of the number that the library does not know. */
  unknownPrefix?: string;
}

/** The kinds, from the file beside this one. */
export const IDENTIFIER_ROWS = kinds as readonly IdentifierRow[];
