// Incorporation requests: the documented routes, the signed link, the hosted form, the operator mutations.
import { describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCaller, type Caller, issuesOf, operate, recordEvents } from '../support/registrations.ts';

const gateway = useGateway();
const COMPANY = '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10';
const HOUR = 3_600_000;

const request = (country: string, entry: object, more: object = {}) => ({
  companyId: COMPANY,
  country,
  corporationTypeInfo: { [country]: entry },
  ...more,
});
const build = async (
  caller: Caller,
  body: object = request('US', { state: 'DE', corporationType: 'CCorp' }),
): Promise<{ id: string; path: string }> => {
  const response = await caller.post('/incorporation-requests', body);
  if (response.status !== 200) throw new Error(response.text);
  const link = new URL(response.body.data.signedFormUrl);
  return { id: response.body.data.id, path: link.pathname + link.search };
};

const address = { addressLine1: '1 Main Street', city: 'Dover', state: 'DE', postalCode: '19901', country: 'US' };
const form = {
  'companyNames.0': 'Acme',
  'companyNames.1': '',
  'companyNames.2': '',
  website: '',
  businessDescription: 'Sells kettles',
  'fiscalYearEnd.month': '12',
  'fiscalYearEnd.day': '31',
  ...Object.fromEntries(Object.entries(address).map(([name, value]) => [`physicalAddress.${name}`, value])),
  'mailingAddress.addressLine1': '',
  'mailingAddress.country': '',
  authorizedShares: '10000000',
  optionPoolShares: '1000000',
  'keyPersons.0.fullName': 'Ada Lovelace',
  'keyPersons.0.email': 'ada@example.com',
  'keyPersons.0.shares': '9000000',
};
const fields = (changes: Record<string, string> = {}): URLSearchParams => {
  const params = new URLSearchParams({ ...form, ...changes });
  for (const role of ['DIRECTOR', 'SHAREHOLDER']) params.append('keyPersons.0.roles', role);
  return params;
};
const post = (path: string, params: URLSearchParams): Promise<GatewayResponse> =>
  fetch(gateway.origin + path, { method: 'POST', body: params, redirect: 'manual' }).then(async (response) => ({
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    body: undefined,
  }));
const json = { accept: 'application/json' };
const statusOf = async (caller: Caller, id: string): Promise<string> =>
  (await gateway.graphql(caller.key, `{ incorporationRequest(id: "${id}") { status } }`)).body.data.incorporationRequest.status;
const codeOf = (response: GatewayResponse): string => response.body.errors?.[0]?.extensions.code ?? 'OK';
const mutate = (mutation: string) => operate(gateway, mutation, 'incorporationRequest { status note signedFormUrl businessEntityId }');

describe('creating a request', () => {
  it('200 with exactly the five fields and a link that carries a key', async () => {
    const caller = await buildCaller(gateway);
    const response = await caller.post('/incorporation-requests', request('US', { state: 'DE', corporationType: 'CCorp' }));
    expect(response.status).toBe(200);
    const { data, message } = response.body;
    expect(data).toEqual({
      id: data.id,
      country: 'US',
      corporationTypeInfo: { US: { state: 'DE', corporationType: 'CCorp' } },
      status: 'NotSubmitted',
      signedFormUrl: data.signedFormUrl,
    });
    expect(data.id).toMatch(/^inc_/);
    expect(new URL(data.signedFormUrl).pathname).toBe(`/incorporate/us/${data.id}`);
    expect(new URL(data.signedFormUrl).searchParams.get('key')).toMatch(/^[0-9a-z]+\.[A-Za-z0-9_-]{22}$/);
    expect(typeof message).toBe('string');
  });

  it('an old Indian state code is stored as the current one; a country without states has none in the response', async () => {
    const caller = await buildCaller(gateway);
    const india = await caller.post('/incorporation-requests', request('IN', { state: 'OR', corporationType: 'PvtLtd' }));
    expect(india.body.data.corporationTypeInfo).toEqual({ IN: { state: 'OD', corporationType: 'PvtLtd' } });
    const singapore = await caller.post('/incorporation-requests', request('SG', { corporationType: 'PteLtd' }));
    expect(singapore.body.data.corporationTypeInfo).toEqual({ SG: { corporationType: 'PteLtd' } });
  });

  const us = { state: 'DE', corporationType: 'CCorp' };
  const refusals: [what: string, body: unknown, code: string, details: Record<string, string>][] = [
    [
      'two entries',
      request('US', us, { corporationTypeInfo: { US: us, IN: us } }),
      'CORPORATION_TYPE_MISMATCH',
      { corporationTypeInfo: 'MISMATCH' },
    ],
    ['no entry', request('US', us, { corporationTypeInfo: {} }), 'CORPORATION_TYPE_MISMATCH', { corporationTypeInfo: 'MISMATCH' }],
    [
      'the entry of another country',
      request('US', us, { corporationTypeInfo: { IN: us } }),
      'CORPORATION_TYPE_MISMATCH',
      { corporationTypeInfo: 'MISMATCH' },
    ],
    ['a company id that is no uuid', request('US', us, { companyId: '17' }), 'INVALID_PARAMS', { companyId: 'INVALID_FORMAT' }],
    ['no company id', request('US', us, { companyId: undefined }), 'MISSING_PARAMS', { companyId: 'REQUIRED' }],
    ['a country without corporation types', request('DE', us), 'INVALID_PARAMS', { country: 'INVALID_VALUE' }],
    ['the colloquial code of the United Kingdom', request('UK', us), 'INVALID_PARAMS', { country: 'INVALID_VALUE' }],
    [
      'a tax election instead of a form',
      request('US', { state: 'DE', corporationType: 'SCorp' }),
      'INVALID_PARAMS',
      { 'corporationTypeInfo.US.corporationType': 'INVALID_VALUE' },
    ],
    [
      'another spelling of a form',
      request('US', { state: 'DE', corporationType: 'C_CORP' }),
      'INVALID_PARAMS',
      { 'corporationTypeInfo.US.corporationType': 'INVALID_VALUE' },
    ],
    [
      'a state of a country without states',
      request('SG', { state: '01', corporationType: 'PteLtd' }),
      'INVALID_PARAMS',
      { 'corporationTypeInfo.SG.state': 'INVALID_VALUE' },
    ],
    [
      'no state where one is needed',
      request('US', { corporationType: 'CCorp' }),
      'MISSING_PARAMS',
      { 'corporationTypeInfo.US.state': 'REQUIRED' },
    ],
    [
      'an unknown field of an entry',
      request('US', { ...us, name: 'x' }),
      'INVALID_PARAMS',
      { 'corporationTypeInfo.US.name': 'UNKNOWN_FIELD' },
    ],
    ['an unknown field', request('US', us, { company_id: COMPANY }), 'INVALID_PARAMS', { company_id: 'UNKNOWN_FIELD' }],
    ['a list', [], 'INVALID_PARAMS', { body: 'INVALID_TYPE' }],
  ];
  it.each(refusals)('%s is 400', async (_, body, code, details) => {
    const response = await (await buildCaller(gateway)).post('/incorporation-requests', body);
    expect([response.status, response.body.error.code]).toEqual([400, code]);
    expect(issuesOf(response)).toEqual(details);
  });

  it('the tax host does not serve incorporation requests', async () => {
    const { key } = await buildCaller(gateway);
    const response = await gateway.send('POST', '/tax/api/v1/incorporation-requests', {
      headers: { authorization: `Bearer ${key}` },
      body: request('US', us),
    });
    expect([response.status, response.body.error.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
  });

  it('a request of another organisation behaves like an unknown one', async () => {
    const caller = await buildCaller(gateway);
    const { id } = await build(await buildCaller(gateway));
    const read = (what: string) => gateway.graphql(caller.key, `{ incorporationRequest(id: "${what}") { status } }`);
    const [foreign, unknown] = [await read(id), await read('inc_nothing')];
    const error = ({ body }: GatewayResponse) => ({ ...body.errors[0], extensions: { ...body.errors[0].extensions, requestId: '' } });
    expect(codeOf(foreign)).toBe('INCORPORATION_REQUEST_NOT_FOUND');
    expect(error(foreign)).toEqual(error(unknown));
    expect(
      codeOf(
        await gateway.graphql(caller.key, `mutation { reissueIncorporationLink(input: { id: "${id}" }) { incorporationRequest { id } } }`),
      ),
    ).toBe('INCORPORATION_REQUEST_NOT_FOUND');
  });
});

describe('the link', () => {
  it('opens a page that loads nothing from elsewhere, runs no script and is not cached', async () => {
    const { path } = await build(await buildCaller(gateway));
    const page = await gateway.send('GET', path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.text).not.toMatch(/<script|\bsrc=|<link|@import|url\(/);
    expect(page.text).toContain('C corporation');
    expect(page.text).toContain('Delaware, United States');
  });

  it('every box of the page has a label', async () => {
    const { path } = await build(await buildCaller(gateway));
    const { text } = await gateway.send('GET', `${path}&step=all`);
    const boxes = [...text.matchAll(/<(?:input|select|textarea)\b[^>]*\bid="([^"]+)"/g)].map((match) => match[1]!);
    expect(boxes.length).toBeGreaterThan(15);
    for (const id of boxes) expect(text).toContain(`<label for="${id}"`);
  });

  it('returns the field definitions when JSON is requested', async () => {
    const { id, path } = await build(await buildCaller(gateway));
    const response = await gateway.send('GET', path, { headers: json });
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({
      id,
      country: 'US',
      state: 'DE',
      corporationType: 'CCorp',
      status: 'NotSubmitted',
      isOpen: true,
      ownership: 'SHARES',
    });
    expect(response.body.data.fields.map((field: { name: string }) => field.name)).toContain('authorizedShares');
    expect(response.body.data.roles[0]).toEqual({ role: 'DIRECTOR', atLeast: 1, atMost: null });
  });

  it('with any one character of the key changed it is 404, as for an unknown id, byte for byte', async () => {
    const { id, path } = await build(await buildCaller(gateway));
    const headers = { ...json, 'x-request-id': 'same-request-id' };
    const unknown = await gateway.send('GET', path.replace(id, `inc_${'0'.repeat(26)}`), { headers });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'INCORPORATION_REQUEST_NOT_FOUND']);
    const start = path.indexOf('key=') + 4;
    for (let at = start; at < path.length; at++) {
      const changed = path.slice(0, at) + (path[at] === 'a' ? 'b' : 'a') + path.slice(at + 1);
      expect((await gateway.send('GET', changed, { headers })).text).toBe(unknown.text);
    }
    expect((await gateway.send('GET', path.replace('/us/', '/in/'), { headers })).text).toBe(unknown.text);
    expect((await gateway.send('GET', path.split('?')[0]!, { headers })).text).toBe(unknown.text);
  });

  it('is 410 after 24 hours, and the query has no link any more until it is issued again', async () => {
    const caller = await buildCaller(gateway);
    const { id, path } = await build(caller);
    const current = async () =>
      (await gateway.graphql(caller.key, `{ incorporationRequest(id: "${id}") { signedFormUrl } }`)).body.data.incorporationRequest
        .signedFormUrl;
    expect(new URL(await current()).search).toBe(path.slice(path.indexOf('?')));
    gateway.clock.advance(24 * HOUR + 1_000);
    const late = await gateway.send('GET', path, { headers: json });
    expect([late.status, late.body.error.code]).toEqual([410, 'LINK_EXPIRED']);
    expect(late.body.message).toContain('reissueIncorporationLink');
    expect((await gateway.send('GET', path)).text).toContain('This link has expired');
    expect((await post(path, fields())).status).toBe(410);
    expect(await current()).toBeNull();
    await gateway.graphql(caller.key, `mutation { reissueIncorporationLink(input: { id: "${id}" }) { incorporationRequest { id } } }`);
    const fresh = new URL(await current());
    expect((await gateway.send('GET', fresh.pathname + fresh.search)).status).toBe(200);
    expect((await gateway.send('GET', path)).status).toBe(404);
  });

  it('other methods are 405', async () => {
    const { path } = await build(await buildCaller(gateway));
    const response = await gateway.send('DELETE', path, { headers: json });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('the form', () => {
  it('a posted form moves the request to InProgress and shows that it was received', async () => {
    const caller = await buildCaller(gateway);
    const { id, path } = await build(caller);
    const response = await post(path, fields());
    expect([response.status, response.headers.get('location')]).toEqual([303, path]);
    expect(await statusOf(caller, id)).toBe('IN_PROGRESS');
    const page = await gateway.send('GET', path);
    expect(page.text).toContain('Your form was received');
    expect(page.text).not.toContain('<form');
    const read = await gateway.graphql(caller.key, `{ incorporationRequest(id: "${id}") { answers submittedAt } }`);
    expect(read.body.data.incorporationRequest.answers).toMatchObject({
      companyNames: ['Acme'],
      authorizedShares: '10000000',
      mailingAddress: null,
      fiscalYearEnd: '12-31',
      keyPersons: [{ roles: ['DIRECTOR', 'SHAREHOLDER'] }],
    });
    expect((await post(path, fields())).status).toBe(409);
  });

  it('input issues are shown next to the boxes with the typed values; nothing is stored', async () => {
    const caller = await buildCaller(gateway);
    const { id, path } = await build(caller);
    const response = await post(
      path,
      fields({ authorizedShares: '9999999', 'keyPersons.0.email': 'nobody', businessDescription: '<b>"kettles"</b>' }),
    );
    expect(response.status).toBe(400);
    expect(response.text).toContain('id="keyPersons-0-email-error"');
    expect(response.text).toContain('value="nobody"');
    expect(response.text).toContain('&lt;b&gt;&quot;kettles&quot;&lt;/b&gt;');
    expect(await statusOf(caller, id)).toBe('NOT_SUBMITTED');
  });

  it('issued and pooled shares may add up to exactly the authorised ones', async () => {
    const caller = await buildCaller(gateway);
    const { id, path } = await build(caller);
    const over = await post(path, fields({ 'keyPersons.0.shares': '9000001' }));
    expect([over.status, over.text.includes('authorizedShares-error')]).toEqual([400, true]);
    expect((await post(path, fields())).status).toBe(303);
    expect(await statusOf(caller, id)).toBe('IN_PROGRESS');
  });

  it('persons are added and removed without a script', async () => {
    const { path } = await build(await buildCaller(gateway));
    const more = fields();
    more.append('action', 'add-person');
    const added = await post(path, more);
    expect(added.status).toBe(200);
    expect(added.text).toContain('Person 2');
    expect(added.text).toContain('value="Ada Lovelace"');
    const two = fields({ 'keyPersons.1.fullName': 'Grace Hopper' });
    two.append('action', 'remove-person-0');
    const removed = await post(path, two);
    expect(removed.text).not.toContain('Ada Lovelace');
    expect(removed.text).toContain('value="Grace Hopper"');
  });

  it('JSON answers are accepted, and their input issues name the fields', async () => {
    const caller = await buildCaller(gateway);
    const { id, path } = await build(caller, request('US', { state: 'WY', corporationType: 'LLC' }));
    const person = (name: string, interestPercent: string) => ({
      fullName: name,
      email: 'a@example.com',
      roles: ['MEMBER'],
      interestPercent,
    });
    const answers = {
      companyNames: ['Acme'],
      businessDescription: 'Kettles',
      fiscalYearEnd: '12-31',
      physicalAddress: address,
      keyPersons: [person('Ada', '33.3333'), person('Grace', '66.6666')],
    };
    const short = await gateway.send('POST', path, { headers: json, body: answers });
    expect([short.status, issuesOf(short)]).toEqual([400, { keyPersons: 'MISMATCH' }]);
    const whole = await gateway.send('POST', path, {
      headers: json,
      body: { ...answers, keyPersons: [person('Ada', '33.3333'), person('Grace', '66.6667')] },
    });
    expect([whole.status, whole.body.data]).toEqual([200, { id, status: 'InProgress' }]);
  });

  it('an Indian company uploads a proof of address, which is stored with the request', async () => {
    const caller = await buildCaller(gateway);
    const { id, path } = await build(caller, request('IN', { state: 'KA', corporationType: 'LLP' }));
    const upload = (content: string, more: Record<string, string> = {}): FormData => {
      const data = new FormData();
      const person = (at: number) => ({
        [`keyPersons.${at}.fullName`]: `Person ${at}`,
        [`keyPersons.${at}.email`]: 'p@example.com',
        [`keyPersons.${at}.roles`]: 'DESIGNATED_PARTNER',
        [`keyPersons.${at}.interestPercent`]: '50',
      });
      const { authorizedShares: _, optionPoolShares: __, 'keyPersons.0.shares': ___, ...common } = form;
      for (const [name, value] of Object.entries({ ...common, ...person(0), ...person(1), ...more })) data.set(name, value);
      if (content) data.set('proofOfAddress', new Blob([content]), 'proof.pdf');
      return data;
    };
    const send = (body: FormData) => fetch(gateway.origin + path, { method: 'POST', body, redirect: 'manual' });
    const without = await send(upload(''));
    expect([without.status, (await without.text()).includes('proofOfAddressFileId-error')]).toEqual([400, true]);
    expect((await send(upload('MZ not a document \u0000'))).status).toBe(415);
    expect((await send(upload('', { proofOfAddressFileId: 'file_stolen' }))).status).toBe(400);
    expect((await send(upload('%PDF-1.4 proof'))).status).toBe(303);
    const read = await gateway.graphql(caller.key, `{ incorporationRequest(id: "${id}") { answers } }`);
    const { proofOfAddressFileId } = read.body.data.incorporationRequest.answers;
    const file = await gateway.graphql(caller.key, `{ file(id: "${proofOfAddressFileId}") { name mimeType size purpose } }`);
    expect(file.body.data.file).toEqual({ name: 'proof.pdf', mimeType: 'application/pdf', size: 14, purpose: 'SUPPORTING_DOCUMENT' });
  });

  it('odd bodies are rejected and never cause an internal error', async () => {
    const { path } = await build(await buildCaller(gateway));
    const odd: [string, string][] = [
      ['text/plain', 'hello'],
      ['application/json', '[]'],
      ['application/json', '{'],
      ['multipart/form-data', 'no boundary'],
      ['multipart/form-data; boundary=x', 'never ends'],
      ['application/x-www-form-urlencoded', '__proto__.polluted=1&constructor.prototype.x=1&keyPersons.0=1&companyNames.0.1.2=3&%00=%00'],
      ['application/x-www-form-urlencoded', `companyNames.0=${'x'.repeat(30_000)}`],
    ];
    for (const [type, raw] of odd) {
      const response = await gateway.send('POST', path, { headers: { 'content-type': type, ...json }, raw });
      expect([type, response.status >= 400 && response.status < 500]).toEqual([type, true]);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('operator mutations', () => {
  const submitted = async (caller: Caller) => {
    const made = await build(caller);
    expect((await post(made.path, fields())).status).toBe(303);
    return made;
  };

  it('a request for more information issues a new link with a note; the form shows the earlier answers', async () => {
    const caller = await buildCaller(gateway);
    const { id, path } = await submitted(caller);
    const asked = (await mutate(`requestIncorporationInfo(input: { id: "${id}", note: "Which kettles?" })`)).body.data
      .requestIncorporationInfo.incorporationRequest;
    expect(asked).toMatchObject({ status: 'NEEDS_ADDITIONAL_INFO', note: 'Which kettles?' });
    expect((await gateway.send('GET', path)).status).toBe(404);
    const link = new URL(asked.signedFormUrl);
    const page = await gateway.send('GET', link.pathname + link.search);
    expect(page.text).toContain('Which kettles?');
    expect(page.text).toContain('Ada Lovelace · ada@example.com');
    expect((await gateway.send('GET', `${link.pathname}${link.search}&step=people`)).text).toContain('value="Ada Lovelace"');
    expect((await post(link.pathname + link.search, fields())).status).toBe(303);
    expect(await statusOf(caller, id)).toBe('IN_PROGRESS');
  });

  it('success creates the business entity with its entry in the corporate registry', async () => {
    const caller = await buildCaller(gateway, 'Incorporating organisation');
    const events = await recordEvents(gateway, caller.key);
    const { id, path } = await submitted(caller);
    const done = await mutate(
      `completeIncorporation(input: { id: "${id}", entity: { effectiveStartDate: "2024-02-29", registerNumberKey: "US_STATE_FILE_NUMBER", registerNumber: "7654321" } })`,
    );
    const { status, businessEntityId } = done.body.data.completeIncorporation.incorporationRequest;
    expect([status, typeof businessEntityId]).toEqual(['SUCCEEDED', 'number']);
    const entityKey = await gateway.key(['ENTITIES'], 'Incorporating organisation');
    const listing = await gateway.send('GET', `/api/v1/public/business-entities/${businessEntityId}/registrations`, {
      headers: { 'x-api-key': entityKey },
    });
    expect(listing.body.count).toBe(1);
    expect(listing.body.registrations[0]).toMatchObject({
      purpose: 'CORPORATE_REGISTRY',
      status: 'VALID',
      registrationStatus: 'ACTIVE',
      jurisdiction: 'DE',
      corporationType: 'C_CORP',
      internalIdentifier: 'US_DE_CORP_REGISTRY',
      effectiveStartDate: '2024-02-29',
      isFunctionCritical: true,
    });
    expect(listing.body.registrations[0].governmentIdentifiers[0]).toMatchObject({ key: 'US_STATE_FILE_NUMBER', value: '7654321' });
    expect((await gateway.send('GET', path, { headers: json })).status).toBe(409);
    const data = { incorporation_request_id: id, corporation_id: null };
    expect(await events()).toMatchObject([
      { topic: 'INCORPORATION_REQUEST_SUBMITTED', data },
      { topic: 'INCORPORATION_REQUEST_COMPLETED', data },
    ]);
  });

  it('transitions out of order are rejected; of two operators one wins', async () => {
    const caller = await buildCaller(gateway);
    const { id } = await build(caller);
    const complete = (what: string) =>
      mutate(`completeIncorporation(input: { id: "${what}", entity: { effectiveStartDate: "2024-01-01" } })`);
    expect(codeOf(await complete(id))).toBe('INVALID_STATE_TRANSITION');
    expect(
      (await mutate(`failIncorporation(input: { id: "${id}", reason: "given up" })`)).body.data.failIncorporation.incorporationRequest,
    ).toMatchObject({ status: 'FAILED', signedFormUrl: null });
    expect(codeOf(await mutate(`reissueIncorporationLink(input: { id: "${id}" })`))).toBe('INVALID_STATE_TRANSITION');
    const other = await submitted(caller);
    const race = await Promise.all([complete(other.id), mutate(`failIncorporation(input: { id: "${other.id}" })`)]);
    expect(race.map(codeOf).sort()).toEqual(['INVALID_STATE_TRANSITION', 'OK']);
    expect(codeOf(await complete('inc_nothing'))).toBe('INCORPORATION_REQUEST_NOT_FOUND');
  });

  it('only an administrator may use them', async () => {
    const caller = await buildCaller(gateway);
    const { id } = await build(caller);
    const denied = await gateway.graphql(
      caller.key,
      `mutation { failIncorporation(input: { id: "${id}" }) { incorporationRequest { id } } }`,
    );
    expect(codeOf(denied)).toBe('FORBIDDEN');
    expect(codeOf(await gateway.graphql(ADMIN_TOKEN, `{ incorporationRequest(id: "${id}") { id } }`))).toBe('FORBIDDEN');
  });
});
