// Turns the answers of the pure rules into values or errors, with the code a rule's caller names.
import { type ErrorCode, GatewayError, inputError } from '../../records/errors.ts';
import type { Checked } from './checked.ts';

/** The value of a checked field below `prefix`, or one error, of the given code, that names every issue. */
export function accept<T>(checked: Checked<T>, prefix: string, code?: ErrorCode): T {
  if (checked.ok) return checked.value;
  const error = inputError(checked.issues.map((issue) => ({ ...issue, field: prefix + issue.field })));
  throw code ? new GatewayError(code, error.message, error.info) : error;
}
