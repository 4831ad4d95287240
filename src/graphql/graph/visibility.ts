// Who may read records that another record leads to: the same callers who may read them by their global id.
import { authorise } from '../../access/authorise.ts';
import { type ReadScope, type RequestContext, scopeOf } from '../../access/context.ts';
import type { Model } from '../../records/metadata.ts';

const isOperator = ({ principal }: RequestContext): boolean => principal?.roles.has('ADMIN') === true;

/** The organisation of records that are read with a record: that of the record for operators, who see every organisation; otherwise the caller's. */
export const organisationBeside = (context: RequestContext, row: { organisationId?: number }): number | undefined =>
  isOperator(context) ? row.organisationId : undefined;

/** The rows that may be read with a record. */
export const scopeBeside = (context: RequestContext, row: { organisationId?: number }): ReadScope =>
  scopeOf(context, organisationBeside(context, row));

/**
 * Throws FORBIDDEN unless the caller may read records of a type. Operators may read those that belong to a record that an operation of theirs
 * returned.
 */
export function authoriseRead(context: RequestContext, { name, node }: Model): void {
  if (!node) throw new Error(`${name} does not say who may read it`);
  if (!isOperator(context)) authorise(context, node.roles);
}
