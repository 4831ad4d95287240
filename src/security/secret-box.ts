// Encrypts stored secrets that must stay readable (webhook signing keys): AES-256-GCM under a key derived from the SIGNING_SECRET setting.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretBox {
  /** `owner` names the row that holds the secret. The sealed text opens only for the same owner, so it cannot be moved to another row. */
  seal(secret: string, owner: string): string;
  /** Throws when the text was altered, belongs to another owner or was sealed under another SIGNING_SECRET. */
  open(sealed: string, owner: string): string;
}

const VERSION = 'v1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function createSecretBox(signingSecret: string): SecretBox {
  if (signingSecret.length < 16) throw new Error('SIGNING_SECRET must have at least 16 characters');
  const key = Buffer.from(hkdfSync('sha256', signingSecret, '', 'ledger-gateway secret box v1', 32));
  return {
    seal(secret, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      if (!sealed.startsWith(VERSION) || bytes.length < IV_BYTES + TAG_BYTES)
        throw new Error(`the sealed secret of ${owner} has an unknown form`);
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new Error(`the sealed secret of ${owner} does not open: altered, or sealed under another SIGNING_SECRET`, { cause });
      }
    },
  };
}
