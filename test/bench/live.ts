// Live data: many subscribers of one gateway, the delay of their messages, and what a changed record costs the server and the database.
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type Figure, number, say, step } from './table.ts';
import { call, type Testbed } from './testbed.ts';

/** Subscriptions of one connection; below the limit of a connection, and a thousand stay below the limit of connections of an address. */
const PER_CONNECTION = 25;
/** Time between two writes: longer than the interval in which changes become one message, so that each write is a message of its own. */
const PACE_MS = 250;
const COMPANY = 1001;

/** A way to subscribe: how many subscribers, and of how many different selections. */
interface Crowd {
  subscribers: number;
  selections: number;
}

/** Selections of a record that differ in their names alone, so that they cost the same. */
const documentOf = (selection: number): string =>
  `subscription { recordChanged(type: [ACCOUNT], companyId: ${COMPANY}) { operation eventId node { id ... on Account { s${selection}: name nominalCode etag } } } }`;

/** Opens the subscribers of a crowd on connections of their own; `arrived` gets the name of the account of every message. */
async function subscribe(
  origin: string,
  key: string,
  { subscribers, selections }: Crowd,
  arrived: (name: string) => void,
): Promise<() => void> {
  const sockets: WebSocket[] = [];
  for (let first = 0; first < subscribers; first += PER_CONNECTION) {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
      headers: { authorization: `Bearer ${key}` },
    });
    sockets.push(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('open', () => socket.send('{"type":"connection_init"}'));
      socket.on('message', (data) => {
        const message = JSON.parse(String(data));
        if (message.type === 'connection_ack') resolve();
        if (message.type === 'error' || message.payload?.errors) reject(new Error(String(data)));
        if (message.type === 'next') {
          const { node } = message.payload.data.recordChanged;
          arrived(String(Object.entries(node).find(([name]) => /^s\d+$/.test(name))?.[1]));
        }
      });
    });
    for (let id = first; id < Math.min(first + PER_CONNECTION, subscribers); id++)
      socket.send(JSON.stringify({ type: 'subscribe', id: String(id), payload: { query: documentOf(id % selections) } }));
  }
  return () => {
    for (const socket of sockets) socket.terminate();
  };
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

interface LiveMeasure {
  p50: number;
  p99: number;
  serverMs: number;
  databaseMs: number;
  statements: number;
  memoryMb: number;
}

/** Writes one account at a pace and waits until every subscriber has every write. */
async function measureCrowd({ gateway, key }: Awaited<ReturnType<Testbed['filled']>>, crowd: Crowd, writes: number): Promise<LiveMeasure> {
  const delays: number[] = [];
  const respondedAt = new Map<string, number>();
  const early = new Map<string, number>();
  let messages = 0;
  const close = await subscribe(gateway.origin, key, crowd, (name) => {
    messages++;
    const at = respondedAt.get(name);
    // A message may arrive before the response to the write.
    if (at === undefined) early.set(name, (early.get(name) ?? 0) + 1);
    else delays.push(performance.now() - at);
  });
  const write = async (name: string): Promise<void> => {
    const body = JSON.stringify({ data: { platform_id: 'live', name } });
    await call(gateway.origin, key, 'PUT', `/v4/core/companies/${COMPANY}/accounts`, body);
    respondedAt.set(name, performance.now());
    for (let count = early.get(name) ?? 0; count > 0; count--) delays.push(0);
  };
  // A subscription does not acknowledge its start, so the first writes are repeated until all of them respond.
  for (let warm = 0; messages < crowd.subscribers * 3; warm++) {
    await write(`warm ${warm} ${crowd.subscribers} ${crowd.selections}`);
    await pause(PACE_MS);
  }
  await pause(3 * PACE_MS);
  delays.length = 0;
  messages = 0;
  const before = await gateway.spent();
  for (let count = 0; count < writes; count++) {
    await write(`write ${count} ${crowd.subscribers} ${crowd.selections}`);
    await pause(PACE_MS);
  }
  while (messages < writes * crowd.subscribers) await pause(20);
  const after = await gateway.spent();
  close();
  delays.sort((a, b) => a - b);
  return {
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    serverMs: ((after.server - before.server) * 1_000) / writes,
    databaseMs: ((after.database - before.database) * 1_000) / writes,
    statements: (after.statements - before.statements) / writes,
    memoryMb: gateway.memoryMb(),
  };
}

/** Measures crowds of up to `most` subscribers and prints a row for each. */
export async function live(testbed: Testbed, most: number, writes: number): Promise<Figure[]> {
  const filled = await testbed.filled('live', { companies: 2, notes: 100 });
  say(
    `\nLive data: ${writes} changes of one record, ${PACE_MS} ms apart. Delay from the response to the write until the message; the rest per change.\n`,
  );
  say('  subscribers  selections    p50 ms    p99 ms    server  postgres  statements        MB');
  const figures: Figure[] = [];
  const crowds: Crowd[] = [0, 1, most / 10, most].map((subscribers) => ({ subscribers, selections: 1 }));
  for (const crowd of [...crowds, { subscribers: most, selections: 10 }]) {
    step(`${crowd.subscribers} subscribers`);
    const found = await measureCrowd(filled, crowd, writes);
    say(
      `  ${number(crowd.subscribers, 0, 11)} ${number(crowd.selections, 0, 11)} ${number(found.p50, 1, 9)} ${number(found.p99, 1, 9)} ${number(found.serverMs, 2, 9)} ${number(found.databaseMs, 2, 9)} ${number(found.statements, 2, 11)} ${number(found.memoryMb, 0, 9)}`,
    );
    if (crowd.subscribers < most || crowd.selections > 1) continue;
    const title = (what: string): string => `${number(most, 0)} subscribers: ${what}`;
    figures.push({ name: 'live p99', title: title('delay of a message, p99'), value: found.p99, unit: 'ms', better: 'less' });
    figures.push({ name: 'live cpu', title: title('server CPU of a change'), value: found.serverMs, unit: 'ms', better: 'less' });
  }
  await filled.gateway.stop();
  return figures;
}
