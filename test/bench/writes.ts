// Single writes of companies on one server and distributed over 1, 2 and 4 workers: writes per second, CPU per write, and log per write.
import { Client } from 'pg';
import { type Nodes, startNodes } from '../support/citus.ts';
import { type DatasetSize, fillDataset } from './dataset.ts';
import { measure, WARM_UP } from './load.ts';
import { type Figure, HEAD, number, printRow, say, step } from './table.ts';
import { withTestbed } from './testbed.ts';
import { post } from './workloads.ts';

const WORKERS = [0, 1, 2, 4];
const SIZE: DatasetSize = { companies: 40, notes: 100 };

const CREATE = 'mutation ($input: CreateAccountInput!) { createAccount(input: $input) { account { ledgerId } } }';

/** Bytes of log so far, on the coordinator and on all workers. */
async function logged({ coordinator, workers }: Nodes): Promise<[number, number]> {
  const of = async ({ url }: { url: string }): Promise<number> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ bytes: string }>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`);
    await client.end();
    return Number(rows[0]!.bytes);
  };
  const [first, ...others] = await Promise.all([coordinator, ...workers].map(of));
  return [first!, others.reduce((sum, bytes) => sum + bytes, 0)];
}

async function on(count: number, seconds: number): Promise<Figure> {
  const nodes = await startNodes(count);
  try {
    return await withTestbed(
      nodes.coordinator.url,
      async (testbed) => {
        const { gateway, key } = await testbed.filledBy('gateway', (client) =>
          fillDataset((text, values) => client.query(text, values), SIZE),
        );
        const cycle = Array.from({ length: SIZE.companies }, (_, index) =>
          post(CREATE, { input: { companyId: `company_${1001 + index}`, name: 'Written' } }),
        );
        const name = count === 0 ? 'one server' : `${count} workers`;
        step(`writes on ${name}`);
        await measure(gateway, cycle, key, { ...WARM_UP, seconds: 60 });
        const before = await logged(nodes);
        const found = await measure(gateway, cycle, key, { seconds });
        const [coordinator, workers] = (await logged(nodes)).map((bytes, index) => (bytes - before[index]!) / found.requests) as [
          number,
          number,
        ];
        printRow('writes', name, found);
        say(`${''.padEnd(12)}${number(coordinator, 0)} bytes of log each${count === 0 ? '' : `, ${number(workers, 0)} on the workers`}`);
        return { name: `writes ${count}`, title: `writes/s of companies, ${name}`, value: found.perSecond, unit: '/s', better: 'more' };
      },
      nodes.workers.map(({ url }) => url),
    );
  } finally {
    nodes.remove();
  }
}

export async function writes(seconds: number): Promise<Figure[]> {
  say(
    `\nSingle writes of accounts of ${SIZE.companies} companies, 32 connections, ${seconds} s; all servers share this machine.\n\n${HEAD}`,
  );
  const figures: Figure[] = [];
  for (const count of WORKERS) figures.push(await on(count, seconds));
  return figures;
}
