// Input coercion: one coercer per GraphQL input type and naming strategy, for the variables of /graphql and the parameters and bodies of REST routes.

import {
  type GraphQLEnumType,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import type { Gathering } from '../../records/checked.ts';
import { enumDefinitions } from '../../records/enums.ts';
import { GatewayError } from '../../records/errors.ts';
import { decodeGlobalId } from '../../records/ids.ts';
import type { InputIssueCode } from '../../records/input-issue.ts';
import { checkItems, checkRules, MAX_ENTRIES, MAX_RECORDS, normalised } from '../../records/input-rules.ts';
import type { InputRules, Model, NamedRecords } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { nounOf } from '../../records/not-found.ts';
import { isNumberedId, isRecordNumber, PositiveInt, scalarExpectations } from '../../records/scalars.ts';
import { numberedType, restTypeOf } from '../../records/schema-extensions.ts';
import { exactNumber, isStorableText } from '../../records/storable.ts';
import { others } from '../../runtime/others.ts';

/** How an endpoint names and writes its input. */
export interface NamingStrategy {
  name: string;
  /** The name of an input field. */
  fieldName: (name: string, field: GraphQLInputField) => string;
  /** Clients send records back as they read them: the read-only fields of a record are skipped without an issue. */
  takesRoundTrips?: boolean;
  /** A record that a read shows within another names itself by its number. */
  showsNumbers?: boolean;
  /** Keys are those of a source, which may have other forms than those that people type. */
  takesAnyKey?: boolean;
  /** Values are text, as in a path or query string. */
  text?: boolean;
  /** Paths name items of lists as `tags.0`, as in the details of the platform API, not as `tags[0]`. */
  dotted?: boolean;
  /** GraphQL's rule that a single value is read as a list of one. */
  wrapsLists?: boolean;
  /** Messages list enum values by their names in the schema, not by their REST names. */
  namesEnums?: boolean;
  /** Global ids stay as they are where nothing says which records are named: the argument that gets the value decodes them. */
  keepsIds?: boolean;
  /** Inputs have the members that only GraphQL has, and the numbers of records may be text, as values of the type `ID` are. */
  isGraphql?: boolean;
}

const jsonName = (name: string, field: GraphQLInputField): string => field.extensions.jsonName ?? snakeCase(name);

/** The naming strategies in use. */
export const namingStrategies = {
  graphql: { name: 'graphql', fieldName: (name: string) => name, wrapsLists: true, namesEnums: true, isGraphql: true },
  variable: { name: 'variable', fieldName: (name: string) => name, wrapsLists: true, namesEnums: true, keepsIds: true, isGraphql: true },
  snake: { name: 'snake', fieldName: jsonName, dotted: true },
  ledger: { name: 'ledger', fieldName: jsonName, takesRoundTrips: true, showsNumbers: true },
  typed: { name: 'typed', fieldName: jsonName, takesRoundTrips: true },
  source: { name: 'source', fieldName: jsonName, takesRoundTrips: true, takesAnyKey: true },
  camel: { name: 'camel', fieldName: (name: string) => name },
  text: { name: 'text', fieldName: jsonName, text: true },
} satisfies Record<string, NamingStrategy>;

/** Converts a raw value to the value the resolver gets. An invalid value adds its issues, and the result is not to be used. */
export type Coercer = (value: unknown, path: string, issues: Gathering) => unknown;

/** Follows from the types and strategies alone, so it is part of a schema rather than state: it goes with the schema. */
const cache = new WeakMap<GraphQLInputType, Map<string, Coercer>>();

/** The coercer of a type in a strategy, made once. With `names`, the numbers in it name records of these types and may be written as global ids. */
export function coercerFor(type: GraphQLInputType, strategy: NamingStrategy, names?: NamedRecords): Coercer {
  if (names) return lazily(() => build(type, strategy, names));
  let perStrategy = cache.get(type);
  if (!perStrategy) {
    perStrategy = new Map();
    cache.set(type, perStrategy);
  }
  let coercer = perStrategy.get(strategy.name);
  if (!coercer) {
    // A type may contain itself, so the entry exists before it is built.
    coercer = lazily(() => build(type, strategy, undefined));
    perStrategy.set(strategy.name, coercer);
  }
  return coercer;
}

function lazily(make: () => Coercer): Coercer {
  let made: Coercer | undefined;
  return (value, path, issues) => {
    made ??= make();
    return made(value, path, issues);
  };
}

const refuse = (issues: Gathering, field: string, code: InputIssueCode, message: string): undefined => {
  issues.add(field, code, message);
  return undefined;
};

function build(type: GraphQLInputType, strategy: NamingStrategy, names: NamedRecords | undefined): Coercer {
  if (isNonNullType(type)) {
    const inner = coercerFor(type.ofType, strategy, names);
    return (value, path, issues) => (value == null ? refuse(issues, path, 'REQUIRED', `${path} is required`) : inner(value, path, issues));
  }
  if (isListType(type)) return listCoercer(coercerFor(type.ofType, strategy, names), strategy);
  if (isEnumType(type)) return enumCoercer(type, strategy);
  if (isInputObjectType(type)) return objectCoercer(type, strategy, names);
  if (isScalarType(type)) return scalarCoercer(type, strategy, names);
  throw new Error('not an input type');
}

/** The list of the records of a write; all others are parts of a record. */
const RECORDS = /^(?:data|input\.records)$/;
/** A record of a write on REST. */
const RECORD = /^data(?:\[\d+\])?$/;

const placeIn = (path: string, index: number, { dotted }: NamingStrategy): string => (dotted ? `${path}.${index}` : `${path}[${index}]`);

/** Records that are coerced before the process may do other work: with a hundred lines each they take a few milliseconds. */
const AT_ONCE = 20;

/** Coerces the records of a write, a few at a time. */
export function recordsCoercer(
  type: GraphQLInputType,
  strategy: NamingStrategy,
  names?: NamedRecords,
): (list: readonly unknown[], path: string, issues: Gathering) => Promise<unknown> {
  const list = getNullableType(type);
  if (!isListType(list)) throw new Error('no list of records');
  const item = coercerFor(list.ofType, strategy, names);
  return async (records, path, issues) => {
    if (records.length > MAX_RECORDS) return records;
    const coerced: unknown[] = [];
    for (const [index, record] of records.entries()) {
      if (index > 0 && index % AT_ONCE === 0) await others();
      issues.beginRecord();
      coerced.push(item(record, placeIn(path, index, strategy), issues));
    }
    return coerced;
  };
}

function listCoercer(item: Coercer, strategy: NamingStrategy): Coercer {
  const each = (list: readonly unknown[], path: string, issues: Gathering): unknown => {
    const isOfRecords = RECORDS.test(path);
    // The mutation rejects so many, after it has looked who asks.
    if (isOfRecords && list.length > MAX_RECORDS) return list;
    if (!checkItems(list, { maxItems: MAX_ENTRIES }, path, issues)) return undefined;
    return list.map((entry, index) => {
      if (isOfRecords) issues.beginRecord();
      return item(entry, placeIn(path, index, strategy), issues);
    });
  };
  return (value, path, issues) => {
    if (value == null) return null;
    if (Array.isArray(value)) return each(value, path, issues);
    if (strategy.wrapsLists) return [item(value, path, issues)];
    if (strategy.text)
      return String(value)
        .split(',')
        .map((entry) => item(entry.trim(), path, issues));
    return refuse(issues, path, 'INVALID_TYPE', `${path} must be an array`);
  };
}

/** Most values of an enumeration that an error lists on their own. */
const MAX_CHOICES = 50;

function enumCoercer(type: GraphQLEnumType, strategy: NamingStrategy): Coercer {
  const definition = enumDefinitions.get(type.name);
  const values = new Map<string, unknown>();
  for (const { name, value } of type.getValues()) {
    values.set(String(value).toUpperCase(), value);
    if (strategy.isGraphql) values.set(name, value);
  }
  for (const [alias, value] of Object.entries(definition?.aliases ?? {})) values.set(alias, value);
  const choices = type.getValues().map(({ name, value }) => (strategy.namesEnums ? name : (definition?.jsonName(value) ?? value)));
  const allowed = choices.join(', ');
  const info = strategy.isGraphql && choices.length <= MAX_CHOICES ? { allowed: choices } : {};
  return (value, path, issues) => {
    if (value == null) return null;
    if (typeof value !== 'string') return refuse(issues, path, 'INVALID_TYPE', `${path} must be one of ${allowed}`);
    const found = values.get(value.trim().toUpperCase().replaceAll(/[ -]+/g, '_'));
    if (found !== undefined) return found;
    issues.add(path, 'INVALID_VALUE', `${path} must be one of ${allowed}`, info);
    return undefined;
  };
}

function objectCoercer(type: GraphQLInputObjectType, strategy: NamingStrategy, names: NamedRecords | undefined): Coercer {
  const typeOf = (field: GraphQLInputField): GraphQLInputType => (strategy.isGraphql ? numberedType(field) : restTypeOf(field));
  const own = Object.values(type.getFields()).filter((field) => strategy.isGraphql || !field.extensions.graphqlOnly);
  const fields = new Map(
    own.map((field) => {
      const rules = field.extensions.rules;
      const { roundTrips: shown, isReference, standsIn } = getNamedType(typeOf(field)).extensions as GraphQLInputObjectType['extensions'];
      const isShown = strategy.showsNumbers ? isShownByNumber : isShownRecord;
      const isMissing = standsIn ? isMissingOrStandIn : isMissingRecord;
      const isRoundTrip = !strategy.takesRoundTrips ? undefined : isReference ? isShown : shown && isMissing;
      const numbered = strategy.showsNumbers ? type.getFields()[field.extensions.numberedBy ?? ''] : undefined;
      return [
        strategy.fieldName(field.name, field),
        { field, coercer: coercerFor(typeOf(field), strategy, field.extensions.names ?? names), rules, isReference, isRoundTrip, numbered },
      ] as const;
    }),
  );
  const required = [...fields]
    .filter(([, { field }]) => isNonNullType(typeOf(field)) && field.defaultValue === undefined)
    .map(([name]) => name);
  const defaults = own.filter((field) => field.defaultValue !== undefined);
  const trims = type.extensions.trims === true;
  const allowed = [...fields.keys()].join(', ');
  const choices = `; allowed are ${allowed}`;
  const ownNumber = strategy.showsNumbers ? type.extensions.ownNumber : undefined;
  const coerceOwn = numberCoercer({ ...strategy, isGraphql: true }, ownNumber?.names);
  const coerceShown = numberCoercer(strategy, undefined);
  const roundTrips = strategy.takesRoundTrips ? new Set((type.extensions.roundTrips ?? []).map(snakeCase)) : undefined;
  const codedBy = new Map(
    Object.entries((strategy.showsNumbers && type.extensions.codedBy) || {}).map(([relation, code]) => {
      const [name, member] = [...fields].find(([, { field }]) => field.name === code)!;
      return [snakeCase(relation), { name, ...member }];
    }),
  );
  return (value, path, issues) => {
    if (value == null) return null;
    if (typeof value !== 'object' || Array.isArray(value))
      return refuse(issues, path || 'body', 'INVALID_TYPE', `${path || 'the body'} must be an object`);
    if (path.length > MAX_PATH) throw new GatewayError('QUERY_TOO_COMPLEX', `${path.slice(0, 60)}… is nested too deep`);
    const known = issues.count;
    const result: Record<string, unknown> = {};
    const shown: ShownRecords[] = [];
    const coded: string[] = [];
    const prefix = path ? `${path}.` : '';
    for (const name of Object.keys(value)) {
      const raw = (value as Record<string, unknown>)[name];
      const member = fields.get(name);
      if (!member) {
        if (codedBy.has(name)) coded.push(name);
        else if (!roundTrips?.has(name) && !(roundTrips && name.startsWith('ledger_'))) {
          if (issues.countIfFull()) continue;
          const unknown = prefix + printable(name);
          issues.add(unknown, 'UNKNOWN_FIELD', `${unknown} is not a field here`, { choices });
        } else if (name === ownNumber?.name) {
          // Of a record within another, the member next to it takes the number too.
          result.id = (RECORD.test(path) ? coerceOwn : coerceShown)(raw, prefix + name, issues);
        }
        continue;
      }
      const field = prefix + name;
      const numbers = member.numbered && numbersOf(raw);
      if (numbers)
        shown.push({
          field,
          numbered: member.numbered!,
          numbers,
          isAsRead: !hasNothingElse(raw),
          ...(member.isReference ? { named: { member: member.field.name, references: referencesTo(raw) } } : {}),
        });
      if (raw === undefined || member.isRoundTrip?.(raw) || (numbers && hasNothingElse(raw))) {
        if (codedBy.has(name)) coded.push(name);
        continue;
      }
      const before = issues.count;
      // The length of a list before what is in it.
      if (member.rules && Array.isArray(raw) && !checkItems(raw, member.rules, field, issues)) continue;
      const coerced = member.coercer(prepared(raw, trims, member), field, issues);
      if (issues.count === before && member.rules && coerced !== null)
        checkRules(coerced, member.rules, field, issues, strategy.takesAnyKey);
      result[member.field.name] = coerced;
    }
    for (const name of coded) {
      const { field, coercer, name: code } = codedBy.get(name)!;
      const given = result[field.name];
      const taken = codeIn((value as Record<string, unknown>)[name], prefix + name, given, code, coercer, issues);
      if (taken !== undefined) result[field.name] = taken;
    }
    if (type.isOneOf && (issues.count > known ? 1 : Object.values(result).filter((member) => member != null).length) !== 1)
      refuse(issues, path, 'INVALID_VALUE', `${path} must have exactly one of ${allowed}`);
    for (const name of required) if (!Object.hasOwn(value, name)) refuse(issues, prefix + name, 'REQUIRED', `${prefix}${name} is required`);
    for (const field of defaults) if (!Object.hasOwn(result, field.name)) result[field.name] = field.defaultValue;
    if (issues.count === known) for (const records of shown) takeNumbers(result, records, issues, strategy);
    return result;
  };
}

/**
 * The code of a record that a read shows next to the member with the code, undefined where that member counts: a client that changes it may send the
 * whole record back as it was.
 */
function codeIn(raw: unknown, field: string, given: unknown, codeField: string, coercer: Coercer, issues: Gathering): unknown {
  if (raw === undefined || isMissingRecord(raw)) return undefined;
  if (raw === null) return given === undefined ? null : undefined;
  if (typeof raw !== 'object' || Array.isArray(raw)) return refuse(issues, field, 'INVALID_TYPE', `${field} must be an object`);
  const { code } = raw as { code?: unknown };
  if (code == null) return refuse(issues, `${field}.code`, 'REQUIRED', `${field}.code is required`);
  const before = issues.count;
  const value = coercer(code, `${field}.code`, issues);
  if (issues.count > before || given === undefined || given === value) return value;
  if (isWhole(raw)) return undefined;
  return refuse(issues, field, 'MISMATCH', `${field} names another record than ${codeField}, which is ${String(given)}`);
}

/** Records that a member shows, next to the member that names the same ones by their numbers. */
interface ShownRecords {
  field: string;
  numbered: GraphQLInputField;
  numbers: readonly number[];
  /** Whether they are whole, as a read shows them: a client that changes the number next to them may send them back. */
  isAsRead: boolean;
  /** The member, where it takes references, and the records as references, where each has the id of its source. */
  named?: { member: string; references: unknown };
}

/** The numbers of the record, or of the records of a list, as a read shows them; undefined where one has none. */
function numbersOf(raw: unknown): number[] | undefined {
  const numbers = [raw]
    .flat()
    .map((record) => (typeof record === 'object' && record !== null ? (record as ShownRecord).ledger_id : undefined));
  return numbers.length > 0 && numbers.every(isRecordNumber) ? (numbers as number[]) : undefined;
}

/** A shown record, or a list of them, as references with both ids; undefined where one has no id of its source. The write looks whether both name one. */
function referencesTo(raw: unknown): unknown {
  const records = [raw].flat() as ShownRecord[];
  if (!records.every(({ platform_id }) => typeof platform_id === 'string')) return undefined;
  const references = records.map(({ platform_id, ledger_id }) => ({ platformId: platform_id, ledgerId: ledger_id }));
  return Array.isArray(raw) ? references : references[0];
}

/** Gives the member that names records by their numbers those that are shown next to it, or rejects one that names others. */
function takeNumbers(
  result: Record<string, unknown>,
  { field, numbered, numbers, isAsRead, named }: ShownRecords,
  issues: Gathering,
  strategy: NamingStrategy,
): void {
  const value = isListType(getNullableType(numbered.type)) ? numbers : numbers[0];
  const given = result[numbered.name];
  if (given === undefined) result[numbered.name] = value;
  else if (JSON.stringify(given) !== JSON.stringify(value)) {
    if (isAsRead) return;
    const name = strategy.fieldName(numbered.name, numbered);
    issues.add(
      field,
      'MISMATCH',
      `${field} names another record than ${name}, which is ${[given].flat().slice(0, 10).map(String).join(', ')}`,
    );
    return;
  }
  if (named?.references !== undefined) result[named.member] = named.references;
}

interface ShownRecord {
  ledger_id?: unknown;
  platform_id?: unknown;
}

/** Whether the records say nothing but what the gateway alone sets. */
const hasNothingElse = (raw: unknown): boolean =>
  ([raw].flat() as object[]).every((record) => Object.keys(record).every((name) => name.startsWith('ledger_')));

/** Whether a member is a record, or a list of them, that a read shows with its number, or with none where the company does not have it. */
const isShownByNumber = (raw: unknown): boolean => numbersOf(raw) !== undefined || isMissingRecord(raw);

/** Whether a member is a record without a number of which nothing is said. */
const isMissingRecord = (raw: unknown): boolean => isUnnumbered(raw) && Object.values(raw).every((member) => member === null);

/** Whether a member is that, or whole as a read shows what stands in for a record that the company does not have. */
const isMissingOrStandIn = (raw: unknown): boolean =>
  isMissingRecord(raw) || (isUnnumbered(raw) && isWhole(raw) && raw.platform_id === null);

const isUnnumbered = (raw: unknown): raw is ShownRecord =>
  typeof raw === 'object' && raw !== null && (raw as ShownRecord).ledger_id === null;

/** Whether a record has what a read shows of each, and callers do not write. */
const isWhole = (record: object): boolean => Object.hasOwn(record, 'ledger_created_at');

/** Whether a member is a record, or a list of them, as a read shows it, rather than a reference by the source's id. */
function isShownRecord(raw: unknown): boolean {
  if (Array.isArray(raw)) return raw.length > 0 && raw.every(isShownRecord);
  if (typeof raw !== 'object' || raw === null) return false;
  const { ledger_id: number, platform_id: id } = raw as ShownRecord;
  return number === undefined ? id === undefined : number !== null || id == null;
}

/** Longest path of an input object: one of a type that contains itself, as filters do, would else nest until the stack overflows. */
const MAX_PATH = 1_000;

const dateAlone = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The value before its type is checked. A key is in its one form, text is trimmed where the input trims, empty text of a required field is null, and
 * a date in `lte` is the end of its day.
 */
function prepared(given: unknown, trims: boolean, known: { field: GraphQLInputField; rules: InputRules | undefined }): unknown {
  const raw = known.rules?.key ? normalised(given, known.rules) : given;
  if (typeof raw !== 'string') return raw;
  if (known.rules?.endOfDay && dateAlone.test(raw)) return `${raw}T23:59:59.999999Z`;
  if (!trims) return raw;
  const trimmed = raw.trim();
  return trimmed === '' && isNonNullType(known.field.type) ? null : trimmed;
}

/** A name the caller sent, made safe for a message: at most 60 characters, none that a log or a terminal would interpret. */
const printable = (name: string): string => name.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');

function scalarCoercer(type: GraphQLScalarType, strategy: NamingStrategy, names: NamedRecords | undefined): Coercer {
  if (type === PositiveInt) return numberCoercer(strategy, names);
  if (type === GraphQLID && names?.().length && names().every(({ props, key }) => props.get(key)?.kind === 'ledgerId'))
    return numberCoercer({ ...strategy, isGraphql: true }, names);
  const expectation = scalarExpectations[type.name] ?? `of the type ${type.name}`;
  const whole = type.name === 'Int';
  const numeric = whole || type.name === 'Float' || type.name === 'Decimal';
  return (value, path, issues) => {
    if (value == null) return null;
    const wellFormed = checkStorable(value, path, issues);
    if (!wellFormed) return undefined;
    let raw = value;
    if (strategy.text && typeof value === 'string') {
      if (numeric) raw = whole && !/^-?\d+$/.test(value) ? Number.NaN : (exactNumber(value) ?? Number.NaN);
      else if (type.name === 'Boolean') raw = value === 'true' ? true : value === 'false' ? false : value;
    }
    try {
      return type.parseValue(raw);
    } catch (error) {
      const code =
        typeof raw === 'string' && !numeric
          ? 'INVALID_FORMAT'
          : (numeric && typeof raw === 'number') || strategy.text || error instanceof RangeError
            ? 'OUT_OF_RANGE'
            : 'INVALID_TYPE';
      return refuse(issues, path, code, `${path} must be ${expectation}`);
    }
  };
}

const isDigits = (value: unknown): value is string => typeof value === 'string' && /^-?\d{1,30}$/.test(value);

/** The number of a record, or the global id of a record of one of the named types. */
function numberCoercer(strategy: NamingStrategy, names: NamedRecords | undefined): Coercer {
  const expectation = scalarExpectations.PositiveInt!;
  return (value, path, issues) => {
    if (value == null) return null;
    if (!checkStorable(value, path, issues)) return undefined;
    if (isNumberedId(value)) {
      const models = names?.();
      if (models?.length) return numberOf(value, models, path, issues);
      if (!models && strategy.keepsIds) return value;
    }
    const raw = (strategy.text || strategy.isGraphql) && isDigits(value) ? Number(value) : value;
    if (isRecordNumber(raw)) return raw;
    return refuse(
      issues,
      path,
      typeof raw === 'number' || strategy.text ? 'OUT_OF_RANGE' : 'INVALID_TYPE',
      `${path} must be ${expectation}`,
    );
  };
}

/** The number in a global id, which must be of one of these record types. */
function numberOf(id: string, models: readonly Model[], path: string, issues: Gathering): unknown {
  const found = decodeGlobalId(id);
  if (found && models.includes(found.model)) return found.key;
  const wanted = models.map((model) => nounOf(model.class)).join(' or ');
  const given = found ? `is the id of a record of the type ${nounOf(found.model.class)}` : 'is not the id of a record';
  return refuse(issues, path, 'INVALID_VALUE', `${path} must name a record of the type ${wanted}; ${id} ${given}`);
}

/** Notes the parts of a value that the database cannot hold; more than 64 levels of nesting are an attack rather than data. */
export function checkStorable(value: unknown, path: string, issues: Gathering, depth = 0): boolean {
  if (typeof value === 'string') {
    if (isStorableText(value)) return true;
    refuse(issues, path, 'INVALID_FORMAT', `${path} contains a NUL character or an unpaired surrogate`);
    return false;
  }
  if (Number.isNaN(value)) {
    refuse(issues, path, 'OUT_OF_RANGE', `${path} has a number of more than 15 significant digits`);
    return false;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (depth > 64) {
    refuse(issues, path, 'OUT_OF_RANGE', `${path} is nested more than 64 levels deep`);
    return false;
  }
  if (Array.isArray(value)) return value.every((entry) => checkStorable(entry, path, issues, depth + 1));
  return Object.entries(value).every(
    ([key, entry]) => checkStorable(key, path, issues, depth + 1) && checkStorable(entry, path, issues, depth + 1),
  );
}
