// The check of a value under the declared rules of its field.
import type { Gathering } from './checked.ts';
import type { InputRules } from './metadata.ts';
import { keyIssue, keyText } from './text.ts';

/** Most records of one write. */
export const MAX_RECORDS = 1_000;

/** Most entries of a list in an input where nothing lower is declared. */
export const MAX_ENTRIES = 10_000;

/** Whether a list has as many entries as it may; adds an issue where it has not. It is asked before the entries are looked at. */
export function checkItems(
  { length }: readonly unknown[],
  { minItems, maxItems }: Pick<InputRules, 'minItems' | 'maxItems'>,
  field: string,
  gathering: Gathering,
): boolean {
  if (minItems !== undefined && length < minItems)
    gathering.add(field, 'OUT_OF_RANGE', `${field} must have at least ${minItems} entr${minItems === 1 ? 'y' : 'ies'}`);
  else if (maxItems !== undefined && length > maxItems)
    gathering.add(field, 'OUT_OF_RANGE', `${field} must have at most ${maxItems} entries`);
  else return true;
  return false;
}

/** A value, or the entries of a list, as the rules of its field have them stored. */
export function normalised(value: unknown, { key }: Pick<InputRules, 'key'>): unknown {
  if (key !== 'normalised') return value;
  if (Array.isArray(value)) return value.map((entry) => normalised(entry, { key }));
  return typeof value === 'string' ? keyText(value) : value;
}

/** Adds the issue of a key that has another form than its one. */
function checkKey(value: unknown, field: string, gathering: Gathering): void {
  const issue = typeof value === 'string' ? keyIssue(value) : undefined;
  if (issue !== undefined) gathering.add(field, 'INVALID_FORMAT', `${field} must ${issue}`);
}

/** Adds the issues of a value under the rules of its field, but that of a key where any is taken. */
export function checkRules(value: unknown, rules: InputRules, field: string, gathering: Gathering, takesAnyKey = false): void {
  if (rules.key && !takesAnyKey) {
    if (Array.isArray(value)) for (const entry of value) checkKey(entry, field, gathering);
    else checkKey(value, field, gathering);
  }
  if (typeof value === 'string') {
    if (rules.minLength !== undefined && value.length < rules.minLength) {
      if (value === '') gathering.add(field, 'REQUIRED', `${field} must not be empty`);
      else gathering.add(field, 'INVALID_FORMAT', `${field} must have at least ${rules.minLength} characters`);
    } else if (rules.maxLength !== undefined && value.length > rules.maxLength) {
      gathering.add(field, 'TOO_LONG', `${field} must have at most ${rules.maxLength} characters`);
    } else if (rules.pattern && !rules.pattern.test(value)) {
      gathering.add(field, 'INVALID_FORMAT', `${field} must be ${rules.expectation ?? `text matching ${rules.pattern.source}`}`);
    }
  } else if (typeof value === 'number') {
    if (rules.moreThan !== undefined && value <= rules.moreThan)
      gathering.add(field, 'OUT_OF_RANGE', `${field} must be more than ${rules.moreThan}`);
    else if (rules.min !== undefined && value < rules.min) gathering.add(field, 'OUT_OF_RANGE', `${field} must be at least ${rules.min}`);
    else if (rules.max !== undefined && value > rules.max) gathering.add(field, 'OUT_OF_RANGE', `${field} must be at most ${rules.max}`);
  } else if (Array.isArray(value)) {
    if (checkItems(value, rules, field, gathering) && rules.unique && new Set(value).size < value.length)
      gathering.add(field, 'DUPLICATE', `${field} must not repeat an entry`);
  }
}
