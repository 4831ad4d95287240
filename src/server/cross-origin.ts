// Pages of other origins: which may call the gateway from a browser, and what they may read of its responses.
import cors from 'cors';
import type { RequestHandler } from 'express';
import { type Config, isLoopback } from '../config.ts';

/** Headers of responses that scripts of another origin may read, besides those that browsers always show. */
export const exposedHeaders = [
  'ETag',
  'Idempotency-Replayed',
  'Retry-After',
  'X-GraphQL-Operation',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** How long a browser keeps what a preflight allowed. Chromium takes two hours at most, and Firefox a day. */
const MAX_AGE_SECONDS = 7_200;

/** Pages that a developer serves on the same machine. */
const DEVELOPMENT = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;

type Origins = Pick<Config, 'corsOrigins' | 'host'>;

/** The configured origins; while the gateway is bound to loopback, those of development too. */
const allowedOrigins = ({ corsOrigins, host }: Origins): (string | RegExp)[] => [
  ...corsOrigins,
  ...(isLoopback(host) ? [DEVELOPMENT] : []),
];

/** Whether pages of an origin may call the gateway. */
export const isAllowedOrigin = (config: Origins, origin: string): boolean =>
  allowedOrigins(config).some((allowed) => (typeof allowed === 'string' ? allowed === origin : allowed.test(origin)));

/** Responds to preflights and allows the pages of allowed origins. */
export function crossOriginRequests(config: Origins): RequestHandler {
  const origin = allowedOrigins(config);
  const allow = cors({ origin, exposedHeaders, maxAge: MAX_AGE_SECONDS });
  // Most requests are those of programs, and each header that is set on a response costs a small request some of its CPU.
  return (request, response, next) => {
    if (origin.length === 0 || request.headers.origin === undefined) return next();
    // The response to a preflight ends here.
    request.responseHeaders.applyTo(response);
    allow(request, response, next);
  };
}
