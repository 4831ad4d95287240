// Reads the bytes of a request body up to a limit, and drops the rest of a body that is not read.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { GatewayError } from '../records/errors.ts';
import { joined } from '../runtime/joined.ts';
import { owned } from '../runtime/owned.ts';

/** How long the rest of an unread body is received and dropped. */
const DROPPED_MS = 2_000;

const decoders: Record<string, () => NodeJS.ReadWriteStream & Readable> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Calls `refuse` once when more than `limit` bytes have arrived; the reader must then stop storing them. */
export function refuseBeyond(source: Readable, limit: number, refuse: (error: GatewayError) => void): void {
  let size = 0;
  source.on('data', (part: Buffer) => {
    if (size > limit) return;
    size += part.length;
    if (size > limit) refuse(new GatewayError('PAYLOAD_TOO_LARGE', 'the body is too large'));
  });
}

/** Listens to the errors of a request whose body is read; calls `lost` when the connection ends before the body, or has ended already. */
export function ownBody(request: IncomingMessage, lost: (error: Error) => void): void {
  owned(request, lost);
  if (request.destroyed) lost(new Error('the connection ended before the body was read'));
}

/**
 * The whole body, decompressed. Rejects with PAYLOAD_TOO_LARGE as soon as the announced, the sent or the decompressed length exceeds `limit`, and
 * with UNSUPPORTED_MEDIA_TYPE for an unknown content encoding. A body that is damaged or ends early is rejected with the error of the stream.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) throw new GatewayError('PAYLOAD_TOO_LARGE', 'the body is too large');
    let parts: Buffer[] | undefined = [];
    let source: Readable = request;
    const refuse = (error: Error): void => {
      parts = undefined;
      if (source !== request) {
        request.unpipe();
        source.destroy();
      }
      reject(error);
    };
    const decoder = decoderOf(request);
    if (decoder) source = request.pipe(owned(decoder, refuse));
    refuseBeyond(request, limit, refuse);
    ownBody(request, refuse);
    if (decoder) refuseBeyond(decoder, limit, refuse);
    source.on('data', (part: Buffer) => parts?.push(part));
    source.once('end', () => parts && resolve(joined(parts)));
  });
}

function decoderOf(request: IncomingMessage): ReturnType<(typeof decoders)[string]> | undefined {
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return undefined;
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (!decoder) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the content encoding of the body is not supported');
  return decoder();
}

/** Drops the rest of a body; resolves when it has ended, after two seconds at the latest. */
export function dropRest(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (request.complete || request.destroyed) {
      resolve();
      return;
    }
    const timer = setTimeout(over, DROPPED_MS);
    function over(): void {
      clearTimeout(timer);
      request.off('close', over);
      resolve();
    }
    request.once('close', over);
    request.resume();
  });
}
