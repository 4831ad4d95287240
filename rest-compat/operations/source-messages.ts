// Takes the messages that sources send of changes. They need no key: the connector of the source checks their signature.

import type { Response } from 'express';
import { addressOf, networkOf } from '../../src/http/authentication.ts';
import type { RequestWithId } from '../../src/http/request.ts';
import { readBody } from '../../src/http/request-body.ts';
import { takeSourceMessage } from '../../src/integrations/syncs/source-messages.ts';
import { GatewayError } from '../../src/records/errors.ts';
import type { Adapter, AdapterOptions } from '../../src/server/app.ts';

const PATH = /^\/hooks\/([a-z0-9_]{1,64})$/;
/** Most bytes of a message. */
const MAX_BYTES = 1_048_576;

/** Mounts the address, on every host; errors are left to the last adapter. */
export const sourceMessageAdapter: Adapter = (app, options) => {
  app.use((request, response, next) => {
    const match = PATH.exec(request.url.split('?', 1)[0]!);
    if (match) take(options, request, response, match[1]!).catch(next);
    else next();
  });
};

async function take({ services, rateLimit }: AdapterOptions, request: RequestWithId, response: Response, id: string): Promise<void> {
  if (request.method !== 'POST') throw new GatewayError('METHOD_NOT_ALLOWED', 'method not allowed; use POST', { allow: ['POST'] });
  rateLimit.take(networkOf(addressOf(request, services.config.trustedProxies)), response, services.clock.now());
  const body = await readBody(request, MAX_BYTES);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value].flat()[0]]));
  await takeSourceMessage(services, id, { headers, body });
  response.status(200).end();
}
