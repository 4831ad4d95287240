// @skip and @include, applied to a document before it is compiled.
import { type DirectiveNode, type DocumentNode, Kind, type SelectionNode, type ValueNode, visit } from 'graphql';

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

/** A document with the selections that its conditions choose, and without conditions; undefined where nothing of some object is left. */
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
  let isWhole = true;
  const chosen = visit(document, {
    Field: choose,
    FragmentSpread: choose,
    InlineFragment: choose,
    SelectionSet: {
      leave(node) {
        if (node.selections.length === 0) isWhole = false;
      },
    },
  });
  return isWhole ? chosen : undefined;
}
