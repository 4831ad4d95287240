// Encrypts stored secrets that must stay readable (signing keys of webhooks, credentials of sources): AES-256-GCM under keys derived from the settings.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretBox {
  /** `owner` names the row that holds the secret. The sealed text opens only for the same owner, so it cannot be moved to another row. */
  seal(secret: string, owner: string): string;
  /** Throws when the text was altered, belongs to another owner or was sealed under a key that is not among those of the settings. */
  open(sealed: string, owner: string): string;
  /** The beginning of the texts that `seal` makes. It names their key, so that texts of another key can be found. */
  readonly prefix: string;
}

/** A key, and the beginning of what is sealed under it. */
interface SealingKey {
  prefix: string;
  key: Buffer;
}

/** Begins a text that is sealed under SIGNING_SECRET. The other keys have an id of their own after `v2.`. */
const SIGNED = 'v1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 6;

/** Whether a stored text is sealed, under whichever key. */
export const isSealed = (text: string): boolean => /^v(1|2\.[\w-]{8})\./.test(text);

function derived(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `ledger-gateway secret box ${purpose}`, bytes));
}

/** Makes the box. The first of the sealing secrets seals, or else SIGNING_SECRET; all of them open what was sealed under them, and so does that. */
export function createSecretBox(signingSecret: string, sealingSecrets: readonly string[] = []): SecretBox {
  if (signingSecret.length < 16) throw new Error('SIGNING_SECRET must have at least 16 characters');
  const keys = [...sealingSecrets, signingSecret].map(
    (secret): SealingKey =>
      // The signing secret keeps its first form wherever it is stored, so that processes without the list open what it seals.
      secret === signingSecret
        ? { prefix: SIGNED, key: derived(secret, 'v1', 32) }
        : { prefix: `v2.${derived(secret, 'v2 id', ID_BYTES).toString('base64url')}.`, key: derived(secret, 'v2', 32) },
  );
  const [{ prefix, key }] = keys as [SealingKey];
  return {
    prefix,
    seal(secret, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return prefix + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(sealed, owner) {
      const own = keys.find((one) => sealed.startsWith(one.prefix));
      if (!own && isSealed(sealed))
        throw new Error(`the sealed secret of ${owner} does not open: its key is not among those of SEALING_SECRETS`);
      const bytes = Buffer.from(sealed.slice(own?.prefix.length), 'base64url');
      if (!own || bytes.length < IV_BYTES + TAG_BYTES) throw new Error(`the sealed secret of ${owner} has an unknown form`);
      const decipher = createDecipheriv('aes-256-gcm', own.key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new Error(`the sealed secret of ${owner} does not open: altered, or sealed under another SIGNING_SECRET`, { cause });
      }
    },
  };
}
