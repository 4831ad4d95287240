// The paths for operators and code generators: liveness, readiness, the GraphQL schema and the OpenAPI documents.
import type { Adapter } from '../../src/server/app.ts';
import { contracts } from '../openapi/contracts.ts';

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
    const ready = await database.read(ping, [], true).then(
      () => true,
      () => false,
    );
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'waiting for the database' });
  });
  for (const [file, text] of contracts(options.schema)) {
    app.get(`/${file}`, (_, response) => {
      response.type(file.endsWith('.json') ? 'application/json' : 'text/plain; charset=utf-8').send(text);
    });
  }
};
