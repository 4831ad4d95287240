// Tables are analyzed when what was stored has been committed: ANALYZE sees no rows of an open transaction, and would leave the planner with next to none.
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { serverUrl, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
});

/** Stores 5,000 rows of a table past the gateway. */
const stored = (table: string): string =>
  `insert into ${table} (ledger_id, organisation_id, company_id, ledger_created_at, ledger_updated_at, ledger_integration_type, platform_id, data_hash)
   select 900000 + n, organisation_id, ledger_id, now(), now(), integration_type, n::text, 'x' from company, generate_series(1, 5000) n where ledger_id = ${company.id}`;

/** With how many rows a table was analyzed; -1 where it was not. */
const analyzedRows = (table: string): Promise<number> =>
  systemTransaction(gateway.services.database, async (em) => {
    const [row] = await executeIn<{ reltuples: number }>(em, `select reltuples from pg_class where oid = '${table}'::regclass`);
    return row!.reltuples;
  });

// The embedded database has one session, so nothing is analyzed while a transaction is open.
describe.skipIf(!serverUrl)('tables (needs DATABASE_URL)', () => {
  it('are not analyzed for the rows of an open transaction, and are once it has ended', async () => {
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const open = systemTransaction(gateway.services.database, async (em) => {
      await executeIn(em, stored('contact'));
      written.resolve();
      await released.promise;
    });
    try {
      await Promise.race([written.promise, open]);
      await systemTransaction(gateway.services.database, (em) => executeIn(em, stored('item')));
      while ((await analyzedRows('item')) < 5_000) await setTimeout(50);
      expect(await analyzedRows('contact')).toBe(-1);
    } finally {
      released.resolve();
      await open;
    }
    while ((await analyzedRows('contact')) < 5_000) await setTimeout(50);
  });
});
