// A record as one JSON value of a statement, for code that works inside a transaction: the values are those the reader gives.
import type { Model, Prop } from '../../records/metadata.ts';

/** A timestamp in the form the input coercer gives, so that hashes of stored and given values agree. */
const wireMoment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', case when date_trunc('milliseconds', ${column}) = ${column} then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end)`;

/** A whole record as one JSON object by property name. */
export function jsonOfRow(model: Model): string {
  const member = ({ name, kind, column }: Prop): string => `'${name}', ${kind === 'moment' ? wireMoment(column) : column}`;
  const members = [...model.props.values()].map(member);
  // json_build_object takes at most 100 arguments, so long records are built in two halves.
  const half = Math.ceil(members.length / 2);
  return `jsonb_build_object(${members.slice(0, half).join(', ')}) || jsonb_build_object(${members.slice(half).join(', ')})`;
}
