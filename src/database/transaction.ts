// Write transactions: one fork of the entity manager, bound to an organisation by filter, by row-level security and by role.
import { IsolationLevel } from '@mikro-orm/postgresql';
import { APPLICATION_ROLE, ORGANISATION_SETTING } from '../records/tenancy.ts';
import { retryable } from './errors.ts';
import type { Database, EntityManager } from './open.ts';

/** Attempts of a transaction that lost against another one (deadlock, serialisation); nothing of a lost attempt is stored. */
const ATTEMPTS = 4;

async function attempt<T>(database: Database, run: () => Promise<T>): Promise<T> {
  database.ensureRoom();
  for (let turn = 1; ; turn++) {
    try {
      return await run();
    } catch (error) {
      if (turn === ATTEMPTS || !retryable(error)) throw error;
    }
  }
}

/** Runs a write of one organisation, under its row-level security. Everything it stores commits together; no outbound call may happen inside. */
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

/** Runs a write that belongs to no single organisation (keys, content, schedules). Row-level security does not bind it. */
export function systemTransaction<T>(database: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return attempt(database, () => database.orm.em.fork().transactional((inner) => work(inner as EntityManager)));
}
