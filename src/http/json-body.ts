// Reads a JSON body: checks its type, size and form, and finds numbers that a double cannot hold exactly.

import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../records/errors.ts';
import { significantDigits } from '../records/scalars.ts';
import { readBody } from './request-body.ts';

// A double may change a JSON number of 16 or more digits; only bodies that hold such a run of digits are checked number by number.
const longNumber = /[\d.]{16}/;

/** The parsed body of a request; undefined when it has none. */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type))
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be sent as application/json');
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be sent as UTF-8');
  const bytes = await readBody(request, limit).catch((error: Error) => {
    throw error instanceof GatewayError ? error : notJson();
  });
  return bytes.length === 0 ? undefined : parseJson(utf8.decode(bytes));
}

const utf8 = new TextDecoder();
const notJson = (): GatewayError => new GatewayError('INVALID_JSON', 'the body is not well-formed JSON');

/** The value of a JSON text, with NaN in the place of numbers that a double cannot hold exactly. */
export function parseJson(text: string): unknown {
  try {
    return longNumber.test(text) ? JSON.parse(text, inexactAsNaN) : JSON.parse(text);
  } catch {
    // Malformed JSON, or values nested so deeply that visiting each of them overflows the stack.
    throw notJson();
  }
}

type SourceReviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

/** Turns a number that a double cannot hold exactly into NaN, which no JSON text parses to; the input coercer then refuses it by its path. */
const inexactAsNaN: SourceReviver = (_, value, context) =>
  // Integers that a double holds exactly, such as ids, may have a digit more.
  typeof value === 'number' && context?.source && significantDigits(context.source) > 15 && !Number.isSafeInteger(value)
    ? Number.NaN
    : value;
