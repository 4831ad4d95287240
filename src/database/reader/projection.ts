// Projections: the columns, computed fields and relations to read of a record, derived once per look-ahead tree, and the function that builds its rows.

import {
  type Column,
  type Derived,
  type Model,
  modelOf,
  type Prop,
  propOf,
  type RecordClass,
  type Relation,
} from '../../records/metadata.ts';
import type { TextRow } from '../read-path/data-rows.ts';
import { columnKinds } from './column-values.ts';
import type { FieldTree } from './field-tree.ts';

/** A record as resolvers and the executor see it: GraphQL field names, GraphQL values, relations attached. */
export type Row = Record<string, unknown>;

/** The columns, computed fields and relations to read of a record. */
export interface Projection<T extends object = object> {
  /** Names the record and the columns read; equal for all documents that read the same, so that they share statements. */
  columns: string;
  model: Model<T>;
  props: Prop[];
  derived: Derived[];
  relations: { relation: Relation; projection: Projection }[];
  build: (row: TextRow) => Row;
  /** The projections with further properties, by the names of those. */
  wider: Map<string, Projection<T>>;
}

/** Properties that a field resolver reads, by type and field name; the file of the resolver declares them. */
const needsOfResolvers = new Map<string, readonly string[]>();

/** The properties of its record that a field resolver reads; an option of the resolver, which is named after its field. */
export const needs =
  <T extends object>(record: RecordClass<T>, ...props: Column<T>[]) =>
  (_prototype: object, field: string): void => {
    needsOfResolvers.set(`${record.name}.${field}`, props);
  };

/** The properties that a field resolver of a record reads. */
export const needsOf = (model: Model, field: string): readonly string[] => needsOfResolvers.get(`${model.name}.${field}`) ?? [];

/** The projection of a record type for what an operation selects below a field. */
export const projectionFor = <T extends object>(model: Model<T>, tree: FieldTree): Projection<T> =>
  tree.memo(model, () => makeProjection(model, tree));

/** The projection of the given properties, for reads that do not come from an operation. */
export function projectionOf<T extends object>(model: Model<T>, names: readonly Column<T>[]): Projection<T> {
  return assemble(model, new Set(names), [], []);
}

function makeProjection<T extends object>(model: Model<T>, tree: FieldTree): Projection<T> {
  const props = new Set<string>([model.key]);
  const derived: Derived[] = [];
  const relations: Projection['relations'] = [];
  const concrete = tree.byType.get(model.name);
  for (const [name, child] of [...tree.fields, ...(concrete?.fields ?? [])]) {
    const relation = model.relations.get(name);
    const computed = model.derived.get(name);
    if (relation) {
      props.add(relation.from);
      const target = modelOf(relation.target());
      const projection = makeProjection(target, child);
      relations.push({ relation, projection: projectionWith(projection, [relation.to]) });
    } else if (computed) {
      derived.push(computed);
      for (const need of computed.needs) props.add(need);
    } else if (model.props.has(name)) {
      props.add(name);
    } else {
      for (const need of needsOf(model, name)) props.add(need);
    }
  }
  if (relations.length > 0 && model.companyProp) props.add(model.companyProp);
  return assemble(model, props, derived, relations);
}

/** The projection with further properties. The same arguments return the same object. */
export function projectionWith<T extends object>(projection: Projection<T>, names: readonly Column<T>[]): Projection<T> {
  if (names.every((name) => projection.props.some((prop) => prop.name === name))) return projection;
  const key = names.join();
  let wider = projection.wider.get(key);
  if (!wider) {
    const { model, props, derived, relations } = projection;
    wider = assemble(model, new Set([...props.map((prop) => prop.name), ...names]), derived, relations);
    projection.wider.set(key, wider);
  }
  return wider;
}

/** A projection of the named properties. */
export function assemble<T extends object>(
  model: Model<T>,
  names: ReadonlySet<string>,
  derived: Derived[],
  relations: Projection['relations'],
): Projection<T> {
  const props = [...names].map((name) => propOf(model, name));
  const columns = `${model.name} ${props.map(({ column }) => column).join()}`;
  return { columns, model, props, derived, relations, build: compileBuilder(props, derived, relations), wider: new Map() };
}

// One compiled object literal per projection, so that all rows have the same hidden class; filling properties in a loop costs about twice as much.
function compileBuilder(props: Prop[], derived: Derived[], relations: Projection['relations']): Projection['build'] {
  const members = [
    ...props.map((prop, index) => `${JSON.stringify(prop.name)}: r[${index}] === null ? null : v[${index}](r[${index}])`),
    ...relations.map(({ relation }) => `${JSON.stringify(relation.name)}: ${relation.many || relation.wrapped ? '[]' : 'null'}`),
  ];
  const computed = derived.map((field, index) => `o[${JSON.stringify(field.name)}] = d[${index}].compute(o);`).join('');
  const values = props.map((prop) => columnKinds[prop.kind].value);
  return new Function('v', 'd', `return (r) => { const o = {${members.join(', ')}}; ${computed} return o; }`)(
    values,
    derived,
  ) as Projection['build'];
}
