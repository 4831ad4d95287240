// The operators' and contract paths: signs of life, readiness, the schema and the OpenAPI documents.
import type { Door } from '../src/app.ts';
import { contracts } from './contracts.ts';

const ping = { name: 'ready', text: 'select 1' };

/** Mounts the paths that belong to no surface. */
export const operationsDoor: Door = (app, kit) => {
  const { database } = kit.services;
  app.get('/livez', (_, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', async (_, response) => {
    if (kit.isDraining) {
      response.status(503).json({ status: 'stopping' });
      return;
    }
    const ready = await database.read(ping, [], true).then(
      () => true,
      () => false,
    );
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'waiting for the database' });
  });
  for (const [file, text] of contracts(kit.schema)) {
    app.get(`/${file}`, (_, response) => {
      response.type(file.endsWith('.json') ? 'application/json' : 'text/plain; charset=utf-8').send(text);
    });
  }
};
