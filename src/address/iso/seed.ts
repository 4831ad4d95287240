// The ISO 3166 content a new database starts with: the bundled list, through the same ingest as any other.
import { createRequire } from 'node:module';
import { iso31661, iso31662, iso31663 } from 'iso-3166';
import type { Database } from '../../database/open.ts';
import { ingest } from './ingest.ts';

const count = { name: 'iso-version', text: 'select 1 from iso_content_version limit 1' };

/** Ingests the bundled list unless there is content already. Of two processes that start together the second finds nothing to change. */
export async function seedIsoContent(database: Database, now: Date): Promise<void> {
  if ((await database.read(count, [], true)).length > 0) return;
  const { version } = createRequire(import.meta.url)('iso-3166/package.json') as { version: string };
  await ingest(
    { source: { name: 'iso-3166', version }, data: { iso31661, iso31662, iso31663 } },
    { database, now, changed: async () => {} },
  );
}
