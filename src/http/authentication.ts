// The first steps of every HTTP request on either endpoint: its caller and its context.
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { RequestContext, Services } from '../access/context.ts';
import type { Principal } from '../access/principal.ts';
import { GatewayError } from '../records/errors.ts';

/** The parts of a request that identify its caller: headers and connection. */
export type Caller = Pick<IncomingMessage, 'headers' | 'socket'>;

/** An address as proxies write it: in quotes, in brackets or with a port (RFC 7239 section 6). */
const NODE = /^"?(?:\[([^\]]*)\](?::\d*)?|([\d.]+):\d*|([^"]*))"?$/;

/** The address alone, of an entry of `X-Forwarded-For`; undefined for a name or an empty entry. */
function addressIn(entry: string): string | undefined {
  const [, bracketed, ported, plain] = NODE.exec(entry.trim()) ?? [];
  const address = bracketed ?? ported ?? plain;
  return address !== undefined && ipaddr.isValid(address) ? address : undefined;
}

/** The address of a caller: the nearest hop that is not a trusted proxy. Where that one is no address, it is the hop that has reported it. */
export function addressOf({ headers, socket }: Caller, trustedProxies: number): string {
  let nearest = socket.remoteAddress ?? '';
  const forwarded = trustedProxies > 0 ? headers['x-forwarded-for'] : undefined;
  if (forwarded === undefined) return nearest;
  const hops = [forwarded]
    .flat()
    .join(',')
    .split(',')
    .filter((entry) => entry.trim() !== '');
  for (const hop of hops.slice(-trustedProxies).reverse()) {
    const address = addressIn(hop);
    if (address === undefined) break;
    nearest = address;
  }
  return nearest;
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

/** The credential headers among members that a caller has named as headers, in any case. Throws for one that is no text, or is given twice. */
export function credentialsIn(members: Readonly<Record<string, unknown>>): Record<string, string> {
  const known = new Set<string>(Object.values(credentialHeaders));
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(members)) {
    const header = name.toLowerCase();
    if (!known.has(header) || value === undefined || value === null) continue;
    if (typeof value !== 'string' || (found[header] ?? value) !== value)
      throw new GatewayError('UNAUTHENTICATED', `${header} must be one text`, { header });
    found[header] = value;
  }
  return found;
}

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
