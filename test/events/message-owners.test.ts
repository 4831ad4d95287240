// What is read for the messages of subscriptions is read for their organisation, so that it takes turns at the database as requests do.
import { expect, it } from 'vitest';
import type { Database } from '../../src/database/open.ts';
import { currentOwner } from '../../src/runtime/statement-count.ts';
import { recordStreams } from '../examples/streams.ts';
import { buildFullData } from '../support/full-data.ts';
import { useGateway } from '../support/gateway.ts';

const gateway = useGateway({ webhookAllowPrivate: true });

/** The reads during some work: the first table of each, and for whom it is read. */
async function readsDuring(work: () => Promise<unknown>): Promise<Set<string>> {
  const reads = new Set<string>();
  const { database } = gateway.services;
  const { read, readRows } = database;
  const noted =
    <Rows>(ask: (...args: Parameters<Database['read']>) => Rows) =>
    (...args: Parameters<Database['read']>): Rows => {
      reads.add(`${/from "?(\w+)/.exec(args[0].text)?.[1]} for ${currentOwner()?.name.replace(/\d+$/, 'N')}`);
      return ask(...args);
    };
  Object.assign(database, { read: noted(read), readRows: noted(readRows) });
  await work();
  Object.assign(database, { read, readRows });
  return reads;
}

it('only the key of a subscriber is read for nobody', async () => {
  const tenant = await buildFullData(gateway, 'Streams');
  const reads = [...(await readsDuring(() => recordStreams(gateway, tenant)))];
  expect(reads).toEqual(
    expect.arrayContaining(['account', 'corporation', 'event', 'webhook_delivery'].map((table) => `${table} for work of N`)),
  );
  expect(reads.filter((read) => /for undefined$/.test(read) && !/^(access_key|organisation) /.test(read))).toEqual([]);
});
