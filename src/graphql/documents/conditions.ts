// @skip and @include, applied to a document before it is compiled.
import { type DirectiveNode, type DocumentNode, type FieldNode, Kind, type SelectionNode, type ValueNode, visit } from 'graphql';

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include';

const givenTo = (condition: DirectiveNode): ValueNode => condition.arguments![0]!.value;

/** The variables of the conditions of a document; undefined where it has no condition. */
export function variablesOfConditions(document: DocumentNode): readonly string[] | undefined {
  const names = new Set<string>();
  let has = false;
  visit(document, {
    Directive(node) {
      if (!isCondition(node)) return;
      has = true;
      const value = givenTo(node);
      if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return has ? [...names] : undefined;
}

/**
 * A document with the selections that its conditions choose, and without conditions. Undefined where nothing of some object is left, or a variable is
 * null, which is an error of each field that has it in a condition.
 */
export function chosenBy(document: DocumentNode, variables: Readonly<Record<string, unknown>>): DocumentNode | undefined {
  const holds = (condition: DirectiveNode): boolean => {
    const value = givenTo(condition);
    const given = value.kind === Kind.VARIABLE ? variables[value.name.value] : value.kind === Kind.BOOLEAN && value.value;
    return (given === true) === (condition.name.value === 'include');
  };
  const choose = <Node extends SelectionNode>(node: Node): Node | null | undefined => {
    const conditions = node.directives?.filter(isCondition) ?? [];
    if (conditions.length === 0) return undefined;
    if (!conditions.every(holds)) return null;
    return { ...node, directives: node.directives!.filter((directive) => !isCondition(directive)) };
  };
  if (variablesOfConditions(document)?.some((name) => typeof variables[name] !== 'boolean')) return undefined;
  let isWhole = true;
  const chosen = visit(document, {
    Field: { enter: (node): FieldNode | null | undefined => choose(node) },
    FragmentSpread: choose,
    InlineFragment: { enter: choose },
    SelectionSet: {
      leave(node) {
        if (node.selections.length === 0) isWhole = false;
      },
    },
  });
  return isWhole ? chosen : undefined;
}
