// A task that was added is planned with the change that asks for it, and runs once when its time has come.
import { expect, it } from 'vitest';
import { useGateway } from '../../../support/gateway.ts';
import { endPauses } from '../../../support/pauses.ts';
import { buildCompany } from '../../../support/records.ts';

const gateway = useGateway();

interface Job {
  state: string;
  retries: number;
  days: number;
}

const run = <T>(sql: string): Promise<T> => gateway.services.database.orm.em.getConnection().execute(sql) as Promise<T>;
const jobs = (): Promise<Job[]> =>
  run(
    `select state::text as state, retry_count::int as retries, round(extract(epoch from start_after - created_on) / 86400)::int as days
     from pgboss.job where name = 'disconnect-request-expiry'`,
  );

it('a disconnect request without a decision is cancelled after 30 days, by one run', async () => {
  const { id, key, headers } = await buildCompany(gateway);
  const ask = { headers, body: { data: { company_id: id } } };
  const made = await gateway.send('POST', '/v4/core/disconnect-requests', ask);
  expect(made.status, made.text).toBe(201);
  expect((await gateway.send('POST', '/v4/core/disconnect-requests', ask)).status).toBe(409);
  expect(await jobs()).toEqual([{ state: 'created', retries: 0, days: 30 }]);

  await endPauses(gateway.services, 'disconnect-request-expiry');
  const statuses = async (): Promise<string[]> => {
    const response = await gateway.graphql(key, '{ disconnectRequests { nodes { status } } }');
    return response.body.data.disconnectRequests.nodes.map(({ status }: { status: string }) => status);
  };
  // The test runner's own limit ends a wait that never does.
  while ((await jobs())[0]!.state !== 'completed') await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await statuses()).toEqual(['CANCELLED']);
  expect(await jobs()).toMatchObject([{ state: 'completed', retries: 0 }]);
});
