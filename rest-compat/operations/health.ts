// The paths for operators and code generators: liveness, readiness, the GraphQL schema and the OpenAPI documents.
import { extname } from 'node:path';
import { StaticContent } from '../../src/http/static-content.ts';
import type { Adapter } from '../../src/server/app.ts';
import { publications } from '../openapi/contracts.ts';

/** YAML is named as RFC 9512 names it. */
const mediaTypes: Record<string, string> = {
  '.graphql': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
};

const ping = { name: 'ready', text: 'select 1' };

/** Mounts the paths that belong to no surface. */
export const healthAdapter: Adapter = (app, options) => {
  const { database } = options.services;
  app.get('/livez', (_, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_, response) => {
    if (options.isDraining) {
      response.status(503).json({ status: 'stopping' });
      return;
    }
    const ready = await database.read(ping, []).then(
      () => true,
      () => false,
    );
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'waiting for the database' });
  });
  for (const [file, read] of publications(options.schema)) {
    const content = new StaticContent(async () => Buffer.from(await read()));
    const type = mediaTypes[extname(file)]!;
    app.get(`/${file}`, (request, response, next) => {
      content.send(request, response, { 'Content-Type': type, 'Cache-Control': 'public, no-cache' }).catch(next);
    });
  }
};
