// The types of summaries, made from the declarations of a record: its groups, what it sums and compares, what it groups and orders by.
import { ArgsType, Extensions, Field, Int, ObjectType } from 'type-graphql';
import type { Bucket } from '../../database/reader/summary-statement.ts';
import { defineEnum, type EnumDefinition } from '../../records/enums.ts';
import { graphqlType, type Model, modelOf, type Prop, type RecordClass } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { Decimal } from '../../records/scalars.ts';
import { extremeProps, groupProps, isMoney, sumProps } from '../../records/summaries.ts';
import { type InputClass, inputType } from '../input-types.ts';
import { type FilterInput, filterInput, OrderDirection } from '../list-inputs.ts';

/** Most keys of a group. */
export const MAX_KEYS = 3;

/** Most groups of a summary. */
export const MAX_GROUPS = 1_000;

/** Groups of a summary when the caller names no number. */
export const DEFAULT_GROUPS = 100;

/** Decimal places of an average. */
export const AVERAGE_PLACES = 10;

/** What a summary costs before its groups: it reads all matching records, where a list reads a page of them. */
export const SUMMARY_PRICE = 100;

const DateBucket = defineEnum('DateBucket', 'Length of a group of times or dates.', {
  DAY: 'A day.',
  WEEK: 'A week from Monday to Sunday, as in ISO 8601.',
  MONTH: 'A calendar month.',
  QUARTER: 'A quarter of a calendar year.',
  YEAR: 'A calendar year.',
});

/** The name of a property among the keys of groups: `postedDate` is `POSTED_DATE`. */
const keyName = (prop: Prop): string => snakeCase(prop.name).toUpperCase();

/** The members of a group that hold aggregates. */
export const aggregateNames = ['sum', 'avg', 'min', 'max'] as const;

export type AggregateName = (typeof aggregateNames)[number];

@ObjectType({ description: 'Value of one key of a group.', simpleResolvers: true })
class SummaryKey {
  @Field(() => String, { description: 'Field, as in `groupBy`.' }) field!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'Value as text: `true` or `false` for flags, and for times and dates the first day of the bucket (`YYYY-MM-DD`, in the time zone of the summary). Null for records without a value.',
  })
  value!: string | null;
}

/** One key as callers send it. */
export interface GroupByInput {
  field: string;
  bucket?: Bucket | null;
}

/** One part of an order as callers send it. */
export interface GroupOrderInput {
  field: string;
  direction: 'ASC' | 'DESC';
}

/** The arguments of a summary as callers send them. */
export interface SummaryArguments {
  filter?: FilterInput | null;
  groupBy?: readonly GroupByInput[] | null;
  orderBy?: readonly GroupOrderInput[] | null;
  first?: number | null;
  timeZone?: string | null;
  includeDeleted?: boolean | null;
}

/** The types of the summaries of one record. */
export interface SummaryTypes {
  model: Model;
  type: RecordClass;
  Arguments: new () => SummaryArguments;
  /** The property of each key, by its name. */
  keys: ReadonlyMap<string, Prop>;
  /** The property of each sum that groups are ordered by, by the name of the order. */
  sums: ReadonlyMap<string, Prop>;
}

/** The name of the order by the number of records. */
export const COUNT = 'COUNT';

const made = new Map<RecordClass, SummaryTypes>();

/** The types of the summaries of a record, made once. */
export function summaryOf(target: RecordClass): SummaryTypes {
  let types = made.get(target);
  if (!types) {
    types = makeTypes(target);
    made.set(target, types);
  }
  return types;
}

function makeTypes(target: RecordClass): SummaryTypes {
  const model = modelOf(target);
  const keys = new Map(groupProps(model).map((prop) => [keyName(prop), prop]));
  const sums = new Map(sumProps(model).map((prop) => [`SUM_${keyName(prop)}`, prop]));
  return { model, type: summaryType(model), Arguments: argumentsType(model, keys, sums), keys, sums };
}

/** What callers must know of sums of money. */
const currencyNote = (model: Model): string =>
  sumProps(model).some((prop) => isMoney(model, prop)) ? ' MIXED_CURRENCIES unless grouped or filtered by currency.' : '';

/** An object type with one member per property; undefined without any. */
function membersType(
  model: Model,
  suffix: string,
  description: string,
  props: readonly Prop[],
  typeOf: (prop: Prop) => object,
): RecordClass | undefined {
  if (props.length === 0) return undefined;
  const target = { [model.name + suffix]: class {} }[model.name + suffix] as RecordClass;
  for (const prop of props) {
    Field(() => typeOf(prop), { nullable: true })(target.prototype, prop.name);
    Extensions({ rest: 'select' })(target.prototype, prop.name);
  }
  ObjectType({ description, simpleResolvers: true })(target);
  return target;
}

function groupType(model: Model): RecordClass {
  const { name } = model;
  const amounts = membersType(model, 'Amounts', `Sums or averages of ${name} records.`, sumProps(model), () => Decimal);
  const bounds = membersType(model, 'Bounds', `Smallest or largest values of ${name} records.`, extremeProps(model), (prop) =>
    graphqlType(prop)(),
  );
  const note = currencyNote(model);
  const members: Record<AggregateName, { type: RecordClass | undefined; description: string }> = {
    sum: { type: amounts, description: `Exact sums; null if no record has a value.${note}` },
    avg: { type: amounts, description: `Averages over the records that have a value, rounded to ${AVERAGE_PLACES} places.${note}` },
    min: { type: bounds, description: 'Smallest or earliest values.' },
    max: { type: bounds, description: 'Largest or latest values.' },
  };

  @ObjectType(`${name}SummaryGroup`, { description: `${name} records with equal keys.`, simpleResolvers: true })
  class Group {
    @Field(() => [SummaryKey], { description: 'Keys with `field` and `value`, as in `groupBy`.' })
    @Extensions({ size: MAX_KEYS })
    key!: SummaryKey[];
    @Field(() => Int, { description: 'Number of records in the group.' }) count!: number;
  }
  for (const member of aggregateNames) {
    const { type, description } = members[member];
    if (!type) continue;
    Field(() => type, { description })(Group.prototype, member);
    Extensions({ rest: 'expand' })(Group.prototype, member);
  }
  return Group;
}

function summaryType(model: Model): RecordClass {
  const Group = groupType(model);

  @ObjectType(`${model.name}Summary`, { description: `Aggregates of ${model.name} records.`, simpleResolvers: true })
  class Summary {
    @Field(() => Int, { description: 'Number of matching records.' }) totalCount!: number;
    @Field(() => Int, { description: 'Number of groups on all pages.' }) groupCount!: number;
    @Field(() => [Group], {
      description: 'Groups; a single one without `groupBy`.',
    })
    groups!: unknown[];
  }
  return Summary;
}

/** The input type of the keys of groups, and that of their order. */
function inputsOf(model: Model, keys: ReadonlyMap<string, Prop>, sums: ReadonlyMap<string, Prop>): { key: InputClass; order: InputClass } {
  const { name } = model;
  // The record describes its fields; the currency of a line is that of its document.
  const described = (props: ReadonlyMap<string, Prop>): Record<string, string> =>
    Object.fromEntries([...props].map(([value, prop]) => [value, model.props.has(prop.name) ? '' : prop.description]));
  const field: EnumDefinition = defineEnum(`${name}GroupField`, `Keys to group ${name} records by.`, described(keys));
  const orderField: EnumDefinition = defineEnum(`${name}SummaryOrderField`, `Sort keys of groups of ${name} records.`, {
    [COUNT]: 'Number of records.',
    ...described(keys),
    ...described(sums),
  });
  const key = inputType(`${name}GroupBy`, `One key of groups of ${name} records.`, [
    { name: 'field', type: () => field.values, description: 'Field to group by.', nullable: false },
    {
      name: 'bucket',
      type: () => DateBucket.values,
      description: 'Length of a group of days; default DAY.',
      nullable: true,
    },
  ]);
  const order = inputType(`${name}SummaryOrder`, `Sort key of groups of ${name} records; null values come last.`, [
    { name: 'field', type: () => orderField.values, description: 'Key or aggregate to sort by.', nullable: false },
    { name: 'direction', type: () => OrderDirection.values, description: 'Sort direction.', nullable: false, defaultValue: 'ASC' },
  ]);
  return { key, order };
}

function argumentsType(model: Model, keys: ReadonlyMap<string, Prop>, sums: ReadonlyMap<string, Prop>): new () => SummaryArguments {
  const Filter = filterInput(model.class);
  const { key: GroupBy, order: Order } = inputsOf(model, keys, sums);

  @ArgsType()
  class Plain implements SummaryArguments {
    @Field(() => Filter, { nullable: true, description: 'Conditions on the records.' })
    filter?: FilterInput | null;
    @Field(() => [GroupBy], { nullable: true, description: `Keys of the groups, at most ${MAX_KEYS}.` })
    groupBy?: GroupByInput[] | null;
    @Field(() => [Order], {
      nullable: true,
      description: 'Sort keys; by default the group keys, ascending.',
    })
    orderBy?: GroupOrderInput[] | null;
    @Field(() => Int, {
      nullable: true,
      description: `Groups to return, 1 to ${MAX_GROUPS}; default ${DEFAULT_GROUPS}.`,
    })
    first?: number | null;
    @Field(() => String, {
      nullable: true,
      description: 'IANA time zone of the days, such as Asia/Tokyo; default UTC.',
    })
    timeZone?: string | null;
  }
  if (!model.deletedAt) return Plain;

  @ArgsType()
  class WithDeleted extends Plain {
    @Field(() => Boolean, { nullable: true, description: 'Also count deleted records.' })
    includeDeleted?: boolean | null;
  }
  return WithDeleted;
}

/** The extensions of a summary field that state its price, and its groups where the caller names no number. */
export const PRICED = { price: SUMMARY_PRICE, size: DEFAULT_GROUPS } as const;
