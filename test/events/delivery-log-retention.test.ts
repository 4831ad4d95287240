// Retention of the delivery log: the rows it removes after 30 days, and the rows it must leave.
import { expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { ATTEMPTS } from '../../src/events/events.ts';
import { newId } from '../../src/records/ids.ts';
import { deliveryLogRetention } from '../../src/webhooks/delivery-log-retention.ts';
import { useGateway } from '../support/gateway.ts';
import { webhookTools } from '../support/webhooks.ts';

// Without a worker, so that only the test changes the rows.
const gateway = useGateway({ webhookAllowPrivate: true, worker: false });
const { register, call } = webhookTools(gateway);

const DAY_MS = 24 * 3_600_000;
const ago = (days: number): string => new Date(gateway.clock.now().getTime() - days * DAY_MS).toISOString();

const store = (sql: string, values: unknown[]): Promise<unknown> =>
  systemTransaction(gateway.services.database, (em) => executeIn(em, sql, values));

interface Owner {
  organisationId: number;
  webhook: string;
}

async function storeEvent({ organisationId }: Owner, days: number): Promise<string> {
  const id = newId('evt');
  await store(
    `insert into event (id, organisation_id, organization_id, topic, data, test, triggered_at, commit_order) values ($1, $2, 'org', 'PRODUCTS_CREATED', '{}', false, $3::timestamptz, 1)`,
    [id, organisationId, ago(days)],
  );
  return id;
}

/** A delivery with one attempt and an event of its own; it finished `finished` days ago or is still pending. */
async function storeDelivery(
  owner: Owner,
  status: string,
  created: number,
  finished: number | null,
): Promise<{ delivery: string; event: string }> {
  const event = await storeEvent(owner, created);
  const id = newId('dlv');
  await store(
    `insert into webhook_delivery (id, organisation_id, webhook_id, event_id, status, turn, attempts_left, next_attempt_at, created_at, finished_at)
     values ($1, $2, $3, $4, $5, 0, ${ATTEMPTS}, null, $6::timestamptz, $7::timestamptz)`,
    [id, owner.organisationId, owner.webhook, event, status, ago(created), finished === null ? null : ago(finished)],
  );
  await store(
    `insert into webhook_attempt (id, organisation_id, delivery_id, status, duration, at) values ($1, $2, $3, 200, 1, $4::timestamptz)`,
    [newId('att'), owner.organisationId, id, ago(created)],
  );
  return { delivery: id, event };
}

async function remaining(table: string, column: string, { organisationId }: Owner): Promise<unknown[]> {
  const text = `select ${column} from ${table} where organisation_id = $1`;
  return (await gateway.services.database.read({ name: `left_${table}`, text }, [String(organisationId)])).map(([value]) => value);
}

async function clearLog(): Promise<void> {
  const { database } = gateway.services;
  while (await systemTransaction(database, (em) => deliveryLogRetention.batch(em, gateway.services)));
}

async function anOwner(): Promise<Owner & { key: string }> {
  const key = await gateway.key(['PLATFORM']);
  const { id } = await register(key, 'http://127.0.0.1:9/');
  return { key, webhook: id, organisationId: (await gateway.services.keys.find(key))!.organisationId! };
}

it('deliveries that ended more than 30 days ago are removed with their attempts and events, and nothing else is', async () => {
  const owner = await anOwner();
  for (const status of ['DELIVERED', 'FAILED', 'CANCELLED']) await storeDelivery(owner, status, 40, 31);
  const recent = await storeDelivery(owner, 'DELIVERED', 40, 29);
  const pending = await storeDelivery(owner, 'PENDING', 40, null);
  const [oldAlone, newAlone] = [await storeEvent(owner, 31), await storeEvent(owner, 29)];
  const neighbour = await anOwner();
  const theirs = await storeDelivery(neighbour, 'DELIVERED', 2, 1);
  await clearLog();
  const remainingDeliveries = [recent, pending];
  expect((await remaining('webhook_delivery', 'id', owner)).sort()).toEqual(remainingDeliveries.map(({ delivery }) => delivery).sort());
  expect((await remaining('webhook_attempt', 'delivery_id', owner)).sort()).toEqual(
    remainingDeliveries.map(({ delivery }) => delivery).sort(),
  );
  expect((await remaining('event', 'id', owner)).sort()).toEqual([...remainingDeliveries.map(({ event }) => event), newAlone].sort());
  expect(await remaining('event', 'id', owner)).not.toContain(oldAlone);
  expect(await remaining('webhook', 'id', owner)).toEqual([owner.webhook]);
  expect(await remaining('webhook_delivery', 'id', neighbour)).toEqual([theirs.delivery]);
});

it('a deleted webhook is removed after its log, and not before', async () => {
  const owner = await anOwner();
  await storeDelivery(owner, 'DELIVERED', 20, 20);
  await call(owner.key, 'DELETE', `/${owner.webhook}`);
  await clearLog();
  expect(await remaining('webhook', 'id', owner)).toEqual([owner.webhook]);
  gateway.clock.advance(11 * DAY_MS);
  await clearLog();
  gateway.clock.advance(-11 * DAY_MS);
  expect(await remaining('webhook', 'id', owner)).toEqual([]);
});

it('a log larger than one batch is removed completely', async () => {
  const owner = await anOwner();
  await store(
    `insert into webhook_delivery (id, organisation_id, webhook_id, event_id, status, turn, attempts_left, created_at, finished_at)
     select 'dlv_' || n, $1, $2, 'evt_none', 'DELIVERED', 0, 0, $3::timestamptz, $3::timestamptz from generate_series(1, 4500) n`,
    [owner.organisationId, owner.webhook, ago(31)],
  );
  await clearLog();
  expect(await remaining('webhook_delivery', 'id', owner)).toEqual([]);
});
