// Registration content and sales tax registrations: the routes, the two state machines, tenancy.
import { typeidUnboxed } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import { organisationTransaction } from '../../src/database/transaction.ts';
import { shippedContentPack } from '../../src/platform/registrations/content/shipped-content.ts';
import { settleRegistration } from '../../src/platform/registrations/dates.ts';
import { RegistrationStatus } from '../../src/platform/registrations/enums.ts';
import { Registration } from '../../src/platform/registrations/registration.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import {
  buildCaller,
  buildCorporation,
  buildRegistration,
  type Caller,
  issuesOf,
  operate,
  recordEvents,
  registrationBody,
} from '../support/registrations.ts';

const gateway = useGateway();
const packFile = shippedContentPack();
const DAY = 86_400_000;
const dayFromNow = (days: number): string => new Date(gateway.clock.now().getTime() + days * DAY).toISOString().slice(0, 10);
const content = '/registrations/content';

describe('registration content', () => {
  it('jurisdictions are listed and filtered by country, type and part of the name', async () => {
    const caller = await buildCaller(gateway);
    const all = await caller.post(`${content}/available-jurisdictions`, {});
    expect(all.status).toBe(200);
    expect(all.body.data.jurisdictions).toHaveLength(packFile.jurisdictions.length);
    const refused = await caller.post(`${content}/available-jurisdictions`, { filters: { countries: ['US', ''] } });
    expect([refused.status, refused.body.error.details[0].field], refused.text).toEqual([400, 'filters.countries']);
    const some = await caller.post(`${content}/available-jurisdictions`, {
      filters: { countries: ['US'], types: ['STATE_OR_PROVINCE'], name: 'new ' },
    });
    expect(some.body.data.jurisdictions.map((one: { name: string }) => one.name).sort()).toEqual(['New Jersey', 'New Mexico', 'New York']);
    expect(some.body.data.jurisdictions[0]).toEqual({
      jurisdiction_id: 'JUR_US_NJ',
      name: 'New Jersey',
      type: 'STATE_OR_PROVINCE',
      country: 'US',
      state_or_province: 'NJ',
      parent_jurisdiction_id: 'JUR_US',
    });
  });

  it('input options list every registration of a jurisdiction, with its questions', async () => {
    const caller = await buildCaller(gateway);
    const response = await caller.post(`${content}/registration-input-options`, { filters: { jurisdiction_ids: ['JUR_US_CA', 'JUR_DE'] } });
    expect(response.status).toBe(200);
    const [california, germany] = response.body.data.options;
    expect(california).toMatchObject({ jurisdiction_id: 'JUR_US_CA', jurisdiction_name: 'California' });
    expect(california.registrations[0]).toMatchObject({
      registration_content_id: 'US_CA_RST',
      tax_type: 'RST',
      related_tax_types: [
        { tax_type: 'RUT', optional: true },
        { tax_type: 'DTT', optional: true },
      ],
    });
    const dependent = california.registrations[0].input_fields.find((field: { key: string }) => field.key === 'place_of_business');
    expect(dependent).toMatchObject({
      type: 'longtext',
      depends_on: { field: 'has_physical_presence', value: true },
      is_unique_per_registration: false,
    });
    expect(germany.registrations.flatMap((one: { prerequisites: { any_of: string[] }[] }) => one.prerequisites)[0].any_of).toContain(
      'EU_OSS_UNION_VAT',
    );
  });

  it('an unknown jurisdiction or content id is 400 and named', async () => {
    const caller = await buildCaller(gateway);
    const options = await caller.post(`${content}/registration-input-options`, {
      filters: { jurisdiction_ids: ['JUR_US_CA', 'JUR_NOWHERE'] },
    });
    expect(options.status).toBe(400);
    expect(options.body.message).toContain('JUR_NOWHERE');
    const none = await caller.post(`${content}/registration-input-options`, { filters: {} });
    expect(issuesOf(none)).toEqual({ 'filters.jurisdiction_ids': 'REQUIRED' });
    const portals = await caller.post(`${content}/portal-fields`, { filters: { registration_content_ids: ['NOPE'] } });
    expect([portals.status, portals.body.error.code]).toEqual([400, 'REGISTRATION_CONTENT_NOT_FOUND']);
  });

  it('portals hold no credential fields', async () => {
    const caller = await buildCaller(gateway);
    const response = await caller.post(`${content}/portal-fields`, { filters: { registration_content_ids: ['US_AL_RST', 'US_AL_SSUT'] } });
    expect(response.body.data.portals).toEqual([
      { portal_id: 'US_AL', portal_name: 'My Alabama Taxes', portal_url: 'https://myalabamataxes.alabama.gov', credential_fields: [] },
    ]);
  });

  it('unknown members of a content question are rejected', async () => {
    const caller = await buildCaller(gateway);
    const response = await caller.post(`${content}/available-jurisdictions`, { filter: {} });
    expect(issuesOf(response)).toEqual({ filter: 'UNKNOWN_FIELD' });
  });

  it('an operator activates another pack; a broken one is rejected with the places of its issues; a version is accepted once', async () => {
    const ingest = (json: unknown, key: string | null = ADMIN_TOKEN) =>
      gateway.graphql(key, 'mutation ($json: JSON!) { ingestRegistrationContent(input: { json: $json }) { version contentCount } }', {
        json,
      });
    const pack = {
      ...packFile,
      version: '2026.7',
      jurisdictions: packFile.jurisdictions.map((one) => (one.jurisdictionId === 'JUR_US_WY' ? { ...one, name: 'Wyoming (new)' } : one)),
    };
    const broken = await ingest({ ...pack, content: [{ ...packFile.content[0], taxType: 'XYZ' }] });
    expect(broken.body.errors[0].extensions.field).toBe('input.json.content[0].taxType');
    expect((await ingest(pack, (await buildCaller(gateway)).key)).body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect((await ingest(pack)).body.data.ingestRegistrationContent).toEqual({ version: '2026.7', contentCount: packFile.content.length });
    expect((await ingest(pack)).body.errors[0].extensions.code).toBe('RECORD_ALREADY_EXISTS');
    const caller = await buildCaller(gateway);
    const found = await caller.post(`${content}/available-jurisdictions`, { filters: { name: '(NEW)' } });
    expect(found.body.data.jurisdictions.map((one: { jurisdiction_id: string }) => one.jurisdiction_id)).toEqual(['JUR_US_WY']);
  });
});

describe('creating a registration', () => {
  it('201 with the record under data, and the same record by its uuid', async () => {
    const caller = await buildCaller(gateway);
    const corporationId = await buildCorporation(caller);
    const made = await caller.post(
      '/registrations',
      registrationBody(corporationId, { tax_types: ['RST', 'RUT'], frequency: 'MONTHLY', tax_registration_id: ' R012345678 ' }),
    );
    expect(made.status).toBe(201);
    const { data } = made.body;
    expect(data.registration_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    expect(data).toEqual({
      id: data.registration_id,
      registration_id: data.registration_id,
      corporation_id: corporationId,
      registration_content_id: 'US_AL_RST',
      jurisdiction_id: 'JUR_US_AL',
      jurisdiction_type: 'STATE_OR_PROVINCE',
      jurisdiction_name: 'Alabama',
      country: 'US',
      state_or_province: 'AL',
      tax_types: ['RST', 'RUT'],
      frequency: 'MONTHLY',
      registration_type: 'EXISTING',
      registration_status: 'REGISTERED',
      validation_status: 'PENDING',
      auto_filing_status: 'NOT_FILING',
      effective_start_date: '2020-01-01',
      effective_end_date: null,
      tax_registration_id: 'R012345678',
      input_values: {},
      registered_by: 'API',
      portal_id: null,
      credential_id: null,
      email_alias: null,
      archived: false,
      created_at: data.created_at,
      updated_at: data.created_at,
    });
    const read = await caller.get(`/registrations/${data.registration_id}`);
    expect([read.status, read.body.data]).toEqual([200, data]);
    expect(typeof read.body.message).toBe('string');
  });

  it('GraphQL has the global id and the uuid; both endpoints and node find the record', async () => {
    const caller = await buildCaller(gateway);
    const { registration_id } = await buildRegistration(caller);
    const read = await gateway.graphql(
      caller.key,
      `{ registration(registrationId: "${registration_id}") { id registrationId registrationStatus } }`,
    );
    const found = read.body.data.registration;
    expect(found).toMatchObject({ registrationId: registration_id, registrationStatus: 'REGISTERED' });
    expect(found.id).toMatch(/^reg_/);
    const node = await gateway.graphql(caller.key, `{ node(id: "${found.id}") { id ... on Registration { registrationId } } }`);
    expect(node.body.data.node).toEqual({ id: found.id, registrationId: registration_id });
  });

  const refusals: [what: string, fields: object, code: string, details: Record<string, string>][] = [
    [
      'a tax type the entry does not name',
      { tax_types: ['RST', 'VAT'] },
      'REGISTRATION_INVALID_TAX_TYPE',
      { 'tax_types.1': 'INVALID_VALUE' },
    ],
    ['a tax type named twice', { tax_types: ['RST', 'RST'] }, 'REGISTRATION_INVALID_TAX_TYPE', { 'tax_types.1': 'DUPLICATE' }],
    ['tax types without the main one', { tax_types: ['RUT'] }, 'REGISTRATION_INVALID_TAX_TYPE', { tax_types: 'REQUIRED' }],
    ['no tax types at state level', { tax_types: undefined }, 'MISSING_PARAMS', { tax_types: 'REQUIRED' }],
    ['a frequency the entry does not name', { frequency: 'BIMONTHLY' }, 'REGISTRATION_INVALID_FREQUENCY', { frequency: 'INVALID_VALUE' }],
    ['no start of an existing registration', { effective_start_date: undefined }, 'MISSING_PARAMS', { effective_start_date: 'REQUIRED' }],
    ['a start more than a year ahead', { effective_start_date: '2999-01-01' }, 'INVALID_PARAMS', { effective_start_date: 'OUT_OF_RANGE' }],
    ['an end before the start', { effective_end_date: '2019-12-31' }, 'INVALID_PARAMS', { effective_end_date: 'OUT_OF_RANGE' }],
    ['a day that does not exist', { effective_start_date: '2023-02-29' }, 'INVALID_PARAMS', { effective_start_date: 'INVALID_FORMAT' }],
    [
      'unknown content',
      { registration_content_id: 'US_XX_RST' },
      'REGISTRATION_CONTENT_NOT_FOUND',
      { registration_content_id: 'NOT_FOUND' },
    ],
    ['an unknown field', { tax_type: 'RST' }, 'INVALID_PARAMS', { tax_type: 'UNKNOWN_FIELD' }],
    ['an answer to no question', { input_values: { colour: 'red' } }, 'INVALID_PARAMS', { 'input_values.colour': 'UNKNOWN_FIELD' }],
    ['a number of another form', { tax_registration_id: '!!' }, 'INVALID_PARAMS', { tax_registration_id: 'INVALID_FORMAT' }],
  ];
  it.each(refusals)('%s is 400', async (_, fields, code, details) => {
    const caller = await buildCaller(gateway);
    const response = await caller.post('/registrations', registrationBody(await buildCorporation(caller), fields));
    expect([response.status, response.body.error.code]).toEqual([400, code]);
    expect(issuesOf(response)).toMatchObject(details);
    expect(response.body.message, 'every field in the notation of this endpoint').not.toMatch(/[a-z][A-Z]/);
  });

  it('an unknown corporation is 400, one of another organisation byte for byte the same', async () => {
    const caller = await buildCaller(gateway);
    const stranger = await buildCorporation(await buildCaller(gateway));
    const unknown = `corp_${'0'.repeat(26)}`;
    const headers = { authorization: `Bearer ${caller.key}`, 'x-request-id': 'same-request-id' };
    const [a, b] = await Promise.all(
      [unknown, stranger].map((id) => gateway.send('POST', '/api/v1/registrations', { headers, body: registrationBody(id) })),
    );
    expect([a!.status, a!.body.error.code]).toEqual([400, 'CORPORATION_NOT_FOUND']);
    expect(b!.text).toBe(a!.text);
  });

  it('a corporation is registered once per content; of several at once one wins; an archived one does not count', async () => {
    const caller = await buildCaller(gateway);
    const corporationId = await buildCorporation(caller);
    const responses = await Promise.all([1, 2, 3].map(() => caller.post('/registrations', registrationBody(corporationId))));
    expect(responses.map((response) => response.body.error?.code ?? response.status).sort()).toEqual([
      201,
      'REGISTRATION_DUPLICATE',
      'REGISTRATION_DUPLICATE',
    ]);
    const id = responses.find((response) => response.status === 201)!.body.data.id;
    await operate(gateway, `archiveRegistration(input: { id: "${id}" })`, 'registration { archived }');
    expect((await caller.post('/registrations', registrationBody(corporationId))).status).toBe(201);
    expect((await caller.get(`/registrations/${id}`)).body.data.archived).toBe(true);
  });

  it('a member scheme needs a registration of its bloc first', async () => {
    const caller = await buildCaller(gateway);
    const corporationId = await buildCorporation(caller);
    const member = registrationBody(corporationId, { registration_content_id: 'AT_OSS_VAT', tax_types: ['VAT'] });
    const early = await caller.post('/registrations', member);
    expect([early.status, early.body.error.code]).toEqual([400, 'REGISTRATION_PREREQUISITE_MISSING']);
    expect(early.body.message).toContain('EU_OSS_UNION_VAT');
    expect((await caller.post('/registrations', { ...member, registration_content_id: 'EU_OSS_UNION_VAT' })).status).toBe(201);
    expect((await caller.post('/registrations', member)).status).toBe(201);
  });

  it('a number whose check digits do not fit is stored as INVALID with a warning in every country', async () => {
    const caller = await buildCaller(gateway);
    const gst = (number: string, state = 'MH') => ({
      registration_content_id: `IN_${state}_GST`,
      tax_types: ['GST'],
      tax_registration_id: number,
    });
    const corporationId = await buildCorporation(caller);
    const doubtful = await caller.post('/registrations', registrationBody(corporationId, gst('27AAPFU0939F1ZO')));
    expect([doubtful.status, doubtful.body.data.validation_status]).toEqual([201, 'INVALID']);
    expect(doubtful.body.message).toContain('check digits');
    const right = await buildRegistration(caller, gst('27AAPFU0939F1ZV'));
    expect(right.validation_status).toBe('PENDING');
    const german = await caller.post(
      '/registrations',
      registrationBody(corporationId, { registration_content_id: 'DE_VAT', tax_types: ['VAT'], tax_registration_id: 'DE136695978' }),
    );
    expect([german.status, german.body.data.validation_status]).toEqual([201, 'INVALID']);
    expect(german.body.message).toContain('DE136695978');
  });
});

describe('reading registrations', () => {
  it('an id that is no uuid is 400, an unknown one 404, one of another organisation byte for byte the same', async () => {
    const caller = await buildCaller(gateway);
    const foreign = await buildRegistration(await buildCaller(gateway));
    expect((await caller.get('/registrations/nonsense')).status).toBe(400);
    const headers = { authorization: `Bearer ${caller.key}`, 'x-request-id': 'same-request-id' };
    const unknown = '01a1fad1-12a9-7778-b799-dae0b7a7ffee';
    const [a, b] = await Promise.all([unknown, foreign.id!].map((id) => gateway.send('GET', `/api/v1/registrations/${id}`, { headers })));
    expect([a!.status, a!.body.error.code]).toEqual([404, 'REGISTRATION_NOT_FOUND']);
    expect(b!.text.replaceAll(foreign.id!, unknown)).toBe(a!.text);
  });

  it('the list of an unknown corporation is 404; a bad filter is 400', async () => {
    const caller = await buildCaller(gateway);
    const foreign = await buildCorporation(await buildCaller(gateway));
    const unknown = await caller.post('/registrations/list', { corporation_id: 'corp_nothing' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'CORPORATION_NOT_FOUND']);
    expect((await caller.post('/registrations/list', { corporation_id: foreign })).status).toBe(404);
    expect((await caller.post('/registrations/list', {})).status).toBe(400);
    const bad = await caller.post('/registrations/list', { corporation_id: foreign, registration_status: ['OPEN'] });
    expect([bad.status, issuesOf(bad)]).toEqual([400, { 'registration_status.0': 'INVALID_VALUE' }]);
  });

  it('the list has the registrations of one corporation, newest first; filters are combined', async () => {
    const caller = await buildCaller(gateway);
    const corporation_id = await buildCorporation(caller);
    const list = async (filters: object): Promise<string[]> =>
      (await caller.post('/registrations/list', { corporation_id, ...filters })).body.data.registrations.map(
        (one: { registration_content_id: string }) => one.registration_content_id,
      );
    expect(await list({})).toEqual([]);
    await buildRegistration(caller, { corporation_id });
    await buildRegistration(caller, { corporation_id, registration_content_id: 'US_CA_RST', registration_type: 'NEW' });
    const german = await buildRegistration(caller, {
      corporation_id,
      registration_content_id: 'DE_VAT',
      tax_types: ['VAT'],
      effective_start_date: dayFromNow(30),
    });
    await buildRegistration(caller);
    expect(await list({})).toEqual(['DE_VAT', 'US_CA_RST', 'US_AL_RST']);
    expect(await list({ countries: ['US', 'FR'] })).toEqual(['US_CA_RST', 'US_AL_RST']);
    expect(await list({ countries: ['US'], states_or_provinces: ['CA'] })).toEqual(['US_CA_RST']);
    expect(await list({ jurisdiction_types: ['COUNTRY'] })).toEqual(['DE_VAT']);
    expect(await list({ jurisdiction_name: 'BAMA' })).toEqual(['US_AL_RST']);
    expect(await list({ registration_type: 'NEW' })).toEqual(['US_CA_RST']);
    expect(await list({ registration_status: ['SCHEDULED', 'PENDING'] })).toEqual(['DE_VAT', 'US_CA_RST']);
    expect(await list({ validation_status: 'VALID' })).toEqual([]);
    await operate(gateway, `archiveRegistration(input: { id: "${german.id}" })`, 'registration { archived }');
    expect(await list({})).toHaveLength(2);
    expect(await list({ include_archived: true })).toHaveLength(3);
  });
});

describe('the state machines', () => {
  const codeOf = (response: { body: { errors?: { extensions: { code: string } }[] } }): string =>
    response.body.errors?.[0]?.extensions.code ?? 'OK';
  const mutate = (name: string, id: string, more = '') =>
    operate(
      gateway,
      `${name}(input: { id: "${id}"${more} })`,
      'registration { registrationStatus validationStatus taxRegistrationId effectiveStartDate effectiveEndDate }',
    );
  const newOne = (caller: Caller) => buildRegistration(caller, { registration_type: 'NEW', effective_start_date: undefined });

  it('a new registration is started, confirmed and closed; transitions out of order are rejected by name', async () => {
    const { id } = await newOne(await buildCaller(gateway));
    const early = await mutate('confirmRegistration', id!, ', taxRegistrationId: "R1234"');
    expect(codeOf(early)).toBe('INVALID_STATE_TRANSITION');
    expect(early.body.errors[0].message).toContain('PENDING');
    expect((await mutate('startRegistration', id!)).body.data.startRegistration.registration.registrationStatus).toBe(
      'REGISTRATION_IN_PROGRESS',
    );
    const confirmed = (await mutate('confirmRegistration', id!, ', taxRegistrationId: "R1234"')).body.data.confirmRegistration.registration;
    expect(confirmed).toMatchObject({ registrationStatus: 'REGISTERED', taxRegistrationId: 'R1234', effectiveStartDate: dayFromNow(0) });
    expect(codeOf(await mutate('rejectRegistration', id!))).toBe('INVALID_STATE_TRANSITION');
    expect((await mutate('closeRegistration', id!)).body.data.closeRegistration.registration.registrationStatus).toBe('CLOSED');
    expect(codeOf(await mutate('closeRegistration', id!))).toBe('INVALID_STATE_TRANSITION');
  });

  it('of two operators who decide at the same time one wins, and the other gets an error', async () => {
    const caller = await buildCaller(gateway);
    for (let round = 0; round < 3; round++) {
      const { id } = await newOne(caller);
      await mutate('startRegistration', id!);
      const responses = await Promise.all([
        mutate('confirmRegistration', id!, ', taxRegistrationId: "R1234"'),
        mutate('rejectRegistration', id!),
      ]);
      expect(responses.map(codeOf).sort()).toEqual(['INVALID_STATE_TRANSITION', 'OK']);
      const won = codeOf(responses[0]) === 'OK' ? 'REGISTERED' : 'REJECTED';
      expect((await caller.get(`/registrations/${id}`)).body.data.registration_status).toBe(won);
    }
  });

  it('validation goes through its states; a correction of a checked field restarts it', async () => {
    const caller = await buildCaller(gateway);
    const { id } = await buildRegistration(caller, { tax_registration_id: 'R1234' });
    expect(codeOf(await mutate('finishValidation', id!, ', result: VALID'))).toBe('INVALID_STATE_TRANSITION');
    await mutate('startValidation', id!);
    const correct = (fields: string) =>
      gateway.graphql(
        caller.key,
        `mutation { correctRegistration(input: { id: "${id}", ${fields} }) { registration { validationStatus taxTypes } warnings } }`,
      );
    expect(codeOf(await correct('taxRegistrationId: "R999"'))).toBe('INVALID_STATE_TRANSITION');
    const failed = await mutate(
      'finishValidation',
      id!,
      ', result: INVALID, failures: [{ code: "INPUTS.INVALID_CREDENTIALS", message: "No such number" }]',
    );
    expect(failed.body.data.finishValidation.registration.validationStatus).toBe('INVALID');
    expect((await correct('taxRegistrationId: "R999"')).body.data.correctRegistration).toEqual({
      registration: { validationStatus: 'PENDING', taxTypes: ['RST'] },
      warnings: [],
    });
    await mutate('startValidation', id!);
    expect((await mutate('finishValidation', id!, ', result: VALID')).body.data.finishValidation.registration.validationStatus).toBe(
      'VALID',
    );
    expect((await correct('taxTypes: ["RST", "RUT"]')).body.data.correctRegistration.registration).toEqual({
      validationStatus: 'PENDING',
      taxTypes: ['RST', 'RUT'],
    });
  });

  it('a registration takes effect and ends by the calendar, with an event when the day is processed', async () => {
    const caller = await buildCaller(gateway);
    const { id, corporation_id } = await buildRegistration(caller, {
      effective_start_date: dayFromNow(1),
      effective_end_date: dayFromNow(2),
    });
    const shown = async () => (await caller.get(`/registrations/${id}`)).body.data.registration_status;
    expect(await shown()).toBe('SCHEDULED');
    gateway.clock.advance(DAY);
    expect(await shown()).toBe('REGISTERED');
    gateway.clock.advance(2 * DAY);
    expect(await shown()).toBe('CLOSED');
    expect(codeOf(await mutate('closeRegistration', id!))).toBe('INVALID_STATE_TRANSITION');
    const list = await caller.post('/registrations/list', { corporation_id, registration_status: ['CLOSED'] });
    expect(list.body.data.registrations).toHaveLength(1);
    const { organisationId, globalId } = await whereIs(id!);
    const events = await recordEvents(gateway, caller.key);
    await organisationTransaction(gateway.services.database, organisationId, async (em) =>
      settleRegistration(em, gateway.services, await em.findOneOrFail(Registration, { id: globalId })),
    );
    expect(await shown()).toBe('CLOSED');
    expect(await events()).toMatchObject([
      { topic: 'REGISTRATIONS_STATUS_UPDATED', data: { registration_id: id, corporation_id, previous: 'SCHEDULED', current: 'CLOSED' } },
    ]);
  });

  it('a list by status has the registrations that show it today, whatever is stored', async () => {
    const caller = await buildCaller(gateway);
    const { id, corporation_id } = await buildRegistration(caller);
    const { organisationId, globalId } = await whereIs(id!);
    const statuses = Object.values(RegistrationStatus.values);
    const days = [null, dayFromNow(-1), dayFromNow(0), dayFromNow(1)];
    await organisationTransaction(gateway.services.database, organisationId, async (em) => {
      const { id: _, ...model } = await em.findOneOrFail(Registration, { id: globalId });
      const contents = packFile.content
        .map(({ registrationContentId }) => registrationContentId)
        .filter((content) => content !== model.registrationContentId);
      const copies = statuses.flatMap((storedStatus) =>
        days.flatMap((effectiveStartDate) =>
          days.map((effectiveEndDate) => ({ ...model, storedStatus, effectiveStartDate, effectiveEndDate })),
        ),
      );
      await em.insertMany(
        Registration,
        copies.map((copy, at) => ({ ...copy, id: typeidUnboxed('reg'), registrationContentId: contents[at]! })),
      );
    });
    const list = async (registration_status?: string[]): Promise<{ id: string; registration_status: string }[]> =>
      (await caller.post('/registrations/list', { corporation_id, registration_status })).body.data.registrations;
    const all = await list();
    expect(all).toHaveLength(1 + statuses.length * days.length ** 2);
    expect(new Set(all.map((one) => one.registration_status))).toEqual(new Set(statuses));
    for (const status of statuses) {
      expect(await list([status])).toEqual(all.filter((one) => one.registration_status === status));
      const others = statuses.filter((other) => other !== status);
      expect(await list(others)).toEqual(all.filter((one) => one.registration_status !== status));
    }
  });

  it('closing with a future day ends the registration after that day', async () => {
    const caller = await buildCaller(gateway);
    const { id } = await buildRegistration(caller);
    const day = dayFromNow(1);
    const closed = await mutate('closeRegistration', id!, `, effectiveEndDate: "${day}"`);
    expect(closed.body.data.closeRegistration.registration).toMatchObject({ registrationStatus: 'REGISTERED', effectiveEndDate: day });
    gateway.clock.advance(2 * DAY);
    expect((await caller.get(`/registrations/${id}`)).body.data.registration_status).toBe('CLOSED');
  });

  it('every transition emits its events, with both ids', async () => {
    const caller = await buildCaller(gateway);
    const events = await recordEvents(gateway, caller.key);
    const { id, corporation_id } = await newOne(caller);
    await mutate('startRegistration', id!);
    await mutate('rejectRegistration', id!);
    const old = await buildRegistration(caller, { corporation_id, registration_content_id: 'US_CA_RST' });
    await mutate('startValidation', old.id!);
    await mutate(
      'finishValidation',
      old.id!,
      ', result: INVALID, failures: [{ code: "INPUTS.INVALID_CREDENTIALS", message: "No such number" }]',
    );
    const emitted = (await events()).filter(({ topic }) => topic.startsWith('REGISTRATIONS'));
    expect(emitted.map(({ topic }) => topic)).toEqual([
      'REGISTRATIONS_CREATED',
      'REGISTRATIONS_STATUS_UPDATED',
      'REGISTRATIONS_STATUS_UPDATED',
      'REGISTRATIONS_NEW_INVALID',
      'REGISTRATIONS_CREATED',
      'REGISTRATIONS_EXISTING_VALIDATION_FAILED',
    ]);
    expect(emitted[2]!.data).toEqual({ registration_id: id, corporation_id, previous: 'REGISTRATION_IN_PROGRESS', current: 'REJECTED' });
    expect(emitted[5]!.data).toEqual({
      registration_id: old.id,
      corporation_id,
      failures: [{ code: 'INPUTS.INVALID_CREDENTIALS', message: 'No such number' }],
    });
  });

  it('a corporation keeps its jurisdiction once it is registered, and its registrations are archived when it is deleted', async () => {
    const caller = await buildCaller(gateway);
    const { id, corporation_id } = await buildRegistration(caller);
    const moved = await caller.post(`/corporations/${corporation_id}`, { jurisdiction: 'GB' });
    expect([moved.status, issuesOf(moved)]).toEqual([400, { jurisdiction: 'INVALID_VALUE' }]);
    await gateway.send('DELETE', `/api/v1/corporations/${corporation_id}`, { headers: { authorization: `Bearer ${caller.key}` } });
    expect((await caller.get(`/registrations/${id}`)).body.data.archived).toBe(true);
    expect((await caller.post('/registrations/list', { corporation_id })).status).toBe(404);
    expect(codeOf(await mutate('startValidation', id!))).toBe('REGISTRATION_NOT_FOUND');
  });

  it('operator mutations need the role ADMIN and leave an audit entry with the reason', async () => {
    const caller = await buildCaller(gateway);
    const { id } = await buildRegistration(caller);
    const denied = await gateway.graphql(caller.key, `mutation { startValidation(input: { id: "${id}" }) { registration { id } } }`);
    expect(codeOf(denied)).toBe('FORBIDDEN');
    await mutate('startValidation', id!, ', reason: "asked by phone"');
    const { globalId } = await whereIs(id!);
    const rows = await gateway.services.database.read(
      {
        name: 'audit_entry',
        text: 'select operation, actor_id, reason from audit_entry where reason is not null and record_ids @> jsonb_build_array($1::text)',
      },
      [globalId],
    );
    expect(rows).toEqual([['startValidation', 'admin', 'asked by phone']]);
  });

  async function whereIs(id: string): Promise<{ organisationId: number; globalId: string }> {
    const { fromUUID } = await import('typeid-js');
    const globalId = fromUUID(id, 'reg').toString();
    const rows = await gateway.services.database.read({ name: 'owner', text: 'select organisation_id from registration where id = $1' }, [
      globalId,
    ]);
    return { organisationId: Number(rows[0]![0]), globalId };
  }
});

describe('the tax host', () => {
  it('serves the same registrations', async () => {
    const caller = await buildCaller(gateway);
    const { id } = await buildRegistration(caller);
    const headers = { authorization: `Bearer ${caller.key}` };
    const [main, tax] = await Promise.all(
      ['/api/v1', '/tax/api/v1'].map((base) => gateway.send('GET', `${base}/registrations/${id}`, { headers })),
    );
    expect([tax!.status, tax!.text]).toEqual([200, main!.text]);
  });
});
