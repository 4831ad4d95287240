// Asks the run for what it makes once (`template.ts`); the first test that asks waits for it.
import { join } from 'node:path';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that makes things for the run. */
    maker: string;
  }
}

export type MadeName = 'embedded' | 'server' | 'program';

async function made(name: MadeName): Promise<string> {
  const response = await fetch(`${inject('maker')}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`the run could not make "${name}": ${text}`);
  return text;
}

/** The migrated embedded database as a dump. */
export const templateFile = async (): Promise<string> => join(await made('embedded'), 'dump.tar');

/** The migrated embedded database as a directory to copy. */
export const templateDirectory = async (): Promise<string> => join(await made('embedded'), 'data');

/** Name of the migrated database on the server of DATABASE_URL. */
export const templateDatabase = (): Promise<string> => made('server');

/** Directory of the compiled program. */
export const compiledProgram = (): Promise<string> => made('program');
