// Write transactions: one fork of the entity manager, bound to the caller's organisation by filter, by row-level security and by role.
import { IsolationLevel } from '@mikro-orm/postgresql';
import type { RequestContext } from './context.ts';
import { tenantOf } from './context.ts';
import type { Database, EntityManager } from './database.ts';
import { mendable } from './database-faults.ts';
import { APPLICATION_ROLE, ORGANISATION_SETTING } from './tenancy.ts';

/** Attempts of a transaction that lost against another one (deadlock, serialisation); nothing of a lost attempt is stored. */
const ATTEMPTS = 4;

async function attempt<T>(database: Database, run: () => Promise<T>): Promise<T> {
  database.ensureRoom();
  for (let turn = 1; ; turn++) {
    try {
      return await run();
    } catch (error) {
      if (turn === ATTEMPTS || !mendable(error)) throw error;
    }
  }
}

/** Runs a write of the caller's organisation. Everything it stores commits together; no outbound call may happen inside. */
export const transaction = <T>(context: RequestContext, work: (em: EntityManager) => Promise<T>): Promise<T> =>
  transactionFor(context, tenantOf(context).organisationId, work);

/** The same for an organisation that need not be the caller's; the caller must have been allowed that. */
export function transactionFor<T>(context: RequestContext, organisationId: number, work: (em: EntityManager) => Promise<T>): Promise<T> {
  context.primary = true;
  const { writing } = context;
  if (!writing) return organisationTransaction(context.services.database, organisationId, work);
  return organisationTransaction(context.services.database, organisationId, async (em) => {
    await writing(em);
    return work(em);
  });
}

/** The same for a task that works for an organisation without a request. */
export function organisationTransaction<T>(
  database: Database,
  organisationId: number,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  return attempt(database, () => {
    const em = database.orm.em.fork();
    em.setFilterParams('tenant', { organisationId });
    // `set_config('role', …)` is SET LOCAL ROLE; as a setting it rides in the same statement as the organisation.
    const variables = { [ORGANISATION_SETTING]: String(organisationId), ...(database.rowSecurity ? { role: APPLICATION_ROLE } : {}) };
    return em.transactional((inner) => work(inner as EntityManager), {
      sessionContext: { variables },
      isolationLevel: IsolationLevel.READ_COMMITTED,
    } as never);
  });
}

/** Runs a write that belongs to no single organisation (keys, content, sweeps). Row-level security does not bind it. */
export function systemTransaction<T>(database: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return attempt(database, () => database.orm.em.fork().transactional((inner) => work(inner as EntityManager)));
}
