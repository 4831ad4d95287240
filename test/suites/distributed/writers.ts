// Writers of companies over several gateways, and what must hold of what they have stored, whatever was killed or moved in the meantime.
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { DistributedCluster } from '../../support/distributed.ts';
import { call, type RunningProgram } from '../../support/program.ts';

export interface Writers {
  /** Numbers of the accounts whose writes were accepted. */
  accepted: number[];
  /** How many responses had each status; those that a kill cut off have none. */
  statuses: Map<number, number>;
  /** Waits until so many more writes are accepted. */
  acceptMore(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts writers, each of which creates accounts in all companies in turn, at a gateway of its own. */
export function startWriters(gateways: readonly RunningProgram[], key: string, companies: readonly number[], count: number): Writers {
  const accepted: number[] = [];
  const statuses = new Map<number, number>();
  let isOver = false;
  const run = Date.now();
  const writing = Array.from({ length: count }, async (_, writer) => {
    for (let sent = 0; !isOver; sent++) {
      const { origin } = gateways[writer % gateways.length]!;
      const path = `/v4/core/companies/${companies[(writer + sent) % companies.length]}/accounts`;
      const data = { platform_id: `${run}-${writer}-${sent}`, name: 'Written' };
      const response = await call(origin, key, 'POST', path, { data }).catch(() => setTimeout(20, null));
      if (!response) continue;
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 201) accepted.push(response.body.data.data.ledger_id);
    }
  });
  return {
    accepted,
    statuses,
    async acceptMore(more) {
      for (const enough = accepted.length + more; accepted.length < enough; ) await setTimeout(10);
    },
    async stop() {
      isOver = true;
      await Promise.all(writing);
    },
  };
}

/**
 * Expects that every account has exactly one event, one entry in the audit log and one sync with its job and its two events. None of these may exist
 * without the others, every event must have one delivery, and the accounts of accepted writes must be stored. Returns how many accounts there are.
 */
export async function expectWhole({ query }: DistributedCluster, accepted: readonly number[]): Promise<number> {
  const idsOf = async (sql: string): Promise<string[]> => (await query<{ id: string }>(`${sql} order by 1`)).map(({ id }) => id);
  const countOf = async (from: string): Promise<number> =>
    (await query<{ count: number }>(`select count(*)::int as count from ${from}`))[0]!.count;
  const accounts = await idsOf(`select 'account_' || ledger_id as id from account`);
  const stored = new Set(accounts);
  expect(accepted.filter((id) => !stored.has(`account_${id}`))).toEqual([]);
  expect(stored.size).toBe(accounts.length);
  expect(await idsOf(`select subject_id as id from event where topic = 'DATA_MODEL_CHANGES' and data_model = 'ACCOUNT'`)).toEqual(accounts);
  expect(
    await idsOf(
      `select record.id from audit_entry cross join jsonb_array_elements_text(record_ids) record(id) where operation = 'createAccounts'`,
    ),
  ).toEqual(accounts);
  const syncs = await idsOf('select id from sync');
  expect(syncs).toHaveLength(accounts.length);
  expect(await idsOf(`select sync_id as id from sync_job where status = 'SUCCESS' and records_synced = 1`)).toEqual(syncs);
  for (const topic of ['SYNC_STARTED', 'SYNC_COMPLETED'])
    expect(await idsOf(`select subject_id as id from event where topic = '${topic}'`)).toEqual(syncs);
  expect(await countOf('event')).toBe(3 * accounts.length);
  expect(await idsOf('select event_id as id from webhook_delivery')).toEqual(await idsOf('select id from event'));
  return accounts.length;
}

/** Waits until every delivery has ended. */
export async function delivered({ query }: DistributedCluster): Promise<void> {
  while ((await query('select 1 from webhook_delivery where finished_at is null limit 1')).length > 0) await setTimeout(100);
}

/** Makes deliveries due that a killed gateway had claimed, which would be free after 30 s. Those that a living gateway just calls are called again. */
export async function releaseDeliveries({ query }: DistributedCluster): Promise<void> {
  await query('update webhook_delivery set claimed_until = null where finished_at is null');
}
