// Issues of variables that a payload reports: they wait until the mutation that uses the variable runs.

import type { GraphQLResolveInfo } from 'graphql';
import { type FieldNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';
import type { RequestContext } from '../../access/context.ts';
import { Gathering } from '../../records/checked.ts';
import { writtenValue } from '../input/written-arguments.ts';
import { type Fragments, selectsRecordErrors } from './selected-errors.ts';

function variablesIn(value: ValueNode, names = new Set<string>()): Set<string> {
  if (value.kind === Kind.VARIABLE) names.add(value.name.value);
  else if (value.kind === Kind.OBJECT) for (const field of value.fields) variablesIn(field.value, names);
  else if (value.kind === Kind.LIST) for (const item of value.values) variablesIn(item, names);
  return names;
}

const inputOf = (node: FieldNode): ValueNode | undefined => node.arguments?.find(({ name }) => name.value === 'input')?.value;

/**
 * The variables of a mutation whose issues its payloads report: every root field that uses one asks for its errors. Root fields in fragments are
 * not looked at, and their variables are rejected before anything runs.
 */
export function deferrableVariables(operation: OperationDefinitionNode, fragments: Fragments): ReadonlySet<string> {
  const reported = new Set<string>();
  const others = new Set<string>();
  if (operation.operation !== 'mutation') return reported;
  for (const node of operation.selectionSet.selections) {
    if (node.kind !== Kind.FIELD) continue;
    const input = inputOf(node);
    const asks = selectsRecordErrors([node], fragments);
    for (const argument of node.arguments ?? []) variablesIn(argument.value, asks && argument.value === input ? reported : others);
  }
  for (const name of others) reported.delete(name);
  return reported;
}

/** The fragments of a document by name. */
export const fragmentsByName = (definitions: readonly { kind: string }[]): Fragments =>
  Object.fromEntries(
    definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );

/** The issues of the variables in the input of a mutation; undefined where none has any. */
export function issuesOfVariables({ deferred }: RequestContext, { fieldNodes }: GraphQLResolveInfo): Gathering | undefined {
  if (!deferred) return undefined;
  const input = fieldNodes[0] && inputOf(fieldNodes[0]);
  const issues = new Gathering();
  for (const name of input ? variablesIn(writtenValue(input)) : []) issues.addAll(deferred.get(name) ?? { issues: [] });
  return issues.count > 0 ? issues : undefined;
}
