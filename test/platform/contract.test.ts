// The documented behaviour of corporations, products and customs codes, on the platform host and on the tax host alike.
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { bases, buildCorporation, buildProduct, type PlatformCaller, platformCaller } from '../support/platform.ts';

const gateway = useGateway();

describe.each(bases)('%s', (base) => {
  let caller: PlatformCaller;
  let stranger: PlatformCaller;
  let corporation: string;
  let product: string;
  beforeAll(async () => {
    caller = await platformCaller(gateway, base);
    stranger = await platformCaller(gateway, base);
    corporation = await caller.corporation();
    product = await caller.product(corporation, { customs_jurisdiction_details: { US: '8471.30.0100' } });
  });

  describe('corporations', () => {
    it('POST /corporations returns 200 with the record and a message', async () => {
      const address = { address_line_1: '1 High Street', city: 'Leeds', country: 'GB' };
      const tax_ids = [{ type: 'GB_CRN', value: '01234567' }];
      const response = await caller.send('POST', '/corporations', {
        legal_name: ' Red Ltd ',
        jurisdiction: 'GB',
        state: 'SCT',
        entity_type: 'LLP',
        email_alias: 'red',
        address,
        tax_ids,
      });
      expect(response.status).toBe(200);
      expect(response.body.message).toBe('Corporation created');
      expect(response.body.data).toMatchObject({
        legal_name: 'Red Ltd',
        jurisdiction: 'GB',
        state: 'SCT',
        entity_type: 'LLP',
        email_alias: 'red',
        tax_ids,
        status: 'ACTIVE',
        website: null,
      });
      expect(response.body.data.address).toEqual({ ...address, address_line_2: null, state: null, postal_code: null });
      expect(response.body.data.id).toMatch(/^corp_[0-9a-z]{26}$/);
      expect(response.body.data.organization_id).toMatch(/^org_[0-9a-z]{26}$/);
    });

    it('GET /corporations/{id} returns what was created', async () => {
      const made = await caller.send(
        'POST',
        '/corporations',
        buildCorporation({ external_id: 'own-key', website: 'https://blue.example' }),
      );
      const read = await caller.send('GET', `/corporations/${made.body.data.id}`);
      expect(read.status).toBe(200);
      expect(read.body.data).toEqual(made.body.data);
    });

    it('POST /corporations/{id} changes the given fields and returns a message only', async () => {
      const id = await caller.corporation({ state: 'SCT', contact_email: 'a@blue.example' });
      const response = await caller.send('POST', `/corporations/${id}`, { legal_name: 'Green plc', contact_email: null });
      expect([response.status, response.body]).toEqual([200, { message: 'Corporation updated' }]);
      expect((await caller.send('GET', `/corporations/${id}`)).body.data).toMatchObject({
        legal_name: 'Green plc',
        contact_email: null,
        state: 'SCT',
      });
    });

    it('DELETE /corporations/{id} returns 204 without a body, archives the products, and is 404 the second time', async () => {
      const id = await caller.corporation();
      const its = await caller.product(id);
      const response = await caller.send('DELETE', `/corporations/${id}`);
      expect([response.status, response.text, response.headers.get('content-type')]).toEqual([204, '', null]);
      expect((await caller.send('GET', `/products/${its}`)).body.error.code).toBe('PRODUCT_NOT_FOUND');
      expect((await caller.send('DELETE', `/corporations/${id}`)).status).toBe(404);
    });

    it('GET /corporations pages newest first, with a cursor that is empty at the end and the total', async () => {
      const own = await platformCaller(gateway, base);
      expect((await own.send('GET', '/corporations')).body.data).toEqual({ corporations: [], cursor: '', total_corporations: 0 });
      const ids = [await own.corporation(), await own.corporation(), await own.corporation()].reverse();
      const first = await own.send('GET', '/corporations?limit=2');
      await own.corporation();
      const second = await own.send('GET', `/corporations?limit=2&cursor=${encodeURIComponent(first.body.data.cursor)}`);
      const listed = [...first.body.data.corporations, ...second.body.data.corporations].map((one: { id: string }) => one.id);
      expect(listed).toEqual(ids);
      expect(first.body.data.total_corporations).toBe(3);
      expect(second.body.data.cursor).toBe('');
    });

    it('external_id and email_alias are unique among the live corporations of the organisation', async () => {
      const own = await platformCaller(gateway, base);
      const id = await own.corporation({ external_id: 'k', email_alias: 'mail' });
      expect((await own.send('POST', '/corporations', buildCorporation({ external_id: 'k' }))).body.error.details[0]).toMatchObject({
        field: 'external_id',
        code: 'DUPLICATE',
      });
      expect((await own.send('POST', '/corporations', buildCorporation({ email_alias: 'mail' }))).status).toBe(400);
      expect((await stranger.send('POST', '/corporations', buildCorporation({ external_id: 'k' }))).status).toBe(200);
      await own.send('DELETE', `/corporations/${id}`);
      expect((await own.send('POST', '/corporations', buildCorporation({ external_id: 'k' }))).status).toBe(200);
    });

    it('a wrong check digit is accepted with a warning', async () => {
      const response = await caller.send('POST', '/corporations', buildCorporation({ tax_ids: [{ type: 'US_EIN', value: '07-1144442' }] }));
      expect(response.status).toBe(200);
      expect(response.body.message).toBe('Corporation created. The check digits of the US_EIN do not fit');
    });
  });

  describe('products', () => {
    it('POST /products returns 200 with the record, defaults filled in', async () => {
      const response = await caller.send('POST', '/products', {
        corporation_id: corporation,
        name: ' Laptop ',
        weight_in_kg: 1.25,
        customs_jurisdiction_details: { DE: '4905.90.20.00' },
      });
      expect(response.status).toBe(200);
      expect(response.body.message).toBe('Product created');
      expect(response.body.data).toMatchObject({
        name: 'Laptop',
        sku: null,
        tax_code: 'TPP',
        source_platform: '',
        weight_in_kg: 1.25,
        corporation_id: corporation,
        customs_jurisdiction_details: { DE: '4905902000' },
      });
      expect(response.body.data.id).toMatch(/^prod_[0-9a-z]{26}$/);
    });

    it('GET /products/{id} returns what was created', async () => {
      const made = await caller.send(
        'POST',
        '/products',
        buildProduct(corporation, { source_platform: 'SHOPIFY', source_platform_id: `s-${base}` }),
      );
      const read = await caller.send('GET', `/products/${made.body.data.id}`);
      expect([read.status, read.body.data]).toEqual([200, made.body.data]);
    });

    it('POST /products/{id} changes the given fields, null clears, an empty tax_code falls back to the default', async () => {
      const id = await caller.product(corporation, { description: 'old', tax_code: 'X1', customs_jurisdiction_details: { US: '847130' } });
      const response = await caller.send('POST', `/products/${id}`, {
        description: null,
        tax_code: ' ',
        customs_jurisdiction_details: { CN: '8471300000' },
      });
      expect([response.status, response.body]).toEqual([200, { message: 'Product updated' }]);
      expect((await caller.send('GET', `/products/${id}`)).body.data).toMatchObject({
        description: null,
        tax_code: 'TPP',
        customs_jurisdiction_details: { CN: '8471300000' },
      });
    });

    it('DELETE /products/{id} returns 204, is 400 the second time, and releases the sku', async () => {
      const id = await caller.product(corporation, { sku: 'once' });
      const response = await caller.send('DELETE', `/products/${id}`);
      expect([response.status, response.text]).toEqual([204, '']);
      expect((await caller.send('DELETE', `/products/${id}`)).status).toBe(400);
      expect((await caller.send('POST', '/products', buildProduct(corporation, { sku: 'once' }))).status).toBe(200);
    });

    it('GET /products lists one corporation, ten to a page by default', async () => {
      const own = await caller.corporation();
      for (let count = 0; count < 11; count++) await caller.product(own);
      const page = await caller.send('GET', `/products?corporation_id=${own}`);
      expect(page.body.data.products).toHaveLength(10);
      expect(Object.keys(page.body.data)).toEqual(['products', 'cursor']);
      const rest = await caller.send('GET', `/products?corporation_id=${own}&cursor=${encodeURIComponent(page.body.data.cursor)}`);
      expect([rest.body.data.products.length, rest.body.data.cursor]).toEqual([1, '']);
    });

    it('a cursor of products opens neither corporations nor the products of another corporation', async () => {
      const [own, other] = [await caller.corporation(), await caller.corporation()];
      await caller.product(own);
      await caller.product(own);
      const { cursor } = (await caller.send('GET', `/products?corporation_id=${own}&limit=1`)).body.data;
      for (const path of ['/corporations?', `/products?corporation_id=${other}&`]) {
        const response = await caller.send('GET', `${path}cursor=${encodeURIComponent(cursor)}`);
        expect([response.status, response.body.error.code, response.body.error.details[0].field]).toEqual([
          400,
          'INVALID_CURSOR',
          'cursor',
        ]);
      }
    });

    it('of two equal skus at once one is stored, and two organisations may use the same', async () => {
      const body = buildProduct(corporation, { sku: 'race' });
      const responses = await Promise.all([1, 2, 3].map(() => caller.send('POST', '/products', body)));
      expect(responses.map((response) => response.status).sort()).toEqual([200, 400, 400]);
      expect(responses.find((response) => response.status === 400)!.body.error.code).toBe('DUPLICATE_SKU');
      expect((await stranger.send('POST', '/products', buildProduct(await stranger.corporation(), { sku: 'race' }))).status).toBe(200);
    });
  });

  describe('customs codes', () => {
    it('POST adds or replaces the code of a country, DELETE removes it', async () => {
      const id = await caller.product(corporation);
      const codes = async (): Promise<unknown> => (await caller.send('GET', `/products/${id}`)).body.data.customs_jurisdiction_details;
      const set = (customs_code: string): ReturnType<PlatformCaller['send']> =>
        caller.send('POST', `/products/${id}/customs-code`, { country: 'US', customs_code });
      expect((await set('8471.30.0100')).body).toEqual({ message: 'Customs code set' });
      await set('4905 90 00');
      expect(await codes()).toEqual({ US: '49059000' });
      const gone = await caller.send('DELETE', `/products/${id}/customs-code`, { country: 'US' });
      expect([gone.status, gone.text, await codes()]).toEqual([204, '', {}]);
    });

    it('DELETE also reads the country from the query, because some proxies drop bodies', async () => {
      const id = await caller.product(corporation, { customs_jurisdiction_details: { US: '847130' } });
      expect((await caller.send('DELETE', `/products/${id}/customs-code?country=US`)).status).toBe(204);
      const again = await caller.send('DELETE', `/products/${id}/customs-code?country=US`);
      expect([again.status, again.body.error.code]).toEqual([400, 'CUSTOMS_CODE_NOT_FOUND']);
    });

    it('setting the code a product has already changes nothing', async () => {
      const id = await caller.product(corporation, { customs_jurisdiction_details: { US: '847130' } });
      const before = (await caller.send('GET', `/products/${id}`)).text;
      expect((await caller.send('POST', `/products/${id}/customs-code`, { country: 'US', customs_code: '847130' })).status).toBe(200);
      expect((await caller.send('GET', `/products/${id}`)).text).toBe(before);
    });
  });

  /** Method, path with the ids of `known` filled in, body, status, code. */
  const notFoundCases = (known: { corporation: string; product: string }): [string, string, unknown, number, string][] => [
    ['GET', `/corporations/${known.corporation}`, undefined, 404, 'CORPORATION_NOT_FOUND'],
    ['DELETE', `/corporations/${known.corporation}`, undefined, 404, 'CORPORATION_NOT_FOUND'],
    ['POST', `/corporations/${known.corporation}`, { legal_name: 'x' }, 400, 'CORPORATION_NOT_FOUND'],
    ['GET', `/products?corporation_id=${known.corporation}`, undefined, 400, 'CORPORATION_NOT_FOUND'],
    ['POST', '/products', { corporation_id: known.corporation, name: 'x' }, 400, 'CORPORATION_NOT_FOUND'],
    ['GET', `/products/${known.product}`, undefined, 400, 'PRODUCT_NOT_FOUND'],
    ['POST', `/products/${known.product}`, { name: 'x' }, 400, 'PRODUCT_NOT_FOUND'],
    ['DELETE', `/products/${known.product}`, undefined, 400, 'PRODUCT_NOT_FOUND'],
    ['POST', `/products/${known.product}/customs-code`, { country: 'US', customs_code: '847130' }, 400, 'PRODUCT_NOT_FOUND'],
    ['DELETE', `/products/${known.product}/customs-code`, { country: 'US' }, 400, 'PRODUCT_NOT_FOUND'],
  ];
  const unknown = { corporation: 'corp_01m7xdbh4rfzxskyet9qnceegy', product: 'prod_01m7xdbh4rfzxskyet9qnceegy' };

  it.each(notFoundCases(unknown))('%s %s of an unknown id', async (method, path, body, status, code) => {
    const response = await caller.send(method, path, body);
    expect([response.status, response.body.error.code, response.body.error.status]).toEqual([status, code, status]);
    expect(response.body.error.request_id).toBe(response.headers.get('x-request-id'));
    expect(response.body.message).toBe(response.body.error.details[0].message);
  });

  it.each(notFoundCases({ corporation: "corp_';--", product: '%F0%9F%98%80' }))(
    '%s %s of a malformed id',
    async (method, path, body, status) => {
      expect((await caller.send(method, path, body)).status).toBe(status);
    },
  );

  it("another organisation's records give byte for byte the response of unknown ones, and do not change", async () => {
    const before = [await caller.send('GET', `/corporations/${corporation}`), await caller.send('GET', `/products/${product}`)].map(
      (response) => response.text,
    );
    const [theirs, unknownOnes] = [notFoundCases({ corporation, product }), notFoundCases(unknown)];
    for (const [index, [method, path, body]] of theirs.entries()) {
      const expected = unknownOnes[index]!;
      const [response, wanted] = [await stranger.send(method, path, body), await stranger.send(expected[0], expected[1], expected[2])];
      expect([path, response.status, response.text]).toEqual([path, wanted.status, wanted.text]);
    }
    const after = [await caller.send('GET', `/corporations/${corporation}`), await caller.send('GET', `/products/${product}`)].map(
      (response) => response.text,
    );
    expect(after).toEqual(before);
  });

  const badCorporations: [string, unknown, string | null][] = [
    ['an empty body', {}, 'legal_name'],
    ['an array', [], 'body'],
    ['an unknown field', { legal_name: 'x', jurisdiction: 'GB', status: 'ACTIVE' }, 'status'],
    ['a blank name', { legal_name: '  ', jurisdiction: 'GB' }, 'legal_name'],
    ['a name of the wrong type', { legal_name: 5, jurisdiction: 'GB' }, 'legal_name'],
    ['a name that is too long', { legal_name: 'x'.repeat(256), jurisdiction: 'GB' }, 'legal_name'],
    ['a NUL character', { legal_name: 'a\u0000b', jurisdiction: 'GB' }, 'legal_name'],
    ['a reserved country code', { legal_name: 'x', jurisdiction: 'UK' }, 'jurisdiction'],
    ['a state of another country', { legal_name: 'x', jurisdiction: 'GB', state: 'CA' }, 'state'],
    ['a legal form of another country', { legal_name: 'x', jurisdiction: 'GB', entity_type: 'C_CORP' }, 'entity_type'],
    ['an alias with capitals', { legal_name: 'x', jurisdiction: 'GB', email_alias: 'Red' }, 'email_alias'],
    ['a number of an unknown kind', { legal_name: 'x', jurisdiction: 'GB', tax_ids: [{ type: 'XX', value: '1' }] }, 'tax_ids.0.type'],
    [
      'two numbers of one kind',
      {
        legal_name: 'x',
        jurisdiction: 'GB',
        tax_ids: [
          { type: 'GB_CRN', value: '01234567' },
          { type: 'GB_CRN', value: '01234568' },
        ],
      },
      'tax_ids.1.type',
    ],
    ['an address without its first line', { legal_name: 'x', jurisdiction: 'GB', address: { country: 'GB' } }, 'address.address_line_1'],
    [
      'an address in no country',
      { legal_name: 'x', jurisdiction: 'GB', address: { address_line_1: 'x', country: 'EU' } },
      'address.country',
    ],
    ['a mail address without a domain', { legal_name: 'x', jurisdiction: 'GB', contact_email: 'me' }, 'contact_email'],
    ['a web address of another kind', { legal_name: 'x', jurisdiction: 'GB', website: 'ftp://x.example' }, 'website'],
  ];

  it.each(badCorporations)('POST /corporations with %s is 400, names the field and stores nothing', async (_, body, field) => {
    const own = await platformCaller(gateway, base);
    const response = await own.send('POST', '/corporations', body);
    expect([response.status, response.body.error.details[0].field]).toEqual([400, field]);
    expect((await own.send('GET', '/corporations')).body.data.total_corporations).toBe(0);
  });

  const badProducts: [string, object, string, string][] = [
    ['no corporation', { name: 'x', corporation_id: undefined }, 'corporation_id', 'MISSING_PARAMS'],
    ['neither name nor sku', { name: ' ', sku: undefined }, 'name', 'MISSING_PARAMS'],
    ['an unknown field', { color: 'red' }, 'color', 'INVALID_PARAMS'],
    ['a sku with a control character', { sku: 'a\tb' }, 'sku', 'INVALID_PARAMS'],
    ['a sku that is too long', { sku: 'x'.repeat(129) }, 'sku', 'INVALID_PARAMS'],
    ['a tax code with a space', { tax_code: 'a b' }, 'tax_code', 'INVALID_PARAMS'],
    ['a weight of zero', { weight_in_kg: 0 }, 'weight_in_kg', 'INVALID_PARAMS'],
    ['a weight with its unit', { weight_in_kg: '1 kg' }, 'weight_in_kg', 'INVALID_PARAMS'],
    ['a volume past the limit', { volume_in_liters: 1_000_001 }, 'volume_in_liters', 'INVALID_PARAMS'],
    ['an origin in no country', { origin_country: 'XK' }, 'origin_country', 'INVALID_PARAMS'],
    ['an unknown source', { source_platform: 'MAGIC' }, 'source_platform', 'INVALID_PARAMS'],
    ['a customs map that is no map', { customs_jurisdiction_details: [] }, 'customs_jurisdiction_details', 'INVALID_PARAMS'],
    [
      'a customs code of a wrong length',
      { customs_jurisdiction_details: { IN: '8471300100' } },
      'customs_jurisdiction_details.IN',
      'INVALID_PARAMS',
    ],
  ];

  it.each(badProducts)('POST /products with %s is 400, names the field and stores nothing', async (_, fields, field, code) => {
    const own = await caller.corporation();
    const response = await caller.send('POST', '/products', buildProduct(own, fields));
    expect([response.status, response.body.error.code, response.body.error.details[0].field]).toEqual([400, code, field]);
    expect((await caller.send('GET', `/products?corporation_id=${own}`)).body.data.products).toEqual([]);
  });

  const badChanges: [string, string, unknown, string, string][] = [
    ['POST', '/products/{product}', {}, 'body', 'MISSING_PARAMS'],
    ['POST', '/products/{product}', { corporation_id: 'corp_x' }, 'corporation_id', 'INVALID_PARAMS'],
    ['POST', '/products/{product}', { source_platform: 'XERO' }, 'source_platform', 'INVALID_PARAMS'],
    ['POST', '/products/{product}', { name: null, sku: null }, 'name', 'MISSING_PARAMS'],
    ['POST', '/products/{product}/customs-code', { country: 'US' }, 'customs_code', 'MISSING_PARAMS'],
    ['POST', '/products/{product}/customs-code', { country: 'US', customs_code: '77.01.00' }, 'customs_code', 'CUSTOMS_CODE_INVALID'],
    ['POST', '/products/{product}/customs-code', { country: 'EU', customs_code: '847130' }, 'country', 'INVALID_PARAMS'],
    ['POST', '/products/{product}/customs-code', { country: 'US', customs_code: '847130', note: 'x' }, 'note', 'INVALID_PARAMS'],
    ['DELETE', '/products/{product}/customs-code', {}, 'country', 'MISSING_PARAMS'],
    ['POST', '/corporations/{corporation}', {}, 'body', 'MISSING_PARAMS'],
    ['POST', '/corporations/{corporation}', { legal_name: null }, 'legal_name', 'MISSING_PARAMS'],
    ['POST', '/corporations/{corporation}', { id: 'x' }, 'id', 'INVALID_PARAMS'],
    ['GET', '/corporations?limit=0', undefined, 'limit', 'INVALID_PARAMS'],
    ['GET', '/corporations?limit=101', undefined, 'limit', 'INVALID_PARAMS'],
    ['GET', '/corporations?limit=1.0', undefined, 'limit', 'INVALID_PARAMS'],
    ['GET', '/corporations?cursor=xyz', undefined, 'cursor', 'INVALID_CURSOR'],
    ['GET', '/corporations?page=2', undefined, 'page', 'INVALID_PARAMS'],
    ['GET', '/products', undefined, 'corporation_id', 'MISSING_PARAMS'],
  ];

  it.each(badChanges)('%s %s with %j is 400 and changes nothing', async (method, path, body, field, code) => {
    const read = async (): Promise<string[]> => [
      (await caller.send('GET', `/corporations/${corporation}`)).text,
      (await caller.send('GET', `/products/${product}`)).text,
    ];
    const before = await read();
    const response = await caller.send(method, path.replace('{product}', product).replace('{corporation}', corporation), body);
    expect([response.status, response.body.error.code, response.body.error.details[0].field]).toEqual([400, code, field]);
    expect(await read()).toEqual(before);
  });

  it('a new country is rejected while the unchanged state belongs to the old one', async () => {
    const id = await caller.corporation({ jurisdiction: 'US', state: 'DE' });
    expect((await caller.send('POST', `/corporations/${id}`, { jurisdiction: 'GB' })).body.error.details[0]).toMatchObject({
      field: 'jurisdiction',
      code: 'MISMATCH',
    });
    expect((await caller.send('POST', `/corporations/${id}`, { jurisdiction: 'GB', state: null })).status).toBe(200);
  });
});
