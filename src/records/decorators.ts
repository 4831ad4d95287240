// The record decorators: one declaration per property yields the column, the GraphQL field, the input field, the filter field and the REST name.
import { Entity, Filter, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Field, type InterfaceTypeOptions, ObjectType } from 'type-graphql';
import type { EnumDefinition } from './enums.ts';
import {
  type Derived,
  graphqlType,
  type Kind,
  type KindName,
  kinds,
  type Prop,
  type PropertyOptions,
  type RecordClass,
  type Relation,
  type RestShow,
  register,
  type Scope,
} from './metadata.ts';
import { snakeCase } from './naming.ts';
import { tenantFilter, tenantPolicies } from './tenancy.ts';

interface Declarations {
  props: Prop[];
  relations: Relation[];
  derived: Derived[];
}

const declared = new WeakMap<object, Declarations>();

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
/** A number that identifies a record; bigint in the database, which holds every JSON integer. */
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
/** Free-form JSON, stored as given. */
export const json = declare('json');
/** Bytes; always hidden. */
export const bytes = declare('bytes');
/** A JSON object, stored as given. */
export const object = declare('object');

/** A list of scalars, stored in the given order; with a `target`, a list of the `ledgerId`s of its records. */
export const list = (item: () => unknown, description: string, options: PropertyOptions & Pick<Prop, 'target'> = {}): PropertyDecorator =>
  property('list', description, { ...options, type: () => [item()] });

/** One value of an enumeration. */
export const enumeration = (choices: EnumDefinition, description: string, options: PropertyOptions = {}): PropertyDecorator =>
  property('enumeration', description, { ...options, choices, type: () => choices.values });

/** The `ledgerId` of another record of the same company, and the relation to it. */
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

/** A relation that is found through columns of the target instead of a reference of the record. */
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
  /** Properties that a stand-in lacks: required in the table, but nullable in GraphQL. */
  lackedByStandIn?: readonly string[];
  /** Whether the table has no GraphQL type. */
  internal?: boolean;
  /** Name of the table, where it differs from the snake case of the class name. */
  table?: string;
}

/** The properties that a record class and its bases declare. */
export const declaredProps = (target: RecordClass): readonly Prop[] => inherited(target.prototype).props;

/** Declares a record: table, GraphQL type and model, all from the property declarations of the class and its bases. */
export function record(options: RecordOptions): ClassDecorator {
  return (target) => {
    const { props, relations, derived: computed } = inherited(target.prototype);
    const table = options.table ?? snakeCase(target.name);
    // Key columns first, in the order of the key, because the ORM orders the primary key by declaration.
    const keyFirst = [...props].sort((a, b) => keyRank(a, options) - keyRank(b, options));
    for (const prop of keyFirst) declareColumn(target, prop, options);
    for (const index of options.indexes ?? []) Index(indexExpression(table, index, false))(target as never);
    for (const index of options.unique ?? []) Index(indexExpression(table, index, true))(target as never);
    if (options.scope === 'organisation') Filter(tenantFilter as never)(target as never);
    Entity({ tableName: table, policies: tenantPolicies(options.scope) as never })(target as never);
    if (!options.internal) declareType(target, { props, relations, derived: computed }, options);
    register({
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
      indexes: [options.primaryKey.map(snakeCase), ...(options.indexes ?? []).filter(isWhole).map(({ columns }) => columns.split(', '))],
      ...(options.deletedAt ? { deletedAt: options.deletedAt } : {}),
      ...(options.companyColumn ? { companyColumn: options.companyColumn } : {}),
    });
  };
}

/** Whether an index holds every row that a comparison with its columns can match: a comparison with null is never true, so `is not null` leaves none out. */
const isWhole = ({ where }: IndexOptions): boolean => where === undefined || / is not null$/.test(where);

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
  const isLacked = (name: string): boolean => options.lackedByStandIn?.includes(name) === true;
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
    show(
      field.name,
      field.type,
      field.description,
      field.nullable || isLacked(field.name),
      field.rest,
      field.jsonName ? { jsonName: field.jsonName } : {},
    );
  for (const prop of props) {
    if (!prop.hidden)
      show(
        prop.name,
        graphqlType(prop),
        prop.description,
        !prop.required || isLacked(prop.name),
        prop.rest ?? 'always',
        prop.jsonName ? { jsonName: prop.jsonName } : {},
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
