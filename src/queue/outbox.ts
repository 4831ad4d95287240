// The outbox: jobs and events that a transaction stores in its own database for a relay to move, and the marks of jobs whose effect has committed.
import type { OptionalProps } from '@mikro-orm/core';
import type { Transaction } from 'kysely';
import { addEffects, type Effect } from '../database/effects.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Database, EntityManager } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { ledgerNumber, moment, object, record, text } from '../records/decorators.ts';
import type { Clock } from '../runtime/clock.ts';
import { type JobKey, jobMark, MAX_MARKS, type OutboxKind, oldMarks } from './outbox.statements.ts';

/** Rows that one statement stores; each binds five values, and a statement at most 65,535. */
const ROWS = 5_000;

/**
 * Something that a transaction stored with its records. The key begins with the company. On a distributed database the row is therefore in the shard
 * group of the records and commits with them. Work of an organisation or of the whole service bears `NO_COMPANY`.
 */
@record({
  description: 'A job or an event on its way out of the transaction that made it.',
  scope: 'shared',
  key: 'place',
  prefix: 'outbox',
  primaryKey: ['companyId', 'place'],
  internal: true,
  table: 'outbox',
})
export class OutboxEntry {
  declare [OptionalProps]?: 'place';
  @ledgerNumber('Company whose write made it; 0 for a write of an organisation or of the whole service.', {
    required: true,
    names: 'Company',
  })
  companyId!: number;
  // Drawn at the end of the transaction under the locks of its records, so a change that builds on another has the greater number.
  @ledgerNumber('Its place in the order of the changes of the company.', { required: true, sequence: 'outbox_place' }) place!: number;
  @text('Id of the job or event that it becomes, by which moving it again is recognised.', { required: true }) id!: string;
  @text('`job` or `event`.', { required: true }) kind!: OutboxKind;
  @object('What the relay needs to make it.', { required: true }) content!: Record<string, unknown>;
  @moment('When it was stored.', { required: true }) createdAt!: Date;
}

/** The effect of a job has committed. Written in the transaction of the effect, with the company first for the same reason. */
@record({
  description: 'A background job whose effect has committed.',
  scope: 'shared',
  key: 'id',
  prefix: 'completed_job',
  primaryKey: ['companyId', 'id'],
  indexes: [{ name: 'completed_job_age', columns: 'completed_at' }],
  internal: true,
})
export class CompletedJob {
  @ledgerNumber('Company that the job works for; 0 where it works for none.', { required: true, names: 'Company' }) companyId!: number;
  @text('Id of the job in the queue.', { required: true }) id!: string;
  @moment('When its effect was stored.', { required: true }) completedAt!: Date;
}

/** An entry to store. */
export type NewEntry = Pick<OutboxEntry, 'companyId' | 'id' | 'kind' | 'content'>;

/** Notification channel on which the relays of a kind learn of new entries. */
export const outboxChannel = (kind: OutboxKind): string => `outbox:${kind}`;

/** The outbox of a process whose queue is in another database than its records, or whose records are on several servers. */
export class Outbox implements Effect<NewEntry> {
  readonly #database: Database;
  readonly #notifications: Notifications;
  readonly #clock: Clock;

  constructor(database: Database, notifications: Notifications, clock: Clock) {
    this.#database = database;
    this.#notifications = notifications;
    this.#clock = clock;
  }

  /** Stores entries when the transaction commits. */
  add(em: EntityManager, entries: readonly NewEntry[]): void {
    addEffects(em, this, entries);
  }

  async store(em: EntityManager, entries: readonly NewEntry[]): Promise<void> {
    const createdAt = this.#clock.now();
    for (let start = 0; start < entries.length; start += ROWS)
      await em.insertMany(
        OutboxEntry,
        entries.slice(start, start + ROWS).map((entry) => ({ ...entry, createdAt })),
      );
    for (const kind of new Set(entries.map((entry) => entry.kind))) this.#notifications.announce(em, outboxChannel(kind));
  }

  /** Whether the effect of a job has committed. */
  async isCompleted({ companyId, id }: JobKey): Promise<boolean> {
    return (await this.#database.read(jobMark, [String(companyId), id])).length > 0;
  }

  /** Marks a job in the transaction of its effect; returns whether no other attempt has. It waits for one that is about to. */
  async complete(transaction: object, { companyId, id }: JobKey): Promise<boolean> {
    const marked = await (transaction as Transaction<{ completed_job: { company_id: number; id: string; completed_at: Date } }>)
      .insertInto('completed_job')
      .values({ company_id: companyId, id, completed_at: this.#clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    return marked.length === 1;
  }

  /** Removes old marks of jobs that have left the outbox and ended in the queue: these cannot come again. `openOf` returns those that have not. */
  async forgetCompleted(openOf: (ids: string[]) => Promise<string[]>): Promise<void> {
    for (;;) {
      const marks = await oldMarks(this.#database, this.#clock);
      const open = new Set(await openOf(marks.map(({ id }) => id)));
      const ended = marks.filter(({ id }) => !open.has(id));
      if (ended.length > 0)
        await systemTransaction(this.#database, (em) =>
          em.nativeDelete(CompletedJob, {
            companyId: { $in: [...new Set(ended.map(({ companyId }) => companyId))] },
            id: { $in: ended.map(({ id }) => id) },
          }),
        );
      if (marks.length < MAX_MARKS || ended.length === 0) return;
    }
  }
}
