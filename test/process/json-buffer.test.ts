// Responses are written into buffers that are reused: concurrent callers of different organisations each get their own records, also when some
// of them hang up.
import { once } from 'node:events';
import { request } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway();
const names = ['blue', 'grün', 'red'];
const companies: TestCompany[] = [];

beforeAll(async () => {
  for (const name of names) {
    const company = await buildCompany(gateway);
    companies.push(company);
    const data = Array.from({ length: 100 }, (_, index) => ({
      platform_id: `${name}-${index}`,
      description: `${name} `.repeat(300),
      line_items: [{ platform_id: 'one', name }],
    }));
    const accepted = await gateway.send('PUT', `${company.base}/purchase_orders?run_async=true`, {
      headers: company.headers,
      body: { data },
    });
    expect(await endOfSync(gateway, company, accepted.body.data.sync_id)).toMatchObject({ status: 'SUCCESS' });
  }
});

const list = 'purchase_orders?limit=100&expand=line_items';

/** Asks for a list and closes the connection at its first chunk. */
async function hangUp({ base, headers }: TestCompany): Promise<void> {
  const asked = request(`${gateway.origin}${base}/${list}`, { headers });
  asked.on('error', () => {});
  asked.end();
  const [response] = await once(asked, 'response');
  await once(response, 'data');
  response.destroy();
}

it('240 lists of three organisations at once hold the records of their own organisation', async () => {
  const asked = Array.from({ length: 240 }, async (_, index) => {
    const mine = index % names.length;
    const { base, headers } = companies[mine]!;
    if (index % 5 === 0) return hangUp(companies[mine]!);
    const { body } = await gateway.send('GET', `${base}/${list}`, { headers });
    const found = body.data.map((row: { description: string; line_items: { name: string }[] }) => [
      row.description,
      row.line_items[0]!.name,
    ]);
    expect(found).toEqual(Array.from({ length: 100 }, () => [`${names[mine]} `.repeat(300), names[mine]]));
  });
  await Promise.all(asked);
});
