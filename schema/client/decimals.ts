// Amounts as text. They are JSON numbers on the wire, of at most 15 digits; text keeps a client from adding them as binary fractions.
import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import { decimals } from './fields.generated.ts';

/** The digits of a number, without an exponent. */
const digitsOf = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? value.toLocaleString('en-US', { useGrouping: false, maximumSignificantDigits: 15 }) : text;
};

function isDecimal(field: string, type: unknown): boolean {
  const where = decimals[field];
  return where === true || where?.includes(String(type)) === true;
}

/** The data of a response with every Decimal as text. The document selects `__typename`, as caches have it do. */
export function exactDecimals<T>(document: DocumentNode, data: T): T {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);

  const exactOf = (value: unknown, selection: SelectionSetNode | undefined, isAmount: boolean): unknown => {
    if (Array.isArray(value)) return value.map((entry) => exactOf(entry, selection, isAmount));
    if (typeof value === 'number') return isAmount ? digitsOf(value) : value;
    return selection && typeof value === 'object' && value !== null ? recordOf(value as Record<string, unknown>, selection) : value;
  };
  const recordOf = (record: Record<string, unknown>, { selections }: SelectionSetNode): Record<string, unknown> => {
    let shown = record;
    for (const selection of selections) {
      if (selection.kind === 'Field') {
        const key = (selection.alias ?? selection.name).value;
        if (!(key in shown)) continue;
        const value = exactOf(shown[key], selection.selectionSet, isDecimal(selection.name.value, record.__typename));
        if (value !== shown[key]) shown = { ...shown, [key]: value };
      } else {
        const inner = selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value);
        if (inner) shown = recordOf(shown, inner.selectionSet);
      }
    }
    return shown;
  };
  const operation = document.definitions.find((definition) => definition.kind === 'OperationDefinition');
  return operation ? (exactOf(data, operation.selectionSet, false) as T) : data;
}

/** The exact sum of amounts. */
export function sumOf(amounts: Iterable<string>): string {
  let total = 0n;
  let scale = 0;
  for (const amount of amounts) {
    const [whole = '0', fraction = ''] = amount.split('.');
    if (fraction.length > scale) {
      total *= 10n ** BigInt(fraction.length - scale);
      scale = fraction.length;
    }
    total += BigInt(whole + fraction.padEnd(scale, '0'));
  }
  const digits = String(total < 0n ? -total : total).padStart(scale + 1, '0');
  const text = scale > 0 ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits;
  return total < 0n ? `-${text}` : text;
}
