// The promise that a product import survives kill -9 at any moment: every valid row is there once. IMPORT_KILLS sets how often the program is killed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { packagePath } from '../../src/core/package-root.ts';
import { serverUrl } from '../support/gateway.ts';
import { onDatabase, runOnServer } from '../support/server.ts';

const KILLS = Number(process.env.IMPORT_KILLS ?? 3);
// Enough groups of rows for the kills: a group is 250 rows on the embedded database and 5,000 on a server.
const ROWS = serverUrl ? 50_000 : 2_000 + 1_000 * KILLS;
const ADMIN_TOKEN = 'admin-token-of-the-crash-test';
/** One row in a hundred is refused for its weight; none of the first twenty, which are checked at once. */
const isBad = (row: number): boolean => row % 100 === 50;
const csv = `sku,name,weight_in_kg\n${Array.from({ length: ROWS }, (_, row) => `sku-${row},Name ${row},${isBad(row) ? 'heavy' : '1.5'}\n`).join('')}`;

interface Program {
  child: ChildProcess;
  origin: string;
}

async function launch(environment: Record<string, string>): Promise<Program> {
  const child = spawn(process.execPath, [packagePath('dist', 'crash', 'src', 'main.js')], {
    env: { PATH: process.env.PATH, PORT: '0', ADMIN_TOKEN, DEMO_DATA: 'false', LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const address = /listening on (\S+:\d+)/.exec(line)?.[1];
    if (!address) continue;
    child.stdout!.resume();
    return { child, origin: `http://${address}` };
  }
  throw new Error('the program ended before it listened');
}

/** What tests look into by path. */
// biome-ignore lint/suspicious/noExplicitAny: answers have the shape the test expects of them.
type Data = any;

async function call(
  { origin }: Program,
  key: string,
  path: string,
  init: { method?: string; body?: string | FormData } = {},
): Promise<Data> {
  const json = typeof init.body === 'string' ? { 'content-type': 'application/json' } : {};
  const answer = await fetch(origin + path, { ...init, headers: { authorization: `Bearer ${key}`, ...json } });
  return ((await answer.json()) as { data: unknown }).data;
}

/** Starts the import; answers the key and the ids. */
async function begin(program: Program): Promise<{ key: string; corporation: string; job: string }> {
  const query = 'mutation { issueAccessKey(input: { organisationName: "Crash", roles: [PLATFORM] }) { key } }';
  const { key } = (await call(program, ADMIN_TOKEN, '/graphql', { method: 'POST', body: JSON.stringify({ query }) })).issueAccessKey;
  const corporation = (
    await call(program, key, '/api/v1/corporations', { method: 'POST', body: '{"legal_name":"Crash Ltd","jurisdiction":"GB"}' })
  ).id;
  const form = new FormData();
  form.set('file', new Blob([csv]), 'products.csv');
  const file = (await call(program, key, '/api/v1/files', { method: 'POST', body: form })).id;
  const body = JSON.stringify({ file_id: file, corporation_id: corporation });
  const { job } = await call(program, key, '/api/v1/products/bulk_upload/csv', { method: 'POST', body });
  return { key, corporation, job: job.id };
}

async function kill({ child }: Program): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

test('chosen: an import that is killed again and again ends with every valid row once', { timeout: 1_200_000 }, async () => {
  execFileSync(
    process.execPath,
    [packagePath('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json', '--outDir', 'dist/crash'],
    { cwd: packagePath() },
  );
  const directory = await mkdtemp(join(tmpdir(), 'import-'));
  const database = `import_crash_${process.pid}`;
  if (serverUrl) await runOnServer(serverUrl, `create database ${database}`);
  const environment: Record<string, string> = serverUrl ? { DATABASE_URL: onDatabase(serverUrl, database) } : { DATA_DIR: directory };
  let program = await launch(environment);
  try {
    const { key, corporation, job } = await begin(program);
    const read = () => call(program, key, `/api/v1/jobs/${job}`);
    let seen = '';
    let kills = 0;
    for (; kills < KILLS; kills++) {
      let now = await read();
      for (; now.updated_at === seen && !now.completed_at; now = await read()) await setTimeout(10);
      if (now.completed_at) break;
      seen = now.updated_at;
      await setTimeout(Math.random() * 100);
      await kill(program);
      program = await launch(environment);
    }
    let end = await read();
    for (; !end.completed_at; end = await read()) await setTimeout(50);
    const bad = Array.from({ length: ROWS }, (_, row) => row).filter(isBad).length;
    expect(kills).toBeGreaterThanOrEqual(Math.min(KILLS, 3));
    expect(end).toMatchObject({
      status: 'COMPLETED_WITH_ERRORS',
      total_rows: ROWS,
      processed_rows: ROWS,
      created_count: ROWS - bad,
      updated_count: 0,
      unchanged_count: 0,
      failed_count: bad,
    });
    const skus: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await call(
        program,
        key,
        `/api/v1/products?corporation_id=${corporation}&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      skus.push(...page.products.map((product: { sku: string }) => product.sku));
      cursor = page.cursor;
      if (cursor === '') break;
    }
    expect(skus.length).toBe(ROWS - bad);
    expect(new Set(skus).size).toBe(ROWS - bad);
  } finally {
    await kill(program);
    if (serverUrl) await runOnServer(serverUrl, `drop database ${database} with (force)`);
    await rm(directory, { recursive: true, force: true });
  }
});
