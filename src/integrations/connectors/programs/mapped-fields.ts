// Which fields the expressions of a mapping name, found in their syntax trees: an operator sees what a program brings before it runs.
import type jsonata from 'jsonata';

/** A part of a syntax tree; its form differs from kind to kind. */
type Tree = Readonly<Record<string, unknown>> | readonly Tree[];

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** The parts of a tree that are trees, in the order of the text. */
const partsOf = (tree: Tree): Tree[] => Object.values(tree).filter(isTree);

/** Adds the names of the members that object constructors have, also in the functions that the expression calls. */
function collect(tree: Tree, functions: Map<string, Tree>, names: Set<string>): void {
  if (!Array.isArray(tree)) {
    const { type, value, lhs, rhs } = tree as Record<string, unknown>;
    if (type === 'bind' && isTree(rhs)) {
      functions.set(String((lhs as { value: unknown }).value), rhs);
      return;
    }
    if (type === 'variable') {
      const body = functions.get(String(value));
      functions.delete(String(value));
      if (body) collect(body, functions, names);
      return;
    }
    if (type === 'unary' && value === '{')
      for (const [key] of lhs as [{ type: string; value: unknown }][]) if (key.type === 'string') names.add(String(key.value));
  }
  for (const part of partsOf(tree)) collect(part, functions, names);
}

/** Those of the fields of a data model that an expression names. A field of a child counts where its list is named too. */
export function fieldsNamed(expression: jsonata.Expression, fields: readonly string[]): string[] {
  const names = new Set<string>();
  collect(expression.ast() as unknown as Tree, new Map(), names);
  return fields.filter((field) => field.split('.').every((name) => names.has(name)));
}
