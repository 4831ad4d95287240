// The transaction of operator mutations: runs in the organisation that owns the record, and writes to the audit log which record and why.
import { auditRecords } from '../access/audit.ts';
import type { RequestContext } from '../access/context.ts';
import { transactionFor } from '../access/transaction.ts';
import type { EntityManager } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { optional } from '../graphql/declared/fields.ts';
import { storedGlobalId } from '../records/ids.ts';
import { modelOf, type RecordClass } from '../records/metadata.ts';
import { notFound } from '../records/not-found.ts';

/** What an operator says of a call: the record it changes, and why. */
export interface OperatorCall {
  id: string | number;
  /** The argument with the id; `id` when absent. */
  field?: string;
  reason?: string | null;
}

/** The argument `reason` of operator mutations. */
export const reason = optional<string>(() => String, 'Reason, stored in the audit log.');

/** A record that an organisation owns. */
interface Owned {
  organisationId: number;
}

/** The organisation that owns a record, read across organisations: check a role or a signature before calling this. */
export async function owningOrganisation(
  context: RequestContext,
  record: RecordClass<Owned>,
  id: string | number,
  field = 'id',
): Promise<number> {
  const found = await systemTransaction(context.services.database, (em) =>
    em.findOne(record, { [modelOf(record).key]: id }, { fields: ['organisationId'], filters: { tenant: false } }),
  );
  if (!found) throw notFound(record, id, field);
  return found.organisationId;
}

/** Runs an operator's write in the organisation that owns the record. Also returns that organisation, to read the record back. */
export async function operate<T>(
  context: RequestContext,
  record: RecordClass<Owned>,
  call: OperatorCall,
  work: (em: EntityManager, organisationId: number) => Promise<T>,
): Promise<{ organisationId: number; result: T }> {
  const organisationId = await owningOrganisation(context, record, call.id, call.field);
  const named = { id: storedGlobalId(modelOf(record), call.id), reason: call.reason ?? null };
  return { organisationId, result: await operateFor(context, organisationId, named, work) };
}

/**
 * The same for a known organisation, and for the global id of a record that is known in advance. Mutations that organisations may call themselves use
 * it too.
 */
export function operateFor<T>(
  context: RequestContext,
  organisationId: number,
  { id, reason }: { id?: string; reason: string | null },
  work: (em: EntityManager, organisationId: number) => Promise<T>,
): Promise<T> {
  return transactionFor(context, organisationId, (em) => {
    auditRecords(em, id === undefined ? [] : [{ id }], reason);
    return work(em, organisationId);
  });
}
