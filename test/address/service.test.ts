// The address service over HTTP: health, keys, geocoding on both endpoints, its rejections, and addresses of stored records.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { migrationFiles } from '../../src/database/migrations/files.ts';
import { programVersion } from '../../src/runtime/package-root.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { watchTurns } from '../support/loop-turns.ts';
import { platformCaller } from '../support/platform.ts';
import { buildCompany } from '../support/records.ts';

const gateway = useGateway();
let key: string;

beforeAll(async () => {
  key = await gateway.key(['GEOCODE']);
});

const path = '/api/v1/geoencode';
const geoencode = (body: unknown): Promise<GatewayResponse> => gateway.send('POST', path, { headers: { 'x-service-key': key }, body });
const geocode = (address: string, selection: string): Promise<GatewayResponse> =>
  gateway.graphql(key, `query ($address: String!) { geocode(address: $address) { ${selection} } }`, { address });

const ADDRESS = '10 Downing Street, London SW1A 2AA, United Kingdom';

describe('health', () => {
  it('GET / returns a status message without a key, with the attribution of the data', async () => {
    const response = await gateway.send('GET', '/');
    expect([response.status, response.body.status]).toEqual([200, 'ok']);
    expect(response.body.message).toEqual(expect.any(String));
    expect(response.body.attribution).toContain('Place data: GeoNames, CC BY 4.0.');
  });

  it('GET /healthz returns the database status without a key, and which program, schema and content are in use', async () => {
    const response = await gateway.send('GET', '/healthz');
    expect(response.status).toBe(200);
    expect(response.body.database.status).toBe('connected');
    expect(response.body).toMatchObject({ version: programVersion, schema: migrationFiles().at(-1)!.name });
    expect(response.body.iso_3166).toMatchObject({ version: 1, countries: 249, subdivisions: 5053 });
    expect(response.body.gazetteer.build).toMatch(/^[0-9a-f]{12}$/);
  });
});

describe('privacy', () => {
  it('an idempotency key is ignored, because its row would store the address', async () => {
    const headers = { 'x-service-key': key, 'idempotency-key': 'one-key' };
    for (const address of [ADDRESS, 'Berlin, Germany'])
      expect((await gateway.send('POST', path, { headers, body: { address } })).body.data?.query.address).toBe(address);
  });
});

describe('keys', () => {
  it('a missing key is 401 with a pointer that names the header', async () => {
    const response = await gateway.send('POST', path, { body: { address: ADDRESS } });
    expect(response.status).toBe(401);
    expect(response.body.error).toMatchObject({
      type: 'CLIENT_UNAUTHORIZED',
      title: 'Missing API key',
      status: 401,
      instance: path,
      errors: [{ pointer: '/headers/x-service-key' }],
    });
  });

  it.each([
    ['GET', '/api/v1/geoencode'],
    ['DELETE', '/api/v1/geoencode'],
    ['GET', '/api/v1/geoencode/nothing'],
    ['POST', '/api/v1/internal'],
    ['GET', '/api/v1/internal/nothing'],
    ['PUT', '/api/v1/internal/iso_3166/ingest/json'],
    ['PATCH', '/api/v1/internal/%zz'],
    ['POST', '/healthz'],
    ['DELETE', '/'],
  ])('%s %s without a key is 401, known or not; with one it says what is wrong', async (method, address) => {
    for (const headers of [{}, { 'x-service-key': 'nobody' }] as Record<string, string>[]) {
      const response = await gateway.send(method, address, { headers });
      expect([response.status, response.body.error.type], response.text).toEqual([401, 'CLIENT_UNAUTHORIZED']);
      expect(response.headers.get('allow')).toBeNull();
    }
    const known = await gateway.send(method, address, { headers: { 'x-service-key': key } });
    expect([404, 405]).toContain(known.status);
  });

  it('the key is checked before a body that is not JSON', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await gateway.send('POST', path, { headers, raw: '{' })).status).toBe(401);
  });

  it.each(['/', '/healthz'])('GET %s needs no key', async (address) => {
    for (const method of ['GET', 'HEAD']) expect((await gateway.send(method, address)).status).toBe(200);
  });

  it('an unknown key is 401 with another title', async () => {
    const response = await gateway.send('POST', path, { headers: { 'x-service-key': 'nobody' }, body: { address: ADDRESS } });
    expect([response.status, response.body.error.type, response.body.error.title]).toEqual([401, 'CLIENT_UNAUTHORIZED', 'Invalid API key']);
    expect(response.body.error.errors).toBeUndefined();
  });

  it('a key without the role is 403 and the description names the role', async () => {
    const other = await gateway.key(['MANAGE_CONTENT']);
    const response = await gateway.send('POST', path, { headers: { 'x-service-key': other }, body: { address: ADDRESS } });
    expect([response.status, response.body.error.type]).toEqual([403, 'CLIENT_FORBIDDEN']);
    expect(response.body.error.detail.description).toContain('GEOCODE');
  });
});

describe('geocoding', () => {
  it('an address returns 200 with country, subdivision, locality, postal code and position', async () => {
    const response = await geoencode({ address: ADDRESS });
    expect(response.status).toBe(200);
    expect(response.body.message).toEqual(expect.any(String));
    expect(response.body.data).toMatchObject({
      query: { address: ADDRESS },
      match: 'exact',
      result: {
        country: { alpha_2: 'GB', alpha_3: 'GBR', numeric: '826' },
        parent_country: null,
        subdivision: { code: 'GB-ENG', level: 1 },
        locality: { name: 'London', geonames_id: 2643743 },
        postal_code: { value: 'SW1A 2AA', valid_format: true },
        components: { house_number: '10', street: 'Downing Street', po_box: null },
        precision: 'locality',
      },
      engine: { name: 'embedded', iso_version: '1' },
    });
    expect(response.body.data.confidence).toBeGreaterThan(0.8);
    expect(response.body.data.result.coordinates.latitude).toBeCloseTo(51.5, 1);
  });

  it('a response has a verdict, with what to do and how sure each part is', async () => {
    const { verdict } = (await geoencode({ address: ADDRESS })).body.data.result;
    expect(verdict).toMatchObject({ next: 'ACCEPT', missing: [] });
    expect(verdict.components).toEqual(
      expect.arrayContaining([
        { name: 'country', level: 'CONFIRMED' },
        { name: 'state', level: 'INFERRED' },
        { name: 'city', level: 'CONFIRMED' },
        { name: 'postal_code', level: 'CONFIRMED' },
        { name: 'house_number', level: 'UNRESOLVED' },
      ]),
    );
    const response = await geocode(ADDRESS, 'result { verdict { next missing components { name level } } }');
    const upper = verdict.components.map(({ name, level }: { name: string; level: string }) => ({ name: name.toUpperCase(), level }));
    expect(response.body.data.geocode.result.verdict).toEqual({ ...verdict, components: upper });
  });

  it('a batch returns each address as a call of its own does, in their order', async () => {
    const addresses = [ADDRESS, 'xqzvbn rtplkm', 'Springfield'];
    const batch = (body: unknown): Promise<GatewayResponse> =>
      gateway.send('POST', `${path}/batch`, { headers: { 'x-service-key': key }, body });
    const response = await batch({ addresses });
    expect(response.status).toBe(200);
    const single = await Promise.all(addresses.map(async (address) => (await geoencode({ address })).body.data));
    expect(response.body.data.results).toEqual(single);
    const graphql = await gateway.graphql(
      key,
      'query ($addresses: [String!]!) { geocodeBatch(addresses: $addresses) { match confidence } }',
      {
        addresses,
      },
    );
    expect(graphql.body.data.geocodeBatch).toEqual(single.map(({ match, confidence }) => ({ match: match.toUpperCase(), confidence })));
    expect((await batch({ addresses: new Array(100).fill('Berlin') })).body.data.results).toHaveLength(100);
    for (const [wrong, field] of [
      [[], 'addresses'],
      [new Array(101).fill('Berlin'), 'addresses'],
      [['Berlin', ' '], 'addresses'],
    ] as const) {
      const refused = await batch({ addresses: wrong });
      expect([refused.status, refused.body.error.errors[0].pointer]).toEqual([400, expect.stringContaining(field)]);
    }
  });

  it('an address that means nothing returns 200 without a result', async () => {
    const response = await geoencode({ address: 'xqzvbn rtplkm' });
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({ match: 'none', confidence: 0, result: null, alternatives: [] });
  });

  it('an ambiguous address has alternatives', async () => {
    const { data } = (await geoencode({ address: 'Springfield' })).body;
    expect(data.match).toBe('ambiguous');
    expect(data.alternatives.length).toBeGreaterThan(0);
  });

  it('both endpoints send the same response, GraphQL with values of enumerations in capitals', async () => {
    const rest = await geoencode({ address: ADDRESS });
    const graphql = await geocode(
      ADDRESS,
      'match confidence result { formatted country { alpha2 } subdivisionPath { code } accuracyMeters precision evidence { kind text supports } }',
    );
    const { match, confidence, result } = rest.body.data;
    expect(graphql.body.data.geocode).toEqual({
      match: match.toUpperCase(),
      confidence,
      result: {
        formatted: result.formatted,
        country: { alpha2: result.country.alpha_2 },
        subdivisionPath: result.subdivision_path.map(({ code }: { code: string }) => ({ code })),
        accuracyMeters: result.accuracy_meters,
        precision: result.precision.toUpperCase(),
        evidence: result.evidence.map((one: { kind: string }) => ({ ...one, kind: one.kind.toUpperCase() })),
      },
    });
  });

  it('addresses of one request are geocoded by turns with what else is ready', async () => {
    const address = 'Santa Maria rue Paris Allee São Street Santiago GB Victoria 12b CA, Unit 5, '.repeat(6).slice(0, 490);
    const parts = Array.from({ length: 20 }, (_, at) => `a${at}: geocode(address: $address) { match }`);
    const turns = watchTurns();
    const response = await gateway.graphql(key, `query ($address: String!) { ${parts.join(' ')} }`, { address });
    const { longest, all } = await turns();
    expect(Object.keys(response.body.data)).toHaveLength(20);
    expect(longest).toBeLessThan(all / 3);
  });
});

describe('rejections', () => {
  it.each<[string, unknown]>([
    ['missing', {}],
    ['null', { address: null }],
    ['a number', { address: 5 }],
    ['a list', { address: ['London'] }],
    ['empty', { address: '' }],
    ['blank', { address: ' \u00a0 ' }],
    ['over 500 characters', { address: 'a'.repeat(501) }],
    ['with a control character', { address: 'London\u0007' }],
    ['with a line break', { address: 'London\nEngland' }],
    ['with a NUL character', { address: 'London\u0000' }],
    ['with an unpaired surrogate', { address: 'London \ud800' }],
  ])('an address that is %s is 400 with a pointer to it', async (_, body) => {
    const response = await geoencode(body);
    expect([response.status, response.body.error.type, response.body.error.errors[0].pointer]).toEqual([
      400,
      'CLIENT_BAD_REQUEST',
      '/address',
    ]);
  });

  it('500 characters are accepted', async () => {
    expect((await geoencode({ address: 'Paris '.repeat(84).slice(0, 500) })).status).toBe(200);
  });

  it('no body is 400, another type of body 415, a large one 413, malformed JSON 400', async () => {
    const headers = { 'x-service-key': key, 'content-type': 'application/json' };
    const none = await gateway.send('POST', path, { headers: { 'x-service-key': key } });
    expect([none.status, none.body.error.errors[0].pointer]).toEqual([400, '/address']);
    const text = await gateway.send('POST', path, { headers: { ...headers, 'content-type': 'text/plain' }, raw: 'London' });
    expect([text.status, text.body.error.type]).toEqual([415, 'CLIENT_UNSUPPORTED_MEDIA_TYPE']);
    const large = await gateway.send('POST', path, { headers, raw: JSON.stringify({ address: 'a'.repeat(1_100_000) }) });
    expect([large.status, large.body.error.type]).toEqual([413, 'CLIENT_PAYLOAD_TOO_LARGE']);
    const broken = await gateway.send('POST', path, { headers, raw: '{"address":' });
    expect([broken.status, broken.body.error.type]).toEqual([400, 'CLIENT_BAD_REQUEST']);
    const list = await gateway.send('POST', path, { headers, body: [ADDRESS] });
    expect([list.status, list.body.error.errors[0].pointer]).toEqual([400, '']);
  });

  it('a wrong method is 405 with the allowed one', async () => {
    const response = await gateway.send('GET', path, { headers: { 'x-service-key': key } });
    expect([response.status, response.headers.get('allow'), response.body.error.type]).toEqual([405, 'POST', 'CLIENT_METHOD_NOT_ALLOWED']);
  });

  it('odd text never causes a 5xx, on either endpoint', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 520 }), async (address) => {
        expect((await geoencode({ address })).status).toBeLessThan(500);
        const response = await geocode(address, 'match');
        expect(response.body.errors?.[0].extensions.code ?? 'fine').not.toBe('INTERNAL_ERROR');
      }),
      { numRuns: 60 },
    );
  });
});

describe('stored addresses', () => {
  const query =
    'query ($company: ID!, $id: ID!) { company(id: $company) { contact(ledgerId: $id) { addresses { city geocode { result { subdivision { code } } } } } } }';

  async function storedContact(key: string): Promise<GatewayResponse> {
    const company = await buildCompany(gateway, { key });
    const addresses = [
      { platform_id: 'a', street: '1 Main St', city: 'San Francisco', state: 'CA', country: 'United States' },
      { platform_id: 'b', type: 'BILLING' },
    ];
    const made = await gateway.send('POST', `${company.base}/contacts`, {
      headers: company.headers,
      body: { data: { platform_id: 'c', name: 'Buyer', addresses } },
    });
    expect(made.status, made.text).toBe(201);
    return gateway.graphql(key, query, { company: company.id, id: made.body.data.data.ledger_id });
  }

  it('the address of a contact is geocoded on demand, an empty one has no response', async () => {
    const response = await storedContact(await gateway.key(['INTEGRATIONS', 'GEOCODE']));
    expect(response.body.errors).toBeUndefined();
    expect(response.body.data.company.contact.addresses).toEqual([
      { city: 'San Francisco', geocode: { result: { subdivision: { code: 'US-CA' } } } },
      { city: null, geocode: null },
    ]);
  });

  it('a key without the role GEOCODE reads the address but not its place', async () => {
    const response = await storedContact(await gateway.key(['INTEGRATIONS']));
    expect(response.body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect(response.body.data.company.contact.addresses[0]).toEqual({ city: 'San Francisco', geocode: null });
  });

  it('the registered address of a corporation is geocoded on demand, and not on REST', async () => {
    const owner = `Owner ${key.slice(-6)}`;
    const caller = await platformCaller(gateway, '/api/v1', owner);
    const id = await caller.corporation({
      jurisdiction: 'DE',
      address: { address_line_1: 'Marienplatz 1', city: 'München', postal_code: '80331', country: 'DE' },
    });
    const both = await gateway.key(['PLATFORM', 'GEOCODE'], owner);
    const response = await gateway.graphql(
      both,
      'query ($id: ID!) { corporation(id: $id) { address { geocode { result { subdivision { code } } } } } }',
      { id },
    );
    expect(response.body.data.corporation.address.geocode.result.subdivision.code).toBe('DE-BY');
    expect((await caller.send('GET', `/corporations/${id}`)).body.data.address).not.toHaveProperty('geocode');
  });
});
