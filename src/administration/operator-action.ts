// The table of operator actions, which the audit log replaced. Programs of the last release still write to it while a new one starts, so
// the migration that follows the next release drops it.
import { identifier, ledgerNumber, moment, record, text } from '../records/decorators.ts';

@record({
  description: 'An operator mutation, as the last release recorded it.',
  scope: 'organisation',
  key: 'id',
  prefix: 'opact',
  primaryKey: ['id'],
  indexes: [{ name: 'operator_action_record', columns: 'record_id, id' }],
  internal: true,
})
export class OperatorAction {
  @identifier('Unique id.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the record; null for content that all organisations share.') organisationId!: number | null;
  @text('Name of the mutation.', { required: true }) action!: string;
  @text('Record it changed.', { required: true }) recordId!: string;
  @identifier('Who did it.', { required: true }) keyId!: string;
  @text('Why, in the words of the operator.') reason!: string | null;
  @moment('When the write happened.', { required: true }) createdAt!: Date;
}
