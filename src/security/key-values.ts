// The values of access keys: making, recognising, hashing and previewing them. No database access.
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: bigint, length: number): string {
  let remainder = value;
  let digits = '';
  while (digits.length < length) {
    digits = ALPHABET[Number(remainder % 62n)] + digits;
    remainder /= 62n;
  }
  return digits;
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), 6);

/** A new key value: `ent_`, 43 characters for 256 random bits, 6 for a CRC32. By the CRC32 scanners recognise a key, and a mistyped one fails without a look-up. */
export const newKeyValue = (): string => keyValueFrom(randomBytes(32));

/** The key value of 32 given bytes, for keys that are derived again instead of stored. */
export function keyValueFrom(bytes: Buffer): string {
  const body = `ent_${base62(BigInt(`0x${bytes.toString('hex')}`), 43)}`;
  return body + checksum(body);
}

/** Whether a text has the form of a key value and a correct checksum. */
export const isKeyValue = (value: string): boolean =>
  /^ent_[0-9A-Za-z]{49}$/.test(value) && checksum(value.slice(0, -6)) === value.slice(-6);

/** SHA-256 of a credential, hexadecimal: the only stored form. */
export const hashOf = (value: string): string => hash('sha256', value, 'hex');

/** Prefix and last four characters of a value, by which people recognise a key. */
export const previewOf = (value: string): string => `${value.slice(0, 8)}…${value.slice(-4)}`;
