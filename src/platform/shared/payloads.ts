// What platform mutations share: payload types, reading the record back, errors of inputs and of broken constraints.
import type { GraphQLResolveInfo } from 'graphql';
import { Field, ObjectType } from 'type-graphql';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { brokenConstraint } from '../../database/errors.ts';
import { projectionFor, type Row } from '../../database/reader/projection.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { accept, type Checked } from '../../records/checked.ts';
import { type GatewayError, inputError, missing } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';

/** A payload type with one record in the field `member`, and a field `warnings` where the write may have remarks. */
export function payloadOf(target: RecordClass, operation: string, member: string, options: { warnings?: boolean } = {}): RecordClass {
  const name = `${operation[0]!.toUpperCase()}${operation.slice(1)}Payload`;
  const payload = { [name]: class {} }[name]!;
  Field(() => target, { description: 'The stored record.' })(payload.prototype, member);
  if (options.warnings) Field(() => [String], { description: 'Warnings about accepted input.' })(payload.prototype, 'warnings');
  ObjectType(name, { description: `Result of \`${operation}\`.`, simpleResolvers: true })(payload);
  return payload;
}

/** Reads the record of a payload after the commit, unless the query selects none of its fields. */
export async function readBack(
  context: RequestContext,
  info: GraphQLResolveInfo,
  target: RecordClass,
  member: string,
  id: string,
): Promise<Row> {
  const tree = lookAhead(info).fields.get(member);
  if (!tree || tree.fields.size === 0) return { id };
  const scope = { ...scopeOf(context), includeDeleted: true };
  const [row] = await context.services.reader.findRows(projectionFor(modelOf(target), tree), { where: { id }, limit: 1 }, scope);
  return row ?? { id };
}

/** The value of a check, or one error that names every issue. */
export function checkedValue<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw inputError(checked);
}

/** The same for a check of the argument `input`: the fields of its issues get the prefix `input.`. */
export const accepted = <T>(checked: Checked<T>): T => accept(checked, 'input.');

/** The value of such a check, and the remarks on it. */
export const acceptedWithWarnings = <T>(checked: Checked<T>): { value: T; warnings: readonly string[] } => ({
  value: accepted(checked),
  warnings: checked.ok ? (checked.warnings ?? []) : [],
});

/** What a write returns: the id of the record, and remarks on input that was accepted. */
export interface Written {
  id: string;
  warnings: readonly string[];
}

/** Refuses a change that changes nothing. */
export function requireChange(input: object): void {
  if (Object.keys(input).length === 0) throw missing('input', 'at least one field to change is required');
}

/** Runs a write. When it violates a unique index, throws the error given for the name of that index. */
export async function withUnique<T>(errors: Record<string, () => GatewayError>, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const known = errors[brokenConstraint(error) ?? ''];
    throw known ? known() : error;
  }
}
