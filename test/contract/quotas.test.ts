// Quotas of organisations: what is beyond them is rejected with a message, other organisations continue, and `viewer` and /limits show them.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';

const gateway = useGateway({ worker: false, quotas: { megabytes: 1, rawMegabytes: 1, companies: 2, connections: 1, keys: 3, batches: 2 } });

let organisationName: string;
let key: string;
beforeEach(async () => {
  organisationName = `Bounded ${randomUUID()}`;
  key = await gateway.key(['INTEGRATIONS', 'PLATFORM'], organisationName);
});

const createCompany = (by = key): Promise<GatewayResponse> =>
  gateway.send('POST', '/v4/core/companies', { headers: { api_key: by }, body: { data: { name: 'A' } } });

const importRecords = (companyId: number, by = key): Promise<GatewayResponse> =>
  gateway.graphql(by, 'mutation ($input: ImportRecordsInput!) { importRecords(input: $input) { file { id } } }', {
    input: { companyId, dataModel: 'CONTACT', file: 'platform_id,name\nC-1,One\n' },
  });

const issueKey = (): Promise<GatewayResponse> =>
  gateway.graphql(ADMIN_TOKEN, 'mutation ($input: IssueAccessKeyInput!) { issueAccessKey(input: $input) { accessKey { id } } }', {
    input: { organisationName, roles: ['PLATFORM'] },
  });

const used = async (): Promise<Record<string, [number, number | null]>> => {
  const { body } = await gateway.graphql(key, '{ viewer { quotas { name used limit } } }');
  return Object.fromEntries(
    body.data.viewer.quotas.map((quota: { name: string; used: number; limit: number }) => [quota.name, [quota.used, quota.limit]]),
  );
};

describe('an organisation', () => {
  it('has no more companies than it may, also when it creates them at once, and others continue', async () => {
    const responses = await Promise.all(Array.from({ length: 6 }, () => createCompany()));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    const refused = responses.find(({ status }) => status === 409)!;
    expect(refused.body.error).toMatchObject({
      error_code: 'QUOTA_EXCEEDED',
      message: 'the organisation has 2 companies, and may have 2: remove a company, or ask the operator for more (QUOTA_COMPANIES)',
    });
    expect((await createCompany(await gateway.key(['INTEGRATIONS']))).status).toBe(201);
    expect(await used()).toEqual({
      megabytes: [0, 1],
      rawMegabytes: [0, 1],
      companies: [2, 2],
      connections: [0, 1],
      keys: [1, 3],
      batches: [0, 2],
    });
  });

  it('has no more connections than it may', async () => {
    const bases = [await createCompany(), await createCompany()].map(({ body }) => `/v4/core/companies/${body.data.ledger_id}`);
    const responses = [];
    for (const base of bases)
      responses.push(
        await gateway.send('POST', `${base}/connections`, { headers: { api_key: key }, body: { data: { source: 'DEMO', settings: {} } } }),
      );
    expect(responses.map(({ status }) => status)).toEqual([201, 409]);
    expect(responses[1]!.body.error).toMatchObject({ error_code: 'QUOTA_EXCEEDED', message: expect.stringContaining('QUOTA_CONNECTIONS') });
  });

  it('is issued no more keys than it may have, and can rotate the last one', async () => {
    const first = await issueKey();
    expect([first, await issueKey()].map(({ body }) => body.errors)).toEqual([undefined, undefined]);
    expect((await issueKey()).body.errors[0]).toMatchObject({
      message: 'the organisation has 3 access keys, and may have 3: revoke a key, or ask the operator for more (QUOTA_KEYS)',
      extensions: { code: 'QUOTA_EXCEEDED' },
    });
    const rotate = 'mutation ($id: ID!) { rotateAccessKey(input: { id: $id, graceHours: 0 }) { accessKey { id } } }';
    const { id } = first.body.data.issueAccessKey.accessKey;
    expect((await gateway.graphql(ADMIN_TOKEN, rotate, { id })).body.errors).toBeUndefined();
  });

  it('has no more batches waiting than it may, and can write records one by one in the meantime', async () => {
    const base = `/v4/core/companies/${(await createCompany()).body.data.ledger_id}`;
    const headers = { api_key: key };
    const batch = () =>
      gateway.send('POST', `${base}/accounts?run_async=true`, { headers, body: { data: [{ name: 'A' }, { name: 'B' }] } });
    const responses = [await batch(), await batch(), await batch()];
    expect(responses.map(({ status }) => status)).toEqual([responses[0]!.status, responses[0]!.status, 409]);
    expect(responses[0]!.status).toBeLessThan(300);
    expect(responses[2]!.body.error).toMatchObject({ error_code: 'QUOTA_EXCEEDED', message: expect.stringContaining('QUOTA_BATCHES') });
    const { sync_id: id } = responses[0]!.body.data;
    expect((await used()).batches).toEqual([2, 2]);
    expect((await gateway.send('POST', `${base}/accounts`, { headers, body: { data: { name: 'One' } } })).status).toBe(201);
    expect((await gateway.send('POST', `/v4/core/syncs/${id}/cancel`, { headers })).status).toBe(200);
    expect((await batch()).status).toBe(responses[0]!.status);
  });

  it('stores no more files and inbox files than it may', async () => {
    const company = (await createCompany()).body.data.ledger_id;
    const caller = await platformCaller(gateway, '/api/v1', organisationName);
    const upload = (bytes: number): Promise<GatewayResponse> => caller.upload('x'.repeat(bytes));
    expect((await importRecords(company)).body.errors).toBeUndefined();
    expect([(await upload(600_000)).status, (await upload(600_000)).status]).toEqual([200, 200]);
    const refused = await upload(1_000);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'QUOTA_EXCEEDED']);
    expect(refused.body.message).toBe(
      'the organisation has 2 MB of files, and may have 1: delete attachments, wait until unused files expire, or ask the operator for more (QUOTA_MEGABYTES)',
    );
    expect((await importRecords(company)).body.errors[0].extensions.code).toBe('QUOTA_EXCEEDED');
    expect((await used()).megabytes).toEqual([2, 1]);
  });
});

it('/limits has the quotas', async () => {
  const { body } = await gateway.send('GET', '/limits', { headers: { accept: 'application/json' } });
  const found = body.limits.filter(({ setting }: { setting?: string }) => setting?.startsWith('QUOTA_'));
  expect(found.map(({ setting, value }: { setting: string; value: number }) => [setting, value])).toEqual([
    ['QUOTA_MEGABYTES', 1],
    ['QUOTA_RAW_MEGABYTES', 1],
    ['QUOTA_COMPANIES', 2],
    ['QUOTA_CONNECTIONS', 1],
    ['QUOTA_KEYS', 3],
    ['QUOTA_BATCHES', 2],
  ]);
});
