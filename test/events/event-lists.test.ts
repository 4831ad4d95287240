// The list of stored events: a key limited to some companies reads theirs however many others have.
import { expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';

const gateway = useGateway();

/** More than a list reads to find a page. */
const OTHERS = 25_000;
const OWN = 44;

it('a key limited to a company reads all of its events next to many of others', async () => {
  const key = await gateway.key(['INTEGRATIONS'], 'Eventful');
  const { id: many } = await buildCompany(gateway, { key });
  const { id: few } = await buildCompany(gateway, { key });
  const { organisationId } = (await gateway.services.keys.find(key))!;
  const insert = (companyId: number, count: number, from: number): Promise<unknown> =>
    systemTransaction(gateway.services.database, (em) =>
      executeIn(
        em,
        `insert into event (id, organisation_id, organization_id, topic, data, company_id, test, triggered_at, commit_order)
         select 'evt_' || lpad(($3::int + n)::text, 26, '0'), $1::bigint, 'org', 'SYNC_STARTED', '{}', $2::bigint, false, now(), $3::int + n
         from generate_series(1, $4::int) n`,
        [organisationId, companyId, from, count],
      ),
    );
  await insert(few, OWN, 0);
  await insert(many, OTHERS, OWN);
  const limited = await gateway.key(['INTEGRATIONS'], 'Eventful', [few]);
  for (const caller of [limited, key]) {
    const filter = caller === key ? `, filter: { companyId: { eq: ${few} } }` : '';
    const { body } = await gateway.graphql(caller, `{ events(first: 50${filter}) { nodes { companyId } pageInfo { hasNextPage } } }`);
    expect(body.errors).toBeUndefined();
    expect(body.data.events.nodes.length).toBeGreaterThanOrEqual(OWN);
    expect(body.data.events.pageInfo.hasNextPage).toBe(false);
  }
  const broad = await gateway.graphql(key, '{ events(first: 50, filter: { dataModel: { eq: "none" } }) { nodes { id } } }');
  expect(broad.body.errors[0]).toMatchObject({
    extensions: { code: 'FILTER_TOO_BROAD' },
    message: expect.stringContaining('Indexes have id, companyId'),
  });
}, 120_000);
