// The table of the requests of organisations.
import type { Principal } from '../access/principal.ts';
import { flag, identifier, integer, ledgerNumber, moment, record, text } from '../records/decorators.ts';

/** Most requests of a row, which takes a millisecond to parse. */
export const MAX_OF_PART = 1_000;

/** Many requests in one row: a row for each cost PostgreSQL more than a small request does. */
@record({
  description: 'Requests of an organisation that ended within one second, as one process served them.',
  scope: 'organisation',
  key: 'id',
  prefix: 'reqpart',
  primaryKey: ['id'],
  indexes: [
    { name: 'request_part_organisation', columns: 'organisation_id, second, id' },
    { name: 'request_part_second', columns: 'second' },
  ],
  internal: true,
})
export class RequestPart {
  @identifier('Identifier.', { required: true }) id!: string;
  @ledgerNumber('Organisation of the callers.', { required: true }) organisationId!: number;
  @moment('The second in which they ended.', { required: true }) second!: Date;
  @integer('How many they are.', { required: true }) size!: number;
  @flag('Whether one of them used a deprecated field.', { required: true }) usesDeprecated!: boolean;
  @text('The requests in the order in which they ended, as a JSON list of `KeptRequest`.', { required: true }) requests!: string;
}

/** A request as it is stored. */
export type KeptRequest = [
  at: number,
  requestId: string,
  operation: string | null,
  status: number,
  errorCode: string | null,
  actorKind: Principal['kind'],
  actorId: string,
  milliseconds: number,
  deprecatedFields: readonly string[],
];
