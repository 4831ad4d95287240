// One log line per request: method, path without its query (which may hold keys), status, duration, request id.
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';

/** Logs each request when its answer is sent. */
export function requestLog(logger: Logger): (request: Request, response: Response, next: NextFunction) => void {
  const log = pinoHttp({
    logger,
    genReqId: (request) => (request as unknown as { id: string }).id,
    autoLogging: { ignore: (request) => request.url === '/livez' || request.url === '/readyz' || request.url === '/metrics' },
    quietReqLogger: true,
    customLogLevel: (_, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
    serializers: {
      req: (request: { method: string; url: string }) => ({ method: request.method, path: request.url.split('?', 1)[0] }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
  });
  return (request, response, next) => {
    log(request, response);
    next();
  };
}
