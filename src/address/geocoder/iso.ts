// The ISO 3166 content the geocoder answers with, behind an interface so that an updated register replaces the shipped one without a rebuild.
import { iso31661, iso31662 } from 'iso-3166';

export interface IsoCountry {
  readonly alpha2: string;
  readonly alpha3: string | null;
  readonly numeric: string | null;
  readonly name: string;
}

export interface IsoSubdivision {
  readonly code: string;
  readonly name: string;
  readonly type: string | null;
  /** Code of the subdivision above; null directly below the country. */
  readonly parent: string | null;
  readonly status: 'current' | 'withdrawn';
  readonly supersededBy: readonly string[];
}

/** Countries and subdivisions by code, and a version that changes whenever the content does. */
export interface IsoContent {
  readonly version: string;
  country(alpha2: string): IsoCountry | undefined;
  subdivision(code: string): IsoSubdivision | undefined;
}

/** Kosovo has a user-assigned code that geocoders use; the register does not list it. */
export const USER_ASSIGNED: IsoCountry = { alpha2: 'XK', alpha3: 'XKX', numeric: null, name: 'Kosovo' };

/** Content of the bundled `iso-3166` list. */
export function bundledIsoContent(): IsoContent {
  const countries = new Map<string, IsoCountry>([['XK', USER_ASSIGNED]]);
  for (const row of iso31661) countries.set(row.alpha2, { alpha2: row.alpha2, alpha3: row.alpha3, numeric: row.numeric, name: row.name });
  const subdivisions = new Map<string, IsoSubdivision>();
  for (const { code, name, parent } of iso31662) {
    subdivisions.set(code, { code, name, type: null, parent: parent.length === 2 ? null : parent, status: 'current', supersededBy: [] });
  }
  return { version: 'bundled', country: (code) => countries.get(code), subdivision: (code) => subdivisions.get(code) };
}

/** The current code for a code that may be withdrawn. A cycle in the data ends after five codes. */
export function resolveCode(iso: IsoContent, code: string): IsoSubdivision | undefined {
  let row = iso.subdivision(code);
  for (let depth = 0; row?.status === 'withdrawn' && row.supersededBy.length > 0 && depth < 5; depth++)
    row = iso.subdivision(row.supersededBy[0]!);
  return row;
}

/** Territories with an ISO 3166-1 code of their own that belong to another state: that state and, if any, their code there. */
export const DUAL_TERRITORIES: Readonly<Record<string, { parent: string; code: string | null }>> = {
  AS: { parent: 'US', code: 'US-AS' },
  GU: { parent: 'US', code: 'US-GU' },
  MP: { parent: 'US', code: 'US-MP' },
  PR: { parent: 'US', code: 'US-PR' },
  UM: { parent: 'US', code: 'US-UM' },
  VI: { parent: 'US', code: 'US-VI' },
  GP: { parent: 'FR', code: 'FR-971' },
  MQ: { parent: 'FR', code: 'FR-972' },
  GF: { parent: 'FR', code: 'FR-973' },
  RE: { parent: 'FR', code: 'FR-974' },
  YT: { parent: 'FR', code: 'FR-976' },
  PM: { parent: 'FR', code: 'FR-PM' },
  BL: { parent: 'FR', code: 'FR-BL' },
  MF: { parent: 'FR', code: 'FR-MF' },
  NC: { parent: 'FR', code: 'FR-NC' },
  PF: { parent: 'FR', code: 'FR-PF' },
  WF: { parent: 'FR', code: 'FR-WF' },
  TF: { parent: 'FR', code: 'FR-TF' },
  AW: { parent: 'NL', code: 'NL-AW' },
  CW: { parent: 'NL', code: 'NL-CW' },
  SX: { parent: 'NL', code: 'NL-SX' },
  BQ: { parent: 'NL', code: null },
  SJ: { parent: 'NO', code: null },
  BV: { parent: 'NO', code: null },
  AX: { parent: 'FI', code: 'FI-01' },
  HK: { parent: 'CN', code: 'CN-HK' },
  MO: { parent: 'CN', code: 'CN-MO' },
  TW: { parent: 'CN', code: 'CN-TW' },
  GG: { parent: 'GB', code: null },
  JE: { parent: 'GB', code: null },
  IM: { parent: 'GB', code: null },
  GI: { parent: 'GB', code: null },
  FK: { parent: 'GB', code: null },
  SH: { parent: 'GB', code: null },
  BM: { parent: 'GB', code: null },
  KY: { parent: 'GB', code: null },
  VG: { parent: 'GB', code: null },
  TC: { parent: 'GB', code: null },
  MS: { parent: 'GB', code: null },
  AI: { parent: 'GB', code: null },
  PN: { parent: 'GB', code: null },
  GS: { parent: 'GB', code: null },
  IO: { parent: 'GB', code: null },
  CC: { parent: 'AU', code: null },
  CX: { parent: 'AU', code: null },
  NF: { parent: 'AU', code: null },
  HM: { parent: 'AU', code: null },
  CK: { parent: 'NZ', code: null },
  NU: { parent: 'NZ', code: null },
  TK: { parent: 'NZ', code: null },
  FO: { parent: 'DK', code: null },
  GL: { parent: 'DK', code: null },
};
