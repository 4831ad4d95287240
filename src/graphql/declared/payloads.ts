// Mutations that write one record: their payload types, and the record read back after the commit.
import type { GraphQLResolveInfo } from 'graphql';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import type { Where } from '../../database/reader/conditions.ts';
import { projectionFor, type Row } from '../../database/reader/projection.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { lookAhead } from '../look-ahead.ts';
import { bulkForm } from './bulk-forms.ts';
import { type Declare, type FieldOptions, mutation } from './fields.ts';
import { capitalised, objectType, warningsMember } from './object-type.ts';

/** The record that a mutation wrote, and remarks on input that was accepted. */
export interface Written<Key extends string | number = string | number> {
  id: Key;
  warnings?: readonly string[];
  /** The organisation that owns the record, where it is not the caller's. */
  organisationId?: number;
}

interface RecordMutation extends Pick<FieldOptions, 'roles'> {
  /** Name of the record in the payload; the name of its type when absent. */
  member?: string;
  /** What the payload says of the record. */
  stored?: string;
  /** Whether the write may have remarks, which the payload has then. */
  warnings?: boolean;
  /** The payload type, where several mutations share one. */
  payload?: RecordClass;
  /** Name of the mutation that does the same for many records. */
  bulk?: string;
}

const payloadOf = (target: RecordClass, operation: string, member: string, stored = 'The stored record.', warnings = false): RecordClass =>
  objectType(`${capitalised(operation)}Payload`, `Result of \`${operation}\`.`, {
    [member]: { type: () => target, description: stored },
    ...(warnings ? { warnings: warningsMember } : {}),
  });

const memberOf = ({ name }: RecordClass): string => name[0]!.toLowerCase() + name.slice(1);

/** A mutation that writes one record and returns it. */
export function recordMutation(
  record: RecordClass,
  { member = memberOf(record), stored, warnings, payload, bulk, roles }: RecordMutation,
): Declare<Promise<Written>> {
  const declare = mutation((operation) => payload ?? payloadOf(record, operation, member, stored, warnings), { roles });
  return (description, args, write) => (prototype, name) => {
    declare(description, args, async (given, call) => {
      const written = await write(given, call, name);
      const shown = { [member]: await readBack(call.context, call.info, record, member, written) };
      return warnings ? { ...shown, warnings: written.warnings ?? [] } : shown;
    })(prototype, name);
    if (bulk) bulkForm({ single: name, record, member, many: `${member}s`, warnings }, roles, description)(prototype, bulk);
  };
}

/** Reads the record of a payload after the commit, unless the query selects none of its fields. */
export async function readBack(
  context: RequestContext,
  info: GraphQLResolveInfo,
  target: RecordClass,
  member: string,
  { id, organisationId }: Written,
): Promise<Row> {
  const model = modelOf(target);
  const key = { [model.key]: id };
  const tree = lookAhead(info).fields.get(member);
  if (!tree || tree.fields.size === 0) return key;
  const scope = { ...scopeOf(context, organisationId), includeDeleted: true };
  const [row] = await context.services.reader.findRows(projectionFor(model, tree), { where: key as Where<object>, limit: 1 }, scope);
  return row ?? key;
}
