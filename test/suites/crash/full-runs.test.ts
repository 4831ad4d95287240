// The deletions of a confirmed full run survive kill -9 at any moment. Each record is deleted once, with its event, and no other record is.
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startLedger } from '../../support/ledger.ts';
import { call, issueKey, ownPlace, program } from '../../support/program.ts';

/** `npm run suite -- crash --rounds N` runs the long form. */
const KILLS = 2 + Number(process.env.SUITE_ROUNDS ?? 1);
const GONE = 1_300;
const KEPT = 40;

it('kill -9 in the middle of the deletions of a full run', { timeout: 180_000 + KILLS * 30_000 }, async () => {
  const ledger = await startLedger({ pageSize: 500 });
  for (let index = 0; index < GONE + KEPT; index++) ledger.put('CONTACT', { platform_id: `C-${index}`, name: `Contact ${index}` });
  const place = await ownPlace();
  const settings = { ...place.settings, CONNECTOR_PRIVATE_HOSTS: '127.0.0.1' };
  let running = await program.start(settings);
  const key = await issueKey(running.origin, ['INTEGRATIONS', 'PLATFORM']);
  const send = (method: string, path: string, body?: unknown) => call(running.origin, key, method, path, body);
  try {
    const hook = 'mutation { createWebhook(input: { url: "https://example.org/hook", topics: [ALL], name: "all" }) { webhook { id } } }';
    await send('POST', '/graphql', { query: hook });
    const base = `/v4/core/companies/${(await send('POST', '/v4/core/companies', { data: { name: 'Full' } })).body.data.ledger_id}`;
    const connection = await send('POST', `${base}/connections`, {
      data: { source: 'DEMO', settings: { url: ledger.url, apiKey: ledger.apiKey }, interval_minutes: 43_200 },
    });
    const status = async (id: string): Promise<string> => (await send('GET', `/v4/core/syncs/${id}`)).body.data.status;
    const reached = async (id: string, wanted: string): Promise<void> => {
      for (let now = ''; now !== wanted; await setTimeout(50)) {
        now = await status(id);
        expect([wanted, 'PENDING', 'RUNNING', 'PENDING_CONFIRMATION']).toContain(now);
      }
    };
    const count = async (): Promise<number> => (await send('GET', `${base}/contacts/summary`)).body.data.total_count;
    let first: { id: string } | undefined;
    while (!first) [first] = (await send('GET', `${base}/syncs?jobType=PULL`)).body.data.syncs;
    await reached(first.id, 'SUCCESS');
    for (let index = 0; index < GONE; index++) ledger.forget('CONTACT', `C-${index}`);
    const { id } = (await send('POST', `${base}/connections/${connection.body.data.id}/sync?full_sync=true`)).body.data;
    await reached(id, 'PENDING_CONFIRMATION');
    expect(await count()).toBe(GONE + KEPT);
    expect((await send('POST', `/v4/core/syncs/${id}/confirm`)).status).toBe(200);
    // The first while the source is asked for the records, the others once some are deleted.
    const asked = ledger.requests;
    while (ledger.requests < asked + 300) await setTimeout(5);
    for (let kill = 0; kill < KILLS; kill++) {
      await running.end('SIGKILL');
      running = await program.start(settings);
      for (const before = await count(); kill < KILLS - 1 && (await count()) === before && (await status(id)) === 'RUNNING'; );
    }
    await reached(id, 'SUCCESS');
    const left = (await send('GET', `${base}/contacts?limit=100`)).body.data.map((row: { platform_id: string }) => row.platform_id);
    expect(left.sort()).toEqual(Array.from({ length: KEPT }, (_, index) => `C-${GONE + index}`).sort());
    // The embedded database belongs to the program.
    if (!place.settings.DATABASE_URL) return;
    const client = new pg.Client({ connectionString: place.settings.DATABASE_URL });
    await client.connect();
    const sql =
      "select count(*)::int as all, count(distinct subject_id)::int as one from event where topic = 'DATA_MODEL_CHANGES' and operation = 'DELETE'";
    expect((await client.query(sql)).rows).toEqual([{ all: GONE, one: GONE }]);
    await client.end();
  } finally {
    await running.end('SIGKILL');
    await ledger.stop();
    await place.remove();
  }
});
