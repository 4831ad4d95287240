// Turns the answers of the pure rules into values or errors, with the code a rule's caller names.
import { type ErrorCode, faulty, GatewayError } from '../core/errors.ts';
import type { Checked } from './rules/checked.ts';

/** The value of a checked field below `prefix`, or one error, of the given code, that names every fault. */
export function accept<T>(checked: Checked<T>, prefix: string, code?: ErrorCode): T {
  if (checked.ok) return checked.value;
  const error = faulty(checked.faults.map((fault) => ({ ...fault, field: prefix + fault.field })));
  throw code ? new GatewayError(code, error.message, error.info) : error;
}
