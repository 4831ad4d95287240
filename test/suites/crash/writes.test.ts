// An accepted batch survives kill -9 at any moment: every record is stored exactly once or reported.
import { expect, it } from 'vitest';
import { call, issueKey, ownPlace, program } from '../../support/program.ts';
import { expectConsistent, type SeenSync } from '../../support/syncs.ts';

type Body = Awaited<ReturnType<typeof call>>['body'];

/** `npm run suite -- crash --rounds N` runs the long form. */
const KILLS = Number(process.env.SUITE_ROUNDS ?? 1);
const BATCHES = 3;
const SIZE = 300;

/** One record in fifty names an account that does not exist, and must be reported. */
const isRefused = (index: number): boolean => index % 50 === 49;
const records = (batch: number) =>
  Array.from({ length: SIZE }, (_, index) => ({
    platform_id: `b${batch}-${index}`,
    line_items: [{ name: 'a', ...(isRefused(index) ? { account_id: 999_999_999 } : {}) }, { name: 'b' }],
  }));

it('kill -9 in the middle of batches loses nothing and stores nothing twice', {
  timeout: 120_000 + KILLS * 30_000,
}, async () => {
  const place = await ownPlace();
  let running = await program.start(place.settings);
  const key = await issueKey(running.origin, ['INTEGRATIONS']);
  const send = (method: string, path: string, body?: unknown) => call(running.origin, key, method, path, body);
  /** Every page of a list. */
  async function all<T>(path: string, rowsOf: (body: Body) => { rows: T[]; next: string | null }, cursor: string): Promise<T[]> {
    const found: T[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = rowsOf((await send('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100${next && `&${cursor}=${next}`}`)).body);
      found.push(...page.rows);
      next = page.next;
    }
    return found;
  }
  try {
    const company = (await send('POST', '/v4/core/companies', { data: { name: 'Crash' } })).body.data.ledger_id;
    const base = `/v4/core/companies/${company}`;
    const accepted = new Map<string, number>();
    let batch = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      for (let index = 0; index < BATCHES; index++) {
        const number = batch++;
        // The last batch before a kill may be interrupted while it is being accepted: then it is stored as a whole or not at all.
        const sent = send('PUT', `${base}/purchase_orders?run_async=true`, { data: records(number) }).then(
          ({ status, body }) => (status === 202 ? accepted.set(body.data.sync_id, number) : undefined),
          () => undefined,
        );
        if (index < BATCHES - 1) await sent;
      }
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 400));
      await running.end('SIGKILL');
      running = await program.start(place.settings);
    }
    const syncs = await all<SeenSync>(`${base}/syncs`, ({ data }) => ({ rows: data.syncs, next: data.next }), 'cursor');
    expect(syncs.map((sync) => sync.id)).toEqual(expect.arrayContaining([...accepted.keys()]));
    for (const { id } of syncs) {
      let sync: SeenSync;
      do {
        await new Promise((resolve) => setTimeout(resolve, 50));
        sync = (await send('GET', `/v4/core/syncs/${id}`)).body.data;
        expectConsistent(sync);
      } while (sync.endTime === null);
      const refused = SIZE / 50;
      expect(sync).toMatchObject({ status: 'PARTIAL_SUCCESS', jobCounts: { total: 1 + refused, failed: refused } });
    }
    const stored = await all<{ platform_id: string; line_items: unknown[] }>(
      `${base}/purchase_orders?expand=line_items`,
      ({ data, pagination }) => ({ rows: data, next: pagination.next }),
      'next',
    );
    const counts = Map.groupBy(stored, (row) => row.platform_id);
    expect([...counts.values()].filter((rows) => rows.length > 1)).toEqual([]);
    const expected = [...accepted.values()]
      .flatMap((number) => records(number).map((row) => row.platform_id))
      .filter((_, index) => !isRefused(index % SIZE));
    expect(expected.filter((id) => !counts.has(id))).toEqual([]);
    expect(stored).toHaveLength(syncs.length * (SIZE - SIZE / 50));
    expect(stored.filter((row) => row.line_items.length !== 2)).toEqual([]);
    expect([...counts.keys()].filter((id) => isRefused(Number(id.split('-')[1])))).toEqual([]);
  } finally {
    await running.end('SIGKILL');
    await place.remove();
  }
});
