// The result of a rule: the normalised value, or the issues of the input.
import type { InputIssue, InputIssueCode } from '../../records/input-issue.ts';

export type Checked<T> = { ok: true; value: T } | { ok: false; issues: InputIssue[] };

export function passed<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function failed(field: string, code: InputIssueCode, message: string): { ok: false; issues: InputIssue[] } {
  return { ok: false, issues: [{ field, code, message }] };
}

/** Collects the issues of the fields of one object, so that one answer names them all. */
export class Gathering {
  readonly issues: InputIssue[] = [];

  /** The value of a check that passed; records the issues of one that failed. */
  take<T>(checked: Checked<T>): T | undefined {
    if (checked.ok) return checked.value;
    this.issues.push(...checked.issues);
    return undefined;
  }

  add(field: string, code: InputIssueCode, message: string): void {
    this.issues.push({ field, code, message });
  }

  /** Calls `value` only when there is no issue: otherwise fields of the value are missing. */
  finish<T>(value: () => T): Checked<T> {
    return this.issues.length === 0 ? passed(value()) : { ok: false, issues: this.issues };
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One issue for each field that is not allowed: nothing a caller sends is dropped in silence. */
export function unknownFields(value: Record<string, unknown>, allowed: readonly string[], prefix = ''): InputIssue[] {
  return Object.keys(value)
    .filter((key) => !allowed.includes(key))
    .map((key) => ({
      field: prefix + key,
      code: 'UNKNOWN_FIELD',
      message: `${prefix}${key} is not a field here; allowed: ${allowed.join(', ')}`,
    }));
}
