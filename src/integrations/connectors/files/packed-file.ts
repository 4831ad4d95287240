// Files that are packed with gzip, as GnuCash saves its books (RFC 1952).
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { invalid } from '../../../records/errors.ts';

const unpack = promisify(gunzip);

/** The shortest file: a header of ten bytes, an empty block of two, checksum and size. */
const MIN_BYTES = 20;

/** How many bytes the content of a packed file has, as its last four bytes say; undefined for any other file. */
export const packedSize = (bytes: Buffer): number | undefined =>
  bytes.length >= MIN_BYTES && bytes[0] === 0x1f && bytes[1] === 0x8b ? bytes.readUInt32LE(bytes.length - 4) : undefined;

/** The content of a packed file, in no more memory than its size says. Throws for a file that is damaged or says another size. */
export async function unpacked(bytes: Buffer, size: number): Promise<Buffer> {
  const content = await unpack(bytes, { maxOutputLength: Math.max(1, size) }).catch(() => undefined);
  if (content?.length !== size)
    throw invalid('file', 'file is a damaged gzip archive, or several in one; unpack it first', 'INVALID_FORMAT');
  return content;
}
