// One log line per request: method, path without its query (which may hold keys), status, duration, request id.
// Written on pino directly: pino-http makes a child logger per request, which cost a tenth of a small request's CPU.
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';

/** Probes that monitoring sends every few seconds. */
const unlogged = new Set(['/livez', '/readyz', '/metrics']);

/** Logs each request when its answer is sent, or its connection was lost before. */
export function requestLog(logger: Logger): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const path = request.url.split('?', 1)[0]!;
    if (!unlogged.has(path)) {
      const start = performance.now();
      response.once('close', () => {
        const status = response.writableFinished ? response.statusCode : 0;
        const entry = {
          requestId: (request as unknown as { id: string }).id,
          method: request.method,
          path,
          status,
          ms: Math.round((performance.now() - start) * 10) / 10,
        };
        if (status >= 500) logger.error(entry, 'request');
        else logger.info(entry, 'request');
      });
    }
    next();
  };
}
