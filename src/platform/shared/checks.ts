// Turns the result of a rule into its value or an error.
import { type ErrorCode, GatewayError, inputError } from '../../records/errors.ts';
import type { Checked } from './checked.ts';

/** The value of a check, or one error that names every issue. Field names get the prefix; `code` replaces the usual error code. */
export function accept<T>(checked: Checked<T>, prefix: string, code?: ErrorCode): T {
  if (checked.ok) return checked.value;
  const error = inputError(checked.issues.map((issue) => ({ ...issue, field: prefix + issue.field })));
  throw code ? new GatewayError(code, error.message, error.info) : error;
}
