// The tables of ISO 3166 content: countries, subdivisions, former countries, and the versions the content went through.

import type { Collection } from '@mikro-orm/core';
import { country, enumeration, integer, list, moment, object, record, related, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';

export const IsoStatus = defineEnum('IsoStatus', 'Whether a code is in force.', {
  CURRENT: 'In force.',
  WITHDRAWN: 'No longer in force, but kept so that records with the code stay readable.',
});

const shared = { scope: 'shared', prefix: 'iso' } as const;

/** The columns that the three kinds of codes share. No code is ever deleted. */
export abstract class IsoCode {
  @text('Name in the register.', { required: true }) name!: string;
  @enumeration(IsoStatus, 'Whether the code is in force.', { required: true }) status!: string;
  @moment('When the gateway withdrew the code.') withdrawnAt!: Date | null;
  @list(() => String, 'Codes that replaced it.', { required: true }) supersededBy!: string[];
  @text('Year, month or day of withdrawal by the register; null if the code is in force or the date is unknown.')
  withdrawalDate!: string | null;
}

@record({
  ...shared,
  description: 'A subdivision of a country (ISO 3166-2).',
  key: 'code',
  primaryKey: ['code'],
  indexes: [
    { name: 'iso_subdivision_country', columns: 'country, code' },
    { name: 'iso_subdivision_parent', columns: 'parent, code' },
  ],
})
export class IsoSubdivision extends IsoCode {
  @text('ISO 3166-2 code, such as FR-69.', { required: true }) code!: string;
  @country('ISO 3166-1 alpha-2 code of the country.', { required: true }) country!: string;
  @text('Kind of subdivision, such as Province.') type!: string | null;
  @text('Code of the parent subdivision; null directly below the country.') parent!: string | null;
  @object('Names by language.', { hidden: true }) localNames!: Record<string, string> | null;
  @related({
    description: 'Child subdivisions in force.',
    target: () => IsoSubdivision,
    from: 'code',
    to: 'parent',
    inverse: 'parentSubdivision',
    where: { status: 'CURRENT' },
    many: true,
    rest: 'expand',
    owned: false,
    nested: false,
  })
  subdivisions!: Collection<IsoSubdivision>;
}

@record({ ...shared, description: 'A country (ISO 3166-1).', key: 'alpha2', primaryKey: ['alpha2'] })
export class IsoCountry extends IsoCode {
  @country('Two-letter code.', { required: true, jsonName: 'alpha_2' }) alpha2!: string;
  @text('Three-letter code.', { required: true, jsonName: 'alpha_3' }) alpha3!: string;
  @text('Three-digit code with leading zeros.') numeric!: string | null;
  @text('Formal name, such as French Republic.') officialName!: string | null;
  @text('Common name, if different.') commonName!: string | null;
  @object('Names by language.', { hidden: true }) localNames!: Record<string, string> | null;
  @related({
    description: 'All subdivisions in force, of every level.',
    target: () => IsoSubdivision,
    from: 'alpha2',
    to: 'country',
    inverse: 'countryRecord',
    where: { status: 'CURRENT' },
    many: true,
    // A third of the longest list; all countries together have twenty each.
    size: 75,
    rest: 'expand',
    owned: false,
    nested: false,
  })
  subdivisions!: Collection<IsoSubdivision>;
}

@record({
  ...shared,
  description: 'A country that no longer exists under its code (ISO 3166-3).',
  key: 'alpha4',
  primaryKey: ['alpha4'],
  internal: true,
})
export class IsoFormer extends IsoCode {
  @text('Four-letter code.', { required: true }) alpha4!: string;
  @country('Two-letter code it had.') alpha2!: string | null;
  @text('Three-letter code it had.') alpha3!: string | null;
  @text('Three-digit code it had.') numeric!: string | null;
  @text('Kind of change: merge, change or split.') changeType!: string | null;
  @text('Remark of the register.') comment!: string | null;
}

/** One row per ingest that changed something; the highest number is the current version. */
@record({ ...shared, description: 'A version of the ISO 3166 content.', key: 'version', primaryKey: ['version'], internal: true })
export class IsoContentVersion {
  @integer('Number of the version, ascending.', { required: true }) version!: number;
  @text('Where the content came from.', { required: true }) sourceName!: string;
  @text('Version of the source.') sourceVersion!: string | null;
  @moment('Publication time of the source.') publishedAt!: Date | null;
  @text('SHA-256 of the canonical JSON of the document.', { required: true }) sha256!: string;
  @text('MERGE or REPLACE.', { required: true }) mode!: string;
  @moment('When it was ingested.', { required: true }) ingestedAt!: Date;
  @integer('Countries in force.', { required: true }) countries!: number;
  @integer('Subdivisions in force.', { required: true }) subdivisions!: number;
}

/** The parts of a document and the table of each. */
export const isoParts = { countries: IsoCountry, subdivisions: IsoSubdivision, former: IsoFormer } as const satisfies Record<
  string,
  RecordClass
>;

export type IsoPart = keyof typeof isoParts;

/** The parts in the order in which they are stored. */
export const partNames = ['countries', 'subdivisions', 'former'] as const satisfies readonly IsoPart[];

export const isoTables: RecordClass[] = [IsoCountry, IsoSubdivision, IsoFormer, IsoContentVersion];

/** The column that identifies a row of a part. */
export const keyOf = (part: IsoPart): string => modelOf<object>(isoParts[part]).key;
