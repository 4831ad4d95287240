// Commits that the coordinator has decided and a worker has not carried out: their rows at the coordinator can be read, and those at the worker cannot.
import { setTimeout as pause } from 'node:timers/promises';
import { SharedQuestion } from '../../runtime/shared-question.ts';
import type { PendingCommits, ReadTexts } from '../engine/engine.ts';
import type { Statement } from '../read-path/read-path.ts';
import { ANCHOR } from './steps.ts';

/** The worker of each company, with a number of a company there. For 0 these are all workers: so many numbers leave none out. */
const workersOf: Statement = {
  name: 'workers_of_companies',
  text: `select distinct on (asked.id, groupid) asked.id, groupid, asked.there
    from (select id, id as there from unnest($1::bigint[]) id where id > 0 union all
      select 0, there from generate_series(1, 64 * (select count(*) from pg_dist_shard where logicalrelid = '${ANCHOR}'::regclass)) there
      where 0 = any($1::bigint[])) asked
    join pg_dist_placement on shardid = get_shard_id_for_distribution_column('${ANCHOR}', asked.there)`,
};

/**
 * What the coordinator has prepared at the worker of a company. It is a read of rows of the company, so that it runs at the worker, over a connection
 * that the session has. A command for workers opens one each time, and took 17 ms where this takes 0.8.
 */
const preparedAt: Statement = {
  name: 'prepared_at_worker',
  text: `select string_agg(gid, ' ') from (select count(*) from ${ANCHOR} where ledger_id = $1::bigint) c, pg_prepared_xact() p where gid like 'citus\\_0\\_%'`,
};

/**
 * A commit takes a few milliseconds between its two phases. What is still prepared after the pauses was left by a connection or a server that was lost.
 * The coordinator carries it out every `citus.recover_2pc_interval`. Having it do so needs the user who has prepared it, of which there are two.
 */
const PAUSES_MS = [5, 20, 75];

/** The transactions that the worker of a company has prepared; null where it does not respond. */
type Prepared = ReadonlySet<string> | null;

/**
 * A transaction is prepared at its worker before it commits at the coordinator. So one that has committed is among those that the worker has prepared
 * after that, or can be read. Later transactions are not waited for.
 */
export function pendingCommits(read: ReadTexts): PendingCommits {
  const question = new SharedQuestion<number, Map<number, Prepared>>(async (companies) => {
    const rows = await read(workersOf, [`{${[...companies].join()}}`]);
    const found = new Map<number, Prepared>();
    await Promise.all(
      [...Map.groupBy(rows, ([, worker]) => worker)].map(async ([, ofWorker]) => {
        const gids = await read(preparedAt, [ofWorker[0]![2]!]).then(
          ([row]) => row![0]?.split(' ') ?? [],
          () => null,
        );
        for (const [company] of ofWorker) {
          const others = found.get(Number(company));
          found.set(Number(company), gids === null || others === null ? null : new Set([...(others ?? []), ...gids]));
        }
      }),
    );
    return found;
  });
  const prepared = async (companies: readonly number[]): Promise<Map<number, Prepared>> => {
    const found = await question.about(...companies).catch(() => undefined);
    return new Map(companies.map((company) => [company, found?.get(company) ?? null]));
  };
  const stillIn = (before: Prepared, now: Prepared): Prepared => before && now && new Set([...now].filter((gid) => before.has(gid)));
  return async (companies) => {
    if (companies.length === 0) return new Set();
    const pending = new Map<number, Prepared>();
    const note = (company: number, gids: Prepared): unknown => (gids?.size === 0 ? pending.delete(company) : pending.set(company, gids));
    for (const [company, gids] of await prepared(companies)) note(company, gids);
    for (const milliseconds of PAUSES_MS) {
      const prepares = [...pending].flatMap(([company, gids]) => (gids ? [company] : []));
      if (prepares.length === 0) break;
      await pause(milliseconds);
      for (const [company, gids] of await prepared(prepares)) note(company, stillIn(pending.get(company)!, gids));
    }
    return new Set(pending.keys());
  };
}
