// Mounts the pages for people: before the paths that programs use, and after everything else, where a browser would otherwise get a JSON error.
import { readFileSync } from 'node:fs';
import type { NextFunction, Request, Response } from 'express';
import type { DemoKeys } from '../../src/demo/demo.ts';
import { GatewayError } from '../../src/records/errors.ts';
import { packagePath } from '../../src/runtime/package-root.ts';
import type { Adapter, AdapterOptions } from '../../src/server/app.ts';
import { publicError, statusOf } from '../runtime/error-bodies.ts';
import { pagesModel } from './gateway-model.ts';
import { type Pages, pagesOf } from './pages.ts';

/** The version of the gateway. */
export const { version } = JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string };

const titles: Readonly<Record<number, string>> = { 404: 'There is nothing here', 410: 'This link has expired', 429: 'Too many requests' };

/** Whether `ADMIN_PORT` takes a page over. */
const isDocumentation = (path: string): boolean => path === '/docs' || path.startsWith('/docs/');

/** The adapters of the pages. Pass demo keys only when demo data is on, because the pages show them to everybody. */
export function pagesAdapters(demo: DemoKeys | null): { pages: Adapter; problems: Adapter } {
  let made: Pages | undefined;
  const pagesFor = ({ schema, services }: AdapterOptions): Pages => (made ??= pagesOf(pagesModel(schema, services, demo, version)));
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
