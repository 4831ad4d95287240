// The write transactions of a request, bound to the caller's organisation; afterwards the request reads from the primary.
import type { EntityManager } from '../database/open.ts';
import { organisationTransaction } from '../database/transaction.ts';
import { type RequestContext, tenantOf } from './context.ts';

/** Runs a write of the caller's organisation. Everything it stores commits together; no outbound call may happen inside. */
export const transaction = <T>(context: RequestContext, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  transactionFor(context, tenantOf(context).organisationId, work);

/** The same for an organisation other than the caller's; check before that the caller may write there. */
export function transactionFor<T>(context: RequestContext, organisationId: number, work: (em: EntityManager) => Promise<T>): Promise<T> {
  context.primary = true;
  const { writing } = context;
  if (!writing) return organisationTransaction(context.services.database, organisationId, work);
  return organisationTransaction(context.services.database, organisationId, async (em) => {
    await writing(em);
    return work(em);
  });
}
