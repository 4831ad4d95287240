// The check of a submitted incorporation form: fields, roles, and exact arithmetic of shares and interests.
import { type Checked, failed, Gathering, isPlainObject, passed, refuseUnknown } from '../../records/checked.ts';
import { checkMailAddress, checkOneOf, checkText, checkWebAddress, isCalendarDate } from '../../records/text.ts';
import type { EntityForm } from '../shared/corporation-types.ts';
import { checkCountry, checkSubdivision, subdivisionsOf } from '../shared/countries.ts';
import { type FormRules, formRules, ROLES, type Role } from './form-fields.ts';

export interface PostalAddress {
  addressLine1: string;
  addressLine2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  country: string;
}

export interface KeyPerson {
  fullName: string;
  email: string;
  roles: Role[];
  /** Whole shares, as text: counts above 2^53 stay exact. */
  shares: string | null;
  /** Per cent with up to four decimals, as text. */
  interestPercent: string | null;
}

export interface IncorporationForm {
  companyNames: string[];
  website: string | null;
  businessDescription: string;
  fiscalYearEnd: string;
  physicalAddress: PostalAddress;
  mailingAddress: PostalAddress | null;
  authorizedShares: string | null;
  optionPoolShares: string | null;
  keyPersons: KeyPerson[];
  proofOfAddressFileId: string | null;
}

const MAX_NAMES = 3;
const MAX_PERSONS = 50;
const PERCENT_SCALE = 10_000n;
const HUNDRED_PERCENT = 100n * PERCENT_SCALE;

const isMissing = (value: unknown): boolean => value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A missing value is null for an optional field and an issue for a required one. */
function whenGiven<T>(
  field: string,
  value: unknown,
  required: boolean,
  check: (field: string, value: unknown) => Checked<T>,
): Checked<T | null> {
  if (!isMissing(value)) return check(field, value);
  return required ? failed(field, 'REQUIRED', `${field} is required`) : passed(null);
}

/** A whole number of shares; forms send text, JSON callers may send numbers. 18 digits fit a 64-bit column. */
function checkShares(field: string, value: unknown): Checked<string> {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return failed(field, 'INVALID_FORMAT', `${field} must be a whole number`);
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : null;
  if (text === null) return failed(field, 'INVALID_TYPE', `${field} must be a whole number`);
  if (!/^[0-9]{1,18}$/.test(text)) return failed(field, 'INVALID_FORMAT', `${field} must be a whole number of at most 18 digits`);
  return passed(BigInt(text).toString());
}

function checkPercent(field: string, value: unknown): Checked<string> {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : null;
  if (text === null) return failed(field, 'INVALID_TYPE', `${field} must be a number`);
  if (!/^[0-9]{1,3}(?:\.[0-9]{1,4})?$/.test(text))
    return failed(field, 'INVALID_FORMAT', `${field} must be a percentage with at most four decimals`);
  const inRange = scaledPercent(text) > 0n && scaledPercent(text) <= HUNDRED_PERCENT;
  return inRange ? passed(text) : failed(field, 'OUT_OF_RANGE', `${field} must be above 0 and at most 100`);
}

function scaledPercent(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * PERCENT_SCALE + BigInt(fraction.padEnd(4, '0'));
}

function checkNames(field: string, value: unknown): Checked<string[]> {
  if (!Array.isArray(value)) return failed(field, 'INVALID_TYPE', `${field} must be an array of names, in order of preference`);
  // The hosted form always sends all its name fields, also empty ones.
  const given = value.map((name, at) => ({ name, at })).filter(({ name }) => !isMissing(name));
  if (given.length === 0) return failed(field, 'REQUIRED', `${field} must have at least one name`);
  if (given.length > MAX_NAMES) return failed(field, 'OUT_OF_RANGE', `${field} must have at most ${MAX_NAMES} names`);
  const gathering = new Gathering();
  const seen = new Set<string>();
  const names: string[] = [];
  for (const { name, at } of given) {
    const text = gathering.take(checkText(`${field}.${at}`, name, { max: 255, singleLine: true }));
    if (text === undefined) continue;
    if (seen.has(text.toLowerCase())) gathering.add(`${field}.${at}`, 'DUPLICATE', `${field} repeats a name`);
    seen.add(text.toLowerCase());
    names.push(text);
  }
  return gathering.finish(() => names);
}

/** The month and day a fiscal year ends on; 29 February is rejected because it is absent in three years of four. */
function checkMonthDay(field: string, value: unknown): Checked<string> {
  const sound = typeof value === 'string' && isCalendarDate(`2023-${value.trim()}`);
  return sound
    ? passed(value.trim())
    : failed(field, 'INVALID_FORMAT', `${field} must be a month and day that exist every year, written MM-DD`);
}

/** A sub-division of the country; text where the country has none, or is wrong itself. */
const stateOf =
  (country: string | null | undefined) =>
  (field: string, value: unknown): Checked<string> => {
    const text = checkText(field, value, { max: ADDRESS_LIMITS.state, singleLine: true });
    return text.ok && country && subdivisionsOf(country).length > 0 ? checkSubdivision(country, text.value, field) : text;
  };

const ADDRESS_LIMITS = { addressLine1: 255, addressLine2: 255, city: 100, state: 100, postalCode: 20 } as const;

/** Checks a postal address. */
export function checkAddress(field: string, value: unknown): Checked<PostalAddress> {
  if (!isPlainObject(value)) return failed(field, 'INVALID_TYPE', `${field} must be an object`);
  const gathering = new Gathering();
  refuseUnknown(value, [...Object.keys(ADDRESS_LIMITS), 'country'], gathering, `${field}.`);
  const line = (name: Exclude<keyof typeof ADDRESS_LIMITS, 'state'>) =>
    gathering.take(
      whenGiven(`${field}.${name}`, value[name], name === 'addressLine1', (at, text) =>
        checkText(at, text, { max: ADDRESS_LIMITS[name], singleLine: true }),
      ),
    ) ?? null;
  const country = gathering.take(whenGiven(`${field}.country`, value.country, true, (at, code) => checkCountry(code, at)));
  const address = {
    addressLine1: line('addressLine1')!,
    addressLine2: line('addressLine2'),
    city: line('city'),
    state: gathering.take(whenGiven(`${field}.state`, value.state, false, stateOf(country))) ?? null,
    postalCode: line('postalCode'),
    country: country!,
  };
  return gathering.finish(() => address);
}

function checkRoles(field: string, value: unknown, allowed: readonly Role[]): Checked<Role[]> {
  // A form with a single ticked box sends text instead of an array.
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (list.every(isMissing)) return failed(field, 'REQUIRED', `${field} must name at least one role`);
  if (list.length > ROLES.length) return failed(field, 'OUT_OF_RANGE', `${field} must have at most ${ROLES.length} entries`);
  const gathering = new Gathering();
  const roles = list.map((role) => gathering.take(checkOneOf(field, role, allowed)));
  return gathering.finish(() => [...new Set(roles.filter((role) => role !== undefined))]);
}

const OWNING_ROLES: readonly Role[] = ['SHAREHOLDER', 'MEMBER', 'GENERAL_PARTNER', 'LIMITED_PARTNER', 'PARTNER', 'DESIGNATED_PARTNER'];

function checkPerson(field: string, value: unknown, rules: FormRules): Checked<KeyPerson> {
  if (!isPlainObject(value)) return failed(field, 'INVALID_TYPE', `${field} must be an object`);
  const gathering = new Gathering();
  const split = { SHARES: 'shares', INTERESTS: 'interestPercent', NONE: null }[rules.ownership];
  refuseUnknown(value, ['fullName', 'email', 'roles', ...(split ? [split] : [])], gathering, `${field}.`);
  const fullName = gathering.take(
    whenGiven(`${field}.fullName`, value.fullName, true, (at, text) => checkText(at, text, { max: 255, singleLine: true })),
  );
  const email = gathering.take(whenGiven(`${field}.email`, value.email, true, checkMailAddress));
  const roles = gathering.take(checkRoles(`${field}.roles`, value.roles, rules.roles));
  const owns = roles?.some((role) => OWNING_ROLES.includes(role)) ?? false;
  const owned = (name: 'shares' | 'interestPercent', check: typeof checkShares) =>
    split === name ? (gathering.take(whenGiven(`${field}.${name}`, value[name], owns, check)) ?? null) : null;
  const shares = owned('shares', checkShares);
  const interestPercent = owned('interestPercent', checkPercent);
  if (roles && !owns && split && (BigInt(shares ?? 0) > 0n || interestPercent !== null)) {
    gathering.add(
      `${field}.${split}`,
      'MISMATCH',
      `${field}.${split} needs one of the owning roles: ${rules.roles.filter((role) => OWNING_ROLES.includes(role)).join(', ')}`,
    );
  }
  return gathering.finish(() => ({ fullName: fullName!, email: email!, roles: roles!, shares, interestPercent }));
}

function checkPersons(field: string, value: unknown, rules: FormRules): Checked<KeyPerson[]> {
  if (!Array.isArray(value)) return failed(field, 'INVALID_TYPE', `${field} must be an array`);
  if (value.length === 0) return failed(field, 'REQUIRED', `${field} must name at least one person`);
  if (value.length > MAX_PERSONS) return failed(field, 'OUT_OF_RANGE', `${field} must have at most ${MAX_PERSONS} persons`);
  const gathering = new Gathering();
  const persons = value.flatMap((person, at) => gathering.take(checkPerson(`${field}.${at}`, person, rules)) ?? []);
  if (gathering.count === 0) countRoles(field, persons, rules, gathering);
  return gathering.finish(() => persons);
}

function countRoles(field: string, persons: readonly KeyPerson[], rules: FormRules, gathering: Gathering): void {
  for (const role of ROLES) {
    const count = persons.filter((person) => person.roles.includes(role)).length;
    const least = rules.atLeast[role] ?? 0;
    const most = rules.atMost?.[role] ?? MAX_PERSONS;
    if (count < least)
      gathering.add(field, 'OUT_OF_RANGE', `${field} must name at least ${least} with the role ${role}, it names ${count}`);
    if (count > most) gathering.add(field, 'OUT_OF_RANGE', `${field} must name at most ${most} with the role ${role}, it names ${count}`);
  }
  if (rules.ownership !== 'INTERESTS') return;
  const owners = persons.filter((person) => person.interestPercent !== null);
  // A partnership needs a partner besides the first; a limited liability company may have one member.
  if (rules.roles.includes('PARTNER') && owners.length < 2) gathering.add(field, 'OUT_OF_RANGE', `${field} must name at least 2 partners`);
  const total = owners.reduce((sum, person) => sum + scaledPercent(person.interestPercent!), 0n);
  if (total !== HUNDRED_PERCENT) {
    const shown = `${total / PERCENT_SCALE}.${String(total % PERCENT_SCALE).padStart(4, '0')}`;
    gathering.add(field, 'MISMATCH', `the interests of ${field} must sum to 100, they sum to ${shown}`);
  }
}

/** Issued shares plus the option pool must fit in the authorised shares. */
function checkShareSum(authorized: string, pool: string | null, persons: readonly KeyPerson[], gathering: Gathering): void {
  const issued = persons.reduce((sum, person) => sum + BigInt(person.shares ?? 0), 0n);
  const used = issued + BigInt(pool ?? 0);
  if (BigInt(authorized) === 0n) gathering.add('authorizedShares', 'OUT_OF_RANGE', 'authorizedShares must be above 0');
  else if (issued === 0n) gathering.add('keyPersons', 'MISMATCH', 'keyPersons must hold at least one share');
  else if (used > BigInt(authorized)) {
    const message = `authorizedShares is ${authorized}, but ${issued} issued and ${pool ?? 0} in the pool make ${used}`;
    gathering.add('authorizedShares', 'MISMATCH', message);
  }
}

/** Checks the answers of the form; every issue names its field, so that the page can show it next to its question. */
export function checkIncorporationForm(country: string, form: EntityForm, answers: unknown): Checked<IncorporationForm> {
  if (!isPlainObject(answers)) return failed('form', 'INVALID_TYPE', 'the form must be an object');
  const rules = formRules(country, form);
  const gathering = new Gathering();
  refuseUnknown(
    answers,
    rules.fields.map((field) => field.name),
    gathering,
  );
  const ask = <T>(name: keyof IncorporationForm, check: (field: string, value: unknown) => Checked<T>): T | null => {
    const field = rules.fields.find((one) => one.name === name);
    return field ? (gathering.take(whenGiven(name, answers[name], field.required, check)) ?? null) : null;
  };
  const checked = {
    companyNames: ask('companyNames', checkNames)!,
    website: ask('website', checkWebAddress),
    businessDescription: ask('businessDescription', (field, value) => checkText(field, value, { max: 2000 }))!,
    fiscalYearEnd: ask('fiscalYearEnd', checkMonthDay)!,
    physicalAddress: ask('physicalAddress', checkAddress)!,
    mailingAddress: ask('mailingAddress', checkAddress),
    authorizedShares: ask('authorizedShares', checkShares),
    optionPoolShares: ask('optionPoolShares', checkShares),
    keyPersons: ask('keyPersons', (field, value) => checkPersons(field, value, rules))!,
    proofOfAddressFileId: ask('proofOfAddressFileId', (field, value) => checkText(field, value, { max: 64, singleLine: true })),
  };
  if (checked.authorizedShares !== null && checked.keyPersons !== null) {
    checkShareSum(checked.authorizedShares, checked.optionPoolShares, checked.keyPersons, gathering);
  }
  return gathering.finish(() => checked);
}
