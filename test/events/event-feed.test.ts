// The feed of events on both endpoints: its order, what begins and ends it, which events a key sees, and when a cursor is rejected.
import { expect, it } from 'vitest';
import { type EntityManager, executeIn } from '../../src/database/open.ts';
import { organisationTransaction, systemTransaction } from '../../src/database/transaction.ts';
import { listenersOf } from '../../src/events/events.statements.ts';
import { emitEvents, type NewEvent } from '../../src/events/events.ts';
import { deliveryLogRetention } from '../../src/webhooks/delivery-log-retention.ts';
import { type Gateway, serverUrl, startGateway, useGateway } from '../support/gateway.ts';
import { until } from '../support/queue-database.ts';
import { buildCompany } from '../support/records.ts';
import { statementsOf } from '../support/statements.ts';
import { emitAs } from '../support/webhooks.ts';

const gateway = useGateway({ worker: false });
const DAY_MS = 86_400_000;

interface Page {
  data: { id: string; topic: string; company_id: number | null; data: { n: number } }[];
  pagination: { next: string; has_more: boolean; recorded_since: string };
}

const ask = (own: Gateway, key: string, query = '') =>
  own.send('GET', `/api/v1/events${query && `?${query}`}`, { headers: { authorization: `Bearer ${key}` } });

async function read(key: string, query = '', own: Gateway = gateway): Promise<Page> {
  const { status, body, text } = await ask(own, key, query);
  expect(status, text).toBe(200);
  return body;
}

/** Waits until the transactions that have begun are over. The feed ends before one of another database of the server that ends just then. */
async function othersEnded({ services: { database } }: Gateway): Promise<void> {
  const numberOf = async (bound: 'xmin' | 'xmax'): Promise<bigint> => {
    const text = `select pg_snapshot_${bound}(pg_current_snapshot())::text as number`;
    const [row] = await systemTransaction(database, (em) => executeIn<{ number: string }>(em, text));
    return BigInt(row!.number);
  };
  const begun = await numberOf('xmax');
  await until(async () => (await numberOf('xmin')) >= begun);
}

/** Emits events, and waits until the feed has them. */
async function emit(own: Gateway, key: string, ...events: NewEvent[]): Promise<void> {
  await emitAs(own, key, ...events);
  await othersEnded(own);
}

const product = (n: number, more: Partial<NewEvent> = {}): NewEvent => ({ topic: 'PRODUCTS.CREATED', data: { n }, ...more });
const synced = (n: number, companyId: number): NewEvent => ({ topic: 'SYNC_STARTED', data: { n }, companyId });
const numbers = ({ data }: Page): number[] => data.map(({ data: { n } }) => n);

it('stores every event from its first read on, and continues after a cursor, by at most two statements', async () => {
  const key = await gateway.key(['PLATFORM']);
  await emit(gateway, key, product(0));
  const first = await read(key);
  expect(first).toMatchObject({ data: [], pagination: { has_more: false, recorded_since: expect.any(String) } });
  await emit(gateway, key, product(1), product(2));
  await emit(gateway, key, product(3));
  const second = await read(key, `limit=2&after=${first.pagination.next}`);
  expect(await statementsOf(gateway.services.database, () => read(key, `limit=2&after=${first.pagination.next}`))).toBe(2);
  expect([numbers(second), second.pagination.has_more]).toEqual([[1, 2], true]);
  expect(second.data[0]).toMatchObject({ topic: 'PRODUCTS.CREATED', company_id: null });
  const third = await read(key, `limit=2&after=${second.pagination.next}`);
  expect([numbers(third), third.pagination.has_more]).toEqual([[3], false]);
  expect(numbers(await read(key, `after=${third.pagination.next}`))).toEqual([]);
  expect(numbers(await read(key))).toEqual([1, 2, 3]);
  const { body } = await gateway.graphql(
    key,
    '{ eventFeed(first: 1) { nodes { data } pageInfo { hasNextPage endCursor } recordedSince } }',
  );
  expect(body.data.eventFeed).toEqual({
    nodes: [{ data: { n: 1 } }],
    pageInfo: { hasNextPage: true, endCursor: expect.any(String) },
    recordedSince: first.pagination.recorded_since,
  });
});

/**
 * Statements of a first read that waits for nothing: the recording in its transaction, one check of the running ones, and the feed before and after.
 */
const AT_ONCE = 7;

it('the first read of a quiet organisation waits for nothing', async () => {
  const counts: number[] = [];
  for (let run = 0; run < 4; run++) {
    const key = await gateway.key(['PLATFORM']);
    await gateway.services.keys.find(key);
    const before = gateway.services.database.statements();
    await read(key);
    counts.push(gateway.services.database.statements() - before);
  }
  // Background tasks may add theirs to any.
  expect(Math.min(...counts)).toBe(AT_ONCE);
});

it('a key sees the events of its role and of its companies, however many others there are, and its cursor is its own', async () => {
  const name = 'Feeds';
  const all = await gateway.key(['PLATFORM', 'INTEGRATIONS'], name);
  const role = await gateway.key(['INTEGRATIONS'], name);
  const [{ id: a }, { id: b }, { id: c }] = [
    await buildCompany(gateway, { key: all }),
    await buildCompany(gateway, { key: all }),
    await buildCompany(gateway, { key: all }),
  ];
  const one = await gateway.key(['INTEGRATIONS'], name, [a]);
  const two = await gateway.key(['INTEGRATIONS'], name, [a, c]);
  const { next } = (await read(all)).pagination;
  const others = Array.from({ length: 1_500 }, (_, n) => product(1_000 + n));
  await emit(gateway, all, synced(1, a), ...others, synced(2, b), product(3), synced(4, c));
  const seen = async (key: string, after = ''): Promise<number[]> => {
    const found: number[] = [];
    for (let from = after; ; ) {
      const page = await read(key, `limit=100${from && `&after=${from}`}`);
      found.push(...numbers(page).filter((n) => n < 1_000));
      from = page.pagination.next;
      if (!page.pagination.has_more) return found;
    }
  };
  expect([await seen(all, next), await seen(role), await seen(one), await seen(two)]).toEqual([[1, 2, 3, 4], [1, 2, 4], [1], [1, 4]]);
  for (const key of [role, one, await gateway.key(['PLATFORM'])])
    expect((await ask(gateway, key, `after=${next}`)).body.error.code).toBe('INVALID_CURSOR');
  expect((await ask(gateway, await gateway.key(['ENTITIES']))).status).toBe(403);
});

it.each(['limit=0', 'limit=101', 'after=nonsense', 'topics=PRODUCTS.CREATED'])('%s is rejected', async (query) => {
  expect((await ask(gateway, await gateway.key(['PLATFORM']), query)).status).toBe(400);
});

/** A gateway of its own, whose clock the test moves; it is stopped at the end. */
async function withOwn(test: (own: Gateway, key: string) => Promise<void>): Promise<void> {
  const own = await startGateway({ worker: false });
  try {
    await test(own, await own.key(['PLATFORM']));
  } finally {
    await own.stop();
  }
}

it('a cursor outlives its event, as long as the feed is read within the retention', async () => {
  await withOwn(async (own, key) => {
    await read(key, '', own);
    await emit(own, key, product(1));
    let { next } = (await read(key, '', own)).pagination;
    for (let days = 0; days < 60; days += 20) {
      own.clock.advance(20 * DAY_MS);
      next = (await read(key, `after=${next}`, own)).pagination.next;
      while (await systemTransaction(own.services.database, (em) => deliveryLogRetention.batch(em, own.services)));
    }
    expect(numbers(await read(key, '', own))).toEqual([]);
    await emit(own, key, product(2));
    expect(numbers(await read(key, `after=${next}`, own))).toEqual([2]);
  });
});

it('a cursor is rejected with the remedy once events after it may be gone', async () => {
  await withOwn(async (own, key) => {
    await read(key, '', own);
    await emit(own, key, product(1));
    const { next } = (await read(key, '', own)).pagination;
    own.clock.advance(31 * DAY_MS);
    const { status, body } = await ask(own, key, `after=${next}`);
    expect([status, body.error.code]).toEqual([410, 'CURSOR_EXPIRED']);
    expect(body.message).toContain('without after');
    // Beginning again does not revive it.
    await read(key, '', own);
    expect((await ask(own, key, `after=${next}`)).status).toBe(410);
  });
});

it('a cursor that is ahead of a restored backup is rejected, and one of an event of the backup is not', async () => {
  await withOwn(async (own, key) => {
    await read(key, '', own);
    await emit(own, key, product(1));
    const kept = (await read(key, '', own)).pagination.next;
    await emit(own, key, product(2));
    const lost = (await read(key, '', own)).pagination.next;
    await systemTransaction(own.services.database, async (em) => {
      await executeIn(em, `delete from event where data->>'n' = '2'`);
      await executeIn(em, 'update event_timeline set base = base + 1000');
    });
    await emit(own, key, product(3));
    expect(numbers(await read(key, `after=${kept}`, own))).toEqual([3]);
    expect((await ask(own, key, `after=${lost}`)).body.error.code).toBe('CURSOR_EXPIRED');
  });
});

// Only a server lets a transaction wait next to another one.
it.skipIf(!serverUrl)(
  'events of a record are in the order of its changes, whichever transaction began first (needs DATABASE_URL)',
  async () => {
    const key = await gateway.key(['PLATFORM']);
    await read(key);
    const { services } = gateway;
    const { organisationId, organisation } = (await services.keys.find(key))!;
    const source = { services, organisationId: organisationId!, organisation };
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const change = (n: number, subject: string) => product(n, { topic: 'PRODUCTS.UPDATED', subject });
    const early = organisationTransaction(services.database, source.organisationId, async (em) => {
      await executeIn(em, 'select pg_current_xact_id()');
      begun.resolve();
      await gate.promise;
      emitEvents(em, source, [change(2, 'prod_shared'), change(3, 'prod_own')]);
    });
    await begun.promise;
    await emitAs(gateway, key, change(1, 'prod_shared'));
    // What the running transaction may still precede is not shown.
    expect(numbers(await read(key))).toEqual([]);
    gate.resolve();
    await early;
    await othersEnded(gateway);
    expect(numbers(await read(key))).toEqual([1, 2, 3]);
  },
);

it.skipIf(!serverUrl)('the first read waits for a write that did not see it, and for no other (needs DATABASE_URL)', async () => {
  const { services } = gateway;
  const begin = async (work: (em: EntityManager, organisationId: number, now: Date) => Promise<unknown>) => {
    const key = await gateway.key(['PLATFORM']);
    const { organisationId, organisation } = (await services.keys.find(key))!;
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const written = organisationTransaction(services.database, organisationId!, async (em) => {
      await executeIn(em, 'select pg_current_xact_id()');
      await work(em, organisationId!, services.clock.now());
      begun.resolve();
      await gate.promise;
      emitEvents(em, { services, organisationId: organisationId!, organisation }, [product(1)]);
    });
    await begun.promise;
    const end = (): Promise<void> => {
      gate.resolve();
      return written;
    };
    return { key, end };
  };
  // It has yet to look who gets its event, and finds the feed.
  const later = await begin(async () => {});
  expect(numbers(await read(later.key))).toEqual([]);
  await later.end();
  await othersEnded(gateway);
  expect(numbers(await read(later.key))).toEqual([1]);
  // It has looked, as at its end.
  const blind = await begin(listenersOf);
  let isRead = false;
  const reading = [1, 2].map(() => read(blind.key).then(() => (isRead = true)));
  const before = services.database.statements();
  while (services.database.statements() < before + 10 * AT_ONCE) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isRead).toBe(false);
  await blind.end();
  await Promise.all(reading);
});
