// Transitions of stored records: the lock that a write of one record begins with, and the check of its state machine.

import { LockMode } from '@mikro-orm/core';
import type { FilterQuery } from '@mikro-orm/postgresql';
import { auditedRow, auditRecords } from '../../access/audit.ts';
import type { EntityManager } from '../../database/open.ts';
import type { GivenId } from '../../graphql/own-record.ts';
import { defineEnum } from '../../records/enums.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { type Machine, type StateOf, sourcesOf } from './states.ts';

/**
 * The record that meets the conditions, locked until the transaction ends: for a change, or with PESSIMISTIC_READ against changes. Throws the error
 * of its type without one. The audit log names a record that was locked for a change, also when it stays as it was.
 */
export async function lockRecord<T extends object>(
  em: EntityManager,
  record: RecordClass<T>,
  where: FilterQuery<NoInfer<T>>,
  { id, field }: GivenId,
  lockMode: LockMode.PESSIMISTIC_WRITE | LockMode.PESSIMISTIC_READ = LockMode.PESSIMISTIC_WRITE,
): Promise<T> {
  const found = await em.findOne(record, where, { lockMode });
  if (!found) throw notFound(record, id, field);
  if (lockMode === LockMode.PESSIMISTIC_WRITE) auditRecords(em, [auditedRow(found)]);
  return found;
}

/**
 * Moves a record to the state `to` and returns its previous state. INVALID_STATE_TRANSITION when the machine has no such transition. The record
 * must be locked, so that only one of two concurrent callers can leave a state.
 */
export function moveTo<P extends string, M extends Machine>(
  record: Record<P, StateOf<M>> & Record<'updatedAt', Date>,
  property: P,
  machine: M,
  to: StateOf<M>,
  now: Date,
): StateOf<M> {
  const from: StateOf<M> = record[property];
  const sources = sourcesOf(machine, to);
  if (!sources.includes(from)) {
    throw new GatewayError('INVALID_STATE_TRANSITION', `${machine} is ${from}; ${to} can be reached only from ${sources.join(' or ')}`);
  }
  const state: Record<P, StateOf<M>> = record;
  state[property] = to;
  record.updatedAt = now;
  return from;
}

/** Result of a validation. */
export const ValidationResult = defineEnum('ValidationResult', 'Result of a validation.', {
  VALID: 'The data is correct.',
  INVALID: 'The data is wrong.',
});
