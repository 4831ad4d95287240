// Writes records as JSON straight from the database's text, in the members and the order an operation asks for: no record is built, no value converted twice.
import type { Derived, Model, Prop, Relation } from './model.ts';
import { assemble, propOf, type Row, type Selection } from './record-selection.ts';
import type { TextRow } from './text-query.ts';
import { wireKinds } from './wire-values.ts';

/** The members of a record's JSON, in the order of the answer, each under its response key. */
export interface TextShape {
  model: Model;
  members: TextMember[];
}

export type TextMember =
  | { key: string; constant: string }
  | { key: string; prop: Prop }
  | { key: string; derived: Derived }
  | { key: string; relation: Relation; shape: TextShape };

/** What to read for a shape, and how to write it. */
export interface TextSelection {
  selection: Selection;
  relations: { relation: Relation; text: TextSelection }[];
  /** Where a property stands in a row. */
  position: (name: string) => number;
  /** The value of a property. */
  value: (row: TextRow, name: string) => unknown;
  /** The text of a row; `related` holds for each relation the texts of all rows, of which `index` names one. */
  write: (row: TextRow, index: number, related: string[][]) => string;
}

const selections = new WeakMap<TextShape, Map<string, TextSelection>>();

/** The selection for a shape that also reads further properties; the same object for the same question, so that its statements are found again. */
export function textSelection(shape: TextShape, more: string[]): TextSelection {
  let perNames = selections.get(shape);
  if (!perNames) {
    perNames = new Map();
    selections.set(shape, perNames);
  }
  const key = more.join();
  let selection = perNames.get(key);
  if (!selection) {
    selection = makeSelection(shape, more);
    perNames.set(key, selection);
  }
  return selection;
}

function makeSelection({ model, members }: TextShape, more: string[]): TextSelection {
  const relations = members.flatMap((member) => ('relation' in member ? [member] : []));
  const names = new Set([model.key, ...more]);
  if (relations.length > 0 && model.companyColumn) names.add('companyId');
  for (const member of members) {
    if ('prop' in member) names.add(member.prop.name);
    else if ('relation' in member) names.add(member.relation.from);
    else if ('derived' in member) for (const need of member.derived.needs) names.add(need);
  }
  const selection = assemble(model, names, [], []);
  const positions = new Map(selection.props.map((prop, index) => [prop.name, index]));
  const position = (name: string): number => positions.get(name)!;
  return {
    selection,
    relations: relations.map(({ relation, shape }) => ({ relation, text: textSelection(shape, [relation.to]) })),
    position,
    value: (row, name) => valueAt(row, position(name), propOf(model, name)),
    write: compileWriter(members, selection, position),
  };
}

const valueAt = (row: TextRow, index: number, prop: Prop): unknown =>
  row[index] === null ? null : wireKinds[prop.kind].value(row[index]!);

/** A derived field's inputs as its `compute` expects them. */
const inputsOf = (derived: Derived, model: Model, position: (name: string) => number): ((row: TextRow) => Row) => {
  const inputs = derived.needs.map((name) => ({ name, index: position(name), prop: propOf(model, name) }));
  return (row) => Object.fromEntries(inputs.map(({ name, index, prop }) => [name, valueAt(row, index, prop)]));
};

// One expression per shape: a loop over the members would look up for every value what is the same for all rows.
function compileWriter(members: TextMember[], { model }: Selection, position: (name: string) => number): TextSelection['write'] {
  const writers: ((row: TextRow) => string)[] = [];
  const encoders: ((text: string) => string)[] = [];
  let relations = 0;
  const parts = members.map((member) => {
    if ('constant' in member) return JSON.stringify(member.constant);
    if ('relation' in member) return `x[${relations++}][i]`;
    if ('derived' in member) {
      const inputs = inputsOf(member.derived, model, position);
      writers.push((row) => JSON.stringify(member.derived.compute(inputs(row) as Record<string, never>)));
      return `w[${writers.length - 1}](r)`;
    }
    const value = `r[${position(member.prop.name)}]`;
    encoders.push(wireKinds[member.prop.kind].json);
    return `(${value} === null ? 'null' : e[${encoders.length - 1}](${value}))`;
  });
  const pieces = members.flatMap(({ key }, index) => [JSON.stringify(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`), parts[index]]);
  // Joined, a text is made in one piece; what `+` makes of so many is a tree that is made flat later, an eighth of the server's time on W3.
  return new Function('w', 'e', `return (r, i, x) => [${pieces.join(', ')}, '}'].join('')`)(writers, encoders) as TextSelection['write'];
}
