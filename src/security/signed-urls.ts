// Signed links, which open one path for a limited time without a credential, and the public address of the gateway.

import type { Config } from '../config.ts';
import type { Signer } from './signer.ts';

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Whether a bind address means every interface, which no caller can use as an address. The URL parser normalises other forms (`0`, `::0`). */
function isWildcard(host: string): boolean {
  const url = `http://${bracketed(host)}`;
  return URL.canParse(url) && ['0.0.0.0', '[::]'].includes(new URL(url).hostname);
}

/** The address of the gateway on this machine, without a trailing slash. */
export const localOrigin = ({ host, port }: Pick<Config, 'host' | 'port'>): string =>
  `http://${isWildcard(host) ? 'localhost' : bracketed(host)}:${port}`;

/**
 * The address callers reach the gateway at, without a trailing slash: PUBLIC_URL, or else the address on this machine. Never the `Host`
 * header of a request: with it a caller could point a signed link at another server.
 */
export const publicOrigin = (config: Config): string => config.publicUrl ?? localOrigin(config);

/** Whether links name `localhost`, which takes callers on other machines to their own. */
export const linksStayHere = ({ host, publicUrl }: Config): boolean => publicUrl === undefined && isWildcard(host);

/** The services that signing a link needs. */
interface Signing {
  config: Config;
  clock: { now(): Date };
  signer: Signer;
}

/** A link to a path, valid for the given milliseconds. */
export function signedLink({ config, clock, signer }: Signing, path: string, milliseconds: number): string {
  const expires = Math.ceil((clock.now().getTime() + milliseconds) / 1_000);
  return `${publicOrigin(config)}${path}?expires=${expires}&signature=${signer.sign('link', `${path} ${expires}`)}`;
}

/** Checks the signature and the expiry in the query of a signed link. */
export function checkLink({ clock, signer }: Signing, path: string, query: ReadonlyMap<string, string>): 'good' | 'expired' | 'wrong' {
  const expires = query.get('expires') ?? '';
  if (!/^\d{1,12}$/.test(expires) || !signer.verify('link', `${path} ${expires}`, query.get('signature') ?? '')) return 'wrong';
  return Number(expires) * 1_000 < clock.now().getTime() ? 'expired' : 'good';
}
