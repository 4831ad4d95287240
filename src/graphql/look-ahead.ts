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
import type { FieldTree } from '../database/reader/field-tree.ts';
import type { JsonNode } from './json-lists.ts';

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

/** The members that graphql-jit adds to the resolve info of every field when it compiles an operation. */
export function enrichInfo(info: Source & { fieldNodes: readonly FieldNode[]; returnType: GraphQLResolveInfo['returnType'] }): {
  lookAhead: FieldTree;
} {
  return { lookAhead: treeOf(info, info.fieldNodes, getNamedType(info.returnType)) };
}

function treeOf(source: Source, nodes: readonly FieldNode[], type: GraphQLNamedType): FieldTree {
  const tree: FieldTree = { type, fields: new Map(), byType: new Map() };
  for (const node of nodes) if (node.selectionSet) collect(source, node.selectionSet, tree);
  return tree;
}

// Ignores directives: reading a column that @skip removes costs little, and not reading one that @include adds would be wrong.
function collect(source: Source, selectionSet: SelectionSetNode, tree: FieldTree): void {
  for (const selection of selectionSet.selections) {
    if (selection.kind === 'Field') {
      collectField(source, selection, tree);
      continue;
    }
    const fragment = selection.kind === 'InlineFragment' ? selection : source.fragments[selection.name.value];
    if (!fragment) continue;
    const condition = fragment.typeCondition?.name.value ?? tree.type.name;
    collect(source, fragment.selectionSet, branch(source, tree, condition));
  }
}

function branch(source: Source, tree: FieldTree, condition: string): FieldTree {
  if (condition === tree.type.name || isObjectType(tree.type)) return tree;
  const type = source.schema.getType(condition);
  if (!type || isAbstractType(type)) return tree;
  const existing = tree.byType.get(condition);
  if (existing) return existing;
  const created: FieldTree = { type, fields: new Map(), byType: new Map() };
  tree.byType.set(condition, created);
  return created;
}

function collectField(source: Source, node: FieldNode, tree: FieldTree): void {
  const name = node.name.value;
  if (name.startsWith('__')) return;
  const type = tree.type as { getFields?: () => Record<string, { type: GraphQLResolveInfo['returnType'] }> };
  const field = type.getFields?.()[name];
  if (!field) return;
  let child = tree.fields.get(name);
  if (!child) {
    child = { type: getNamedType(field.type), fields: new Map(), byType: new Map() };
    tree.fields.set(name, child);
  }
  if ('shape' in node) child.shape = (node as JsonNode).shape;
  if (node.selectionSet) collect(source, node.selectionSet, child);
}

/** Merges two subtrees of one type, as for `nodes` and `edges { node }` of a connection. */
export function mergeTrees(left: FieldTree | undefined, right: FieldTree | undefined): FieldTree | undefined {
  if (!left || !right) return left ?? right;
  const merged: FieldTree = { type: left.type, fields: new Map(left.fields), byType: new Map(left.byType) };
  for (const [name, tree] of right.fields) merged.fields.set(name, mergeTrees(merged.fields.get(name), tree)!);
  for (const [name, tree] of right.byType) merged.byType.set(name, mergeTrees(merged.byType.get(name), tree)!);
  return merged;
}
