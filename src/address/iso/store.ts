// Stores ISO 3166 content, counts what changed, and numbers its versions.
import type { EntityManager } from '../../database/open.ts';
import type { RecordClass } from '../../records/metadata.ts';
import type { ContentRow } from './check.ts';
import { upsertRows } from './iso.statements.ts';
import { type IsoCode, IsoContentVersion, IsoCountry, type IsoPart, IsoSubdivision, isoParts } from './records.ts';
import type { StoredCodes } from './relations.ts';

/** What happened to the rows of a part. */
export interface PartCounts {
  received: number;
  inserted: number;
  updated: number;
  unchanged: number;
  withdrawn: number;
}

export const noRows = (): PartCounts => ({ received: 0, inserted: 0, updated: 0, unchanged: 0, withdrawn: 0 });

/** Inserts and updates the rows of a part. */
export async function upsertPart(em: EntityManager, part: IsoPart, rows: readonly ContentRow[], now: Date): Promise<PartCounts> {
  const changed = await upsertRows(em, part, rows, now);
  const inserted = changed.filter((row) => row.inserted).length;
  return { received: rows.length, inserted, updated: changed.length - inserted, unchanged: rows.length - changed.length, withdrawn: 0 };
}

/** The number of codes of a part that are in force. */
export const currentCount = (em: EntityManager, part: IsoPart): Promise<number> => {
  const record: RecordClass<IsoCode> = isoParts[part];
  return em.count(record, { status: 'CURRENT' });
};

/** The stored codes, for checking a document against them. */
export async function storedCodes(em: EntityManager): Promise<StoredCodes> {
  // Not managed, because a flush would compare every one of some 5,000 codes.
  const unmanaged = { disableIdentityMap: true } as const;
  const countries = await em.find(IsoCountry, {}, { fields: ['alpha2', 'alpha3', 'numeric', 'status'], ...unmanaged });
  const subdivisions = await em.find(IsoSubdivision, {}, { fields: ['code', 'parent', 'status'], ...unmanaged });
  return {
    countries: new Map(
      countries.map((row) => [row.alpha2, { alpha3: row.alpha3, numeric: row.numeric, current: row.status === 'CURRENT' }]),
    ),
    subdivisions: new Map(subdivisions.map((row) => [row.code, { parent: row.parent, current: row.status === 'CURRENT' }])),
  };
}

/** Where content comes from, as its version row stores it. */
export interface ContentSource {
  name: string;
  version: string | null;
  publishedAt: string | null;
}

/** The current version; 0 before the first ingest. */
export async function currentVersion(em: EntityManager): Promise<number> {
  const [newest] = await em.find(IsoContentVersion, {}, { fields: ['version'], orderBy: { version: 'desc' }, limit: 1 });
  return newest?.version ?? 0;
}

/** Adds a version and returns its number. */
export async function addVersion(em: EntityManager, source: ContentSource, sha256: string, mode: string, now: Date): Promise<number> {
  const version = (await currentVersion(em)) + 1;
  em.persist(
    em.create(IsoContentVersion, {
      version,
      sourceName: source.name,
      sourceVersion: source.version,
      publishedAt: source.publishedAt === null ? null : new Date(source.publishedAt),
      sha256,
      mode,
      ingestedAt: now,
      countries: await currentCount(em, 'countries'),
      subdivisions: await currentCount(em, 'subdivisions'),
    }),
  );
  return version;
}
