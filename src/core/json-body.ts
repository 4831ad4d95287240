// Reads a JSON body: its type, its size, its form, and numbers that a double could not hold exactly.

import type { IncomingMessage } from 'node:http';
import { GatewayError, invalid } from './errors.ts';
import { readBody } from './request-body.ts';
import { significantDigits } from './scalars.ts';

// A JSON number of 16 or more digits may not survive as a double; only bodies that hold such a run of digits are looked at closely.
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
  return bytes.length === 0 ? undefined : parsed(utf8.decode(bytes));
}

const utf8 = new TextDecoder();
const notJson = (): GatewayError => new GatewayError('INVALID_JSON', 'the body is not well-formed JSON');

function parsed(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    if (longNumber.test(text)) refuseInexactNumbers(text);
    return body;
  } catch (error) {
    // Besides what is no JSON: values nested so deeply that looking at each of them runs out of stack.
    throw error instanceof GatewayError ? error : notJson();
  }
}

type SourceReviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;

function refuseInexactNumbers(text: string): void {
  const reviver: SourceReviver = (key, value, context) => {
    if (typeof value === 'number' && context?.source) {
      // Integers that a double holds exactly, such as ids, may have a digit more.
      if (significantDigits(context.source) > 15 && !Number.isSafeInteger(value))
        throw invalid(key, `${key} must be a number with at most 15 significant digits`, 'OUT_OF_RANGE');
    }
    return value;
  };
  JSON.parse(text, reviver as (this: unknown, key: string, value: unknown) => unknown);
}
