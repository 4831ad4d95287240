// Webhooks that get a part of the events: those of some companies, those about some record types.
import { beforeAll, describe, expect, it } from 'vitest';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';

const gateway = useGateway();
const url = 'https://93.184.216.34/hook';
let key: string;
const companies: number[] = [];

const post = (path: string, body: unknown): Promise<GatewayResponse> =>
  gateway.send('POST', `/api/v1/webhooks${path}`, { headers: { authorization: `Bearer ${key}` }, body });
const made = async (narrowing: Record<string, unknown>): Promise<string> =>
  (await post('', { url, topics: ['*'], ...narrowing })).body.data.id;

beforeAll(async () => {
  await gateway.stopWork();
  key = await gateway.key(['PLATFORM', 'INTEGRATIONS']);
  for (const name of ['North', 'South']) {
    const { body } = await gateway.graphql(
      key,
      'mutation($input: CreateCompanyInput!) { createCompany(input: $input) { company { ledgerId } } }',
      {
        input: { name, integrationType: 'SANDBOX' },
      },
    );
    companies.push(body.data.createCompany.company.ledgerId);
  }
});

/** A contact and an item in each company, and a corporation. */
async function change(): Promise<void> {
  for (const companyId of companies) {
    const input = { companyId: String(companyId), name: 'Changed' };
    await gateway.graphql(key, 'mutation($input: CreateContactInput!) { createContact(input: $input) { contact { id } } }', { input });
    await gateway.graphql(key, 'mutation($input: CreateItemInput!) { createItem(input: $input) { item { id } } }', { input });
  }
  const input = { legalName: 'Changed, Inc.', jurisdiction: 'US', state: 'DE', entityType: 'C_CORP' };
  await gateway.graphql(key, 'mutation($input: CreateCorporationInput!) { createCorporation(input: $input) { corporation { id } } }', {
    input,
  });
}

/** What was queued for a webhook: company and record type of each event. */
async function queued(id: string): Promise<[companyId: number | null, dataModel: string | null][]> {
  const { body } = await gateway.graphql(
    key,
    'query($id: ID!) { webhook(id: $id) { deliveries(first: 100) { nodes { event { companyId dataModel } } } } }',
    { id },
  );
  return body.data.webhook.deliveries.nodes.map(({ event }: { event: { companyId: number | null; dataModel: string | null } }) => [
    event.companyId,
    event.dataModel,
  ]);
}

describe('a narrowed webhook', () => {
  it('gets the events of its companies and of its record types alone; one that is not narrowed gets all', async () => {
    const [north, south] = companies as [number, number];
    const all = await made({});
    const ofNorth = await made({ company_ids: [north] });
    const contacts = await made({ data_models: ['CONTACT'] });
    const itemsOfSouth = await made({ company_ids: [south], data_models: ['ITEM'] });
    await change();
    const seen = await queued(all);
    expect(seen).toEqual(
      expect.arrayContaining([
        [north, 'CONTACT'],
        [south, 'CONTACT'],
        [north, 'ITEM'],
        [south, 'ITEM'],
        [null, null],
      ]),
    );
    expect(new Set((await queued(ofNorth)).map(([company]) => company))).toEqual(new Set([north]));
    expect(await queued(ofNorth)).toHaveLength(seen.filter(([company]) => company === north).length);
    expect((await queued(contacts)).sort()).toEqual([
      [north, 'CONTACT'],
      [south, 'CONTACT'],
    ]);
    expect(await queued(itemsOfSouth)).toEqual([[south, 'ITEM']]);
  });

  it('shows what it is narrowed to, is changed, and gets all events again with null', async () => {
    const [north] = companies as [number];
    const id = await made({ company_ids: [north], data_models: ['CONTACT'] });
    const read = async () =>
      (await gateway.graphql(key, 'query($id: ID!) { webhook(id: $id) { companyIds dataModels } }', { id })).body.data.webhook;
    expect(await read()).toEqual({ companyIds: [north], dataModels: ['CONTACT'] });
    expect((await post(`/${id}`, { data_models: ['ITEM', 'BILL'] })).status).toBe(200);
    expect(await read()).toEqual({ companyIds: [north], dataModels: ['ITEM', 'BILL'] });
    expect((await post(`/${id}`, { company_ids: null, data_models: null })).status).toBe(200);
    expect(await read()).toEqual({ companyIds: null, dataModels: null });
    await change();
    expect((await queued(id)).map(([company]) => company)).toContain(null);
  });

  it('a test is sent to it too', async () => {
    const id = await made({ data_models: ['CONTACT'] });
    expect((await post(`/test/trigger/${id}`, { event_data: {} })).status).toBe(200);
    expect(await queued(id)).toEqual([[null, null]]);
  });

  it('what cannot be is rejected by name, and nothing is stored', async () => {
    const foreignKey = await gateway.key(['INTEGRATIONS']);
    const { body } = await gateway.graphql(
      foreignKey,
      'mutation { createCompany(input: { name: "Foreign", integrationType: "SANDBOX" }) { company { ledgerId } } }',
    );
    const foreign = body.data.createCompany.company.ledgerId;
    const before = (await gateway.graphql(key, '{ webhooks { totalCount } }')).body;
    const refused: [Record<string, unknown>, string][] = [
      [{ company_ids: [] }, 'company_ids'],
      [{ company_ids: [foreign] }, 'company_ids'],
      [{ company_ids: [2_000_000_000] }, 'company_ids'],
      [{ company_ids: [companies[0], companies[0]] }, 'company_ids'],
      [{ company_ids: 'all' }, 'company_ids'],
      [{ data_models: ['NONE'] }, 'data_models.0'],
      [{ data_models: [] }, 'data_models'],
    ];
    for (const [narrowing, field] of refused) {
      const response = await post('', { url, topics: ['*'], ...narrowing });
      expect([response.status, response.body.error.code, response.body.error.details[0].field], JSON.stringify(narrowing)).toEqual([
        400,
        'INVALID_PARAMS',
        field,
      ]);
    }
    expect((await gateway.graphql(key, '{ webhooks { totalCount } }')).body).toEqual(before);
  });
});
