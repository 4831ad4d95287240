// What is known of the records: their columns, relations and computed fields, as the declarations of the record kit put it down. Everything else is derived from it.
import { ID, Int } from 'type-graphql';
import type { EnumDefinition } from './enums.ts';
import { DateTime, Decimal, JSONObject, JSONValue, LocalDate, PositiveInt } from './scalars.ts';

/** What the kit knows of a kind of property. `read` names the converter that turns the database's text into the wire value. */
export interface Kind {
  column: string;
  orm: string;
  graphql?: () => unknown;
  filter: readonly FilterOperator[];
}

export type FilterOperator = 'eq' | 'in' | 'gte' | 'lte';

const EXACT = ['eq', 'in'] as const;
const RANGE = ['eq', 'in', 'gte', 'lte'] as const;

/** The kinds of properties. */
export const kinds = {
  text: { column: 'text', orm: 'string', graphql: () => String, filter: [] },
  id: { column: 'text', orm: 'string', graphql: () => ID, filter: EXACT },
  ledgerId: { column: 'bigint', orm: 'number', graphql: () => PositiveInt, filter: EXACT },
  integer: { column: 'integer', orm: 'number', graphql: () => Int, filter: EXACT },
  amount: { column: 'numeric', orm: 'decimal', graphql: () => Decimal, filter: [] },
  flag: { column: 'boolean', orm: 'boolean', graphql: () => Boolean, filter: ['eq'] },
  moment: { column: 'timestamptz(6)', orm: 'Date', graphql: () => DateTime, filter: RANGE },
  date: { column: 'date', orm: 'date', graphql: () => LocalDate, filter: RANGE },
  json: { column: 'jsonb', orm: 'json', graphql: () => JSONValue, filter: [] },
  object: { column: 'jsonb', orm: 'json', graphql: () => JSONObject, filter: [] },
  list: { column: 'jsonb', orm: 'json', filter: [] },
  enumeration: { column: 'text', orm: 'string', filter: EXACT },
  bytes: { column: 'bytea', orm: 'Buffer', filter: [] },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

/** How a GraphQL field shows on REST: always, only when expanded or selected, only among deleted records, or never. */
export type RestShow = 'always' | 'expand' | 'select' | 'deleted' | 'never';

/** Limits a text or number must keep, checked wherever an input field made from the property is read. */
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
  /** A date alone means the end of that day, as an upper bound needs it. */
  endOfDay?: boolean;
}

export interface PropertyOptions {
  /** Not null in the database, and non-null in the GraphQL type. */
  required?: boolean;
  /** Whether callers may write it (default), only on create, or never. */
  write?: 'always' | 'create' | 'never';
  rest?: RestShow;
  /** Whether lists can be filtered by it; by default as its kind allows. */
  filter?: boolean;
  rules?: InputRules;
  /** GraphQL type when it is not the one of the kind. */
  type?: () => unknown;
  /** GraphQL input type when it is not the same as the output type. */
  input?: () => unknown;
  /** REST name where it is not the snake case of the name. */
  jsonName?: string;
  /** A column that no GraphQL field shows. */
  hidden?: boolean;
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
}

/** A record reached from another one: by a column of ours (`from`) or by columns of theirs that name us (`to`, `where`). */
export interface Relation {
  name: string;
  description: string;
  target: () => RecordClass;
  /** Our property and their property that must be equal. */
  from: string;
  to: string;
  /** Constant conditions on the target, by property name. */
  where?: Record<string, string>;
  /** Whether there are many; a single one is null when absent. */
  many: boolean;
  /** A one-to-one link shown as a list of none or one. */
  wrapped?: boolean;
  rest: RestShow;
  /** Whether the records belong to the parent: written with it, deleted with it. */
  owned: boolean;
  /** Whether a write of the parent may carry the record inside; owned ones always may. */
  nested: boolean;
  /** The known record that a value of ours names, where the company holds none. */
  standIn?: (value: unknown) => Record<string, unknown> | null;
}

/** A field computed from columns of the same row. */
export interface Derived {
  name: string;
  description: string;
  type: () => unknown;
  needs: string[];
  compute: (row: Record<string, never>) => unknown;
  nullable: boolean;
  rest: RestShow;
  /** REST names where they are not the snake case of the name. */
  jsonName?: string | string[];
}

/** Whether the rows belong to an organisation or are content everybody shares. */
export type Scope = 'organisation' | 'shared';

/** All that is known of a record class. */
export interface Model {
  name: string;
  table: string;
  class: RecordClass;
  scope: Scope;
  /** Column that names the company, where keys limited to some companies see only part of the rows. */
  companyColumn?: string;
  /** Property that identifies a row inside its scope: `ledgerId` or `id`. */
  key: string;
  /** Prefix of the global id. */
  prefix: string;
  description: string;
  props: Map<string, Prop>;
  relations: Map<string, Relation>;
  derived: Map<string, Derived>;
  /** Column that marks a soft delete, if the record has one. */
  deletedAt?: string;
  /** Columns of the primary key and of the indexes that hold every row with values in them, in the order of each. */
  indexes: readonly (readonly string[])[];
}

// biome-ignore lint/complexity/noBannedTypes: a class is used here as the key of its declaration, nothing is called on it.
export type RecordClass = Function;

const modelsByClass = new Map<RecordClass, Model>();

/** Puts a declared record down. */
export function register(model: Model): void {
  modelsByClass.set(model.class, model);
}

/** The GraphQL type of a column. */
export function graphqlType(prop: Prop): () => unknown {
  const type = prop.type ?? (kinds[prop.kind] as Kind).graphql;
  if (!type) throw new Error(`property ${prop.name} needs an explicit type`);
  return type;
}

/** The filter operators a column allows; none when lists cannot be filtered by it. */
export function filterOperators(prop: Prop): readonly FilterOperator[] {
  if (prop.hidden || prop.filter === false) return [];
  const natural = (kinds[prop.kind] as Kind).filter;
  return natural.length === 0 && prop.filter ? EXACT : natural;
}

/** The model of a record class; fails for a class that was never declared. */
export function modelOf(target: RecordClass): Model {
  const model = modelsByClass.get(target);
  if (!model) throw new Error(`${target.name} is not a declared record`);
  return model;
}

/** Every declared record. */
export function allModels(): Model[] {
  return [...modelsByClass.values()];
}
