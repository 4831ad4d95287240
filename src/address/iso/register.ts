// The ISO 3166 content in memory, for the geocoder: read at the first use, and again after an ingest of any process.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { projectionOf, propOf, type Row } from '../../database/reader/projection.ts';
import { modelOf } from '../../records/metadata.ts';
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

const versionModel = modelOf(IsoContentVersion);
const versionProjection = projectionOf(versionModel, ['version', 'sourceName', 'sourceVersion', 'countries', 'subdivisions']);

/** The newest version of the content; undefined before the first. */
export function newestVersion({ reader }: Pick<Services, 'reader'>): Promise<Row | undefined> {
  return reader.row({
    projection: versionProjection,
    tenant: null,
    where: [],
    order: [{ prop: propOf(versionModel, 'version'), descending: true }],
    primary: true,
  });
}

const countryProjection = projectionOf(modelOf(IsoCountry), ['alpha2', 'alpha3', 'numeric', 'name']);
const subdivisionProjection = projectionOf(modelOf(IsoSubdivision), ['code', 'name', 'type', 'parent', 'status', 'supersededBy']);

/** The content as one process caches it. */
export class IsoRegister {
  readonly #services: Services;
  #content: Promise<IsoContent> | undefined;

  constructor(services: Services) {
    this.#services = services;
    services.notifications.subscribe(CHANNEL, () => this.forget());
  }

  /** Drops the cached content, so that the next call reads it again. */
  forget(): void {
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
    const all = (projection: typeof countryProjection): Promise<Row[]> =>
      this.#services.reader.rows({ projection, tenant: null, where: [], primary: true });
    // The version is read first: rows that are newer than it are read again when the notification of their ingest arrives.
    const version = await newestVersion(this.#services);
    const countries = new Map((await all(countryProjection)).map((row) => [row.alpha2 as string, row as unknown as IsoCountryFacts]));
    if (!countries.has(USER_ASSIGNED.alpha2)) countries.set(USER_ASSIGNED.alpha2, USER_ASSIGNED);
    const subdivisions = new Map((await all(subdivisionProjection)).map((row) => [row.code as string, subdivisionFacts(row)]));
    return {
      version: String(version?.version ?? 0),
      country: (code) => countries.get(code),
      subdivision: (code) => subdivisions.get(code),
    };
  }
}

const subdivisionFacts = (row: Row): IsoSubdivisionFacts => ({
  ...(row as unknown as IsoSubdivisionFacts),
  status: row.status === 'CURRENT' ? 'current' : 'withdrawn',
});

const registers = new WeakMap<Services, IsoRegister>();

/** The register of a process. */
export function isoRegister(services: Services): IsoRegister {
  const known = registers.get(services);
  if (known) return known;
  const made = new IsoRegister(services);
  registers.set(services, made);
  return made;
}
