// The catalogue of errors states the real statuses: those of /graphql, provoked one by one, and those of the routes.
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../rest-compat/routes/routes.ts';
import { statusesOf } from '../../rest-compat/runtime/error-bodies.ts';
import { operationLimits } from '../../src/graphql/query-cost.ts';
import type { ErrorCode } from '../../src/records/errors.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';

const gateway = useGateway({ rateLimitPerMinute: 600, rateLimitBurst: 60 });
let key: string;
let stated: Record<string, Record<string, number[]>>;
beforeAll(async () => {
  key = await gateway.key(['PLATFORM', 'INTEGRATIONS']);
  const { errors } = (await gateway.send('GET', '/docs/errors.json')).body as {
    errors: { code: string; status: Record<string, number[]> }[];
  };
  stated = Object.fromEntries(errors.map(({ code, status }) => [code, status]));
});

const post = (body: unknown, headers: Record<string, string> = {}): Promise<GatewayResponse> =>
  gateway.send('POST', '/graphql', { headers: { authorization: `Bearer ${key}`, ...headers }, body });
const ask = (query: string, headers: Record<string, string> = {}): Promise<GatewayResponse> => post({ query }, headers);
const raw = (text: string | Uint8Array, type = 'application/json'): Promise<GatewayResponse> =>
  gateway.send('POST', '/graphql', { headers: { authorization: `Bearer ${key}`, 'content-type': type }, raw: text });

const JSON_ALONE = { accept: 'application/json' };
const corporation = (name: string): string =>
  `mutation { createCorporation(input: { legalName: "${name}", jurisdiction: "US", state: "DE" }) { corporation { id } } }`;
const wide = `{ ${Array.from({ length: operationLimits.rootFields + 1 }, (_, at) => `c${at}: company(id: ${at + 1}) { name }`).join(' ')} }`;

/** Sends a key again with another body, with these `headers`. */
async function reused(headers: Record<string, string>): Promise<GatewayResponse> {
  const repeated = { 'idempotency-key': `key-${JSON.stringify(headers).length}` };
  await ask(corporation('First'), repeated);
  return ask(corporation('Second'), { ...repeated, ...headers });
}

describe('statuses of /graphql', () => {
  it.each<[ErrorCode, number | null, string, () => Promise<GatewayResponse>]>([
    ['UNAUTHENTICATED', 401, 'a wrong key', () => gateway.graphql('wrong', '{ companies { nodes { name } } }')],
    ['UNAUTHENTICATED', 401, 'a field without a key', () => gateway.graphql(null, '{ companies { nodes { name } } }')],
    ['FORBIDDEN', 200, 'a role that is missing', () => ask('{ accessKeys(organisationName: "x") { id } }')],
    ['INVALID_PARAMS', 400, 'a field that does not exist', () => ask('{ nothing }')],
    ['INVALID_PARAMS', 200, 'a field that does not exist, for a client of JSON alone', () => ask('{ nothing }', JSON_ALONE)],
    ['INVALID_PARAMS', 200, 'an argument that a resolver refuses', () => ask('{ companies(first: 1000) { nodes { name } } }')],
    ['MISSING_PARAMS', 400, 'a variable that is missing', () => ask('query ($id: ID!) { company(id: $id) { name } }')],
    ['INVALID_CURSOR', 200, 'a damaged cursor', () => ask('{ companies(after: "x") { nodes { name } } }')],
    ['COMPANY_NOT_FOUND', 200, 'an unknown company', () => ask('{ company(id: 99999999) { name } }')],
    ['CORPORATION_NOT_FOUND', 200, 'an unknown corporation', () => ask('{ corporation(id: "corp_1") { id } }')],
    ['QUERY_TOO_COMPLEX', 400, 'too many root fields', () => ask(wide)],
    ['QUERY_TOO_COMPLEX', 200, 'too many root fields, for a client of JSON alone', () => ask(wide, JSON_ALONE)],
    ['IDEMPOTENCY_KEY_REUSED', 400, 'a key with another body', () => reused({})],
    ['IDEMPOTENCY_KEY_REUSED', 200, 'a key with another body, for a client of JSON alone', () => reused(JSON_ALONE)],
    ['INVALID_JSON', 400, 'a cut-off body', () => raw('{"query":"{ com')],
    ['INVALID_JSON', 400, 'a cut-off body, for a client of JSON alone', () => raw('{')],
    ['UNSUPPORTED_MEDIA_TYPE', 415, 'a body that is text', () => raw('{}', 'text/plain')],
    ['PAYLOAD_TOO_LARGE', 413, 'a body above the limit', () => raw(new Uint8Array(operationLimits.bodyMegabytes * 1_048_576 + 1).fill(32))],
    [
      'METHOD_NOT_ALLOWED',
      405,
      'another method',
      () => gateway.send('PUT', '/graphql', { headers: { authorization: `Bearer ${key}` }, body: {} }),
    ],
  ])('%s comes with a stated status (%s) for %s', async (code, status, _, send) => {
    const response = await send();
    expect([response.body.errors[0].extensions.code, response.status]).toEqual([code, status ?? response.status]);
    expect(stated[code]!.graphql).toContain(response.status);
  });

  it('RATE_LIMIT_EXCEEDED comes with 429, and with 200 where a field of a running operation waited too long', async () => {
    const own = await gateway.key(['PLATFORM']);
    let response = await gateway.graphql(own, '{ corporations { totalCount } }');
    for (let sent = 0; sent < 200 && response.status === 200; sent++)
      response = await gateway.graphql(own, '{ corporations { totalCount } }');
    expect([response.body.errors[0].extensions.code, response.status]).toEqual(['RATE_LIMIT_EXCEEDED', 429]);
    expect(stated.RATE_LIMIT_EXCEEDED!.graphql).toEqual([429, 200]);
  });

  it('codes of REST alone state no status of GraphQL, those of jobs none at all', () => {
    for (const code of ['ROUTE_NOT_FOUND', 'ASYNC_REQUIRED']) expect(stated[code]).not.toHaveProperty('graphql');
    for (const code of ['CANCELLED', 'JOB_TIMEOUT', 'PLATFORM_RATE_LIMIT_EXCEEDED']) expect(stated[code]).toEqual({});
  });
});

describe('statuses of REST', () => {
  it.each<[ErrorCode, string, number[]]>([
    // Some routes document 400 for an id that does not exist, others 404.
    ['CORPORATION_NOT_FOUND', 'platform', [400, 404]],
    ['PRODUCT_NOT_FOUND', 'platform', [400]],
    ['RECORD_ALREADY_EXISTS', 'platform', [400, 409]],
    ['WEBHOOK_NOT_FOUND', 'platform', [400]],
    ['OPERATION_DENIED', 'address', [409]],
    ['RECORD_NOT_FOUND', 'integrations', [404]],
    ['RATE_LIMIT_EXCEEDED', 'address', [429]],
  ])('%s on the %s surface states %j', (code, surface, statuses) => {
    expect(statusesOf(code, routes)[surface]).toEqual(statuses);
    expect(stated[code]![surface]).toEqual(statuses);
  });

  it('every status that a route declares is stated', () => {
    for (const { surface, statuses = {} } of routes)
      for (const [code, status] of Object.entries(statuses)) expect(stated[code]![surface], code).toContain(status);
  });

  it('both statuses of a corporation that does not exist are sent', async () => {
    const headers = { authorization: `Bearer ${key}` };
    expect((await gateway.send('GET', '/api/v1/corporations/corp_1', { headers })).status).toBe(404);
    expect((await gateway.send('POST', '/api/v1/corporations/corp_1', { headers, body: { legal_name: 'A' } })).status).toBe(400);
  });
});
