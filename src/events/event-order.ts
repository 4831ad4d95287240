/**
 * The order of an organisation's events: the number of the transaction that made them plus a base.
 *
 * Transaction numbers show which events may still appear before others: those of running transactions. But they belong to the server, not to
 * its data. A dump restored on another server brings events whose numbers that server has not reached yet, or passed long ago. New events would
 * sort before them. The base places new events after all existing ones. It is stored with the data, and only grows.
 */
import type { Database } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { ledgerNumber, record, text } from '../records/decorators.ts';
import { moveBase } from './events.statements.ts';

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

/**
 * Moves the base when the events come from another server; runs before the first event of a start. A visible row was committed before the
 * snapshot, so its number is below the snapshot's end, unless it comes from another server. The new base places every running and future
 * transaction after the newest row. One index look-up per organisation.
 */
export const continueEventOrder = (database: Database): Promise<void> => systemTransaction(database, moveBase);
