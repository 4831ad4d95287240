// The record decorators: one declaration per property yields the column, the GraphQL field, the input field, the filter field and the REST name.
import { Embeddable, Embedded, Entity, Filter, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Extensions, Field, InterfaceType, type InterfaceTypeOptions, ObjectType } from 'type-graphql';
import type { EnumDefinition } from './enums.ts';
import type { ErrorCode } from './errors.ts';
import {
  type CompanyLimit,
  type Derived,
  graphqlType,
  type Kind,
  type KindName,
  kinds,
  listUse,
  type NodeAccess,
  type Prop,
  type PropertyOptions,
  type RecordClass,
  type Relation,
  type RestShow,
  register,
  type Scope,
} from './metadata.ts';
import { snakeCase } from './naming.ts';
import { addRecordType } from './record-types.ts';
import { searchScope, searchText } from './search-text.ts';
import { tenantFilter, tenantPolicies } from './tenancy.ts';
import { versionTag } from './version.ts';

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

/**
 * Longest text of an indexed property in UTF-16 units. An entry of a B-tree has at most 2,704 bytes. A unit has at most three bytes in UTF-8, which
 * leaves 300 bytes for the columns next to the text.
 */
export const MAX_INDEXED_TEXT = 800;

const freeText = new Set<KindName>(['text', 'email', 'url']);

/** Whether lists are indexed by a text that callers write. */
const isIndexedText = (prop: Prop): boolean => freeText.has(prop.kind) && listUse(prop) === 'indexed' && prop.write !== 'never';

function property(kind: KindName, description: string, options: PropertyOptions & Partial<Prop>): PropertyDecorator {
  return (prototype, key) => {
    const name = String(key);
    const prop: Prop = { ...options, name, column: snakeCase(name), kind, description };
    declarationsOf(prototype).props.push(isIndexedText(prop) ? { ...prop, rules: { maxLength: MAX_INDEXED_TEXT, ...prop.rules } } : prop);
  };
}

const declare =
  (kind: KindName) =>
  (description: string, options: PropertyOptions = {}): PropertyDecorator =>
    property(kind, description, options);

/** Text of any length, unless rules limit it. */
export const text = declare('text');
/** Text that names a record and that people type, such as a sku: two that look alike are equal. */
export const key = (description: string, options: PropertyOptions = {}): PropertyDecorator =>
  text(description, { ...options, rules: { ...options.rules, key: 'normalised' } });
/** A country by its ISO 3166-1 alpha-2 code. */
export const country = declare('country');
/** A mail address. */
export const email = declare('email');
/** An absolute web address. */
export const url = declare('url');
/** An IP address, version 4 or 6. */
export const ipAddress = declare('ipAddress');
/** A UUID that callers chose. */
export const uuid = declare('uuid');
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

/** An object of a fixed shape, or with `array` a list of them, stored as JSON. The class is declared with `embeddable`. */
export const embedded = (
  target: () => RecordClass,
  description: string,
  { array = false, ...options }: PropertyOptions & { array?: boolean } = {},
): PropertyDecorator =>
  property(array ? 'list' : 'object', description, {
    ...options,
    type: () => (array ? [target()] : target()),
    embedded: () => ({ class: target(), array }),
  });

/** Declares the class of an embedded object: its GraphQL type and its members, which are stored under their GraphQL names. */
export const embeddable =
  (description: string): (<T extends RecordClass>(target: T) => void) =>
  (target) => {
    const { props, relations, derived: computed } = inherited(target.prototype);
    for (const prop of props) {
      const { orm }: Kind = kinds[prop.kind];
      Property({ fieldName: prop.name, type: typeof orm === 'string' ? orm : orm(), nullable: !prop.required })(
        target.prototype,
        prop.name,
      );
    }
    Embeddable()(target);
    declareType(target, { props, relations, derived: computed }, { description });
  };

/** A list of scalars, stored in the given order; with a `target`, a list of the `ledgerId`s of its records. */
export const list = (
  item: () => object,
  description: string,
  options: PropertyOptions & Pick<Prop, 'target' | 'mayBeOpen' | 'isOtherSide'> = {},
): PropertyDecorator => property('list', description, { ...options, type: () => [item()] });

/** A list of values that have names, stored as JSON; lists filter by `has`. The class is declared with `embeddable`. */
export const namedValues = (item: () => object, description: string, options: PropertyOptions = {}): PropertyDecorator =>
  property('namedValues', description, { ...options, type: () => [item()] });

/** One value of an enumeration. */
export const enumeration = (choices: EnumDefinition, description: string, options: PropertyOptions = {}): PropertyDecorator =>
  property('enumeration', description, { ...options, choices, type: () => choices.values });

/** A property decorator for classes that have the named properties; others do not compile. */
export type DecoratorOf<K extends PropertyKey> = <T extends { [P in K]: unknown }>(prototype: T, key: string) => void;

/** The same for one property, which the class may declare as optional. */
export type DecoratorBeside<K extends PropertyKey> = <T extends { [P in K]?: unknown }>(prototype: T, key: string) => void;

/**
 * The `ledgerId` of another record of the same company, and the relation to it under the name `as`, which the class declares too. The other
 * record shows the list of these records under their plural, or under the name `inverse`.
 */
export function reference<As extends string>(
  target: () => RecordClass,
  description: string,
  as: As,
  options: PropertyOptions & Pick<Relation, 'inverse'> & { wrapped?: boolean; nested?: boolean } = {},
): DecoratorBeside<As> {
  return (prototype, key) => {
    property('ledgerId', description, { ...options, target })(prototype, key);
    declarationsOf(prototype).relations.push({
      name: as,
      description: `The record named by \`${key}\`.`,
      target,
      from: key,
      to: 'ledgerId',
      many: false,
      wrapped: options.wrapped ?? false,
      rest: 'expand',
      owned: false,
      nested: options.nested ?? false,
      ...(options.inverse === undefined ? {} : { inverse: options.inverse }),
    });
  };
}

/**
 * The `ledgerId` of a record of the same company whose type the property `typedBy` says. Reads show that record under the name `shownAs`, and it
 * shows the list of these records under their plural.
 */
export const typedReference = <By extends string>(
  typedBy: By,
  description: string,
  shownAs: string,
  options: PropertyOptions = {},
): DecoratorOf<By> => property('ledgerId', description, { ...options, typedBy, shownAs });

/** A relation that is found through the property `from` of the record and the property `to` of the target. */
export const related =
  <From extends string>(relation: Omit<Relation, 'name' | 'from'> & { from: From }): DecoratorOf<From> =>
  (prototype, key) => {
    declarationsOf(prototype).relations.push({ ...relation, name: key });
  };

/** How the record that a property names is shown. */
interface BelongsToOptions {
  /** The property of the target that it equals; its key when absent. */
  to?: string;
  /** Description of the GraphQL field; without one only the ORM knows the relation. */
  shown?: string;
  /** Name of the list of these records that the target shows; none when absent. */
  inverse?: string;
  /** Whether no read finds the record once that one is marked deleted, also while its own row is still there. */
  within?: boolean;
}

/** The record that the property `from` names. The ORM populates it, and a GraphQL field shows it where it is described. */
export const belongsTo = <From extends string>(
  target: () => RecordClass,
  from: From,
  { to = 'id', shown, inverse, within = false }: BelongsToOptions = {},
): DecoratorOf<From> =>
  related({
    description: shown ?? `The record named by \`${from}\`.`,
    target,
    from,
    to,
    many: false,
    rest: 'never',
    owned: false,
    nested: false,
    hidden: shown === undefined,
    within,
    ...(inverse === undefined ? {} : { inverse }),
  });

/** A field computed from columns of the same row, the properties `needs`. */
export const derived =
  <const K extends string>(
    type: () => object,
    description: string,
    needs: readonly K[],
    compute: (row: Record<K, never>) => unknown,
    options: Partial<Derived> = {},
  ): DecoratorOf<K> =>
  (prototype, key) => {
    declarationsOf(prototype).derived.push({ nullable: false, rest: 'always', ...options, name: key, description, type, needs, compute });
  };

/** The version of a record, from its key and the time of its last change. */
export const version = <const K extends string>(key: K, changed: K): DecoratorOf<K> =>
  derived(
    () => String,
    'Version of the record, for `ifMatch`.',
    [key, changed],
    (row) => versionTag(row[key], row[changed]),
    { rest: 'never' },
  );

export interface IndexOptions {
  name: string;
  /** Column list in SQL. */
  columns: string;
  /** Access method, where it is not a B-tree. */
  using?: string;
  /** Whether rows without a value count as equal in a unique index. */
  nullsEqual?: boolean;
  /** Condition of a partial index. */
  where?: string;
}

export interface RecordOptions {
  description: string;
  scope: Scope;
  companyColumn?: string;
  /** Which rows a key limited to some companies sees, where there is no such column; all when absent. */
  companyLimit?: CompanyLimit;
  key: string;
  prefix: string;
  deletedAt?: string;
  /** Properties of the primary key, in order; the key alone when absent. */
  primaryKey?: readonly string[];
  /** The error for an id that names no record the caller may see; RECORD_NOT_FOUND when absent. */
  notFound?: ErrorCode;
  /** Who may read the records through `node`; no one when absent. */
  node?: NodeAccess;
  /** Unique indexes: columns in SQL, and the rows they cover. */
  unique?: IndexOptions[];
  indexes?: IndexOptions[];
  /** Whether lists filter and order by its indexed properties, which get an index each. */
  listed?: boolean;
  /** The property that all rows of a list share, where it is neither the organisation nor the company. */
  listedBy?: string;
  /** What lists of its records are called, where records refer to it by number. */
  plural?: string;
  implements?: InterfaceTypeOptions['implements'];
  /** Whether each of its changes is an event that names it, so that subscriptions can follow it. */
  followed?: boolean;
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
export function record(options: RecordOptions): <T extends RecordClass>(target: T) => void {
  return (target) => {
    const { props, relations, derived: computed } = inherited(target.prototype);
    const table = options.table ?? snakeCase(target.name);
    const primaryKey = options.primaryKey ?? [options.key];
    // Key columns first, in the order of the key, because the ORM orders the primary key by declaration.
    const keyFirst = [...props].sort((a, b) => keyRank(a, primaryKey) - keyRank(b, primaryKey));
    for (const prop of keyFirst) declareColumn(target, prop, primaryKey);
    const own = options.indexes ?? [];
    const indexes = [...own, ...(options.listed ? listIndexes(table, props, options, own) : [])];
    for (const index of indexes) Index(indexExpression(table, index, false))(target);
    for (const index of options.unique ?? []) Index(indexExpression(table, index, true))(target);
    if (options.scope === 'organisation') Filter(tenantFilter)(target);
    Entity({ tableName: table, policies: tenantPolicies(options.scope) })(target);
    if (options.followed) addRecordType(table, options.description);
    if (!options.internal) declareType(target, { props, relations, derived: computed }, options);
    register({
      name: target.name,
      table,
      class: target,
      scope: options.scope,
      key: options.key,
      primaryKey,
      prefix: options.prefix,
      description: options.description,
      props: new Map(props.map((prop) => [prop.name, prop])),
      relations: new Map(relations.map((relation) => [relation.name, withInverse(relation, props, options.plural)])),
      derived: new Map(computed.map((field) => [field.name, field])),
      listed: options.listed ?? false,
      listColumn: listColumn(options),
      unique: options.unique ?? [],
      indexes: [
        { columns: primaryKey.map(snakeCase), live: false },
        ...[...indexes, ...(options.unique ?? [])]
          .filter(serves(options))
          .map(({ columns, where }) => ({ columns: columns.split(', '), live: where !== undefined })),
      ],
      ...(options.plural ? { plural: options.plural } : {}),
      ...(options.deletedAt ? { deletedAt: options.deletedAt } : {}),
      ...companyOf(options, props),
      ...(options.companyLimit ? { companyLimit: options.companyLimit } : {}),
      notFound: options.notFound ?? 'RECORD_NOT_FOUND',
      ...(options.node ? { node: options.node } : {}),
    });
  };
}

/** The column and the property of the company that the rows belong to. */
function companyOf({ companyColumn }: RecordOptions, props: readonly Prop[]): { companyColumn?: string; companyProp?: string } {
  if (companyColumn === undefined) return {};
  return { companyColumn, companyProp: props.find(({ column }) => column === companyColumn)!.name };
}

/** A reference with the name of the list that leads back: the plural of its record unless it says otherwise. */
function withInverse(relation: Relation, props: readonly Prop[], plural: string | undefined): Relation {
  const isReference = props.some(({ name, target }) => name === relation.from && target !== undefined);
  return isReference && relation.inverse === undefined && plural !== undefined ? { ...relation, inverse: plural } : relation;
}

/** The condition of the indexes that hold live records only. */
const liveOnly = ({ deletedAt }: Pick<RecordOptions, 'deletedAt'>): string | undefined =>
  deletedAt === undefined ? undefined : `${snakeCase(deletedAt)} is null`;

/** Whether reads may rely on an index: it holds every row, or every live row. */
const serves =
  (options: RecordOptions) =>
  ({ where, using }: IndexOptions): boolean =>
    using === undefined && (where === undefined || where === liveOnly(options));

/** The column that all rows of a list share. The rows of a company are of one organisation. */
const listColumn = ({ companyColumn, key, listedBy }: RecordOptions): string =>
  listedBy !== undefined
    ? snakeCase(listedBy)
    : companyColumn === undefined || companyColumn === snakeCase(key)
      ? 'organisation_id'
      : companyColumn;

/**
 * The indexes of lists: one for each property that filters and sorts them, in the order of its values and then of the key, and one for the text of
 * `search`. They hold live records only, since lists return no others unless asked. A place orders the records of one parent, whose index has it.
 */
function listIndexes(table: string, props: readonly Prop[], options: RecordOptions, own: readonly IndexOptions[]): IndexOptions[] {
  const [scope, key] = [listColumn(options), snakeCase(options.key)];
  const shared = searchScope({ listColumn: scope, props: new Map(props.map((prop) => [prop.name, prop])) });
  const live = liveOnly(options);
  const where = live === undefined ? {} : { where: live };
  const indexed = props
    .filter((prop) => listUse(prop) === 'indexed' && !prop.isPlace && prop.name !== options.key && prop.column !== scope)
    .filter(({ column }) => !own.some(({ columns }) => columns === `${scope}, ${column}, ${key}`));
  const searched = props.filter(({ search }) => search).map(({ column }) => column);
  const listing = props.filter(({ kind, target }) => kind === 'list' && target !== undefined);
  return [
    // The records that a list of numbers has one of.
    ...listing.map(({ column }) => ({
      name: `${table}_by_${column}`,
      using: 'gin',
      columns: `(${shared}), ${column} jsonb_path_ops`,
      ...where,
    })),
    ...indexed.map(({ column }) => ({ name: `${table}_by_${column}`, columns: `${scope}, ${column}, ${key}`, ...where })),
    ...(searched.length > 0
      ? [
          {
            name: `${table}_search`,
            using: 'gin',
            columns: `(${shared}), (${searchText('', searched)}) gin_trgm_ops`,
            ...where,
          },
        ]
      : []),
  ];
}

const indexExpression = (table: string, index: IndexOptions, unique: boolean): { name: string; expression: string } => ({
  name: index.name,
  expression: `create ${unique ? 'unique ' : ''}index "${index.name}" on "${table}"${index.using ? ` using ${index.using}` : ''} (${index.columns})${index.nullsEqual ? ' nulls not distinct' : ''}${index.where ? ` where ${index.where}` : ''}`,
});

const keyRank = (prop: Prop, primaryKey: readonly string[]): number =>
  primaryKey.includes(prop.name) ? primaryKey.indexOf(prop.name) : primaryKey.length;

function declareColumn(target: RecordClass, prop: Prop, primaryKey: readonly string[]): void {
  if (prop.embedded) {
    const { class: entity, array = false } = prop.embedded();
    Embedded({ entity: () => entity, array, object: true, nullable: !prop.required, fieldName: prop.column })(target.prototype, prop.name);
    return;
  }
  const kind: Kind = kinds[prop.kind];
  const column = {
    fieldName: prop.column,
    type: typeof kind.orm === 'string' ? kind.orm : kind.orm(),
    columnType: kind.column,
    ...(prop.sequence ? { defaultRaw: `nextval('${prop.sequence}')` } : {}),
    ...(prop.columnDefault === undefined ? {} : { defaultRaw: prop.columnDefault }),
  };
  if (primaryKey.includes(prop.name)) PrimaryKey({ ...column, autoincrement: false })(target.prototype, prop.name);
  else Property({ ...column, nullable: !prop.required })(target.prototype, prop.name);
}

/** The children of a record by which their list is priced; few records have more, and one page of records has a bound of all. */
const USUAL_CHILDREN = 10;

/**
 * Declares the GraphQL interface of the records that extend a base class: the fields that the base declares. It is a class of its own, because
 * type-graphql lets a class implement the interfaces of the classes that it extends. Not every record has what an interface promises.
 */
export function recordInterface(base: { name: string; prototype: object }, options: InterfaceTypeOptions): RecordClass {
  const shown = { [base.name]: class {} }[base.name] as RecordClass;
  declareFields(shown, inherited(base.prototype), {});
  InterfaceType(options)(shown);
  return shown;
}

/** Declares the GraphQL interface of records of several types: the fields that all of them declare alike. */
export function sharedInterface(shown: RecordClass, records: readonly RecordClass[], options: InterfaceTypeOptions): void {
  const [first, ...others] = records.map(({ prototype }) => inherited(prototype)) as [Declarations, ...Declarations[]];
  const isShared = <K extends keyof Declarations>(
    kind: K,
    isLike: (one: Declarations[K][number], other: Declarations[K][number]) => boolean,
  ) =>
    first[kind].filter((one) =>
      others.every((other) => other[kind].some((its) => its.name === one.name && isLike(one, its))),
    ) as Declarations[K];
  declareFields(
    shown,
    {
      props: isShared('props', (one, its) => !one.hidden && graphqlType(one)() === graphqlType(its)() && one.required === its.required),
      relations: isShared('relations', (one, its) => one.target() === its.target() && one.many === its.many && one.wrapped === its.wrapped),
      derived: isShared('derived', (one, its) => one.type() === its.type()),
    },
    {},
  );
  InterfaceType(options)(shown);
}

function declareType(
  target: RecordClass,
  declarations: Declarations,
  options: Pick<RecordOptions, 'description' | 'lackedByStandIn' | 'implements'>,
): void {
  declareFields(target, declarations, options);
  ObjectType({
    description: options.description,
    simpleResolvers: true,
    ...(options.implements ? { implements: options.implements } : {}),
  })(target);
}

function declareFields(
  target: RecordClass,
  { props, relations, derived: computed }: Declarations,
  options: Pick<RecordOptions, 'lackedByStandIn'>,
): void {
  const isLacked = (name: string): boolean => options.lackedByStandIn?.includes(name) === true;
  const show = (
    name: string,
    type: () => object,
    description: string,
    nullable: boolean,
    rest: RestShow,
    extensions: object = {},
  ): void => {
    Field(type, { description, nullable })(target.prototype, name);
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
    if (relation.hidden) continue;
    const many = relation.many || relation.wrapped === true;
    show(relation.name, () => (many ? [relation.target()] : relation.target()), relation.description, !many, relation.rest, {
      nested: relation.nested,
      namesOne: !relation.many,
      ...(many ? { size: relation.many ? (relation.size ?? USUAL_CHILDREN) : 1 } : {}),
    });
  }
}
