// Events are rows of the transaction that made the change: they commit with it, and cost one statement without a listener.
import { expect, test } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { type EventSource, emitEvents, type NewEvent } from '../../src/events/events.ts';
import { useGateway } from '../support/gateway.ts';
import { RUNS, statementsOf } from '../support/statements.ts';

const gateway = useGateway({ worker: false });

async function source(): Promise<EventSource> {
  const key = await gateway.key(['PLATFORM']);
  const principal = (await gateway.services.keys.find(key))!;
  return { services: gateway.services, organisationId: principal.organisationId!, organisation: principal.organisation };
}

const startRecording = (from: EventSource): Promise<unknown> =>
  organisationTransaction(from.services.database, from.organisationId, (em) =>
    executeIn(em, `insert into event_recording (organisation_id, since, until) values ($1, now(), now() + interval '1 day')`, [
      from.organisationId,
    ]),
  );

const stored = (from: EventSource): Promise<{ topic: string; data: unknown; organization_id: string }[]> =>
  organisationTransaction(from.services.database, from.organisationId, (em) =>
    executeIn(em, 'select topic, data, organization_id from event where organisation_id = $1 order by id', [from.organisationId]),
  );

/** Statements that a transaction takes beyond those of one without events. */
const statementsFor = async (from: EventSource, events: readonly NewEvent[]): Promise<number> => {
  const spent = (emitted: readonly NewEvent[]): Promise<number> =>
    statementsOf(from.services.database, () =>
      organisationTransaction(from.services.database, from.organisationId, async (em) => emitEvents(em, from, emitted)),
    );
  return (await spent(events)) - (await spent([]));
};

test('an organisation without listeners pays one statement and stores nothing', async () => {
  const from = await source();
  const created = (id: string): NewEvent => ({ topic: 'PRODUCTS.CREATED', data: { id } });
  expect(await statementsFor(from, [created('prod_1'), created('prod_2')])).toBe(1);
  expect(await stored(from)).toEqual([]);
});

test('events that one transaction emits one by one are stored together', async () => {
  const from = await source();
  const created = (id: string): NewEvent => ({ topic: 'PRODUCTS.CREATED', data: { id } });
  await startRecording(from);
  const together = await statementsFor(from, [created('prod_1'), created('prod_2')]);
  const before = await stored(from);
  const apart = await statementsOf(from.services.database, () =>
    organisationTransaction(from.services.database, from.organisationId, async (em) => {
      emitEvents(em, from, [created('prod_3')]);
      emitEvents(em, from, [created('prod_4')]);
    }),
  );
  const empty = await statementsOf(from.services.database, () =>
    organisationTransaction(from.services.database, from.organisationId, async () => {}),
  );
  expect(apart - empty).toBe(together);
  expect((await stored(from)).length).toBe(before.length + 2 * RUNS);
});

test('a transaction that fails stores no events', async () => {
  const from = await source();
  await startRecording(from);
  const failing = organisationTransaction(from.services.database, from.organisationId, async (em) => {
    emitEvents(em, from, [{ topic: 'PRODUCTS.CREATED', data: { id: 'prod_1' } }]);
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(await stored(from)).toEqual([]);
});

test('the number of statements does not depend on the number of events', async () => {
  const from = await source();
  await startRecording(from);
  const changes = (count: number): NewEvent[] =>
    Array.from({ length: count }, (_, index) => ({
      topic: 'DATA_MODEL_CHANGES',
      data: { index },
      companyId: 1,
      integrationType: 'XERO',
      dataModel: 'ACCOUNT',
      operation: 'CREATE',
    }));
  expect(await statementsFor(from, changes(200))).toBe(await statementsFor(from, changes(1)));
  expect(await stored(from)).toHaveLength(201 * RUNS);
});

test('an event names its organisation also when the emitter does not know the public id', async () => {
  const from = await source();
  await startRecording(from);
  await organisationTransaction(from.services.database, from.organisationId, async (em) =>
    emitEvents(em, { ...from, organisation: null }, [{ topic: 'CORPORATIONS.DELETED', data: { id: 'corp_1' } }]),
  );
  expect(await stored(from)).toEqual([{ topic: 'CORPORATIONS_DELETED', data: { id: 'corp_1' }, organization_id: from.organisation }]);
});
