// One log line per request: who asked for what, what it cost and how it ended. Of the address only the path, because a query may hold keys.
// Uses pino directly, because pino-http makes a child logger per request, which cost a tenth of the CPU of a small request.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { RequestCost, RequestWithId } from './request.ts';

/** What observers look at; probes and upgrades lack what the pipeline adds. */
export type ObservedRequest = IncomingMessage & { id: string; originalUrl: string; span?: Span; cost?: RequestCost } & Partial<
    Pick<RequestWithId, 'context' | 'operation' | 'graphql' | 'errorCodes'>
  >;

/** The codes of the errors that were sent to the caller. */
export const errorCodesOf = ({ context, errorCodes }: Pick<ObservedRequest, 'context' | 'errorCodes'>): readonly string[] =>
  context?.errorCodes ?? errorCodes ?? [];

/** Called for a request when its response was sent or its connection was lost. */
export type RequestObserver = (request: ObservedRequest, response: ServerResponse, ms: number) => void;

/** Paths that monitoring requests every few seconds. */
const probes = new Set(['/livez', '/readyz', '/metrics']);

/** The path of a request; undefined for a probe, which is neither logged nor counted. */
export function observedPath(request: { originalUrl: string }): string | undefined {
  const path = request.originalUrl.split('?', 1)[0]!;
  return probes.has(path) ? undefined : path;
}

/** Status of a response; 0 when the connection ended before all of it was sent. */
export const statusSent = (response: ServerResponse): number => (response.writableFinished ? response.statusCode : 0);

/** The trace id of a request, where the operator has enabled tracing. */
const traceOf = (span: Span | undefined): { traceId?: string } => (span ? { traceId: span.spanContext().traceId } : {});

/** The organisation and the id of the key; of a person or operator the identity. */
function callerOf({ context }: ObservedRequest): { organisation?: string | null; key?: string } {
  return context?.principal ? { organisation: context.principal.organisation, key: context.principal.identity } : {};
}

/** What ran, the first error, the statements and the bytes of the response with its headers. */
function outcomeOf(request: ObservedRequest): object {
  const { operation = request.graphql?.name, cost } = request;
  const [error] = errorCodesOf(request);
  return {
    ...(operation === undefined ? {} : { operation }),
    ...(error === undefined ? {} : { error }),
    ...(cost ? { statements: cost.statements.sent, bytes: request.socket.bytesWritten - cost.sentBefore } : {}),
  };
}

/** Logs each request. */
export function requestLog(logger: Logger): RequestObserver {
  return (request, response, ms) => {
    const path = observedPath(request);
    if (path === undefined) return;
    const status = statusSent(response);
    const entry = {
      requestId: request.id,
      method: request.method,
      path,
      status,
      ms: Math.round(ms * 10) / 10,
      ...callerOf(request),
      ...outcomeOf(request),
      ...traceOf(request.span),
    };
    if (status >= 500) logger.error(entry, 'request');
    else logger.info(entry, 'request');
  };
}
