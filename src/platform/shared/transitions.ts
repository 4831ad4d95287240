// Transitions of stored records: locks the row, checks the state machine, writes the new state.
import { type EntityManager, executeIn } from '../../database/open.ts';
import { defineEnum } from '../../records/enums.ts';
import { type ErrorCode, GatewayError } from '../../records/errors.ts';
import { type Machine, type StateOf, sourcesOf } from './states.ts';

/** A field of a record that a state machine governs. */
export interface StateField<M extends Machine> {
  table: string;
  column: string;
  machine: M;
  /** Error code when the record does not exist. */
  unknown: ErrorCode;
}

/**
 * Moves a record to the state `to` and returns its previous state. INVALID_STATE_TRANSITION when the machine has no such transition. The row
 * is locked before its state is read, so that only one of two concurrent callers can leave a state.
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
  VALID: 'The data are correct.',
  INVALID: 'The data are wrong.',
});
