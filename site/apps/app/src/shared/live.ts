// Subscriptions over one WebSocket: whether it is open, and what to do when it was closed for a while.

import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { skipToken, useSubscription } from '@apollo/client/react';
import { createClient } from 'graphql-ws';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { ENDPOINT } from './client.ts';
import { keyHeaders } from './key.ts';

/** Changes of one moment are shown together. */
const TOGETHER_MS = 300;
const MAX_PAUSE_SECONDS = 60;

const watchers = new Set<() => void>();
const returns = new Set<() => void>();
let isOpen = false;

function open(next: boolean): void {
  isOpen = next;
  for (const watcher of watchers) watcher();
}

/** The link for subscriptions. It connects with the first one, and again whenever the connection is lost. */
export const liveLink = (): GraphQLWsLink =>
  new GraphQLWsLink(
    createClient({
      url: `${location.origin.replace(/^http/, 'ws')}${ENDPOINT}`,
      connectionParams: keyHeaders,
      retryAttempts: Number.POSITIVE_INFINITY,
      shouldRetry: () => true,
      on: {
        connected: (_socket, _payload, wasRetry) => {
          open(true);
          if (wasRetry) for (const listener of returns) listener();
        },
        closed: () => open(false),
      },
    }),
  );

/**
 * Follows a subscription, whose messages are in the cache when they are heard. One that the gateway ends is begun again, after a pause that grows;
 * null follows nothing.
 */
export function useFollow<Data, Variables extends OperationVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
  onData: (data: Data) => void,
): void {
  const ends = useRef(0);
  const { restart } = useSubscription<Data, OperationVariables>(
    document as TypedDocumentNode<Data, OperationVariables>,
    variables
      ? {
          variables,
          ignoreResults: true,
          onData: ({ data: { data } }) => {
            ends.current = 0;
            if (data) onData(data as Data);
          },
          onError: () => {
            setTimeout(restart, Math.min(2 ** ends.current++, MAX_PAUSE_SECONDS) * 1_000);
          },
        }
      : skipToken,
  );
}

/** Whether changes arrive. */
export const useIsLive = (): boolean =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isOpen,
  );

/**
 * A function to call when something has changed: it reads again, once for all changes of a moment, and never twice at the same time. It is called, too,
 * when the connection is back, because changes were missed.
 */
export function useReadAgain(read: () => Promise<unknown>): () => void {
  const latest = useRef(read);
  latest.current = read;
  const state = useRef<'idle' | 'waiting' | 'reading' | 'stale'>('idle');
  const changed = useRef((): void => {
    if (state.current === 'reading') state.current = 'stale';
    if (state.current !== 'idle') return;
    state.current = 'waiting';
    setTimeout(async () => {
      state.current = 'reading';
      // What could not be read is shown as it was; the next change reads again.
      await latest.current().catch(() => {});
      const isStale = (state.current as string) === 'stale';
      state.current = 'idle';
      if (isStale) changed.current();
    }, TOGETHER_MS);
  });
  useEffect(() => {
    const listener = (): void => changed.current();
    returns.add(listener);
    return () => void returns.delete(listener);
  }, []);
  return changed.current;
}
