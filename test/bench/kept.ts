// The cost of kept history: bytes per record, lists and claims next to it, removal in batches by the retention with its CPU and its effect on claims,
// and the vacuum after it.
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { syncRetention } from '../../src/integrations/retention/sync-retention.ts';
import type { Chore } from '../../src/queue/schedules.ts';
import { openServices } from '../../src/services.ts';
import { claimDue } from '../../src/webhooks/deliveries.statements.ts';
import { deliveryLogRetention } from '../../src/webhooks/delivery-log-retention.ts';
import { fillDataset } from './dataset.ts';
import { AGED, fillDeliveries, fillPulls, fillWaiting, fillWrites, listsOf } from './history.ts';
import { totalMs } from './load.ts';
import { interleaved } from './side-by-side.ts';
import { cpuSeconds } from './subject.ts';
import { type Figure, number, say, step } from './table.ts';
import { issueKey, type Testbed } from './testbed.ts';

export interface Kept {
  deliveries: number;
  /** Syncs of one job each. */
  writes: number;
  /** Syncs of a dozen jobs each. */
  pulls: number;
  lines: number;
}

/** The most that a line item may take. */
const LINE_BYTES = 450;
const LINES_OF_A_NOTE = 5;
/** How many claims are timed, and how many deliveries each asks for. */
const CLAIMS = 20;
const ROOM = { healthy: 64, failing: 0, each: 64, webhooks: [] };

/** Milliseconds between claims while old deliveries are removed. */
const CLAIM_EVERY_MS = 200;

/** Rows of a history on the database that the lists are compared with. */
const LITTLE = 5_000;
const EFFORT = { rounds: 3, seconds: 3, warmUp: { requests: 1_000, seconds: 4 }, countsRows: false };

/** Bytes of tables with their indexes, and of the indexes alone. */
async function bytesOf(client: Client, tables: readonly string[]): Promise<{ all: number; indexes: number }> {
  const { rows } = await client.query(
    'select sum(pg_total_relation_size(t::regclass))::float8 as all, sum(pg_indexes_size(t::regclass))::float8 as indexes from unnest($1::text[]) t',
    [tables],
  );
  return rows[0];
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
};

export async function kept(testbed: Testbed, { deliveries, writes, pulls, lines }: Kept): Promise<Figure[]> {
  const url = await testbed.database();
  const config = readConfig({ DATABASE_URL: url, ADMIN_TOKEN: 'bench-admin-token-0123456789', WORKER: 'false', LOG_LEVEL: 'silent' });
  const { services, close } = await openServices(config, { log: pino({ level: 'silent' }) });
  const client = await testbed.connect(url);
  const figures: Figure[] = [];
  const add = (name: string, title: string, value: number, unit: Figure['unit'], must?: number): void => {
    figures.push({ name, title, value, unit, better: unit === '/s' ? 'more' : 'less', ...(must === undefined ? {} : { must }) });
  };
  const { url: littleUrl, gateway: filler } = await testbed.filled('little', { companies: 1, notes: LITTLE / LINES_OF_A_NOTE });
  await filler.stop();
  /** A gateway that removes nothing, on one of the two databases. */
  const gatewayOn = async (name: string, place: string) => {
    const subject = await testbed.gateway(name, { DATABASE_URL: place, WORKER: 'false' });
    return { subject, key: await issueKey(subject.origin) };
  };
  const history = async (
    name: keyof typeof listsOf,
    tables: string[],
    fill: (count: number) => string[],
    count: number,
    chore: Chore,
  ): Promise<void> => {
    step(`filling ${number(count, 0)} ${name}`);
    // The space that an earlier history left would count for this one.
    for (const table of tables) await client.query(`vacuum full ${table}`);
    for (const statement of fill(count)) await client.query(statement);
    await client.query(`vacuum analyze ${tables.join(', ')}`);
    const full = await bytesOf(client, tables);
    const other = await testbed.connect(littleUrl);
    for (const statement of fill(LITTLE)) await other.query(statement);
    await other.query('vacuum analyze');
    await lists(name, count);
    if (name === 'deliveries') add('claim with history', `a claim of 64 with ${number(count, 0)} that wait`, await claimMs(count), 'ms');
    if (name === 'deliveries') await client.query(fillWaiting);
    const quiet = name === 'deliveries' ? await claimTimes(CLAIMS) : [];
    step(`removing ${number(count, 0)} ${name}`);
    const cpuBefore = await usedSeconds();
    let isOver = false;
    const removal = timed(async () => {
      while (await systemTransaction(services.database, (em) => chore.batch(em, services)));
    }).finally(() => {
      isOver = true;
    });
    const busy: number[] = [];
    while (name === 'deliveries' && !isOver) {
      busy.push(...(await claimTimes(1)));
      await setTimeout(CLAIM_EVERY_MS);
    }
    const seconds = await removal;
    const cpu = ((await usedSeconds()) - cpuBefore) * 1_000;
    if (busy.length > 0) {
      say(
        `  ${number(median(quiet), 1)} ms for a claim of 64 before the removal, ${number(median(busy), 1)} ms next to it (${busy.length} claims)`,
      );
      add('claim during removal', 'a claim while old deliveries are removed, before = 1', median(busy) / median(quiet), 'times');
    }
    const vacuum = await timed(() => client.query(`vacuum ${tables.join(', ')}`));
    const after = await bytesOf(client, tables);
    say(
      `  ${name.padEnd(12)} ${number(full.all / count, 0)} bytes each (${number(full.indexes / count, 0)} of indexes), removed at ${number(count / seconds, 0)} per second with ${number(cpu / count, 3)} ms of CPU each, vacuum ${number(vacuum, 1)} s, ${number(after.all / 1e6, 0)} of ${number(full.all / 1e6, 0)} MB stay for reuse`,
    );
    add(`${name} bytes`, `bytes of one of ${number(count, 0)} ${name}`, full.all / count, 'B');
    add(`${name} removal`, `${name} removed by the retention`, count / seconds, '/s');
    add(`${name} removal CPU`, `CPU of removing one of the ${name}`, cpu / count, 'ms');
    add(`${name} vacuum`, `vacuum after ${number(count, 0)} ${name}`, vacuum, 's');
  };
  /** CPU of the lists of a table, against those of a little one. */
  const lists = async (name: keyof typeof listsOf, count: number): Promise<void> => {
    const little = await gatewayOn('little', littleUrl);
    const much = await gatewayOn('much', url);
    const cycle = listsOf[name].map((query) => ({ method: 'POST' as const, path: '/graphql', body: JSON.stringify({ query }) }));
    const found = await interleaved({ little: { ...little, cycle }, much: { ...much, cycle } }, EFFORT);
    await Promise.all([little.subject.stop(), much.subject.stop()]);
    say(
      `  ${number(totalMs(found.little), 3)} ms of CPU for a list of ${number(LITTLE, 0)} ${name}, ${number(totalMs(found.much), 3)} ms of ${number(count, 0)}`,
    );
    add(
      `${name} lists`,
      `lists of ${number(count, 0)} ${name}, of ${number(LITTLE, 0)} = 1`,
      totalMs(found.much) / totalMs(found.little),
      'times',
    );
  };
  const connections = new Map<number, number>();
  /** CPU seconds so far of this process and of the connections to the database. A connection that has ended counts with its last known value. */
  const usedSeconds = async (): Promise<number> => {
    const { rows } = await client.query('select pid from pg_stat_activity where datname = current_database()');
    const { user, system } = process.cpuUsage();
    for (const { pid } of rows) connections.set(pid, cpuSeconds(pid));
    return [...connections.values()].reduce((sum, seconds) => sum + seconds, (user + system) / 1_000_000);
  };
  /** Milliseconds of some claims, one after the other. */
  const claimTimes = async (count: number): Promise<number[]> => {
    const times: number[] = [];
    for (let claim = 0; claim < count; claim++)
      times.push((await timed(() => systemTransaction(services.database, (em) => claimDue(em, ROOM, services.clock.now())))) * 1_000);
    return times;
  };
  /** Milliseconds of a claim while every delivery waits for a retry but a few. */
  const claimMs = async (count: number): Promise<number> => {
    await client.query(
      `update webhook_delivery set status = 'PENDING', finished_at = null, next_attempt_at = case when right(id, 2) = '00' then now() else now() + interval '1 day' end`,
    );
    await client.query('vacuum analyze webhook_delivery');
    const time = median(await claimTimes(CLAIMS));
    await client.query(
      `update webhook_delivery set status = 'DELIVERED', finished_at = ${AGED}, next_attempt_at = null, claimed_until = null`,
    );
    await client.query('vacuum full webhook_delivery');
    say(`  ${number(time, 1)} ms for a claim of 64 of ${number(count, 0)} open deliveries`);
    return time;
  };
  say('\nHistory: what it takes, and how the retention removes it.');
  step(`filling ${number(lines, 0)} lines`);
  await fillDataset((text, values) => client.query(text, values), { companies: 1, notes: Math.ceil(lines / LINES_OF_A_NOTE) });
  const vacuum = await timed(() => client.query('vacuum analyze'));
  const line = await bytesOf(client, ['line_item']);
  say(`  line items   ${number(line.all / lines, 0)} bytes each (${number(line.indexes / lines, 0)} of indexes)`);
  add('line bytes', 'bytes of a line item', line.all / lines, 'B', LINE_BYTES);
  add('lines vacuum', `vacuum of ${number(lines, 0)} new lines with their documents`, vacuum, 's');
  await lists('lines', lines);
  await history('deliveries', ['event', 'webhook_delivery', 'webhook_attempt'], fillDeliveries, deliveries, deliveryLogRetention);
  await history('pulls', ['sync', 'sync_job'], fillPulls, pulls, syncRetention);
  await history('writes', ['sync', 'sync_job'], fillWrites, writes, syncRetention);
  await close();
  return figures;
}
