// What a GraphQL operation may ask for: depth, aliases, root fields, directives, and a cost in which list sizes multiply. Worked out once per operation.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { GatewayError } from './errors.ts';

/** The limits in force; `/limits` publishes them. */
export const operationLimits = {
  tokens: 2_000,
  depth: 10,
  aliases: 30,
  rootFields: 20,
  directives: 10,
  selections: 20_000,
  cost: 20_000,
  bodyMegabytes: 1,
} as const;

/** The cost of an operation for given variables: every object costs 1, multiplied by the sizes of the lists around it. */
export type CostFunction = (variables: Record<string, unknown>) => number;

interface Tally {
  aliases: number;
  /** Selections, those of a fragment at every place it is spread: fragments that spread each other twice double at each step. */
  selections: number;
  directives: number;
}

interface Scan {
  schema: GraphQLSchema;
  fragments: Map<string, FragmentDefinitionNode>;
  tally: Tally;
}

const tooComplex = (what: string, limit: number): GatewayError =>
  new GatewayError('QUERY_TOO_COMPLEX', `the operation has more than ${limit} ${what}`);

/** Refuses an operation over a fixed limit, and returns its cost function. */
export function checkOperation(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): CostFunction {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === 'FragmentDefinition')
      .map((node) => [node.name.value, node]),
  );
  const scan: Scan = { schema, fragments, tally: { aliases: 0, selections: 0, directives: operation.directives?.length ?? 0 } };
  const root = schema.getRootType(operation.operation);
  if (!root) throw new GatewayError('INVALID_PARAMS', `the schema has no ${operation.operation}`, { field: 'query' });
  if (operation.selectionSet.selections.length > operationLimits.rootFields) throw tooComplex('root fields', operationLimits.rootFields);
  return costOfSelection(scan, operation.selectionSet, root, 1);
}

/** Lists without a size argument, unless the field's extension `size` says more: a record rarely owns more than this many children. */
const ASSUMED_LIST = 10;

function costOfSelection(scan: Scan, selectionSet: SelectionSetNode, type: GraphQLNamedType, depth: number): CostFunction {
  if (depth > operationLimits.depth) throw tooComplex('levels', operationLimits.depth);
  const parts: CostFunction[] = [];
  countRepeats(scan, selectionSet);
  scan.tally.selections += selectionSet.selections.length;
  if (scan.tally.selections > operationLimits.selections) throw tooComplex('selections', operationLimits.selections);
  for (const selection of selectionSet.selections) {
    scan.tally.directives += selection.directives?.length ?? 0;
    if (scan.tally.directives > operationLimits.directives) throw tooComplex('directives', operationLimits.directives);
    if (selection.kind === 'Field') {
      const cost = costOfField(scan, selection, type, depth);
      if (cost) parts.push(cost);
      continue;
    }
    const fragment = selection.kind === 'InlineFragment' ? selection : scan.fragments.get(selection.name.value);
    const condition = fragment?.typeCondition ? scan.schema.getType(fragment.typeCondition.name.value) : type;
    // Fragments cannot form cycles: validation has refused those before.
    if (fragment && condition) parts.push(costOfSelection(scan, fragment.selectionSet, condition, depth));
  }
  return (variables) => parts.reduce((sum, part) => sum + part(variables), 0);
}

/** Only aliases that select one field several times make an operation dearer; those that merely rename, as REST rows do, are free. */
function countRepeats(scan: Scan, selectionSet: SelectionSetNode): void {
  const fields = selectionSet.selections.filter((selection): selection is FieldNode => selection.kind === 'Field');
  const counts = new Map<string, number>();
  for (const field of fields) counts.set(field.name.value, (counts.get(field.name.value) ?? 0) + 1);
  for (const field of fields) if (field.alias && counts.get(field.name.value)! > 1) scan.tally.aliases++;
  if (scan.tally.aliases > operationLimits.aliases) throw tooComplex('aliases of repeated fields', operationLimits.aliases);
}

function costOfField(scan: Scan, node: FieldNode, type: GraphQLNamedType, depth: number): CostFunction | undefined {
  if (!node.selectionSet) return undefined;
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
  // Introspection is bounded by depth and tokens alone.
  if (!field) return undefined;
  const named = getNamedType(field.type);
  // `nodes`, `edges` and `node` repeat the size their connection was priced with.
  const passes = isObjectType(type) && /(Connection|Edge)$/.test(type.name);
  const children = costOfSelection(scan, node.selectionSet, named, depth + (passes ? 0 : 1));
  const size = sizeOf(node);
  const isConnection = isObjectType(named) && named.name.endsWith('Connection');
  const isList = isListType(getNullableType(field.type));
  if (passes) return (variables) => 1 + children(variables);
  const length = isList ? ((field.extensions.size as number | undefined) ?? ASSUMED_LIST) : 1;
  return (variables) => (isConnection ? size(variables) : length) * (1 + children(variables));
}

/** Size of a page by its `first` or `last`, literal or variable; the largest default when neither is given. */
function sizeOf(node: FieldNode): (variables: Record<string, unknown>) => number {
  const given = node.arguments?.filter((argument) => argument.name.value === 'first' || argument.name.value === 'last') ?? [];
  if (given.length === 0) return () => 100;
  return (variables) => Math.max(...given.map((argument) => numberOf(argument.value, variables)));
}

function numberOf(value: ValueNode, variables: Record<string, unknown>): number {
  const raw =
    value.kind === 'IntValue' ? Number(value.value) : value.kind === 'Variable' ? Number(variables[value.name.value] ?? 100) : 100;
  return Number.isFinite(raw) ? Math.max(raw, 1) : 100;
}

/** Refuses an operation whose cost for these variables is over the limit. */
export function checkCost(cost: CostFunction, variables: Record<string, unknown>): void {
  const value = cost(variables);
  if (value > operationLimits.cost)
    throw new GatewayError(
      'QUERY_TOO_COMPLEX',
      `the operation costs ${value}, more than ${operationLimits.cost}; ask for shorter pages or fewer levels`,
    );
}
