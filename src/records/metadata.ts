// The metadata of the records: columns, relations and computed fields, as the record decorators register them. Everything else is derived from it.
import { BigIntType, type Collection, DecimalType, type EntityClass, type Type } from '@mikro-orm/core';
import { ID, Int } from 'type-graphql';
import type { FieldCheck } from './checked.ts';
import type { EnumDefinition } from './enums.ts';
import type { ErrorCode } from './errors.ts';
import type { RoleName } from './roles.ts';
import {
  CountryCode,
  DateTime,
  Decimal,
  EmailAddress,
  IPAddress,
  JSONObject,
  JSONValue,
  LocalDate,
  PositiveInt,
  URLScalar,
  UUID,
} from './scalars.ts';
import type { KeyRule } from './text.ts';

/** A kind of property: its column type, ORM type, GraphQL type and filter operators. `database/reader/column-values.ts` converts its values. */
export interface Kind {
  column: string;
  /** Type of the property for the ORM; a function where each property needs an instance. */
  orm: string | (() => Type<unknown, unknown>);
  graphql?: () => object;
  filter: readonly FilterOperator[];
}

export type FilterOperator = 'eq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains' | 'startsWith' | 'has' | 'isNull';

const CHOICE = ['eq', 'in', 'isNull'] as const;
const TEXT = ['eq', 'in', 'contains', 'startsWith', 'isNull'] as const;
const RANGE = ['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'isNull'] as const;

/** Every kind of property. */
export const kinds = {
  text: { column: 'text', orm: 'string', graphql: () => String, filter: TEXT },
  country: { column: 'text', orm: 'string', graphql: () => CountryCode, filter: CHOICE },
  email: { column: 'text', orm: 'string', graphql: () => EmailAddress, filter: TEXT },
  url: { column: 'text', orm: 'string', graphql: () => URLScalar, filter: TEXT },
  ipAddress: { column: 'text', orm: 'string', graphql: () => IPAddress, filter: TEXT },
  uuid: { column: 'text', orm: 'string', graphql: () => UUID, filter: CHOICE },
  id: { column: 'text', orm: 'string', graphql: () => ID, filter: CHOICE },
  ledgerId: { column: 'bigint', orm: () => new BigIntType('number'), graphql: () => PositiveInt, filter: CHOICE },
  integer: { column: 'integer', orm: 'number', graphql: () => Int, filter: RANGE },
  amount: { column: 'numeric', orm: () => new DecimalType('number'), graphql: () => Decimal, filter: RANGE },
  flag: { column: 'boolean', orm: 'boolean', graphql: () => Boolean, filter: CHOICE },
  moment: { column: 'timestamptz(6)', orm: 'Date', graphql: () => DateTime, filter: RANGE },
  date: { column: 'date', orm: 'date', graphql: () => LocalDate, filter: RANGE },
  json: { column: 'jsonb', orm: 'json', graphql: () => JSONValue, filter: [] },
  object: { column: 'jsonb', orm: 'json', graphql: () => JSONObject, filter: [] },
  list: { column: 'jsonb', orm: 'json', filter: [] },
  namedValues: { column: 'jsonb', orm: 'json', filter: ['has', 'isNull'] },
  enumeration: { column: 'text', orm: 'string', filter: CHOICE },
  bytes: { column: 'bytea', orm: 'Buffer', filter: [] },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

/** When REST shows a GraphQL field: always, only when expanded or selected, only in lists of deleted records, or never. */
export type RestShow = 'always' | 'expand' | 'select' | 'deleted' | 'never';

/** Rules for the values of a property, checked in every input field made from it. */
export interface InputRules {
  maxLength?: number;
  minLength?: number;
  pattern?: RegExp;
  /** The end of the sentence "<field> must be …" used when `pattern` does not match. */
  expectation?: string;
  min?: number;
  max?: number;
  moreThan?: number;
  maxItems?: number;
  minItems?: number;
  unique?: boolean;
  /** It is a key that people type, or a list of them: what looks alike is equal. */
  key?: KeyRule;
  /** A date without a time means the end of that day, for upper bounds. */
  endOfDay?: boolean;
}

/**
 * How lists use a property. `indexed`: they filter and order by it at the cost of a page. `scanned`: they filter by it among a bounded number of
 * records. `never`: they offer nothing, and the declaration says why.
 */
export type ListUse = 'indexed' | 'scanned' | 'never';

export interface PropertyOptions {
  /** Not null in the database, and non-null in the GraphQL type. */
  required?: boolean;
  /** Whether callers may write it always, only on create, or never. The default is always, and never for a hidden column. */
  write?: 'always' | 'create' | 'never';
  rest?: RestShow;
  /** How lists use it; the default follows from its kind. */
  list?: ListUse;
  /** Whether it is the stamp of a write: lists in its ascending order end before what running transactions may still add. */
  settles?: boolean;
  /** Whether `search` looks into it, and `contains` finds it by the search index. */
  search?: boolean;
  /** Whether it is the currency of the amounts of its record. */
  isCurrency?: boolean;
  /** Whether it is a place in an order, which has no sum. */
  isPlace?: boolean;
  /** Whether an amount is money in the currency of its record, which is the default; false for rates and quantities. */
  isMoney?: boolean;
  rules?: InputRules;
  /** What rules cannot say: passes the value as it is to be stored, or its issues. Platform records are checked by it, ledger records are not. */
  check?: FieldCheck;
  /**
   * The value of a required property that callers may leave out or clear, or a function of the record that gives it. Without one, a new record
   * needs the property.
   */
  fallback?: unknown;
  /** GraphQL type, where it differs from the one of the kind. */
  type?: () => object;
  /** GraphQL input type, where it differs from the output type. */
  input?: () => object;
  /** Description in the input of a new record, where it differs. */
  createDescription?: string;
  /** Description in the input of a change, where it differs. */
  changeDescription?: string;
  /** REST name, where it differs from the snake case of the name. */
  jsonName?: string;
  /** Name of the record type whose numbers it holds, where its module cannot import the class. */
  names?: string;
  /** The property that says by its data model of which record type it holds the number, where that differs from record to record. */
  typedBy?: string;
  /** A column that no GraphQL field shows. */
  hidden?: boolean;
  /** It holds texts of the secret box; the properties whose values, with spaces between, name the owner they are sealed for. */
  sealed?: readonly string[];
  /** Sequence that numbers new rows, for a key that the database assigns. */
  sequence?: string;
  /** Default of the column in SQL, for rows that were stored before it, or by a release that does not know it. */
  columnDefault?: string;
}

/** A column of a record. */
export interface Prop extends PropertyOptions {
  name: string;
  column: string;
  kind: KindName;
  description: string;
  choices?: EnumDefinition;
  /** The record whose `ledgerId` this column holds, or holds a list of. */
  target?: () => RecordClass;
  /** Whether a list of `ledgerId`s also has ids of the source, of records that are not stored yet. */
  mayBeOpen?: boolean;
  /** Whether a list of `ledgerId`s is the other side of a list of those records, which leads both ways already. */
  isOtherSide?: boolean;
  /** Name under which reads show the record whose type another property says, where the record is not its parent. */
  shownAs?: string;
  /** The class of the JSON objects it holds, where they have a fixed shape. */
  embedded?: () => { class: RecordClass; array?: boolean };
}

/** A relation from a record to others: a property of the record (`from`) equals a property of the target (`to`), under constant conditions (`where`). */
export interface Relation {
  name: string;
  description: string;
  target: () => RecordClass;
  /** The property of the record and the property of the target that must be equal. */
  from: string;
  to: string;
  /** Constant conditions on the target, by property name. */
  where?: Record<string, string>;
  /** Whether the relation is a list; a single record is null when absent. */
  many: boolean;
  /** Records by which a list is priced, where it is longer than is usual. */
  size?: number;
  /** Whether a single record is shown as a list of none or one. */
  wrapped?: boolean;
  rest: RestShow;
  /** Whether the records belong to the parent: they are written and deleted with it. */
  owned: boolean;
  /** The property of the target that orders a list; equal ones, and all others, come in the order of their keys. */
  orderedBy?: string;
  /** Whether a write of the parent may contain the record; owned records always may be contained. */
  nested: boolean;
  /** Whether owned records are written with the parent only and all together, because a rule holds over all of them. */
  whole?: boolean;
  /** Whether only the ORM knows the relation, and no GraphQL field shows it. */
  hidden?: boolean;
  /**
   * Name of the way back from the target. For a relation to one record, it is the list that the target shows. Absent or false means no such list. Of
   * a list, the relation that the ORM knows; that of the property without `Id` when absent.
   */
  inverse?: string | false;
  /** Whether no read finds the record once the target is marked deleted, also while its own row is still there. */
  within?: boolean;
  /** The stand-in for a value of `from` that no record of the company has. */
  standIn?: (value: unknown) => Record<string, unknown> | null;
}

/** A field computed from columns of the same row. */
export interface Derived {
  name: string;
  description: string;
  type: () => object;
  needs: readonly string[];
  compute: (row: Record<string, never>) => unknown;
  nullable: boolean;
  rest: RestShow;
  /** REST names, where they differ from the snake case of the name. */
  jsonName?: string | string[];
}

/** Whether the rows belong to an organisation or are content that all organisations share. */
export type Scope = 'organisation' | 'shared';

/** Who may read a record type through `node`. */
export interface NodeAccess {
  /** Keys with one of these roles. */
  roles: readonly RoleName[];
}

/** Which rows of an organisation a key limited to some companies sees, where they are not rows of a company. */
export type CompanyLimit =
  /** Those whose column names one of the companies. */
  | { company: string }
  /** Those whose column lists companies, all of them among those of the key. */
  | { companies: string }
  /** Those whose column names a record of this type that the key sees. */
  | { through: () => RecordClass; by: string };

/** An index as reads see it. */
export interface IndexModel {
  /** Its columns in their order. */
  columns: readonly string[];
  /** Whether it holds live records only. */
  live: boolean;
}

/** The metadata of a record class. */
export interface Model<T extends object = object> {
  name: string;
  table: string;
  class: RecordClass<T>;
  scope: Scope;
  /** Column of the company id; keys limited to some companies see only the rows of those. */
  companyColumn?: string;
  /** The property of that column. */
  companyProp?: string;
  /** What such keys see of rows that belong to the organisation; all of them where it is absent. */
  companyLimit?: CompanyLimit;
  /** Property that identifies a row inside its scope: `ledgerId` or `id`. */
  key: string;
  /** Properties of the primary key, in order. */
  primaryKey: readonly string[];
  /** The error for an id that names no record the caller may see. */
  notFound: ErrorCode;
  node?: NodeAccess;
  /** Prefix of the global id. */
  prefix: string;
  description: string;
  props: Map<string, Prop>;
  relations: Map<string, Relation>;
  derived: Map<string, Derived>;
  /** Property that marks a soft delete, if the record has one. */
  deletedAt?: string;
  /** The primary key and the indexes that reads rely on. */
  indexes: readonly IndexModel[];
  /** Its unique indexes, with their columns in SQL. */
  unique: readonly { name: string; columns: string }[];
  /** Whether lists filter and order by its indexed properties. */
  listed: boolean;
  /** The column that all rows of a list share. */
  listColumn: string;
  /** What lists of its records are called, where records refer to it by number. */
  plural?: string;
}

/** A record class, by the type of its instances. */
export type RecordClass<T extends object = object> = EntityClass<T>;

/** The names of the properties of a record that are not lists of other records. Any name is allowed where the class of the record is not known. */
export type Column<T> = object extends T
  ? string
  : { [K in keyof T & string]: T[K] extends Collection<object> ? never : K }[keyof T & string];

/**
 * A value of a record as reads return it. Moments are ISO 8601 text in UTC with all stored digits, and everything else is as the class declares it.
 */
export type Stored<V> = V extends Date ? string : V;

/** Some properties of a record, as reads return them. */
export type StoredRecord<T, K extends PropertyKey> = { [P in K]: Stored<T[P & keyof T]> };

const modelsByClass = new Map<RecordClass, Model>();

/** Registers the metadata of a record class. */
export function register(model: Model): void {
  modelsByClass.set(model.class, model);
}

/** Whether a new record needs a value from its caller. */
export const isNeeded = (prop: Prop): boolean => prop.required === true && prop.fallback === undefined;

/** The GraphQL type of a column. */
export function graphqlType(prop: Prop): () => object {
  const type = prop.type ?? (kinds[prop.kind] as Kind).graphql;
  if (!type) throw new Error(`property ${prop.name} needs an explicit type`);
  return type;
}

/** Kinds whose properties are indexed for lists unless they say otherwise: few values are read by other means than these. */
const indexedKinds = new Set<KindName>(['id', 'ledgerId', 'moment', 'date', 'enumeration']);

/** How lists use a column. */
export function listUse(prop: Prop): ListUse {
  if (prop.hidden || kinds[prop.kind].filter.length === 0) return 'never';
  return prop.list ?? (indexedKinds.has(prop.kind) ? 'indexed' : 'scanned');
}

/** The filter operators a column allows; none when lists cannot be filtered by it. */
export const filterOperators = (prop: Prop): readonly FilterOperator[] => (listUse(prop) === 'never' ? [] : kinds[prop.kind].filter);

/** Whether lists of a record can be ordered by a property: it has an index. The key has one. */
export const isOrderable = (model: Model, prop: Prop): boolean => prop.name === model.key || (model.listed && listUse(prop) === 'indexed');

/** The properties that lists of a record can be ordered by. */
export const orderProps = (model: Model): Prop[] => [...model.props.values()].filter((prop) => isOrderable(model, prop));

/** The properties that `search` looks into. */
export const searchProps = (model: Model): Prop[] => [...model.props.values()].filter(({ search }) => search);

/** The model of a record class; throws for a class that is not a declared record. */
export function modelOf<T extends object>(target: RecordClass<T>): Model<T> {
  const model = modelsByClass.get(target);
  if (!model) throw new Error(`${target.name} is not a declared record`);
  return model;
}

/** Whether callers may write a property. */
export const isWritable = ({ write, hidden }: Prop): boolean => (write ?? (hidden ? 'never' : 'always')) !== 'never';

/** The properties of a record that callers may write. */
export const writableProps = <T extends object>(target: RecordClass<T>): PropOf<T>[] => propsOf(modelOf(target)).filter(isWritable);

/** A column of a record whose class is known. */
export type PropOf<T> = Prop & { name: keyof T & string };

/** The columns of a record; a model is made from the declarations of its class, so their names are its properties. */
export const propsOf = <T extends object>({ props }: Model<T>): PropOf<T>[] => [...props.values()] as PropOf<T>[];

/** A property of a record by its name; throws without one. */
export function propOf(model: Model, name: string): Prop {
  const prop = model.props.get(name);
  if (!prop) throw new Error(`${model.name} has no property ${name}`);
  return prop;
}

/** The record types that a property with `typedBy` can name, by the values that say so. Types that are not stored are left out. */
export function typedTargets(model: Model, { typedBy }: Prop): Map<string, Model> {
  const values = new Set(Object.values(propOf(model, typedBy!).choices!.values));
  return new Map(allModels().flatMap((target) => (values.has(target.table.toUpperCase()) ? [[target.table.toUpperCase(), target]] : [])));
}

/** The record types of which a number names one. It is called after all records are declared. */
export type NamedRecords = () => readonly Model[];

/** The record types that the numbers of a property name; none for numbers of something else. */
export function namedBy(record: RecordClass, prop: Prop): NamedRecords {
  const targets = (): readonly Model[] => {
    const model = modelsByClass.get(record);
    const target = prop.target?.();
    if (target) return [modelOf(target)];
    if (prop.names) return allModels().filter(({ name }) => name === prop.names);
    if (!model || prop.kind !== 'ledgerId') return [];
    if (prop.name === model.key) return [model];
    const named = [...model.relations.values()].filter(({ many, from }) => !many && from === prop.name).map((one) => modelOf(one.target()));
    if (named.length > 0) return named;
    return prop.shownAs ? [...typedTargets(model, prop).values()] : ownersOf(model, prop.name);
  };
  return targets;
}

/** The record types whose children name them by a property. */
const ownersOf = (child: Model, property: string): Model[] =>
  allModels().filter(({ relations }) =>
    [...relations.values()].some(({ owned, to, target }) => owned && to === property && modelOf(target()) === child),
  );

/** Every declared record. */
export function allModels(): Model[] {
  return [...modelsByClass.values()];
}
