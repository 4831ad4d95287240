// Moves of records from state to state, by conditional update.
import { type EntityManager, executeIn } from '../../database/open.ts';
import { defineEnum } from '../../records/enums.ts';
import { type ErrorCode, GatewayError } from '../../records/errors.ts';
import { type Machine, type StateOf, sourcesOf } from './states.ts';

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
    throw new GatewayError('INVALID_STATE_TRANSITION', `${machine} is ${from}; ${to} can be reached only from ${sources.join(' or ')}`);
  }
  await executeIn(em, `update ${table} set ${column} = $2, updated_at = $3::timestamptz where id = $1`, [id, to, now.toISOString()]);
  return from;
}

/** Result of a validation. */
export const ValidationResult = defineEnum('ValidationResult', 'How a validation ended.', {
  VALID: 'The data were found right.',
  INVALID: 'The data were found wrong.',
});
