// The savepoint that lets a transaction take back the entries of a job and write others.
import { type EntityManager, executeIn } from './open.ts';

const commands = {
  set: 'savepoint entries',
  'rollback to': 'rollback to savepoint entries',
  release: 'release savepoint entries',
};

/** Sets, returns to or ends the savepoint; savepoints may nest. Everything written before must be flushed. */
export async function savepoint(em: EntityManager, command: keyof typeof commands): Promise<void> {
  await executeIn(em, commands[command]);
}
