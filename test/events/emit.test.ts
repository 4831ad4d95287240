// Events are rows of the transaction that made the change: they commit with it, and cost one statement when nobody listens.
import { expect, test } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { type EventSource, emitEvents } from '../../src/events/events.ts';
import { useGateway } from '../support/gateway.ts';
import { RUNS, statementsOf } from '../support/statements.ts';

const gateway = useGateway();

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

test('chosen: an organisation without listeners pays one statement and stores nothing', async () => {
  const from = await source();
  const spent = await organisationTransaction(from.services.database, from.organisationId, async (em) => {
    const events = [
      { topic: 'PRODUCTS.CREATED' as const, data: { id: 'prod_1' } },
      { topic: 'PRODUCTS.CREATED' as const, data: { id: 'prod_2' } },
    ];
    return statementsOf(from.services.database, () => emitEvents(em, from, events));
  });
  expect(spent).toBe(1);
  expect(await stored(from)).toEqual([]);
});

test('chosen: the number of statements does not depend on the number of events', async () => {
  const from = await source();
  await startRecording(from);
  const emit = (count: number): Promise<number> =>
    organisationTransaction(from.services.database, from.organisationId, async (em) => {
      const events = Array.from({ length: count }, (_, index) => ({
        topic: 'DATA_MODEL_CHANGES' as const,
        data: { index },
        companyId: 1,
        integrationType: 'XERO',
        dataModel: 'ACCOUNT',
        operation: 'CREATE' as const,
      }));
      return statementsOf(from.services.database, () => emitEvents(em, from, events));
    });
  expect(await emit(200)).toBe(await emit(1));
  expect(await stored(from)).toHaveLength(201 * RUNS);
});

test('chosen: events of a transaction that rolls back are not stored', async () => {
  const from = await source();
  await startRecording(from);
  const failing = organisationTransaction(from.services.database, from.organisationId, async (em) => {
    await emitEvents(em, from, [{ topic: 'CORPORATIONS.CREATED', data: { id: 'corp_1' } }]);
    throw new Error('the change fails after its event');
  });
  await expect(failing).rejects.toThrow('the change fails after its event');
  expect(await stored(from)).toEqual([]);
});

test('chosen: an event names its organisation also when the emitter does not know the public id', async () => {
  const from = await source();
  await startRecording(from);
  await organisationTransaction(from.services.database, from.organisationId, (em) =>
    emitEvents(em, { ...from, organisation: null }, [{ topic: 'CORPORATIONS.DELETED', data: { id: 'corp_1' } }]),
  );
  expect(await stored(from)).toEqual([{ topic: 'CORPORATIONS_DELETED', data: { id: 'corp_1' }, organization_id: from.organisation }]);
});
