// One owner of the embedded directory: of ten gateways that start at once one serves, in containers too, and everything it acknowledged is stored afterwards.
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { serverUrl } from '../support/gateway.ts';
import { templateDirectory } from '../support/made.ts';
import { call, issueKey, type LaunchedProgram, program } from '../support/program.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const STARTS = 10;

/** The command for a process with a PID namespace of its own, as in a container; empty where this machine may not create one. */
const container: string[] = (() => {
  const words = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
  try {
    execFileSync(words[0]!, [...words.slice(1), 'true'], { stdio: 'ignore' });
    return words;
  } catch {
    return [];
  }
})();

async function ownDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-owner-'));
  // With DATABASE_URL there is no embedded template; the first start creates the database.
  if (!serverUrl) await cp(await templateDirectory(), directory, { recursive: true });
  return directory;
}

const outcome = (start: LaunchedProgram): Promise<{ start: LaunchedProgram; origin?: string; refusal?: string }> =>
  start.listening.then(
    (origin) => ({ start, origin }),
    (error: Error) => ({ start, refusal: error.message }),
  );

interface Round {
  /** The leftover in the directory. */
  stale: 'nothing' | 'earlier pid file' | 'garbage';
  contained: boolean[];
}

const round: fc.Arbitrary<Round> = fc.record({
  stale: fc.constantFrom<Round['stale'][]>('nothing', 'earlier pid file', 'garbage'),
  contained: fc.array(fc.boolean(), { minLength: STARTS, maxLength: STARTS }),
});

it(
  `of ${STARTS} concurrent starts one owns the directory, also after a kill, with a stale pid file and in containers`,
  async () => {
    const directory = await ownDirectory();
    const settings = { DATA_DIR: directory };
    const seed = Number(process.env.SUITE_SEED ?? Date.now() % 2 ** 31);
    const written: string[] = [];
    let key: string | undefined;
    try {
      for (const [index, { stale, contained }] of fc.sample(round, { numRuns: ROUNDS, seed }).entries()) {
        const where = `seed ${seed}, round ${index}`;
        if (stale === 'earlier pid file') await writeFile(join(directory, 'owner.pid'), '1999999');
        if (stale === 'garbage') await writeFile(join(directory, 'owner.lock'), '{');
        const starts = contained.map((isContained) => program.launch(settings, isContained ? container : []));
        try {
          const ends = await Promise.all(starts.map(outcome));
          const owners = ends.filter(({ origin }) => origin !== undefined);
          expect(owners.length, where).toBe(1);
          for (const { refusal } of ends.filter((end) => end.origin === undefined))
            expect(refusal, where).toMatch(/ended with 1 .*: The gateway cannot start: the data directory \S+ is in use by/s);
          const { origin } = owners[0]!;
          key ??= await issueKey(origin!, ['PLATFORM']);
          const names = Array.from({ length: 10 }, (_, n) => `Round ${index} of ${n}`);
          for (const name of names) {
            const response = await call(origin!, key, 'POST', '/api/v1/corporations', { legal_name: name, jurisdiction: 'GB' });
            expect(response.status, where).toBe(200);
            written.push(name);
          }
          expect(await namesAt(origin!, key), where).toEqual([...written].sort());
        } finally {
          await Promise.all(starts.map((start) => start.end('SIGKILL')));
        }
      }
      const last = await program.start(settings);
      expect(await namesAt(last.origin, key!), `seed ${seed}`).toEqual([...written].sort());
      await last.end('SIGTERM');
      console.log(
        `owner: ${ROUNDS} rounds of ${STARTS} starts${container.length > 0 ? ', in PID namespaces and out of them' : ''}, seed ${seed}, ${written.length} writes stored`,
      );
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
  300_000 + ROUNDS * 60_000,
);

async function namesAt(origin: string, key: string): Promise<string[]> {
  const names: string[] = [];
  let cursor = '';
  do {
    const { body } = await call(origin, key, 'GET', `/api/v1/corporations?limit=100${cursor && `&cursor=${cursor}`}`);
    names.push(...body.data.corporations.map(({ legal_name }: { legal_name: string }) => legal_name));
    cursor = body.data.cursor ?? '';
  } while (cursor);
  return names.sort();
}

it('in containers on one volume, where both are process 1, the second is rejected by name and the first loses nothing', async () => {
  const directory = await ownDirectory();
  const settings = { DATA_DIR: directory };
  const first = await program.start(settings, container);
  try {
    await expect(program.start(settings, container)).rejects.toThrow(
      container.length > 0 ? /is in use by process 1 on \S+; stop it first/ : /is in use by process \d+ on \S+; stop it first/,
    );
    const key = await issueKey(first.origin, ['PLATFORM']);
    const made = await call(first.origin, key, 'POST', '/api/v1/corporations', { legal_name: 'Kept', jurisdiction: 'GB' });
    expect(made.status).toBe(200);
    await first.end('SIGKILL');
    const second = await program.start(settings, container);
    expect(await namesAt(second.origin, key)).toEqual(['Kept']);
    await second.end('SIGKILL');
  } finally {
    await first.end('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  }
}, 300_000);
