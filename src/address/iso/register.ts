// The ISO 3166 content of a gateway in memory. It is the shipped content until the stored content is read, which happens again after an ingest by any
// process.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import type { ReadScope } from '../../database/reader/conditions.ts';
import type { StoredRecord } from '../../records/metadata.ts';
import { type Cache, CacheKey } from '../../runtime/caches.ts';
import { type FormerCountry, type IsoContent, isoContentOf } from './content.ts';
import type { ContentHolder } from './in-force.ts';
import { IsoContentVersion, IsoCountry, IsoFormer, IsoSubdivision } from './records.ts';
import { SHIPPED_SOURCE, shippedIsoContent } from './shipped-content.ts';

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
export class IsoRegister implements Cache, ContentHolder {
  readonly #services: Services;
  #content: Promise<IsoContent> | undefined;
  #current: IsoContent | undefined;
  /** How many readings have begun, and which of them is current. */
  #readings = 0;
  #shown = 0;

  constructor(services: Services) {
    this.#services = services;
    services.notifications.subscribe(CHANNEL, () => {
      this.refresh().catch((error) => services.log.error({ err: error }, 'reading ISO 3166 content failed'));
    });
  }

  /** The content that was read last. */
  get current(): IsoContent {
    return this.#current ?? shippedIsoContent();
  }

  get size(): number {
    return this.#content ? 1 : 0;
  }

  clear(): void {
    this.#content = undefined;
    this.#current = undefined;
    this.#shown = this.#readings + 1;
  }

  /** Reads the content at the start of a process where the stored one is not the shipped one. */
  async open(): Promise<void> {
    const version = await newestVersion(this.#services);
    const isShipped = version?.sourceName === SHIPPED_SOURCE.name && version.sourceVersion === SHIPPED_SOURCE.version;
    if (!isShipped) await this.content();
  }

  /** Reads the content again. */
  refresh(): Promise<IsoContent> {
    this.#content = undefined;
    return this.content();
  }

  /** The current content. */
  content(): Promise<IsoContent> {
    if (!this.#content) {
      const number = ++this.#readings;
      const reading = this.#read();
      this.#content = reading;
      reading.then(
        // An ingest waits for its own reading. One that a notification has begun since does not keep it from being current.
        (content) => {
          if (number < this.#shown) return;
          this.#shown = number;
          this.#current = content;
        },
        // A failed read must not stay in the cache.
        () => {
          if (this.#content === reading) this.#content = undefined;
        },
      );
    }
    return this.#content;
  }

  async #read(): Promise<IsoContent> {
    const { reader } = this.#services;
    // The version is read first: rows that are newer than it are read again when the notification of their ingest arrives.
    const version = await newestVersion(this.#services);
    const all = { where: {} };
    const countries = await reader.find(
      IsoCountry,
      all,
      ['alpha2', 'alpha3', 'numeric', 'name', 'officialName', 'commonName', 'status', 'supersededBy', 'withdrawalDate', 'withdrawnAt'],
      ALL,
    );
    const former = await reader.find(IsoFormer, all, ['alpha2', 'name', 'supersededBy', 'withdrawalDate'], ALL);
    const subdivisions = await reader.find(
      IsoSubdivision,
      all,
      ['code', 'name', 'type', 'parent', 'status', 'supersededBy', 'withdrawalDate', 'withdrawnAt'],
      ALL,
    );
    const withdrawn = countries.filter(({ status }) => status !== 'CURRENT');
    return isoContentOf({
      version: String(version?.version ?? 0),
      countries: countries.filter(({ status }) => status === 'CURRENT'),
      former: [
        ...former.map((row) => ({ ...row, withdrawnOn: row.withdrawalDate })),
        ...withdrawn.map((row) => ({ ...row, withdrawnOn: dayOf(row) })),
      ].filter((row): row is typeof row & FormerCountry => row.alpha2 !== null),
      subdivisions: subdivisions.map((row) => ({
        ...row,
        status: row.status === 'CURRENT' ? 'current' : 'withdrawn',
        withdrawnOn: dayOf(row),
      })),
    });
  }
}

/** The day on which ISO withdrew a code, or else that on which an ingest withdrew it here. */
const dayOf = ({ withdrawalDate, withdrawnAt }: { withdrawalDate: string | null; withdrawnAt: Date | string | null }): string | null =>
  withdrawalDate ?? (withdrawnAt === null ? null : new Date(withdrawnAt).toISOString().slice(0, 10));

/** The register of a process. */
export const isoRegister = new CacheKey('iso_3166', (services: Services) => new IsoRegister(services));
