// Guarantees across processes on one PostgreSQL; events/processes.test.ts covers the shared queue and each other's streams. The embedded database has one owner.
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { migrationFiles } from '../../src/database/migrations/files.ts';
import { ADMIN_TOKEN, type Gateway, ownDatabase, serverUrl, startGateway } from '../support/gateway.ts';
import { call, issueKey, ownPlace, type ProgramResponse, program, type RunningProgram } from '../support/program.ts';
import { runOnServer } from '../support/server.ts';
import { connectWithKey } from '../support/subscriber.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
/** How long a process may still accept a key that another process has revoked. */
const REVOKED_WITHIN_MS = 5_000;
/** The allowance of a key; the other tests use only a small part of it. */
const LIMITS = { rateLimitPerMinute: 6_000, rateLimitBurst: 1_000 };

/** Two gateways on one database; `there` does no background work. */
async function inTwo(work: (here: Gateway, there: Gateway) => Promise<void>): Promise<void> {
  const own = (await ownDatabase())!;
  const here = await startGateway({ databaseUrl: own.url, ...LIMITS });
  const there = await startGateway({ databaseUrl: own.url, worker: false, ...LIMITS });
  try {
    await work(here, there);
  } finally {
    await Promise.all([here.stop(), there.stop()]);
    await own.drop();
  }
}

const severalProcesses = (): void => {
  it('a key revoked in one process is rejected by the others within five seconds', () =>
    inTwo(async (here, there) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { key, id } = await here.services.keys.issue({ organisationName: 'Revoked', roles: ['PLATFORM'] });
        const ask = async (gateway: Gateway): Promise<number> =>
          (await gateway.send('GET', '/api/v1/corporations', { headers: { authorization: `Bearer ${key}` } })).status;
        expect([await ask(here), await ask(there)]).toEqual([200, 200]);
        await here.graphql(ADMIN_TOKEN, 'mutation ($id: ID!) { revokeAccessKey(input: { id: $id }) { accessKey { id } } }', { id });
        there.clock.advance(REVOKED_WITHIN_MS);
        expect([await ask(here), await ask(there)]).toEqual([401, 401]);
      }
    }));

  it('a key revoked in one process ends its streams in the others', () =>
    inTwo(async (here, there) => {
      const { key, id } = await here.services.keys.issue({ organisationName: 'Streaming', roles: ['PLATFORM'] });
      const other = await here.key(['PLATFORM'], 'Streaming');
      const client = connectWithKey(there.origin, key);
      const received: { errors?: unknown }[] = [];
      const stream = client.iterate({ query: 'subscription { eventStream { topic } }' });
      const over = (async () => {
        for await (const next of stream) received.push(next);
      })().catch((errors: unknown) => received.push({ errors }));
      const emitUntil = async (count: number): Promise<void> => {
        // A subscription does not acknowledge its start, so changes are made until one arrives.
        for (let index = 0; received.length < count; index++) {
          await here.send('POST', '/api/v1/corporations', {
            headers: { authorization: `Bearer ${other}` },
            body: { legal_name: `Streamed ${index}`, jurisdiction: 'GB' },
          });
          await setTimeout(50);
        }
      };
      await emitUntil(1);
      await here.graphql(ADMIN_TOKEN, 'mutation ($id: ID!) { revokeAccessKey(input: { id: $id }) { accessKey { id } } }', { id });
      there.clock.advance(REVOKED_WITHIN_MS);
      const known = received.length;
      await emitUntil(known + 1);
      await over;
      await client.dispose();
      expect(received.slice(0, known).every(({ errors }) => !errors)).toBe(true);
      expect(received.at(-1)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    }));

  it('requests that one process admits reduce the allowance in the others', () =>
    inTwo(async (here, there) => {
      const { key } = await here.services.keys.issue({ organisationName: 'Limited', roles: ['PLATFORM'] });
      const ask = (gateway: Gateway) => gateway.send('GET', '/api/v1/corporations', { headers: { authorization: `Bearer ${key}` } });
      // A stopped clock refills nothing.
      for (const gateway of [here, there]) gateway.clock.stop();
      const first = await ask(here);
      for (let count = 1; count < 20; count++) await ask(here);
      const limit = Number(first.headers.get('x-ratelimit-limit'));
      let missing = 0;
      for (let own = 1; missing < 20; own++) {
        await setTimeout(50);
        missing = limit - own - Number((await ask(there)).headers.get('x-ratelimit-remaining'));
      }
      expect(missing).toBe(20);
    }));

  it('requests with one idempotency key to both processes are executed once', () =>
    inTwo(async (here, there) => {
      const key = await here.key(['PLATFORM']);
      for (let round = 0; round < 10 * ROUNDS; round++) {
        const body = { legal_name: `Once ${round}`, jurisdiction: 'GB' };
        const headers = { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() };
        const responses = await Promise.all(
          [here, there, here, there].map((gateway) => gateway.send('POST', '/api/v1/corporations', { headers, body })),
        );
        const ids = responses.filter(({ status }) => status === 200).map(({ text }) => text);
        expect(new Set(ids).size).toBe(1);
        expect(responses.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).toBe(true);
      }
      const { body } = await there.graphql(key, '{ corporations { totalCount } }');
      expect(body.data.corporations.totalCount).toBe(10 * ROUNDS);
    }));

  it('processes that start at once on an empty database migrate it once, however long a statement takes, and all of them serve', async () => {
    const place = await ownPlace({ isEmpty: true });
    // The migration of the third table (the first is the migrator's own list) takes 7 s, longer than the timeouts of a statement and of its caller.
    await runOnServer(
      place.settings.DATABASE_URL!,
      `create sequence tables_made;
       create function slow_third() returns event_trigger language plpgsql as $$
         begin if nextval('tables_made') = 3 then perform pg_sleep(7); end if; end $$;
       create event trigger slow_third on ddl_command_start when tag in ('CREATE TABLE') execute function slow_third()`,
    );
    const running = await Promise.all([program.start(place.settings), program.start(place.settings), program.start(place.settings)]);
    const key = await issueKey(running[0].origin, ['PLATFORM']);
    for (const { origin } of running) expect((await call(origin, key, 'GET', '/api/v1/corporations')).status).toBe(200);
    const client = new Client({ connectionString: place.settings.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations order by id');
    await client.end();
    await Promise.all(running.map(({ end }) => end('SIGTERM')));
    await place.remove();
    expect(rows.map(({ name }) => name)).toEqual(migrationFiles().map(({ name }) => name));
  });

  it('processes that share a port all get connections, and one that stops leaves them to the others', async () => {
    const place = await ownPlace();
    const settings = { ...place.settings, REUSE_PORT: 'true', LOG_LEVEL: 'info' };
    const first = await program.start(settings);
    const second = await program.start({ ...settings, PORT: new URL(first.origin).port });
    const ask = (name: string): Promise<ProgramResponse> =>
      call(first.origin, 'none', 'GET', `/${name}`, undefined, { connection: 'close' });
    /** The statuses of requests on a connection each. All of them go to one process once in 2^63 times. */
    const statusesOf = async (name: string): Promise<Set<number>> =>
      new Set((await Promise.all(Array.from({ length: 64 }, () => ask(name)))).map(({ status }) => status));
    const logged = ({ lines }: RunningProgram, name: string): number => lines.filter((line) => line.includes(`/${name}`)).length;
    expect(await statusesOf('both')).toEqual(new Set([404]));
    expect(await first.end('SIGTERM')).toBe(0);
    expect(await statusesOf('one')).toEqual(new Set([404]));
    await second.end('SIGTERM');
    await Promise.all([first.ended, second.ended]);
    expect([logged(first, 'one'), logged(second, 'one')]).toEqual([0, 64]);
    expect(logged(first, 'both') + logged(second, 'both')).toBe(64);
    expect(Math.min(logged(first, 'both'), logged(second, 'both'))).toBeGreaterThan(0);
    await place.remove();
  });
};

const oneOwner = (): void => {
  it('a second process on the same directory is rejected by name, and the first keeps serving', {
    timeout: 240_000,
  }, async () => {
    const place = await ownPlace();
    const first = await program.start(place.settings);
    const second = program.launch(place.settings);
    await expect(second.listening).rejects.toThrow('ended with 1');
    const key = await issueKey(first.origin, ['PLATFORM']);
    expect((await call(first.origin, key, 'GET', '/api/v1/corporations')).status).toBe(200);
    await first.end('SIGTERM');
    await place.remove();
  });
};

describe('the log of a process', { timeout: 240_000 }, () => {
  it.each<[string, (output: Readable) => void]>([
    ['no reader any more', (output) => output.destroy()],
    ['someone holds open and does not read', (output) => output.pause()],
  ])('that %s holds up neither requests nor the end', async (_, leave) => {
    const place = await ownPlace();
    const running = await program.start({ ...place.settings, LOG_LEVEL: 'info' });
    leave(running.output);
    // 1 MB of lines: more than a pipe or a socket buffers unread.
    for (let request = 0; request < 150; request++)
      expect((await call(running.origin, 'none', 'GET', `/${'x'.repeat(7_000)}`)).status).toBe(404);
    expect(await running.end('SIGTERM')).toBe(0);
    await place.remove();
  });

  it('a reader that closes just before the end does not keep the process alive', async () => {
    const place = await ownPlace();
    const running = await program.start({ ...place.settings, LOG_LEVEL: 'info' });
    running.output.destroy();
    expect(await running.end('SIGTERM')).toBe(0);
    await place.remove();
  });
});

describe.skipIf(!serverUrl)('several processes (needs DATABASE_URL)', { timeout: 240_000 }, severalProcesses);
describe.skipIf(serverUrl)('the embedded database (needs no DATABASE_URL)', oneOwner);
