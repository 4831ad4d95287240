// The answer of every rule: the normalised value, or the issues that stopped it.
import type { InputIssue, InputIssueCode } from '../../records/input-issue.ts';

export type Checked<T> = { ok: true; value: T } | { ok: false; issues: InputIssue[] };

export function passed<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function failed(field: string, code: InputIssueCode, message: string): { ok: false; issues: InputIssue[] } {
  return { ok: false, issues: [{ field, code, message }] };
}

/** Checks the fields of one object; keeps the values that passed and gathers every issue, so that one answer names them all. */
export class Gathering {
  readonly issues: InputIssue[] = [];

  take<T>(checked: Checked<T>): T | undefined {
    if (checked.ok) return checked.value;
    this.issues.push(...checked.issues);
    return undefined;
  }

  add(field: string, code: InputIssueCode, message: string): void {
    this.issues.push({ field, code, message });
  }

  /** The value is complete only when nothing was gathered, hence the thunk. */
  finish<T>(value: () => T): Checked<T> {
    return this.issues.length === 0 ? passed(value()) : { ok: false, issues: this.issues };
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One issue for each field outside the allowed ones: nothing a caller sends is dropped in silence. */
export function unknownFields(value: Record<string, unknown>, allowed: readonly string[], prefix = ''): InputIssue[] {
  return Object.keys(value)
    .filter((key) => !allowed.includes(key))
    .map((key) => ({
      field: prefix + key,
      code: 'UNKNOWN_FIELD',
      message: `${prefix}${key} is not a field here; allowed: ${allowed.join(', ')}`,
    }));
}
