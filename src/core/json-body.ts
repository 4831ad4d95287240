// Reads a JSON body: its type, its size, its form, and numbers that a double could not hold exactly.

import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { GatewayError, invalid } from './errors.ts';
import { significantDigits } from './scalars.ts';

const parsers = new Map<number, express.RequestHandler>();

// A JSON number of 16 or more digits may not survive as a double; only bodies that hold such a run of digits are looked at closely.
const longNumber = /[\d.]{16}/;

function parserFor(limit: number): express.RequestHandler {
  let parser = parsers.get(limit);
  if (!parser) {
    const verify = (request: IncomingMessage, _: ServerResponse, buffer: Buffer): void => {
      const text = buffer.toString('latin1');
      if (longNumber.test(text)) (request as { rawBody?: Buffer }).rawBody = buffer;
    };
    parser = express.json({ limit, strict: false, type: () => true, verify });
    parsers.set(limit, parser);
  }
  return parser;
}

/** The parsed body of a request; undefined when it has none. */
export async function readJson(request: express.Request, response: express.Response, limit: number): Promise<unknown> {
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(type))
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the body must be sent as application/json');
  // The parser would read such a body to its end before it tells.
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new GatewayError('PAYLOAD_TOO_LARGE', 'the body is too large');
  await new Promise<void>((resolve, reject) => {
    parserFor(limit)(request, response, (error?: unknown) => (error ? reject(bodyFault(error)) : resolve()));
  });
  const raw = (request as { rawBody?: Buffer }).rawBody;
  if (raw) refuseInexactNumbers(raw.toString('utf8'));
  return request.body;
}

/** What a failing body parser means for the caller. */
function bodyFault(error: unknown): GatewayError {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return new GatewayError('PAYLOAD_TOO_LARGE', 'the body is too large');
  if (status === 415) return new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'the charset or content encoding of the body is not supported');
  return new GatewayError('INVALID_JSON', 'the body is not well-formed JSON');
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
