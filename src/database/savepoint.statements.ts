// What transactions send besides their work: what they begin with, and the savepoint that takes back the entries of a job.
import { APPLICATION_ROLE, ORGANISATION_SETTING } from '../records/tenancy.ts';
import { type EntityManager, executeIn } from './open.ts';
import { COMMIT_MARK } from './placement/steps.ts';
import { registration } from './settled.statements.ts';

/** Sets variables for a transaction that writes for an organisation, and registers it as one that takes stamps. */
export async function beginStamps(em: EntityManager, organisationId: number, variables: Readonly<Record<string, string>>): Promise<void> {
  const settings = Object.entries(variables);
  await executeIn(em, registration(settings.length), [organisationId, ...settings.flat()]);
}

/**
 * Has the transaction commit in two phases. With rows at one worker and others only at the coordinator, the worker would commit first. A crash before
 * the commit of the coordinator then lost the rows of the coordinator. A change of a table that Citus manages on the coordinator prepares the worker
 * instead; this one changes no row.
 */
export const commitInTwoPhases = (em: EntityManager): Promise<unknown> => executeIn(em, `delete from ${COMMIT_MARK} where name = ''`);

/** Limits the transaction to the rows of an organisation. The workers, whose row-level security needs it too, receive `set local` but not `set_config`. */
export async function enterOrganisation(em: EntityManager, organisationId: number, rowSecurity: boolean): Promise<void> {
  const settings = [`${ORGANISATION_SETTING} = '${organisationId}'`, ...(rowSecurity ? [`role ${APPLICATION_ROLE}`] : [])];
  for (const setting of settings) await executeIn(em, `set local ${setting}`);
}

const commands = {
  set: 'savepoint entries',
  'rollback to': 'rollback to savepoint entries',
  release: 'release savepoint entries',
};

/** Sets, returns to or ends the savepoint; savepoints may nest. Everything written before must be flushed. */
export async function savepoint(em: EntityManager, command: keyof typeof commands): Promise<void> {
  await executeIn(em, commands[command]);
}
