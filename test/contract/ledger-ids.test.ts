// Numbers of records: concurrent requests for numbers get different ones, each in ascending order.
import { expect, it } from 'vitest';
import { LedgerIds } from '../../src/database/ledger-ids.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway();

it('concurrent allocations of every size, by two processes, never share a number', async () => {
  const allocators = [new LedgerIds(), new LedgerIds()];
  const sizes = Array.from({ length: 60 }, (_, index) => [0, 1, 7, 32, 33, 2_500][index % 6]!);
  const taken = await Promise.all(
    sizes.map((size, index) => systemTransaction(gateway.services.database, (em) => allocators[index % 2]!.take(em, size))),
  );
  expect(taken.map((ids) => ids.length)).toEqual(sizes);
  for (const ids of taken) expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  const all = taken.flat();
  expect(new Set(all).size).toBe(all.length);
});
