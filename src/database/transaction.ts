// Write transactions: one fork of the entity manager each, bound to an organisation by filter, row-level security and role.
import { IsolationLevel } from '@mikro-orm/postgresql';
import { APPLICATION_ROLE, ORGANISATION_SETTING } from '../records/tenancy.ts';
import { retryable } from './errors.ts';
import type { Database, EntityManager } from './open.ts';

/** Most attempts of a transaction that lost against another one (deadlock, serialisation); a lost attempt stores nothing. */
const ATTEMPTS = 4;

function withRetries<T>(database: Database, run: () => Promise<T>): Promise<T> {
  database.ensureRoom();
  return database.holdOpen(async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        if (attempt === ATTEMPTS || !retryable(error)) throw error;
      }
    }
  });
}

/** Runs a write of one organisation, under its row-level security. Everything it stores commits together; no outbound call may happen inside. */
export function organisationTransaction<T>(
  database: Database,
  organisationId: number,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  return withRetries(database, async () => {
    // Without a promise where nothing has to be told, as nearly always.
    const announced = database.consistency.announceWrite(organisationId);
    if (announced) await announced;
    const em = database.orm.em.fork();
    em.setFilterParams('tenant', { organisationId });
    // `set_config('role', …)` is SET LOCAL ROLE; as a setting it shares one statement with the organisation.
    const variables = {
      ...database.transactionVariables,
      [ORGANISATION_SETTING]: String(organisationId),
      ...(database.rowSecurity ? { role: APPLICATION_ROLE } : {}),
    };
    return em.transactional((inner) => work(inner), {
      sessionContext: { variables },
      isolationLevel: IsolationLevel.READ_COMMITTED,
    });
  });
}

/** Runs a write that belongs to no single organisation (keys, content, schedules). Row-level security does not apply to it. */
export function systemTransaction<T>(database: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return withRetries(database, () =>
    database.orm.em.fork().transactional((inner) => work(inner), { sessionContext: { variables: database.transactionVariables } }),
  );
}
