// The idempotency key that the inputs of a mutation document carry, for clients that cannot set a header.
import { Kind, type OperationDefinitionNode, type SelectionSetNode, type ValueNode } from 'graphql';
import { KEY_FORM } from '../../http/idempotency.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import type { Fragments } from './selected-errors.ts';

const KEY = 'idempotencyKey';

/** The member of an input, given as a literal or in a variable. */
function keyIn(value: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  if (value.kind === Kind.VARIABLE) {
    const input = variables[value.name.value];
    return typeof input === 'object' && input !== null ? (input as Record<string, unknown>)[KEY] : undefined;
  }
  if (value.kind !== Kind.OBJECT) return undefined;
  const member = value.fields.find(({ name }) => name.value === KEY)?.value;
  if (member?.kind === Kind.VARIABLE) return variables[member.name.value];
  return member?.kind === Kind.STRING ? member.value : undefined;
}

function keysOf(set: SelectionSetNode, fragments: Fragments, variables: Readonly<Record<string, unknown>>, keys: Set<unknown>): void {
  for (const node of set.selections) {
    if (node.kind === Kind.FIELD) {
      const input = node.arguments?.find(({ name }) => name.value === 'input')?.value;
      const key = input && keyIn(input, variables);
      if (key != null) keys.add(key);
      continue;
    }
    const inner = (node.kind === Kind.INLINE_FRAGMENT ? node : fragments[node.name.value])?.selectionSet;
    if (inner) keysOf(inner, fragments, variables, keys);
  }
}

/**
 * The key of a document: the one of its header or of its inputs. A document is repeated as a whole, so that it has one key. Anything but text
 * is left to the coercion of the input, which rejects it.
 */
export function keyOfDocument(
  header: string | undefined,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  variables: Readonly<Record<string, unknown>>,
): string | undefined {
  const keys = new Set<unknown>();
  if (header !== undefined) keys.add(header);
  keysOf(operation.selectionSet, fragments, variables, keys);
  if (keys.size > 1) {
    const message = 'a document has one idempotency key, in its header or in the inputs of its mutations';
    throw new GatewayError('INVALID_PARAMS', message, { field: `input.${KEY}` });
  }
  const [key] = keys;
  if (typeof key !== 'string') return undefined;
  if (key !== header && !KEY_FORM.test(key))
    throw invalid(`input.${KEY}`, `input.${KEY} must have 1 to 128 printable ASCII characters`, 'INVALID_FORMAT');
  return key;
}
