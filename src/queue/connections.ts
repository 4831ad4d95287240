// How many connections a process may open, and whether the server has as many for its user: said at the start, and by `doctor`.
import type { Config } from '../config.ts';
import type { ServerCheck } from '../database/connection/server-checks.ts';
import type { RunStatement } from '../database/migrations/state.ts';
import { QUEUE_CONNECTIONS } from './pg-boss.ts';

/** For notifications between processes. */
const LISTENING = 1;

/** The most connections of a process: to the server of the records, and to that of the queue where it is another. Those for requests go to the pooler where there is one. */
export const connectionsOf = ({ poolMax, directUrl, queueUrl }: Config): { records: number; queue: number } => ({
  records: (directUrl === undefined ? poolMax : 0) + LISTENING + (queueUrl === undefined ? QUEUE_CONNECTIONS : 0),
  queue: QUEUE_CONNECTIONS,
});

/** The connections that the user may have by the settings of server, role and database, and those that are open, of any user. */
const ROOM = `select least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(nullif(current_setting('reserved_connections', true), ''), '0')::int,
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as "limit",
  (select count(*)::int from pg_stat_activity where usesysid is not null and datid is not null) as open`;

/** Whether the server has the connections that a process may open. */
export async function connectionCheck(run: RunStatement, needed: number): Promise<ServerCheck> {
  const [found] = await run<{ limit: number; open: number }>(ROOM);
  const { limit, open } = found!;
  const words = `a process opens up to ${needed} of the ${limit} connections that its user may have; ${open} of all users are open now`;
  const remedy =
    'Lower DATABASE_POOL_MAX, raise max_connections of the server or the limit of the role or the database, or put a pooler in front';
  return { what: 'connections', words, problem: needed > limit - open ? `${words}. ${remedy}` : undefined };
}
