// Links that open one path for a while without a credential, and the address callers reach us at.
import type { Config } from '../config.ts';
import type { Services } from './context.ts';

/** The address callers reach the gateway at, without a trailing slash. */
export const publicOrigin = (config: Config): string => config.publicUrl ?? `http://${config.host}:${config.port}`;

/** A link to a path that works until its time is over. */
export function signedLink({ config, clock, signer }: Services, path: string, milliseconds: number): string {
  const expires = Math.ceil((clock.now().getTime() + milliseconds) / 1_000);
  return `${publicOrigin(config)}${path}?expires=${expires}&signature=${signer.sign('link', `${path} ${expires}`)}`;
}

/** Whether the query of a signed link is ours and still good. */
export function checkLink({ clock, signer }: Services, path: string, query: ReadonlyMap<string, string>): 'good' | 'expired' | 'wrong' {
  const expires = query.get('expires') ?? '';
  if (!/^\d{1,12}$/.test(expires) || !signer.verify('link', `${path} ${expires}`, query.get('signature') ?? '')) return 'wrong';
  return Number(expires) * 1_000 < clock.now().getTime() ? 'expired' : 'good';
}
