// Links that open one path for a while without a credential, and the address callers reach us at.

import type { Config } from '../config.ts';
import type { Signer } from './signer.ts';

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** Whether an address to bind stands for every interface, so that nobody can call it; the parser of URLs knows the other spellings (`0`, `::0`). */
function isWildcard(host: string): boolean {
  const url = `http://${bracketed(host)}`;
  return URL.canParse(url) && ['0.0.0.0', '[::]'].includes(new URL(url).hostname);
}

/** The address this machine reaches the gateway at, without a trailing slash. */
export const localOrigin = ({ host, port }: Pick<Config, 'host' | 'port'>): string =>
  `http://${isWildcard(host) ? 'localhost' : bracketed(host)}:${port}`;

/**
 * The address callers reach the gateway at, without a trailing slash: PUBLIC_URL, or the one this machine reaches it at. Never the `Host` of a
 * request: whoever sends one could have a signed link lead to a server of theirs.
 */
export const publicOrigin = (config: Config): string => config.publicUrl ?? localOrigin(config);

/** Whether links say `localhost`, which leads callers elsewhere to their own machine. */
export const linksStayHere = ({ host, publicUrl }: Config): boolean => publicUrl === undefined && isWildcard(host);

/** What signing a link takes. */
interface Signing {
  config: Config;
  clock: { now(): Date };
  signer: Signer;
}

/** A link to a path that works until its time is over. */
export function signedLink({ config, clock, signer }: Signing, path: string, milliseconds: number): string {
  const expires = Math.ceil((clock.now().getTime() + milliseconds) / 1_000);
  return `${publicOrigin(config)}${path}?expires=${expires}&signature=${signer.sign('link', `${path} ${expires}`)}`;
}

/** Whether the query of a signed link is ours and still good. */
export function checkLink({ clock, signer }: Signing, path: string, query: ReadonlyMap<string, string>): 'good' | 'expired' | 'wrong' {
  const expires = query.get('expires') ?? '';
  if (!/^\d{1,12}$/.test(expires) || !signer.verify('link', `${path} ${expires}`, query.get('signature') ?? '')) return 'wrong';
  return Number(expires) * 1_000 < clock.now().getTime() ? 'expired' : 'good';
}
