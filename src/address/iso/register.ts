// The ISO 3166 content in memory, for the geocoder: read at the first use, and again after an ingest of any process.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import type { ReadScope } from '../../database/reader/conditions.ts';
import type { StoredRecord } from '../../records/metadata.ts';
import { type Cache, CacheKey } from '../../runtime/caches.ts';
import {
  type IsoContent,
  type IsoCountry as IsoCountryFacts,
  type IsoSubdivision as IsoSubdivisionFacts,
  USER_ASSIGNED,
} from '../geocoder/iso.ts';
import { IsoContentVersion, IsoCountry, IsoSubdivision } from './records.ts';

const CHANNEL = 'iso_3166';

/** Notifies every process when the transaction of an ingest commits. */
export const announceIsoContent =
  (services: Services) =>
  (em: EntityManager): Promise<void> =>
    services.notifications.publish(em, CHANNEL);

/** The content belongs to no organisation. A read after the notification of an ingest must see it, so none goes to a replica. */
const ALL: ReadScope = { tenant: null };

/** The newest version of the content; undefined before the first. */
export async function newestVersion({
  reader,
}: Pick<Services, 'reader'>): Promise<
  StoredRecord<IsoContentVersion, 'version' | 'sourceName' | 'sourceVersion' | 'countries' | 'subdivisions'> | undefined
> {
  const query = { where: {}, order: { by: ['version'], descending: true }, limit: 1 } as const;
  const select = ['version', 'sourceName', 'sourceVersion', 'countries', 'subdivisions'] as const;
  return (await reader.find(IsoContentVersion, query, select, ALL))[0];
}

/** The content as one process caches it. */
export class IsoRegister implements Cache {
  readonly #services: Services;
  #content: Promise<IsoContent> | undefined;

  constructor(services: Services) {
    this.#services = services;
    services.notifications.subscribe(CHANNEL, () => this.clear());
  }

  get size(): number {
    return this.#content ? 1 : 0;
  }

  /** Drops the cached content, so that the next call reads it again. */
  clear(): void {
    this.#content = undefined;
  }

  /** The current content. */
  content(): Promise<IsoContent> {
    if (!this.#content) {
      const reading = this.#read();
      this.#content = reading;
      // A failed read must not stay in the cache.
      reading.catch(() => {
        if (this.#content === reading) this.#content = undefined;
      });
    }
    return this.#content;
  }

  async #read(): Promise<IsoContent> {
    const { reader } = this.#services;
    // The version is read first: rows that are newer than it are read again when the notification of their ingest arrives.
    const version = await newestVersion(this.#services);
    const all = { where: {} };
    const found = await reader.find(IsoCountry, all, ['alpha2', 'alpha3', 'numeric', 'name'], ALL);
    const countries = new Map<string, IsoCountryFacts>(found.map((row) => [row.alpha2, row]));
    if (!countries.has(USER_ASSIGNED.alpha2)) countries.set(USER_ASSIGNED.alpha2, USER_ASSIGNED);
    const parts = await reader.find(IsoSubdivision, all, ['code', 'name', 'type', 'parent', 'status', 'supersededBy'], ALL);
    const subdivisions = new Map<string, IsoSubdivisionFacts>(
      parts.map((row) => [row.code, { ...row, status: row.status === 'CURRENT' ? 'current' : 'withdrawn' }]),
    );
    return {
      version: String(version?.version ?? 0),
      country: (code) => countries.get(code),
      subdivision: (code) => subdivisions.get(code),
    };
  }
}

/** The register of a process. */
export const isoRegister = new CacheKey('iso_3166', (services: Services) => new IsoRegister(services));
