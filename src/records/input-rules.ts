// The check of a value under the declared rules of its field.
import type { InputIssue } from './input-issue.ts';
import type { InputRules } from './metadata.ts';

const refuse = (issues: InputIssue[], field: string, code: InputIssue['code'], message: string): void => {
  issues.push({ field, code, message });
};

/** Adds the issues of a value under the rules of its field. */
export function checkRules(value: unknown, rules: InputRules, field: string, issues: InputIssue[]): void {
  if (typeof value === 'string') {
    if (rules.minLength !== undefined && value.length < rules.minLength) {
      refuse(
        issues,
        field,
        value === '' ? 'REQUIRED' : 'INVALID_FORMAT',
        value === '' ? `${field} must not be empty` : `${field} must have at least ${rules.minLength} characters`,
      );
    } else if (rules.maxLength !== undefined && value.length > rules.maxLength) {
      refuse(issues, field, 'TOO_LONG', `${field} must have at most ${rules.maxLength} characters`);
    } else if (rules.pattern && !rules.pattern.test(value)) {
      refuse(issues, field, 'INVALID_FORMAT', `${field} must be ${rules.expectation ?? `text matching ${rules.pattern.source}`}`);
    }
  } else if (typeof value === 'number') {
    if (rules.moreThan !== undefined && value <= rules.moreThan)
      refuse(issues, field, 'OUT_OF_RANGE', `${field} must be more than ${rules.moreThan}`);
    else if (rules.min !== undefined && value < rules.min) refuse(issues, field, 'OUT_OF_RANGE', `${field} must be at least ${rules.min}`);
    else if (rules.max !== undefined && value > rules.max) refuse(issues, field, 'OUT_OF_RANGE', `${field} must be at most ${rules.max}`);
  } else if (Array.isArray(value)) {
    if (rules.minItems !== undefined && value.length < rules.minItems)
      refuse(issues, field, 'OUT_OF_RANGE', `${field} must have at least ${rules.minItems} entr${rules.minItems === 1 ? 'y' : 'ies'}`);
    else if (rules.maxItems !== undefined && value.length > rules.maxItems)
      refuse(issues, field, 'OUT_OF_RANGE', `${field} must have at most ${rules.maxItems} entries`);
    else if (rules.unique && new Set(value).size < value.length) refuse(issues, field, 'DUPLICATE', `${field} must not repeat an entry`);
  }
}
