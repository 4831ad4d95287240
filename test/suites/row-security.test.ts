// Defence in depth: row-level security of the database stops a write transaction that forgets the organisation filter.
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { organisationTransaction, systemTransaction } from '../../src/database/transaction.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { entities } from '../../src/registry.ts';
import { useGateway } from '../support/gateway.ts';
import { buildTenant, type Tenant } from './tenants.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
let caller: Tenant;
let other: Tenant;

beforeAll(async () => {
  caller = await buildTenant(gateway, 'Caller');
  other = await buildTenant(gateway, 'Other');
  await gateway.storeRequests();
}, 120_000);

type Sql = Record<string, unknown>[];

const asCaller = (text: string, values: unknown[] = []): Promise<Sql> =>
  organisationTransaction(gateway.services.database, caller.organisationId, (em) => executeIn(em, text, values));
const asSystem = (text: string, values: unknown[] = []): Promise<Sql> =>
  systemTransaction(gateway.services.database, (em) => executeIn(em, text, values));

const tables = entities
  .map(modelOf)
  .filter(({ scope }) => scope === 'organisation')
  .map(({ table }) => table);

/** Tables with an organisation column that are read before the caller's organisation is known or for many at once; a write transaction reads times alone. */
const unbound = ['access_key', 'audit_chain', 'recent_write'];

describe('row-level security', () => {
  it('every table with an organisation has the policy, and it is on', async () => {
    const rows = await asSystem(
      `select c.relname as name, c.relrowsecurity as enabled, (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polcmd = '*') as policies
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.attname = 'organisation_id' and not a.attisdropped order by 1`,
    );
    expect(rows.filter(({ enabled, policies }) => !enabled || policies !== 1).map(({ name }) => name)).toEqual(unbound);
    expect(rows.map(({ name }) => name).sort()).toEqual([...tables, ...unbound].sort());
  });

  it('a write transaction works in a role that row-level security binds', async () => {
    const [row] = await asCaller('select current_user as name, rolsuper, rolbypassrls from pg_roles where rolname = current_user');
    expect(row).toEqual({ name: 'ledger_gateway', rolsuper: false, rolbypassrls: false });
  });

  it.each(['access_key', 'audit_chain', 'kept_setting'])('%s cannot be read at all in a write transaction', async (table) => {
    await expect(asCaller(`select 1 from ${table}`)).rejects.toThrow(/permission denied/);
  });

  it.each(['organisation', 'registration_content_pack', 'source_outage'])('%s cannot be changed in a write transaction', async (table) => {
    await expect(asCaller(`delete from ${table}`)).rejects.toThrow(/permission denied/);
    await asCaller(`select 1 from ${table}`);
  });

  it.each(tables)('a query on %s without a filter sees and changes nothing of another organisation', async (table) => {
    const digest = `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest, count(*)::int as count from "${table}" t where organisation_id = $1`;
    const [before] = await asSystem(digest, [other.organisationId]);
    const [seen] = await asCaller(`select count(*)::int as count from "${table}" where organisation_id <> $1`, [caller.organisationId]);
    const [mine] = await asCaller(`select count(*)::int as count from "${table}"`);
    const [stored] = await asSystem(digest, [caller.organisationId]);
    expect({ seen: seen!.count, mine: mine!.count }).toEqual({ seen: 0, mine: stored!.count });
    const outcomeOf = (text: string): Promise<number | string> =>
      asCaller(text, [other.organisationId]).then(
        (rows) => rows.length,
        (error: Error) => error.message,
      );
    // Entries of the audit log cannot be changed or removed at all.
    const refused = table === 'audit_entry' ? expect.stringContaining('permission denied') : undefined;
    expect(await outcomeOf(`update "${table}" set organisation_id = organisation_id where organisation_id = $1 returning 1`)).toEqual(
      refused ?? 0,
    );
    expect(await outcomeOf(`delete from "${table}" where organisation_id = $1 returning 1`)).toEqual(refused ?? 0);
    const moved = stored!.count === 0 ? 0 : expect.stringContaining('row-level security');
    expect(await outcomeOf(`update "${table}" set organisation_id = $1 returning 1`)).toEqual(refused ?? moved);
    expect(await asSystem(digest, [other.organisationId])).toEqual([before]);
  });
});
