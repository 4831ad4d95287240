// What transactions send besides their work: what they begin with, and the savepoint that takes back the entries of a job.
import { engineOf, type Settings } from './engine/engine.ts';
import { type EntityManager, executeIn } from './open.ts';
import { registration } from './settled.statements.ts';

/** Begins a transaction that writes. */
export async function beginWrite(em: EntityManager): Promise<void> {
  for (const statement of engineOf(em).begin) await executeIn(em, statement);
}

/** Begins a transaction that writes for an organisation: makes its settings and registers it as one that takes stamps. */
export async function beginOrganisation(em: EntityManager, organisationId: number, settings: Settings): Promise<void> {
  await beginWrite(em);
  const { own, statements } = engineOf(em).settings(settings);
  const variables = Object.entries(own);
  await executeIn(em, registration(variables.length), [organisationId, ...variables.flat()]);
  for (const statement of statements) await executeIn(em, statement);
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
