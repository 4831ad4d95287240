// Look-ahead: the selection below a resolver as a tree of field names. Compiled operations compute it once.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { FieldTree } from '../database/reader/field-tree.ts';
import type { JsonGroupsNode, JsonNode } from './json-lists.ts';

interface Source {
  schema: GraphQLSchema;
  fragments: Record<string, FragmentDefinitionNode | undefined>;
}

interface LookAheadInfo extends GraphQLResolveInfo {
  lookAhead?: FieldTree;
}

/** The tree below a field: taken from the compiled operation, or built per request under graphql-js. */
export function lookAhead(info: GraphQLResolveInfo): FieldTree {
  return (info as LookAheadInfo).lookAhead ?? treeOf(info, info.fieldNodes, getNamedType(info.returnType));
}

/** What names a field of an operation in every row of its level: its compiled tree, or the list of its nodes that graphql-js keeps. */
export const levelOf = (info: GraphQLResolveInfo): object => (info as LookAheadInfo).lookAhead ?? info.fieldNodes;

/** The members that graphql-jit adds to the resolve info of every field when it compiles an operation. */
export function enrichInfo(info: Source & { fieldNodes: readonly FieldNode[]; returnType: GraphQLResolveInfo['returnType'] }): {
  lookAhead: FieldTree;
} {
  return { lookAhead: treeOf(info, info.fieldNodes, getNamedType(info.returnType)) };
}

function treeOf(source: Source, nodes: readonly FieldNode[], type: GraphQLNamedType): FieldTree {
  const tree = new FieldTree(type);
  for (const node of nodes) if (node.selectionSet) collect(source, node.selectionSet, tree);
  return tree;
}

// Ignores directives: reading a column that @skip removes costs little, and not reading one that @include adds would be wrong.
// `type` has the fields: the type of the tree, or an interface that every type of it implements.
function collect(source: Source, selectionSet: SelectionSetNode, tree: FieldTree, type: GraphQLNamedType = tree.type): void {
  for (const selection of selectionSet.selections) {
    if (selection.kind === 'Field') {
      collectField(source, selection, tree, type);
      continue;
    }
    const fragment = selection.kind === 'InlineFragment' ? selection : source.fragments[selection.name.value];
    if (!fragment) continue;
    const condition = source.schema.getType(fragment.typeCondition?.name.value ?? type.name) ?? type;
    const part = branch(tree, condition);
    collect(source, fragment.selectionSet, part, isObjectType(part.type) ? part.type : condition);
  }
}

/** The tree of the fields that a fragment on a type selects: the part for that type, or the tree itself where the type has no part. */
function branch(tree: FieldTree, condition: GraphQLNamedType): FieldTree {
  if (condition === tree.type || isObjectType(tree.type) || isAbstractType(condition)) return tree;
  const existing = tree.byType.get(condition.name);
  if (existing) return existing;
  const created = new FieldTree(condition);
  tree.byType.set(condition.name, created);
  return created;
}

function collectField(source: Source, node: FieldNode, tree: FieldTree, parent: GraphQLNamedType): void {
  const name = node.name.value;
  if (name.startsWith('__')) return;
  const field = 'getFields' in parent ? parent.getFields()[name] : undefined;
  if (!field) return;
  let child = tree.fields.get(name);
  if (!child) {
    child = new FieldTree(getNamedType(field.type));
    tree.fields.set(name, child);
  }
  if ('shape' in node) child.shape = (node as JsonNode).shape;
  if ('members' in node) child.members = (node as JsonGroupsNode).members;
  if (node.selectionSet) collect(source, node.selectionSet, child);
}

/** Merges two subtrees of one type, as for `nodes` and `edges { node }` of a connection. */
export function mergeTrees(left: FieldTree | undefined, right: FieldTree | undefined): FieldTree | undefined {
  if (!left || !right) return left ?? right;
  const merged = new FieldTree(left.type, left.fields, left.byType);
  for (const [name, tree] of right.fields) merged.fields.set(name, mergeTrees(merged.fields.get(name), tree)!);
  for (const [name, tree] of right.byType) merged.byType.set(name, mergeTrees(merged.byType.get(name), tree)!);
  return merged;
}
