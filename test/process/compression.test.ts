// Compression of responses: by negotiation, from a size, of both endpoints and of static documents, and never where a secret is shown.
import { getIntrospectionQuery, isInterfaceType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMPRESSED_FROM } from '../../src/http/compression.ts';
import { signedLink } from '../../src/security/signed-urls.ts';
import { useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';
import { type RawResponse, rawRequest } from '../support/raw-http.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';

const gateway = useGateway({ corsOrigins: ['https://app.example'] });
let company: TestCompany;
let account: string;

const get = (path: string, coding?: string, more: Record<string, string> = {}, method = 'GET'): Promise<RawResponse> =>
  rawRequest(gateway.origin, method, path, {
    headers: {
      ...company.headers,
      'x-request-id': 'the-same-request',
      ...(coding === undefined ? {} : { 'accept-encoding': coding }),
      ...more,
    },
  });
const graphql = (query: string, coding: string, key = company.key): Promise<RawResponse> =>
  rawRequest(gateway.origin, 'POST', '/graphql', { headers: { api_key: key, 'accept-encoding': coding }, body: { query } });

const anonymous = (query: string, coding: string): Promise<RawResponse> =>
  rawRequest(gateway.origin, 'POST', '/graphql', { headers: { 'accept-encoding': coding }, body: { query } });

beforeAll(async () => {
  company = await buildCompany(gateway);
  for (let made = 0; made < 30; made++) {
    const body = { data: { name: `Account ${made}`, platform_id: `account-${made}`, description: 'x'.repeat(made === 0 ? 2_000 : 10) } };
    const response = await gateway.send('POST', `${company.base}/accounts`, { headers: company.headers, body });
    if (made === 0) account = `${company.base}/accounts/${response.body.data.data.ledger_id}`;
  }
});

describe('a response of many bytes', () => {
  const codings: [accepted: string, used: string | undefined][] = [
    ['zstd', 'zstd'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.1, gzip', 'gzip'],
    ['*', 'zstd'],
    ['zstd;q=0, *', 'br'],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['compress', undefined],
    [';;;,q=,', undefined],
  ];
  it.each(codings)('to Accept-Encoding %s it has the coding %s, on both endpoints', async (accepted, used) => {
    const plain = await get(`${company.base}/accounts`);
    const rest = await get(`${company.base}/accounts`, accepted);
    expect([rest.status, rest.headers['content-encoding'], rest.headers.vary]).toEqual([200, used, 'Accept-Encoding']);
    expect(Number(rest.headers['content-length'])).toBe(rest.bytes.length);
    expect(rest.text.replace(/"request_id":"[^"]*"/, '')).toBe(plain.text.replace(/"request_id":"[^"]*"/, ''));
    if (used) expect(rest.bytes.length).toBeLessThan(plain.bytes.length / 4);
    const query = `{ company(id: ${company.id}) { accounts(first: 30) { nodes { id name description } } } }`;
    // The second one does not pass Apollo.
    for (const response of [await graphql(query, accepted), await graphql(query, accepted)]) {
      expect([response.status, response.headers['content-encoding']]).toEqual([200, used]);
      expect(JSON.parse(response.text).data.company.accounts.nodes).toHaveLength(30);
    }
  });

  it('without Accept-Encoding it is plain, and says by what it varies', async () => {
    const response = await get(`${company.base}/accounts`);
    expect([response.headers['content-encoding'], response.headers.vary]).toEqual([undefined, 'Accept-Encoding']);
  });

  it('to a page of another origin it varies by both', async () => {
    const response = await get(`${company.base}/accounts`, 'gzip', { origin: 'https://app.example' });
    expect([response.headers['access-control-allow-origin'], response.headers.vary]).toEqual([
      'https://app.example',
      'Origin, Accept-Encoding',
    ]);
  });

  it('of more than 128 kB it is compressed next to other requests, with the same result', async () => {
    const query = '{ __schema { types { name fields { name description args { name description } } } } }';
    const plain = await graphql(query, 'identity');
    expect(plain.bytes.length).toBeGreaterThan(131_072);
    for (const coding of ['zstd', 'br', 'gzip']) {
      const response = await graphql(query, coding);
      expect([response.headers['content-encoding'], response.text === plain.text]).toEqual([coding, true]);
    }
  });

  it('standard introspection is compressed once per coding, with a key and without, and before and after Apollo has seen it', async () => {
    const query = getIntrospectionQuery();
    const plain = await graphql(query, 'identity');
    for (const coding of ['zstd', 'br', 'gzip']) {
      const responses = [await graphql(query, coding), await graphql(query, coding), await anonymous(query, coding)];
      for (const { headers, text } of responses) expect([headers['content-encoding'], text === plain.text]).toEqual([coding, true]);
      // Denser than other responses, which are compressed while their caller waits.
      for (const { bytes } of responses) expect(bytes.length).toBeLessThan(plain.bytes.length / 15);
    }
    expect(gateway.services.caches.sizes().get('introspection')).toBe(1);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const [read, head] = [await get(account, 'br'), await get(account, 'br', {}, 'HEAD')];
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary']) expect(head.headers[name]).toBe(read.headers[name]);
  });

  it('its ETag is weak when compressed; either form is known to If-None-Match and If-Match', async () => {
    const [plain, coded] = [await get(account), await get(account, 'zstd')];
    expect(coded.headers.etag).toBe(`W/${plain.headers.etag}`);
    for (const tag of [plain.headers.etag!, coded.headers.etag!, `"other", ${coded.headers.etag}`]) {
      const response = await get(account, 'zstd', { 'if-none-match': tag });
      expect([response.status, response.bytes.length, response.headers.etag]).toEqual([304, 0, plain.headers.etag]);
      const write = { data: { platform_id: 'account-0', name: 'Account 0' } };
      const stale = await gateway.send('PUT', account, { headers: { ...company.headers, 'if-match': `W/"1-x"` }, body: write });
      expect(stale.status).toBe(412);
    }
    const body = { data: { platform_id: 'account-0', name: 'Account zero' } };
    const written = await gateway.send('PUT', account, {
      headers: { ...company.headers, 'if-match': coded.headers.etag! },
      body,
    });
    expect([written.status, written.text]).toEqual([200, expect.stringContaining('Account zero')]);
  });
});

describe('a response of few bytes', () => {
  it(`below ${COMPRESSED_FROM} bytes it is plain`, async () => {
    const response = await graphql(`{ company(id: ${company.id}) { name } }`, 'zstd, br, gzip');
    expect([response.headers['content-encoding'], response.headers.vary]).toEqual([undefined, undefined]);
  });
});

describe('a response that shows a secret', () => {
  it('it is plain, whether or not the value is null, and however the field is reached', async () => {
    const platform = await platformCaller(gateway, '/api/v1');
    for (let made = 0; made < 5; made++) {
      const response = await platform.send('POST', '/webhooks', {
        url: `https://hooks.example/${made}`,
        topics: ['CORPORATIONS.UPDATED'],
        description: 'y'.repeat(500),
      });
      expect(response.status, response.text).toBe(200);
    }
    const list = (fields: string): string => `{ webhooks(first: 5) { nodes { id description ${fields} } } }`;
    const shown = await graphql(list('... on Webhook { hidden: secret }'), 'zstd', platform.key);
    expect([shown.status, shown.headers['content-encoding'], shown.bytes.length > COMPRESSED_FROM]).toEqual([200, undefined, true]);
    const spread = `${list('...Shown')} fragment Shown on Webhook { secret }`;
    for (const response of [await graphql(spread, 'zstd', platform.key), await graphql(spread, 'zstd', platform.key)])
      expect([response.status, response.headers['content-encoding']]).toEqual([200, undefined]);
    const other = await graphql(list('secretPreview'), 'zstd', platform.key);
    expect([other.status, other.headers['content-encoding']]).toEqual([200, 'zstd']);
  });

  it('every field that shows a key, a secret or a signed link declares it', () => {
    const types = Object.values(gateway.services.schema.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type));
    const fields = types.flatMap((type) => Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field })));
    const declared = fields.filter(({ field }) => field.extensions.showsSecret).map(({ name }) => name);
    expect(declared.sort()).toEqual([
      'Acknowledgement.fileUrl',
      'ImportJob.errorReportUrl',
      'ImportJob.sourceFileUrl',
      'IncorporationRequest.signedFormUrl',
      'IssuedAccessKey.key',
      'SupportingDocument.fileUrl',
      'Webhook.secret',
    ]);
    const speaking = /^link to .* good for|shown here and never again|the signing secret:/i;
    const wrong = fields.filter(({ field }) => speaking.test(field.description ?? '') && !field.extensions.showsSecret);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe('a static document', () => {
  it.each(['/openapi/integrations.json', '/schema.graphql'])('%s is compressed densely, with a tag per coding', async (path) => {
    const plain = await get(path);
    const tags = new Set([plain.headers.etag]);
    for (const coding of ['zstd', 'br', 'gzip']) {
      const response = await get(path, coding);
      expect([response.status, response.headers['content-encoding'], response.text === plain.text]).toEqual([200, coding, true]);
      expect(response.bytes.length).toBeLessThan(plain.bytes.length / 6);
      tags.add(response.headers.etag);
      const known = await get(path, coding, { 'if-none-match': response.headers.etag! });
      expect([known.status, known.bytes.length, known.headers.vary]).toEqual([304, 0, 'Accept-Encoding, Origin']);
      const head = await get(path, coding, {}, 'HEAD');
      expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, response.headers['content-length']]);
    }
    expect(tags.size).toBe(4);
  });
});

describe('a file that is sent while it is read', () => {
  it('text is compressed as it is sent; other content is not', async () => {
    const platform = await platformCaller(gateway, '/api/v1');
    const content = `name,sku\n${Array.from({ length: 4_000 }, (_, at) => `Thing ${at},${at}`).join('\n')}\n`;
    const file = (await platform.upload(content)).body.data.id as string;
    const link = new URL(signedLink(gateway.services, `/api/v1/downloads/files/${file}`, 60_000));
    for (const coding of ['zstd', 'br', 'gzip']) {
      const response = await get(link.pathname + link.search, coding);
      expect([response.status, response.headers['content-encoding'], response.text === content]).toEqual([200, coding, true]);
      expect(response.headers['content-length']).toBeUndefined();
    }
  });
});
