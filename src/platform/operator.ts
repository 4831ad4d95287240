// What every operator mutation shares: it works for the organisation that owns the record, moves states by conditional update, and leaves a trace.

import type { RequestContext } from '../core/context.ts';
import { type EntityManager, executeIn } from '../core/database.ts';
import { defineEnum } from '../core/enums.ts';
import { type ErrorCode, GatewayError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { identifier, ledgerNumber, moment, record, text } from '../core/kit.ts';
import { organisationTransaction, systemTransaction } from '../core/transact.ts';
import { type Machine, type StateOf, sourcesOf } from './rules/states.ts';

@record({
  description: 'The trace of one operator mutation.',
  scope: 'organisation',
  key: 'id',
  prefix: 'opact',
  primaryKey: ['id'],
  indexes: [{ name: 'operator_action_record', columns: 'record_id, id' }],
  internal: true,
})
export class OperatorAction {
  @identifier('Identifier.', { required: true }) id!: string;
  @ledgerNumber('Organisation that owns the record.', { required: true }) organisationId!: number;
  @text('Name of the mutation.', { required: true }) action!: string;
  @text('Record it changed.', { required: true }) recordId!: string;
  @identifier('Key that was used.', { required: true }) keyId!: string;
  @text('Why, in the words of the operator.') reason!: string | null;
  @moment('When.', { required: true }) createdAt!: string;
}

/** A kind of record operators work on. */
export interface OperatedKind {
  table: string;
  /** Column of the id the operator names. */
  key?: string;
  /** Noun of messages. */
  noun: string;
  unknown: ErrorCode;
}

/** The mutation an operator called. */
export interface OperatorCall {
  action: string;
  id: string | number;
  reason?: string | null;
}

/** The organisation that owns a record, whoever asks; the caller must have checked a role or a signature. */
export async function owningOrganisation(
  context: RequestContext,
  { table, key = 'id', noun, unknown }: OperatedKind,
  id: string | number,
): Promise<number> {
  const rows = await systemTransaction(context.services.database, (em) =>
    executeIn<{ organisation_id: string | number }>(em, `select organisation_id from ${table} where ${key} = $1`, [id]),
  );
  if (!rows[0]) throw new GatewayError(unknown, `${noun} ${id} was not found`);
  return Number(rows[0].organisation_id);
}

/** Runs an operator's write in the organisation that owns the record. Answers that organisation, to read the record back. */
export async function operate<T>(
  context: RequestContext,
  kind: OperatedKind,
  call: OperatorCall,
  work: (em: EntityManager, organisationId: number) => Promise<T>,
): Promise<{ organisationId: number; result: T }> {
  const organisationId = await owningOrganisation(context, kind, call.id);
  return { organisationId, result: await operateFor(context, organisationId, call, work) };
}

/** The same where the organisation is known already. */
export function operateFor<T>(
  context: RequestContext,
  organisationId: number,
  { action, id, reason }: OperatorCall,
  work: (em: EntityManager, organisationId: number) => Promise<T>,
): Promise<T> {
  const { database, clock } = context.services;
  context.primary = true;
  return organisationTransaction(database, organisationId, async (em) => {
    const result = await work(em, organisationId);
    await executeIn(
      em,
      `insert into operator_action (id, organisation_id, action, record_id, key_id, reason, created_at)
       values ($1, $2, $3, $4, $5, $6, $7::timestamptz)`,
      [newId('opact'), organisationId, action, String(id), context.principal!.keyId, reason ?? null, clock.now().toISOString()],
    );
    return result;
  });
}

/** A field of a record that a state machine governs. */
export interface StateField<M extends Machine> {
  table: string;
  column: string;
  machine: M;
  unknown: ErrorCode;
}

/**
 * Moves a record to a state its present one allows, and answers that one. The row is locked before its state is looked at, so that of two
 * callers who want to leave the same state only one can.
 */
export async function moveTo<M extends Machine>(
  em: EntityManager,
  { table, column, machine, unknown }: StateField<M>,
  id: string,
  to: StateOf<M>,
  now: Date,
): Promise<StateOf<M>> {
  const rows = await executeIn<{ state: StateOf<M> }>(em, `select ${column} as state from ${table} where id = $1 for update`, [id]);
  const from = rows[0]?.state;
  if (from === undefined) throw new GatewayError(unknown, `${id} was not found`);
  const sources = sourcesOf(machine, to);
  if (!sources.includes(from)) {
    throw new GatewayError('INVALID_STATE_TRANSITION', `${machine} is ${from}; ${to} can be reached only from ${sources.join(' or ')}`, {
      field: machine,
    });
  }
  await executeIn(em, `update ${table} set ${column} = $2, updated_at = $3::timestamptz where id = $1`, [id, to, now.toISOString()]);
  return from;
}

/** Result of a validation. */
export const ValidationResult = defineEnum('ValidationResult', 'How a validation ended.', {
  VALID: 'The data were found right.',
  INVALID: 'The data were found wrong.',
});
