// Mounts the pages for people: before the paths that programs use, and after everything else, where a browser would otherwise get a JSON error.
import type { NextFunction, Request, Response } from 'express';
import { publicError, statusOf } from '../../rest-compat/runtime/error-bodies.ts';
import { GatewayError } from '../../src/records/errors.ts';
import type { Adapter, AdapterOptions } from '../../src/server/app.ts';
import type { DocumentationOf } from './documentation.ts';
import { type Pages, pagesOf } from './pages.ts';

const titles: Readonly<Record<number, string>> = { 404: 'There is nothing here', 410: 'This link has expired', 429: 'Too many requests' };

/** Whether `ADMIN_PORT` takes a page over. */
const isDocumentation = (path: string): boolean => /^\/(docs(\.md|\/.*)?|llms\.txt)$/.test(path);

/** The adapters of the pages. */
export function pagesAdapters(documentationOf: DocumentationOf): { pages: Adapter; problems: Adapter } {
  let made: Pages | undefined;
  const pagesFor = (options: AdapterOptions): Pages => (made ??= pagesOf(documentationOf(options)));
  return {
    pages: (app, options) => {
      const { router } = pagesFor(options);
      if (options.admin === app) {
        app.use(router);
        return;
      }
      app.use((request, response, next) => (isDocumentation(request.path) ? next() : router(request, response, next)));
      // The documentation, and the files that its pages load.
      options.admin.use((request, response, next) =>
        isDocumentation(request.path) || request.path.startsWith('/assets/') ? router(request, response, next) : next(),
      );
    },
    problems: (app, options) => {
      const { problem } = pagesFor(options);
      const isShown = (error: GatewayError, request: Request, response: Response): boolean => {
        const status = statusOf(error.code);
        // Server errors are logged and rendered by the last adapter.
        if (status >= 500 || response.headersSent) return false;
        const title = titles[status] ?? 'This does not work';
        if (!problem(request, response, { status, title, text: error.message, code: error.code })) return false;
        request.errorCodes = [error.code];
        return true;
      };
      app.use((request: Request, response: Response, next: NextFunction) => {
        if (!isShown(new GatewayError('ROUTE_NOT_FOUND', `No page has the address ${request.path}.`), request, response)) next();
      });
      app.use((thrown: unknown, request: Request, response: Response, next: NextFunction) => {
        if (!isShown(publicError(thrown), request, response)) next(thrown);
      });
    },
  };
}
