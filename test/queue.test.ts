// The guarantees of the queue on transactions, retries and sharing. Runs on the embedded database, and on PostgreSQL when DATABASE_URL is set.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobContext, JobPayload, Queue, Task } from '../src/queue/queue.ts';
import {
  anotherQueueDatabase,
  dropQueueDatabase,
  effectsOf,
  effectTask,
  enqueueRecords,
  openQueueDatabase,
  type QueueDatabase,
  serverUrl,
  startQueue,
  until,
} from './support/queue-database.ts';

let connection: QueueDatabase;
let database: QueueDatabase;
let queues: Queue[] = [];

const start = async (tasks: readonly Task[], options: Parameters<typeof startQueue>[2] = {}): Promise<Queue> => {
  const queue = await startQueue(database, tasks, options);
  queues.push(queue);
  return queue;
};
const add = (queue: Queue, payload: { record: number }, options = {}): Promise<string | null> =>
  database.orm.em.fork().transactional((em) => queue.enqueue(em.getTransactionContext(), 'effect', payload, options));
const addTo = (queue: Queue, payload: { record: number; organisationId?: number }): Promise<string | null> =>
  database.orm.em.fork().transactional((em) => queue.enqueue(em.getTransactionContext(), 'effect', payload));
const idle = (queue: Queue): Promise<void> =>
  until(async () => Object.values(await queue.depth()).every(({ ready, deferred, active }) => ready + deferred + active === 0));
const records = async (): Promise<number[]> => (await effectsOf(database)).map(({ record }) => record);

beforeAll(async () => {
  connection = await openQueueDatabase();
});
afterAll(async () => {
  await dropQueueDatabase(connection);
  await connection.orm.close();
});
beforeEach(async () => {
  database = await anotherQueueDatabase(connection);
});
afterEach(async () => {
  await Promise.all(queues.map((queue) => queue.stop(1_000)));
  queues = [];
  await dropQueueDatabase(database);
});

describe('enqueue', () => {
  test('a job exists when its transaction commits and never when it rolls back', async () => {
    const queue = await start([effectTask(database, 'a')]);
    const failed = database.orm.em.fork().transactional(async (em) => {
      await queue.enqueue(em.getTransactionContext(), 'effect', { record: 1 });
      throw new Error('the change failed');
    });
    await expect(failed).rejects.toThrow('the change failed');
    await add(queue, { record: 2 });
    await idle(queue);
    expect(await records()).toEqual([2]);
  });

  test('without an open transaction nothing is enqueued', async () => {
    const queue = await start([effectTask(database, 'a')]);
    const em = database.orm.em.fork();
    await expect(queue.enqueue(em.getTransactionContext(), 'effect', { record: 1 })).rejects.toThrow('needs the open transaction');
    await expect(queue.enqueue(em.getKysely(), 'effect', { record: 1 })).rejects.toThrow('needs the open transaction');
    expect((await queue.depth()).effect).toEqual({ ready: 0, deferred: 0, active: 0, failed: 0, oldestSeconds: 0 });
  });

  test('an unknown task and a misplaced singleton key are rejected', async () => {
    const queue = await start([effectTask(database, 'a')]);
    await database.orm.em.fork().transactional(async (em) => {
      const transaction = em.getTransactionContext();
      await expect(queue.enqueue(transaction, 'nothing', {})).rejects.toThrow('unknown task "nothing"');
      await expect(queue.enqueue(transaction, 'effect', {}, { singletonKey: 'x' })).rejects.toThrow('does not take a singletonKey');
    });
  });

  test('a job waits until its time', async () => {
    const queue = await start([effectTask(database, 'a')]);
    await add(queue, { record: 1 }, { runAfter: new Date(Date.now() + 3_600_000) });
    await add(queue, { record: 2 });
    await until(async () => (await records()).length > 0);
    expect(await records()).toEqual([2]);
    expect((await queue.depth()).effect).toMatchObject({ ready: 0, deferred: 1 });
  });

  test('a job waits for the time until then, also where the clocks of process and database differ', async () => {
    const clock = { now: () => new Date(Date.now() + 3_600_000) };
    const queue = await start([effectTask(database, 'a')], { clock });
    await add(queue, { record: 1 }, { runAfter: new Date(clock.now().getTime() + 100) });
    await idle(queue);
    expect(await records()).toEqual([1]);
  });

  test('one job waits per singleton key', async () => {
    const queue = await start([effectTask(database, 'a', { singleton: true })], { work: false });
    expect(await add(queue, { record: 1 }, { singletonKey: 'one' })).toEqual(expect.any(String));
    expect(await add(queue, { record: 1 }, { singletonKey: 'one' })).toBeNull();
    expect(await add(queue, { record: 2 }, { singletonKey: 'two' })).toEqual(expect.any(String));
    expect((await queue.depth()).effect!.ready).toBe(2);
  });
});

describe('start of work', () => {
  test('jobs start one after the other without waiting for the next poll', async () => {
    // A worker that waited for its poll would exceed the time limit of this test.
    const queue = await start([effectTask(database, 'a', { concurrency: 1 })], { pollSeconds: 600 });
    await enqueueRecords(database, queue, [1, 2, 3, 4, 5]);
    await idle(queue);
    await add(queue, { record: 6 });
    await idle(queue);
    expect(await records()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('a job that waits for its time, or for another attempt, is looked for when that has come', async () => {
    const task = effectTask(database, 'a', { retry: { limit: 1, delaySeconds: 1 } });
    const retried: Task = {
      ...task,
      async handler(payload, job) {
        if (payload.record === 2 && job.attempt === 0) throw new Error('not now');
        await task.handler(payload, job);
      },
    };
    const queue = await start([retried], { pollSeconds: 600 });
    await add(queue, { record: 1 }, { runAfter: new Date(Date.now() + 500) });
    await until(async () => (await records()).length === 1);
    await add(queue, { record: 2 });
    await until(async () => (await records()).length === 2);
    expect(await records()).toEqual([1, 2]);
  });

  // On a server another process may still work on them; only a missing heartbeat shows that it does not.
  if (!serverUrl) {
    test('the sole owner of a database resumes the jobs its predecessor was working on', async () => {
      const queue = await start([effectTask(database, 'a')], { work: false });
      await add(queue, { record: 1 });
      await database.orm.em.execute(
        `update ${database.schema}.job set state = 'active', started_on = now(), heartbeat_on = now() + interval '1 hour'`,
      );
      await start([effectTask(database, 'b')]);
      await idle(queue);
      expect(await effectsOf(database)).toEqual([{ record: 1, worker: 'b' }]);
    });
  }
});

describe('effect and completion', () => {
  test('a failure after completeIn undoes both, and the retry does the work once', async () => {
    const attempts: number[] = [];
    const task = effectTask(database, 'a', {
      async handler({ record }, job) {
        attempts.push(job.attempt);
        await database.orm.em.fork().transactional(async (em) => {
          await em.execute(`insert into ${database.effects} values (?, 'a')`, [record]);
          await job.completeIn(em.getTransactionContext());
          if (job.attempt === 0) throw new Error('the process lost its nerve');
        });
      },
    });
    const queue = await start([task]);
    await add(queue, { record: 1 });
    await idle(queue);
    expect(attempts).toEqual([0, 1]);
    expect(await records()).toEqual([1]);
  });

  test('a failure after the commit does not repeat the work', async () => {
    const task = effectTask(database, 'a');
    const queue = await start([
      {
        ...task,
        async handler(payload, job) {
          await task.handler(payload, job);
          throw new Error('too late to matter');
        },
      },
    ]);
    await enqueueRecords(database, queue, [1, 2, 3]);
    await idle(queue);
    expect(await records()).toEqual([1, 2, 3]);
    expect((await queue.depth()).effect!.failed).toBe(0);
  });

  test('a handler that lost its claim cannot commit', async () => {
    const refusals: string[] = [];
    const task = effectTask(database, 'a');
    const queue = await start(
      [
        {
          ...task,
          async handler(payload, job) {
            // A supervisor in another process does the same to a job without heartbeat.
            if (job.attempt === 0)
              await database.orm.em.fork().execute(`update ${database.schema}.job set state = 'retry' where state = 'active'`);
            await task.handler(payload, job);
          },
        },
      ],
      { onError: (error) => refusals.push(error.message) },
    );
    await add(queue, { record: 1 });
    await idle(queue);
    expect(await records()).toEqual([1]);
    expect(refusals).toEqual([expect.stringContaining('no longer held by this process')]);
  });

  test('transactions of a role with fewer rights can enqueue and complete', async () => {
    const role = `${database.schema}_role`;
    await database.orm.em.execute(`create role ${role}`);
    await database.orm.em.execute(`grant insert on ${database.effects} to ${role}`);
    const task = effectTask(database, 'a', {
      async handler({ record }, job) {
        await database.orm.em.fork().transactional(async (em) => {
          await em.execute(`set local role ${role}`);
          await em.execute(`insert into ${database.effects} values (?, 'a')`, [record]);
          await job.completeIn(em.getTransactionContext());
        });
      },
    });
    const queue = await start([task], { grantTo: role });
    await database.orm.em.fork().transactional(async (em) => {
      await em.execute(`set local role ${role}`);
      await queue.enqueue(em.getTransactionContext(), 'effect', { record: 1 });
    });
    await idle(queue);
    expect(await records()).toEqual([1]);
    await database.orm.em.execute(`drop owned by ${role}`);
    await database.orm.em.execute(`drop role ${role}`);
  });
});

describe('retries', () => {
  test('a failed job waits for its delay', async () => {
    let ran = 0;
    const task = effectTask(database, 'a', {
      retry: { limit: 3, delaySeconds: 600, backoff: true, maxDelaySeconds: 3600 },
      async handler() {
        ran++;
        throw new Error('not now');
      },
    });
    const queue = await start([task]);
    await add(queue, { record: 1 });
    await until(async () => (await queue.depth()).effect!.deferred === 1);
    expect(ran).toBe(1);
    expect((await queue.depth()).effect).toEqual({ ready: 0, deferred: 1, active: 0, failed: 0, oldestSeconds: 0 });
  });

  test('the delay grows with every failure', async () => {
    const task = effectTask(database, 'a', {
      retry: { limit: 5, delaySeconds: 600, backoff: true },
      async handler() {
        throw new Error('not now');
      },
    });
    const queue = await start([task]);
    await add(queue, { record: 1 });
    const delayAfter = async (failures: number): Promise<number> => {
      const sql = `select extract(epoch from start_after - now())::float as delay from ${database.schema}.job
        where name = 'effect' and state = 'retry' and retry_count = ${failures - 1}`;
      let rows: { delay: number }[] = [];
      await until(async () => {
        rows = await database.orm.em.fork().execute(sql);
        return rows.length === 1;
      });
      await database.orm.em.fork().execute(`update ${database.schema}.job set start_after = now() where name = 'effect'`);
      return rows[0]!.delay;
    };
    const first = await delayAfter(1);
    await delayAfter(2);
    const third = await delayAfter(3);
    // pg-boss draws each delay from the upper half of a range that doubles, so two doublings always exceed the jitter.
    expect(third).toBeGreaterThan(first);
  });

  test('a job out of retries is reported to its deadLetter task', async () => {
    const reported: unknown[] = [];
    const queue = await start([
      effectTask(database, 'a', {
        retry: { limit: 1, delaySeconds: 0 },
        deadLetter: 'effect.deadLetter',
        async handler() {
          throw new Error('never');
        },
      }),
      {
        name: 'effect.deadLetter',
        retry: { limit: 20, delaySeconds: 1 },
        async handler(payload) {
          reported.push(payload);
        },
      },
    ]);
    await add(queue, { record: 7 });
    await until(async () => reported.length > 0);
    expect(reported).toEqual([{ record: 7 }]);
    expect((await queue.depth()).effect!.failed).toBe(1);
  });
});

describe('sharing', () => {
  test('two workers share the jobs and none is done twice', async () => {
    const seen = new Set<string>();
    const shared = (name: string): Task => {
      const task = effectTask(database, name);
      return {
        ...task,
        async handler(payload, job) {
          seen.add(name);
          await until(async () => seen.size === 2);
          await task.handler(payload, job);
        },
      };
    };
    const first = await start([shared('a')]);
    await start([shared('b')]);
    const wanted = Array.from({ length: 200 }, (_, record) => record);
    await enqueueRecords(database, first, wanted);
    await idle(first);
    expect(await records()).toEqual(wanted);
    expect(new Set((await effectsOf(database)).map(({ worker }) => worker))).toEqual(new Set(['a', 'b']));
  });

  // The embedded database has one owner, so there is no second process to start.
  if (serverUrl) {
    test('processes that start at once on an empty database do not hinder each other', async () => {
      const started = await Promise.all(['a', 'b', 'c'].map((name) => start([effectTask(database, name)])));
      await enqueueRecords(database, started[0]!, [1, 2, 3]);
      await idle(started[1]!);
      expect(await records()).toEqual([1, 2, 3]);
    });
  }

  test('two organisations never have all workers, and the jobs of one start in their order', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const task = effectTask(database, 'a');
    const queue = await start([
      {
        ...effectTask(database, 'a', { concurrency: 5 }),
        ungrouped: undefined,
        async handler(payload: JobPayload, job: JobContext) {
          if (payload.organisationId !== 3) {
            if (payload.organisationId === 1) begun.push(Number(payload.record));
            most = Math.max(most, ++running);
            await held;
            running--;
          }
          await task.handler(payload, job);
        },
      } as unknown as Task,
    ]);
    for (const record of [1, 2, 3, 4, 5]) {
      await addTo(queue, { record, organisationId: 1 });
      // A job that begins before the next is added shows the order; the third waits for a worker.
      if (record <= 2) await until(async () => begun.length === record);
    }
    for (const record of [10, 11, 12]) await addTo(queue, { record, organisationId: 2 });
    await until(async () => running === 4);
    for (const record of [7, 8, 9]) await addTo(queue, { record, organisationId: 3 });
    await until(async () => (await records()).length === 3);
    expect(await records()).toEqual([7, 8, 9]);
    expect(begun).toEqual([1, 2]);
    release();
    await idle(queue);
    expect(most).toBe(4);
    expect(await records()).toEqual([1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]);
  });

  test('work for an organisation names it, unless its task says why it has no group', async () => {
    const queue = await start([{ ...effectTask(database, 'a'), ungrouped: undefined } as unknown as Task], { work: false });
    await expect(addTo(queue, { record: 1 })).rejects.toThrow('task "effect" needs an organisationId in its payload');
  });

  test('a login without superuser rights can create and use the queue', async () => {
    const role = `${database.schema}_login`;
    const name = (await database.orm.em.execute<{ name: string }[]>('select current_database() as name'))[0]!.name;
    await database.orm.em.execute(`create role ${role} login`);
    await database.orm.em.execute(`grant create on database ${name} to ${role}`);
    if (serverUrl) {
      const login = new URL(serverUrl);
      login.username = role;
      database.backend = { kind: 'postgres', connection: { connectionString: login.href } };
    } else await database.orm.em.execute(`set role ${role}`);
    const done: unknown[] = [];
    const queue = await start([
      effectTask(database, 'a', {
        async handler(payload) {
          done.push(payload);
        },
      }),
    ]);
    await add(queue, { record: 1 });
    await until(async () => done.length > 0);
    await queue.stop(1_000);
    if (!serverUrl) await database.orm.em.execute('reset role');
    await database.orm.em.execute(`drop owned by ${role} cascade`);
    await database.orm.em.execute(`drop role ${role}`);
    expect(done).toEqual([{ record: 1 }]);
  });
});

describe('stop', () => {
  test('work that outlasts the grace period is aborted and returned to the queue, and cannot commit any more', async () => {
    let job: JobContext | undefined;
    const queue = await start([
      effectTask(database, 'a', {
        handler(_payload, context) {
          job = context;
          return new Promise(() => {});
        },
      }),
    ]);
    await add(queue, { record: 1 });
    await until(async () => job !== undefined);
    await queue.stop(50);
    expect(job!.signal.aborted).toBe(true);
    const next = await start([effectTask(database, 'b')]);
    await idle(next);
    expect(await effectsOf(database)).toEqual([{ record: 1, worker: 'b' }]);
  });

  test('work that ends within the grace period is completed', async () => {
    let begun = false;
    const task = effectTask(database, 'a');
    const queue = await start([
      {
        ...task,
        async handler(payload, job) {
          begun = true;
          await new Promise((resolve) => setTimeout(resolve, 200));
          await task.handler(payload, job);
        },
      },
    ]);
    await add(queue, { record: 1 });
    await until(async () => begun);
    await queue.stop(20_000);
    expect(await effectsOf(database)).toEqual([{ record: 1, worker: 'a' }]);
  });

  test('a schema name that is no plain identifier is rejected', async () => {
    await expect(startQueue(database, [], { schema: 'a"; drop' })).rejects.toThrow('must be lower-case');
  });
});
