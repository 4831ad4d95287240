// The result of a rule: the normalised value, or the issues of the input.
import { type ErrorCode, inputError } from './errors.ts';
import { type InputIssue, type InputIssueCode, type Issues, MAX_ISSUES, MAX_TEXT, shortened, sizeOf } from './input-issue.ts';

/** A value that passed, with remarks on it if there are any, or the issues why it was rejected. */
export type Checked<T> = { ok: true; value: T; warnings?: readonly string[] } | ({ ok: false } & Issues);

/** The rule of a field. `record` has the fields of the same record that are checked already, and the stored or known values of the others. */
export type FieldCheck = (field: string, value: unknown, record: Readonly<Record<string, unknown>>) => Checked<unknown>;

export function passed<T>(value: T, warnings: readonly string[] = []): Checked<T> & { ok: true } {
  return warnings.length === 0 ? { ok: true, value } : { ok: true, value, warnings };
}

export function failed(field: string, code: InputIssueCode, message: string): { ok: false } & Issues {
  return { ok: false, issues: [{ field, code, message }] };
}

/** Characters of the message of an issue that is listed only because a record has no other. */
const MAX_OF_RECORD = 200;

/**
 * Collects issues and warnings, so that one response names them all. Input may have an issue in every byte. The first issues are kept and all others
 * counted, so that neither the memory nor the response grows with what a caller sends.
 */
export class Gathering implements Issues {
  readonly #issues: InputIssue[] = [];
  readonly #warnings: string[] = [];
  readonly #listed = new Set<string>();
  #room = MAX_TEXT;
  #count = 0;
  #isRecordNamed = true;

  /** The issues that are listed. */
  get issues(): readonly InputIssue[] {
    return this.#issues;
  }

  /** The number of all issues. */
  get count(): number {
    return this.#count;
  }

  /** The value of a check that passed; records the issues of one that failed. */
  take<T>(checked: Checked<T>): T | undefined {
    if (checked.ok) {
      for (const warning of checked.warnings ?? []) this.#warnings.push(warning);
      return checked.value;
    }
    for (const { field, code, message, allowed } of checked.issues) this.add(field, code, message, allowed && { allowed });
    this.#count += (checked.count ?? checked.issues.length) - checked.issues.length;
    return undefined;
  }

  #isFull(): boolean {
    return this.#issues.length >= MAX_ISSUES || this.#room <= 0;
  }

  /**
   * Counts an issue where no further one is listed; returns whether it did. Asked before a sentence is made for each of many names: those of 65,000 took
   * 13 ms.
   */
  countIfFull(): boolean {
    if (!this.#isRecordNamed || !this.#isFull()) return false;
    this.#count++;
    return true;
  }

  /** Records an issue. `choices` end the sentence, and are listed once: they may be long. `allowed` are the values of a short list. */
  add(
    field: string,
    code: InputIssueCode,
    message: string,
    { choices, allowed }: { choices?: string; allowed?: readonly string[] } = {},
  ): void {
    if (this.countIfFull()) return;
    this.#count++;
    const isFull = this.#isFull();
    this.#isRecordNamed = true;
    const isListed = choices === undefined || this.#listed.has(choices);
    const said = isListed ? message : message + choices;
    const issue: InputIssue = { field: shortened(field), code, message: shortened(said, isFull ? MAX_OF_RECORD : undefined) };
    if (choices !== undefined) this.#listed.add(choices);
    if (allowed && !isFull) issue.allowed = allowed;
    this.#room -= sizeOf(issue);
    this.#issues.push(issue);
  }

  /** Records what another collection has listed and counted. All that it lists is listed here too: a record of a list may have no other issue. */
  addAll({ issues, count = issues.length }: Issues): void {
    for (const issue of issues) {
      this.#room -= sizeOf(issue);
      this.#issues.push(issue);
    }
    this.#count += count;
  }

  /** Begins a record of a list. Its first issue is listed whatever the others are, so that each record is known to be right or wrong. */
  beginRecord(): void {
    this.#isRecordNamed = false;
  }

  /** Calls `value` only when there is no issue: otherwise fields of the value are missing. */
  finish<T>(value: () => T): Checked<T> {
    return this.#count === 0 ? passed(value(), this.#warnings) : { ok: false, issues: this.#issues, count: this.#count };
  }

  /** Throws one error for all issues, if there are any. */
  refuse(): void {
    if (this.#count > 0) throw inputError(this);
  }
}

/** A member of a value; undefined when the value is not an object. */
export const memberOf = (value: unknown, name: string): unknown => (isPlainObject(value) ? value[name] : undefined);

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds an issue for each field that is not allowed: nothing a caller sends is dropped in silence. */
export function refuseUnknown(value: object, allowed: readonly string[], gathering: Gathering, prefix = ''): void {
  const known = new Set(allowed);
  for (const key of Object.keys(value)) {
    if (known.has(key) || gathering.countIfFull()) continue;
    const field = prefix + shortened(key);
    gathering.add(field, 'UNKNOWN_FIELD', `${field} is not a field here`, { choices: `; allowed: ${allowed.join(', ')}` });
  }
}

/** The value of a check, or one error that names every issue. Field names get the prefix; `code` replaces the usual error code. */
export function accept<T>(checked: Checked<T>, prefix: string, code?: ErrorCode): T {
  if (checked.ok) return checked.value;
  throw inputError(below(prefix, checked), code);
}

/** The issues of a part of the input, with the path of the part before their fields. */
export const below = (prefix: string, { issues, ...rest }: Issues): Issues => ({
  ...rest,
  issues: issues.map((issue) => ({ ...issue, field: prefix + issue.field })),
});
