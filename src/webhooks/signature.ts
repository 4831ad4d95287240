// Standard Webhooks: generates and checks secrets, and makes the three headers that sign a message.
import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Signer } from '../security/signer.ts';

const PREFIX = 'whsec_';

/** A new secret: the prefix and 32 random bytes in base64, as verifying libraries expect. */
export const generateSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/**
 * Why a secret from a caller cannot be used, or null. A secret that starts with `whsec_` must be base64, because verifying libraries decode it;
 * any other is used as its bytes.
 */
export function refuseSecret(secret: string): string | null {
  if (!/^[\x20-\x7e]{24,256}$/.test(secret)) return 'must have 24 to 256 printable ASCII characters';
  if (!secret.startsWith(PREFIX)) return null;
  const encoded = secret.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return `must be padded base64 after ${PREFIX}`;
  return bytes.length >= 16 ? null : `must hold at least 16 bytes after ${PREFIX}`;
}

/** The part of a secret that may be shown: its prefix and the last four characters. */
export const previewSecret = (secret: string): string => `${secret.startsWith(PREFIX) ? PREFIX : ''}…${secret.slice(-4)}`;

export interface WebhookMessage {
  /** Stable over retries; receivers recognise duplicates by it. */
  id: string;
  sentAt: Date;
  /** Exactly what is sent: the signature covers these bytes. */
  body: string;
}

/** The private key of a webhook. Each has its own, so that a message to one receiver is no message to another. */
export const signingKey = (signer: Signer, webhookId: string): KeyObject => signer.signingKey('webhook', webhookId);

/** The public key of a private one, as the specification writes it: a prefix and the 32 bytes in base64. */
export function publicKeyOf(privateKey: KeyObject): string {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return `whpk_${Buffer.from(x!, 'base64url').toString('base64')}`;
}

/**
 * The headers of one delivery, signed by secrets (`v1`) and by the private key (`v1a`). During a rotation both secrets sign, so that a receiver can
 * change at any time.
 */
export function signatureHeaders(
  { id, sentAt, body }: WebhookMessage,
  secrets: readonly string[],
  privateKey: KeyObject,
): Record<string, string> {
  if (secrets.length === 0) throw new Error(`message ${id} has no secret to sign it with`);
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const asymmetric = sign(null, Buffer.from(`${id}.${timestamp}.${body}`), privateKey).toString('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': [...secrets.map((secret) => signer(secret).sign(id, sentAt, body)), `v1a,${asymmetric}`].join(' '),
  };
}

const signer = (secret: string): Webhook => (secret.startsWith(PREFIX) ? new Webhook(secret) : new Webhook(secret, { format: 'raw' }));
