// The moment before which no stamp of a record can appear any more. Stamps are taken before their transactions commit, so what reads records in
// the order of their stamps has to stop there.
import { type EntityManager, executeIn, type Statement } from './open.ts';

/** The stamp of what a statement stores: by the clock of the database, because the clocks of several processes differ. In milliseconds, as callers read it. */
export const STAMP = 'statement_timestamp()::timestamptz(3)';

/** The second key of an advisory lock has 31 bits: a moment in milliseconds without its higher bits, which are unique for 24 days. */
const RANGE = 2 ** 31;
const millisecondsOf = (moment: string): string => `floor(extract(epoch from ${moment}) * 1000)::bigint`;
const KEY = `(${millisecondsOf('clock_timestamp()')} % ${RANGE})::int`;

/**
 * Sets variables for a transaction that writes for an organisation, and registers it. A shared lock, which never waits, carries the time at which it
 * was taken. All stamps of the transaction are later, and the lock is released after what they are on became visible.
 */
export async function beginStamps(em: EntityManager, organisationId: number, variables: Readonly<Record<string, string>>): Promise<void> {
  const settings = Object.entries(variables);
  const parts = settings.map((_, index) => `set_config($${2 * index + 2}, $${2 * index + 3}, true)`);
  await executeIn(em, `select pg_advisory_xact_lock_shared(hashint8($1::bigint), ${KEY})${parts.map((part) => `, ${part}`).join('')}`, [
    organisationId,
    ...settings.flat(),
  ]);
}

const NOW = millisecondsOf('statement_timestamp()');
const AGE = `(${NOW} - objid::bigint + ${RANGE}) % ${RANGE}`;

/**
 * Milliseconds since 1970 of the oldest running transaction of an organisation, or of the start of the statement: what registers later gets later
 * stamps. Only a statement that begins after this one has its response sees everything before.
 */
export const settledUntil: Statement = {
  name: 'settled_until',
  text: `select ${NOW} - coalesce(max(case when ${AGE} < ${RANGE / 2} then ${AGE} end), 0) from pg_locks
    where locktype = 'advisory' and objsubid = 2 and classid = hashint8($1::bigint)::oid
      and database = (select oid from pg_database where datname = current_database())`,
};
