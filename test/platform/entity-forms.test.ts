// Legal forms by country and kinds of tax ids, on GraphQL and REST.
import { beforeAll, expect, it } from 'vitest';
import { checkLegalForm } from '../../src/platform/entity-forms/entity-type.ts';
import { USUAL_NAMES } from '../../src/platform/entity-forms/forms.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCaller, type Caller } from '../support/registrations.ts';

const gateway = useGateway();
let caller: Caller;
beforeAll(async () => {
  caller = await buildCaller(gateway);
});

const forms = async (args: string) =>
  (await gateway.graphql(caller.key, `{ entityForms(${args}) { code name abbreviation state language transliteration } }`)).body.data
    .entityForms;

it('a country has its legal forms, with code, local name and abbreviation', async () => {
  expect(await forms('country: "DE"')).toContainEqual({
    code: '2HBR',
    name: 'Gesellschaft mit beschränkter Haftung',
    abbreviation: expect.stringContaining('GmbH'),
    state: null,
    language: 'de',
    transliteration: null,
  });
  expect((await forms('country: "jp"')).some((form: { transliteration: string | null }) => form.transliteration)).toBe(true);
  expect(await forms('country: "AQ"')).toEqual([]);
  const none = await caller.get('/entity-forms?country=D1');
  expect([none.status, none.body.error.details[0].field]).toEqual([400, 'country']);
});

it('a state that the country has not is rejected by name, and so is the whole code of one', async () => {
  const refused = async (state: string) => {
    const response = await caller.get(`/entity-forms?country=US&state=${state}`);
    return [response.status, response.body.error.details[0].field, response.body.error.details[0].message];
  };
  expect(await refused('ZZ')).toEqual([400, 'state', expect.stringContaining('must be an ISO 3166-2 sub-division of US')]);
  expect(await refused('US-CA')).toEqual([400, 'state', 'state must be written without the country, as CA']);
  expect((await caller.get('/entity-forms?country=US&state=de')).body.data).toEqual(
    (await caller.get('/entity-forms?country=US&state=DE')).body.data,
  );
});

it('a state has its own forms and those of the country', async () => {
  const delaware = await forms('country: "US", state: "DE"');
  expect(new Set(delaware.map((form: { state: string | null }) => form.state))).toEqual(new Set([null, 'DE']));
  expect(delaware.map((form: { code: string }) => form.code)).toContain('XTIQ');
  const rest = await caller.get('/entity-forms?country=US&state=DE');
  expect(rest.body.data.entity_forms.map((form: { code: string }) => form.code)).toEqual(
    delaware.map((form: { code: string }) => form.code),
  );
});

it('the kinds of tax ids of a country have a type, a name, a pattern and an example that fits it', async () => {
  const query = '{ taxIdKinds(country: "SE") { type name pattern example hasCheckDigits source checkedAt } }';
  const kinds = (await gateway.graphql(caller.key, query)).body.data.taxIdKinds;
  expect(kinds.map(({ type }: { type: string }) => type)).toEqual(['SE_VAT', 'SE_ORGNR']);
  expect(kinds.every(({ pattern, example }: { pattern: string; example: string }) => new RegExp(pattern).test(example))).toBe(true);
  expect(kinds[0]).toMatchObject({ hasCheckDigits: true, source: expect.stringContaining('European Commission'), checkedAt: '2026-11-22' });
  const rest = await caller.get('/tax-id-kinds?country=SE');
  expect(rest.body.data.tax_id_kinds.map(({ type }: { type: string }) => type)).toEqual(['SE_VAT', 'SE_ORGNR']);
});

it('a corporation takes the code and the abbreviation of its legal form and shows the documented spelling', async () => {
  const form = async (jurisdiction: string, entityType: string, state?: string) => {
    const made = await caller.post('/corporations', {
      legal_name: 'A',
      jurisdiction,
      entity_type: entityType,
      ...(state ? { state } : {}),
    });
    return made.status === 200 ? made.body.data.entity_type : made.body.error.details;
  };
  expect(await form('US', 'C_CORP', 'DE')).toBe('C_CORP');
  expect(await form('US', 'xtiq', 'DE')).toBe('C_CORP');
  expect(await form('GB', 'Ltd.')).toBe('PRIVATE_LIMITED_COMPANY');
  expect(await form('IN', 'Pvt. Ltd.')).toBe('PRIVATE_LIMITED_COMPANY');
  expect(await form('DE', 'G.m.b.H.')).toBe('2HBR');
  expect(await form('DE', '2HBR')).toBe('2HBR');
  expect(await form('US', '4FSX', 'DE')).toBe('4FSX');
  const issue = (message: unknown) => [expect.objectContaining({ field: 'entity_type', message })];
  expect(await form('US', '4FSX', 'TX')).toEqual(
    issue(expect.stringContaining('must be one of: C_CORP, LLC, LP, LLP; or a legal form of US')),
  );
  expect(await form('FR', '2HBR')).toEqual(issue(expect.stringContaining('must be a legal form of FR that entityForms lists')));
  expect(await form('IE', 'cn')).toEqual(issue('entity_type must be one code; cn is short for FF1D, KMFX, URQH'));
});

it('a corporation whose form has a code keeps it when it changes, and not in a country without that form', async () => {
  const made = await caller.post('/corporations', { legal_name: 'A', jurisdiction: 'DE', entity_type: 'KG' });
  const path = `/corporations/${made.body.data.id}`;
  expect((await caller.post(path, { legal_name: 'B' })).status).toBe(200);
  const moved = await caller.post(path, { jurisdiction: 'FR' });
  expect([moved.status, moved.body.error.details[0].field]).toEqual([400, 'jurisdiction']);
  expect((await caller.get(path)).body.data).toMatchObject({ legal_name: 'B', jurisdiction: 'DE', entity_type: '8Z6G' });
});

it('an incorporation request takes the code and the abbreviation of a type it offers and shows the name of the type', async () => {
  const type = async (country: string, entry: { state?: string; corporationType: string }) => {
    const body = { companyId: '5e0e5ba0-54a2-4d0c-b6d3-0d4b6a5a1a11', country, corporationTypeInfo: { [country]: entry } };
    const made = await caller.post('/incorporation-requests', body);
    return made.status === 200 ? made.body.data.corporationTypeInfo[country].corporationType : made.status;
  };
  expect(await type('US', { state: 'DE', corporationType: 'XTIQ' })).toBe('CCorp');
  expect(await type('IN', { state: 'KA', corporationType: 'Pvt Ltd' })).toBe('PvtLtd');
  expect(await type('GB', { state: 'EAW', corporationType: 'ltd.' })).toBe('Ltd');
  expect(await type('US', { state: 'TX', corporationType: 'XTIQ' })).toBe(400);
  expect(await type('US', { state: 'DE', corporationType: '4FSX' })).toBe(400);
});

it('kinds of tax ids of a country that does not exist are rejected by name', async () => {
  for (const country of ['QQ', 'D1']) {
    const refused = await caller.get(`/tax-id-kinds?country=${country}`);
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'country']);
  }
  expect((await caller.get('/tax-id-kinds?country=se')).body.data.tax_id_kinds.length).toBe(2);
  expect((await caller.get('/tax-id-kinds?country=AQ')).body.data.tax_id_kinds).toEqual([]);
});

it('a legal form is taken as people write it, next to the spelling of the list', () => {
  for (const [country, written, code] of [
    ['FR', 'SARL', 'V9QP'],
    ['FR', 'S.à r.l.', 'V9QP'],
    ['JP', 'K.K.', 'T417'],
    ['JP', 'Kabushiki Kaisha', 'T417'],
    ['JP', '株式会社', 'T417'],
    ['AU', 'Pty Ltd', 'TXVC'],
    ['AU', '(Pty.) Ltd.', 'TXVC'],
    ['ZA', '(Pty) Ltd', 'GQVQ'],
    ['DE', 'GmbH', '2HBR'],
    ['DE', 'Gesellschaft mit beschränkter Haftung', '2HBR'],
    ['IT', 'S.p.A.', 'P418'],
    ['HK', 'Limited', '254M'],
    ['TH', 'Co., Ltd.', 'K09K'],
    ['RU', 'ООО', '17R7'],
  ])
    expect(checkLegalForm(country!, null, written), `${country} ${written}`).toEqual({ ok: true, value: code });
});

it('every usual name names one form of its country, in at least 60 countries', () => {
  for (const [country, names] of USUAL_NAMES)
    for (const { code, written } of names)
      for (const name of written) {
        const checked = checkLegalForm(country, null, name);
        expect(checked.ok, `${country} ${name} ${code}`).toBe(true);
      }
  expect(USUAL_NAMES.size).toBeGreaterThanOrEqual(60);
});
