// One log line per request: method, path without its query (which may hold keys), status, duration, request id, trace id.
// Written on pino directly: pino-http makes a child logger per request, which cost a tenth of a small request's CPU.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '@opentelemetry/api';
import type { Logger } from 'pino';

/** What is told of a request when its answer was sent, or its connection was lost before. */
export type RequestObserver = (
  request: IncomingMessage & { id: string; originalUrl: string; span?: Span },
  response: ServerResponse,
  ms: number,
) => void;

/** Probes that monitoring sends every few seconds. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/** The path of a request; undefined for a probe, which is neither logged nor counted. */
export function observedPath(request: { originalUrl: string }): string | undefined {
  const path = request.originalUrl.split('?', 1)[0]!;
  return probes.has(path) ? undefined : path;
}

/** Status of an answer; 0 when the caller left before its end. */
export const statusSent = (response: ServerResponse): number => (response.writableFinished ? response.statusCode : 0);

/** The trace of a request, where an operator has switched tracing on. */
const traceOf = (span: Span | undefined): { traceId?: string } => (span ? { traceId: span.spanContext().traceId } : {});

/** Logs each request. */
export function requestLog(logger: Logger): RequestObserver {
  return (request, response, ms) => {
    const path = observedPath(request);
    if (path === undefined) return;
    const status = statusSent(response);
    const entry = { requestId: request.id, method: request.method, path, status, ms: Math.round(ms * 10) / 10, ...traceOf(request.span) };
    if (status >= 500) logger.error(entry, 'request');
    else logger.info(entry, 'request');
  };
}
