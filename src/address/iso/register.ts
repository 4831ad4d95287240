// The ISO 3166 content in memory, as the geocoder asks for it: read at the first use and again after every ingest, whichever process ran it.
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

const SIGNAL = 'iso_3166';

/** Wakes every process when the transaction of an ingest commits. */
export const announceIsoContent =
  (services: Services) =>
  (em: EntityManager): Promise<void> =>
    services.notifications.publish(em, SIGNAL);

const versionModel = modelOf(IsoContentVersion);
const versionSelection = projectionOf(versionModel, ['version', 'sourceName', 'sourceVersion', 'countries', 'subdivisions']);

/** The newest version of the content; undefined before the first. */
export function newestVersion({ reader }: Pick<Services, 'reader'>): Promise<Row | undefined> {
  return reader.row({
    projection: versionSelection,
    tenant: null,
    where: [],
    order: [{ prop: propOf(versionModel, 'version'), descending: true }],
    primary: true,
  });
}

const countrySelection = projectionOf(modelOf(IsoCountry), ['alpha2', 'alpha3', 'numeric', 'name']);
const subdivisionSelection = projectionOf(modelOf(IsoSubdivision), ['code', 'name', 'type', 'parent', 'status', 'supersededBy']);

/** The content of a process. */
export class IsoRegister {
  readonly #services: Services;
  #content: Promise<IsoContent> | undefined;

  constructor(services: Services) {
    this.#services = services;
    services.notifications.subscribe(SIGNAL, () => this.forget());
  }

  /** Makes the next question read the content again. */
  forget(): void {
    this.#content = undefined;
  }

  /** The content as it is now. */
  content(): Promise<IsoContent> {
    if (!this.#content) {
      const reading = this.#read();
      this.#content = reading;
      // A failed read must not be the answer for ever.
      reading.catch(() => {
        if (this.#content === reading) this.#content = undefined;
      });
    }
    return this.#content;
  }

  async #read(): Promise<IsoContent> {
    const all = (projection: typeof countrySelection): Promise<Row[]> =>
      this.#services.reader.rows({ projection, tenant: null, where: [], primary: true });
    // The version is read first: rows that are newer than it are read again when their signal comes.
    const version = await newestVersion(this.#services);
    const countries = new Map((await all(countrySelection)).map((row) => [row.alpha2 as string, row as unknown as IsoCountryFacts]));
    if (!countries.has(USER_ASSIGNED.alpha2)) countries.set(USER_ASSIGNED.alpha2, USER_ASSIGNED);
    const subdivisions = new Map((await all(subdivisionSelection)).map((row) => [row.code as string, subdivisionFacts(row)]));
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
