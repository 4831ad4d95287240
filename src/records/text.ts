// Rules of text, keys, calendar dates, web and mail addresses, shared by all fields.
import { type Checked, type FieldCheck, failed, passed } from './checked.ts';
import { isStorableText } from './storable.ts';

export interface TextRule {
  max: number;
  pattern?: RegExp;
  /** Completes "<field> must …" when the pattern rejects the text. */
  patternHint?: string;
  singleLine?: boolean;
  /** It is a key that people type: what looks alike is equal. */
  isKey?: boolean;
}

const CONTROL = /\p{Cc}/u;

/** Trims, then checks. Length counts UTF-16 units, because the database and the clients agree on no finer measure. */
export function checkText(field: string, value: unknown, rule: TextRule): Checked<string> {
  if (typeof value !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const text = rule.isKey ? keyText(value) : value.trim();
  if (text === '') return failed(field, 'REQUIRED', `${field} must not be empty`);
  if (text.length > rule.max) return failed(field, 'TOO_LONG', `${field} must have at most ${rule.max} characters, it has ${text.length}`);
  if (!isStorableText(text)) return failed(field, 'INVALID_FORMAT', `${field} must be well-formed text without NUL characters`);
  if (rule.singleLine && CONTROL.test(text)) return failed(field, 'INVALID_FORMAT', `${field} must not contain control characters`);
  const issue = rule.isKey ? keyIssue(text) : undefined;
  if (issue !== undefined) return failed(field, 'INVALID_FORMAT', `${field} must ${issue}`);
  if (rule.pattern && !rule.pattern.test(text)) return failed(field, 'INVALID_FORMAT', `${field} must ${rule.patternHint}`);
  return passed(text);
}

/** The check of a text property under a rule. */
export const textOf =
  (rule: TextRule): FieldCheck =>
  (field, value) =>
    checkText(field, value, rule);

/** The check of a property that is one line of at most `max` characters. */
export const line = (max: number): FieldCheck => textOf({ max, singleLine: true });

export function checkOneOf<T extends string>(field: string, value: unknown, allowed: readonly T[]): Checked<T> {
  if (typeof value !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const found = allowed.find((one) => one === value.trim());
  return found === undefined ? failed(field, 'INVALID_VALUE', `${field} must be one of: ${allowed.join(', ')}`) : passed(found);
}

/** YYYY-MM-DD that exists in the calendar; year 0000 is rejected because PostgreSQL dates have no such year. */
export function isCalendarDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export function checkDate(field: string, value: unknown): Checked<string> {
  if (typeof value !== 'string') return failed(field, 'INVALID_TYPE', `${field} must be a string`);
  const text = value.trim();
  return isCalendarDate(text) ? passed(text) : failed(field, 'INVALID_FORMAT', `${field} must be a calendar date written YYYY-MM-DD`);
}

export function checkWebAddress(field: string, value: unknown): Checked<string> {
  const text = checkText(field, value, { max: 2048, singleLine: true });
  if (!text.ok) return text;
  const url = URL.canParse(text.value) ? new URL(text.value) : undefined;
  const sound =
    url !== undefined && /^https?:$/.test(url.protocol) && url.hostname.includes('.') && url.username === '' && url.password === '';
  return sound ? text : failed(field, 'INVALID_FORMAT', `${field} must be an absolute http or https address without user information`);
}

/** One @, no spaces, a dotted host: only the mail server can check more. 254 is the limit of RFC 5321. */
export function checkMailAddress(field: string, value: unknown): Checked<string> {
  return checkText(field, value, {
    max: 254,
    pattern: /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/,
    patternHint: 'be a mail address such as name@example.com',
  });
}

// Keys are texts that identify a record and that people type, such as a sku: two of them that look alike are equal. They are the OpaqueString of RFC
// 8265 without blanks at their ends: in the normal form NFC, each blank an ordinary one, and no character that shows nothing.

/** Control characters, those that RFC 8264 calls ignorable, line separators, and two that look like a blank or like nothing. */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800]/u;
const OTHER_BLANK = /[^\S ]/u;
const MARK = /\p{M}/u;

/** Whether keys are stored in their one form, or rejected in any other because something outside compares them as they are. */
export type KeyRule = 'normalised' | 'exact';

/** A key in its one form; characters that show nothing stay, so that they can be rejected by name. */
export const keyText = (text: string): string =>
  isPlain(text)
    ? text
    : text
        .replaceAll(/\p{Zs}/gu, ' ')
        .trim()
        .normalize('NFC');

/** Most keys are printable ASCII without blanks at their ends. */
const isPlain = (text: string): boolean => /^[!-~]([ -~]*[!-~])?$/.test(text);

const nameOf = (character: string): string => `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** What keeps a text from being a key, as the end of the sentence "<field> must …"; undefined for a key. */
export function keyIssue(text: string): string | undefined {
  if (isPlain(text)) return undefined;
  const invisible = INVISIBLE.exec(text);
  if (invisible) return `not contain the invisible character ${nameOf(invisible[0])}`;
  const normal = keyText(text);
  if (normal === text) return undefined;
  if (text.trim() !== text) return 'not begin or end with a blank';
  const blank = OTHER_BLANK.exec(text);
  if (blank) return `not contain the blank ${nameOf(blank[0])}; the ordinary one is U+0020`;
  const from = [...text].findIndex((character, at) => character !== [...normal][at]);
  const rest = [...text].slice(from);
  return `be in the Unicode normal form NFC, which ${nameOf(rest.find((character) => MARK.test(character)) ?? rest[0]!)} is not part of here`;
}
