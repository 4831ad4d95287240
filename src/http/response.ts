// Sends the JSON responses of both endpoints, with the headers common to all of them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext } from '../access/context.ts';
import type { JsonBuffer } from '../json/buffer.ts';
import { type Json, textOf } from '../json/fragment.ts';
import { COMPRESSED_FROM, codingFor, compressed, type KeptCodings, tagInCoding } from './compression.ts';
import { CONSISTENCY_HEADER } from './consistency.ts';
import { dropRest } from './request-body.ts';

/** A JSON response without the headers common to all responses. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  /** The JSON of the body; empty for a response without one. */
  body: Json;
  /**
   * Whether no field of the body shows a secret. Only then is it compressed: to a caller who can add text to the body, the length of compressed text
   * reveals what else it contains.
   */
  isWithoutSecrets?: boolean;
  /** Where the body is the same each time: its bytes in the codings, kept by the code that provides it. */
  codings?: KeptCodings | undefined;
}

/** For caches, of a response that says nothing else. A 304 repeats what the response to a caller without the content says (RFC 9110 section 15.4.5). */
export const NOT_STORED = 'no-store';

/** Headers of every JSON response: its type, and that a browser must not frame, execute or store it. */
const JSON_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': NOT_STORED,
};

/**
 * Headers collected while a request is processed, beginning with those of every response: a browser must not guess its type, and comes by TLS alone.
 * Setting them on the response one by one costs a small request three times as much.
 */
export class ResponseHeaders {
  readonly values: Record<string, string | number> = {
    'X-Content-Type-Options': 'nosniff',
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  };

  setHeader(name: string, value: string | number): void {
    this.values[name] = value;
  }

  /** Sets the headers on the response, for a response that is not sent with them. */
  applyTo(response: ServerResponse): void {
    for (const [name, value] of Object.entries(this.values)) response.setHeader(name, value);
  }
}

/** Up to this many bytes, copying the pieces into one costs less than writing each to the socket. */
const ONE_PIECE = 16_384;

const release = (body: Json): void => {
  if (typeof body === 'string') return;
  for (const piece of body) if (typeof piece !== 'string') piece.release();
};

const sizeOf = (piece: string | JsonBuffer): number => (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length);

type RequestInProgress = IncomingMessage & { responseHeaders: ResponseHeaders; context?: Pick<RequestContext, 'token'> };

/** The headers of a response with all request headers by which it varies; the middleware of CORS has named its own on the response. */
function withVary(response: ServerResponse, headers: Record<string, string>, byCoding: boolean): Record<string, string> {
  if (!byCoding && headers.Vary === undefined) return headers;
  const named = [response.getHeader('Vary') ?? [], headers.Vary ?? [], byCoding ? 'Accept-Encoding' : []].flat().join(', ');
  const unique = new Map(named.split(', ').map((name) => [name.toLowerCase(), name]));
  return { ...headers, Vary: [...unique.values()].join(', ') };
}

const bytesOf = (body: Json): Buffer =>
  typeof body === 'string'
    ? Buffer.from(body)
    : Buffer.concat(body.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece.bytes)));

/** Ends the response with a response and the headers collected for it, the consistency token of a mutation among them. */
export function sendResponse(request: RequestInProgress, response: ServerResponse, result: HttpResponse): void {
  const token = request.context?.token;
  if (!token) {
    send(request, response, result);
    return;
  }
  token
    .then((value) => {
      if (value !== undefined) request.responseHeaders.setHeader(CONSISTENCY_HEADER, value);
      send(request, response, result);
    })
    .catch((error) => response.destroy(error));
}

function send(request: RequestInProgress, response: ServerResponse, result: HttpResponse): void {
  const { status, body } = result;
  if (body === '') {
    const headers = withVary(response, result.headers, false);
    response.writeHead(status, { ...request.responseHeaders.values, ...headers });
    response.end();
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, piece) => sum + sizeOf(piece), 0);
  const isCompressible = result.isWithoutSecrets === true && bytes >= COMPRESSED_FROM;
  const headers = withVary(response, result.headers, isCompressible);
  if (isCompressible) {
    const coding = codingFor(request);
    if (coding) {
      const plain = bytesOf(body);
      release(body);
      const tag = headers.ETag === undefined ? {} : { ETag: tagInCoding(headers.ETag) };
      const send = (content: Buffer): void => {
        const own = { 'Content-Encoding': coding, 'Content-Length': content.length };
        response.writeHead(status, { ...JSON_HEADERS, ...request.responseHeaders.values, ...headers, ...tag, ...own });
        response.end(request.method === 'HEAD' ? undefined : content);
      };
      const content = result.codings?.of(plain, coding) ?? compressed(plain, coding);
      if (content instanceof Promise) content.then(send).catch((error) => response.destroy(error));
      else send(content);
      return;
    }
  }
  response.writeHead(status, { ...JSON_HEADERS, 'Content-Length': bytes, ...request.responseHeaders.values, ...headers });
  if (headers.Connection === 'close') {
    // Closing a connection with unread bytes resets it, and the caller would lose the response.
    response.write(textOf(body));
    void dropRest(request).then(() => response.end());
    return;
  }
  if (request.method === 'HEAD') response.end();
  else if (typeof body === 'string' || bytes <= ONE_PIECE) {
    const text = textOf(body);
    release(body);
    // ASCII text has the same bytes in both encodings, and latin1 copies them several times faster than utf8 encodes them.
    response.end(text, bytes === text.length ? 'latin1' : 'utf8');
  } else {
    response.cork();
    for (const piece of body) response.write(typeof piece === 'string' ? piece : piece.bytes);
    // By then the operating system has taken all bytes.
    response.end(() => release(body));
  }
}
