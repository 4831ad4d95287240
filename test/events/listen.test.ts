// `npm run listen`: a program under development receives the events of an organisation signed, in order, and without loss when a gateway or the
// program is away.
import { generateKeyPairSync } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Webhook } from 'svix';
import { afterEach, expect, it } from 'vitest';
import { listen } from '../../src/listen/listen.ts';
import { generateSecret } from '../../src/webhooks/signature.ts';
import { useGateway } from '../support/gateway.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { emitAs, product } from '../support/webhooks.ts';

const gateway = useGateway({ worker: false });
const ends: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

const receiver = async (...given: Parameters<typeof startReceiver>): Promise<Receiver> => {
  const started = await startReceiver(...given);
  ends.push(() => started.stop());
  return started;
};

const secret = generateSecret();

/** Forwards the events of a key, and waits until it has begun. */
async function forwarding(key: string, forward: string, more: { gateway?: string; topics?: string[] } = {}): Promise<string[]> {
  const stopping = new AbortController();
  const lines: string[] = [];
  const { privateKey } = generateKeyPairSync('ed25519');
  await new Promise<void>((resolve, reject) => {
    const done = listen({
      gateway: gateway.origin,
      key,
      forward,
      topics: null,
      webhookId: 'whk_01hzy3v7k8e9f0a1b2c3d4e5f6',
      secret,
      privateKey,
      print: (line) => {
        lines.push(line);
        if (line.startsWith('forwarding')) resolve();
      },
      signal: stopping.signal,
      ...more,
    }).catch((error: Error) => {
      if (!stopping.signal.aborted) reject(error);
    });
    ends.push(async () => {
      stopping.abort();
      await done;
    });
  });
  return lines;
}

/** A line to the gateway that can be cut: what is connected ends, and nothing connects until it is restored. */
async function startLine(): Promise<{ origin: string; cut: () => void; restore: () => void }> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => {}).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  ends.push(async () => {
    cut();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    restore: () => {
      isCut = false;
    },
  };
}

const numbered = (number: number) => ({ ...product, data: { number } });
const numbersOf = ({ received }: Receiver): number[] => received.map(({ body }) => JSON.parse(body).data.number);

it('forwards what happens from now on, in its order and signed as a delivery is', async () => {
  const key = await gateway.key(['PLATFORM']);
  await emitAs(gateway, key, numbered(0));
  const hook = await receiver();
  const lines = await forwarding(key, hook.url);
  for (const number of [1, 2, 3]) await emitAs(gateway, key, numbered(number));
  await hook.arrived(3);
  expect(numbersOf(hook)).toEqual([1, 2, 3]);
  for (const { body, headers } of hook.received)
    expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  const [first, second] = hook.received.map(({ body }) => JSON.parse(body));
  expect(Object.keys(first)).toEqual(
    'id topic triggered_at webhook_id organization_id data api_version test sequence previous_etag'.split(' '),
  );
  expect(second.sequence).toBeGreaterThan(first.sequence);
  expect(lines.at(1)).toBe(`200 PRODUCTS.CREATED ${first.id}`);
});

it('forwards the topics that it is asked for', async () => {
  const key = await gateway.key(['PLATFORM']);
  const hook = await receiver();
  await forwarding(key, hook.url, { topics: ['PRODUCTS.DELETED'] });
  await emitAs(gateway, key, numbered(1));
  await emitAs(gateway, key, { ...numbered(2), topic: 'PRODUCTS.DELETED' });
  await hook.arrived(1);
  expect(numbersOf(hook)).toEqual([2]);
});

it('loses nothing while the connection to the gateway is cut', async () => {
  const key = await gateway.key(['PLATFORM']);
  const hook = await receiver();
  const line = await startLine();
  await forwarding(key, hook.url, { gateway: line.origin });
  await emitAs(gateway, key, numbered(1));
  await hook.arrived(1);
  line.cut();
  for (const number of [2, 3]) await emitAs(gateway, key, numbered(number));
  line.restore();
  await emitAs(gateway, key, numbered(4));
  await hook.arrived(4);
  expect(numbersOf(hook)).toEqual([1, 2, 3, 4]);
});

it('sends an event again until the program responds, and takes every response for one', async () => {
  const key = await gateway.key(['PLATFORM']);
  let calls = 0;
  const hook = await receiver((_, response) => (++calls <= 2 ? response.destroy() : response.writeHead(500).end()));
  const lines = await forwarding(key, hook.url);
  await emitAs(gateway, key, numbered(1), numbered(2));
  await hook.arrived(4);
  expect(numbersOf(hook)).toEqual([1, 1, 1, 2]);
  expect(lines.filter((line) => line.includes('trying again'))).toHaveLength(1);
  while (lines.length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(lines.slice(2)).toEqual(hook.received.slice(2).map(({ body }) => `500 PRODUCTS.CREATED ${JSON.parse(body).id}`));
});

it('ends with the reason when the key is wrong', async () => {
  const hook = await receiver();
  await expect(forwarding('ent_wrong', hook.url)).rejects.toThrow('Invalid bearer token');
});
