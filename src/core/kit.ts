// The record kit: one declaration per property yields the column, the GraphQL field, the input field, the filter field and the REST name.
import { Entity, Filter, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Field, ID, Int, type InterfaceTypeOptions, ObjectType } from 'type-graphql';
import type { EnumDefinition } from './enums.ts';
import { snakeCase } from './names.ts';
import { DateTime, Decimal, JSONObject, JSONValue, LocalDate, PositiveInt } from './scalars.ts';
import { tenantFilter, tenantPolicies } from './tenancy.ts';

/** What the kit knows of a kind of property. `read` names the converter that turns the database's text into the wire value. */
interface Kind {
  column: string;
  orm: string;
  graphql?: () => unknown;
  filter: readonly FilterOperator[];
}

export type FilterOperator = 'eq' | 'in' | 'gte' | 'lte';

const EXACT = ['eq', 'in'] as const;
const RANGE = ['eq', 'in', 'gte', 'lte'] as const;

const kinds = {
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
  choice: { column: 'text', orm: 'string', filter: EXACT },
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
  restName?: string;
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
  restName?: string | string[];
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
}

// biome-ignore lint/complexity/noBannedTypes: a class is used here as the key of its declaration, nothing is called on it.
export type RecordClass = Function;

interface Declarations {
  props: Prop[];
  relations: Relation[];
  derived: Derived[];
}

const declared = new WeakMap<object, Declarations>();
const modelsByClass = new Map<RecordClass, Model>();

function declarationsOf(prototype: object): Declarations {
  let own = declared.get(prototype);
  if (!own) {
    own = { props: [], relations: [], derived: [] };
    declared.set(prototype, own);
  }
  return own;
}

function inherited(prototype: object | null): Declarations {
  if (!prototype) return { props: [], relations: [], derived: [] };
  const base = inherited(Object.getPrototypeOf(prototype));
  const own = declared.get(prototype);
  if (!own) return base;
  return {
    props: [...base.props, ...own.props],
    relations: [...base.relations, ...own.relations],
    derived: [...base.derived, ...own.derived],
  };
}

function property(kind: KindName, description: string, options: PropertyOptions & Partial<Prop>): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    declarationsOf(prototype).props.push({ ...options, name, column: snakeCase(name), kind, description });
  };
}

const declare =
  (kind: KindName) =>
  (description: string, options: PropertyOptions = {}): PropertyDecorator =>
    property(kind, description, options);

/** Text of any length, unless rules limit it. */
export const text = declare('text');
/** An opaque identifier. */
export const identifier = declare('id');
/** A number that identifies a record; bigint in the database, so that no JSON integer overflows it. */
export const ledgerNumber = declare('ledgerId');
/** A 32-bit integer. */
export const integer = declare('integer');
/** An exact decimal. */
export const amount = declare('amount');
/** A boolean. */
export const flag = declare('flag');
/** A moment in time, UTC. */
export const moment = declare('moment');
/** A calendar date. */
export const date = declare('date');
/** Free-form JSON, kept as given. */
export const json = declare('json');
/** Bytes; always hidden. */
export const bytes = declare('bytes');
/** A JSON object, kept as given. */
export const object = declare('object');

/** A list of scalars, kept in the order given; with a `target`, of the `ledgerId`s of its records. */
export const list = (item: () => unknown, description: string, options: PropertyOptions & Pick<Prop, 'target'> = {}): PropertyDecorator =>
  property('list', description, { ...options, type: () => [item()] });

/** One value of an enumeration. */
export const choice = (choices: EnumDefinition, description: string, options: PropertyOptions = {}): PropertyDecorator =>
  property('choice', description, { ...options, choices, type: () => choices.values });

/** The `ledgerId` of another record of the same company, and the expandable relation to it. */
export function reference(
  target: () => RecordClass,
  description: string,
  as: string,
  options: PropertyOptions & { wrapped?: boolean; nested?: boolean } = {},
): PropertyDecorator {
  return (prototype, key) => {
    property('ledgerId', description, { ...options, target })(prototype, key);
    const name = String(key);
    declarationsOf(prototype).relations.push({
      name: as,
      description: `The record named by \`${name}\`.`,
      target,
      from: name,
      to: 'ledgerId',
      many: false,
      wrapped: options.wrapped ?? false,
      rest: 'expand',
      owned: false,
      nested: options.nested ?? false,
    });
  };
}

/** A relation that is found by columns rather than declared on one. */
export const related = (relation: Omit<Relation, 'name'>): PropertyDecorator => {
  return (prototype, key) => {
    declarationsOf(prototype).relations.push({ ...relation, name: String(key) });
  };
};

/** A field computed from columns of the same row. */
export const derived = (
  type: () => unknown,
  description: string,
  needs: string[],
  compute: Derived['compute'],
  options: Partial<Derived> = {},
): PropertyDecorator => {
  return (prototype, key) => {
    declarationsOf(prototype).derived.push({
      nullable: false,
      rest: 'always',
      ...options,
      name: String(key),
      description,
      type,
      needs,
      compute,
    });
  };
};

export interface IndexOptions {
  name: string;
  /** Column list in SQL. */
  columns: string;
  /** Condition of a partial index. */
  where?: string;
}

export interface RecordOptions {
  description: string;
  scope: Scope;
  companyColumn?: string;
  key: string;
  prefix: string;
  deletedAt?: string;
  /** Properties of the primary key, in order. */
  primaryKey: string[];
  /** Unique indexes: columns in SQL, and the rows they cover. */
  unique?: IndexOptions[];
  indexes?: IndexOptions[];
  implements?: InterfaceTypeOptions['implements'];
  /** Table that no GraphQL type shows. */
  internal?: boolean;
}

/** Declares a record: table, GraphQL type and model, all from the property declarations of the class and its bases. */
export function record(options: RecordOptions): ClassDecorator {
  return (target) => {
    const { props, relations, derived: computed } = inherited(target.prototype);
    const table = snakeCase(target.name);
    // The key columns come first and in the key's order: that is the order the ORM gives the primary key.
    const keyFirst = [...props].sort((a, b) => keyRank(a, options) - keyRank(b, options));
    for (const prop of keyFirst) declareColumn(target, prop, options);
    for (const index of options.indexes ?? []) Index(indexExpression(table, index, false))(target as never);
    for (const index of options.unique ?? []) Index(indexExpression(table, index, true))(target as never);
    if (options.scope === 'organisation') Filter(tenantFilter as never)(target as never);
    Entity({ tableName: table, policies: tenantPolicies(options.scope) as never })(target as never);
    if (!options.internal) declareType(target, { props, relations, derived: computed }, options);
    modelsByClass.set(target, {
      name: target.name,
      table,
      class: target,
      scope: options.scope,
      key: options.key,
      prefix: options.prefix,
      description: options.description,
      props: new Map(props.map((prop) => [prop.name, prop])),
      relations: new Map(relations.map((relation) => [relation.name, relation])),
      derived: new Map(computed.map((field) => [field.name, field])),
      ...(options.deletedAt ? { deletedAt: options.deletedAt } : {}),
      ...(options.companyColumn ? { companyColumn: options.companyColumn } : {}),
    });
  };
}

const indexExpression = (table: string, index: IndexOptions, unique: boolean): { name: string; expression: string } => ({
  name: index.name,
  expression: `create ${unique ? 'unique ' : ''}index "${index.name}" on "${table}" (${index.columns})${index.where ? ` where ${index.where}` : ''}`,
});

const keyRank = (prop: Prop, options: RecordOptions): number =>
  options.primaryKey.includes(prop.name) ? options.primaryKey.indexOf(prop.name) : options.primaryKey.length;

function declareColumn(target: RecordClass, prop: Prop, options: RecordOptions): void {
  const kind: Kind = kinds[prop.kind];
  const column = { fieldName: prop.column, type: kind.orm, columnType: kind.column };
  if (options.primaryKey.includes(prop.name)) PrimaryKey(column as never)(target.prototype, prop.name);
  else Property({ ...column, nullable: !prop.required } as never)(target.prototype, prop.name);
}

function declareType(target: RecordClass, { props, relations, derived: computed }: Declarations, options: RecordOptions): void {
  const show = (
    name: string,
    type: () => unknown,
    description: string,
    nullable: boolean,
    rest: RestShow,
    extensions: object = {},
  ): void => {
    Field(type as never, { description, nullable })(target.prototype, name);
    Extensions({ rest, ...extensions })(target.prototype, name);
  };
  for (const field of computed)
    show(field.name, field.type, field.description, field.nullable, field.rest, field.restName ? { restName: field.restName } : {});
  for (const prop of props) {
    if (!prop.hidden)
      show(
        prop.name,
        graphqlType(prop),
        prop.description,
        !prop.required,
        prop.rest ?? 'always',
        prop.restName ? { restName: prop.restName } : {},
      );
  }
  for (const relation of relations) {
    const many = relation.many || relation.wrapped === true;
    show(relation.name, () => (many ? [relation.target()] : relation.target()), relation.description, !many, relation.rest, {
      nested: relation.nested,
    });
  }
  ObjectType({
    description: options.description,
    simpleResolvers: true,
    ...(options.implements ? { implements: options.implements } : {}),
  })(target as never);
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
