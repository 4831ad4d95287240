// The screens of docs/guides/screens.md: one request each, few statements, and the values that a plain evaluation of the records gives.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { packagePath } from '../../src/runtime/package-root.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';
import { startReceiver } from '../support/receiver.ts';
import { registrationBody } from '../support/registrations.ts';
import { statementsOf } from '../support/statements.ts';

const page = readFileSync(packagePath('docs', 'guides', 'screens.md'), 'utf8');
const operations = new Map([...page.matchAll(/```graphql\n(query (\w+)[\s\S]*?)```/g)].map(([, text, name]) => [name!, text!]));
const [, dashboardVariables] = /```json\n([\s\S]*?)```/.exec(page)!;

const gateway = useGateway({ webhookAllowPrivate: true, rateLimitPerMinute: 0 });
const MAX_REQUESTS = 3;

let key: string;
let company: string;

interface Order {
  id: string;
  documentNumber: string;
  postedDate: string | null;
  status: string;
  totalAmount: number;
  currencyId: string;
  contact: { id: string; name: string };
}

const orders: Order[] = [];
const corporations = new Map<string, { products: number; registrations: number }>();
const delivered: Record<string, number> = {};

async function mutate(query: string, variables: object = {}): Promise<GatewayResponse['body']> {
  const { body, text } = await gateway.graphql(key, query, { ...variables });
  expect(body.errors, text).toBeUndefined();
  return body.data;
}

/** Purchase orders of a company: six states, three currencies, amounts with cents, some without a date. */
async function seedOrders(): Promise<void> {
  company = (await mutate('mutation { createCompany(input: { name: "Screens" }) { company { id } } }')).createCompany.company.id;
  const names = ['Acme Ltd', 'ÁCME Paper', 'Birch & Sons', 'Cedar GmbH', 'Drift Wood', 'Elm Acme Co'];
  const contacts = (
    await mutate(
      'mutation($c: ID!, $data: [ContactInput!]!) { createContacts(input: { companyId: $c, records: $data }) { contacts { id name } } }',
      {
        c: company,
        data: names.map((name, index) => ({ platformId: `c${index}`, name })),
      },
    )
  ).createContacts.contacts as Order['contact'][];
  const states = ['DRAFT', 'SUBMITTED', 'AUTHORIZED', 'BILLED', 'PAID', 'VOID'];
  const data = Array.from({ length: 400 }, (_, n) => ({
    platformId: `po${n}`,
    documentNumber: `PO-${n}`,
    contactId: contacts[(n * 7) % contacts.length]!.id,
    status: states[(n * 5) % states.length]!,
    currencyId: ['EUR', 'EUR', 'USD', 'GBP'][n % 4]!,
    totalAmount: ((n * 7_919) % 800_000) / 100,
    postedDate: n % 17 === 0 ? null : new Date(Date.UTC(2026, n % 7, 1 + (n % 28), n % 24)).toISOString(),
  }));
  for (let from = 0; from < data.length; from += 100) {
    const made = await mutate(
      'mutation($c: ID!, $data: [PurchaseOrderInput!]!) { createPurchaseOrders(input: { companyId: $c, records: $data }) { purchaseOrders { id } } }',
      { c: company, data: data.slice(from, from + 100) },
    );
    for (const [index, { id }] of made.createPurchaseOrders.purchaseOrders.entries()) {
      const { contactId, platformId: _, ...own } = data[from + index]!;
      orders.push({ id, ...own, contact: contacts.find((contact) => contact.id === contactId)! });
    }
  }
}

async function seedPlatform(): Promise<void> {
  const caller = await platformCaller(gateway, '/api/v1', 'Screens');
  for (let n = 0; n < 8; n++) {
    const legal_name = `Corporation ${n}`;
    const id = await caller.corporation({ legal_name, jurisdiction: 'US' });
    for (let made = 0; made < n % 4; made++) await caller.product(id);
    if (n % 2) expect((await caller.send('POST', '/registrations', registrationBody(id))).status).toBe(201);
    corporations.set(legal_name, { products: n % 4, registrations: n % 2 });
  }
  const receiver = await startReceiver((request, response) => response.writeHead(request.path.includes('bad') ? 500 : 200).end());
  for (const name of ['good', 'bad']) {
    const made = await caller.send('POST', '/webhooks', { url: `${receiver.url}/${name}`, name, topics: ['corporations.updated'] });
    expect(made.body.data, made.text).toBeDefined();
    delivered[made.body.data.id] = 5;
  }
  const [{ id }] = (await mutate('{ corporations(first: 1) { nodes { id } } }')).corporations.nodes;
  for (let n = 0; n < 5; n++)
    await mutate('mutation($input: UpdateCorporationInput!) { updateCorporation(input: $input) { corporation { id } } }', {
      input: { id, website: `https://example.com/${n}` },
    });
  await receiver.arrived(10);
  const attempted = '{ webhookDeliveries(first: 50, filter: { attempts: { some: {} } }) { totalCount } }';
  while ((await mutate(attempted)).webhookDeliveries.totalCount < 10) await new Promise((resolve) => setTimeout(resolve, 20));
  // A second attempt, which some seconds later would find no reader, is no part of the screen.
  await gateway.stopWork();
  await receiver.stop();
}

beforeAll(async () => {
  key = await gateway.key(['PLATFORM', 'INTEGRATIONS'], 'Screens');
  await seedOrders();
  await seedPlatform();
}, 240_000);

/** The response of a screen, once it is known to take at most as many statements; prints what it weighs. */
async function show(name: string, most: number, variables: Record<string, unknown> = {}): Promise<GatewayResponse['body']> {
  const query = operations.get(name)!;
  const read = async (): Promise<GatewayResponse> => {
    const response = await gateway.graphql(key, query, variables);
    expect(response.body.errors, response.text).toBeUndefined();
    return response;
  };
  const response = await read();
  const before = process.cpuUsage();
  const spent = await statementsOf(gateway.services.database, read);
  const { user, system } = process.cpuUsage(before);
  console.info(
    `${name}: ${response.text.length} bytes, ${spent} statements, ${((user + system) / 4_000).toFixed(1)} ms CPU with the client`,
  );
  expect(spent, name).toBeLessThanOrEqual(most);
  return response.body.data;
}

describe('the page', () => {
  it('the requests to /graphql in the README succeed', async () => {
    const readme = readFileSync(packagePath('README.md'), 'utf8');
    const requests = [...readme.matchAll(/-d '(\{"query":[^']*)'/g)].map(([, body]) => JSON.parse(body!).query as string);
    expect(requests).not.toEqual([]);
    const number = company.replace('company_', '');
    for (const query of requests) {
      const response = await gateway.graphql(key, query.replace('company_1', company).replace('id: 1)', `id: ${number})`));
      expect(response.body.errors, response.text).toBeUndefined();
    }
  });

  it('it has an operation for each screen, and none needs more than three', () => {
    expect([...operations.keys()]).toEqual(['Dashboard', 'Onboarding', 'Webhooks']);
    for (const text of operations.values()) expect(text.match(/^query /gm)!.length).toBeLessThanOrEqual(MAX_REQUESTS);
  });
});

describe('dashboard', () => {
  const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const { filter, currency, ...example } = JSON.parse(dashboardVariables!);
  const matching = (): Order[] =>
    orders.filter(
      ({ totalAmount, contact }) =>
        totalAmount >= filter.totalAmount.gte && totalAmount <= filter.totalAmount.lte && plain(contact.name).includes('acme'),
    );

  it.each([0, 50, 100])('the table has the orders of the page after the first %d, by amount', async (offset) => {
    const { company: shown } = await show('Dashboard', 5, { ...example, filter, currency, company, offset });
    const expected = matching().sort((a, b) => b.totalAmount - a.totalAmount || Number(b.id.slice(15)) - Number(a.id.slice(15)));
    expect(expected.length).toBeGreaterThan(100);
    expect(shown.purchaseOrders).toEqual({
      totalCount: expected.length,
      totalCountIsEstimate: false,
      nodes: expected.slice(offset, offset + 50),
    });
  });

  it('by date, those without one last', async () => {
    const orderBy = [{ field: 'POSTED_DATE', direction: 'DESC', nulls: 'LAST' }];
    const { company: shown } = await show('Dashboard', 5, { orderBy, currency, company, offset: 350 });
    const expected = [...orders].sort(
      (a, b) => (b.postedDate ?? '').localeCompare(a.postedDate ?? '') || Number(b.id.slice(15)) - Number(a.id.slice(15)),
    );
    expect(shown.purchaseOrders.nodes).toEqual(expected.slice(350));
    expect(shown.purchaseOrders.nodes.at(-1).postedDate).toBeNull();
    const newest = shown.newest.nodes.map(({ ledgerUpdatedAt }: { ledgerUpdatedAt: string }) => ledgerUpdatedAt);
    expect(newest).toEqual([...newest].sort().reverse());
    expect(newest).toHaveLength(10);
  });

  it('sums by status and month, in one currency, are exact', async () => {
    const { company: shown } = await show('Dashboard', 5, { currency, company });
    const cents = new Map<string, { count: number; cents: number }>();
    for (const { currencyId, status, postedDate, totalAmount } of orders) {
      if (currencyId !== currency) continue;
      const group = `${status} ${postedDate?.slice(0, 7) ?? null}`;
      const known = cents.get(group) ?? { count: 0, cents: 0 };
      cents.set(group, { count: known.count + 1, cents: known.cents + Math.round(totalAmount * 100) });
    }
    const { groups, totalCount } = shown.purchaseOrdersSummary;
    const seen = groups.map(({ key: [status, month], count, sum }: { key: { value: string | null }[]; count: number; sum: Order }) => [
      `${status!.value} ${month!.value?.slice(0, 7) ?? null}`,
      { count, cents: Math.round(sum.totalAmount * 100) },
    ]);
    expect(new Map(seen)).toEqual(cents);
    expect(totalCount).toBe(200);
  });
});

describe('onboarding', () => {
  it('the viewer, the corporations with their numbers, and the choices of the next step', async () => {
    const shown = await show('Onboarding', 7);
    expect(shown.viewer).toMatchObject({ organisation: { name: 'Screens' }, companies: [{ id: company, name: 'Screens' }] });
    expect([...shown.viewer.roles].sort()).toEqual(['INTEGRATIONS', 'PLATFORM']);
    const numbers = shown.corporations.nodes.map(
      ({
        legalName,
        products,
        registrations,
      }: {
        legalName: string;
        products: { totalCount: number };
        registrations: { totalCount: number; nodes: unknown[] };
      }) => {
        expect(registrations.nodes).toHaveLength(registrations.totalCount);
        return [legalName, { products: products.totalCount, registrations: registrations.totalCount }];
      },
    );
    expect(new Map(numbers)).toEqual(corporations);
    expect(numbers.map(([name]: [string]) => name)).toEqual([...corporations.keys()].sort());
    const countries = shown.incorporationCountries.map(({ country }: { country: string }) => country);
    expect(countries).toEqual(expect.arrayContaining(['US']));
    for (const { types } of shown.incorporationCountries) expect(types.length).toBeGreaterThan(0);
    for (const { regexString } of shown.taxIdKinds) expect(() => new RegExp(regexString)).not.toThrow();
  });
});

describe('webhooks', () => {
  it('webhooks with their deliveries and states, the failing ones with their attempts, and the events', async () => {
    const shown = await show('Webhooks', 12);
    expect(shown.webhooks.totalCount).toBe(2);
    for (const { id, name, deliveries, deliveriesSummary } of shown.webhooks.nodes) {
      expect(deliveries.nodes).toHaveLength(3);
      expect(deliveriesSummary.groups).toEqual([{ key: [{ value: name === 'good' ? 'DELIVERED' : 'PENDING' }], count: delivered[id] }]);
      for (const { event } of deliveries.nodes) expect(event.topic).toBe('CORPORATIONS_UPDATED');
    }
    expect(shown.failing.totalCount).toBe(5);
    for (const { webhook, attempts, status, nextAttemptAt } of shown.failing.nodes) {
      expect([webhook.name, status]).toEqual(['bad', 'PENDING']);
      expect(attempts).toEqual([expect.objectContaining({ status: 500 })]);
      expect(nextAttemptAt > attempts[0].at).toBe(true);
    }
    expect(shown.events.nodes.length).toBeGreaterThanOrEqual(5);
  });
});
