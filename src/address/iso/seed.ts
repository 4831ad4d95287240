// The ISO 3166 content a database starts with: the shipped content, through the same ingest as any other.
import { waitedInVain } from '../../database/errors.ts';
import type { Database } from '../../database/open.ts';
import { ingest } from './ingest.ts';
import { SHIPPED_SOURCE, shippedDocument } from './shipped-content.ts';

const newest = {
  name: 'iso-version',
  text: 'select source_name, source_version from iso_content_version order by version desc limit 1',
};

/** How often a process checks while another one stores the list. Each check waits 2 s, the time that a transaction waits for a lock. */
const ATTEMPTS = 30;

/**
 * Whether the database has content that a start leaves alone: the content of this version of the program, or content that an operator ingested. Older
 * shipped content is replaced.
 */
async function isCurrent(database: Database): Promise<boolean> {
  const [row] = await database.read(newest, []);
  if (!row) return false;
  const [name, version] = row;
  return name !== SHIPPED_SOURCE.name || version === SHIPPED_SOURCE.version;
}

/** Ingests the shipped content where it is due. Of processes that start together one stores it, however long that takes; the others wait. */
export async function seedIsoContent(database: Database, now: Date): Promise<void> {
  for (let attempt = 1; !(await isCurrent(database)); attempt++) {
    try {
      await ingest({ source: SHIPPED_SOURCE, data: shippedDocument() }, { database, now, changed: async () => {} });
    } catch (error) {
      if (attempt === ATTEMPTS || !waitedInVain(error)) throw error;
    }
  }
}
