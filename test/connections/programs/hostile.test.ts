// Programs that misbehave: what they wrote before is kept, what they write is bounded, and nothing of them stays.
import { existsSync, readFileSync } from 'node:fs';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import { MAX_LINE_BYTES } from '../../../src/integrations/connectors/programs/lines.ts';
import { timedPages } from '../../../src/integrations/connectors/timed-pages.ts';
import { definitionsOf, directory, open, pull, type Session, tap } from './program.ts';

async function hostile(name: string, config: Record<string, unknown> = {}): Promise<Session> {
  const [definition] = await definitionsOf([tap('hostile.py', [name], { config })]);
  return open(definition!);
}

const runOf = async (name: string, config?: Record<string, unknown>) => pull((await hostile(name, config)).connector, 'CONTACT');

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Waits until a condition holds; the time limit of the test ends what never comes. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(20);
}

describe('a program that misbehaves', () => {
  it('a line without an end is an error at the limit, never cut off', async () => {
    const { error, pages } = await runOf('endless_line');
    expect(pages).toEqual([]);
    expect(error).toMatchObject({
      code: 'PLATFORM_ERROR',
      message: `the program of TAP wrote a line of more than ${MAX_LINE_BYTES} bytes`,
    });
  });

  it('a last line without a newline counts', async () => {
    const { error, ids } = await runOf('no_newline');
    expect([error, ids]).toEqual([undefined, ['C-1']]);
  });

  it.each([
    ['garbage', /wrote a line that is not UTF-8/],
    ['text', /wrote a line that is not JSON: Traceback: something went wrong/],
    ['no_message', /wrote a line that is not a message/],
    ['no_stream', /wrote a RECORD message without stream/],
  ])('%s ends the pull after what came before', async (name, message) => {
    const { error, ids } = await runOf(name);
    expect(ids).toEqual(['C-1']);
    expect(error).toMatchObject({ code: 'PLATFORM_ERROR', message: expect.stringMatching(message) });
  });

  it('lines that come byte by byte are lines', async () => {
    const { error, ids, cursor } = await runOf('slow');
    expect([error, ids, cursor]).toEqual([undefined, ['C-1'], { last: 1 }]);
  });

  it('a program that dies in the middle leaves its complete records and the state before it', async () => {
    const { error, ids, cursor } = await runOf('dies');
    expect(ids).toHaveLength(301);
    expect(cursor).toEqual({ last: 300 });
    expect(error).toMatchObject({ code: 'PLATFORM_ERROR' });
  });

  it('a state before its records is where the next run begins, and no later one is made up', async () => {
    expect((await runOf('early_state')).pages).toEqual([
      { records: [expect.objectContaining({ platform_id: 'C-1' }), expect.objectContaining({ platform_id: 'C-2' })], cursor: { last: 2 } },
    ]);
    const { error, ids, cursor } = await runOf('early_state', { failing: 'yes' });
    expect([ids, cursor]).toEqual([['C-1', 'C-2'], { last: 2 }]);
    expect(error).toMatchObject({ code: 'PLATFORM_ERROR', message: 'the program of TAP ended with exit code 4' });
  });

  it('error output without end is read and bounded', async () => {
    const { error, ids } = await runOf('floods');
    expect(ids).toEqual(['C-1']);
    expect(error).toMatchObject({ message: 'the program of TAP ended with exit code 3: CRITICAL no more' });
    const { platformError } = (error as { info: { platformError: { output: string } } }).info;
    expect(platformError.output.length).toBeLessThanOrEqual(8 * 1024);
  });

  it('an authorisation that has ended is CONNECTION_EXPIRED', async () => {
    expect((await runOf('unauthorised')).error).toMatchObject({
      code: 'CONNECTION_EXPIRED',
      message: 'the program of TAP ended with exit code 1: Exception: 401 Client Error: Unauthorized for url',
    });
  });

  it('a cancelled run ends a program that ignores SIGTERM, and what it has started', async () => {
    const pids = join(await directory(), 'pids');
    const { connector, abort } = await hostile('ignores_signals', { pids });
    const pages = connector.pull({ dataModel: 'CONTACT', cursor: null, since: null, isFull: false })[Symbol.asyncIterator]();
    expect((await pages.next()).value.records).toHaveLength(200);
    await until(() => existsSync(pids) && readFileSync(pids, 'utf8').split('\n').length > 2);
    const running = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    expect(running.filter(isRunning)).toHaveLength(2);
    abort();
    await expect(pages.next()).rejects.toThrow('the run is cancelled');
    await until(() => !running.some(isRunning));
  });

  it('a program that is silent is ended when the time of a page is over', async () => {
    const pids = join(await directory(), 'pids');
    const { connector, abort } = await hostile('silent', { pids });
    const pages = connector.pull({ dataModel: 'CONTACT', cursor: null, since: null, isFull: false });
    const first = timedPages(pages, 1_000, abort).next();
    await expect(first).rejects.toMatchObject({ code: 'PLATFORM_TIMEOUT', message: 'the source gave no page of records in 1 seconds' });
    await until(() => !existsSync(pids) || !isRunning(Number(readFileSync(pids, 'utf8'))));
  });

  it('a caller that reads no further ends the program', async () => {
    const folder = await directory();
    const { connector } = await hostile('many', { progress: join(folder, 'progress'), pids: join(folder, 'pids'), count: '100000' });
    for await (const page of connector.pull({ dataModel: 'CONTACT', cursor: null, since: null, isFull: false })) {
      expect(page.records).toHaveLength(200);
      break;
    }
    expect(isRunning(Number(readFileSync(join(folder, 'pids'), 'utf8')))).toBe(false);
  });

  it('a command that cannot be run is an error', async () => {
    const folder = await directory();
    const command = join(folder, 'tap');
    await writeFile(command, '#!/bin/sh\n');
    await chmod(command, 0o755);
    const [definition] = await definitionsOf([tap('tap.py', [], { command })]);
    await rm(command);
    expect((await pull(open(definition!).connector, 'CONTACT')).error).toMatchObject({
      code: 'PLATFORM_ERROR',
      message: expect.stringContaining('the program of TAP cannot be started: spawn'),
    });
  });
});

/** Records that a program may have written and that are not taken: a pipe, a chunk of the reader, and a page. */
const MAX_AHEAD = 200 + (2 * 65_536 + 2 * 65_536) / 150;

/** Pulls all records; returns how far the program was ahead of the stored pages whenever it had to wait, at the most. */
async function farthestAhead(connector: Connector, progress: string): Promise<{ count: number; ahead: number; cursors: unknown[] }> {
  let count = 0;
  let ahead = 0;
  const cursors: unknown[] = [];
  for await (const page of connector.pull({ dataModel: 'CONTACT', cursor: null, since: null, isFull: false })) {
    // The first page is stored slowly: the program is given all the time it needs to run ahead, until it waits.
    if (count === 0) await until(() => existsSync(progress));
    const waits = existsSync(progress) ? readFileSync(progress, 'utf8').trimEnd().split('\n').map(Number) : [];
    ahead = Math.max(ahead, (waits.at(-1) ?? 0) - count);
    count += page.records.length;
    if (page.cursor !== undefined) cursors.push(page.cursor);
  }
  return { count, ahead, cursors };
}

describe('back-pressure', () => {
  it('20,000 records are read no faster than their pages are stored', async () => {
    const progress = join(await directory(), 'progress');
    const { connector } = await hostile('many', { progress, count: '20000' });
    const { count, ahead, cursors } = await farthestAhead(connector, progress);
    expect(count).toBe(20_000);
    expect(ahead).toBeGreaterThan(200);
    expect(ahead).toBeLessThan(MAX_AHEAD);
    expect(cursors.at(-1)).toEqual({ last: 20_000 });
  }, 120_000);
});
