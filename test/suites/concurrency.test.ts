// Concurrent callers: one write per idempotency key, one winner per version and per transition, one record per platform id, and never an internal error.
import { beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { buildCaller, buildCorporation, buildRegistration, type Caller } from '../support/registrations.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway();
const rounds = Number(process.env.SUITE_ROUNDS ?? 1);
let company: TestCompany;
let caller: Caller;

beforeAll(async () => {
  company = await buildCompany(gateway);
  caller = await buildCaller(gateway);
});

const together = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

/** The code of a response, whichever body it has; OK for a response without error. */
const codeOf = (response: GatewayResponse): string =>
  response.body?.errors?.[0]?.extensions?.code ??
  response.body?.error?.error_code ??
  response.body?.error?.code ??
  (response.status < 300 ? 'OK' : `${response.status}`);

/** The number of responses per code. */
function counts(what: string, responses: GatewayResponse[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const response of responses) found[codeOf(response)] = (found[codeOf(response)] ?? 0) + 1;
  console.log(
    `concurrency: ${what}: ${Object.entries(found)
      .map(([code, count]) => `${count} ${code}`)
      .join(', ')}`,
  );
  expect(responses.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
  expect(Object.keys(found)).not.toContain('INTERNAL_ERROR');
  expect(Object.keys(found)).not.toContain('SERVICE_UNAVAILABLE');
  return found;
}

const accounts = async (search: string): Promise<{ platform_id: string; name: string }[]> => {
  const response = await gateway.send('GET', `${company.base}/accounts?limit=100${search && `&${search}`}`, { headers: company.headers });
  expect(response.status).toBe(200);
  return response.body.data;
};
const UPDATE = 'mutation ($input: UpdateAccountInput!) { updateAccount(input: $input) { account { name } } }';
const UPSERT =
  'mutation ($id: ID!, $data: [AccountInput!]!) { upsertAccounts(input: { companyId: $id, records: $data }) { accounts { platformId } } }';

describe.each(Array.from({ length: rounds }, (_, round) => round))('concurrent callers, round %i', (round) => {
  it.each([
    [
      'REST',
      (name: string, headers: Record<string, string>) =>
        gateway.send('POST', `${company.base}/accounts`, { headers, body: { data: { name } } }),
    ],
    [
      'GraphQL',
      (name: string, { api_key: key, ...headers }: Record<string, string>) =>
        gateway.send('POST', '/graphql', {
          headers: { authorization: `Bearer ${key}`, ...headers },
          body: { query: UPSERT.replaceAll('upsertAccounts', 'createAccounts'), variables: { id: company.id, data: [{ name }] } },
        }),
    ],
  ])(
    'one idempotency key sent 50 times to %s causes one write, and every response is its response or says that it is in progress',
    async (endpoint, send) => {
      const name = `once ${endpoint} ${round}`;
      const headers = { ...company.headers, 'idempotency-key': name };
      const responses = await together(50, () => send(name, headers));
      const found = counts(`one idempotency key, ${endpoint}`, responses);
      expect(Object.keys(found).filter((code) => !['OK', 'IDEMPOTENCY_IN_PROGRESS'].includes(code))).toEqual([]);
      expect(new Set(responses.filter((response) => codeOf(response) === 'OK').map(({ text }) => text)).size).toBe(1);
      expect(codeOf(await send(name, headers))).toBe('OK');
      expect(await accounts(`name[eq]=${encodeURIComponent(name)}`)).toHaveLength(1);
    },
  );

  it('of 20 changes to one version of a record one is made, the others are rejected because it changed', async () => {
    const created = await gateway.send('POST', `${company.base}/accounts`, {
      headers: company.headers,
      body: { data: { platform_id: `race ${round}`, name: 'Start' } },
    });
    const { ledger_id: id } = created.body.data.data;
    const etag = created.headers.get('etag')!;
    const headers = { ...company.headers, 'if-match': etag };
    const responses = await together(20, (index) =>
      index % 2 === 0
        ? gateway.graphql(company.key, UPDATE, { input: { companyId: company.id, id, ifMatch: etag, name: `update ${index}` } })
        : gateway.send('PUT', `${company.base}/accounts`, {
            headers,
            body: { data: { platform_id: `race ${round}`, name: `put ${index}` } },
          }),
    );
    expect(counts('one version', responses)).toEqual({ OK: 1, STALE_RECORD: 19 });
    const winner = responses.findIndex((response) => codeOf(response) === 'OK');
    const [stored] = await accounts(`platform_id[eq]=${encodeURIComponent(`race ${round}`)}`);
    expect(stored!.name).toBe(winner % 2 === 0 ? `update ${winner}` : `put ${winner}`);
  });

  it('30 upserts of overlapping sets, in both orders and on both endpoints, end in one record per platform id', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `same ${round} ${index}`);
    const responses = await together(30, (index) => {
      const order = index % 2 === 0 ? ids : [...ids].reverse();
      const set = order.slice(index % 3, (index % 3) + 6).map((platformId) => ({ platformId, name: `by ${index}` }));
      const rest = set.map(({ platformId, name }) => ({ platform_id: platformId, name }));
      if (index % 3 === 0) return gateway.graphql(company.key, UPSERT, { id: company.id, data: set });
      if (index % 3 === 1)
        return gateway.send('PUT', `${company.base}/accounts`, { headers: company.headers, body: { data: rest[index % 6] } });
      // The queue stores a list after the response.
      return gateway.send('PUT', `${company.base}/accounts?run_async=true`, { headers: company.headers, body: { data: rest } });
    });
    expect(counts('overlapping upserts', responses)).toEqual({ OK: 30 });
    const stored = async (): Promise<string[]> =>
      (await accounts('')).map(({ platform_id: id }) => id).filter((id) => id?.startsWith(`same ${round} `));
    const syncs = responses.filter(({ status }) => status === 202).map(({ body }) => body.data.sync_id as string);
    expect(syncs).toHaveLength(10);
    for (const id of syncs) expect((await endOfSync(gateway, company, id)).status).toBe('SUCCESS');
    expect((await stored()).sort()).toEqual(ids);
  });

  it.each([
    ['external_id', (index: number) => ({ legal_name: `Ext ${index}`, jurisdiction: 'US', external_id: `ext-${round}` }), '/corporations'],
    [
      'email_alias',
      (index: number) => ({ legal_name: `Mail ${index}`, jurisdiction: 'US', email_alias: `mail-${round}` }),
      '/corporations',
    ],
    ['sku', (index: number) => ({ name: `Sku ${index}`, sku: `sku-${round}` }), '/products'],
    [
      'source_platform_id',
      (index: number) => ({ name: `Source ${index}`, source_platform: 'SHOPIFY', source_platform_id: `src-${round}` }),
      '/products',
    ],
  ])('of 20 that want one %s one gets it', async (what, body, path) => {
    const owner = path === '/products' ? { corporation_id: await buildCorporation(caller) } : {};
    const found = counts(`unique ${what}`, await together(20, (index) => caller.post(path, { ...body(index), ...owner })));
    expect(found.OK).toBe(1);
    expect(Object.keys(found)).toHaveLength(2);
  });

  it('of 20 operators who make one transition one succeeds', async () => {
    const { id } = await buildRegistration(caller, { registration_type: 'NEW', effective_start_date: undefined });
    const mutate = (mutation: string, more = ''): Promise<GatewayResponse[]> =>
      together(20, () =>
        gateway.graphql(ADMIN_TOKEN, `mutation { ${mutation}(input: { id: "${id}"${more} }) { registration { registrationStatus } } }`),
      );
    const one = { OK: 1, INVALID_STATE_TRANSITION: 19 };
    expect(counts('startRegistration', await mutate('startRegistration'))).toEqual(one);
    expect(counts('confirmRegistration', await mutate('confirmRegistration', ', taxRegistrationId: "R1234"'))).toEqual(one);
  });
});
