// The check of what a caller sets of a platform record: walks the declarations of its writable properties.
import type { RequiredEntityData } from '@mikro-orm/core';
import { type Checked, type FieldCheck, failed, Gathering, isPlainObject, passed, refuseUnknown } from './checked.ts';
import { declaredProps } from './decorators.ts';
import { checkRules, normalised } from './input-rules.ts';
import { isNeeded, modelOf, type Prop, type PropOf, propsOf, type RecordClass, writableProps } from './metadata.ts';
import { checkDate, checkOneOf, checkText } from './text.ts';

/** What a caller sends: any value for properties of the record. Undefined leaves the stored value, null and empty text clear it. */
export type Given<T> = { readonly [K in keyof T]?: unknown };

/** A rule over several fields: adds its issues. Fields that were rejected are undefined here, absent ones are not members. */
export type RecordRule<T> = (fields: Partial<T>, gathering: Gathering) => void;

type Class<T> = new () => T;

/** Properties without which the ORM stores no record of the class. */
type NeededProperty<T> = {
  [K in keyof T]-?: K extends keyof RequiredEntityData<T> ? (null extends RequiredEntityData<T>[K] ? never : K) : never;
}[keyof T];

/** Properties that the program sets of every record. */
type OwnProperty = 'id' | 'organisationId' | 'createdAt' | 'updatedAt';

/** The checked properties of a new record: all that it needs, but those that the program sets. `Own` names further ones of these. */
export type NewFields<T, Own extends keyof T = never> = Pick<T, Exclude<NeededProperty<T>, Own | OwnProperty>> & Partial<T>;

/** What a value of a kind has to be. The schema says the same of the values it takes, but cells of files are checked here alone. */
function checkKind({ name, kind, choices }: Prop, value: unknown): Checked<unknown> {
  switch (kind) {
    case 'text':
    case 'id': {
      const checked = checkText(name, value, { max: Number.POSITIVE_INFINITY });
      return checked.ok ? passed(value) : checked;
    }
    case 'amount':
      return typeof value === 'number' ? passed(value) : failed(name, 'INVALID_TYPE', `${name} must be a number`);
    case 'integer':
    case 'ledgerId':
      return Number.isSafeInteger(value) ? passed(value) : failed(name, 'INVALID_TYPE', `${name} must be a whole number`);
    case 'flag':
      return typeof value === 'boolean' ? passed(value) : failed(name, 'INVALID_TYPE', `${name} must be true or false`);
    case 'date':
      return checkDate(name, value);
    case 'enumeration':
      return checkOneOf(name, value, Object.values(choices!.values));
    default:
      return passed(value);
  }
}

/** The check of a property, for a value that does not clear it. It is the declared one or that of its kind, and its rules. */
export function checkField(prop: Prop, given: unknown, record: Readonly<Record<string, unknown>> = {}): Checked<unknown> {
  const value = prop.rules ? normalised(given, prop.rules) : given;
  const checked = prop.check ? prop.check(prop.name, value, record) : checkKind(prop, value);
  if (!checked.ok || !prop.rules) return checked;
  const gathering = new Gathering();
  checkRules(checked.value, prop.rules, prop.name, gathering);
  return gathering.count === 0 ? checked : gathering.finish(() => checked.value);
}

const clears = (value: unknown): boolean => value === null || (typeof value === 'string' && value.trim() === '');

/** The check of an embedded object by the declarations of its members; those that are absent or empty are stored as null. */
export const checkEmbedded =
  (target: RecordClass): FieldCheck =>
  (field, value) => {
    if (!isPlainObject(value)) return failed(field, 'INVALID_TYPE', `${field} must be an object`);
    const gathering = new Gathering();
    const members: Record<string, unknown> = {};
    for (const prop of declaredProps(target)) {
      const given = value[prop.name] ?? null;
      const name = `${field}.${prop.name}`;
      if (clears(given) && isNeeded(prop)) gathering.add(name, 'REQUIRED', `${name} must not be empty`);
      else members[prop.name] = clears(given) ? null : gathering.take(checkField({ ...prop, name }, given, members));
    }
    return gathering.finish(() => members);
  };

/** The values of a record by property; those that were not loaded are undefined. */
const valuesOf = <T extends object>(target: Class<T>, record: Partial<T>): Record<string, unknown> =>
  Object.fromEntries(propsOf(modelOf<T>(target)).map(({ name }) => [name, record[name]]));

/** Checks the given properties in the order of their declarations, and sets them in `record` as well. */
function checkGiven<T>(props: readonly PropOf<T>[], input: Given<T>, record: Record<string, unknown>, gathering: Gathering): Partial<T> {
  const fields: Record<string, unknown> = {};
  for (const prop of props) {
    const value = input[prop.name];
    if (value === undefined) continue;
    if (clears(value) && isNeeded(prop)) gathering.add(prop.name, 'REQUIRED', `${prop.name} must not be empty`);
    else fields[prop.name] = clears(value) ? null : gathering.take(checkField(prop, value, record));
    record[prop.name] = fields[prop.name];
  }
  return fields as Partial<T>;
}

/** Gives a required property its fallback. */
function fallBack<T>(prop: PropOf<T>, fields: Partial<T>, record: Record<string, unknown>): void {
  if (prop.fallback === undefined) return;
  record[prop.name] = typeof prop.fallback === 'function' ? prop.fallback(record) : prop.fallback;
  fields[prop.name] = record[prop.name] as T[keyof T & string];
}

/** Checks a new record and fills in fallbacks. `known` has values that are not the caller's, for rules that depend on them. */
export function checkNew<T extends object, Own extends keyof T = never>(
  target: Class<T>,
  input: Given<T>,
  known: Partial<T> = {},
  rule?: RecordRule<T>,
): Checked<NewFields<T, Own>> {
  const props = writableProps<T>(target);
  const record = valuesOf(target, known);
  const gathering = new Gathering();
  refuseUnknown(
    input,
    props.map(({ name }) => name),
    gathering,
  );
  const fields = checkGiven(props, input, record, gathering);
  for (const prop of props)
    if (isNeeded(prop) && input[prop.name] === undefined) gathering.add(prop.name, 'REQUIRED', `${prop.name} is required`);
  rule?.(fields, gathering);
  return gathering.finish(() => {
    for (const prop of props) if (record[prop.name] == null) fallBack(prop, fields, record);
    return fields as NewFields<T, Own>;
  });
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Of checked fields those that the stored record has otherwise: what is sent back as it was read changes nothing. */
export function differing<T extends object>(fields: Partial<T>, stored: Partial<T>): Partial<T> {
  const changed = Object.entries(fields).filter(([name, value]) => !isEqual(value, stored[name as keyof T]));
  return Object.fromEntries(changed) as Partial<T>;
}

/** Checks a change of a stored record; properties that are cleared get their fallbacks. */
export function checkChange<T extends object>(
  target: Class<T>,
  input: Given<T>,
  stored: Partial<T>,
  rule?: RecordRule<T>,
): Checked<Partial<T>> {
  const props = writableProps<T>(target);
  const record = valuesOf(target, stored);
  const gathering = new Gathering();
  for (const { name, write } of props) {
    const given = input[name];
    if (write !== 'create' || given === undefined) continue;
    // A caller who sends back what was read does not change it.
    const known = stored[name];
    if (clears(given) ? !clears(known ?? null) : !isEqual(given, known))
      gathering.add(name, 'INVALID_VALUE', `${name} cannot be changed after creation`);
  }
  refuseUnknown(
    input,
    props.map(({ name }) => name),
    gathering,
  );
  const changeable = props.filter(({ write }) => write !== 'create');
  const fields = checkGiven(changeable, input, record, gathering);
  rule?.(fields, gathering);
  return gathering.finish(() => {
    for (const prop of changeable) if (fields[prop.name] === null) fallBack(prop, fields, record);
    return fields;
  });
}
