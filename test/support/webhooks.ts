// Webhooks of a gateway under test: registering them, emitting events, and reading the delivery log.

import { organisationTransaction } from '../../src/database/transaction.ts';
import { ATTEMPTS, emitEvents, type NewEvent } from '../../src/events/events.ts';
import type { Gateway, GatewayResponse } from './gateway.ts';
import { type Receiver, type Respond, startReceiver } from './receiver.ts';

export interface LogEntry {
  id: string;
  status: string;
  attemptsLeft: number;
  nextAttemptAt: string | null;
  event: { id: string; topic: string; test: boolean; data: unknown };
  attempts: { status: number | null; duration: number; responseBody: string | null; error: string | null; at: string }[];
}

export interface Log {
  status: string;
  disabledReason: string | null;
  deliveries: { totalCount: number; nodes: LogEntry[] };
}

const LOG = `query ($id: ID!) { webhook(id: $id) { status disabledReason deliveries(first: 100) {
  totalCount nodes { id status attemptsLeft nextAttemptAt event { id topic test data } attempts { status duration responseBody error at } } } } }`;

/** An event to send. */
export const product: NewEvent = { topic: 'PRODUCTS.CREATED', data: { id: 'prod_1', name: 'Ünïcode “quotes” \u2028' } };

/** At least `count` deliveries, each attempted or ended. The row and its attempts are read one after the other, so both must show it. */
export const settled =
  (count: number) =>
  ({ deliveries: { nodes } }: Log): boolean =>
    nodes.length >= count &&
    nodes.every(
      ({ status, attempts, attemptsLeft }) => status !== 'PENDING' || (attempts.length + attemptsLeft === ATTEMPTS && attempts.length > 0),
    );

/** Emits events in a transaction of their own, as the organisation of the key. */
export async function emitAs({ services }: Gateway, key: string, ...events: NewEvent[]): Promise<void> {
  const principal = (await services.keys.find(key))!;
  const source = { services, organisationId: principal.organisationId!, organisation: principal.organisation };
  await organisationTransaction(services.database, source.organisationId, async (em) => emitEvents(em, source, events));
}

export interface WebhookTools {
  /** Starts a receiver that ends with the test. */
  receiver(response?: Respond): Promise<Receiver>;
  call(key: string, method: string, path: string, body?: unknown): Promise<GatewayResponse>;
  register(key: string, url: string, more?: object): Promise<{ id: string; secret: string }>;
  emit(key: string, ...events: NewEvent[]): Promise<void>;
  log(key: string, id: string): Promise<Log>;
  /** Waits until the log of a webhook matches; the test runner's own limit ends an endless wait. */
  logWhere(key: string, id: string, holds: (log: Log) => boolean): Promise<Log>;
  /** Stops the receivers; to be called after each test. */
  stopReceivers(): Promise<unknown>;
}

/** Functions for tests of webhooks on a gateway. */
export function webhookTools(gateway: Gateway): WebhookTools {
  const receivers: Receiver[] = [];
  const call: WebhookTools['call'] = (key, method, path, body) =>
    gateway.send(method, `/api/v1/webhooks${path}`, { headers: { authorization: `Bearer ${key}` }, body });
  const log: WebhookTools['log'] = async (key, id) => (await gateway.graphql(key, LOG, { id })).body.data.webhook;
  return {
    receiver: async (response) => {
      const started = await startReceiver(response);
      receivers.push(started);
      return started;
    },
    call,
    register: async (key, url, more = {}) => (await call(key, 'POST', '', { url, topics: ['*'], ...more })).body.data,
    emit: (key, ...events) => emitAs(gateway, key, ...events),
    log,
    logWhere: async (key, id, holds) => {
      for (;;) {
        const now = await log(key, id);
        if (holds(now)) return now;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    stopReceivers: () => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())),
  };
}
