// The first steps of every HTTP request on either endpoint: its id, its caller, its context.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { RequestContext, Services } from '../access/context.ts';
import type { Principal } from '../access/principal.ts';
import { GatewayError } from '../records/errors.ts';

const validId = /^[A-Za-z0-9._-]{8,128}$/;

/** The caller's `X-Request-Id` if it is valid, else a new id. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && validId.test(given) ? given : randomUUID();
}

/** The path for a request target that does not begin with a slash: of an absolute URL (RFC 9112 section 3.2.2) its path, of anything else a path that no route serves. */
export const pathOfTarget = (target: string): string => /^https?:\/\/[^/?#]*(\/.*)?$/i.exec(target)?.[1] ?? `/${target}`;

/** The parts of a request that identify its caller: headers and connection. */
export type Caller = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The address of a caller: the nearest hop that is not a trusted proxy, as Express reports it in `request.ip`. */
export function addressOf({ headers, socket }: Caller, trustedProxies: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').reverse();
  const hops = [socket.remoteAddress ?? '', ...forwarded.map((address) => address.trim()).filter((address) => address !== '')];
  return hops[Math.min(trustedProxies, hops.length - 1)]!;
}

/** The key of an address in allowances: for IPv6 its 64-bit network, because one caller has all addresses of such a network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.toByteArray().slice(0, 8).join('.') : parsed.toString();
}

/** The credential headers, by the name that routes use. */
export const credentialHeaders = {
  bearer: 'authorization',
  'x-api-key': 'x-api-key',
  'x-service-key': 'x-service-key',
  api_key: 'api_key',
} as const;

export type CredentialName = keyof typeof credentialHeaders;

/** Messages of the documentation for an absent header. */
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
export function credentialValue(request: Pick<Caller, 'headers'>, name: CredentialName): string | undefined {
  const header = request.headers[credentialHeaders[name]];
  if (typeof header !== 'string' || header === '') return undefined;
  if (name !== 'bearer') return header;
  return /^Bearer +(\S+)$/i.exec(header)?.[1];
}

/** The caller by one header. UNAUTHENTICATED when it is missing or not a live key, RATE_LIMIT_EXCEEDED after too many wrong credentials from its address. */
export function authenticate(services: Services, request: Caller, name: CredentialName): Principal | Promise<Principal> {
  const value = credentialValue(request, name);
  if (value === undefined) {
    throw new GatewayError('UNAUTHENTICATED', missingMessages[name], name === 'api_key' ? {} : { header: credentialHeaders[name] });
  }
  const found = services.keys.find(value, (check) =>
    services.failedCredentials.judge(networkOf(addressOf(request, services.config.trustedProxies)), check),
  );
  return found instanceof Promise ? found.then((principal) => known(principal, name)) : known(found, name);
}

function known(principal: Principal | null, name: CredentialName): Principal {
  if (!principal) throw new GatewayError('UNAUTHENTICATED', unknownMessages[name]);
  return principal;
}

const credentialNames = Object.keys(credentialHeaders) as CredentialName[];

/** The caller on /graphql, where any one of the headers may be sent; null without a credential. */
export function authenticateAny(services: Services, request: Caller): Principal | null | Promise<Principal> {
  const given = credentialNames.filter((name) => credentialValue(request, name) !== undefined);
  const [first] = given;
  if (first === undefined) return null;
  if (new Set(given.map((name) => credentialValue(request, name))).size > 1)
    throw new GatewayError('INVALID_PARAMS', 'several different credentials were sent');
  return authenticate(services, request, first);
}

/** A context for one request. */
export function requestContext(
  services: Services,
  requestId: string,
  principal: Principal | null,
  ip: string | null,
  isRest = false,
): RequestContext {
  return { services, requestId, principal, coerced: new WeakSet(), primary: false, ip, isRest };
}
