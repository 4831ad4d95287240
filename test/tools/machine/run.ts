// Follows docs/operations word for word on a machine of its own: installation, upgrade, roll back, incidents, pooler, backup, restore, loss of a replica and
// of the primary. Part of `npm run proof`; it takes six minutes and root.
// node test/tools/machine/run.ts
import { join } from 'node:path';
import { lacking, startMachine } from './machine.ts';
import { REPOSITORY, writeRepository } from './release.ts';
import { followDocument } from './story.ts';

/** What a command exits with that lacks a program it needs. */
const LACKING = 3;

async function main(): Promise<number> {
  const reason = lacking();
  if (reason) {
    console.log(`skipped: ${reason}`);
    return LACKING;
  }
  const machine = await startMachine();
  try {
    writeRepository(join(machine.root, REPOSITORY));
    const failures = followDocument(machine);
    console.log(`${failures} failures; docs/operations was followed in ${(performance.now() / 1_000).toFixed(0)} s`);
    return failures > 0 ? 1 : 0;
  } finally {
    await machine.remove();
  }
}

process.exitCode = await main().catch((error: Error) => {
  console.log(error.message);
  return 1;
});
