// The columns that a CSV file of a data model may have: the names of its fields in REST bodies.
import type { GraphQLInputObjectType, GraphQLSchema } from 'graphql';
import { namingStrategies } from '../../../graphql/input/input-coercion.ts';
import { GatewayError } from '../../../records/errors.ts';
import { modelOf } from '../../../records/metadata.ts';
import { snakeCase } from '../../../records/naming.ts';
import { fieldsOfPulled, recordOf } from '../../ledger/ledger-record.ts';

/** The columns of a data model, and those that are read and not stored. */
function columnsOf(schema: GraphQLSchema, dataModel: string): { fields: string[]; ignored: string[] } {
  const target = recordOf(dataModel);
  // The members of a list are in its column, as JSON.
  if (!target) return { fields: [...new Set(fieldsOfPulled(dataModel)!.map((name) => name.split('.')[0]!))], ignored: [] };
  const type = schema.getType(`${modelOf(target).name}Input`) as GraphQLInputObjectType;
  const fields = Object.values(type.getFields()).map((field) => namingStrategies.ledger.fieldName(field.name, field));
  return { fields, ignored: (type.extensions.roundTrips ?? []).map(snakeCase) };
}

/** Throws CSV_HEADER_INVALID, with the fields that there are, for columns that a data model does not have. */
export function checkColumns(schema: GraphQLSchema, dataModel: string, columns: readonly string[]): void {
  const { fields, ignored } = columnsOf(schema, dataModel);
  const known = new Set([...fields, ...ignored]);
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
