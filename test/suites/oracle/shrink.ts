// Shortens a document whose runs differ. It leaves out selections, arguments, members, elements, directives, defaults and values of variables as long
// as the rest still differs in the same way.
import { type ASTNode, type DocumentNode, type GraphQLSchema, Kind, parse, print, type VariableNode, validate, visit } from 'graphql';
import type { RandomDocument } from './documents.ts';

/** Runs of one document that are tried at most. */
const MAX_RUNS = 300;

/** The shortest document found that still `differs`, after the one given. */
export async function shortest(
  schema: GraphQLSchema,
  given: RandomDocument,
  differs: (some: RandomDocument) => Promise<boolean>,
): Promise<RandomDocument> {
  let best = given;
  let runs = 0;
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (let at = 0; runs < MAX_RUNS; ) {
      const some = shorter(best)[at];
      if (!some) break;
      const isValid = validate(schema, parse(some.text)).length === 0;
      if (isValid) runs++;
      if (isValid && (await differs(some))) {
        best = some;
        isShorter = true;
      } else at++;
    }
  }
  return best;
}

/** The documents that are shorter by one part, those without a large part first. */
function shorter({ kind, text, variables }: RandomDocument): RandomDocument[] {
  const document = parse(text);
  const texts = partsOf(document).map((part) => ({ kind, ...withUsed(without(document, part), variables) }));
  const values = smaller(variables).map((less) => ({ kind, text, variables: less as Record<string, unknown> }));
  return [...texts, ...values];
}

/** The parts of a document that may be left out one by one. */
function partsOf(document: DocumentNode): ASTNode[] {
  const parts: ASTNode[] = [];
  const all = (nodes: readonly ASTNode[]): void => {
    parts.push(...nodes);
  };
  visit(document, {
    SelectionSet: ({ selections }) => {
      if (selections.length > 1) all(selections);
    },
    Field: ({ arguments: given = [], directives = [] }) => {
      all(directives);
      all(given);
    },
    ObjectValue: ({ fields }) => all(fields),
    ListValue: ({ values }) => all(values),
    VariableDefinition: ({ defaultValue }) => {
      if (defaultValue) parts.push(defaultValue);
    },
  });
  return parts;
}

const without = (document: DocumentNode, part: ASTNode): DocumentNode =>
  visit(document, {
    enter: (node) => {
      if (node.kind === Kind.VARIABLE_DEFINITION && node.defaultValue === part) return { ...node, defaultValue: undefined };
      return node === part ? null : undefined;
    },
  });

/** A document with the variables that it uses. */
function withUsed(document: DocumentNode, variables: Record<string, unknown>): Pick<RandomDocument, 'text' | 'variables'> {
  const used = new Set<string>();
  const use = ({ name }: VariableNode): void => {
    used.add(name.value);
  };
  visit(document, { VariableDefinition: () => false, Variable: use });
  const text = print(visit(document, { VariableDefinition: (node) => (used.has(node.variable.name.value) ? undefined : null) }));
  return { text, variables: Object.fromEntries(Object.entries(variables).filter(([name]) => used.has(name))) };
}

/** The values that have one member or element less, at any depth. */
function smaller(value: unknown): unknown[] {
  if (Array.isArray(value))
    return value.flatMap((element, at) => [value.toSpliced(at, 1), ...smaller(element).map((less) => value.with(at, less))]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)),
    ...smaller(member).map((less) => ({ ...value, [name]: less })),
  ]);
}
