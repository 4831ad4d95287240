// Outbound HTTP: what may be called. `callOut` makes a single call, which reaches a URL of a customer only on the public internet.
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { storableText } from '../records/storable.ts';
import { refuseAddress } from './private-addresses.ts';

export interface OutboundRequest {
  url: string;
  method?: 'POST' | 'GET';
  headers?: Record<string, string>;
  body?: string;
}

/** `failed`: the network or the other side failed, and a retry may succeed. `refused`: this file rejected the URL, and a retry cannot succeed. */
export type OutboundResult =
  | { kind: 'response'; status: number; headers: { retryAfter: string | null }; bodySnippet: string; durationMs: number }
  | { kind: 'refused'; reason: string; durationMs: number }
  | { kind: 'failed'; reason: string; code: string; durationMs: number };

export type Resolver = (host: string) => Promise<LookupAddress[]>;

export interface OutboundOptions {
  /** Development and tests only: allows http and every address. */
  allowPrivate?: boolean;
  /** Total time for look-up, connection, response and the stored part of the body. Default 15 s. */
  timeoutMs?: number;
  /** Bytes of the response body to keep; default 1,024, which is what the delivery log shows. */
  keepBytes?: number;
  signal?: AbortSignal;
  resolver?: Resolver;
}

const TIMEOUT_MS = 15_000;
const MAX_URL = 2048;
/** Bytes of the response stored in the delivery log. */
const SNIPPET_BYTES = 1024;

class Refusal extends Error {}

const resolveAll: Resolver = (host) =>
  new Promise((resolve, reject) => {
    systemLookup(host, { all: true, verbatim: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/**
 * Why a URL may not be called, judged by its text alone; null when it may. The WHATWG parser first turns decimal, octal and hexadecimal
 * forms of an address into the dotted one, so that `http://2130706433` is judged as 127.0.0.1.
 */
export function refuseUrl(text: string, { allowPrivate = false }: Pick<OutboundOptions, 'allowPrivate'> = {}): string | null {
  if (text.length > MAX_URL) return `longer than ${MAX_URL} characters`;
  // The parser drops tabs and line breaks and reads a backslash as a slash; a URL that needs such repair is not what it seems.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'not an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'only https is allowed';
  if (url.username !== '' || url.password !== '') return 'user name and password are not allowed in the URL';
  if (text.includes('#')) return 'a fragment is not allowed in the URL';
  if (allowPrivate) return null;
  const host = url.hostname.replace(/\.$/, '');
  if (host.startsWith('[') || isIP(host) !== 0) return refuseAddress(host);
  return /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/.test(host) || !host.includes('.')
    ? `${host} is not a public name`
    : null;
}

/** Longest wait for the addresses of a host name when a URL is registered. */
const LOOKUP_MS = 2_000;

/**
 * As `refuseUrl`, and also looks the host name up: every address it has must be public. For registration only: each call checks again, so
 * a name that has no address yet, or whose name servers are slow, may be registered.
 */
export async function refuseResolvedUrl(text: string, options: OutboundOptions = {}): Promise<string | null> {
  const refusal = refuseUrl(text, options);
  if (refusal || options.allowPrivate) return refusal;
  const host = new URL(text).hostname;
  if (host.startsWith('[') || isIP(host) !== 0) return null;
  try {
    await Promise.race([resolvePublic(host, options.resolver ?? resolveAll), setTimeout(LOOKUP_MS, undefined, { ref: false })]);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error.message : null;
  }
}

async function resolvePublic(host: string, resolver: Resolver): Promise<LookupAddress[]> {
  const addresses = await resolver(host);
  if (addresses.length === 0) throw new Refusal(`${host} has no address`);
  for (const { address } of addresses) {
    const refusal = refuseAddress(address);
    if (refusal) throw new Refusal(`${host}: ${refusal}`);
  }
  return addresses;
}

/** The socket connects to the address that was checked, so a name server that returns something else the second time gains nothing. */
function checkedLookup(resolver: Resolver, allowPrivate: boolean): LookupFunction {
  return (host, options, callback) => {
    const resolved = allowPrivate ? resolver(host) : resolvePublic(host, resolver);
    resolved.then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      },
      (error) => callback(error, ''),
    );
  };
}

/** The options of connections that reach only public addresses, unless private ones are allowed. */
export const checkedConnection = (allowPrivate: boolean, resolver: Resolver = resolveAll) => ({
  lookup: checkedLookup(resolver, allowPrivate),
});

/** The reason why the address check ended a call; null when something else did. */
export const refusalOf = (error: unknown): string | null => {
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return reason instanceof Refusal ? reason.message : null;
};

/** Makes the call. Never throws and never follows a redirect: a 3xx is a response like any other. */
export async function callOut(call: OutboundRequest, options: OutboundOptions = {}): Promise<OutboundResult> {
  const { allowPrivate = false, timeoutMs = TIMEOUT_MS, keepBytes = SNIPPET_BYTES } = options;
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const refusal = refuseUrl(call.url, options);
  if (refusal) return { kind: 'refused', reason: refusal, durationMs: 0 };

  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  let outgoing: ClientRequest | undefined;
  try {
    // Node's client and not undici, which takes an unexpected 100 for a broken response; a client must read over it (RFC 9110 section 15.2).
    const { request } = process.getBuiltinModule(call.url.startsWith('https:') ? 'node:https' : 'node:http');
    // A connection of its own, so that no call depends on what an earlier response left behind.
    const connection = { agent: false as const, ...checkedConnection(allowPrivate, options.resolver) };
    outgoing = request(call.url, { ...connection, method: call.method ?? 'POST', headers: call.headers ?? {}, signal });
    const response = await responseOf(outgoing, call.body);
    const bodySnippet = storableText(await readSnippet(response, keepBytes));
    return {
      kind: 'response',
      status: response.statusCode!,
      headers: { retryAfter: response.headers['retry-after'] ?? null },
      bodySnippet,
      durationMs: elapsed(),
    };
  } catch (error) {
    return failure(error, timeout.aborted, timeoutMs, elapsed());
  } finally {
    outgoing?.destroy();
  }
}

/** Sends the body and waits for the final response. A connection that changes to another protocol, which no call asks for, has none. */
const responseOf = (outgoing: ClientRequest, body: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('upgrade', () => reject(new Error('the receiver changed the protocol')));
    outgoing.on('response', resolve);
    outgoing.end(body);
  });

/**
 * The beginning of a response as text. Reads `keepBytes` at most; the connection is dropped afterwards, so an endless body costs nothing. The status
 * alone decides the outcome, so the part received of a body that breaks off or is late is kept.
 */
export async function readSnippet(body: AsyncIterable<Buffer>, keepBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= keepBytes) break;
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, keepBytes).toString('utf8');
}

function failure(error: unknown, timedOut: boolean, timeoutMs: number, durationMs: number): OutboundResult {
  if (error instanceof Refusal) return { kind: 'refused', reason: error.message, durationMs };
  if (timedOut) return { kind: 'failed', code: 'TIMEOUT', reason: `no complete response within ${timeoutMs} ms`, durationMs };
  const { code = 'NETWORK', message = String(error) } = error as { code?: string; message?: string };
  return { kind: 'failed', code: String(code), reason: message || String(code), durationMs };
}
