// Whether an operation asks a mutation for its errors as data. One that does not gets them as errors of the request, so that none is silent.
import type { FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';

export type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/** Whether a selection has the field, on every condition: one that a directive may remove does not count. */
function has(set: SelectionSetNode | undefined, fragments: Fragments, isWanted: (node: FieldNode) => boolean): boolean {
  return (
    set?.selections.some((node) => {
      if (node.directives && node.directives.length > 0) return false;
      if (node.kind === 'Field') return isWanted(node);
      return has((node.kind === 'InlineFragment' ? node : fragments[node.name.value])?.selectionSet, fragments, isWanted);
    }) ?? false
  );
}

/** Whether the payload of a mutation is asked for its errors. */
export const selectsErrors = (nodes: readonly FieldNode[], fragments: Fragments): boolean =>
  nodes.some((node) => has(node.selectionSet, fragments, ({ name }) => name.value === 'errors'));

/** Whether it is asked for the errors of each record of a bulk form, in one of the two places that report them. */
export const selectsRecordErrors = (nodes: readonly FieldNode[], fragments: Fragments): boolean =>
  selectsErrors(nodes, fragments) ||
  nodes.some((node) =>
    has(
      node.selectionSet,
      fragments,
      ({ name, selectionSet }) => name.value === 'results' && has(selectionSet, fragments, (inner) => inner.name.value === 'errors'),
    ),
  );
