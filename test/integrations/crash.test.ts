// The promise that an accepted batch survives kill -9 at any moment: every record ends stored exactly once or reported.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { compile, type GatewayProcess, type Place, startProcess } from '../support/gateway-process.ts';
import { expectConsistent, type SeenSync } from '../support/syncs.ts';

/** KILLS=20 runs the long form. */
const KILLS = Number(process.env.KILLS ?? 3);
const BATCHES = 3;
const SIZE = 300;

/** One record in fifty names an account that does not exist, and must be reported. */
const isRefused = (index: number): boolean => index % 50 === 49;
const records = (batch: number) =>
  Array.from({ length: SIZE }, (_, index) => ({
    platform_id: `b${batch}-${index}`,
    line_items: [{ name: 'a', ...(isRefused(index) ? { account_id: 999_999_999 } : {}) }, { name: 'b' }],
  }));

async function place(): Promise<Place & { remove(): Promise<void> }> {
  const program = compile();
  const directory = await mkdtemp(join(tmpdir(), 'crash-'));
  const clear = async (): Promise<void> => {
    for (const made of [directory, program]) await rm(made, { recursive: true });
  };
  const admin = process.env.DATABASE_URL;
  if (!admin) return { program, directory, remove: clear };
  const name = `integrations_crash_${process.pid}`;
  const run = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: admin });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(`create database ${name}`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return {
    program,
    directory,
    databaseUrl: url.href,
    remove: async () => {
      await run(`drop database ${name} with (force)`);
      await clear();
    },
  };
}

async function get<T>(gateway: GatewayProcess, path: string): Promise<T> {
  return (await gateway.send('GET', path)).body as T;
}

/** Every page of a list. */
async function all<T>(
  gateway: GatewayProcess,
  path: string,
  rowsOf: (body: never) => { rows: T[]; next: string | null },
  cursor: string,
): Promise<T[]> {
  const found: T[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page = rowsOf(await get(gateway, `${path}${path.includes('?') ? '&' : '?'}limit=100${next ? `&${cursor}=${next}` : ''}`));
    found.push(...page.rows);
    next = page.next;
  }
  return found;
}

it('documented: kill -9 in the middle of batches loses nothing and doubles nothing', { timeout: 120_000 + KILLS * 30_000 }, async () => {
  const where = await place();
  let gateway = await startProcess(where);
  try {
    const company = (await gateway.send('POST', '/v4/core/companies', { data: { name: 'Crash' } })).body as { data: { ledger_id: number } };
    const base = `/v4/core/companies/${company.data.ledger_id}`;
    const accepted = new Map<string, number>();
    let batch = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      for (let turn = 0; turn < BATCHES; turn++) {
        const number = batch++;
        // The last batch of a turn may be cut off while it is being accepted: then it is stored as a whole or not at all.
        const sent = gateway.send('PUT', `${base}/purchase_orders?run_async=true`, { data: records(number) }).then(
          ({ status, body }) => (status === 202 ? accepted.set((body as { data: { sync_id: string } }).data.sync_id, number) : undefined),
          () => undefined,
        );
        if (turn < BATCHES - 1) await sent;
      }
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 400));
      await gateway.kill();
      gateway = await startProcess(where);
    }
    const syncs = await all<SeenSync>(
      gateway,
      `${base}/syncs`,
      (body: never) => ({
        rows: (body as { data: { syncs: SeenSync[]; next: string | null } }).data.syncs,
        next: (body as { data: { next: string | null } }).data.next,
      }),
      'cursor',
    );
    expect(syncs.map((sync) => sync.id)).toEqual(expect.arrayContaining([...accepted.keys()]));
    for (const { id } of syncs) {
      let sync: SeenSync;
      do {
        await new Promise((resolve) => setTimeout(resolve, 50));
        sync = (await get<{ data: SeenSync }>(gateway, `/v4/core/syncs/${id}`)).data;
        expectConsistent(sync);
      } while (sync.endTime === null);
      const refused = SIZE / 50;
      expect(sync).toMatchObject({ status: 'PARTIAL_SUCCESS', jobCounts: { total: 1 + refused, failed: refused } });
    }
    const stored = await all<{ platform_id: string; line_items: unknown[] }>(
      gateway,
      `${base}/purchase_orders?expand=line_items`,
      (body: never) => ({
        rows: (body as { data: never[] }).data,
        next: (body as { pagination: { next: string | null } }).pagination.next,
      }),
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
    await gateway.kill();
    await where.remove();
  }
});
