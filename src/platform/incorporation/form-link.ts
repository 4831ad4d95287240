// The signed link to the form of an incorporation request: valid for 24 hours, or until another one is issued.
import { randomBytes } from 'node:crypto';
import type { Services } from '../../access/context.ts';
import { GatewayError } from '../../records/errors.ts';
import type { StoredRecord } from '../../records/metadata.ts';
import { publicOrigin } from '../../security/signed-urls.ts';
import { type IncorporationRequest, isOpen } from './request.ts';

/** How long a link works. */
const LINK_MS = 24 * 3_600_000;

/** The stored values that the key of a link signs. */
type SignedFacts = Pick<IncorporationRequest, 'id' | 'country' | 'nonce'>;

/** The stored values a link is built from. */
export type LinkFacts = StoredRecord<IncorporationRequest, keyof SignedFacts | 'linkExpiresAt'>;

/** The nonce and the expiry of a new link. Storing them invalidates the previous link. */
export const newLink = ({ clock }: Services): Pick<IncorporationRequest, 'nonce' | 'linkExpiresAt'> => ({
  nonce: randomBytes(16).toString('base64url'),
  linkExpiresAt: new Date(clock.now().getTime() + LINK_MS),
});

const payloadOf = (id: string, country: string, nonce: string, expiry: string): string => `v1.${id}.${country}.${nonce}.${expiry}`;

/** The link of a request. */
export function formLink({ config, signer }: Services, { id, country, nonce, linkExpiresAt }: LinkFacts): string {
  const expiry = Math.floor(Date.parse(linkExpiresAt) / 1_000).toString(36);
  const key = `${expiry}.${signer.sign('incorporation', payloadOf(id, country, nonce, expiry))}`;
  return `${publicOrigin(config)}/incorporate/${country.toLowerCase()}/${id}?key=${key}`;
}

/** Whether a key belongs to the current link of a request, and whether it has expired. */
export function checkFormKey({ clock, signer }: Services, { id, country, nonce }: SignedFacts, key: string): 'good' | 'expired' | 'wrong' {
  const cut = key.indexOf('.');
  const expiry = key.slice(0, Math.max(cut, 0));
  if (!/^[0-9a-z]{1,10}$/.test(expiry) || !signer.verify('incorporation', payloadOf(id, country, nonce, expiry), key.slice(cut + 1)))
    return 'wrong';
  return Number.parseInt(expiry, 36) * 1_000 <= clock.now().getTime() ? 'expired' : 'good';
}

/** Issues a new form link for an open request, which is locked; the previous link stops working. */
export function reissueLink(request: IncorporationRequest, services: Services): void {
  if (!isOpen(request.status)) {
    throw new GatewayError(
      'INVALID_STATE_TRANSITION',
      `incorporationStatus is ${request.status}; a link is issued only while it is NotSubmitted or NeedsAdditionalInfo`,
      { field: 'id' },
    );
  }
  const { nonce, linkExpiresAt } = newLink(services);
  request.nonce = nonce;
  request.linkExpiresAt = linkExpiresAt;
  request.linkRequestedAt = null;
  request.updatedAt = services.clock.now();
}
