// The statements of the outbox: who waits, who is held, what is old, and how much there is.
import { evaluate } from '../database/expression.statements.ts';
import type { Database, EntityManager } from '../database/open.ts';
import type { Clock } from '../runtime/clock.ts';

/** What waits in the outbox. */
export type OutboxKind = 'job' | 'event';

/** A job, by the key of its mark. */
export interface JobKey {
  companyId: number;
  id: string;
}

/** Finds the mark of a job. */
export const jobMark = { name: 'completed_job', text: 'select 1 from completed_job where company_id = $1::bigint and id = $2' };

/** Most companies whose entries are moved together. */
export const MAX_COMPANIES = 200;

/** The companies that have entries of a kind, the longest waiting first. */
export async function waitingCompanies(database: Database, kind: OutboxKind): Promise<number[]> {
  const rows = await database.read(
    {
      name: 'outbox_companies',
      text: `select company_id from outbox where kind = $1 group by company_id order by min(place) limit ${MAX_COMPANIES}`,
    },
    [kind],
  );
  return rows.map(([companyId]) => Number(companyId));
}

/**
 * Those of the companies that no other process moves entries of, held until the transaction ends. It locks the company and not its rows. Two
 * processes that each skipped the locked rows of the other would move neighbours at the same time, the later one first. One statement cannot lock
 * rows of several shards either.
 */
export async function holdCompanies(em: EntityManager, kind: OutboxKind, companyIds: readonly number[]): Promise<number[]> {
  const sql = `(select coalesce(jsonb_agg(id), '[]') from unnest($2::bigint[]) id where pg_try_advisory_xact_lock(hashtextextended('outbox ' || $1::text || ' ' || id, 0)))`;
  return (await evaluate(em, { sql, values: [kind, companyIds] })) as number[];
}

/** How long a mark stays at least: the queue stores ended jobs for as long. */
const MARK_HOURS = 1;

/** Most marks looked at together. */
export const MAX_MARKS = 1_000;

/** Old marks of jobs that have left the outbox, the oldest first. */
export async function oldMarks(database: Database, clock: Clock): Promise<JobKey[]> {
  const rows = await database.read(
    {
      name: 'completed_jobs_old',
      text: `select m.company_id, m.id from completed_job m where m.completed_at < $1::timestamptz - interval '${MARK_HOURS} hours'
        and not exists (select 1 from outbox o where o.company_id = m.company_id and o.id = m.id) order by m.completed_at limit ${MAX_MARKS}`,
    },
    [clock.now().toISOString()],
  );
  return rows.map(([companyId, id]) => ({ companyId: Number(companyId), id: id! }));
}

/** How many entries of a kind wait, and for how long the oldest. */
export interface OutboxState {
  entries: number;
  oldestSeconds: number;
}

/** What waits, by kind. */
export async function outboxStates(database: Database, clock: Clock): Promise<Record<OutboxKind, OutboxState>> {
  const rows = await database.read(
    {
      name: 'outbox_states',
      text: 'select kind, count(*), greatest(0, extract(epoch from $1::timestamptz - min(created_at))) from outbox group by kind',
    },
    [clock.now().toISOString()],
  );
  const byKind = new Map(rows.map(([kind, entries, seconds]) => [kind, { entries: Number(entries), oldestSeconds: Number(seconds) }]));
  const none = { entries: 0, oldestSeconds: 0 };
  return { job: byKind.get('job') ?? none, event: byKind.get('event') ?? none };
}
