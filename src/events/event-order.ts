/**
 * The order of an organisation's events: the number of the transaction that made them plus a base.
 *
 * Transaction numbers show which events may still appear before others: those of running transactions. But they belong to the server, not to
 * its data. A dump restored on another server brings events whose numbers that server has not reached yet, or passed long ago, and new events
 * would sort before them. The base places new events after all existing ones. It is stored with the data, and only grows.
 */
import { type Database, executeIn } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { ledgerNumber, record, text } from '../records/decorators.ts';

/** The one row that holds the base. */
@record({
  description: 'The base that is added to the number of a transaction for the order of its events.',
  scope: 'shared',
  key: 'name',
  prefix: 'timeline',
  primaryKey: ['name'],
  internal: true,
})
export class EventTimeline {
  @text('Always `events`.', { required: true }) name!: string;
  @ledgerNumber('The base.', { required: true }) base!: number;
}

/** The place of the events of the running transaction, as an expression of a statement. */
export const PLACE = '(select base from event_timeline) + pg_current_xact_id()::text::bigint';

/**
 * Moves the base when the events come from another server; runs before the first event of a start. A visible row was committed before the
 * snapshot, so its number is below the snapshot's end, unless it comes from another server. The new base places every running and future
 * transaction after the newest row. One index look-up per organisation.
 */
export const continueEventOrder = (database: Database): Promise<unknown> =>
  systemTransaction(database, (em) =>
    executeIn(
      em,
      `update event_timeline set base = newest.place + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint
       from (select max(last.place) as place from organisation o cross join lateral (
         select commit_order as place from event where organisation_id = o.id order by commit_order desc limit 1) last) newest
       where newest.place >= base + pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
    ),
  );
