// The query parameters of lists of ledger records: pages, expansions, orders and conditions on columns.
import { type GraphQLNamedType, getNamedType, isInputObjectType } from 'graphql';
import { MAX_OFFSET, MAX_PAGE } from '../../src/graphql/connections.ts';
import { MAX_KEYS } from '../../src/graphql/list-inputs.ts';
import { conditionFields, type LedgerParameters } from '../runtime/ledger-parameters.ts';
import { sortKey } from '../runtime/summary-parameters.ts';
import { Components, type JsonSchema, string } from './json-schema.ts';

export const optional = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema,
  // The values of one parameter are separated by commas.
  ...(schema.type === 'array' ? { explode: false } : {}),
});

/** The columns that a summary sums or compares are those of two parameters each: `sum` and `avg`, `min` and `max`. */
export function withColumns(components: Components, { name: type }: GraphQLNamedType, name: string, schema: JsonSchema): JsonSchema {
  const kinds: Record<string, string> = { sum: 'Sum', avg: 'Sum', min: 'Extreme', max: 'Extreme' };
  const kind = kinds[name];
  if (!kind) return schema;
  return { ...schema, items: components.named(`${type.replace(/Summary$/, '')}${kind}Column`, () => schema.items!) };
}

const listOf = (names: Iterable<string>): JsonSchema => ({ type: 'array', items: { type: 'string', enum: [...names] } });

export function ledgerParameterList(components: Components, parameters: LedgerParameters): JsonSchema[] {
  const flag = { type: 'boolean', default: false };
  const direction = { type: 'string', enum: ['ASC', 'DESC'] };
  const { kind, orders } = parameters;
  const expand = [...parameters.expandable];
  const expansion = [...(expand.length > 0 ? [optional('expand', 'Related records to include.', listOf(expand))] : [])];
  if (kind === 'write') return expansion;
  const select = parameters.selectable.size > 0 ? [optional('select', 'Additional fields.', listOf(parameters.selectable))] : [];
  if (kind === 'feed') return select;
  if (kind === 'summary') return conditionParameters(components, parameters);
  const common = [...expansion, ...select, optional('include_deleted_records', 'Include deleted records.', flag)];
  if (kind === 'one') return common;
  const ordered = [
    ...(orders.size > 0
      ? [
          optional('order_by', 'Sort keys; `-` in front for descending.', {
            type: 'array',
            items: sortKey(orders.keys()),
            minItems: 1,
            maxItems: MAX_KEYS,
          }),
        ]
      : []),
    optional('offset', 'Records to skip; cannot be combined with a cursor.', {
      type: 'integer',
      minimum: 0,
      maximum: MAX_OFFSET,
    }),
    ...(parameters.isCounted ? [optional('exact_count', 'Return an exact count, even for large lists.', flag)] : []),
  ];
  if (kind === 'conditions') return [...ordered, ...conditionParameters(components, parameters)];
  return [
    optional('limit', 'Records per page.', { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE }),
    optional('next', 'Cursor of the next page.', string),
    optional('prev', 'Cursor of the previous page.', string),
    optional('return_count', 'Return the number of matches in `pagination.total_count`.', flag),
    ...common,
    ...ordered,
    ...Array.from(parameters.sorts, (name) =>
      optional(`sort[${name}]`, `Sort by the time of ${name === 'ledger_created_at' ? 'creation' : 'the last change'}.`, direction),
    ),
    ...conditionParameters(components, parameters),
  ];
}

/** One parameter for each column: its operators are the members of an object, as in `status[in]=PAID,VOID`. */
function conditionParameters(components: Components, parameters: LedgerParameters): JsonSchema[] {
  return [...conditionFields(parameters)].flatMap(([name, field]) => {
    const type = getNamedType(field.type);
    const text = field.description ?? '';
    return isInputObjectType(type)
      ? [{ ...optional(name, text, components.conditions(type)), style: 'deepObject', explode: true }]
      : [optional(name, text, { ...string, maxLength: field.extensions.rules?.maxLength })];
  });
}
