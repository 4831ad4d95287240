// One transaction for the writes of several calls: each call runs as it would alone up to its transaction, and continues when all are committed.
import { addedEffects } from '../database/effects.ts';
import { retryable, unavailable } from '../database/errors.ts';
import type { EntityManager } from '../database/open.ts';
import { savepoint } from '../database/savepoint.statements.ts';
import type { RequestContext } from './context.ts';
import { transactionFor } from './transaction.ts';

/** The write of one call, which waits for its turn in the transaction, and its outcome. */
interface Waiting {
  organisationId: number;
  work: (em: EntityManager) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Takes back what the others stored, because one of them was rejected. */
class TakenBack extends Error {}

type Settled = PromiseSettledResult<unknown>;

/**
 * Calls `call` for each of a number of records, with a context of its own, and returns the results in their order. The writes that the calls begin
 * share one transaction, each in a savepoint. With `isWhole`, all are rolled back when one is rejected. A call may write once.
 */
export async function joined<T>(
  context: RequestContext,
  count: number,
  isWhole: boolean,
  call: (index: number, own: RequestContext) => Promise<T>,
): Promise<PromiseSettledResult<T>[]> {
  const waiting: Waiting[] = [];
  const calls: Promise<T>[] = [];
  let isOver = false;
  for (let index = 0; index < count; index++) {
    const reached = Promise.withResolvers<void>();
    const joining: RequestContext['joining'] = (organisationId, work) =>
      new Promise((resolve, reject) => {
        if (isOver) reject(new Error('a call of a joined transaction writes a second time'));
        waiting.push({ organisationId, work, resolve: resolve as Waiting['resolve'], reject });
        reached.resolve();
      });
    // Those of the whole transaction are called once.
    const { writing: _, committing: __, ...others } = context;
    const made = call(index, { ...others, joining });
    made.then(reached.resolve as never, reached.resolve as never);
    calls.push(made);
    await reached.promise;
  }
  isOver = true;
  const mustFail = isWhole && waiting.length < count;
  if (waiting.length > 0) await runAll(context, waiting, isWhole, mustFail);
  return Promise.allSettled(calls);
}

/** Runs the writes, and settles each once it is known whether the transaction was committed. */
async function runAll(context: RequestContext, waiting: readonly Waiting[], isWhole: boolean, mustFail: boolean): Promise<void> {
  let results: Settled[] = [];
  const run = async (em: EntityManager): Promise<void> => {
    results = [];
    for (const { work } of waiting) results.push(await inSavepoint(em, work));
    if (mustFail || (isWhole && results.some(({ status }) => status === 'rejected'))) throw new TakenBack();
  };
  let failure: unknown;
  try {
    await transactionFor(context, waiting[0]!.organisationId, run);
  } catch (error) {
    failure = error;
  }
  for (const [index, { resolve, reject }] of waiting.entries()) {
    const result = results[index];
    if (result?.status === 'fulfilled' && !failure) resolve(result.value);
    else reject(result?.status === 'rejected' ? result.reason : failure);
  }
}

async function inSavepoint(em: EntityManager, work: Waiting['work']): Promise<Settled> {
  const effects = addedEffects(em);
  await savepoint(em, 'set');
  try {
    const value = await work(em);
    await em.flush();
    // The next write has to look at its own records alone.
    em.clear();
    await savepoint(em, 'release');
    return { status: 'fulfilled', value };
  } catch (reason) {
    if (retryable(reason) || unavailable(reason)) throw reason;
    await savepoint(em, 'rollback to');
    await savepoint(em, 'release');
    // What the rejected write has loaded and changed is no longer what is stored.
    em.clear();
    effects.drop();
    return { status: 'rejected', reason };
  }
}
