// Records in their REST form, read inside the transaction that changes them. Names and members follow from the schema, as on REST routes.

import {
  assertObjectType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { EntityManager } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import { type Model, modelOf, type Prop, type RecordClass, type Relation, type RestShow } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { restRows } from './rest-record.statements.ts';

/** The naming strategies of REST fields. */
export type RestNaming = 'snake' | 'camel' | 'ledger';

type Field = GraphQLField<unknown, unknown>;

/** When REST shows a field; `always` unless its declaration says otherwise. */
export const showOf = (field: Field): RestShow => field.extensions.rest ?? 'always';

/** REST names of an output field: several where REST repeats the value under older names. */
export function jsonNames(field: Field, naming: RestNaming): string[] {
  const given = field.extensions.jsonName;
  return given === undefined ? [naming === 'camel' ? field.name : snakeCase(field.name)] : [given].flat();
}

/** Which records to read, and which of their fields. */
export interface RestRecords {
  schema: GraphQLSchema;
  organisationId: number;
  /** Company of the records, where their key begins with it. */
  companyId?: number;
  target: RecordClass;
  /** Their `ledgerId`s or ids. Deleted records are read too. */
  keys: readonly (number | string)[];
  naming?: RestNaming;
  /** Values of fields that no column holds, the same for every record. */
  given?: Readonly<Record<string, unknown>>;
  /** Whether to show the time of deletion. */
  deleted?: boolean;
  /** GraphQL names of fields to show that REST shows only when they are selected. */
  selected?: readonly string[];
  /** REST names of fields to leave out, such as links that are signed again at every read. */
  without?: readonly string[];
}

/** The records by their key, each as in a REST response without expansions. */
export async function restRecords(em: EntityManager, query: RestRecords): Promise<Map<number | string, Row>> {
  await em.flush();
  const model = modelOf(query.target);
  const rows = await rowsIn(em, query, model, model.props.get(model.key)!, query.keys, false);
  const type = assertObjectType(query.schema.getType(model.name));
  return new Map(rows.map((row) => [row[model.key] as number | string, shown(type, row, query)]));
}

/** The rows that have one of the values in a property, with their computed fields and the relations that REST always shows. */
async function rowsIn(
  em: EntityManager,
  query: RestRecords,
  model: Model,
  by: Prop,
  values: readonly unknown[],
  onlyLive: boolean,
  { where = {}, orderedBy }: Pick<Relation, 'where' | 'orderedBy'> = {},
): Promise<Row[]> {
  if (values.length === 0) return [];
  const rows = await restRows(em, model, { ...query, by, values, onlyLive, where, orderedBy });
  for (const row of rows) for (const field of model.derived.values()) row[field.name] = field.compute(row as Record<string, never>);
  for (const relation of model.relations.values()) {
    if (relation.rest !== 'always') continue;
    const target = modelOf(relation.target());
    const keys = rows.map((row) => row[relation.from]);
    const children = await rowsIn(em, query, target, target.props.get(relation.to)!, keys, true, relation);
    const byParent = Map.groupBy(children, (child) => child[relation.to]);
    for (const row of rows) row[relation.name] = byParent.get(row[relation.from]) ?? [];
  }
  return rows;
}

/** Whether the REST form of a record without expansions has a field. */
export const isShown = (field: Field, deleted: boolean): boolean => {
  const show = showOf(field);
  return (show === 'always' || (show === 'deleted' && deleted)) && field.args.length === 0;
};

/** A row with the fields that REST shows, under their REST names; with the time of its deletion where it is deleted. */
export const shownRecord = (type: GraphQLObjectType, row: Row, deleted: boolean): Row => shown(type, row, { deleted });

/** A record, or an object embedded in one, under its REST names. */
function shown(
  type: GraphQLObjectType,
  row: Row,
  { naming = 'snake', given = {}, without = [], selected = [], deleted = false }: Partial<RestRecords>,
): Row {
  const members: [string, unknown][] = [];
  for (const field of Object.values(type.getFields())) {
    if (!isShown(field, deleted) && !selected.includes(field.name)) continue;
    const names = jsonNames(field, naming).filter((name) => !without.includes(name));
    if (names.length === 0) continue;
    // A field with a resolver is not in the row; without it the record would differ from the REST response.
    if (field.resolve && !(field.name in given)) throw new Error(`${type.name}.${field.name} has no value here`);
    const value = field.name in given ? given[field.name] : shownValue(field.type, row[field.name], naming);
    for (const name of names) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

function shownValue(type: GraphQLOutputType, value: unknown, naming: RestNaming): unknown {
  if (value === undefined || value === null) return null;
  if (isNonNullType(type)) return shownValue(type.ofType, value, naming);
  if (isListType(type)) return (value as unknown[]).map((entry) => shownValue(type.ofType, entry, naming));
  return isObjectType(type) ? shown(type, value as Row, { naming }) : value;
}
