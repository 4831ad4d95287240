// Reads of many requests share a connection and a message: each gets its own rows, fails for itself and waits for no other.
import { describe, expect, it } from 'vitest';
import { unavailable } from '../../src/core/database-faults.ts';
import { useGateway } from '../support/gateway.ts';
import { serverUrl } from '../support/queue-database.ts';

const gateway = useGateway();

interface Statement {
  name: string;
  text: string;
}

const read = async (statement: Statement, value: string): Promise<string | null> => {
  const [row] = await gateway.services.database.read(statement, [value]);
  return row![0]!;
};

/** Runs statements until they have proved to be short; the value must let them be. */
async function prove(value: string, ...statements: Statement[]): Promise<void> {
  for (const statement of statements) for (let run = 0; run < 30; run++) await read(statement, value);
}

const numbers = Array.from({ length: 300 }, (_, index) => index);

describe('reads at once', () => {
  it('chosen: 300 of them get each their own rows, also where a name comes to mean another text', async () => {
    const echo = { name: 'echo', text: 'select $1::text' };
    const [before, after] = [
      { name: 'reused', text: `select 'before ' || $1` },
      { name: 'reused', text: `select 'after ' || $1` },
    ];
    await prove('1', echo, before, after);
    const each = [
      { statement: echo, word: '' },
      { statement: after, word: 'after ' },
      { statement: before, word: 'before ' },
    ];
    const found = await Promise.all(numbers.map((number) => read(each[number % 3]!.statement, `${number}`)));
    expect(found).toEqual(numbers.map((number) => `${each[number % 3]!.word}${number}`));
  });

  it('chosen: one that fails fails alone', async () => {
    const divide = { name: 'divide', text: 'select 300 / $1::int' };
    await prove('1', divide);
    const found = await Promise.allSettled(numbers.map((number) => read(divide, `${number % 10}`)));
    const wrong = found.filter(({ status }, number) => status !== (number % 10 === 0 ? 'rejected' : 'fulfilled'));
    expect(wrong).toEqual([]);
    expect(found[0]).toMatchObject({ reason: { code: '22012' } });
    expect(found[5]).toMatchObject({ value: '60' });
  });
});

const whose = { name: 'whose', text: `select pg_backend_pid()::text || left($1, 0)` };

describe.each(serverUrl ? ['PostgreSQL'] : [])('reads at once on %s', () => {
  it('chosen: 30 that have proved short take two connections, 30 that have not take more', async () => {
    const connections = async (statement: Statement): Promise<number> =>
      new Set(await Promise.all(numbers.slice(0, 30).map((number) => read(statement, `${number}`)))).size;
    expect(await connections({ ...whose, name: 'unproved' })).toBeGreaterThan(2);
    await prove('1', whose);
    expect(await connections(whose)).toBe(2);
  });

  it('chosen: none waits for one that turns out long', async () => {
    const sleep = { name: 'sleep', text: `select pg_sleep($1::float8)::text || 'slept'` };
    await prove('0', sleep);
    await prove('1', whose);
    const order: string[] = [];
    const note = (what: string) => () => void order.push(what);
    await Promise.all([
      read(sleep, '1').then(note('long')),
      ...numbers.slice(0, 5).map((number) => read(whose, `${number}`).then(note('short'))),
    ]);
    expect(order).toEqual([...Array(5).fill('short'), 'long']);
  });

  it('chosen: a connection that is lost fails those on it, as a database that is not available, and no later one', async () => {
    const end = { name: 'end', text: `select case when $1 = 'now' then pg_terminate_backend(pg_backend_pid()) end::text` };
    await prove('later', end);
    const found = await Promise.allSettled(['later', 'now', 'later', 'later'].map((when) => read(end, when)));
    expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    for (const { reason } of found.slice(1) as PromiseRejectedResult[])
      expect(unavailable(reason)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await prove('later', end);
  });
});
