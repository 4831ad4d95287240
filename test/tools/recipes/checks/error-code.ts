// An error code that was added has a status on each surface that returns it, a body, and its place in the published catalogue.
import { expect, it } from 'vitest';
import { routes } from '../../../../rest-compat/routes/routes.ts';
import { renderers, statusesOf, statusOf } from '../../../../rest-compat/runtime/error-bodies.ts';
import { GatewayError } from '../../../../src/records/errors.ts';
import { useGateway } from '../../../support/gateway.ts';

const gateway = useGateway();
const code = 'CORPORATION_LIMIT_REACHED';

it('the code has a status on GraphQL and on the platform API alone, and the body of that surface', () => {
  expect(statusesOf(code, routes)).toEqual({ graphql: [200], platform: [409] });
  const request = { requestId: 'req_1', path: '/api/v1/corporations', now: new Date(0), credential: 'bearer' };
  const error = new GatewayError(code, 'at most 5 corporations');
  expect(renderers.platform(error, statusOf(code), request)).toEqual({
    message: 'at most 5 corporations',
    error: { code, status: 409, details: [], request_id: 'req_1' },
  });
});

it('the catalogue has the code with what it means and how to fix it', async () => {
  const page = await gateway.send('GET', '/docs/errors', { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  expect(page.text).toContain(code);
  expect(page.text).toContain('The organisation has as many corporations as it may have.');
});
