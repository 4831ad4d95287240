// The ISO 3166 content that the program ships: the list of the npm package `iso-3166`, and in `changes.tsv` what that list lacks.
import { createRequire } from 'node:module';
import { iso31661, iso31661Reserved, iso31662, iso31663 } from 'iso-3166';
import { packageTable } from '../../runtime/package-root.ts';
import { type FormerCountry, type IsoContent, type IsoRows, type IsoSubdivision, isoContentOf } from './content.ts';

/** Counts up with each change of `changes.tsv`, so that databases with older shipped content take the new one. */
const CHANGES_VERSION = 4;

const { version }: { version: string } = createRequire(import.meta.url)('iso-3166/package.json');

/** Name and version of the shipped content, as `health` reports them. */
export const SHIPPED_SOURCE = { name: 'iso-3166', version: `${version} with changes ${CHANGES_VERSION}` };

interface ShippedRows extends IsoRows {
  readonly former: readonly (FormerCountry & { alpha4: string; alpha3: string; numeric: string | null; changeType: string })[];
}

/**
 * The lines of `changes.tsv` by their code. A code of ISO 3166-2 is one that the package lacks, still lists, or has without its parent or with a name
 * that is cut off or wrong, with the codes that replaced it. A code of ISO 3166-3 has its day. The withdrawn codes are those of the lists of Debian's
 * `iso-codes` from 2010 on. Where the day is not known there is a year, and where the year is not known there is nothing.
 */
function readChanges(): Map<string, IsoSubdivision> {
  const path = 'src/address/iso/tables/changes.tsv';
  const [, ...lines] = packageTable(path, 'code', 'status', 'name', 'type', 'withdrawn', 'successors', 'parent');
  return new Map(
    lines.map(({ code, status, name, type, withdrawn, successors, parent }) => {
      return [
        code,
        {
          code,
          name,
          type: type || null,
          parent: parent || null,
          status: status === 'current' ? 'current' : 'withdrawn',
          supersededBy: successors.split(' ').filter(Boolean),
          withdrawnOn: withdrawn || null,
        },
      ];
    }),
  );
}

/** The shipped content in rows. */
export function shippedRows(): ShippedRows {
  const changes = readChanges();
  const listed = iso31662.map(
    ({ code, name, parent }): IsoSubdivision => ({
      code,
      name,
      type: null,
      parent: parent.length === 2 ? null : parent,
      status: 'current',
      supersededBy: [],
      withdrawnOn: null,
    }),
  );
  const changed = [...changes.values()].filter(({ code }) => code[2] === '-');
  return {
    countries: iso31661.map(({ alpha2, alpha3, numeric, name }) => ({ alpha2, alpha3, numeric, name })),
    former: iso31663.map(({ alpha4, type, from, to }) => ({
      alpha2: from.alpha2,
      alpha3: from.alpha3,
      alpha4,
      numeric: from.numeric ?? null,
      name: from.name,
      changeType: type,
      supersededBy: to.map(({ alpha2 }) => alpha2),
      withdrawnOn: changes.get(alpha4)?.withdrawnOn ?? null,
    })),
    subdivisions: [...listed.filter(({ code }) => !changes.has(code)), ...changed],
  };
}

/** The shipped content as a document of an ingest. */
export function shippedDocument(): { countries: object[]; subdivisions: object[]; former: object[] } {
  const { countries, subdivisions, former } = shippedRows();
  return {
    countries: countries.map(({ alpha2, alpha3, numeric, name }) => ({ alpha_2: alpha2, alpha_3: alpha3, numeric, name })),
    subdivisions: subdivisions.map(({ supersededBy, withdrawnOn, ...row }) => ({
      ...row,
      superseded_by: supersededBy,
      withdrawal_date: withdrawnOn,
    })),
    former: former.map(({ alpha2, alpha3, alpha4, numeric, name, changeType, supersededBy, withdrawnOn }) => ({
      alpha_2: alpha2,
      alpha_3: alpha3,
      alpha_4: alpha4,
      numeric,
      name,
      change_type: changeType,
      superseded_by: supersededBy,
      withdrawal_date: withdrawnOn,
    })),
  };
}

let shipped: IsoContent | undefined;

/** The shipped content, read at its first use. */
export const shippedIsoContent = (): IsoContent => (shipped ??= isoContentOf({ version: 'shipped', ...shippedRows() }));

const RESERVED: ReadonlyMap<string, string> = new Map(iso31661Reserved.map((entry) => [entry.alpha2, entry.name]));

/** What a code is reserved for; undefined for a code that is not. The register has assigned codes only. */
export const reservedFor = (alpha2: string): string | undefined => RESERVED.get(alpha2);
