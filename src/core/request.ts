// The first steps of every HTTP request, whichever door it takes: its id, its caller, its context.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Principal } from './access.ts';
import type { RequestContext, Services } from './context.ts';
import { GatewayError } from './errors.ts';

const validId = /^[A-Za-z0-9._-]{8,128}$/;

/** Keeps a valid `X-Request-Id` of the caller's, or makes one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && validId.test(given) ? given : randomUUID();
}

/** The path of a request target that is no path: of an absolute URL, as RFC 9112 section 3.2.2 has it; of anything else one that nothing is served at. */
export const pathOfTarget = (target: string): string => /^https?:\/\/[^/?#]*(\/.*)?$/i.exec(target)?.[1] ?? `/${target}`;

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
    throw new GatewayError('UNAUTHENTICATED', missingMessages[name], name === 'api_key' ? {} : { header: credentialHeaders[name] });
  }
  const found = services.keys.find(value);
  return found instanceof Promise ? found.then((principal) => known(principal, name)) : known(found, name);
}

function known(principal: Principal | null, name: CredentialName): Principal {
  if (!principal) throw new GatewayError('UNAUTHENTICATED', unknownMessages[name]);
  return principal;
}

const credentialNames = Object.keys(credentialHeaders) as CredentialName[];

/** The caller on /graphql, where any one of the headers counts; null without a credential. */
export function authenticateAny(services: Services, request: IncomingMessage): Principal | null | Promise<Principal> {
  const given = credentialNames.filter((name) => credentialValue(request, name) !== undefined);
  const [first] = given;
  if (first === undefined) return null;
  if (new Set(given.map((name) => credentialValue(request, name))).size > 1)
    throw new GatewayError('INVALID_PARAMS', 'several different credentials were sent');
  return authenticate(services, request, first);
}

/** A context for one request. */
export function requestContext(services: Services, requestId: string, principal: Principal | null, ip: string | null): RequestContext {
  return { services, requestId, principal, coerced: new WeakSet(), primary: false, ip };
}
