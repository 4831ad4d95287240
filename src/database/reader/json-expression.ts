// A record as one JSON value in SQL, for code inside a transaction. The values equal those that the reader returns.
import { type Column, type Model, type Prop, propOf } from '../../records/metadata.ts';

/** A moment as text in the form of the input coercer, so that hashes of stored and given values are equal. */
export const jsonMoment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', case when date_trunc('milliseconds', ${column}) = ${column} then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end)`;

/** Properties of a record as one JSON object, which has the type `StoredRecord`; all of them unless some are named. */
export function jsonOfRow<T extends object>(model: Model<T>, names?: readonly Column<T>[]): string {
  const member = ({ name, kind, column }: Prop): string => `'${name}', ${kind === 'moment' ? jsonMoment(column) : column}`;
  const members = (names ? names.map((name) => propOf(model, name)) : [...model.props.values()]).map(member);
  // json_build_object takes at most 100 arguments, so long records are built in two halves.
  const half = Math.ceil(members.length / 2);
  return `jsonb_build_object(${members.slice(0, half).join(', ')}) || jsonb_build_object(${members.slice(half).join(', ')})`;
}
