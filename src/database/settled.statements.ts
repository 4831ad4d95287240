// The moment before which no stamp of a record can appear any more. Stamps are taken before their transactions commit, so what reads records in
// the order of their stamps has to stop there.
import { LRUCache } from 'lru-cache';
import { SharedQuestion } from '../runtime/shared-question.ts';
import { arrayLiteral } from './array-literal.ts';
import type { TextRow } from './read-path/data-rows.ts';
import type { ReadValues, Statement } from './read-path/read-path.ts';

/** The stamp of what a statement stores: by the clock of the database, because the clocks of several processes differ. In milliseconds, as callers read it. */
export const STAMP = 'statement_timestamp()::timestamptz(3)';

/** The second key of an advisory lock has 31 bits: a moment in milliseconds without its higher bits, which are unique for 24 days. */
const RANGE = 2 ** 31;
const millisecondsOf = (moment: string): string => `floor(extract(epoch from ${moment}) * 1000)::bigint`;
const KEY = `(${millisecondsOf('clock_timestamp()')} % ${RANGE})::int`;

/**
 * Sets so many variables for a transaction that writes for an organisation, the first parameter, and registers it. A shared lock, which never waits,
 * carries the time at which it was taken. All stamps of the transaction are later, and the lock is released after what they are on became visible.
 */
export const registration = (variables: number): string =>
  `select pg_advisory_xact_lock_shared(hashint8($1::bigint), ${KEY})${Array.from({ length: variables }, (_, index) => `, set_config($${2 * index + 2}, $${2 * index + 3}, true)`).join('')}`;

const NOW = millisecondsOf('statement_timestamp()');
const AGE = `(${NOW} - objid::bigint + ${RANGE}) % ${RANGE}`;

/** For each organisation, milliseconds since 1970 of its oldest running transaction, or of the start of the statement: what registers later gets later stamps. */
const settledTimes: Statement = {
  name: 'settled_times',
  text: `select o.id, ${NOW} - coalesce(max(case when ${AGE} < ${RANGE / 2} then ${AGE} end), 0)
    from unnest($1::bigint[]) o (id) left join pg_locks on locktype = 'advisory' and objsubid = 2 and classid = hashint8(o.id)::oid
      and database = (select oid from pg_database where datname = current_database())
    group by o.id`,
};

/**
 * How long a settled time is recent. It stays true for ever, but the older it is, the more lists end with records that are newer. Of more organisations
 * than these the next list looks again.
 */
const RECENT = { ttl: 1_000, max: 1_000 };

/**
 * The settled times of organisations, in milliseconds since 1970. Lists that are read at the same time share a look. A look for each was a tenth of
 * PostgreSQL's CPU for lists of ten records.
 */
export class SettledTimes {
  readonly #look: SharedQuestion<number, Map<number, number>>;
  readonly #recent = new LRUCache<number, number>(RECENT);

  constructor(read: (statement: Statement, values: ReadValues) => Promise<TextRow[]>) {
    this.#look = new SharedQuestion(async (organisations) => {
      const rows = await read(settledTimes, [arrayLiteral([...organisations], (id) => id)]);
      return new Map(rows.map(([id, time]) => [Number(id), Number(time)]));
    });
  }

  /** The settled time of an organisation, looked for after this call. Only a statement that begins after its response sees everything before it. */
  async of(organisationId: number): Promise<number> {
    const time = (await this.#look.about(organisationId)).get(organisationId)!;
    this.#recent.set(organisationId, time);
    return time;
  }

  /** The last settled time of an organisation, if it is recent. */
  recent(organisationId: number): number | undefined {
    return this.#recent.get(organisationId);
  }
}
