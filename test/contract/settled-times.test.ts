// The settled times of organisations: those who ask while a look is in progress share the next one.
import { expect, it } from 'vitest';
import { SettledTimes } from '../../src/database/settled.statements.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();

/** Settled times on the real database, and the organisations of each look so far. */
function counted(): { times: SettledTimes; looks: string[] } {
  const looks: string[] = [];
  const times = new SettledTimes((statement, values) => {
    looks.push(values[0]!);
    return gateway.services.database.read(statement, values);
  });
  return { times, looks };
}

it('look once for all who ask while another look is in progress', async () => {
  const { times, looks } = counted();
  const first = times.of(1);
  // The look begins within this turn of the event loop, and its response cannot arrive in it.
  while (looks.length === 0) await Promise.resolve();
  const others = [2, 1, 3, 2, 1].map((id) => times.of(id));
  const [begun, ...found] = await Promise.all([first, ...others]);
  expect(looks).toEqual(['{1}', '{2,1,3}']);
  expect(new Set(found).size).toBe(1);
  expect(found[0]).toBeGreaterThanOrEqual(begun!);
});

it('look again after a look that failed', async () => {
  let isDown = true;
  const times = new SettledTimes((statement, values) =>
    isDown ? Promise.reject(new Error('down')) : gateway.services.database.read(statement, values),
  );
  const failed = [times.of(1), times.of(2)];
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await times.of(1)).toBeGreaterThan(0);
});
