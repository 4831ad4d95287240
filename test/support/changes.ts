// Subscribers of changes in tests: one subscription, and the messages it has received.
import type { Client } from 'graphql-ws';

export interface ChangeMessage {
  operation: 'CREATED' | 'UPDATED' | 'DELETED';
  nodeId: string;
  eventId: string;
  previousEtag: string | null;
  matches?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into nodes by path.
  node: any;
}

export interface Follower {
  received: ChangeMessage[];
  /** Waits for a message that holds and that no earlier call has returned. */
  next(holds: (change: ChangeMessage) => boolean): Promise<ChangeMessage>;
  /** The error that ended the subscription. */
  ended: Promise<{ code: string; message: string }>;
  stop(): void;
}

/** Subscribes; the messages of the one root field are collected from then on. */
export function follow(client: Client, query: string, variables: Record<string, unknown> = {}): Follower {
  const received: ChangeMessage[] = [];
  const taken = new Set<ChangeMessage>();
  const waiting = new Set<() => void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<{ code: string; message: string }>();
  const fail = (errors: unknown): void => {
    const [error] = errors as { message: string; extensions?: { code?: string } }[];
    end({ code: error?.extensions?.code ?? '', message: error?.message ?? JSON.stringify(errors) });
  };
  const stop = client.subscribe<Record<string, ChangeMessage>>(
    { query, variables },
    {
      next: ({ data, errors }) => {
        if (errors) fail(errors);
        if (data) received.push(...Object.values(data));
        for (const look of waiting) look();
      },
      error: fail,
      complete: () => end({ code: '', message: 'complete' }),
    },
  );
  return {
    received,
    ended,
    stop,
    next: (holds) => {
      const found = new Promise<ChangeMessage>((resolve) => {
        const look = (): void => {
          const message = received.find((one) => !taken.has(one) && holds(one));
          if (!message) return;
          taken.add(message);
          waiting.delete(look);
          resolve(message);
        };
        waiting.add(look);
        look();
      });
      const failed = ended.then(({ code, message }): never => {
        throw new Error(`the subscription ended: ${code} ${message}`);
      });
      return Promise.race([found, failed]);
    },
  };
}

/** Writes until the subscription has received one of the writes: a subscription does not acknowledge its start. */
export async function started(follower: Follower, write: () => Promise<unknown>): Promise<void> {
  while (follower.received.length === 0) {
    await write();
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
}
