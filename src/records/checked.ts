// The result of a rule: the normalised value, or the issues of the input.
import { type ErrorCode, GatewayError, inputError } from './errors.ts';
import type { InputIssue, InputIssueCode } from './input-issue.ts';

/** A value that passed, with remarks on it if there are any, or the issues why it was refused. */
export type Checked<T> = { ok: true; value: T; warnings?: readonly string[] } | { ok: false; issues: InputIssue[] };

/** The rule of a field. `record` has the fields of the same record that are checked already, and the stored or known values of the others. */
export type FieldCheck = (field: string, value: unknown, record: Readonly<Record<string, unknown>>) => Checked<unknown>;

export function passed<T>(value: T, warnings: readonly string[] = []): Checked<T> & { ok: true } {
  return warnings.length === 0 ? { ok: true, value } : { ok: true, value, warnings };
}

export function failed(field: string, code: InputIssueCode, message: string): { ok: false; issues: InputIssue[] } {
  return { ok: false, issues: [{ field, code, message }] };
}

/** Collects issues and warnings of the fields of one object, so that one answer names them all. */
export class Gathering {
  readonly issues: InputIssue[] = [];
  readonly #warnings: string[] = [];

  /** The value of a check that passed; records the issues of one that failed. */
  take<T>(checked: Checked<T>): T | undefined {
    if (checked.ok) {
      this.#warnings.push(...(checked.warnings ?? []));
      return checked.value;
    }
    this.issues.push(...checked.issues);
    return undefined;
  }

  add(field: string, code: InputIssueCode, message: string): void {
    this.issues.push({ field, code, message });
  }

  /** Calls `value` only when there is no issue: otherwise fields of the value are missing. */
  finish<T>(value: () => T): Checked<T> {
    return this.issues.length === 0 ? passed(value(), this.#warnings) : { ok: false, issues: this.issues };
  }
}

/** A member of a value; undefined when the value is not an object. */
export const memberOf = (value: unknown, name: string): unknown => (isPlainObject(value) ? value[name] : undefined);

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One issue for each field that is not allowed: nothing a caller sends is dropped in silence. */
export function unknownFields(value: object, allowed: readonly string[], prefix = ''): InputIssue[] {
  return Object.keys(value)
    .filter((key) => !allowed.includes(key))
    .map((key) => ({
      field: prefix + key,
      code: 'UNKNOWN_FIELD',
      message: `${prefix}${key} is not a field here; allowed: ${allowed.join(', ')}`,
    }));
}

/** The value of a check, or one error that names every issue. Field names get the prefix; `code` replaces the usual error code. */
export function accept<T>(checked: Checked<T>, prefix: string, code?: ErrorCode): T {
  if (checked.ok) return checked.value;
  const error = inputError(checked.issues.map((issue) => ({ ...issue, field: prefix + issue.field })));
  throw code ? new GatewayError(code, error.message, error.info) : error;
}
