// The check of a new sales tax registration against the content entry it names.

import { type Checked, failed, Gathering, isPlainObject, passed } from '../../records/checked.ts';
import { shortened } from '../../records/input-issue.ts';
import { checkDate, checkMailAddress, checkOneOf, checkText, checkWebAddress } from '../../records/text.ts';
import { checkIdentifier } from '../shared/government-identifiers.ts';
import type { InputField, RegistrationContent } from './content/content-shape.ts';

/** Longest answer to one question of an authority's form; patterns run on no longer text. */
const MAX_INPUT = { text: 255, longtext: 2000 } as const;

/** Most tax types of a registration; no entry of the content has half as many. */
const MAX_TAX_TYPES = 50;

/** Local jurisdictions may leave tax types out and inherit them; these may not. */
const STATE_LEVEL = new Set(['TRADEBLOC', 'COUNTRY', 'STATE_OR_PROVINCE', 'TERRITORY']);

export function needsTaxTypes(jurisdictionType: string): boolean {
  return STATE_LEVEL.has(jurisdictionType);
}

/** Checks tax types: a subset of those the content entry allows, with every one it requires. */
export function checkTaxTypes(
  content: Pick<RegistrationContent, 'taxType' | 'relatedTaxTypes'>,
  value: unknown,
  field = 'taxTypes',
): Checked<string[]> {
  if (!Array.isArray(value)) return failed(field, 'INVALID_TYPE', `${field} must be an array`);
  if (value.length === 0) return failed(field, 'REQUIRED', `${field} must not be empty`);
  const allowed: readonly string[] = [content.taxType, ...content.relatedTaxTypes.map((one) => one.taxType)];
  if (value.length > MAX_TAX_TYPES) return failed(field, 'OUT_OF_RANGE', `${field} must have at most ${MAX_TAX_TYPES} entries`);
  const gathering = new Gathering();
  const types = new Set<string>();
  for (const [at, one] of value.entries()) {
    const type = gathering.take(checkOneOf(`${field}.${at}`, one, allowed));
    if (type === undefined) continue;
    if (types.has(type)) gathering.add(`${field}.${at}`, 'DUPLICATE', `${field}.${at} names ${type} a second time`);
    types.add(type);
  }
  const needed = [content.taxType, ...content.relatedTaxTypes.filter((one) => !one.optional).map((one) => one.taxType)];
  for (const one of needed) if (!types.has(one)) gathering.add(field, 'REQUIRED', `${field} must contain ${one}`);
  return gathering.finish(() => [...types]);
}

/** Checks the authority's number: the pattern of the entry, then the identifier rules if the entry names a key. */
export function checkTaxRegistrationId(
  content: Pick<RegistrationContent, 'taxRegistrationId'>,
  value: unknown,
  field = 'taxRegistrationId',
): Checked<string> {
  const { regex, identifierKey } = content.taxRegistrationId;
  const text = checkText(field, value, { max: 40, singleLine: true, isKey: true });
  if (!text.ok) return text;
  const compared = text.value.toUpperCase();
  const fits = new RegExp(regex, 'u').test(compared) || new RegExp(regex, 'u').test(compared.replace(/\s/g, ''));
  if (!fits) return failed(field, 'INVALID_FORMAT', `${field} must match ${regex}`);
  if (identifierKey === null) return text;
  const number = checkIdentifier(identifierKey, text.value, field);
  return number.ok ? text : number;
}

function isAsked(field: InputField, values: Record<string, unknown>): boolean {
  return field.dependsOn === null || values[field.dependsOn.field] === field.dependsOn.value;
}

function checkInput(field: InputField, at: string, value: unknown): Checked<unknown> {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? passed(value) : failed(at, 'INVALID_TYPE', `${at} must be true or false`);
    case 'integer':
      return Number.isSafeInteger(value) ? passed(value) : failed(at, 'INVALID_TYPE', `${at} must be a whole number`);
    case 'date':
      return checkDate(at, value);
    case 'url':
      return checkWebAddress(at, value);
    case 'email':
      return checkMailAddress(at, value);
    case 'select':
      return checkOneOf(at, value, field.options);
    default: {
      const pattern = field.regex === null ? undefined : new RegExp(field.regex, 'u');
      return checkText(at, value, {
        max: MAX_INPUT[field.type],
        singleLine: field.type === 'text',
        pattern,
        patternHint: `match ${field.regex}`,
      });
    }
  }
}

/** Checks the answers to an entry's questions. A question that depends on another is asked only when that one has the value named. */
export function checkInputValues(fields: readonly InputField[], value: unknown, field = 'inputValues'): Checked<Record<string, unknown>> {
  if (!isPlainObject(value)) return failed(field, 'INVALID_TYPE', `${field} must be an object`);
  const gathering = new Gathering();
  const asked = fields.filter((one) => isAsked(one, value));
  const keys = new Set(asked.map(({ key }) => key));
  const choices = `; asked: ${[...keys].join(', ')}`;
  for (const key of Object.keys(value)) {
    const at = `${field}.${shortened(key)}`;
    if (!keys.has(key)) gathering.add(at, 'UNKNOWN_FIELD', `${at} is not asked here`, { choices });
  }
  const checked: Record<string, unknown> = {};
  for (const one of asked) {
    const at = `${field}.${one.key}`;
    const given = value[one.key] ?? null;
    if (given !== null) checked[one.key] = gathering.take(checkInput(one, at, given));
    else if (one.required) gathering.add(at, 'REQUIRED', `${at} is required: ${one.name}`);
  }
  return gathering.finish(() => checked);
}

/** Groups of prerequisite entries of which the corporation has no registration; empty when none is missing. */
export function missingPrerequisites(
  content: Pick<RegistrationContent, 'prerequisites'>,
  registered: ReadonlySet<string>,
): readonly (readonly string[])[] {
  return content.prerequisites.map((group) => group.anyOf).filter((anyOf) => !anyOf.some((one) => registered.has(one)));
}
