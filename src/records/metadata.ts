// The metadata of the records: columns, relations and computed fields, as the record decorators register them. Everything else is derived from it.
import { ID, Int } from 'type-graphql';
import type { EnumDefinition } from './enums.ts';
import { DateTime, Decimal, JSONObject, JSONValue, LocalDate, PositiveInt } from './scalars.ts';

/** A kind of property: its column type, ORM type, GraphQL type and filter operators. `database/reader/column-values.ts` converts its values. */
export interface Kind {
  column: string;
  orm: string;
  graphql?: () => unknown;
  filter: readonly FilterOperator[];
}

export type FilterOperator = 'eq' | 'in' | 'gte' | 'lte';

const EXACT = ['eq', 'in'] as const;
const RANGE = ['eq', 'in', 'gte', 'lte'] as const;

/** Every kind of property. */
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
  /** A date without a time means the end of that day, for upper bounds. */
  endOfDay?: boolean;
}

export interface PropertyOptions {
  /** Not null in the database, and non-null in the GraphQL type. */
  required?: boolean;
  /** Whether callers may write it always (the default), only on create, or never. */
  write?: 'always' | 'create' | 'never';
  rest?: RestShow;
  /** Whether lists can be filtered by it; the default follows from its kind. */
  filter?: boolean;
  rules?: InputRules;
  /** GraphQL type, where it differs from the one of the kind. */
  type?: () => unknown;
  /** GraphQL input type, where it differs from the output type. */
  input?: () => unknown;
  /** REST name, where it differs from the snake case of the name. */
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
  /** Whether a single record is shown as a list of none or one. */
  wrapped?: boolean;
  rest: RestShow;
  /** Whether the records belong to the parent: they are written and deleted with it. */
  owned: boolean;
  /** Whether a write of the parent may contain the record; owned records always may be contained. */
  nested: boolean;
  /** The stand-in for a value of `from` that no record of the company has. */
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
  /** REST names, where they differ from the snake case of the name. */
  jsonName?: string | string[];
}

/** Whether the rows belong to an organisation or are content that all organisations share. */
export type Scope = 'organisation' | 'shared';

/** The metadata of a record class. */
export interface Model {
  name: string;
  table: string;
  class: RecordClass;
  scope: Scope;
  /** Column of the company id; keys limited to some companies see only the rows of those. */
  companyColumn?: string;
  /** Property that identifies a row inside its scope: `ledgerId` or `id`. */
  key: string;
  /** Prefix of the global id. */
  prefix: string;
  description: string;
  props: Map<string, Prop>;
  relations: Map<string, Relation>;
  derived: Map<string, Derived>;
  /** Property that marks a soft delete, if the record has one. */
  deletedAt?: string;
  /** Column lists of the primary key and of the indexes, each in its order. Partial indexes that leave out rows with values in their columns are not among them. */
  indexes: readonly (readonly string[])[];
}

// biome-ignore lint/complexity/noBannedTypes: a class is only the key of its metadata here, nothing is called on it.
export type RecordClass = Function;

const modelsByClass = new Map<RecordClass, Model>();

/** Registers the metadata of a record class. */
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
  const ofKind = (kinds[prop.kind] as Kind).filter;
  return ofKind.length === 0 && prop.filter ? EXACT : ofKind;
}

/** The model of a record class; throws for a class that is not a declared record. */
export function modelOf(target: RecordClass): Model {
  const model = modelsByClass.get(target);
  if (!model) throw new Error(`${target.name} is not a declared record`);
  return model;
}

/** Every declared record. */
export function allModels(): Model[] {
  return [...modelsByClass.values()];
}
