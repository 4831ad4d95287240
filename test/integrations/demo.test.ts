// The demo company: present after the first start, the same in every organisation, and without a broken rule.
import { beforeAll, expect, it } from 'vitest';
import { seedIntegrationsDemo } from '../../src/integrations/demo/seed.ts';
import { namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { listName } from '../support/records.ts';

const gateway = useGateway();
const names = ['Demo one', 'Demo two'];

beforeAll(async () => {
  for (const name of [...names, names[0]!]) {
    const principal = await gateway.services.keys.find(await gateway.key(['INTEGRATIONS'], name));
    await seedIntegrationsDemo(gateway.services, { id: principal!.organisationId! });
  }
});

/** Every record of the only company of an organisation, without the members that differ from seed to seed. */
async function contentOf(name: string): Promise<unknown[]> {
  const headers = { api_key: await gateway.key(['INTEGRATIONS'], name) };
  const companies = (await gateway.send('GET', '/v4/core/companies', { headers })).body.data;
  expect(companies).toHaveLength(1);
  const found = [];
  for (const record of ledgerRecords) {
    const response = await gateway.send('GET', `/v4/core/companies/${companies[0].ledger_id}/${listName(record)}`, { headers });
    expect(response.body.data.length, namesOf(record).one).toBeGreaterThan(0);
    found.push(JSON.parse(JSON.stringify(response.body.data, (field, value) => (/_id$|_ids$|^ledger_/.test(field) ? undefined : value))));
  }
  return found;
}

it('every record type has demo records, the same in every organisation and seeded once', async () => {
  expect(await contentOf(names[0]!)).toEqual(await contentOf(names[1]!));
});

it('no demo record breaks an integrity rule', async () => {
  const key = await gateway.key(['INTEGRATIONS'], names[0]!);
  const lists = ledgerRecords.map(
    (record) => `${namesOf(record).many}(first: 100) { nodes { platformId integrityIssues { rule message } } }`,
  );
  for (const list of lists) {
    const response = await gateway.graphql(key, `{ companies { nodes { ledgerId } } }`);
    const id = response.body.data.companies.nodes[0].ledgerId;
    const read = await gateway.graphql(key, `{ company(id: ${id}) { ${list} } }`);
    const [page] = Object.values(read.body.data.company) as { nodes: { integrityIssues: unknown[] }[] }[];
    expect(page!.nodes.filter((node) => node.integrityIssues.length > 0)).toEqual([]);
  }
});
