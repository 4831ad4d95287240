// Sends the JSON answers of both endpoints, with the headers common to all of them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonBuffer } from '../json/buffer.ts';
import { type Json, textOf } from '../json/fragment.ts';
import { dropRest } from './request-body.ts';

/** A JSON answer without the headers common to all answers. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The JSON of the body; empty for an answer without one. */
  body: Json;
}

/** Headers of every JSON answer: its type, and that a browser must not sniff, frame, execute or store it. */
const JSON_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Cache-Control': 'no-store',
};

/** Headers collected while a request is processed. Setting them on the response one by one costs a small request three times as much. */
export class AnswerHeaders {
  readonly values: Record<string, string | number> = {};

  setHeader(name: string, value: string | number): void {
    this.values[name] = value;
  }
}

/** Up to this many bytes, copying the pieces into one costs less than writing each to the socket. */
const ONE_PIECE = 16_384;

const release = (body: Json): void => {
  if (typeof body === 'string') return;
  for (const piece of body) if (typeof piece !== 'string') piece.release();
};

const sizeOf = (piece: string | JsonBuffer): number => (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length);

/** Ends the response with an answer and the headers collected for it. */
export function sendAnswer(
  request: IncomingMessage & { gathered: AnswerHeaders },
  response: ServerResponse,
  { status, headers, body }: Answer,
): void {
  if (body === '') {
    response.writeHead(status, { ...request.gathered.values, ...headers });
    response.end();
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.reduce((sum, piece) => sum + sizeOf(piece), 0);
  response.writeHead(status, { ...JSON_HEADERS, 'Content-Length': bytes, ...request.gathered.values, ...headers });
  if (headers.Connection === 'close') {
    // Closing a connection with unread bytes resets it, and the caller would lose the answer.
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
