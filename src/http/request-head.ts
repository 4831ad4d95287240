// The head of a request, which is its first line and its headers: its id, its path, and what is rejected before anything else is read.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../records/errors.ts';

const validId = /^[A-Za-z0-9._-]{8,128}$/;

/** The caller's `X-Request-Id` if it is valid, else a new id. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && validId.test(given) ? given : randomUUID();
}

/**
 * The path for a request target that does not begin with a slash. For an absolute URL (RFC 9112 section 3.2.2) it is its path, for anything else a
 * path that no route serves.
 */
export const pathOfTarget = (target: string): string => /^https?:\/\/[^/?#]*(\/.*)?$/i.exec(target)?.[1] ?? `/${target}`;

/** Longest target and headers of a request together: what Node reads by default, so that clients are used to it. */
export const MAX_HEAD_BYTES = 16_384;

/** What the parser reads at most, for a connection whose key is not known yet. Beyond it Node sends a status without a body, and nothing is logged. */
export const PARSED_HEAD_BYTES = 2 * MAX_HEAD_BYTES;

/** The error of a head that is too large or that names its host twice, of which the parser keeps the first and a proxy before it may have read the other. */
export function headError({ url = '', rawHeaders }: IncomingMessage): GatewayError | undefined {
  let bytes = url.length;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    bytes += name.length + rawHeaders[at + 1]!.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  if (bytes > MAX_HEAD_BYTES)
    return new GatewayError('HEADERS_TOO_LARGE', `the URL and the headers have ${bytes} bytes, at most ${MAX_HEAD_BYTES} are allowed`);
  return hosts > 1 ? new GatewayError('INVALID_PARAMS', 'the request has more than one Host header', { header: 'Host' }) : undefined;
}
