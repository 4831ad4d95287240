// The signed link to the form of an incorporation request: valid for 24 hours, or until another one is issued.
import { randomBytes } from 'node:crypto';
import type { Services } from '../../access/context.ts';
import { publicOrigin } from '../../security/signed-urls.ts';

/** How long a link works. */
const LINK_MS = 24 * 3_600_000;

/** The stored values a link is built from. */
export interface LinkFacts {
  id: string;
  country: string;
  nonce: string;
  /** ISO 8601. */
  linkExpiresAt: string;
}

/** The nonce and the expiry of a new link. Storing them invalidates the previous link. */
export const newLink = ({ clock }: Services): { nonce: string; linkExpiresAt: string } => ({
  nonce: randomBytes(16).toString('base64url'),
  linkExpiresAt: new Date(clock.now().getTime() + LINK_MS).toISOString(),
});

const payloadOf = (id: string, country: string, nonce: string, expiry: string): string => `v1.${id}.${country}.${nonce}.${expiry}`;

/** The link of a request. */
export function formLink({ config, signer }: Services, { id, country, nonce, linkExpiresAt }: LinkFacts): string {
  const expiry = Math.floor(Date.parse(linkExpiresAt) / 1_000).toString(36);
  const key = `${expiry}.${signer.sign('incorporation', payloadOf(id, country, nonce, expiry))}`;
  return `${publicOrigin(config)}/incorporate/${country.toLowerCase()}/${id}?key=${key}`;
}

/** Whether a key belongs to the current link of a request, and whether it has expired. */
export function checkFormKey({ clock, signer }: Services, { id, country, nonce }: LinkFacts, key: string): 'good' | 'expired' | 'wrong' {
  const cut = key.indexOf('.');
  const expiry = key.slice(0, Math.max(cut, 0));
  if (!/^[0-9a-z]{1,10}$/.test(expiry) || !signer.verify('incorporation', payloadOf(id, country, nonce, expiry), key.slice(cut + 1)))
    return 'wrong';
  return Number.parseInt(expiry, 36) * 1_000 <= clock.now().getTime() ? 'expired' : 'good';
}
