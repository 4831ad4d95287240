// The columns that a CSV file of a data model may have: the names of its fields in REST bodies.
import type { GraphQLInputObjectType, GraphQLSchema } from 'graphql';
import { namingStrategies } from '../../../graphql/input/input-coercion.ts';
import { GatewayError } from '../../../records/errors.ts';
import { modelOf } from '../../../records/metadata.ts';
import { snakeCase } from '../../../records/naming.ts';
import { recordOf } from '../../ledger/ledger-record.ts';

/** Throws CSV_HEADER_INVALID, with the fields that there are, for columns that a data model does not have. */
export function checkColumns(schema: GraphQLSchema, dataModel: string, columns: readonly string[]): void {
  const type = schema.getType(`${modelOf(recordOf(dataModel)!).name}Input`) as GraphQLInputObjectType;
  const fields = Object.values(type.getFields()).map((field) => namingStrategies.ledger.fieldName(field.name, field));
  const known = new Set([...fields, ...(type.extensions.roundTrips ?? []).map(snakeCase)]);
  const unknown = columns.filter((column) => !known.has(column) && !column.startsWith('ledger_'));
  if (unknown.length === 0) return;
  const names = unknown
    .map((column) => JSON.stringify(column.slice(0, 60)))
    .join(', ')
    .slice(0, 300);
  throw new GatewayError(
    'CSV_HEADER_INVALID',
    `line 1: ${names} ${unknown.length === 1 ? 'is not a field' : 'are not fields'} of ${dataModel}; its fields are ${fields.join(', ')}`,
    { field: 'file' },
  );
}
