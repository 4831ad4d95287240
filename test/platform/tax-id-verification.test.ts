// Tax ids that an authority verifies: VIES on loopback that responds, rejects, hangs and lies, and the state that callers see.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkIdentifier, IDENTIFIER_KINDS } from '../../src/platform/shared/government-identifiers.ts';
import { vies } from '../../src/platform/tax-ids/vies.ts';
import { type Gateway, type GatewayResponse, startGateway } from '../support/gateway.ts';
import { until } from '../support/queue-database.ts';
import { buildCompany } from '../support/records.ts';
import { operate, recordEvents } from '../support/registrations.ts';

/** What VIES was asked, in the order of the calls. */
const asked: { path: string; countryCode: string; vatNumber: string }[] = [];
let respond: (response: ServerResponse, question: { countryCode: string; vatNumber: string }) => void;
let authority: Server;
let url: string;

const json = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const known = {
  requestDate: '2026-11-26T00:00:00.000Z',
  requestIdentifier: 'WAPIAAAAZ1',
  name: 'ACME GMBH',
  address: 'MUSTERSTRASSE 1\nBERLIN',
};

beforeAll(async () => {
  authority = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const question = JSON.parse(body);
      asked.push({ path: `${request.method} ${request.url}`, ...question });
      respond(response, question);
    });
  });
  await new Promise<void>((resolve) => authority.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(authority.address() as AddressInfo).port}/rest-api/`;
});
afterAll(async () => {
  authority.closeAllConnections();
  await new Promise((resolve) => authority.close(resolve));
});
beforeEach(() => {
  asked.length = 0;
  respond = (response, question) => json(response, { ...question, ...known, valid: true });
});

describe('the adapter of VIES', () => {
  it('sends the published form and reads the response', async () => {
    expect(await vies(url).ask('DE_VAT', '136695976')).toEqual({
      state: 'VERIFIED',
      name: 'ACME GMBH',
      address: 'MUSTERSTRASSE 1\nBERLIN',
      reference: 'WAPIAAAAZ1',
    });
    expect(asked).toEqual([{ path: 'POST /rest-api/check-vat-number', countryCode: 'DE', vatNumber: '136695976' }]);
  });

  it('a number that is not valid is UNVERIFIED, and hyphens are no name', async () => {
    respond = (response, question) => json(response, { ...question, valid: false, name: '---', address: '---', requestIdentifier: '' });
    expect(await vies(url).ask('GR_AFM', '238514060')).toEqual({ state: 'UNVERIFIED', name: null, address: null, reference: null });
    expect(asked[0]).toMatchObject({ countryCode: 'EL', vatNumber: '238514060' });
  });

  it.each([
    [
      'an error of the member state',
      (response: ServerResponse) => json(response, { actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] }),
    ],
    ['a refusal', (response: ServerResponse) => json(response, {}, 403)],
    ['a failure', (response: ServerResponse) => response.writeHead(500).end('<html>')],
    ['a redirect', (response: ServerResponse) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['something else than JSON', (response: ServerResponse) => response.writeHead(200).end('valid')],
    [
      'a response about another number',
      (response: ServerResponse) => json(response, { ...known, countryCode: 'DE', vatNumber: '1', valid: true }),
    ],
    ['no verdict', (response: ServerResponse) => json(response, { ...known, countryCode: 'DE', vatNumber: '136695976', valid: 'yes' })],
    ['a broken connection', (response: ServerResponse) => response.destroy()],
  ])('%s is UNAVAILABLE, never VERIFIED', async (_, broken) => {
    respond = broken;
    expect(await vies(url).ask('DE_VAT', '136695976')).toMatchObject({ state: 'UNAVAILABLE', name: null });
  });

  it('silence is UNAVAILABLE', async () => {
    respond = () => {};
    expect(await vies(url, 50).ask('DE_VAT', '136695976')).toMatchObject({ state: 'UNAVAILABLE' });
  });

  it('knows the numbers for value added tax of the European Union and Northern Ireland, which come without a prefix', async () => {
    const all = [...IDENTIFIER_KINDS.values()].filter(({ key }) => vies(url).knows(key));
    expect(new Set(all.map(({ country }) => country)).size).toBe(28);
    for (const { key, country, example } of all) {
      const checked = checkIdentifier(key, key === 'GB_XI_VAT' ? example : `${country}${example.replace(/^(?:BE|CHE) ?/, '')}`);
      await vies(url).ask(key, checked.ok ? checked.value.compact : '');
      expect(asked.at(-1)!.vatNumber, key).not.toMatch(new RegExp(`^(?:${country}|XI|$)`));
    }
  });
});

describe('a gateway that asks VIES', () => {
  let gateway: Gateway;
  let key: string;
  beforeAll(async () => {
    gateway = await startGateway({ viesUrl: url });
    key = await gateway.key(['PLATFORM']);
  });
  afterAll(() => gateway.stop());

  const verify = (type: string, value: string): Promise<GatewayResponse> =>
    gateway.graphql(
      key,
      `mutation ($type: String!, $value: String!) { verifyTaxId(input: { type: $type, value: $value }) {
         verification { state source checkedAt name address reference } errors { message path } } }`,
      { type, value },
    );
  const stateOf = async (type: string, value: string): Promise<string> =>
    (await verify(type, value)).body.data.verifyTaxId.verification?.state;
  const settled = (type: string, value: string): Promise<void> => until(async () => (await stateOf(type, value)) !== 'PENDING');

  it('returns PENDING, then what VIES says, on the tax id of a corporation too, and asks once a day', async () => {
    const taxIds = [
      { type: 'DE_VAT', value: 'DE 136695976' },
      { type: 'DE_STNR', value: '181/815/08155' },
    ];
    const made = await gateway.graphql(
      key,
      `mutation ($taxIds: [TaxIdInput!]!) { createCorporation(input: { legalName: "Acme", jurisdiction: "DE", taxIds: $taxIds }) { corporation { id taxIds { type verification { state } } } } }`,
      { taxIds },
    );
    const { id, taxIds: unasked } = made.body.data.createCorporation.corporation;
    expect(unasked.map(({ verification }: { verification: { state: string } }) => verification.state)).toEqual([
      'FORMAT_ONLY',
      'FORMAT_ONLY',
    ]);
    expect(await stateOf('DE_VAT', 'DE 136695976')).toBe('PENDING');
    await settled('DE_VAT', '136695976');
    expect((await verify('DE_VAT', '136695976')).body.data.verifyTaxId).toEqual({
      verification: {
        state: 'VERIFIED',
        source: 'VIES',
        checkedAt: expect.any(String),
        name: 'ACME GMBH',
        address: 'MUSTERSTRASSE 1\nBERLIN',
        reference: 'WAPIAAAAZ1',
      },
      errors: [],
    });
    expect(asked).toHaveLength(1);
    const read = await gateway.graphql(
      key,
      `query ($id: ID!) { corporation(id: $id) { taxIds { type value verification { state source } } } }`,
      { id },
    );
    expect(read.body.data.corporation.taxIds).toEqual([
      { type: 'DE_VAT', value: 'DE 136695976', verification: { state: 'VERIFIED', source: 'VIES' } },
      { type: 'DE_STNR', value: '181/815/08155', verification: { state: 'FORMAT_ONLY', source: null } },
    ]);
    gateway.clock.advance(86_400_000);
    expect(await stateOf('DE_VAT', '136695976')).toBe('PENDING');
    await until(async () => asked.length === 2);
  });

  it('an authority that does not respond is UNAVAILABLE, and is asked again', async () => {
    respond = (response) => json(response, {}, 503);
    await verify('FR_TVA', '40 303 265 045');
    await settled('FR_TVA', '40303265045');
    expect((await verify('FR_TVA', '40303265045')).body.data.verifyTaxId.verification).toMatchObject({
      state: 'UNAVAILABLE',
      checkedAt: expect.any(String),
      name: null,
    });
    respond = (response, question) => json(response, { ...question, ...known, valid: true });
    gateway.clock.advance(600_000);
    expect(await stateOf('FR_TVA', '40303265045')).toBe('PENDING');
    await settled('FR_TVA', '40303265045');
    expect(await stateOf('FR_TVA', '40303265045')).toBe('VERIFIED');
  });

  it('shows one response on identifiers of entities and on contacts too, and reports it in an event', async () => {
    const name = 'Verifier';
    const own = await gateway.key(['PLATFORM', 'ENTITIES', 'INTEGRATIONS'], name);
    const events = await recordEvents(gateway, own);
    const entity = (
      await operate(
        gateway,
        `upsertBusinessEntity(input: { organisationName: "${name}", legalName: "Acme", country: "GB", corporationType: PRIVATE_LIMITED_COMPANY })`,
        'businessEntity { businessEntityId }',
      )
    ).body.data.upsertBusinessEntity.businessEntity.businessEntityId;
    const added = await operate(
      gateway,
      `addGovernmentIdentifier(input: { businessEntityId: ${entity}, key: "DE_VAT", value: "DE136695976" })`,
      'governmentIdentifier { verification { state } }',
    );
    expect(added.body.data?.addGovernmentIdentifier, added.text).toEqual({
      governmentIdentifier: { verification: { state: 'FORMAT_ONLY' } },
    });
    const company = await buildCompany(gateway, { key: own });
    const taxNumbers = ['DE 136 695 976', 'FR40303265045', '12-3456789', null];
    for (const tax_number of taxNumbers)
      await gateway.send('POST', `${company.base}/contacts`, {
        headers: company.headers,
        body: { data: { platform_id: String(tax_number), name: String(tax_number), tax_number } },
      });
    const asking = (variables: string) =>
      gateway.graphql(own, `mutation { verifyTaxId(input: { ${variables} }) { verification { state } errors { path } } }`);
    await asking('value: "DE 136 695 976"');
    await until(async () => (await asking('value: "DE136695976"')).body.data.verifyTaxId.verification.state === 'VERIFIED');
    const read = await gateway.graphql(
      own,
      `{ businessEntity(businessEntityId: ${entity}) { governmentIdentifiers(first: 5) { nodes { verification { state source name } } } }
         company(id: ${company.id}) { contacts(first: 9) { nodes { name taxNumberVerification { state source } } } } }`,
    );
    expect(read.body.errors, read.text).toBeUndefined();
    expect(read.body.data.businessEntity.governmentIdentifiers.nodes).toEqual([
      { verification: { state: 'VERIFIED', source: 'VIES', name: 'ACME GMBH' } },
    ]);
    expect(read.body.data.company.contacts.nodes).toEqual([
      { name: taxNumbers[0], taxNumberVerification: { state: 'VERIFIED', source: 'VIES' } },
      { name: taxNumbers[1], taxNumberVerification: { state: 'FORMAT_ONLY', source: null } },
      { name: taxNumbers[2], taxNumberVerification: null },
      { name: 'null', taxNumberVerification: null },
    ]);
    expect((await asking('value: "12-3456789"')).body.data.verifyTaxId).toEqual({
      verification: null,
      errors: [{ path: ['type'] }],
    });
    expect((await events()).filter(({ topic }) => topic === 'TAX_IDS_VERIFICATION_UPDATED').map(({ data }) => data)).toEqual([
      {
        type: 'DE_VAT',
        number: '136695976',
        previous: 'PENDING',
        current: 'VERIFIED',
        source: 'VIES',
        checked_at: expect.any(String),
        name: 'ACME GMBH',
        address: 'MUSTERSTRASSE 1\nBERLIN',
        reference: 'WAPIAAAAZ1',
      },
    ]);
  });

  it('another organisation sees nothing of it', async () => {
    const other = await gateway.key(['PLATFORM']);
    const made = await gateway.graphql(
      other,
      `mutation { createCorporation(input: { legalName: "Other", jurisdiction: "DE", taxIds: [{ type: "DE_VAT", value: "136695976" }] }) { corporation { taxIds { verification { state } } } } }`,
    );
    expect(made.body.data.createCorporation.corporation.taxIds).toEqual([{ verification: { state: 'FORMAT_ONLY' } }]);
  });

  it('a kind without an authority is FORMAT_ONLY, and an unknown kind or a wrong format is an error by name', async () => {
    expect(await stateOf('US_EIN', '91-1144442')).toBe('FORMAT_ONLY');
    for (const [type, value, path] of [
      ['XX_TAX', '1', 'type'],
      ['DE_VAT', '12', 'value'],
    ] as const) {
      const { errors, verification } = (await verify(type, value)).body.data.verifyTaxId;
      expect([verification, errors[0].path.at(-1)]).toEqual([null, path]);
    }
    expect(asked).toEqual([]);
  });
});
