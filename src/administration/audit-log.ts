// The audit log of operator mutations: which key did what to which record, and why. An entry commits with its change.
import type { RequestContext } from '../access/context.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import { cutoff, type Schedule } from '../queue/schedules.ts';
import { identifier, ledgerNumber, moment, record, text } from '../records/decorators.ts';
import { newId } from '../records/ids.ts';

@record({
  description: 'The audit log entry of one operator mutation.',
  scope: 'organisation',
  key: 'id',
  prefix: 'opact',
  primaryKey: ['id'],
  indexes: [{ name: 'operator_action_record', columns: 'record_id, id' }],
  internal: true,
})
export class OperatorAction {
  @identifier('Identifier.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the record; null for content that all organisations share.') organisationId!: number | null;
  @text('Name of the mutation.', { required: true }) action!: string;
  @text('Record it changed.', { required: true }) recordId!: string;
  @identifier('Who did it: the id of the key, or issuer, organisation and subject of a token.', { required: true }) keyId!: string;
  @text('Why, in the words of the operator.') reason!: string | null;
  @moment('When.', { required: true }) createdAt!: string;
}

/** The mutation an operator called: its name, the record it changes, and why. */
export interface OperatorCall {
  action: string;
  id: string | number;
  reason?: string | null;
}

/** Records an operator mutation in its transaction. The organisation is the owner of the record; null for shared content. */
export async function recordOperatorAction(
  em: EntityManager,
  context: RequestContext,
  organisationId: number | null,
  { action, id, reason }: OperatorCall,
): Promise<void> {
  await executeIn(
    em,
    `insert into operator_action (id, organisation_id, action, record_id, key_id, reason, created_at)
     values ($1, $2, $3, $4, $5, $6, $7::timestamptz)`,
    [
      newId('opact'),
      organisationId,
      action,
      String(id),
      context.principal!.identity,
      reason ?? null,
      context.services.clock.now().toISOString(),
    ],
  );
}

/** Rows removed in one transaction. */
const BATCH = 2_000;

/** Removes audit log entries past their retention. */
export const operatorActionRetention: Schedule = {
  name: 'operator-action-sweep',
  everyMs: 86_400_000,
  async batch(em, services) {
    const before = cutoff(services, services.config.retention.operatorActionDays);
    if (!before) return false;
    const gone = await executeIn(
      em,
      `delete from operator_action where id in (select id from operator_action where created_at < $1::timestamptz limit ${BATCH}) returning 1`,
      [before],
    );
    return gone.length === BATCH;
  },
};

/** The argument `reason` of operator mutations. */
export const reasonArgument = { nullable: true, description: 'Reason, stored in the audit log.' } as const;
