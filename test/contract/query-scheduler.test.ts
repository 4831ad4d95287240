// The query scheduler: reads of many requests share a connection and a message; each gets its own rows, fails alone and waits for no other.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unavailable } from '../../src/database/errors.ts';
import { clientOf } from '../../src/database/open-reads.ts';
import { PipelinedQuery, type Read } from '../../src/database/wire/pipelined-query.ts';
import { QueryScheduler, type SubmittingPool } from '../../src/database/wire/query-scheduler.ts';
import { countingStatements } from '../../src/runtime/statement-count.ts';
import { Turns } from '../../src/runtime/turns.ts';
import { serverUrl, useGateway } from '../support/gateway.ts';

const gateway = useGateway();

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

interface Statement {
  name: string;
  text: string;
  isReplanned?: boolean;
}

const read = async (statement: Statement, value: string): Promise<string | null> => {
  const [row] = await gateway.services.database.read(statement, [value]);
  return row![0]!;
};

/** Runs statements until they count as short; the value must let them be short. */
async function warmUp(value: string, ...statements: Statement[]): Promise<void> {
  for (const statement of statements) for (let run = 0; run < 30; run++) await read(statement, value);
}

const numbers = Array.from({ length: 300 }, (_, index) => index);

describe('reads at once', () => {
  it('300 of them get their own rows each, also where one name is used for two texts', async () => {
    const echo = { name: 'echo', text: 'select $1::text' };
    const [before, after] = [
      { name: 'reused', text: `select 'before ' || $1` },
      { name: 'reused', text: `select 'after ' || $1` },
    ];
    await warmUp('1', echo, before, after);
    const each = [
      { statement: echo, word: '' },
      { statement: after, word: 'after ' },
      { statement: before, word: 'before ' },
    ];
    const found = await Promise.all(numbers.map((number) => read(each[number % 3]!.statement, `${number}`)));
    expect(found).toEqual(numbers.map((number) => `${each[number % 3]!.word}${number}`));
  });

  it('one that fails does not affect the others', async () => {
    const divide = { name: 'divide', text: 'select 300 / $1::int' };
    await warmUp('1', divide);
    const found = await Promise.allSettled(numbers.map((number) => read(divide, `${number % 10}`)));
    const wrong = found.filter(({ status }, number) => status !== (number % 10 === 0 ? 'rejected' : 'fulfilled'));
    expect(wrong).toEqual([]);
    expect(found[0]).toMatchObject({ reason: { code: '22012' } });
    expect(found[5]).toMatchObject({ value: '60' });
  });
});

describe.skipIf(!serverUrl)('the query scheduler of PostgreSQL (needs DATABASE_URL)', () => {
  const NEVER = 2 ** 31 - 1;
  let pool: Pool;
  beforeAll(() => {
    pool = new Pool({ connectionString: serverUrl!, max: 5, Client: clientOf('wire') });
    pool.on('error', () => {});
  });
  afterAll(() => pool.end());

  /** Reads over a scheduler that takes every run as short, however busy the machine is, unless it is given another time. */
  function askWith(
    hedgeDelayMs: number,
    shortMs = Number.POSITIVE_INFINITY,
  ): (statement: Statement, value: string) => Promise<string | null> {
    const scheduler = new QueryScheduler(pool, { times: { shortMs, hedgeDelayMs } });
    return async (statement, value) => (await scheduler.query(statement, [value])).text(0, 0);
  }

  /** The connections that 30 reads take. */
  async function taken(ask: ReturnType<typeof askWith>, statement: Statement): Promise<number> {
    let count = 0;
    const note = (): unknown => count++;
    pool.on('acquire', note);
    await Promise.all(numbers.slice(0, 30).map((number) => ask(statement, `${number}`)));
    pool.off('acquire', note);
    return count;
  }

  it('an ended query keeps none of its reads, which lead to all rows of their requests', async () => {
    // With a limit of time the driver keeps a query among the old objects, dead or not.
    const limited = new Pool({ connectionString: serverUrl!, max: 1, Client: clientOf('wire'), query_timeout: 60_000 });
    let kept: WeakRef<Read> | undefined;
    const query = await new Promise<PipelinedQuery>((resolve, reject) => {
      const reads: Read[] = [{ statement: { name: 'plain', text: 'select $1::text' }, values: ['1'], succeeded: () => {}, failed: reject }];
      kept = new WeakRef(reads[0]!);
      const sent = new PipelinedQuery(() => reads.splice(0));
      const submitting: SubmittingPool = limited;
      submitting.query(sent, (error) => (error ? reject(error) : resolve(sent)));
    });
    await limited.end();
    collectGarbage();
    expect(query.open).toEqual([]);
    expect(kept!.deref()).toBeUndefined();
  });

  it('30 take two connections when their statement has been short, and otherwise one each', async () => {
    const ask = askWith(NEVER);
    const statement = { name: 'plain', text: 'select $1::text' };
    expect([await taken(ask, statement), await taken(ask, statement)]).toEqual([30, 2]);
  });

  it('one of an owner is not sent behind forty of another that came first', async () => {
    const single = new Pool({ connectionString: serverUrl!, max: 1, Client: clientOf('wire') });
    const scheduler = new QueryScheduler(single, { times: { shortMs: Number.POSITIVE_INFINITY, hedgeDelayMs: NEVER } });
    const statement = { name: 'plain', text: 'select $1::text' };
    const ask = (name: string): Promise<unknown> =>
      countingStatements({ sent: 0, owner: { name } }, () => scheduler.query(statement, [name]));
    for (let run = 0; run < 30; run++) await ask('many');
    const order: string[] = [];
    const asked = [...numbers.slice(0, 40).map(() => 'many'), 'one'].map((name) => ask(name).then(() => order.push(name)));
    await Promise.all(asked);
    await single.end();
    expect([order.indexOf('one'), order.length]).toEqual([1, 41]);
  });

  it('of an owner five run alone on ten connections, and two while another owner reads', async () => {
    const turns = new Turns(10);
    const scheduler = new QueryScheduler(pool, { times: { shortMs: -1, hedgeDelayMs: NEVER }, turns });
    const statement = { name: 'plain', text: 'select $1::text' };
    const ask = (name: string): Promise<unknown> =>
      countingStatements({ sent: 0, owner: { name } }, () => scheduler.query(statement, [name]));
    const ten = (): Promise<unknown>[] => numbers.slice(0, 10).map(() => ask('many'));
    const alone = ten();
    expect(turns.waiting).toBe(5);
    await Promise.all(alone);
    const shared = [ask('one'), ...ten()];
    expect(turns.waiting).toBe(8);
    await Promise.all(shared);
    expect(turns.waiting).toBe(0);
  });

  it('one long run among many short ones leaves them together, several do not', async () => {
    const ask = askWith(NEVER, 1_000);
    const statement = { name: 'sleep', text: `select case when $1 = 'long' then pg_sleep(1.1)::text else $1 end` };
    const long = (): Promise<unknown> => ask(statement, 'long');
    await taken(ask, statement);
    await taken(ask, statement);
    await long();
    expect(await taken(ask, statement)).toBe(2);
    for (let run = 0; run < 3; run++) await long();
    expect(await taken(ask, statement)).toBe(30);
  });

  it('those that are planned again keep the setting to themselves, also behind one that failed', async () => {
    const ask = askWith(NEVER);
    const mode = `current_setting('plan_cache_mode')`;
    const planned = { name: 'planned', text: `select ${mode} || ' ' || 300 / $1::int`, isReplanned: true };
    const plain = { name: 'unplanned', text: `select ${mode} || ' ' || $1` };
    const found: PromiseSettledResult<string | null>[] = [];
    // The first runs are sent alone, the later ones together.
    for (let round = 0; round < 5; round++)
      found.push(...(await Promise.allSettled(numbers.slice(0, 60).map((number) => ask(number % 2 ? plain : planned, `${number % 6}`)))));
    const shown = new Set(found.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as { code?: string }).code)));
    expect([...shown].sort()).toEqual(['22012', 'auto 1', 'auto 3', 'auto 5', 'force_custom_plan 150', 'force_custom_plan 75']);
  });

  it('none waits for one that takes long', async () => {
    const ask = askWith(20);
    const statement = { name: 'gate', text: `select case when $1 = 'long' then pg_advisory_xact_lock_shared(20261)::text else $1 end` };
    for (const number of numbers.slice(0, 30)) await ask(statement, `${number}`);
    const gate = new Client({ connectionString: serverUrl! });
    await gate.connect();
    await gate.query('select pg_advisory_lock(20261)');
    const long = ask(statement, 'long');
    // Sent behind a read that waits for a lock; the lock is held until these have responded.
    const short = await Promise.all(numbers.slice(0, 5).map((number) => ask(statement, `${number}`)));
    await gate.end();
    expect([short, await long]).toEqual([['0', '1', '2', '3', '4'], '']);
  });

  it('a lost connection fails its own reads as an unavailable database, and no later one', async () => {
    const ask = askWith(NEVER);
    const statement = { name: 'end', text: `select case when $1 = 'now' then pg_terminate_backend(pg_backend_pid()) end::text` };
    for (let run = 0; run < 30; run++) await ask(statement, 'later');
    const found = await Promise.allSettled(['later', 'now', 'later', 'later'].map((when) => ask(statement, when)));
    expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    for (const { reason } of found.slice(1) as PromiseRejectedResult[])
      expect(unavailable(reason)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await ask(statement, 'later')).toBeNull();
  });
});
