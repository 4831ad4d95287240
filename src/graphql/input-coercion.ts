// Input coercion: one coercer per GraphQL input type and naming strategy, for the variables of /graphql and the parameters and bodies of REST routes.
import {
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLScalarType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { enumDefinitions } from '../records/enums.ts';
import type { InputIssue } from '../records/input-issue.ts';
import type { InputRules } from '../records/metadata.ts';
import { snakeCase } from '../records/naming.ts';
import { scalarExpectations } from '../records/scalars.ts';

/** How an endpoint names and writes its input. */
export interface NamingStrategy {
  name: string;
  /** The name of an input field. */
  fieldName: (name: string, field: GraphQLInputField) => string;
  /** Clients send records back as they read them: the read-only fields of a record are skipped without an issue. */
  takesEchoes?: boolean;
  /** Values are text, as in a path or query string. */
  text?: boolean;
  /** Paths name items of lists as `tags.0`, as in the details of the platform API, not as `tags[0]`. */
  dotted?: boolean;
  /** GraphQL's rule that a single value is read as a list of one. */
  wrapsLists?: boolean;
  /** Messages list enum values by their names in the schema, not by their REST names. */
  namesEnums?: boolean;
}

const jsonName = (name: string, field: GraphQLInputField): string => (field.extensions.jsonName as string | undefined) ?? snakeCase(name);

/** The naming strategies in use. */
export const namingStrategies = {
  graphql: { name: 'graphql', fieldName: (name: string) => name, wrapsLists: true, namesEnums: true },
  snake: { name: 'snake', fieldName: jsonName, dotted: true },
  ledger: { name: 'ledger', fieldName: jsonName, takesEchoes: true },
  camel: { name: 'camel', fieldName: (name: string) => name },
  text: { name: 'text', fieldName: jsonName, text: true },
} satisfies Record<string, NamingStrategy>;

/** Converts a raw value to the value the resolver gets. An invalid value adds its issues, and the result is not to be used. */
export type Coercer = (value: unknown, path: string, issues: InputIssue[]) => unknown;

const cache = new WeakMap<GraphQLInputType, Map<string, Coercer>>();

/** The coercer of a type in a strategy, made once. */
export function coercerFor(type: GraphQLInputType, strategy: NamingStrategy): Coercer {
  let perStrategy = cache.get(type);
  if (!perStrategy) {
    perStrategy = new Map();
    cache.set(type, perStrategy);
  }
  let coercer = perStrategy.get(strategy.name);
  if (!coercer) {
    // A type may contain itself, so the entry exists before it is built.
    let built: Coercer | undefined;
    coercer = (value, path, issues) => {
      built ??= build(type, strategy);
      return built(value, path, issues);
    };
    perStrategy.set(strategy.name, coercer);
  }
  return coercer;
}

const refuse = (issues: InputIssue[], field: string, code: InputIssue['code'], message: string): undefined => {
  issues.push({ field, code, message });
  return undefined;
};

function build(type: GraphQLInputType, strategy: NamingStrategy): Coercer {
  if (isNonNullType(type)) {
    const inner = coercerFor(type.ofType, strategy);
    return (value, path, issues) => (value == null ? refuse(issues, path, 'REQUIRED', `${path} is required`) : inner(value, path, issues));
  }
  if (isListType(type)) return listCoercer(coercerFor(type.ofType, strategy), strategy);
  if (isEnumType(type)) return enumCoercer(type, strategy);
  if (isInputObjectType(type)) return objectCoercer(type, strategy);
  if (isScalarType(type)) return scalarCoercer(type, strategy);
  throw new Error('not an input type');
}

function listCoercer(item: Coercer, strategy: NamingStrategy): Coercer {
  return (value, path, issues) => {
    if (value == null) return null;
    if (Array.isArray(value))
      return value.map((entry, index) => item(entry, strategy.dotted ? `${path}.${index}` : `${path}[${index}]`, issues));
    if (strategy.wrapsLists) return [item(value, path, issues)];
    if (strategy.text)
      return String(value)
        .split(',')
        .map((entry) => item(entry.trim(), path, issues));
    return refuse(issues, path, 'INVALID_TYPE', `${path} must be an array`);
  };
}

function enumCoercer(type: GraphQLEnumType, strategy: NamingStrategy): Coercer {
  const definition = enumDefinitions.get(type.name);
  const values = new Map<string, unknown>();
  for (const value of type.getValues()) values.set(value.name.toUpperCase(), value.value);
  for (const [alias, value] of Object.entries(definition?.aliases ?? {})) values.set(alias, value);
  const allowed = type
    .getValues()
    .map(({ name }) => (strategy.namesEnums ? name : (definition?.jsonName(name) ?? name)))
    .join(', ');
  return (value, path, issues) => {
    if (value == null) return null;
    if (typeof value !== 'string') return refuse(issues, path, 'INVALID_TYPE', `${path} must be one of ${allowed}`);
    const found = values.get(value.trim().toUpperCase().replaceAll(/[ -]+/g, '_'));
    return found === undefined ? refuse(issues, path, 'INVALID_VALUE', `${path} must be one of ${allowed}`) : found;
  };
}

function objectCoercer(type: GraphQLInputObjectType, strategy: NamingStrategy): Coercer {
  const fields = new Map(
    Object.values(type.getFields()).map((field) => {
      const rules = field.extensions.rules as InputRules | undefined;
      const isEchoed = strategy.takesEchoes === true && getNamedType(field.type).extensions.echoes !== undefined;
      return [strategy.fieldName(field.name, field), { field, coercer: coercerFor(field.type, strategy), rules, isEchoed }] as const;
    }),
  );
  const required = [...fields]
    .filter(([, { field }]) => isNonNullType(field.type) && field.defaultValue === undefined)
    .map(([name]) => name);
  const defaults = Object.values(type.getFields()).filter((field) => field.defaultValue !== undefined);
  const trims = type.extensions.trims === true;
  const allowed = [...fields.keys()].join(', ');
  const echoes = strategy.takesEchoes ? new Set(((type.extensions.echoes ?? []) as string[]).map(snakeCase)) : undefined;
  return (value, path, issues) => {
    if (value == null) return null;
    if (typeof value !== 'object' || Array.isArray(value))
      return refuse(issues, path || 'body', 'INVALID_TYPE', `${path || 'the body'} must be an object`);
    const result: Record<string, unknown> = {};
    const prefix = path ? `${path}.` : '';
    for (const name of Object.keys(value)) {
      const raw = (value as Record<string, unknown>)[name];
      const known = fields.get(name);
      if (!known) {
        if (!echoes?.has(name) && !(echoes && name.startsWith('ledger_')))
          refuse(
            issues,
            prefix + printable(name),
            'UNKNOWN_FIELD',
            `${prefix}${printable(name)} is not a field here; allowed are ${allowed}`,
          );
        continue;
      }
      if (raw === undefined || (known.isEchoed && isMissingRecord(raw))) continue;
      const field = prefix + name;
      const before = issues.length;
      const coerced = known.coercer(prepared(raw, trims, known), field, issues);
      if (issues.length === before && known.rules && coerced !== null) checkRules(coerced, known.rules, field, issues);
      result[known.field.name] = coerced;
    }
    for (const name of required) if (!Object.hasOwn(value, name)) refuse(issues, prefix + name, 'REQUIRED', `${prefix}${name} is required`);
    for (const field of defaults) if (!Object.hasOwn(result, field.name)) result[field.name] = field.defaultValue;
    return result;
  };
}

/** Whether a member is the placeholder, with `ledger_id` null, that a read shows for a referenced record the company does not have. */
const isMissingRecord = (raw: unknown): boolean =>
  typeof raw === 'object' && raw !== null && (raw as { ledger_id?: unknown }).ledger_id === null;

const dateAlone = /^\d{4}-\d{2}-\d{2}$/;

/** The value before its type is checked: text trimmed where the input trims, empty text of a required field as null, a date in `lte` as the end of its day. */
function prepared(raw: unknown, trims: boolean, known: { field: GraphQLInputField; rules: InputRules | undefined }): unknown {
  if (typeof raw !== 'string') return raw;
  if (known.rules?.endOfDay && dateAlone.test(raw)) return `${raw}T23:59:59.999999Z`;
  if (!trims) return raw;
  const trimmed = raw.trim();
  return trimmed === '' && isNonNullType(known.field.type) ? null : trimmed;
}

/** A name the caller sent, made safe for a message: at most 60 characters, none that a log or a terminal would interpret. */
const printable = (name: string): string => name.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');

function scalarCoercer(type: GraphQLScalarType, strategy: NamingStrategy): Coercer {
  const expectation = scalarExpectations[type.name] ?? `a ${type.name}`;
  const whole = type.name === 'Int' || type.name === 'PositiveInt';
  const numeric = whole || type.name === 'Float' || type.name === 'Decimal';
  return (value, path, issues) => {
    if (value == null) return null;
    const wellFormed = checkText(value, path, issues);
    if (!wellFormed) return undefined;
    let raw = value;
    if (strategy.text && typeof value === 'string') {
      if (numeric) raw = (whole ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/).test(value) && value.length <= 16 ? Number(value) : Number.NaN;
      else if (type.name === 'Boolean') raw = value === 'true' ? true : value === 'false' ? false : value;
    }
    try {
      // The scalar itself would truncate 1.5 to 1 and read the list [3] as 3.
      if (type.name === 'PositiveInt' && !Number.isSafeInteger(raw)) throw new TypeError('not an integer');
      return type.parseValue(raw);
    } catch {
      const code =
        typeof raw === 'string' && !numeric ? 'INVALID_FORMAT' : numeric && typeof raw === 'number' ? 'OUT_OF_RANGE' : 'INVALID_TYPE';
      return refuse(issues, path, code, `${path} must be ${expectation}`);
    }
  };
}

// PostgreSQL stores neither NUL characters nor lone surrogates; more than 64 levels of nesting are an attack rather than data.
function checkText(value: unknown, path: string, issues: InputIssue[], depth = 0): boolean {
  if (typeof value === 'string') {
    if (!value.includes('\u0000') && value.isWellFormed()) return true;
    refuse(issues, path, 'INVALID_FORMAT', `${path} has a NUL character or half a surrogate pair`);
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
  if (Array.isArray(value)) return value.every((entry) => checkText(entry, path, issues, depth + 1));
  return Object.entries(value).every(
    ([key, entry]) => checkText(key, path, issues, depth + 1) && checkText(entry, path, issues, depth + 1),
  );
}

function checkRules(value: unknown, rules: InputRules, field: string, issues: InputIssue[]): void {
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
