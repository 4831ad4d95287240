// What to read of a record: from a look-ahead tree to its columns, computed fields and relations, and to the function that builds its rows. Made once per tree.
import { type Derived, type Model, modelOf, type Prop, type Relation } from './model.ts';
import type { FieldTree } from './selection.ts';
import type { TextRow } from './wire-rows.ts';
import { wireKinds } from './wire-values.ts';

/** A record as resolvers and the executor see it: GraphQL field names, wire values, relations attached. */
export type Row = Record<string, unknown>;

/** What to read of a record: its columns, computed fields and relations, made once per look-ahead tree. */
export interface Selection {
  /** The record and its columns that are read: equal for every document that asks for the same, so that they share statements. */
  columns: string;
  model: Model;
  props: Prop[];
  derived: Derived[];
  relations: { relation: Relation; selection: Selection }[];
  build: (row: TextRow) => Row;
}

const selectionCache = new WeakMap<FieldTree, Map<Model, Selection>>();

/** Columns a field with its own resolver needs, by type and field name; declared by the resolver's file. */
const needsOfResolvers = new Map<string, string[]>();

/** Declares which properties of a record a field resolver of that record reads. */
export function resolverNeeds(typeName: string, field: string, props: string[]): void {
  needsOfResolvers.set(`${typeName}.${field}`, props);
}

/** The selection for a record type below a look-ahead tree. */
export function selectionFor(model: Model, tree: FieldTree): Selection {
  let perModel = selectionCache.get(tree);
  if (!perModel) {
    perModel = new Map();
    selectionCache.set(tree, perModel);
  }
  let selection = perModel.get(model);
  if (!selection) {
    selection = makeSelection(model, tree);
    perModel.set(model, selection);
  }
  return selection;
}

/** The selection of the given properties, for reads that no operation asked for. */
export function selectionOf(model: Model, names: string[]): Selection {
  return assemble(model, new Set(names), [], []);
}

function makeSelection(model: Model, tree: FieldTree): Selection {
  const props = new Set<string>([model.key]);
  const derived: Derived[] = [];
  const relations: Selection['relations'] = [];
  const concrete = tree.byType.get(model.name);
  for (const [name, child] of [...tree.fields, ...(concrete?.fields ?? [])]) {
    const relation = model.relations.get(name);
    const computed = model.derived.get(name);
    if (relation) {
      props.add(relation.from);
      const target = modelOf(relation.target());
      const selection = makeSelection(target, child);
      relations.push({ relation, selection: selectionWith(selection, [relation.to]) });
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

const widened = new WeakMap<Selection, Map<string, Selection>>();

/** The selection with further properties; the same object for the same question, so that its statements are found again. */
export function selectionWith(selection: Selection, names: string[]): Selection {
  if (names.every((name) => selection.props.some((prop) => prop.name === name))) return selection;
  let perNames = widened.get(selection);
  if (!perNames) {
    perNames = new Map();
    widened.set(selection, perNames);
  }
  const key = names.join();
  let wider = perNames.get(key);
  if (!wider) {
    wider = assemble(
      selection.model,
      new Set([...selection.props.map((prop) => prop.name), ...names]),
      selection.derived,
      selection.relations,
    );
    perNames.set(key, wider);
  }
  return wider;
}

/** A selection of the named properties. */
export function assemble(model: Model, names: Set<string>, derived: Derived[], relations: Selection['relations']): Selection {
  const props = [...names].map((name) => propOf(model, name));
  const columns = `${model.name} ${props.map(({ column }) => column).join()}`;
  return { columns, model, props, derived, relations, build: compileBuilder(props, derived, relations) };
}

export function propOf(model: Model, name: string): Prop {
  const prop = model.props.get(name);
  if (!prop) throw new Error(`${model.name} has no property ${name}`);
  return prop;
}

// One object literal per selection gives every row the same hidden class; filling properties in a loop costs about twice as much.
function compileBuilder(props: Prop[], derived: Derived[], relations: Selection['relations']): Selection['build'] {
  const members = [
    ...props.map((prop, index) => `${JSON.stringify(prop.name)}: r[${index}] === null ? null : v[${index}](r[${index}])`),
    ...relations.map(({ relation }) => `${JSON.stringify(relation.name)}: ${relation.many || relation.wrapped ? '[]' : 'null'}`),
  ];
  const computed = derived.map((field, index) => `o[${JSON.stringify(field.name)}] = d[${index}].compute(o);`).join('');
  const values = props.map((prop) => wireKinds[prop.kind].value);
  return new Function('v', 'd', `return (r) => { const o = {${members.join(', ')}}; ${computed} return o; }`)(
    values,
    derived,
  ) as Selection['build'];
}
