// Compression of responses: the coding that a caller prefers, and the bytes in that coding.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import Negotiator from 'negotiator';

/** Fewer bytes fit one packet, so compressing them would cost CPU and gain no time. */
export const COMPRESSED_FROM = 1_400;

/**
 * Up to this many bytes are compressed on the event loop. A hand-over to another thread costs 0.1 to 0.2 ms of CPU, as much as compressing a page of
 * 100 (33 kB) by zstd. More would hold up other requests for milliseconds.
 */
const SYNCHRONOUS_BYTES = 131_072;

interface Compressor {
  now(bytes: Buffer): Buffer;
  later(bytes: Buffer): Promise<Buffer>;
  /** For content that is compressed once and kept. */
  densely(bytes: Buffer): Promise<Buffer>;
  /** For content that is sent while it is read. */
  stream(): Transform;
}

const brotli = (quality: number, size: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: size },
});
const zstd = (level: number) => ({ params: { [constants.ZSTD_c_compressionLevel]: level } });

const brotliLater = promisify(brotliCompress);
const gzipLater = promisify(gzip);
const zstdLater = promisify(zstdCompress);

/**
 * The codings, those that cost least first. A page of 100 of 36 kB takes 0.08 ms by zstd 3 (4.7 kB), 0.13 ms by brotli 1 (4.9 kB), and 0.2 ms by
 * gzip 1 (5.4 kB); brotli 5 would take 1.4 ms for 4.2 kB, as much as the request itself.
 */
const compressors = {
  zstd: {
    now: (bytes) => zstdCompressSync(bytes, zstd(3)),
    later: (bytes) => zstdLater(bytes, zstd(3)),
    densely: (bytes) => zstdLater(bytes, zstd(19)),
    stream: () => createZstdCompress(zstd(3)),
  },
  br: {
    now: (bytes) => brotliCompressSync(bytes, brotli(1, bytes.length)),
    later: (bytes) => brotliLater(bytes, brotli(1, bytes.length)),
    densely: (bytes) => brotliLater(bytes, brotli(9, bytes.length)),
    stream: () => createBrotliCompress(brotli(1, 0)),
  },
  gzip: {
    now: (bytes) => gzipSync(bytes, { level: 1 }),
    later: (bytes) => gzipLater(bytes, { level: 1 }),
    densely: (bytes) => gzipLater(bytes, { level: 9 }),
    stream: () => createGzip({ level: 1 }),
  },
} satisfies Record<string, Compressor>;

/** A content coding of responses. */
export type Coding = keyof typeof compressors;

const codings = Object.keys(compressors) as Coding[];
const offered = [...codings, 'identity'];

/** The coding of the response to a request; undefined where the caller wants none. Of those a caller ranks alike, the cheapest. */
export function codingFor(request: IncomingMessage): Coding | undefined {
  if (!request.headers['accept-encoding']) return undefined;
  const [first] = new Negotiator(request).encodings(offered, { preferred: codings });
  return first === 'identity' ? undefined : (first as Coding | undefined);
}

/** The bytes in a coding; a promise where they are many. */
export function compressed(bytes: Buffer, coding: Coding): Buffer | Promise<Buffer> {
  const compressor: Compressor = compressors[coding];
  return bytes.length <= SYNCHRONOUS_BYTES ? compressor.now(bytes) : compressor.later(bytes);
}

/** The bytes in a coding, as dense as is reasonable. */
export const denselyCompressed = (bytes: Buffer, coding: Coding): Promise<Buffer> => compressors[coding].densely(bytes);

/** The bytes in each coding of a response that is given again: they are made once, as long as its bytes are the same. */
export class KeptCodings {
  #plain: Buffer | undefined;
  readonly #coded = new Map<Coding, Promise<Buffer>>();

  of(bytes: Buffer, coding: Coding): Promise<Buffer> {
    if (!this.#plain?.equals(bytes)) {
      this.#plain = bytes;
      this.#coded.clear();
    }
    let coded = this.#coded.get(coding);
    if (!coded) {
      coded = denselyCompressed(bytes, coding);
      this.#coded.set(coding, coded);
      coded.catch(() => this.#coded.delete(coding));
    }
    return coded;
  }
}

/** A stream that compresses what it gets. */
export const compressing = (coding: Coding): Transform => compressors[coding].stream();

/** The tag of a representation in a coding. Its bytes differ from those that the strong tag identifies, and the tag still names the version of the content. */
export const tagInCoding = (tag: string): string => (tag.startsWith('W/') ? tag : `W/${tag}`);
