// The answer of every rule: the normalised value, or the faults that stopped it.
import type { Fault, FaultCode } from '../../core/fault.ts';

export type Checked<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

export function passed<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function failed(field: string, code: FaultCode, message: string): { ok: false; faults: Fault[] } {
  return { ok: false, faults: [{ field, code, message }] };
}

/** Checks the fields of one object; keeps the values that passed and gathers every fault, so that one answer names them all. */
export class Gathering {
  readonly faults: Fault[] = [];

  take<T>(checked: Checked<T>): T | undefined {
    if (checked.ok) return checked.value;
    this.faults.push(...checked.faults);
    return undefined;
  }

  add(field: string, code: FaultCode, message: string): void {
    this.faults.push({ field, code, message });
  }

  /** The value is complete only when nothing was gathered, hence the thunk. */
  finish<T>(value: () => T): Checked<T> {
    return this.faults.length === 0 ? passed(value()) : { ok: false, faults: this.faults };
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One fault for each field outside the allowed ones: nothing a caller sends is dropped in silence. */
export function unknownFields(value: Record<string, unknown>, allowed: readonly string[], prefix = ''): Fault[] {
  return Object.keys(value)
    .filter((key) => !allowed.includes(key))
    .map((key) => ({
      field: prefix + key,
      code: 'UNKNOWN_FIELD',
      message: `${prefix}${key} is not a field here; allowed: ${allowed.join(', ')}`,
    }));
}
