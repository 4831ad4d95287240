// The statements that count what an organisation has of what its quotas limit.
import { type EntityManager, executeIn } from '../database/open.ts';

/** What a small file counts as: many of them take more than their bytes. */
const LEAST_BYTES = 65_536;

/** What is counted of an organisation, as SQL over its number. */
const COUNTS = {
  megabytes: `(select coalesce(sum(greatest(size, ${LEAST_BYTES})), 0) from stored_file where organisation_id = $1)
    + (select coalesce(sum(greatest(size, ${LEAST_BYTES})), 0) from inbox_file where organisation_id = $1)`,
  // As each pull has counted it when it ended.
  rawMegabytes: `(select coalesce(sum((s.value ->> 'rawBytes')::float8), 0) from connection n, jsonb_each(n.pull_states) s where n.organisation_id = $1)`,
  companies: '(select count(*) from company where organisation_id = $1 and removed_at is null)',
  connections: `(select count(*) from company c join connection n on n.company_id = c.ledger_id
    where c.organisation_id = $1 and n.organisation_id = $1 and n.status <> 'DISCONNECTED')`,
  keys: `(select count(*) from access_key k join organisation o on o.name = k.organisation_name
    where o.id = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`,
  // Those that have ended keep the chunks that were not written, for a retry.
  batches: `(select count(*) from sync_chunk c join sync s on s.id = c.sync_id and s.company_id = c.company_id
    where c.organisation_id = $1 and c.position = 0 and s.status in ('PENDING', 'RUNNING'))`,
};

export type QuotaName = keyof typeof COUNTS;

export const quotaNames = Object.keys(COUNTS) as QuotaName[];

/** What an organisation has; bytes where the quota is of megabytes. */
export async function countOf(em: EntityManager, organisationId: number, name: QuotaName): Promise<number> {
  const [row] = await executeIn<{ count: number }>(em, `select (${COUNTS[name]})::float8 as count`, [organisationId]);
  return row!.count;
}
