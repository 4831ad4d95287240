// The first steps of every HTTP request, whichever door it takes: its id, its caller, its share of the rate limit.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Principal } from './access.ts';
import type { RequestContext, Services } from './context.ts';
import { GatewayError } from './errors.ts';

const validId = /^[A-Za-z0-9._-]{8,128}$/;

/** Keeps a valid `X-Request-Id` of the caller's, or makes one, and answers with it. */
export function requestIdOf(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && validId.test(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', id);
  return id;
}

/** The credential headers, by the name rows use. */
export const credentialHeaders = {
  bearer: 'authorization',
  'x-api-key': 'x-api-key',
  'x-service-key': 'x-service-key',
  api_key: 'api_key',
} as const;

export type CredentialName = keyof typeof credentialHeaders;

/** How the documentation of each header names it. */
const missingMessages: Record<CredentialName, string> = {
  bearer: 'Missing bearer token',
  'x-api-key': 'Missing x-api-key header',
  'x-service-key': 'Missing x-service-key header',
  api_key: 'Missing or unknown api_key',
};

const unknownMessages: Record<CredentialName, string> = {
  bearer: 'Invalid bearer token',
  'x-api-key': 'Invalid API key',
  'x-service-key': 'Invalid API key',
  api_key: 'Missing or unknown api_key',
};

/** The value of a credential header, or undefined. */
export function credentialValue(request: IncomingMessage, name: CredentialName): string | undefined {
  const header = request.headers[credentialHeaders[name]];
  if (typeof header !== 'string' || header === '') return undefined;
  if (name !== 'bearer') return header;
  return /^Bearer +(\S+)$/i.exec(header)?.[1];
}

/** The caller by one header; UNAUTHENTICATED when it is missing or not a live key. */
export function authenticate(services: Services, request: IncomingMessage, name: CredentialName): Principal | Promise<Principal> {
  const value = credentialValue(request, name);
  if (value === undefined) {
    const field = `/headers/${credentialHeaders[name]}`;
    throw new GatewayError(
      'UNAUTHENTICATED',
      missingMessages[name],
      name === 'api_key' ? {} : { field, faults: [{ field, code: 'REQUIRED', message: missingMessages[name] }] },
    );
  }
  const found = services.keys.find(value);
  return found instanceof Promise ? found.then((principal) => known(principal, name)) : known(found, name);
}

function known(principal: Principal | null, name: CredentialName): Principal {
  if (!principal) throw new GatewayError('UNAUTHENTICATED', unknownMessages[name]);
  return principal;
}

/** The caller on /graphql, where any one of the headers counts; null without a credential. */
export async function authenticateAny(services: Services, request: IncomingMessage): Promise<Principal | null> {
  const given = (Object.keys(credentialHeaders) as CredentialName[]).flatMap((name) => {
    const value = credentialValue(request, name);
    return value === undefined ? [] : [{ name, value }];
  });
  if (given.length === 0) return null;
  if (new Set(given.map((entry) => entry.value)).size > 1)
    throw new GatewayError('INVALID_PARAMS', 'several different credentials were sent');
  return authenticate(services, request, given[0]!.name);
}

/** A context for one request. */
export function requestContext(services: Services, requestId: string, principal: Principal | null, ip: string | null): RequestContext {
  return { services, requestId, principal, coerced: new WeakSet(), primary: false, ip };
}

/** Allowance of requests per key: a burst, refilled at the rate per minute. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory | undefined;
  readonly #burst: number;

  constructor(perMinute: number, burst: number) {
    this.#burst = burst;
    if (perMinute > 0 && burst > 0)
      this.#limiter = new RateLimiterMemory({ points: burst, duration: Math.max(1, Math.round((burst * 60) / perMinute)) });
  }

  /** Takes one request from the allowance and sets the headers; RATE_LIMIT_EXCEEDED when it is used up. */
  async take(key: string, response: ServerResponse, now: Date): Promise<void> {
    if (!this.#limiter) return;
    const state = await this.#limiter.consume(key).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    response.setHeader('X-RateLimit-Limit', this.#burst);
    response.setHeader('X-RateLimit-Remaining', state.remainingPoints);
    response.setHeader('X-RateLimit-Reset', Math.ceil((now.getTime() + state.msBeforeNext) / 1_000));
    if (state.consumedPoints > this.#burst) {
      throw new GatewayError('RATE_LIMIT_EXCEEDED', 'too many requests with this key', {
        retryAfterSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1_000)),
      });
    }
  }
}
