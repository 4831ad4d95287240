// Jobs of the queue that wait for their time, such as the next run of a schedule or a retry. A test lets that time come instead of waiting for it.
import type { Services } from '../../src/access/context.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';

const WAITING = `name = $1 and state < 'active' and start_after > now()`;

/** The seconds that the waiting jobs of a task were put off for. */
export async function pausesOf({ database }: Services, task: string): Promise<number[]> {
  const sql = `select extract(epoch from start_after - created_on)::float8 as seconds from pgboss.job where ${WAITING}`;
  return (await systemTransaction(database, (em) => executeIn<{ seconds: number }>(em, sql, [task]))).map(({ seconds }) => seconds);
}

/** Has the workers of a task, `$1`, look for a job at once, as for a new one. Otherwise they may not look for a minute. */
export const WAKE = "pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), $1)";

/** Lets the time come that jobs of a task wait for. */
export const endPauses = ({ database }: Services, task: string): Promise<unknown> =>
  systemTransaction(database, (em) =>
    executeIn(
      em,
      `with due as (update pgboss.job set start_after = now() where ${WAITING} returning 1) select ${WAKE} from (select from due limit 1) one`,
      [task],
    ),
  );
