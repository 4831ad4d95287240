// The inputs of lists, made from record declarations: what callers filter, search and order by, and the conditions and orders that follow.
import type { Filter, SearchCondition } from '../database/reader/conditions.ts';
import { wordsOf } from '../database/reader/filter-sql.ts';
import { isPlainObject } from '../records/checked.ts';
import { defineEnum } from '../records/enums.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import {
  type FilterOperator,
  filterOperators,
  graphqlType,
  type InputRules,
  type KindName,
  kinds,
  type Model,
  modelOf,
  namedBy,
  orderProps,
  type Prop,
  propOf,
  type RecordClass,
  type Relation,
  searchProps,
} from '../records/metadata.ts';
import { snakeCase } from '../records/naming.ts';
import { declareInput, type InputClass, type InputField, inputClass, ReadArg } from './input-types.ts';
import { operationLimits } from './query-cost.ts';

/** Most values of `in`. */
const MAX_VALUES = 100;
/** Most entries of one `and` or `or`. */
const MAX_GROUPS = 20;
const MAX_CHARACTERS = 200;
const MAX_WORDS = 10;
/** Most keys of an order. */
export const MAX_KEYS = 3;

/** A filter as a caller gave it. */
export type FilterInput = Readonly<Record<string, unknown>>;

/** One key of an order as a caller gave it; `field` is the name of a property. */
export interface OrderInput {
  field: string;
  direction: 'ASC' | 'DESC';
  nulls?: 'FIRST' | 'LAST' | null;
}

export const OrderDirection = defineEnum('OrderDirection', 'Sort direction.', {
  ASC: 'Smallest or oldest first.',
  DESC: 'Largest or newest first.',
});

const NullsOrder = defineEnum('NullsOrder', 'Position of records without a value in a sorted list.', {
  FIRST: 'Before all others.',
  LAST: 'After all others.',
});

const declared = new Map<string, InputClass>();
const undeclared: (() => void)[] = [];

/** An input type by its name, made once. Its fields are declared when the schema is built, since filters contain each other. */
export function inputOf(name: string, description: string, fields: () => InputField[]): InputClass {
  let input = declared.get(name);
  if (!input) {
    const made = inputClass(name);
    input = made;
    declared.set(name, made);
    undeclared.push(() => declareInput(made, description, fields()));
  }
  return input;
}

/** Declares the inputs that were asked for, and those they contain; the schema calls it before it is built. */
export function declareListInputs(): void {
  for (let declare = undeclared.shift(); declare; declare = undeclared.shift()) declare();
}

const operatorTexts: Record<FilterOperator, string> = {
  eq: 'Equal to this value.',
  in: `Equal to any of these values, at most ${MAX_VALUES}.`,
  gt: 'Greater than this value, or after it.',
  gte: 'At least this value, or at or after it.',
  lt: 'Less than this value, or before it.',
  lte: 'At most this value, or at or before it.',
  contains: 'Contains this text; case and accents do not matter.',
  startsWith: 'Begins with this text; case and accents do not matter.',
  has: 'Has a value of this name; with an equals sign and a value after it, has that value of this name.',
  isNull: 'Whether there is no value.',
};

/** A date without a time means the whole day: `gt` begins after its end, `lte` includes it, `gte` and `lt` are about its start. */
const dayTexts: Partial<Record<FilterOperator, string>> = {
  eq: 'At this moment; a date without a time is midnight in UTC.',
  gt: 'After this moment; for a date without a time, after the end of the day in UTC.',
  gte: 'At or after this moment; for a date without a time, from the start of the day in UTC.',
  lt: 'Before this moment; for a date without a time, before the start of the day in UTC.',
  lte: 'At or before this moment; for a date without a time, until the end of the day in UTC.',
};

const textRules: InputRules = { minLength: 1, maxLength: MAX_CHARACTERS };
const operatorRules: Partial<Record<FilterOperator, InputRules>> = {
  in: { minItems: 1, maxItems: MAX_VALUES },
  contains: textRules,
  startsWith: textRules,
  has: textRules,
};
const dayRules: Partial<Record<FilterOperator, InputRules>> = { gt: { endOfDay: true }, lte: { endOfDay: true } };

const kindNames: Partial<Record<KindName, string>> = {
  country: 'CountryCode',
  email: 'EmailAddress',
  url: 'URL',
  ipAddress: 'IP',
  uuid: 'UUID',
  id: 'Id',
  ledgerId: 'LedgerId',
  amount: 'Decimal',
  integer: 'Int',
  flag: 'Boolean',
  moment: 'DateTime',
  date: 'LocalDate',
  namedValues: 'NamedValues',
};

/** The operators of a kind of value; all fields of that kind share one input type. */
export function operatorInput(prop: Prop): InputClass {
  const name = prop.choices?.name ?? kindNames[prop.kind] ?? 'Text';
  const isMoment = prop.kind === 'moment';
  const type = graphqlType(prop);
  const typeOf = (operator: FilterOperator): (() => object) => {
    if (operator === 'in') return () => [type()];
    if (operator === 'isNull') return () => Boolean;
    // Parts of an address are not addresses themselves.
    return operator === 'contains' || operator === 'startsWith' || operator === 'has' ? () => String : type;
  };
  return inputOf(
    `${name}Filter`,
    prop.kind === 'namedValues'
      ? 'Conditions on values that have names; those given must all hold.'
      : `Conditions on values of the kind ${name}; those given must all hold.`,
    () =>
      filterOperators(prop).map((operator) => {
        const rules = (isMoment ? dayRules[operator] : undefined) ?? operatorRules[operator];
        return {
          name: operator,
          type: typeOf(operator),
          description: (isMoment ? dayTexts[operator] : undefined) ?? operatorTexts[operator],
          nullable: true,
          ...(rules ? { rules } : {}),
        };
      }),
  );
}

/** The relations that a filter of a record reaches: the records it names by their key, and the lists of others. */
const filterRelations = (model: Model): Relation[] =>
  [...model.relations.values()].filter(({ hidden, many, to, target }) => !hidden && (many || to === modelOf(target()).key));

export const filterField = (name: string, type: () => object, description?: string, rules?: InputRules): InputField => ({
  name,
  type,
  ...(description ? { description } : {}),
  nullable: true,
  ...(rules ? { rules } : {}),
});

/** The filter input of the lists of a record: its columns, the records it names, its lists, and `and`, `or`, `not` and `search` over them. */
export function filterInput(target: RecordClass): InputClass {
  const input: InputClass = inputOf(`${target.name}Filter`, `Conditions on ${target.name} records; all must match.`, () => {
    const model = modelOf(target);
    const searched = searchProps(model);
    const columns = [...model.props.values()].filter((prop) => filterOperators(prop).length > 0);
    const groups = { minItems: 1, maxItems: MAX_GROUPS };
    return [
      ...columns.map((prop) => {
        const operators = operatorInput(prop);
        const field = filterField(prop.name, () => operators);
        return { ...field, ...(prop.jsonName ? { jsonName: prop.jsonName } : {}), names: namedBy(target, prop) };
      }),
      ...filterRelations(model).map((relation) => {
        const { name, many } = relation;
        const other = many ? listFilterInput(relation.target()) : filterInput(relation.target());
        return filterField(name, () => other);
      }),
      ...(searched.length > 0
        ? [
            filterField(
              'search',
              () => String,
              `Words that must all occur in ${searched.map(({ name }) => `\`${name}\``).join(' or ')}; at most ${MAX_WORDS} words and ${MAX_CHARACTERS} characters.`,
              textRules,
            ),
          ]
        : []),
      filterField('and', () => [input], `Filters that must all match, 1 to ${MAX_GROUPS}.`, groups),
      filterField('or', () => [input], `Alternative filters, 1 to ${MAX_GROUPS}.`, groups),
      filterField('not', () => input, 'Filter that must not match.'),
    ];
  });
  return input;
}

/** The filter input of a list of records that belong to another. */
const listFilterInput = (target: RecordClass): InputClass =>
  inputOf(`${target.name}ListFilter`, `Conditions on the ${target.name} records of a record.`, () => {
    const one = filterInput(target);
    return [
      filterField('some', () => one, 'At least one of them matches this filter.'),
      filterField('none', () => one, 'None of them matches this filter. True for an empty list.'),
    ];
  });

const orderName = ({ name }: Prop): string => snakeCase(name).toUpperCase();

/** The input of one key of an order of the lists of a record. */
export const orderInput = (target: RecordClass): InputClass =>
  inputOf(`${target.name}Order`, `Sort key of a list of ${target.name} records.`, () => {
    const props = orderProps(modelOf(target));
    const Field = defineEnum(
      `${target.name}OrderField`,
      `Sort keys of lists of ${target.name} records.`,
      Object.fromEntries(props.map((prop) => [orderName(prop), ''])),
    );
    return [
      { name: 'field', type: () => Field.values, description: 'Field to sort by.', nullable: false },
      { name: 'direction', type: () => OrderDirection.values, description: 'Sort direction.', nullable: false, defaultValue: 'ASC' },
      {
        name: 'nulls',
        type: () => NullsOrder.values,
        description: 'Where nulls come; last by default.',
        nullable: true,
      },
    ];
  });

/** The argument `filter` of a list. */
export const FilterArg = (target: RecordClass): ParameterDecorator => {
  const type = filterInput(target);
  return ReadArg(
    'filter',
    () => type,
    { nullable: true, description: 'Conditions on the records.' },
    (filter) => filter ?? null,
  );
};

/** The argument `orderBy` of a list; the resolver gets the names of properties, or null where the caller gave no order. */
export const OrderArg = (target: RecordClass): ParameterDecorator => {
  const type = orderInput(target);
  let names: ReadonlyMap<string, string> | undefined;
  return ReadArg(
    'orderBy',
    () => [type],
    {
      nullable: true,
      description: `Sort keys, 1 to ${MAX_KEYS}.`,
    },
    (orderBy) => {
      names ??= new Map(orderProps(modelOf(target)).map((prop) => [orderName(prop), prop.name]));
      return ordersOf(names, orderBy);
    },
  );
};

/** The order of a caller, by the names of properties; null where none was given. */
function ordersOf(names: ReadonlyMap<string, string>, given: unknown): OrderInput[] | null {
  if (given == null) return null;
  const keys = Array.isArray(given) ? given : [given];
  if (keys.length < 1 || keys.length > MAX_KEYS) throw invalid('orderBy', `orderBy must have 1 to ${MAX_KEYS} keys`, 'OUT_OF_RANGE');
  const seen = new Set<string>();
  return keys.map(({ field, direction, nulls }, index) => {
    const place = `orderBy[${index}].field`;
    if (seen.has(field)) throw invalid(place, `${place} repeats ${field}`, 'DUPLICATE');
    seen.add(field);
    return { field: names.get(field)!, direction, nulls };
  });
}

/** A filter with values that must be equal too, of arguments that name one value each. */
export function narrowed(filter: FilterInput | null, values: Readonly<Record<string, string | number | null | undefined>>): FilterInput {
  const equal = Object.entries(values).flatMap(([name, eq]) => (eq == null ? [] : [{ [name]: { eq } }]));
  if (equal.length === 0) return filter ?? {};
  return { ...filter, and: [...(Array.isArray(filter?.and) ? filter.and : []), ...equal] };
}

/** The place of a part of a filter, and what was counted so far. */
interface Place {
  path: string;
  /** Groups and relations around it. */
  level: number;
  count: { conditions: number };
}

/** The conditions of a filter, which must all hold. QUERY_TOO_COMPLEX for one that nests too deep or has too many. */
export function filtersOf(model: Model, input: FilterInput | null | undefined, path = 'filter'): Filter[] {
  const count = { conditions: 0 };
  const filters = partsOf(model, input, { path, level: 0, count });
  const { conditions } = operationLimits;
  if (count.conditions > conditions)
    throw new GatewayError('QUERY_TOO_COMPLEX', `${path} has ${count.conditions} conditions, more than ${conditions}`, { field: path });
  return filters;
}

function isOperator({ kind }: Prop, name: string): name is FilterOperator {
  const operators: readonly string[] = kinds[kind].filter;
  return operators.includes(name);
}

const every = (filters: Filter[]): Filter => (filters.length === 1 ? filters[0]! : { all: filters });

function below({ path, level, count }: Place, name: string): Place {
  const most = operationLimits.filterLevels;
  const place = { path: `${path}.${name}`, level: level + 1, count };
  if (place.level > most)
    throw new GatewayError('QUERY_TOO_COMPLEX', `${place.path} is ${place.level} levels deep, more than ${most}`, { field: place.path });
  return place;
}

/** The conditions of a filter or of a part of it. */
function partsOf(model: Model, input: unknown, place: Place): Filter[] {
  if (!isPlainObject(input)) return [];
  return Object.entries(input).flatMap(([name, value]): Filter[] => {
    if (value == null) return [];
    if (name === 'and' || name === 'or') {
      const groups = (Array.isArray(value) ? value : [value]).map((group, index) =>
        every(partsOf(model, group, below(place, `${name}[${index}]`))),
      );
      return name === 'and' ? groups : [{ any: groups }];
    }
    if (name === 'not') return [{ not: every(partsOf(model, value, below(place, name))) }];
    if (name === 'search') {
      place.count.conditions++;
      return [searchOf(String(value), `${place.path}.search`)];
    }
    const relation = model.relations.get(name);
    return relation ? relatedTo(relation, value, below(place, name)) : comparisonsOf(propOf(model, name), value, place);
  });
}

/** The condition that a text is found in a record, which a field of this name has. */
export function searchOf(search: string, field: string): SearchCondition {
  if (search.length > MAX_CHARACTERS) throw invalid(field, `${field} must have at most ${MAX_CHARACTERS} characters`, 'OUT_OF_RANGE');
  const words = wordsOf(search).length;
  if (words === 0) throw invalid(field, `${field} must have a word`, 'REQUIRED');
  if (words > MAX_WORDS) throw invalid(field, `${field} must have at most ${MAX_WORDS} words`, 'OUT_OF_RANGE');
  return { search };
}

function relatedTo(relation: Relation, value: unknown, place: Place): Filter[] {
  const target = modelOf(relation.target());
  const where = (filter: unknown, path: string): Filter => every(partsOf(target, filter, { ...place, path }));
  place.count.conditions++;
  if (!relation.many) return [{ relation, match: 'some', where: where(value, place.path) }];
  const { some, none } = isPlainObject(value) ? value : {};
  return [
    ...(some == null ? [] : [{ relation, match: 'some' as const, where: where(some, `${place.path}.some`) }]),
    ...(none == null ? [] : [{ relation, match: 'none' as const, where: where(none, `${place.path}.none`) }]),
  ];
}

function comparisonsOf(prop: Prop, operators: unknown, { path, count }: Place): Filter[] {
  if (!isPlainObject(operators)) return [];
  return Object.entries(operators).flatMap(([operator, value]): Filter[] => {
    if (value === undefined) return [];
    const field = `${path}.${prop.name}.${operator}`;
    if (value === null) throw invalid(field, `${field} must not be null`);
    if (!isOperator(prop, operator)) throw invalid(field, `${field} is not an operator`, 'UNKNOWN_FIELD');
    count.conditions++;
    return [{ prop, operator, value }];
  });
}
