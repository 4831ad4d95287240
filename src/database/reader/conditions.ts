// The conditions of a read: written against the properties of a record class, and turned into the terms of a statement.
import {
  type Column,
  type FilterOperator,
  type Model,
  modelOf,
  type Prop,
  propOf,
  type Relation,
  type Stored,
} from '../../records/metadata.ts';
import type { TenantScope } from '../../records/tenancy.ts';
import type { Freshness } from '../replicas/read-balancer.ts';

/** A condition on one property of a record. */
export interface Condition {
  prop: Prop;
  operator: ConditionOperator;
  value: unknown;
}

/** The operators of filters; `has`: the list has this value. */
export type ConditionOperator = FilterOperator;

/** A condition on the records of a relation: one of them meets it, or none does. A relation to one record that is absent has none, and deleted records count in lists of deleted records only. */
export interface RelatedCondition {
  relation: Relation;
  match: 'some' | 'none';
  where: Filter;
}

/** A text whose every word the searched columns of the record contain. */
export interface SearchCondition {
  search: string;
}

/** What records must meet. `not` is true wherever the condition is not, so that it and its opposite together match every record. */
export type Filter =
  | Condition
  | { all: readonly Filter[] }
  | { any: readonly Filter[] }
  | { not: Filter }
  | RelatedCondition
  | SearchCondition;

/** One key of an order. */
export interface Order {
  prop: Prop;
  descending: boolean;
  /** Where records without a value come; last when absent, in either direction. */
  nulls?: 'first' | 'last';
}

/** A value that a property is compared with. */
type Comparable<V> = V extends Date ? Date | string : V extends string | number | boolean ? Stored<V> : never;

/** What a property must be: equal to a value, or what each of the operators says. */
type Operand<V> =
  | V
  | {
      readonly eq?: V;
      readonly in?: readonly V[];
      readonly gt?: V;
      readonly gte?: V;
      readonly lt?: V;
      readonly lte?: V;
      readonly contains?: string;
      readonly isNull?: boolean;
      readonly has?: string | number;
    };

/**
 * Conditions on the properties of a record, which must all hold. A property that is left out, or undefined, may have any value. Where the class
 * of the record is not known, names are checked when the read runs.
 */
export type Where<T> = object extends T
  ? { readonly [name: string]: Operand<string | number | boolean | Date> | undefined }
  : { readonly [K in Column<T>]?: Operand<Comparable<NonNullable<T[K & keyof T]>>> };

/** The properties that a list is ordered by, all in one direction. The key of the record comes last on its own, so that no two rows are equal. */
export interface OrderBy<T> {
  by: readonly Column<T>[];
  descending?: boolean;
}

/**
 * The conditions of a read. A property that the record does not have is an error. Records within one that is marked deleted are left out. A read of
 * the records of a given one relies on its caller, who looked it up.
 */
export function conditionsOf<T extends object>(model: Model<T>, where: Where<T>): Filter[] {
  const given = new Map(Object.entries<unknown>(where));
  const within = [...model.relations.values()].find((relation) => relation.within);
  return [
    ...[...given].flatMap(([name, operand]) => operandConditions(propOf(model, name), operand)),
    ...(within && given.get(within.from) === undefined ? [present(within)] : []),
  ];
}

function operandConditions(prop: Prop, operand: unknown): Condition[] {
  if (operand === undefined) return [];
  if (operand === null || typeof operand !== 'object' || operand instanceof Date)
    return [{ prop, operator: 'eq', value: textValue(operand) }];
  return Object.entries(operand).flatMap(([operator, value]): Condition[] =>
    value === undefined ? [] : [{ prop, operator: operator as ConditionOperator, value: textValue(value) }],
  );
}

/** The value of a condition with one value: that which a property is equal to, or that its list has. */
export function valueOfOne(operand: unknown): unknown {
  if (operand === null || typeof operand !== 'object' || operand instanceof Date) return textValue(operand);
  const { eq, has = eq } = operand as { eq?: unknown; has?: unknown };
  return textValue(has);
}

/** That the record of a relation is there and not marked deleted. */
function present(relation: Relation): RelatedCondition {
  const target = modelOf(relation.target());
  return { relation, match: 'some', where: { prop: propOf(target, target.deletedAt!), operator: 'isNull', value: true } };
}

const textValue = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : value);

/** The order of a list: the named properties, and the key. */
export function ordersOf<T extends object>(model: Model<T>, { by, descending = false }: OrderBy<T>): Order[] {
  return [...new Set<string>([...by, model.key])].map((name) => ({ prop: propOf(model, name), descending }));
}

/** Whether a condition compares with one value. Such conditions name the parent of a list. */
export const isOfOne = (filter: Filter): filter is Condition => 'prop' in filter && (filter.operator === 'eq' || filter.operator === 'has');

/** Whose rows a read returns, and where it reads them. */
export interface ReadScope {
  /** Null for content that all organisations share, and for reads across organisations. */
  tenant: TenantScope | null;
  /** What it must see to run on a replica; without it the read runs on the primary. */
  freshness?: Freshness | undefined;
  includeDeleted?: boolean;
}
