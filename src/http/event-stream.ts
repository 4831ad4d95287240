// Server-sent events: a response that continues, as GraphQL over SSE sends it, one event per result. It waits for a slow reader and ends with a lost one.
import type { ServerResponse } from 'node:http';
import Negotiator from 'negotiator';
import type { ResponseHeaders } from './response.ts';

const MEDIA_TYPE = 'text/event-stream';
const NAMED = /text\/event-stream/i;

/** `no-transform` keeps proxies from collecting events to compress them, the last one nginx from collecting them at all. */
const HEADERS = {
  'Content-Type': `${MEDIA_TYPE}; charset=utf-8`,
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** An empty comment, so that proxies see life on a stream without events; they close silent ones after 30 to 60 s. */
const PING = ':\n\n';
const PING_MS = 12_000;

/** A reader who has taken nothing for this long is disconnected: its events, and what they hold open, wait with it. */
const STALLED_MS = 60_000;

/** The types of JSON in which results are sent otherwise. */
const JSON_TYPES = ['application/json', 'application/graphql-response+json'];

/**
 * Whether a caller asks for events by name: `only`, or `also` where JSON is accepted too, which a query or mutation is then sent in. A caller who
 * takes any type does not ask: a reader of one response would wait for the end of a stream.
 */
export function eventsWanted(accept: string | undefined): 'only' | 'also' | undefined {
  if (accept === undefined || !NAMED.test(accept)) return undefined;
  const accepted = new Negotiator({ headers: { accept } }).mediaTypes([MEDIA_TYPE, ...JSON_TYPES]);
  if (!accepted.includes(MEDIA_TYPE)) return undefined;
  return accepted.length > 1 ? 'also' : 'only';
}

/** Sends results as events until they end, the caller leaves or it stops reading. The source ends in each case. */
export async function sendEvents(
  responseHeaders: ResponseHeaders,
  response: ServerResponse,
  results: AsyncIterator<unknown, unknown> & AsyncIterable<unknown>,
): Promise<void> {
  const left = (): void => void results.return?.();
  if (response.destroyed) return left();
  response.once('close', left);
  response.writeHead(200, { ...HEADERS, ...responseHeaders.values });
  // Some browsers report the stream as open with the first byte of its body only.
  response.write(PING);
  const ping = setInterval(() => {
    if (!response.writableNeedDrain) response.write(PING);
  }, PING_MS);
  try {
    for await (const result of results) {
      if (response.destroyed) return;
      if (!response.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`)) await taken(response);
    }
    response.end('event: complete\ndata: \n\n');
  } catch (error) {
    response.destroy(error as Error);
  } finally {
    clearInterval(ping);
    response.off('close', left);
    left();
  }
}

/** Resolves when the reader has taken what waits, or is gone. */
function taken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const stalled = setTimeout(() => response.destroy(), STALLED_MS);
    const done = (): void => {
      clearTimeout(stalled);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
