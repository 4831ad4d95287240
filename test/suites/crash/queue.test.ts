// Killing the process at any moment loses no unit of work and repeats none.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import {
  dropQueueDatabase,
  effectsOf,
  effectTask,
  enqueueRecords,
  newSchema,
  openQueueDatabase,
  startQueue,
} from '../../support/queue-database.ts';

const KILLS = Number(process.env.SUITE_ROUNDS ?? 1);
/** Enough for the kills: each comes after 40 to 100 records. */
const RECORDS = 200 + 150 * KILLS;
const worker = fileURLToPath(new URL('../../support/queue-worker.ts', import.meta.url));

const launch = (schema: string, directory: string): ChildProcess =>
  spawn(process.execPath, [worker, schema, directory], { stdio: ['ignore', 'pipe', 'inherit'] });

/** Kills the worker after it has begun `jobs` jobs, each of which it reports with one character. */
async function killAfter(child: ChildProcess, jobs: number): Promise<void> {
  let begun = 0;
  for await (const chunk of child.stdout!) {
    begun += chunk.length;
    if (begun >= jobs) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

test('kill -9 in the middle of the work loses nothing and does nothing twice', { timeout: 120_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'queue-'));
  const schema = newSchema();
  const before = await openQueueDatabase(schema, directory);
  const producer = await startQueue(before, [effectTask(before, 'none')], { work: false });
  await enqueueRecords(
    before,
    producer,
    Array.from({ length: RECORDS }, (_, record) => record),
  );
  await producer.stop(0);
  await before.orm.close();

  for (let kill = 0; kill < KILLS; kill++) {
    await killAfter(launch(schema, directory), 40 + Math.floor(Math.random() * 60));
  }
  const last = launch(schema, directory);
  last.stdout!.resume();
  const [code] = await once(last, 'exit');

  const after = await openQueueDatabase(schema, directory);
  const done = await effectsOf(after);
  await dropQueueDatabase(after);
  await after.orm.close();
  await rm(directory, { recursive: true });
  expect(code).toBe(0);
  expect(done.map(({ record }) => record)).toEqual(Array.from({ length: RECORDS }, (_, record) => record));
  expect(done.some(({ worker: pid }) => Number(pid) !== last.pid)).toBe(true);
});
