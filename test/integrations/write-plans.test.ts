// Writes find records through indexes. The plans of their statements are checked as the role of the gateway, in a company where thousands of lines
// have the same few ids.
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { onConnection, type PlanNode, type Run, scansOf, writesOf } from '../support/plans.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { isOnWorkers } from '../support/server.ts';
import { endOfSync } from '../support/syncs.ts';

const RECORDS = 600;
const LINES = 4;
/** More than a request of one record may look at in any table. */
const MANY = 100;

const UNDONE = 'undone';

interface Explained {
  'QUERY PLAN': [{ Plan: PlanNode }];
}

const order = (number: number, total: number) => ({
  platform_id: `order-${number}`,
  document_number: `PO-${number}`,
  total_amount: total,
  contact: { platform_id: `contact-${number}` },
  line_items: Array.from({ length: LINES }, (_, line) => ({
    platform_id: `${line}`,
    name: `Line ${line}`,
    total_amount: total,
    item: { platform_id: `item-${number}` },
  })),
});

describe.skipIf(isOnWorkers)('plans of writes', () => {
  const gateway = useGateway();
  let company: TestCompany;
  let organisationId: number;

  const put = (records: string, data: unknown, query = '') =>
    gateway.send('PUT', `${company.base}/${records}${query}`, { headers: company.headers, body: { data } });
  const store = async (records: string, make: (number: number) => unknown): Promise<void> => {
    const data = Array.from({ length: RECORDS }, (_, number) => make(number));
    const { body } = await put(records, data, '?run_async=true');
    expect((await endOfSync(gateway, company, body.data.sync_id)).status).toBe('SUCCESS');
  };
  const runOnce: Run = (text, values) => onConnection(gateway.services.database, (run) => run(text, values));

  beforeAll(async () => {
    company = await buildCompany(gateway);
    await store('contacts', (number) => ({ platform_id: `contact-${number}`, name: `Contact ${number}` }));
    await store('items', (number) => ({ platform_id: `item-${number}`, name: `Item ${number}` }));
    await store('purchase_orders', (number) => order(number, 1));
    const { rows } = await runOnce('select organisation_id from company where ledger_id = $1', [company.id]);
    organisationId = Number(rows[0]!.organisation_id);
    await runOnce('analyze');
  }, 120_000);

  it('a table that has grown is analyzed', async () => {
    const analyzed = async (): Promise<boolean> => {
      const { rows } = await runOnce(`select relpages from pg_class where relname = 'expense'`);
      return Number(rows[0]!.relpages) > 0;
    };
    expect(await analyzed()).toBe(false);
    await store('expenses', (number) => ({ platform_id: `expense-${number}`, memo: 'A long memo. '.repeat(40) }));
    while (!(await analyzed())) await setTimeout(50);
  });

  /** The scans that looked at many rows, by running the statements of an accepted request once more without storing anything. */
  async function broadScans(request: () => Promise<GatewayResponse>): Promise<string[]> {
    const scans: string[] = [];
    const statements = await writesOf(async () => expect((await request()).status).toBeLessThan(300));
    const finding = statements.filter(({ sql }) => /^\s*(select|with|update|delete)\b/i.test(sql));
    expect(finding.length).toBeGreaterThan(1);
    for (const { sql, parameters } of finding) {
      const undone = organisationTransaction(gateway.services.database, organisationId, async (em) => {
        const [row] = await executeIn<Explained>(em, `explain (analyze, timing off, format json) ${sql}`, [...parameters]);
        const broad = scansOf(row!['QUERY PLAN'][0].Plan).filter(({ rows }) => rows > MANY);
        scans.push(...broad.map(({ how, table, rows }) => `${how} on ${table}: ${rows}`));
        throw new Error(UNDONE);
      });
      // What a statement inserts is there already; such statements find nothing.
      await expect(undone).rejects.toThrow(sql.includes('insert into') ? /duplicate key|undone/ : UNDONE);
    }
    return scans;
  }

  it('a document that is written again finds its own lines, whatever other lines have their ids', async () => {
    expect(await broadScans(() => put('purchase_orders', order(7, 2)))).toEqual([]);
  });

  it.each(['contacts', 'items', 'line_items', 'purchase_orders'])('a new record of %s finds what it has to by indexes', async (records) => {
    expect(await broadScans(() => put(records, { platform_id: 'new' }))).toEqual([]);
  });

  it.each(['contacts', 'items', 'purchase_orders'])(
    'a record of %s that is deleted finds what refers to it by indexes',
    async (records) => {
      const { body } = await gateway.send('GET', `${company.base}/${records}`, { headers: company.headers });
      const path = `${company.base}/${records}/${body.data[0].ledger_id}`;
      expect(await broadScans(() => gateway.send('DELETE', path, { headers: company.headers }))).toEqual([]);
    },
  );
});
