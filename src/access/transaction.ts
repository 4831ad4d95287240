// The write transactions of a request, bound to an organisation and entered in the audit log; afterwards the request reads from the primary.
import type { EntityManager } from '../database/open.ts';
import { organisationTransaction } from '../database/transaction.ts';
import { audit } from './audit.ts';
import { type RequestContext, tenantOf } from './context.ts';

/** Runs a write of the caller's organisation. Everything it stores commits together; no outbound call may happen inside. */
export const transaction = <T>(context: RequestContext, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  transactionFor(context, tenantOf(context).organisationId, work);

/** The same for an organisation other than the caller's; check before that the caller may write there. */
export function transactionFor<T>(context: RequestContext, organisationId: number, work: (em: EntityManager) => Promise<T>): Promise<T> {
  context.primary = true;
  const { writing, committing, joining } = context;
  const whole = async (em: EntityManager): Promise<T> => {
    await writing?.(em);
    const result = await work(em);
    committing?.();
    return result;
  };
  // The transaction that others share has one entry, which is begun with it.
  if (joining) return joining(organisationId, whole);
  return organisationTransaction(context.services.database, organisationId, (em) => {
    audit(em, context, organisationId);
    return whole(em);
  });
}
