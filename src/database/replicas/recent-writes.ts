// Which organisations are written to: a row is stored before a write, so that every process knows without a message per write.
import type { Pool } from 'pg';
import { ledgerNumber, moment, record } from '../../records/decorators.ts';

/**
 * How long the row of an organisation is valid, and how much of that a write needs. The difference spares the next writes a statement. The
 * need is the largest REPLICA_MAX_LAG_SECONDS and the 30 s that a request may take from here to its commit.
 */
const LIFETIME_S = 120;
const NEEDED_MS = 90_000;

@record({
  description: 'An organisation that is or was written to. Until the moment of the row its reads need the newest position of the log.',
  scope: 'shared',
  key: 'organisationId',
  prefix: 'recent_write',
  primaryKey: ['organisationId'],
  internal: true,
})
export class RecentWrite {
  @ledgerNumber('The organisation.', { required: true }) organisationId!: number;
  @moment('Until when its reads need the newest position.', { required: true }) until!: Date;
}

/** Before a process stores anything for an organisation, it stores that it will. */
export class RecentWrites {
  readonly #primary: Pool;
  /** Until when the row of an organisation is known to be valid, by the clock of this process that never moves back. */
  readonly #until = new Map<number, number>();

  constructor(primary: Pool) {
    this.#primary = primary;
  }

  /** Settled before the write may begin; undefined when nothing has to be stored. */
  announce(organisationId: number): Promise<void> | undefined {
    const left = (this.#until.get(organisationId) ?? 0) - performance.now();
    return left >= NEEDED_MS ? undefined : this.#store(organisationId);
  }

  async #store(organisationId: number): Promise<void> {
    // Counted from before the statement, so that this process never believes in a row for longer than it is valid.
    const until = performance.now() + LIFETIME_S * 1_000;
    await this.#primary.query(ANNOUNCEMENT, [organisationId]);
    this.#until.set(organisationId, until);
  }
}

const ANNOUNCEMENT = `insert into recent_write (organisation_id, until) values ($1, clock_timestamp() + interval '${LIFETIME_S} s')
  on conflict (organisation_id) do update set until = greatest(recent_write.until, excluded.until)`;
