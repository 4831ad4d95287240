// What platform mutations have in common: payload types, reading the record back, issues of the input, constraints a write broke.
import type { GraphQLResolveInfo } from 'graphql';
import { Field, ObjectType } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import { tenantOf } from '../../access/context.ts';
import { brokenConstraint } from '../../database/errors.ts';
import { projectionFor, propOf, type Row } from '../../database/reader/projection.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { type GatewayError, inputError, missing } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import type { Checked } from './checked.ts';

/** A payload of one record under the name `member`; with `warnings` where the write may have remarks. */
export function payloadOf(target: RecordClass, operation: string, member: string, options: { warnings?: boolean } = {}): RecordClass {
  const name = `${operation[0]!.toUpperCase()}${operation.slice(1)}Payload`;
  const payload = { [name]: class {} }[name]!;
  Field(() => target as never, { description: 'The record as it is stored now.' })(payload.prototype, member);
  if (options.warnings) Field(() => [String], { description: 'Remarks on input that was accepted.' })(payload.prototype, 'warnings');
  ObjectType(name, { description: `Result of \`${operation}\`.`, simpleResolvers: true })(payload as never);
  return payload;
}

/** The record for the member of a payload, read after the commit; not read at all when nothing of it was selected. */
export async function readBack(
  context: RequestContext,
  info: GraphQLResolveInfo,
  target: RecordClass,
  member: string,
  id: string,
): Promise<Row> {
  const tree = lookAhead(info).fields.get(member);
  if (!tree || tree.fields.size === 0) return { id };
  const model = modelOf(target);
  const row = await context.services.reader.row({
    projection: projectionFor(model, tree),
    tenant: tenantOf(context),
    where: [{ prop: propOf(model, 'id'), operator: 'eq', value: id }],
    includeDeleted: true,
    primary: true,
  });
  return row ?? { id };
}

/** The value of a check, or one error that names every issue. */
export function checkedValue<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw inputError(checked.issues);
}

/** The same for the argument `input`, whose fields the check names without it. */
export const accepted = <T>(checked: Checked<T>): T =>
  checkedValue(checked.ok ? checked : { ok: false, issues: checked.issues.map((issue) => ({ ...issue, field: `input.${issue.field}` })) });

/** Refuses a change that changes nothing. */
export function requireChange(input: object): void {
  if (Object.keys(input).length === 0) throw missing('input', 'at least one field to change is required');
}

/** Runs a write; a unique index it broke becomes the error given for the name of that index. */
export async function withUnique<T>(errors: Record<string, () => GatewayError>, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const known = errors[brokenConstraint(error) ?? ''];
    throw known ? known() : error;
  }
}
