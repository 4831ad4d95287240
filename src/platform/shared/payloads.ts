// What platform mutations share: errors of inputs and of broken constraints.
import { brokenConstraint } from '../../database/errors.ts';
import { accept, type Checked } from '../../records/checked.ts';
import { type GatewayError, inputError, missing } from '../../records/errors.ts';

/** The value of a check, or one error that names every issue. */
export function checkedValue<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw inputError(checked);
}

/** The same for a check of the argument `input`: the fields of its issues get the prefix `input.`. */
export const accepted = <T>(checked: Checked<T>): T => accept(checked, 'input.');

/** The value of such a check, and the remarks on it. */
export const acceptedWithWarnings = <T>(checked: Checked<T>): { value: T; warnings: readonly string[] } => ({
  value: accepted(checked),
  warnings: checked.ok ? (checked.warnings ?? []) : [],
});

/** Rejects a change that changes nothing. */
export function requireChange(input: object): void {
  if (Object.keys(input).length === 0) throw missing('input', 'at least one field to change is required');
}

/** Runs a write. When it violates a unique index, throws the error given for the name of that index. */
export async function withUnique<T>(errors: Record<string, () => GatewayError>, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const known = errors[brokenConstraint(error) ?? ''];
    throw known ? known() : error;
  }
}
