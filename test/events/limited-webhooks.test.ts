// Keys limited to some companies: the webhooks limited to companies of these, what was sent to them, and nothing of any other webhook.
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();
const url = 'https://93.184.216.34/hook';
let whole: string;
let limited: string;
const companies: number[] = [];
/** The webhooks of the organisation, by what they are limited to. */
const webhooks = new Map<string, string>();

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
const run = async (key: string, query: string, variables: Record<string, unknown> = {}): Promise<{ data: any; errors?: any[] }> =>
  (await gateway.graphql(key, query, variables)).body;
/** The data of an operation without errors. */
const read = async (...given: Parameters<typeof run>) => {
  const { data, errors } = await run(...given);
  expect(errors).toBeUndefined();
  return data;
};
const CREATE = 'mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id companyIds } } }';
const create = (key: string, companyIds?: number[] | null) =>
  run(key, CREATE, { input: { url, topics: ['ALL'], ...(companyIds === undefined ? {} : { companyIds }) } });

beforeAll(async () => {
  await gateway.stopWork();
  whole = await gateway.key(['PLATFORM', 'INTEGRATIONS'], 'Limits');
  for (const name of ['North', 'South', 'West']) {
    const { data } = await run(whole, 'mutation($input: CreateCompanyInput!) { createCompany(input: $input) { company { ledgerId } } }', {
      input: { name, integrationType: 'SANDBOX' },
    });
    companies.push(data.createCompany.company.ledgerId);
  }
  const [north, south, west] = companies as [number, number, number];
  limited = await gateway.key(['PLATFORM', 'INTEGRATIONS'], 'Limits', [north, west]);
  const limits: [string, number[] | null][] = [
    ['all', null],
    ['south', [south]],
    ['north and south', [north, south]],
    ['north', [north]],
    ['north and west', [north, west]],
  ];
  for (const [name, companyIds] of limits) webhooks.set(name, (await create(whole, companyIds)).data.createWebhook.webhook.id);
  for (const companyId of companies)
    await run(whole, 'mutation($input: CreateContactInput!) { createContact(input: $input) { contact { id } } }', {
      input: { companyId: String(companyId), name: 'Changed' },
    });
});

const own = (): string[] => ['north', 'north and west'].map((name) => webhooks.get(name)!).sort();
const others = (): [string, string][] => [...webhooks].filter(([, id]) => !own().includes(id));
const DELIVERIES = 'nodes { id webhookId event { companyId } attempts { id } }';

describe('what a limited key sees', () => {
  it('lists, counts and finds its webhooks by id and by node', async () => {
    const data = await read(limited, '{ webhooks { totalCount nodes { id } } webhooksSummary { groups { count } } }');
    expect(data.webhooks.nodes.map(({ id }: { id: string }) => id).sort()).toEqual(own());
    expect([data.webhooks.totalCount, data.webhooksSummary.groups]).toEqual([2, [{ count: 2 }]]);
    const ONE = 'query($id: ID!) { webhook(id: $id) { id statistics { attempts } } node(id: $id) { id } }';
    for (const id of own()) expect((await run(limited, ONE, { id })).data).toMatchObject({ webhook: { id }, node: { id } });
    for (const [name, id] of others()) {
      const { data: found, errors } = await run(limited, ONE, { id });
      expect([found.webhook, found.node, errors![0].extensions.code], name).toEqual([null, null, 'WEBHOOK_NOT_FOUND']);
    }
  });

  it('reads the deliveries to its webhooks, with events of its companies alone, from every place', async () => {
    const data = await read(
      limited,
      `{ webhookDeliveries(first: 100) { ${DELIVERIES} } webhooks { nodes { deliveries { ${DELIVERIES} } } } }`,
    );
    const sent = data.webhookDeliveries.nodes;
    expect(new Set(sent.map(({ webhookId }: { webhookId: string }) => webhookId))).toEqual(new Set(own()));
    const [north, , west] = companies;
    expect(new Set(sent.map(({ event }: { event: { companyId: number } }) => event.companyId))).toEqual(new Set([north, west]));
    const nested = data.webhooks.nodes.flatMap(({ deliveries }: { deliveries: { nodes: object[] } }) => deliveries.nodes);
    expect(nested).toHaveLength(sent.length);
    const all = (await run(whole, `{ webhookDeliveries(first: 100) { ${DELIVERIES} } }`)).data.webhookDeliveries.nodes;
    expect(all.length).toBeGreaterThan(sent.length);
    const NODE = 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const ids = all.map(({ id }: { id: string }) => id);
    const found = (await run(limited, NODE, { ids })).data.nodes.filter((node: object | null) => node !== null);
    expect(found.map(({ id }: { id: string }) => id).sort()).toEqual(sent.map(({ id }: { id: string }) => id).sort());
  });

  it('an event of a company has the deliveries to its webhooks alone', async () => {
    const data = await read(limited, '{ events(first: 100) { nodes { companyId deliveries { nodes { webhookId } } } } }');
    expect(data.events.nodes.length).toBeGreaterThan(0);
    for (const { deliveries } of data.events.nodes) for (const { webhookId } of deliveries.nodes) expect(own()).toContain(webhookId);
  });
});

describe('what a limited key changes', () => {
  it('registers webhooks for its companies, which it has to name', async () => {
    const [north, south, west] = companies as [number, number, number];
    const { data } = await create(limited, [west]);
    expect(data.createWebhook.webhook.companyIds).toEqual([west]);
    const before = (await run(whole, '{ webhooks { totalCount } }')).data;
    for (const companyIds of [undefined, null, [], [south], [north, south]]) {
      const { errors } = await create(limited, companyIds);
      expect([errors![0].extensions.field], JSON.stringify(companyIds)).toEqual(['input.companyIds']);
    }
    expect((await run(whole, '{ webhooks { totalCount } }')).data).toEqual(before);
    const { id } = data.createWebhook.webhook;
    const UPDATE = 'mutation($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { companyIds } } }';
    expect((await run(limited, UPDATE, { input: { id, companyIds: [north] } })).data.updateWebhook.webhook.companyIds).toEqual([north]);
    for (const companyIds of [null, [south]])
      expect((await run(limited, UPDATE, { input: { id, companyIds } })).errors![0].extensions.field).toBe('input.companyIds');
    await run(limited, 'mutation($id: ID!) { deleteWebhook(input: { id: $id }) { webhook { id } } }', { id });
    expect((await run(limited, '{ webhooks { totalCount } }')).data.webhooks.totalCount).toBe(2);
  });

  const OF_WEBHOOK = {
    updateWebhook: 'mutation($id: ID!) { updateWebhook(input: { id: $id, name: "Taken" }) { webhook { id } } }',
    enableWebhook: 'mutation($id: ID!) { enableWebhook(input: { id: $id }) { webhook { id } } }',
    triggerWebhookTest: 'mutation($id: ID!) { triggerWebhookTest(input: { id: $id, eventData: {} }) { delivery { id } } }',
    replayWebhookDeliveries:
      'mutation($id: ID!) { replayWebhookDeliveries(input: { webhookId: $id, since: "2020-01-01T00:00:00Z" }) { queued } }',
    deleteWebhook: 'mutation($id: ID!) { deleteWebhook(input: { id: $id }) { webhook { id } } }',
  };

  it.each(Object.entries(OF_WEBHOOK))('%s finds no webhook that it does not see, as if it were not there', async (_, mutation) => {
    const state = () => run(whole, '{ webhooks { nodes { id name updatedAt status } } webhookDeliveries { totalCount } }');
    const before = await state();
    const errorOf = async (id: string) => {
      const { errors } = await run(limited, mutation, { id });
      const { code, field } = errors![0].extensions;
      return { code, field, message: errors![0].message };
    };
    const missing = await errorOf('whk_00000000000000000000000000');
    expect(missing.code).toBe('WEBHOOK_NOT_FOUND');
    for (const [name, id] of others()) expect(await errorOf(id), name).toEqual(missing);
    expect(await state()).toEqual(before);
  });

  it('retries the deliveries to its webhooks, and finds no other', async () => {
    const RETRY = 'mutation($id: ID!) { retryWebhookDelivery(input: { id: $id }) { delivery { id } } }';
    const { nodes } = (await run(whole, `{ webhookDeliveries(first: 100) { ${DELIVERIES} } }`)).data.webhookDeliveries;
    const missing = (await run(limited, RETRY, { id: 'dlv_00000000000000000000000000' })).errors![0];
    for (const { id, webhookId } of nodes) {
      const { errors } = await run(limited, RETRY, { id });
      const { message } = errors?.[0] ?? {};
      if (own().includes(webhookId)) expect(message).not.toBe(missing.message);
      else expect(message).toBe(missing.message);
    }
  });
});
