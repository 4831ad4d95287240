// The disk under the embedded database fills up: writes are rejected with a clear error and reads still work. Once there is room again,
// everything acknowledged is stored and new writes succeed.
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { call, issueKey, type ProgramResponse, program } from '../support/program.ts';
import { type SmallDisk, smallDisk } from '../support/small-disk.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
/** The disk holds a new database, the required free space (32 MB), and the written data; a longer run writes more. */
const DISK_MB = 120 + 5 * ROUNDS;
/** Long names, so that few records fill a page of the database. */
const LONG = 'x'.repeat(180);

async function fillUp(disk: SmallDisk): Promise<void> {
  const settings = { DATA_DIR: join(disk.folder, 'data') };
  let running = await program.start(settings);
  try {
    const key = await issueKey(running.origin, ['PLATFORM']);
    let sent = 0;
    const acknowledged: string[] = [];
    const write = async (): Promise<ProgramResponse> => {
      const legalName = `${sent++} ${LONG}`;
      const response = await call(running.origin, key, 'POST', '/api/v1/corporations', { legal_name: legalName, jurisdiction: 'GB' });
      if (response.status === 200) acknowledged.push(legalName);
      return response;
    };
    const countOf = async (): Promise<number> =>
      (await call(running.origin, key, 'POST', '/graphql', { query: '{ corporations { totalCount } }' })).body.data.corporations.totalCount;
    for (let round = 0; round < ROUNDS; round++) {
      for (let more = 0; more < 20; more++) expect((await write()).status).toBe(200);
      disk.fill();
      let response: ProgramResponse;
      do response = await write();
      while (response.status === 200);
      expect(response.status).toBe(503);
      expect(response.body.message).toBe('the disk of the store is full; nothing was stored');
      expect(response.body.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await countOf()).toBe(acknowledged.length);
      disk.empty();
      expect((await write()).status).toBe(200);
      expect(await countOf()).toBe(acknowledged.length);
    }
    await running.end('SIGKILL');
    running = await program.start(settings);
    const stored: string[] = [];
    for (let cursor = ''; ; ) {
      const path = `/api/v1/corporations?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const { data } = (await call(running.origin, key, 'GET', path)).body;
      stored.push(...data.corporations.map((row: { legal_name: string }) => row.legal_name));
      cursor = data.cursor;
      if (!cursor) break;
    }
    expect(stored.sort()).toEqual(acknowledged.sort());
    console.log(`disk-full: filled ${ROUNDS} times, ${sent} writes, ${acknowledged.length} acknowledged and stored`);
  } finally {
    await running.end('SIGKILL');
  }
}

const disk = process.env.DATABASE_URL ? null : smallDisk(DISK_MB);
afterAll(() => disk?.remove());

if (disk) it('a full disk rejects writes with a clear error and loses none', { timeout: 240_000 + ROUNDS * 60_000 }, () => fillUp(disk));
else
  it('the full disk is tested on the embedded database, where a small disk may be mounted', () => {
    console.log('disk-full: not run; it needs the embedded database (no DATABASE_URL) and the right to mount a disk');
    expect(disk).toBeNull();
  });
