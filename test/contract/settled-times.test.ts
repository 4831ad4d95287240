// The settled times of organisations: those who ask while a look is in progress share the next one.
import { expect, it } from 'vitest';
import { SettledTimes } from '../../src/database/settled.statements.ts';
import { countingStatements, currentOwner } from '../../src/runtime/statement-count.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();

it('look once for all who ask while another look is in progress, and as the work of no caller', async () => {
  const looks: [organisations: string, owner: string | undefined][] = [];
  const times = new SettledTimes((statement, values) => {
    looks.push([values[0]!, currentOwner()?.name]);
    return gateway.services.database.read(statement, values);
  });
  const askedBy = (name: string, id: number): Promise<number> => countingStatements({ sent: 0, owner: { name } }, () => times.of(id));
  const first = askedBy('first', 901);
  // The look begins within this turn of the event loop, and its response cannot arrive in it.
  while (looks.length === 0) await Promise.resolve();
  const others = [902, 901, 903, 902, 901].map((id) => askedBy('other', id));
  const [begun, ...found] = await Promise.all([first, ...others]);
  expect(looks).toEqual([
    ['{901}', undefined],
    ['{902,901,903}', undefined],
  ]);
  expect(new Set(found).size).toBe(1);
  expect(found[0]).toBeGreaterThanOrEqual(begun!);
});

it('look again after a look that failed', async () => {
  let isDown = true;
  const times = new SettledTimes((statement, values) =>
    isDown ? Promise.reject(new Error('down')) : gateway.services.database.read(statement, values),
  );
  const failed = [times.of(901), times.of(902)];
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await times.of(901)).toBeGreaterThan(0);
});
