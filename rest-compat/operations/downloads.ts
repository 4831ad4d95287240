// Serves the files of signed links. They need no credential: the signature of the link authorises the download.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Services } from '../../src/access/context.ts';
import { codingFor, compressing } from '../../src/http/compression.ts';
import { openDownload } from '../../src/platform/files/downloads.ts';
import { GatewayError } from '../../src/records/errors.ts';
import { owned } from '../../src/runtime/owned.ts';
import { checkLink } from '../../src/security/signed-urls.ts';
import type { Adapter } from '../../src/server/app.ts';
import { parseQuery } from '../runtime/route-tree.ts';

const PATH = /^\/api\/v1\/downloads\/([a-z-]+)\/([a-z0-9_]+)$/;

/** Mounts the downloads; errors are left to the last adapter. */
export const downloadAdapter: Adapter = (app, { services }) => {
  app.use((request, response, next) => {
    const [pathname = '', search = ''] = request.url.split('?', 2);
    const match = PATH.exec(pathname);
    if (!match || (request.method !== 'GET' && request.method !== 'HEAD')) {
      next();
      return;
    }
    send(services, request, response, { pathname, search, kind: match[1]!, id: match[2]! }).catch(next);
  });
};

async function send(
  services: Services,
  request: Request,
  response: Response,
  link: { pathname: string; search: string; kind: string; id: string },
): Promise<void> {
  const verdict = checkLink(services, link.pathname, parseQuery(`?${link.search}`));
  if (verdict === 'expired') throw new GatewayError('FILE_NOT_FOUND', 'this link has expired; read the record again for a new one');
  const download = verdict === 'good' ? await openDownload(services, link.kind, link.id) : undefined;
  if (!download) throw new GatewayError('FILE_NOT_FOUND', 'no such file');
  const isText = download.mimeType.startsWith('text/');
  const coding = isText ? codingFor(request) : undefined;
  response.writeHead(200, {
    'Content-Type': isText ? `${download.mimeType}; charset=utf-8` : download.mimeType,
    ...(isText ? { Vary: 'Accept-Encoding' } : {}),
    ...(coding ? { 'Content-Encoding': coding } : {}),
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(download.name).replaceAll("'", '%27')}`,
    'Cache-Control': 'private, no-store',
  });
  if (request.method === 'HEAD') response.end();
  else {
    const content = Readable.from(download.content);
    const coded = coding ? [content, owned(compressing(coding))] : [content];
    await pipeline([...coded, response]).catch(() => response.destroy());
  }
}
