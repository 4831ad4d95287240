// The outbound calls of connectors: calls to a source over connections that are kept alive, with bounded responses and the errors of the source as
// ours.
import type { Agent, Dispatcher } from 'undici';
import { parseSourceJson } from '../../json/exact-json.ts';
import { GatewayError } from '../../records/errors.ts';
import { httpDate } from '../../runtime/http-date.ts';
import { checkedConnection, readSnippet, refusalOf, refuseUrl } from '../../security/egress.ts';
import type { SourceHttp, SourceRequest, SourceResponse } from './connector.ts';

/** Longest wait for the head of a response, and between two pieces of its body. */
const TIMEOUT_MS = 60_000;
/** Longest time of a call with its whole response, where no setting names one. */
const CALL_MS = 300_000;
/**
 * Most bytes of one response. A longer one is an error, because a part of it would be taken for the whole. Parsing takes about six times its bytes, and
 * four pulls run at once in the 768 MB of the smallest deployment.
 */
const MAX_BYTES = 20 * 1_048_576;
/** Most bytes of the response of a source that an error repeats. */
const MAX_WORDS = 500;
/** Wait after a rejection for too many requests that names none. */
const PAUSE_SECONDS = 60;
/** Longest pause that a source may ask for. */
const MAX_PAUSE_SECONDS = 86_400;

/** Decides when a call may be made, and learns how calls end. */
export interface CallGate {
  /** Waits until a call may be made. Throws PLATFORM_RATE_LIMIT_EXCEEDED or SourceDown where that is too long to wait. */
  enter(signal: AbortSignal): Promise<void>;
  responded(headers: SourceResponse['headers']): Promise<void>;
  /** The source has limited a call: no other is made for these seconds. */
  limited(seconds: number): Promise<void>;
  failed(): Promise<void>;
}

/** The source cannot be used, whatever is asked of it. A run ends with it instead of continuing with its next data model. */
export class SourceUnusable extends GatewayError {}

/** The source has failed so often that it is not called for a while. A run ends with it instead of waiting. */
export class SourceDown extends SourceUnusable {
  constructor(failures: number, until: Date, now: Date) {
    super('PLATFORM_ERROR', `the source failed ${failures} times in a row and is not called before ${until.toISOString().slice(0, 19)}Z`, {
      retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000)),
    });
  }
}

/** How a source is reached. */
export interface SourceHttpOptions {
  /** Hosts that may have private addresses, because the operator named them: at every port, or at one. */
  privateHosts: readonly string[];
  signal: AbortSignal;
  now: () => Date;
  /** Absent for calls that no connection makes. */
  gate?: CallGate;
  /** Header that names the limit that a call has reached. */
  problemHeader?: string | undefined;
  /** Longest wait in milliseconds; a minute when absent. */
  timeoutMs?: number;
  /** Longest time of a call with its whole response, in milliseconds; five minutes when absent. */
  callMs?: number;
  /** Most bytes of one response; 20 MB when absent. */
  mostBytes?: number;
}

/** Calls to the sources of one run. `close` ends its connections. */
export interface OpenSourceHttp {
  http: SourceHttp;
  close(): Promise<void>;
}

/** Opens the way out for one run of a connector. */
export function openSourceHttp({
  privateHosts,
  signal,
  now,
  gate,
  problemHeader,
  timeoutMs = TIMEOUT_MS,
  callMs = CALL_MS,
  mostBytes = MAX_BYTES,
}: SourceHttpOptions): OpenSourceHttp {
  const agents = new Map<boolean, Agent>();
  const agentFor = async (isPrivate: boolean): Promise<Agent> => {
    const known = agents.get(isPrivate);
    if (known) return known;
    const { Agent } = await import('undici');
    const agent = new Agent({
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: mostBytes,
      connect: { ...checkedConnection(isPrivate), timeout: timeoutMs },
    });
    agents.set(isPrivate, agent);
    return agent;
  };
  const http: SourceHttp = async (request) => {
    const allowPrivate = isNamed(privateHosts, request.url);
    const refusal = refuseUrl(request.url, { allowPrivate });
    if (refusal) throw denied(refusal);
    const dispatcher = await agentFor(allowPrivate);
    await gate?.enter(signal);
    const response = await send(dispatcher, request, signal, callMs).catch(async (error: GatewayError) => {
      if (error.code !== 'OPERATION_DENIED' && !signal.aborted) await gate?.failed();
      throw error;
    });
    const { statusCode: status } = response;
    if (status < 500 && status !== 429) await gate?.responded(flat(response.headers));
    if (status >= 300 && status < 400 && status !== 304) throw await redirected(response, request.url);
    if (status !== 401 && status !== 429 && status < 500) return sourceResponse(response, request.method);
    const words = await readSnippet(response.body, MAX_WORDS);
    const error = sourceError(status, words, pauseOf(response.headers, now()), flat(response.headers)[problemHeader ?? '']);
    if (status === 429) await gate?.limited(error.info.retryAfterSeconds!);
    if (status >= 500) await gate?.failed();
    throw error;
  };
  return {
    http,
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** Whether the operator named the host of a URL, alone or with its port. */
function isNamed(hosts: readonly string[], url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  return hosts.includes(hostname) || hosts.includes(`${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);
}

async function send(
  dispatcher: Agent,
  { url, method = 'GET', headers, body }: SourceRequest,
  ending: AbortSignal,
  callMs: number,
): Promise<Dispatcher.ResponseData> {
  const { request } = await import('undici');
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new GatewayError('PLATFORM_TIMEOUT', `the source sent no complete response within ${callMs / 1_000} seconds`));
  }, callMs).unref();
  try {
    const signal = AbortSignal.any([ending, late.signal]);
    const response = await request(url, { dispatcher, method, signal, headers: { ...headers }, body: body ?? null });
    response.body.once('close', () => clearTimeout(timer));
    return response;
  } catch (error) {
    clearTimeout(timer);
    throw callError(error, method);
  }
}

/** The names and values of a response's headers. */
const flat = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(', ')]])));

function sourceResponse({ statusCode, headers, body }: Dispatcher.ResponseData, method = 'GET'): SourceResponse {
  const text = async (): Promise<string> => {
    try {
      return await body.text();
    } catch (error) {
      throw callError(error, method);
    }
  };
  return {
    status: statusCode,
    headers: flat(headers),
    body,
    text,
    json: async () => {
      const content = await text();
      try {
        return parseSourceJson(content);
      } catch {
        throw new GatewayError('PLATFORM_ERROR', 'the source did not return JSON', {
          platformError: { status: statusCode, body: content.slice(0, MAX_WORDS) },
        });
      }
    },
  };
}

/** Seconds to wait, from a `Retry-After` of seconds or of a date (RFC 9110, section 10.2.3), which is one of the clock of the source. */
function pauseOf({ 'retry-after': header, date }: Dispatcher.ResponseData['headers'], now: Date): number | undefined {
  const text = [header ?? []].flat()[0];
  if (text === undefined) return undefined;
  const there = httpDate([date ?? []].flat()[0] ?? '');
  const seconds = /^\d+$/.test(text) ? Number(text) : (httpDate(text) - (there || now.getTime())) / 1_000;
  return Number.isFinite(seconds) ? Math.min(MAX_PAUSE_SECONDS, Math.max(1, Math.ceil(seconds))) : undefined;
}

function sourceError(status: number, body: string, pause: number | undefined, problem: string | undefined): GatewayError {
  const platformError = { status, body };
  if (status === 401) return new GatewayError('CONNECTION_EXPIRED', 'the source does not accept the credentials', { platformError });
  if (status === 429)
    return new GatewayError('PLATFORM_RATE_LIMIT_EXCEEDED', `the source limits the rate of requests${problem ? ` (${problem})` : ''}`, {
      platformError,
      retryAfterSeconds: pause ?? PAUSE_SECONDS,
    });
  return new GatewayError('PLATFORM_ERROR', `the source returned status ${status}`, {
    platformError,
    ...(pause === undefined ? {} : { retryAfterSeconds: pause }),
  });
}

/** The error of a redirect, which is not followed: the address that it names may be anybody's. */
async function redirected({ statusCode: status, headers, body }: Dispatcher.ResponseData, url: string): Promise<GatewayError> {
  await body.dump();
  const target = URL.parse([headers.location ?? ''].flat()[0]!, url);
  const words = target ? ` to ${target.origin}${target.pathname}`.slice(0, MAX_WORDS) : '';
  return new SourceUnusable('PLATFORM_ERROR', `the source returned status ${status}, a redirect${words}, which is not followed`, {
    platformError: { status },
  });
}

const denied = (reason: string): GatewayError => new GatewayError('OPERATION_DENIED', `the source may not be called: ${reason}`);

/** The error of a call without a complete response. A write that was sent may have happened. */
function callError(error: unknown, method: string): GatewayError {
  if (error instanceof GatewayError) return error;
  const refusal = refusalOf(error);
  if (refusal) return denied(refusal);
  const { code = 'NETWORK', name } = error as { code?: string; name?: string };
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return new GatewayError('PLATFORM_ERROR', 'the response of the source is too large');
  const wasSent = method !== 'GET' && method !== 'HEAD' && !/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code);
  if (wasSent || /TIMEOUT/.test(code))
    return new GatewayError('PLATFORM_TIMEOUT', `the source sent no complete response (${code === 'NETWORK' ? name : code})`);
  return new GatewayError('PLATFORM_ERROR', `the source cannot be reached (${code})`);
}
