// Projections: the columns, computed fields and relations to read of a record, derived once per look-ahead tree, and the function that builds its rows.

import { type Derived, type Model, modelOf, type Prop, type Relation } from '../../records/metadata.ts';
import type { TextRow } from '../wire/data-rows.ts';
import { columnKinds } from './column-values.ts';
import type { FieldTree } from './field-tree.ts';

/** A record as resolvers and the executor see it: GraphQL field names, GraphQL values, relations attached. */
export type Row = Record<string, unknown>;

/** The columns, computed fields and relations to read of a record. */
export interface Projection {
  /** Names the record and the columns read; equal for all documents that read the same, so that they share statements. */
  columns: string;
  model: Model;
  props: Prop[];
  derived: Derived[];
  relations: { relation: Relation; projection: Projection }[];
  build: (row: TextRow) => Row;
}

const projectionCache = new WeakMap<FieldTree, Map<Model, Projection>>();

/** Properties that a field resolver reads, by type and field name; the file of the resolver declares them. */
const needsOfResolvers = new Map<string, string[]>();

/** Declares which properties of a record a field resolver of that record reads. */
export function resolverNeeds(typeName: string, field: string, props: string[]): void {
  needsOfResolvers.set(`${typeName}.${field}`, props);
}

/** The projection of a record type for a look-ahead tree. */
export function projectionFor(model: Model, tree: FieldTree): Projection {
  let perModel = projectionCache.get(tree);
  if (!perModel) {
    perModel = new Map();
    projectionCache.set(tree, perModel);
  }
  let projection = perModel.get(model);
  if (!projection) {
    projection = makeProjection(model, tree);
    perModel.set(model, projection);
  }
  return projection;
}

/** The projection of the given properties, for reads that do not come from an operation. */
export function projectionOf(model: Model, names: string[]): Projection {
  return assemble(model, new Set(names), [], []);
}

function makeProjection(model: Model, tree: FieldTree): Projection {
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
      for (const need of needsOfResolvers.get(`${model.name}.${name}`) ?? []) props.add(need);
    }
  }
  if (relations.length > 0 && model.companyColumn) props.add('companyId');
  return assemble(model, props, derived, relations);
}

const widerProjections = new WeakMap<Projection, Map<string, Projection>>();

/** The projection with further properties. The same arguments return the same object. */
export function projectionWith(projection: Projection, names: string[]): Projection {
  if (names.every((name) => projection.props.some((prop) => prop.name === name))) return projection;
  let perNames = widerProjections.get(projection);
  if (!perNames) {
    perNames = new Map();
    widerProjections.set(projection, perNames);
  }
  const key = names.join();
  let wider = perNames.get(key);
  if (!wider) {
    wider = assemble(
      projection.model,
      new Set([...projection.props.map((prop) => prop.name), ...names]),
      projection.derived,
      projection.relations,
    );
    perNames.set(key, wider);
  }
  return wider;
}

/** A projection of the named properties. */
export function assemble(model: Model, names: Set<string>, derived: Derived[], relations: Projection['relations']): Projection {
  const props = [...names].map((name) => propOf(model, name));
  const columns = `${model.name} ${props.map(({ column }) => column).join()}`;
  return { columns, model, props, derived, relations, build: compileBuilder(props, derived, relations) };
}

export function propOf(model: Model, name: string): Prop {
  const prop = model.props.get(name);
  if (!prop) throw new Error(`${model.name} has no property ${name}`);
  return prop;
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
