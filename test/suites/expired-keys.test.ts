// Expired idempotency keys of all callers: they add no cost to a request, and the schedule deletes them in batches. A round is 10,000 of them.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { IDEMPOTENCY_LIFETIME_MS, idempotencyKeyRetention } from '../../src/http/idempotency.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { statementsOf } from '../support/statements.ts';

// Without a worker, so that only the test runs the schedule.
const gateway = useGateway({ worker: false });
const EXPIRED = 10_000 * Number(process.env.SUITE_ROUNDS ?? 1);
let company: TestCompany;
let statements: number;
let valid: { key: string; response: GatewayResponse };

const write = (key: string, name: string): Promise<GatewayResponse> =>
  gateway.send('POST', `${company.base}/accounts`, { headers: { ...company.headers, 'idempotency-key': key }, body: { data: { name } } });
const keyedWrite = async (): Promise<void> => {
  const response = await write(randomUUID(), 'Cash');
  expect(response.status, response.text).toBe(201);
};
const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  systemTransaction(gateway.services.database, (em) => executeIn<T>(em, text, values));
const left = async (): Promise<number> =>
  Number((await sql<{ count: string }>('select count(*) from idempotency_key where expires_at <= $1::timestamptz', [now()]))[0]!.count);
const now = (): string => gateway.clock.now().toISOString();

beforeAll(async () => {
  company = await buildCompany(gateway);
  await keyedWrite();
  statements = await statementsOf(gateway.services.database, keyedWrite);
  const own = { key: randomUUID(), name: 'Mine' };
  await write(own.key, own.name);
  gateway.clock.advance(IDEMPOTENCY_LIFETIME_MS + 1);
  const key = randomUUID();
  valid = { key, response: await write(key, 'Kept') };
  const size = 100_000;
  for (let from = 1; from <= EXPIRED; from += size)
    await sql(
      `insert into idempotency_key (key_id, method, path, name, body_hash, owner, is_written, status, headers, body, lease_until, expires_at)
       select 'key_' || n % 1000, 'POST', '/v4/core', 'key ' || n, 'hash', 'owner', true, 201, '{}', '{}', $3::timestamptz, $3::timestamptz - n * interval '1 ms'
       from generate_series($1::int, $2::int) n`,
      [from, Math.min(EXPIRED, from + size - 1), now()],
    );
}, 600_000);

describe('requests', () => {
  it('a write with a key takes as many statements as without them, and deletes none', async () => {
    const before = await left();
    expect(before).toBeGreaterThanOrEqual(EXPIRED);
    expect(await statementsOf(gateway.services.database, keyedWrite)).toBe(statements);
    expect(await left()).toBe(before);
  });

  it('a key that has expired is a new one, for another body too', async () => {
    const key = randomUUID();
    const first = await write(key, 'First');
    expect((await write(key, 'First')).body).toEqual(first.body);
    expect((await write(key, 'Other')).status).toBe(422);
    await sql('update idempotency_key set expires_at = $2::timestamptz where name = $1', [key, now()]);
    const other = await write(key, 'Other');
    expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(other.body.data.data).toMatchObject({ name: 'Other' });
    expect((await write(key, 'Other')).body).toEqual(other.body);
    expect((await write(key, 'First')).status).toBe(422);
  });
});

it('the schedule deletes expired keys, at most 2,000 at a time, and keeps the others', { timeout: 600_000 }, async () => {
  const { database } = gateway.services;
  const before = await left();
  let batches = 0;
  for (let more = true; more; batches++)
    more = await systemTransaction(database, (em) => idempotencyKeyRetention.batch(em, gateway.services));
  expect(batches).toBeGreaterThanOrEqual(before / 2_000);
  expect(await left()).toBe(0);
  const again = await write(valid.key, 'Kept');
  expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', valid.response.body]);
});
