// Forwards the events of an organisation to a program under development, signed as the deliveries of a webhook are. The feed of events says what to
// forward, so that nothing is lost while a connection is lost. The stream of events says when to read the feed.
import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Event } from '../events/event.ts';
import type { StoredRecord } from '../records/metadata.ts';
import { messageBody, messageHeadersOf, type messageProperties } from '../webhooks/message.ts';

/** What to forward, and to where. */
export interface Forwarding {
  /** Address of the gateway. */
  gateway: string;
  /** Key of the organisation. */
  key: string;
  /** Where each event is sent. */
  forward: string;
  /** Topics to forward, as bodies write them; null for all. */
  topics: readonly string[] | null;
  /** What signs: the id of the webhook that the messages name, its secret and its private key. */
  webhookId: string;
  secret: string;
  privateKey: KeyObject;
  /** Takes a line for the developer. */
  print: (line: string) => void;
  signal: AbortSignal;
}

/** Longest wait for a wake-up that was lost. */
const POLL_MS = 5_000;
/** Pause before a gateway or a receiver that did not respond is tried again. */
const AGAIN_MS = 1_000;
/** Time that a receiver has to respond, as for a delivery. */
const TIMEOUT_MS = 15_000;

const FEED = `query Listen($after: String) {
  eventFeed(after: $after) {
    nodes { id organizationId topic topicName data companyId integrationType dataModel operation test triggeredAt commitOrder: sequence previousEtag }
    pageInfo { hasNextPage endCursor }
  }
}`;
const END = 'query End($after: String) { eventFeed(after: $after) { pageInfo { hasNextPage endCursor } } }';
const STREAM = 'subscription Wake { eventStream { id } }';

type FeedEvent = StoredRecord<Event, (typeof messageProperties)[number]> & { topicName: string };

interface Page {
  nodes: FeedEvent[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? (error.cause instanceof Error ? error.cause : error).message : String(error);

/** The gateway does not accept the request as it is: a retry does not help. */
class Rejection extends Error {}

async function readPage({ gateway, key, signal }: Forwarding, query: string, after: string | null): Promise<Page> {
  const response = await fetch(`${gateway}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query, variables: { after } }),
    signal,
  });
  const { data, errors } = (await response.json()) as { data?: { eventFeed: Page }; errors?: { message: string }[] };
  if (data?.eventFeed) return data.eventFeed;
  const message = errors?.[0]?.message ?? `the gateway returned status ${response.status}`;
  throw response.status === 429 || response.status >= 500 ? new Error(message) : new Rejection(message);
}

/** Calls `work` until it succeeds, and reports the first of the failures in a row. */
async function persist<T>({ print, signal }: Forwarding, what: string, work: () => Promise<T>): Promise<T> {
  for (let isReported = false; ; ) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || error instanceof Rejection) throw error;
      if (!isReported) print(`${what}: ${reasonOf(error)}; trying again`);
      isReported = true;
      await pause(AGAIN_MS, undefined, { signal });
    }
  }
}

/** Sends an event until the receiver responds, whatever the status. */
async function forward(forwarding: Forwarding, event: FeedEvent): Promise<void> {
  const { webhookId, secret, privateKey, print, signal } = forwarding;
  const body = messageBody(event, webhookId);
  const response = await persist(forwarding, forwarding.forward, () =>
    fetch(forwarding.forward, {
      method: 'POST',
      headers: messageHeadersOf({ id: event.id, sentAt: new Date(), body }, [secret], privateKey),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }),
  );
  await response.body?.cancel();
  print(`${response.status} ${event.topicName} ${event.id}`);
}

/** Follows the stream and calls `wake` for each event, until the signal. */
async function follow(forwarding: Forwarding, wake: () => void): Promise<void> {
  const { gateway, key, signal } = forwarding;
  const client = createClient({
    url: `${gateway.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${key}` },
    retryAttempts: 0,
  });
  signal.addEventListener('abort', () => void client.dispose());
  await persist(forwarding, 'eventStream', async () => {
    for await (const _ of client.iterate({ query: STREAM })) wake();
    if (!signal.aborted) throw new Error('the stream has ended');
  });
}

/** Forwards the events from now on, in their order and each at least once, until the signal. */
export async function listen(forwarding: Forwarding): Promise<void> {
  const { topics, print, signal } = forwarding;
  const read = (query: string, after: string | null): Promise<Page> =>
    persist(forwarding, forwarding.gateway, () => readPage(forwarding, query, after));
  let wake = (): void => {};
  let cursor: string | null = null;
  for (let isEnd = false; !isEnd; ) {
    const { pageInfo } = await read(END, cursor);
    cursor = pageInfo.endCursor;
    isEnd = !pageInfo.hasNextPage;
  }
  print(`forwarding to ${forwarding.forward}`);
  const following = follow(forwarding, () => wake());
  // A stream that is rejected must end the program, not only what waits for it.
  const ended = following.then(() => undefined);
  ended.catch(() => {});
  while (!signal.aborted) {
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const { nodes, pageInfo } = await read(FEED, cursor);
    for (const event of nodes) if (topics === null || topics.includes(event.topicName)) await forward(forwarding, event);
    cursor = pageInfo.endCursor;
    if (!pageInfo.hasNextPage) await Promise.race([woken, ended, pause(POLL_MS)]);
  }
}
