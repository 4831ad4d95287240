// Responses to GET that browsers and caches may keep: their tag, for how long and for whom, and 304 to those who have them.
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { textOf } from '../json/fragment.ts';
import { credentialHeaders } from './authentication.ts';
import type { HttpResponse } from './response.ts';
import { knows } from './static-content.ts';

/**
 * Reference data may be shared for five minutes. A caller's own data is asked for again each time, and mostly returns 304: what another caller
 * has changed is seen at once.
 */
const SHARED = 'public, max-age=300';
const OWN = 'private, no-cache';

/** A cache keeps a response per caller: a key that opens nothing must not get what another one opened. */
const VARY = [...Object.values(credentialHeaders), 'accept', 'origin'].join(', ');

/** A response to GET or HEAD with the headers of caches; 304 where the caller has it. */
export function cacheableResponse(request: IncomingMessage, response: HttpResponse, isShared: boolean): HttpResponse {
  const tag = `"${hash('sha256', textOf(response.body), 'base64url').slice(0, 27)}"`;
  const headers = { ...response.headers, ETag: tag, 'Cache-Control': isShared ? SHARED : OWN, Vary: VARY };
  return knows(request, tag)
    ? { status: 304, headers: { ...headers, Vary: `${VARY}, accept-encoding` }, body: '' }
    : { ...response, headers };
}
