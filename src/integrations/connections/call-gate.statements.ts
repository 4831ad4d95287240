// The statement that claims a call of a connection at its source. It holds no lock while the call is made.
import { laterBy } from '../../database/expression.statements.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import type { ConnectionKey } from './connection.ts';

/** The pace of calls. Each claims an interval; a burst of them may be claimed at once. */
export interface Pace {
  intervalMs: number;
  burst: number;
  /** Longest wait for a call that is claimed. */
  waitMs: number;
}

/**
 * Claims the next call where no pause forbids it and the wait is short. Returns until when calls are claimed then, or undefined where it claims none.
 */
export async function claimCall(
  em: EntityManager,
  { id, companyId }: ConnectionKey,
  now: Date,
  { intervalMs, burst, waitMs }: Pace,
): Promise<Date | undefined> {
  const [row] = await executeIn<{ paced: Date | string }>(
    em,
    `update connection set calls_paced_until = ${laterBy('greatest(coalesce(calls_paced_until, $2::timestamptz), $2::timestamptz)', "$3 * interval '1 millisecond'")}
     where id = $1 and company_id = $5 and (calls_paused_until is null or calls_paused_until <= $2::timestamptz)
       and (calls_paced_until is null or calls_paced_until <= $2::timestamptz + $4 * interval '1 millisecond')
     returning calls_paced_until as paced`,
    [id, now.toISOString(), intervalMs, (burst - 1) * intervalMs + waitMs, companyId],
  );
  return row && new Date(row.paced);
}
