// The error for an id that names no record the caller may see. The code and the noun come from the record.
import { GatewayError } from './errors.ts';
import { modelOf, type RecordClass } from './metadata.ts';
import { snakeCase } from './naming.ts';

/** The name of a record type in messages: `import job`. */
export const nounOf = (record: RecordClass): string => snakeCase(record.name).replaceAll('_', ' ');

/**
 * The error of a record that does not exist or belongs to another organisation: the two are not distinguished. `field` is the argument with the id.
 * The message repeats only numbers; a text may be anything.
 */
export function notFound(record: RecordClass, id: string | number, field: string): GatewayError {
  const { notFound: code } = modelOf(record);
  const message = typeof id === 'number' ? `${nounOf(record)} ${id} was not found` : `no such ${nounOf(record)}`;
  return new GatewayError(code, message, { field, issues: [{ field, code: 'NOT_FOUND', message }] });
}
