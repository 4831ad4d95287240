// Runs a mutation whose input is wrong already, for what else is wrong with it: its transactions are rolled back.
import type { RequestContext } from '../../access/context.ts';
import { GatewayError } from '../../records/errors.ts';

/** Ends a dry run in the place of the commit. */
class DryRunEnd extends Error {}

/** What a dry run found: the error that ended it, or its result, whose records may be rejected; neither where nothing more can be reported. */
export interface DryRun {
  error?: GatewayError;
  result?: unknown;
}

/** Runs a call that is rejected anyway. Stores nothing. */
export async function dryRun(context: RequestContext, run: () => unknown): Promise<DryRun> {
  const committing = (): never => {
    throw new DryRunEnd();
  };
  context.committing = committing;
  try {
    return { result: await run() };
  } catch (error) {
    // Values that were rejected are absent, so that the resolver may fail in any way.
    return error instanceof GatewayError ? { error } : {};
  } finally {
    delete context.committing;
  }
}
