// Standard Webhooks: generates and checks secrets, and makes the three headers that sign a message.
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

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

/** The headers of one delivery. During a rotation both secrets sign, so that a receiver can change at any time. */
export function signatureHeaders({ id, sentAt, body }: WebhookMessage, secrets: readonly string[]): Record<string, string> {
  if (secrets.length === 0) throw new Error(`message ${id} has no secret to sign it with`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => signer(secret).sign(id, sentAt, body)).join(' '),
  };
}

const signer = (secret: string): Webhook => (secret.startsWith(PREFIX) ? new Webhook(secret) : new Webhook(secret, { format: 'raw' }));
