// Recurring work that fails: it comes back when its cause has gone, and what runs with it is done all the same. Watches, which look for work.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { auditSealing } from '../../src/administration/audit-chain.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { startWatches, type Watch } from '../../src/queue/watches.ts';
import { schedules } from '../../src/tasks.ts';
import { useGateway } from '../support/gateway.ts';
import { endPauses, WAKE } from '../support/pauses.ts';

const gateway = useGateway();

const sql = <T = Record<string, unknown>>(text: string): Promise<T[]> =>
  systemTransaction(gateway.services.database, (em) => executeIn<T>(em, text, []));

/** Lets the waiting run of a schedule begin, which has failed a thousand times, and takes a table away that it needs; returns its id. */
async function failing(schedule: string, table: string): Promise<string> {
  for (;;) {
    const id = await systemTransaction(gateway.services.database, async (em) => {
      const [job] = await executeIn<{ id: string }>(
        em,
        `update pgboss.job set retry_count = 1000, start_after = now() where name = $1 and state = 'created' returning id`,
        [schedule],
      );
      if (!job) return undefined;
      await executeIn(em, `alter table ${table} rename to away`, []);
      await executeIn(em, `select ${WAKE}`, [schedule]);
      return job.id;
    });
    if (id) return id;
    await setTimeout(20);
  }
}

/** The state of a job, once it is one of those given. */
async function stateOf(id: string, ...wanted: string[]): Promise<string> {
  for (;;) {
    const [job] = await sql<{ state: string }>(`select state::text from pgboss.job where id = '${id}'`);
    if (wanted.includes(job!.state)) return job!.state;
    await setTimeout(20);
  }
}

// The runs of the start are over: they would miss the tables too.
beforeAll(async () => {
  const waiting = `select 1 from pgboss.job where state = 'created' and start_after > now()`;
  while ((await sql(waiting)).length < schedules.length) await setTimeout(20);
});

it('a schedule that has failed for long runs again when the cause has gone', async () => {
  const id = await failing('retention', 'request_part');
  expect(await stateOf(id, 'retry', 'failed')).toBe('retry');
  await sql('alter table away rename to request_part');
  await endPauses(gateway.services, 'retention');
  await stateOf(id, 'completed');
  expect(await sql(`select 1 from pgboss.job where name = 'retention' and state = 'created'`)).toHaveLength(1);
});

it('a chore that fails is repeated, and the others of its schedule are done', async () => {
  const key = await gateway.key(['PLATFORM']);
  const created = await gateway.send('POST', '/api/v1/corporations', {
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() },
    body: { legal_name: 'One', jurisdiction: 'GB' },
  });
  expect(created.status, created.text).toBe(200);
  await sql(`update idempotency_key set expires_at = now() - interval '1 second'`);
  const id = await failing('retention', 'webhook_delivery');
  expect(await stateOf(id, 'retry', 'failed', 'completed')).toBe('retry');
  await sql('alter table away rename to webhook_delivery');
  expect(await sql('select 1 from idempotency_key')).toEqual([]);
});

it('a watch that fails is noted, and does what waits once it can', async () => {
  const { services } = gateway;
  const key = await gateway.key(['PLATFORM']);
  const unsealed = () => sql('select id from audit_entry where position is null');
  await sql('alter table audit_chain rename to away');
  await gateway.send('POST', '/api/v1/corporations', {
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() },
    body: { legal_name: 'Two', jurisdiction: 'GB' },
  });
  expect(await unsealed()).not.toEqual([]);
  const failed = new Promise<[Error, string]>((resolve) => {
    const failures = { note: (error: unknown, task = '') => resolve([error as Error, task]) };
    onTestFinished(startWatches({ ...services, failures }, [{ ...auditSealing, everyMs: 20 }]));
  });
  expect(await failed).toEqual([expect.objectContaining({ message: expect.stringContaining('audit_chain') }), 'audit-sealing']);
  await sql('alter table away rename to audit_chain');
  while ((await unsealed()).length > 0) await setTimeout(20);
});

it('the end of watches waits for the batch under way', async () => {
  const done: string[] = [];
  let begun = (): void => {};
  const begins = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const watch: Watch = {
    name: 'slow',
    everyMs: 20,
    due: () => ({ statement: { name: 'always', text: 'select 1' }, values: [] }),
    async batch() {
      begun();
      await setTimeout(50);
      done.push('batch');
      return true;
    },
  };
  const stop = startWatches(gateway.services, [watch]);
  await begins;
  await stop();
  expect(done).toEqual(['batch']);
});
