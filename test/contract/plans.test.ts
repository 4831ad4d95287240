// Lists and records are found through indexes: the query plans of the statements that the reader sends, on filled and analyzed tables.
import { beforeAll, describe, expect, it } from 'vitest';
import { accountOf, COMPANY, fillDataset } from '../bench/dataset.ts';
import { useGateway } from '../support/gateway.ts';
import { captured, onConnection, planOf, type Sent, scansOf, tablesAbove } from '../support/plans.ts';

/** Organisations next to the requesting one, each with as many rows. */
const OTHERS = 20;
const EACH = 200;

/** Rows of the platform tables; the numbers of the first organisation belong to the requesting one. */
const platformRoutes = [
  `insert into organisation (id, public_id, name, created_at) select 1000 + o, 'org_' || o, 'Other ' || o, now() from generate_series(1, ${OTHERS}) o`,
  `insert into corporation (id, organisation_id, legal_name, jurisdiction, tax_ids, created_at, updated_at)
     select 'corp_' || o, 1000 + o, 'Blue Ltd', 'GB', '[]', now(), now() from generate_series(0, ${OTHERS}) o`,
  `insert into product (id, organisation_id, corporation_id, name, sku, tax_code, codes, source_platform, created_at, updated_at)
     select 'prod_' || o || '_' || n, 1000 + o, 'corp_' || o, 'Thing', 'S-' || n, 'TPP', '{}', 'OTHER', now(), now() from generate_series(0, ${OTHERS}) o, generate_series(1, ${EACH}) n`,
  `insert into registration (id, organisation_id, corporation_id, registration_content_id, jurisdiction_id, jurisdiction_type, jurisdiction_name, registration_type, stored_status, validation_status, input_values, registered_by, created_at, updated_at)
     select 'reg_' || o || '_' || n, 1000 + o, 'corp_' || o, 'content-' || n, 'GB', 'COUNTRY', 'United Kingdom', 'VAT', 'DRAFT', 'PENDING', '{}', 'USER', now(), now() from generate_series(0, ${OTHERS}) o, generate_series(1, ${EACH}) n`,
  `insert into webhook (id, organisation_id, url, topics, secret_preview, status, created_at, updated_at, sealed_secret)
     select 'whk_' || o || '_' || n, 1000 + o, 'https://example.com/', '["ALL"]', '-', 'ENABLED', now(), now(), '-' from generate_series(0, ${OTHERS}) o, generate_series(1, ${EACH}) n`,
  `insert into webhook_delivery (id, organisation_id, webhook_id, event_id, status, turn, attempts_left, created_at)
     select 'dlv_' || o || '_' || n, 1000 + o, 'whk_' || o || '_1', 'evt_' || n, 'DELIVERED', 1, 0, now() from generate_series(0, ${OTHERS}) o, generate_series(1, ${EACH}) n`,
  `insert into event (id, organisation_id, organization_id, topic, data, test, triggered_at, commit_order)
     select 'evt_' || o || '_' || n, 1000 + o, 'org_' || o, 'PRODUCTS_CREATED', '{}', false, now(), n from generate_series(0, ${OTHERS}) o, generate_series(1, ${EACH}) n`,
  'analyze',
];

describe('plans of reads', () => {
  const gateway = useGateway();
  let sent: Sent[];
  let key: string;
  /** PostgreSQL rightly reads a table of a few pages whole, so only tables of more than a thousand rows are judged. */
  let large: Set<unknown>;

  beforeAll(async () => {
    const { database } = gateway.services;
    await onConnection(database, async (run) => {
      await fillDataset(run, { companies: 100, notes: 100 });
      for (const text of platformRoutes) await run(text);
      large = await tablesAbove(run, 1_000);
    });
    key = await gateway.key(['INTEGRATIONS', 'PLATFORM'], 'Bench');
    sent = captured(database);
  }, 180_000);

  /** Every node that reads a large table, in the generic plans of the statements of a request. */
  async function scansFor(path: string): Promise<string[]> {
    sent.length = 0;
    const response = await gateway.send('GET', path, {
      headers: { api_key: key, authorization: `Bearer ${key}`, 'apollo-require-preflight': 'true' },
    });
    expect(response.status, response.text).toBe(200);
    const read = [...sent];
    return onConnection(gateway.services.database, async (run) => {
      const scans: string[] = [];
      for (const one of read)
        for (const { how, table } of scansOf(await planOf(run, one, false))) if (large.has(table)) scans.push(`${how} on ${table}`);
      return scans;
    });
  }

  const company = `/v4/core/companies/${COMPANY}`;
  it.each([
    ['a list', `${company}/bill_credit_notes?limit=100&status[eq]=PAID`, 'bill_credit_note'],
    ['an expanded list', `${company}/bill_credit_notes?limit=100&expand=contact,currency,line_items`, 'line_item'],
    ['a list by time of change', `${company}/bill_credit_notes?ledger_updated_at[gte]=2026-02-01T00:01:00Z`, 'bill_credit_note'],
    ['one record', `${company}/accounts/${accountOf(COMPANY)}`, 'account'],
    ['products', '/api/v1/products?corporation_id=corp_0', 'product'],
    ['registrations', '/graphql?query={registrations(input:{corporationId:"corp_0"}){registrations{id}}}', 'registration'],
    ['the changes of a company', `${company}/changes?limit=100`, 'bill_credit_note'],
    ['the events of an organisation', '/api/v1/events', 'event'],
    ['deliveries of a webhook', '/api/v1/webhooks/whk_0_1/deliveries', 'webhook_delivery'],
  ])('%s is read through an index', async (_, path, table) => {
    const scans = await scansFor(path);
    expect(
      scans.some((scan) => scan.endsWith(` on ${table}`)),
      scans.join(),
    ).toBe(true);
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
  });

  it('what an index finds by a text is not checked for the text again', async () => {
    await scansFor(`${company}/contacts?name[contains]=mar&status[eq]=ACTIVE`);
    const { text } = sent.find(({ statement }) => statement.text.includes('with found'))!.statement;
    expect(text.match(/folded_text\(t\.name\) like/g)).toHaveLength(1);
    expect(text.match(/t\.status =/g)).toHaveLength(1);
  });

  it('a rarely used record is read by as many statements, through the same kind of plan, as a common one', async () => {
    const shape = async (list: string, table: string) => {
      const scans = await scansFor(`${company}/${list}?limit=100&expand=contact,line_items`);
      return { statements: sent.length, scans: scans.map((scan) => scan.replaceAll(table, 'the table')) };
    };
    const common = await shape('bill_credit_notes', 'bill_credit_note');
    expect(common.scans.length).toBeGreaterThan(2);
    expect(await shape('goods_receipt_notes', 'goods_receipt_note')).toEqual(common);
  });
});
