// One record per key, enforced by the database: concurrent writes that mean one record make one, over every record type and key. There is one order
// of locks.
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { type GatewayResponse, serverUrl, useGateway } from '../support/gateway.ts';
import { buildCompany, listName, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
const WRITERS = 6;
let company: TestCompany;

const send = (method: string, path: string, body?: unknown): Promise<GatewayResponse> =>
  gateway.send(method, path, { headers: company.headers, body });
const together = <T>(call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, index) => call(index)));

beforeAll(async () => {
  company = await buildCompany(gateway);
});

/** Waits until a request waits for a lock of the connection. */
async function untilItBlocks(client: Client): Promise<void> {
  const waiting = 'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
  while ((await client.query(waiting)).rowCount === 0);
}

/** Every key by which a write finds a stored record: the platform id of each type, and the natural key of those that have one. */
const keys = ledgerRecords.flatMap((target): [string, (typeof ledgerRecords)[number], Record<string, unknown>][] => {
  const { one, naturalKey } = namesOf(target);
  const required = naturalKey ? { [snakeCase(naturalKey)]: 'CHF' } : {};
  return [
    [`${one} by platformId`, target, { ...required, platform_id: `${one}-key` }],
    ...(naturalKey
      ? [[`${one} by ${naturalKey}`, target, { [snakeCase(naturalKey)]: 'SEK' }] as [string, typeof target, Record<string, unknown>]]
      : []),
  ];
});

describe.each(keys)('%s', (_, target, body) => {
  it('concurrent upserts make one record', async () => {
    const list = `${company.base}/${listName(target)}`;
    const responses = await together((index) => send('PUT', list, { data: { ...body, raw_data: { index } } }));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const key = Object.keys(body)[Object.keys(body).length - 1]!;
    const { data } = (await send('GET', `${list}?limit=100`)).body;
    const found = data.filter((row: Record<string, unknown>) => row[key] === body[key]);
    expect(found).toHaveLength(1);
    expect(new Set(responses.map((response) => response.body.data.data.ledger_id))).toEqual(new Set([found[0].ledger_id]));
  });

  it('of concurrent creations one succeeds', async () => {
    const list = `${company.base}/${listName(target)}`;
    const key = Object.keys(body)[Object.keys(body).length - 1]!;
    const other = {
      ...body,
      ...(body.code ? { code: key === 'code' ? 'NOK' : 'DKK' } : {}),
      ...(body.platform_id ? { platform_id: `${body.platform_id}-new` } : {}),
    };
    const responses = await together(() => send('POST', list, { data: other }));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe.each(ledgerRecords.map((target): [string, RecordClass] => [namesOf(target).one, target]))('%s', (one, target) => {
  it('an entry of an array that names the record of another entry by another id is rejected by the id it gives', async () => {
    const list = `${company.base}/${listName(target)}`;
    const { naturalKey } = namesOf(target);
    const key = naturalKey ? { [snakeCase(naturalKey)]: 'THB' } : {};
    const named = { platform_id: `${one}-twice` };
    const made = await send('PUT', list, { data: { ...key, ...named } });
    expect(made.status, made.text).toBe(200);
    const { ledger_id } = made.body.data.data;
    const ways = [{ ledger_id }, named, { ledger_id, ...named }, ...(naturalKey ? [key] : [])];
    const both = (other: object): object[] => ways.filter((way) => way !== other && !('platform_id' in way && 'platform_id' in other));
    for (const first of ways)
      for (const second of both(first)) {
        const data = [
          { ...first, raw_data: { first } },
          { ...second, raw_data: { second } },
        ];
        const { body, text } = await send('PUT', `${list}?run_async=true`, { data });
        expect((await endOfSync(gateway, company, body.data.sync_id)).status, text).toBe('PARTIAL_SUCCESS');
        const jobs = await jobsOf(gateway, company, body.data.sync_id);
        const refused = jobs.filter(({ parentJobId }) => parentJobId !== null).map(({ errorMessage }) => errorMessage);
        const fields = Object.keys(second).map((name) => `data[1].${name} occurs twice in this request`);
        expect(refused).toEqual([expect.toBeOneOf(fields)]);
        expect((await send('GET', `${list}/${ledger_id}?select=raw_data`)).body.data.raw_data).toEqual({ first });
      }
  });
});

const natural = keys.filter(([name]) => !name.endsWith('platformId'));

describe.each(natural)('%s', (_, target, body) => {
  const [key] = Object.keys(body) as [string];

  it('a second record of the key is rejected by name on every path', async () => {
    const list = `${company.base}/${listName(target)}`;
    for (const [id, value] of [
      ['K1', 'PLN'],
      ['K2', 'CZK'],
    ])
      expect((await send('PUT', list, { data: { platform_id: id, [key]: value } })).status).toBe(200);
    for (const data of [
      { platform_id: 'K3', [key]: 'PLN' },
      { platform_id: 'K2', [key]: 'PLN' },
    ]) {
      const response = await send('PUT', list, { data });
      expect([response.status, response.body.error?.error_code, response.body.error?.field], response.text).toEqual([
        409,
        'RECORD_ALREADY_EXISTS',
        `data.${key}`,
      ]);
    }
    const accepted = await send('PUT', `${list}?run_async=true`, {
      data: [
        { platform_id: 'K4', [key]: 'HUF' },
        { platform_id: 'K5', [key]: 'HUF' },
        { platform_id: 'K6', [key]: 'PLN' },
      ],
    });
    expect((await endOfSync(gateway, company, accepted.body.data.sync_id)).status).toBe('PARTIAL_SUCCESS');
    const refused = (await jobsOf(gateway, company, accepted.body.data.sync_id)).filter(({ parentJobId }) => parentJobId !== null);
    expect(refused.map(({ errorResponse }) => errorResponse!.field).sort()).toEqual([`data[1].${key}`, `data[2].${key}`]);
  });
});

it.skipIf(!serverUrl).each(natural)(
  '%s: a record that was made between two looks for it is the one that is meant',
  async (_, target, body) => {
    const list = `${company.base}/${listName(target)}`;
    const data = { ...body, [Object.keys(body)[0]!]: 'ISK', platform_id: 'between' };
    const made = await send('PUT', list, { data });
    const former = made.body.data.data.ledger_id as number;
    // A number that no sequence gives.
    const copied = former + 1_000_000;
    const { table } = modelOf(target);
    const client = new Client({ connectionString: gateway.services.config.databaseUrl });
    await client.connect();
    try {
      await client.query('begin');
      await client.query(`update "${table}" set ledger_deleted_at = now() where ledger_id = $1`, [former]);
      const again = send('PUT', list, { data: { ...data, raw_data: { again: true } } });
      await untilItBlocks(client);
      // The look by platform id waits for the former record and does not see this one; the look by the natural key does.
      const copy = `select (jsonb_populate_record(t, '{"ledger_id": ${copied}, "ledger_deleted_at": null}')).* from "${table}" t where ledger_id = $1`;
      await client.query(`insert into "${table}" ${copy}`, [former]);
      await client.query('commit');
      const response = await again;
      expect([response.status, response.body.data?.data?.ledger_id], response.text).toEqual([200, copied]);
    } finally {
      await client.end();
    }
  },
);

it.skipIf(!serverUrl)('an approval locks the company before the request, as connecting does', async () => {
  const own = await buildCompany(gateway);
  const headers = own.headers;
  const made = await gateway.send('POST', '/v4/core/disconnect-requests', { headers, body: { data: { company_id: own.id } } });
  const request = made.body.data.ledger_id as number;
  const client = new Client({ connectionString: gateway.services.config.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select 1 from company where ledger_id = $1 for update', [own.id]);
    const approval = gateway.send('POST', `/v4/core/disconnect-requests/${request}/approve`, { headers });
    await untilItBlocks(client);
    // It waits for the company and has not locked the request, which a connection that has the company wants next.
    await client.query('select 1 from disconnect_request where ledger_id = $1 for update nowait', [request]);
    await client.query('commit');
    expect((await approval).status).toBe(200);
  } finally {
    await client.end();
  }
});

it('approvals and connections at once return no error of the gateway', async () => {
  const own = await buildCompany(gateway);
  const headers = own.headers;
  const base = '/v4/core/disconnect-requests';
  for (let round = 0; round < 5; round++) {
    const made = await gateway.send('POST', base, { headers, body: { data: { company_id: own.id } } });
    expect(made.status, made.text).toBeLessThan(300);
    const responses = await Promise.all([
      gateway.send('POST', `${base}/${made.body.data.ledger_id}/approve`, { headers }),
      gateway.send('POST', `${own.base}/connect`, { headers, body: { data: {} } }),
    ]);
    for (const { status, text } of responses) expect(status, text).toBeLessThan(500);
    await gateway.send('POST', `${own.base}/connect`, { headers, body: { data: {} } });
  }
});

describe('records of a batch that nest one currency', () => {
  const whole = { code: 'NOK', platform_id: 'nok', name: 'Krone' };
  const byCode = { code: 'NOK' };
  it.each([
    ['by its code after its id', [whole, byCode]],
    ['by its code before its id', [byCode, whole]],
    ['by both, between others', [{ code: 'DKK' }, byCode, whole, byCode]],
  ])('refer to it %s', async (_, currencies) => {
    const own = await buildCompany(gateway);
    const data = currencies.map((currency, index) => ({ platform_id: `i${index}`, currency }));
    const { body } = await gateway.send('PUT', `${own.base}/invoices?run_async=true`, { headers: own.headers, body: { data } });
    const ended = await endOfSync(gateway, own, body.data.sync_id);
    expect(ended.status).toBe('SUCCESS');
    const list = await gateway.send('GET', `${own.base}/invoices?expand=currency`, { headers: own.headers });
    expect(list.body.data.map((invoice: { currency: { code: string; platform_id: string } }) => invoice.currency.code)).toEqual(
      currencies.map(({ code }) => code),
    );
    const stored = await gateway.send('GET', `${own.base}/currencies?code[eq]=NOK`, { headers: own.headers });
    expect(stored.body.data).toMatchObject([{ platform_id: 'nok', name: 'Krone' }]);
  });

  it.each([
    [
      ['by its code', 'by its id'],
      [{ code: 'ISK' }, { platformId: 'c-ISK' }],
    ],
    [
      ['by its id', 'by its code'],
      [
        { platformId: 'c-ISK', name: 'Krona' },
        { code: 'ISK', symbol: 'kr' },
      ],
    ],
  ])('refer to the stored one %j', async (_, currencies) => {
    const own = await buildCompany(gateway);
    const made = await gateway.send('POST', `${own.base}/currencies`, {
      headers: own.headers,
      body: { data: { platform_id: 'c-ISK', code: 'ISK', name: 'Krona' } },
    });
    const before = await gateway.send('GET', `${own.base}/currencies`, { headers: own.headers });
    const response = await gateway.graphql(
      own.key,
      'mutation ($input: CreateInvoicesInput!) { createInvoices(input: $input) { results { invoice { currencyId currency { symbol } } errors { code path } } } }',
      { input: { companyId: own.id, records: currencies.map((currency) => ({ currency })) } },
    );
    const symbol = currencies.some((currency) => 'symbol' in currency) ? 'kr' : null;
    const stored = { invoice: { currencyId: 'ISK', currency: { symbol } }, errors: [] };
    expect(response.body.data?.createInvoices.results, response.text).toEqual([stored, stored]);
    const after = await gateway.send('GET', `${own.base}/currencies`, { headers: own.headers });
    expect(after.body.data).toMatchObject([{ ledger_id: made.body.data.data.ledger_id, platform_id: 'c-ISK', name: 'Krona', symbol }]);
    if (symbol === null) expect(after.body.data).toEqual(before.body.data);
  });

  it('are rejected where the currency gets another code', async () => {
    const own = await buildCompany(gateway);
    const currencies = [{ code: 'NOK', platform_id: 'nok' }, byCode, { code: 'DKK', platform_id: 'nok' }];
    const data = currencies.map((currency, index) => ({ platform_id: `i${index}`, currency }));
    const { body } = await gateway.send('PUT', `${own.base}/invoices?run_async=true`, { headers: own.headers, body: { data } });
    expect((await endOfSync(gateway, own, body.data.sync_id)).status).toBe('PARTIAL_SUCCESS');
    const list = await gateway.send('GET', `${own.base}/invoices`, { headers: own.headers });
    expect(list.body.data).toMatchObject([
      { platform_id: 'i0', currency_id: 'DKK' },
      { platform_id: 'i2', currency_id: 'DKK' },
    ]);
  });
});
