// The ISO 3166 content a new database starts with: the bundled list, through the same ingest as any other.
import { createRequire } from 'node:module';
import { iso31661, iso31662, iso31663 } from 'iso-3166';
import { waitedInVain } from '../../database/errors.ts';
import type { Database } from '../../database/open.ts';
import { ingest } from './ingest.ts';

const count = { name: 'iso-version', text: 'select 1 from iso_content_version limit 1' };

/** How often a process looks again while another one stores the list; each time it waits 2 s, the time a transaction waits for a lock. */
const ATTEMPTS = 30;

/** Ingests the bundled list unless there is content already. Of processes that start together one stores it, however long that takes; the others wait. */
export async function seedIsoContent(database: Database, now: Date): Promise<void> {
  const { version }: { version: string } = createRequire(import.meta.url)('iso-3166/package.json');
  for (let attempt = 1; (await database.read(count, [])).length === 0; attempt++) {
    try {
      await ingest(
        { source: { name: 'iso-3166', version }, data: { iso31661, iso31662, iso31663 } },
        { database, now, changed: async () => {} },
      );
    } catch (error) {
      if (attempt === ATTEMPTS || !waitedInVain(error)) throw error;
    }
  }
}
