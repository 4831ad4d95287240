// Standard Webhooks: how secrets are made and judged, and the three headers that sign a message.
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const PREFIX = 'whsec_';

/** A secret of our making: the prefix and 32 random bytes in base64, which is what verifying libraries expect. */
export const generateSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/**
 * Why a secret supplied by a caller cannot be used, or null. One that starts with `whsec_` is base64, as verifying libraries read it; any
 * other is used as the bytes it is written with.
 */
export function refuseSecret(secret: string): string | null {
  if (!/^[\x20-\x7e]{24,256}$/.test(secret)) return 'must have 24 to 256 printable ASCII characters';
  if (!secret.startsWith(PREFIX)) return null;
  const encoded = secret.slice(PREFIX.length);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return `must be padded base64 after ${PREFIX}`;
  return bytes.length >= 16 ? null : `must hold at least 16 bytes after ${PREFIX}`;
}

/** What may be shown of a secret: its prefix and the last four characters. */
export const previewSecret = (secret: string): string => `${secret.startsWith(PREFIX) ? PREFIX : ''}…${secret.slice(-4)}`;

export interface WebhookMessage {
  /** Stable over retries; receivers recognise a repetition by it. */
  id: string;
  sentAt: Date;
  /** Exactly what is sent: the signature covers these bytes. */
  body: string;
}

/** The headers of one delivery. During a rotation both secrets sign, so that a receiver may change over at any moment. */
export function signatureHeaders({ id, sentAt, body }: WebhookMessage, secrets: readonly string[]): Record<string, string> {
  if (secrets.length === 0) throw new Error(`message ${id} has no secret to sign it with`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => signer(secret).sign(id, sentAt, body)).join(' '),
  };
}

const signer = (secret: string): Webhook => (secret.startsWith(PREFIX) ? new Webhook(secret) : new Webhook(secret, { format: 'raw' }));
