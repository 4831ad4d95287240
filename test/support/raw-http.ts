// Requests whose responses are seen as they were sent: compressed, with every header.
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { request } from 'undici';

const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };

export interface RawResponse {
  status: number;
  headers: Record<string, string | undefined>;
  /** The bytes as sent. */
  bytes: Buffer;
  /** The text after decoding. */
  text: string;
}

/** Sends a request; the response is not decoded. */
export async function rawRequest(
  origin: string,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<RawResponse> {
  const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await request(origin + path, {
    method: method as 'GET',
    headers: { ...json, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.body.arrayBuffer());
  const coding = response.headers['content-encoding'];
  const decoded = typeof coding === 'string' && bytes.length > 0 ? decoders[coding]!(bytes) : bytes;
  return { status: response.statusCode, headers: response.headers as RawResponse['headers'], bytes, text: decoded.toString() };
}
