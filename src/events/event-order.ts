/**
 * The order of an organisation's events: the number of the transaction that made them plus a base.
 *
 * Numbers of transactions tell which events may still appear before others: those of transactions that run. But they belong to a server, not to
 * its data: a dump that is restored on another server brings events with numbers that server has yet to reach, or reached long ago, and new events
 * would be placed before them. The base moves new events behind all there are. It is kept with the data, and only grows.
 */
import { type Database, executeIn } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { ledgerNumber, record, text } from '../records/decorators.ts';

/** The one row that holds the base. */
@record({
  description: 'What is added to the number of a transaction for the place of its events.',
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
 * Moves the base where events are from another server; before the first event of a start. A row that is seen was committed before the snapshot
 * and so has a number below the snapshot's end, unless it is another server's. The new base places every transaction that runs or will run
 * behind the newest row. One poll at an index per organisation.
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
