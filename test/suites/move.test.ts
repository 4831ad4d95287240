// The move from the embedded database to PostgreSQL, killed twice: while it copies the largest table and while it compares. What callers read afterwards
// over REST is what they read before, value by value. A round is 2,000 records and 4 attachments.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { compiledProgram } from '../support/made.ts';
import { call, issueKey, type ProgramResponse, program } from '../support/program.ts';
import { newDatabase } from '../support/server.ts';

const server = process.env.DATABASE_URL;
const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const RECORDS = 2_000 * ROUNDS;
const ATTACHMENTS = 4 * ROUNDS;
const BATCH = 1_000;
const ATTACHMENT_BYTES = 300_000;
/** The statement at which the move waits for a lock of the test, by which a moment is known. */
const MOMENTS = { copying: 'insert into "public"."account"%', comparing: 'select count(*)::float8 as rows, coalesce(sum(hash%' };

const folder = mkdtempSync(join(tmpdir(), 'gateway-move-'));
const DATA_DIR = join(folder, 'data');
const undone: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const undo of undone.reverse()) await undo();
  rmSync(folder, { recursive: true, force: true });
});

async function made(response: Promise<ProgramResponse>): Promise<ProgramResponse['body']> {
  const { status, text, body } = await response;
  if (status >= 300) throw new Error(text);
  return body.data;
}

/** Fills the embedded database; returns the key of its organisation, and the paths of its company and of its bills with attachments. */
async function fill(origin: string): Promise<{ key: string; base: string; bills: string[] }> {
  const key = await issueKey(origin, ['PLATFORM', 'INTEGRATIONS']);
  const send = (method: string, path: string, body?: unknown) => made(call(origin, key, method, path, body));
  const base = `/v4/core/companies/${(await send('POST', '/v4/core/companies', { data: { name: 'Moved' } })).ledger_id}`;
  for (let from = 0; from < RECORDS; from += BATCH) {
    const data = Array.from({ length: BATCH }, (_, at) => ({
      platform_id: `a-${from + at}`,
      name: `Account ${from + at} “é”\\ \t`,
      current_balance: (from + at) / 8,
    }));
    const { sync_id } = await send('POST', `${base}/accounts?run_async=true`, { data });
    while ((await send('GET', `/v4/core/syncs/${sync_id}`)).endTime === null) await setTimeout(50);
  }
  const bills: string[] = [];
  for (let at = 0; at < ATTACHMENTS; at++) {
    const bill = await send('POST', `${base}/bills`, { data: { platform_id: `bill-${at}` } });
    bills.push(`${base}/bills/${bill.data.ledger_id}/attachments`);
    const form = new FormData();
    form.append('file', new Blob(['%PDF-1.7\n', randomBytes(ATTACHMENT_BYTES)]), `Bill ${at}.pdf`);
    await send('POST', bills.at(-1)!, form);
  }
  // Entries of the audit log are sealed in the background.
  while ((await call(origin, key, 'GET', '/api/v1/audit-log?limit=100')).text.includes('"position":null')) await setTimeout(200);
  return { key, base, bills };
}

/** What callers read: every page of the lists, the audit log, and the attachments with the digests of their contents. */
async function seen(origin: string, { key, base, bills }: Awaited<ReturnType<typeof fill>>): Promise<string[]> {
  const responses: string[] = [];
  for (const list of [`${base}/accounts`, `${base}/bills`, '/v4/core/companies', '/api/v1/audit-log'])
    for (let page = `${list}?limit=100`; page; ) {
      const { status, text } = await call(origin, key, 'GET', page, undefined, { 'x-request-id': 'of-the-move' });
      expect([page, status]).toEqual([page, 200]);
      responses.push(text.replaceAll(origin, ''));
      const next = /"(?:next|cursor)":"([^"]+)"/.exec(text)?.[1];
      page = next ? `${list}?limit=100&${list.startsWith('/api') ? 'cursor' : 'next'}=${encodeURIComponent(next)}` : '';
    }
  for (const path of bills)
    for (const { url, ...attachment } of await made(call(origin, key, 'GET', path))) {
      const { pathname, search } = new URL(url);
      const content = Buffer.from(await (await fetch(origin + pathname + search)).arrayBuffer());
      responses.push(`${JSON.stringify(attachment)} ${createHash('sha256').update(content).digest('hex')}`);
    }
  return responses;
}

async function startCommand(
  settings: Record<string, string>,
  ...words: string[]
): Promise<{ process: ChildProcess; printed: () => string }> {
  const main = join(await compiledProgram(), 'src/admin/main.js');
  const child = spawn(process.execPath, [main, '--json', ...words], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return { process: child, printed: () => printed };
}

const startMove = (to: string) => startCommand({ DATA_DIR }, 'move', '--to', to);

/** What makes the move wait in the middle of a table: its first row waits for this advisory lock. */
const HELD_ROW = 1;
const HOLD_ROWS = `
  create function held_row() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(${HELD_ROW}); return new; end $$;
  create trigger held_row before insert on account for each row execute function held_row()`;
const RELEASE_ROWS = 'drop trigger held_row on account; drop function held_row()';

/** Starts a move and kills it at a moment, at which something holds it. */
async function killAt(moment: string, to: string, watcher: Client): Promise<void> {
  const { process: moving, printed } = await startMove(to);
  const isThere = `select from pg_stat_activity
    where datname = current_database() and application_name = 'ledger-gateway admin' and wait_event_type = 'Lock' and query like $1`;
  while ((await watcher.query(isThere, [moment])).rowCount === 0)
    if (moving.exitCode !== null) throw new Error(`the move ended before its moment: ${printed()}`);
  moving.kill('SIGKILL');
  await once(moving, 'close');
  expect(moving.signalCode).toBe('SIGKILL');
}

it.skipIf(!server)(
  'a move that is killed twice leaves nothing out (needs DATABASE_URL)',
  async () => {
    const filled = await program.start({ DATA_DIR });
    undone.push(async () => void (await filled.end('SIGTERM')));
    const subject = await fill(filled.origin);
    const before = await seen(filled.origin, subject);
    await filled.end('SIGTERM');
    const { url, drop } = await newDatabase(server!);
    undone.push(drop);
    const [watcher, holder] = [new Client({ connectionString: url }), new Client({ connectionString: url })];
    for (const client of [watcher, holder]) {
      await client.connect();
      undone.push(() => client.end());
    }
    const moved = async (): Promise<number> => (await watcher.query('select from unfinished_move')).rowCount!;

    // The move makes the tables of an empty database; these are made before, so that something can wait in one of them.
    const { process: migration } = await startCommand({ DATABASE_URL: url }, 'migrate');
    expect(await once(migration, 'close')).toEqual([0, null]);
    await holder.query(HOLD_ROWS);
    await holder.query('select pg_advisory_lock($1)', [HELD_ROW]);
    await killAt(MOMENTS.copying, url, watcher);
    await holder.query('select pg_advisory_unlock($1)', [HELD_ROW]);
    await holder.query(RELEASE_ROWS);
    const [first, { rows }] = [await moved(), await watcher.query('select count(*)::int as count from account')];
    expect([first > 0, rows[0].count]).toEqual([true, 0]);
    await expect(program.start({ DATABASE_URL: url })).rejects.toThrow('Run "npm run admin -- move" again with the same --to');
    // The table is moved, so the next run only compares it.
    await holder.query('begin; lock table sync_job in access exclusive mode');
    await killAt(MOMENTS.comparing, url, watcher);
    await holder.query('rollback');
    expect(await moved()).toBeGreaterThan(first);
    const { process: last, printed } = await startMove(url);
    const [code] = await once(last, 'close');
    expect([code, printed()]).toEqual([0, expect.stringContaining(`{"table":"\\"public\\".\\"account\\"","moved":${RECORDS}}`)]);

    const running = await program.start({ DATABASE_URL: url });
    undone.push(async () => void (await running.end('SIGTERM')));
    const after = await seen(running.origin, subject);
    expect(after.length).toBe(before.length);
    expect(after.filter((response, at) => response !== before[at])).toEqual([]);
    console.log(`${RECORDS} records, ${ATTACHMENTS} attachments, killed twice: ${before.length} responses are the same`);
  },
  120_000 + ROUNDS * 30_000,
);
