// Reads a JSON body: checks its type, size and form, and finds numbers that a double cannot hold exactly.

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { objectsIn, type RequestTurn } from '../access/request-turn.ts';
import { parseWritten, RepeatedName } from '../json/exact-json.ts';
import { parseInPieces } from '../json/pieces.ts';
import { GatewayError } from '../records/errors.ts';
import { readBody } from './request-body.ts';

/** The parsed body of a request, when it is its turn; undefined when it has none. */
export async function readJson(request: IncomingMessage, limit: number, turn?: RequestTurn): Promise<unknown> {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type))
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be sent as application/json');
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be sent as UTF-8');
  const bytes = await readBody(request, limit).catch((error: Error) => {
    throw error instanceof GatewayError ? error : notJson(error);
  });
  await turn?.parsing(objectsIn(bytes.length));
  if (!isUtf8(bytes)) throw new GatewayError('INVALID_JSON', 'the body is not UTF-8 text');
  return bytes.length === 0 ? undefined : parseInPieces(bytes, asExact).catch((error) => Promise.reject(notJson(error)));
}

const notJson = (error: unknown): GatewayError =>
  new GatewayError(
    'INVALID_JSON',
    error instanceof RepeatedName ? `${error.message}: send each member once` : 'the body is not well-formed JSON',
  );

/** NaN, which no JSON text parses to, takes the place of numbers that a double would change: the coercer rejects it. */
const asExact = (text: string, names?: number): unknown => parseWritten(text, () => Number.NaN, names);

/** The value of a JSON text, as that of a body. */
export function parseJson(text: string): unknown {
  try {
    return asExact(text);
  } catch (error) {
    // Malformed JSON, or values nested so deeply that visiting each of them overflows the stack.
    throw notJson(error);
  }
}
