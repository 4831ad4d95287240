// The transaction of operator mutations: runs in the organisation that owns the record, and adds an entry to the audit log.
import type { RequestContext } from '../access/context.ts';
import { transactionFor } from '../access/transaction.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import { systemTransaction } from '../database/transaction.ts';
import { type ErrorCode, GatewayError } from '../records/errors.ts';
import { type OperatorCall, recordOperatorAction } from './audit-log.ts';

/** A kind of record that operators change. */
export interface OperatedKind {
  table: string;
  /** Column of the id that the operator sends. */
  key?: string;
  /** Name of the kind in messages. */
  noun: string;
  unknown: ErrorCode;
}

/** The organisation that owns a record, read across organisations: check a role or a signature before calling this. */
export async function owningOrganisation(
  context: RequestContext,
  { table, key = 'id', noun, unknown }: OperatedKind,
  id: string | number,
): Promise<number> {
  const rows = await systemTransaction(context.services.database, (em) =>
    executeIn<{ organisation_id: string | number }>(em, `select organisation_id from ${table} where ${key} = $1`, [id]),
  );
  if (!rows[0]) throw new GatewayError(unknown, `${noun} ${id} was not found`);
  return Number(rows[0].organisation_id);
}

/** Runs an operator's write in the organisation that owns the record. Also returns that organisation, to read the record back. */
export async function operate<T>(
  context: RequestContext,
  kind: OperatedKind,
  call: OperatorCall,
  work: (em: EntityManager, organisationId: number) => Promise<T>,
): Promise<{ organisationId: number; result: T }> {
  const organisationId = await owningOrganisation(context, kind, call.id);
  return { organisationId, result: await operateFor(context, organisationId, call, work) };
}

/** The same for a known organisation; also for mutations that organisations may call themselves, which are audited alike. */
export function operateFor<T>(
  context: RequestContext,
  organisationId: number,
  call: OperatorCall,
  work: (em: EntityManager, organisationId: number) => Promise<T>,
): Promise<T> {
  return transactionFor(context, organisationId, async (em) => {
    const result = await work(em, organisationId);
    await recordOperatorAction(em, context, organisationId, call);
    return result;
  });
}
