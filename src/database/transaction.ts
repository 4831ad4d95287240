// Write transactions: one fork of the entity manager each, bound to an organisation by filter, row-level security and role.
import { IsolationLevel } from '@mikro-orm/postgresql';
import { APPLICATION_ROLE, ORGANISATION_SETTING } from '../records/tenancy.ts';
import { currentOwner, workOf } from '../runtime/statement-count.ts';
import { retryable } from './errors.ts';
import type { Database, EntityManager } from './open.ts';
import { beginOrganisation, beginWrite } from './savepoint.statements.ts';

/** A transaction sees what others have committed, whatever the database has set: locks and retries are written for this level. */
const isolationLevel = IsolationLevel.READ_COMMITTED;

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

/**
 * Runs a write of one organisation, under its row-level security, once there is a connection for it. Everything it stores commits together; no
 * outbound call may happen inside, and no read that takes a turn of its own.
 */
export async function organisationTransaction<T>(
  database: Database,
  organisationId: number,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const end = await database.turns.take(currentOwner() ?? workOf(organisationId));
  try {
    return await inOrganisation(database, organisationId, work);
  } finally {
    end();
  }
}

function inOrganisation<T>(database: Database, organisationId: number, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return withRetries(database, async () => {
    // Without a promise where nothing has to be announced, which is nearly always.
    const announced = database.consistency.announceWrite(organisationId);
    if (announced) await announced;
    const em = database.orm.em.fork();
    em.setFilterParams('tenant', { organisationId });
    // `set_config('role', …)` is SET LOCAL ROLE; as a setting it shares one statement with the others.
    const variables = {
      ...database.transactionVariables,
      [ORGANISATION_SETTING]: String(organisationId),
      ...(database.rowSecurity ? { role: APPLICATION_ROLE } : {}),
    };
    const begin = async (inner: EntityManager): Promise<T> => {
      await beginOrganisation(inner, organisationId, variables);
      return work(inner);
    };
    return em.transactional(begin, { isolationLevel });
  });
}

/** Runs a write that belongs to no single organisation (keys, content, schedules). Row-level security does not apply to it. */
export function systemTransaction<T>(database: Database, work: (em: EntityManager) => Promise<T>): Promise<T> {
  return withRetries(database, () => {
    const em = database.orm.em.fork();
    const begin = (inner: EntityManager): Promise<T> => beginWrite(inner).then(() => work(inner));
    return em.transactional(begin, {
      sessionContext: { variables: database.transactionVariables },
      isolationLevel,
    });
  });
}
