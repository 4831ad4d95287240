// Records with children against a model of what is documented (shared semantics of the guides, the schema and OpenAPI), which knows nothing of the
// gateway's code: random operations over REST and GraphQL, and after each of them all records, their versions, children, order, references, flags and
// events are compared. A failed history is shortened and printed.
//
// Where the documentation is silent, the model has decided:
// - Of several errors of one record any may be the first.
// - A child that names none and has the content of a stored one keeps it, so that a record that is sent again changes nothing.
// - A part that may only be written with its parent may be sent alone where that changes nothing.
// - The parts of a deleted record are deleted without events of their own.
// - Text is ordered by its bytes, the one order that databases of all locales share.
//
// It leaves out: variants in lines, parts that move to another parent or are given a place, the rules of single lines and
// tolerances (amounts differ by nothing or by 5 and more), batches of several chunks, attachments, and records that a source sends; they have tests
// of their own.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useGateway } from '../../support/gateway.ts';
import { Difference } from './compare.ts';
import { histories } from './generate.ts';
import { History, type Tally } from './history.ts';
import type { Operation } from './operations.ts';
import { shortest } from './shrink.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
/** Operations of one history: few enough that a failed one is short, and that everything can be compared after each. */
const LENGTH = 40;
const HISTORIES = 25 * ROUNDS;
// The small form uses a fixed seed, so that a failed run can be repeated; each large run uses another seed.
const SEED = Number(process.env.SUITE_SEED ?? (ROUNDS === 1 ? 1 : randomInt(2 ** 31)));
/** Differences that are shrunk and shown; the others of a run are counted. */
const MAX_SHOWN = 3;

const gateway = useGateway();

/** Runs operations; returns the difference with the number of operations up to it. */
async function differenceOf(
  operations: readonly Operation[],
  tally?: (one: Tally) => void,
): Promise<{ error: Error; count: number } | undefined> {
  const history = await History.begin(gateway, operations);
  for (const [index, operation] of operations.entries()) {
    try {
      await history.run(operation);
    } catch (error) {
      return { error: error as Error, count: index + 1 };
    }
  }
  tally?.(history.tally);
}

it('what REST and GraphQL show after random operations is what the model has', {
  timeout: 120_000 + HISTORIES * 60_000,
}, async () => {
  const figures: Tally = { accepted: 0, refused: 0, skipped: 0 };
  const kinds: Record<string, number> = {};
  const shown: string[] = [];
  for (const operations of fc.sample(histories(LENGTH), { numRuns: HISTORIES, seed: SEED })) {
    const found = await differenceOf(operations, (tally) => {
      for (const name of Object.keys(figures) as (keyof Tally)[]) figures[name] += tally[name];
    });
    if (!found) continue;
    const kind = found.error instanceof Difference ? found.error.kind : 'error';
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    if (shown.length >= MAX_SHOWN) continue;
    const fails = async (some: readonly Operation[]): Promise<Error | undefined> => (await differenceOf(some))?.error;
    const { operations: few, error } = await shortest(operations.slice(0, found.count), found.error, fails);
    shown.push(`${error.message}\n${few.map((operation) => JSON.stringify(operation)).join('\n')}`);
  }
  console.log(
    `model: seed ${SEED}, ${HISTORIES} histories of ${LENGTH} operations, ${figures.accepted} records accepted, ${figures.refused} refused, ${figures.skipped} operations without a record to work on; differences ${JSON.stringify(kinds)}`,
  );
  expect(shown, `seed ${SEED}\n${shown.join('\n\n')}`).toEqual([]);
});
