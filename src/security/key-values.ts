// The values of access keys: how they are made, recognised, hashed and previewed. Knows no record.
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: bigint, length: number): string {
  let rest = value;
  let digits = '';
  while (digits.length < length) {
    digits = ALPHABET[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return digits;
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), 6);

/** A new key value: `ent_`, 43 characters for 256 random bits, 6 for a CRC32 that lets scanners recognise it and typing mistakes fail without a look-up. */
export const newKeyValue = (): string => keyValueFrom(randomBytes(32));

/** The key value made of 32 given bytes, for keys that can be derived again instead of being stored. */
export function keyValueFrom(bytes: Buffer): string {
  const body = `ent_${base62(BigInt(`0x${bytes.toString('hex')}`), 43)}`;
  return body + checksum(body);
}

/** Whether a text has the form of a key value with a right checksum. */
export const isKeyValue = (value: string): boolean =>
  /^ent_[0-9A-Za-z]{49}$/.test(value) && checksum(value.slice(0, -6)) === value.slice(-6);

/** SHA-256 of a credential, hexadecimal: the only form in which it is stored. */
export const hashOf = (value: string): string => hash('sha256', value, 'hex');

/** Prefix and last four characters of a value, by which people recognise a key. */
export const previewOf = (value: string): string => `${value.slice(0, 8)}…${value.slice(-4)}`;
