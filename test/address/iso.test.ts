// ISO 3166 content: the content of a new database, every shape an ingest reads, and the effects and rejections of an ingest.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ingest as ingestDocument } from '../../src/address/iso/ingest.ts';
import { announceIsoContent } from '../../src/address/iso/register.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { until } from '../support/queue-database.ts';

const gateway = useGateway();
let manager: string;
let key: string;

beforeAll(async () => {
  manager = await gateway.key(['MANAGE_CONTENT']);
  key = await gateway.key(['GEOCODE']);
});

const path = '/api/v1/internal/iso_3166/ingest/json';
const ingest = (body: unknown): Promise<GatewayResponse> => gateway.send('POST', path, { headers: { 'x-service-key': manager }, body });
const version = async (): Promise<number> => (await gateway.send('GET', '/healthz')).body.iso_3166.version;

/** Content of two invented countries, QM and QN, so that no test depends on the entries of real ones. */
const QM = { alpha_2: 'QM', alpha_3: 'QMM', numeric: '991', name: 'Quemland' };
const QN = { alpha_2: 'QN', alpha_3: 'QNN', numeric: '992', name: 'Quenland' };
const COUNTRIES = { countries: [QM, QN] };
const regions = (...suffixes: string[]) => suffixes.map((suffix) => ({ code: `QM-${suffix}`, name: `Region ${suffix}`, type: 'Region' }));

async function subdivisions(country: string, includeWithdrawn = true): Promise<Record<string, unknown>[]> {
  const query =
    'query ($country: CountryCode!, $all: Boolean!) { subdivisions(country: $country, includeWithdrawn: $all) { code name type parent status withdrawnAt supersededBy } }';
  return (await gateway.graphql(key, query, { country, all: includeWithdrawn })).body.data.subdivisions;
}

async function country(code: string): Promise<Record<string, unknown> | null> {
  return (
    await gateway.graphql(key, 'query ($code: String!) { country(code: $code) { alpha2 alpha3 numeric name commonName status } }', { code })
  ).body.data.country;
}

/** Removes the invented content; no part of the program does that. */
beforeEach(async () => {
  await systemTransaction(gateway.services.database, async (em) => {
    for (const [table, column] of [
      ['iso_country', 'alpha2'],
      ['iso_subdivision', 'code'],
      ['iso_former', 'alpha4'],
    ]) {
      await executeIn(em, `delete from ${table} where ${column} like 'QM%' or ${column} like 'QN%'`);
    }
    await executeIn(em, "update iso_country set status = 'CURRENT', withdrawn_at = null");
    await announceIsoContent(gateway.services)(em);
  });
});

describe('content of a new database', () => {
  it('countries are found by any of their codes, with names in several languages', async () => {
    for (const code of ['DE', 'de', 'DEU', '276'])
      expect(await country(code)).toMatchObject({ alpha2: 'DE', alpha3: 'DEU', numeric: '276', status: 'CURRENT' });
    expect(await country('ZZ')).toBeNull();
    const response = await gateway.graphql(
      key,
      '{ country(code: "DE") { names(languages: ["fr", "ja", "pt-BR"]) { language name } } countries { alpha2 } }',
    );
    expect(response.body.data.country.names).toEqual([
      { language: 'fr', name: 'Allemagne' },
      { language: 'ja', name: 'ドイツ' },
      { language: 'pt-BR', name: 'Alemanha' },
    ]);
    expect(response.body.data.countries).toHaveLength(249);
  });

  it('subdivisions of a country, and below a subdivision', async () => {
    const response = await gateway.graphql(
      key,
      '{ country(code: "FR") { subdivisions { code } } subdivisions(country: "FR") { code parent subdivisions { code } } }',
    );
    const { country: france, subdivisions: list } = response.body.data;
    expect(france.subdivisions).toHaveLength(list.length);
    const region = list.find((row: { code: string }) => row.code === 'FR-ARA');
    expect(region.parent).toBeNull();
    expect(region.subdivisions).toContainEqual({ code: 'FR-73' });
  });

  it.each([
    ['country(code: "D") { name }', 'code'],
    ['subdivisions(country: "DEU") { name }', 'country'],
    ['country(code: "DE") { names(languages: ["no language"]) { name } }', 'languages'],
  ])('%s names the argument in error', async (selection, field) => {
    const response = await gateway.graphql(key, `{ ${selection} }`);
    expect(response.body.errors[0].extensions).toMatchObject({ code: 'INVALID_PARAMS', field });
  });
});

describe('shapes', () => {
  const nested = {
    QM: {
      iso: 'QM',
      iso3: 'QMM',
      numeric: 91,
      names: { en: 'Quemland', de: 'Quemland' },
      regions: [{ name: 'North', iso: 'NO', names: { fr: 'Nord' } }],
    },
  };
  it.each<[string, unknown, { country?: object; subdivision?: object }]>([
    [
      'A, with parents as suffixes',
      {
        '3166-1': [{ ...QM, common_name: 'Quem', flag: 'Q' }],
        '3166-2': [
          { code: 'QM-NO', name: 'North [Nord]', type: 'Region', parent: 'W' },
          { code: 'QM-W', name: 'West', type: 'Realm' },
        ],
      },
      { country: { numeric: '991', commonName: 'Quem' }, subdivision: { name: 'North', type: 'Region', parent: 'QM-W' } },
    ],
    [
      'B',
      [{ name: 'Quemland', 'alpha-2': 'QM', 'alpha-3': 'QMM', 'country-code': '091', 'iso_3166-2': 'ISO 3166-2:QM', region: 'None' }],
      { country: { numeric: '091' } },
    ],
    ['C', nested, { country: { numeric: '091', name: 'Quemland' }, subdivision: { name: 'North' } }],
    [
      'D, in small letters and without zeros',
      [{ id: 91, alpha2: 'qm', alpha3: 'qmm', name: 'Quemland' }],
      { country: { alpha3: 'QMM', numeric: '091' } },
    ],
    [
      'E, with the country as parent',
      {
        iso31661: [{ state: 'assigned', alpha2: 'QM', alpha3: 'QMM', numeric: '991', name: 'Quemland' }],
        iso31662: [{ code: 'QM-NO', name: 'North', parent: 'QM' }],
      },
      { country: { numeric: '991' }, subdivision: { parent: null } },
    ],
    [
      'F',
      { source: { name: 'ours' }, countries: [QM], subdivisions: [{ code: 'QM-NO', name: 'North', superseded_by: ['QM'] }] },
      { country: { numeric: '991' }, subdivision: { supersededBy: ['QM'] } },
    ],
  ])('shape %s is read', async (_, data, expected) => {
    const response = await ingest(data);
    expect(response.status, response.text).toBe(200);
    expect(response.body.data).toMatchObject({ applied: true, mode: 'MERGE', counts: { countries: { received: 1, inserted: 1 } } });
    expect(await country('QM')).toMatchObject({ name: 'Quemland', ...expected.country });
    if (expected.subdivision) expect((await subdivisions('QM'))[0]).toMatchObject({ code: 'QM-NO', ...expected.subdivision });
  });

  it('former countries are read, and names by language show in GraphQL', async () => {
    const former = [{ alpha_2: 'QM', alpha_3: 'QMM', alpha_4: 'QMQN', name: 'Old Quemland', withdrawal_date: '1977' }];
    expect((await ingest({ '3166-3': former })).body.data.counts.former).toMatchObject({ received: 1, inserted: 1 });
    await ingest(nested);
    const response = await gateway.graphql(key, '{ subdivisions(country: "QM") { names(languages: ["fr", "de"]) { language name } } }');
    expect(response.body.data.subdivisions).toEqual([{ names: [{ language: 'fr', name: 'Nord' }] }]);
  });

  it('reserved codes among assigned ones are left out with a warning', async () => {
    const response = await ingest({
      iso31661: [
        { state: 'assigned', alpha2: 'QM', alpha3: 'QMM', numeric: '991', name: 'Quemland' },
        { state: 'exceptionally-reserved', alpha2: 'QN', name: 'Quenland' },
      ],
    });
    expect(response.body.data.counts.countries).toMatchObject({ received: 1, inserted: 1 });
    expect(response.body.data.warnings).toMatchObject([{ code: 'RESERVED_CODE_SKIPPED', pointer: '/iso31661/1' }]);
  });
});

describe('semantics', () => {
  it('the same content twice changes nothing, whatever the order of its members', async () => {
    const first = await ingest({ ...COUNTRIES, subdivisions: regions('A') });
    const again = await ingest({ subdivisions: [{ type: 'Region', name: 'Region A', code: 'QM-A' }], ...COUNTRIES });
    expect(again.body.data).toMatchObject({
      applied: false,
      version_id: first.body.data.version_id,
      sha256: first.body.data.sha256,
      counts: { countries: { received: 2, unchanged: 2, updated: 0 }, subdivisions: { unchanged: 1 } },
    });
    expect(await version()).toBe(first.body.data.version_id);
  });

  it('merge keeps missing codes, and columns a document does not mention', async () => {
    await ingest({ ...COUNTRIES, subdivisions: regions('A', 'B') });
    const response = await ingest({ iso31662: [{ code: 'QM-A', name: 'Renamed', parent: 'QM' }] });
    expect(response.body.data.counts.subdivisions).toEqual({ received: 1, inserted: 0, updated: 1, unchanged: 0, withdrawn: 0 });
    expect(await subdivisions('QM')).toMatchObject([
      { code: 'QM-A', name: 'Renamed', type: 'Region', status: 'CURRENT' },
      { code: 'QM-B', status: 'CURRENT' },
    ]);
  });

  it('replace withdraws missing codes, only in the countries and parts of the document, and deletes nothing', async () => {
    await ingest({ ...COUNTRIES, subdivisions: [...regions('A', 'B'), { code: 'QN-A', name: 'Elsewhere' }] });
    const response = await ingest({
      source: { name: 'test', version: '2', published_at: '2026-01-02' },
      mode: 'replace',
      data: { subdivisions: regions('A', 'C') },
    });
    expect(response.body.data).toMatchObject({
      mode: 'REPLACE',
      source: { name: 'test', version: '2', published_at: '2026-01-02T00:00:00.000Z' },
      counts: { subdivisions: { received: 2, inserted: 1, unchanged: 1, withdrawn: 1 }, countries: { received: 0, withdrawn: 0 } },
    });
    const rows = await subdivisions('QM');
    expect(rows.map(({ code, status }) => [code, status])).toEqual([
      ['QM-A', 'CURRENT'],
      ['QM-B', 'WITHDRAWN'],
      ['QM-C', 'CURRENT'],
    ]);
    expect(rows[1]!.withdrawnAt).toEqual(expect.any(String));
    expect(await subdivisions('QM', false)).toHaveLength(2);
    expect(await subdivisions('QN')).toMatchObject([{ status: 'CURRENT' }]);
  });

  it('a code that comes back is in force again, without successors', async () => {
    await ingest({ ...COUNTRIES, subdivisions: [...regions('A'), { ...regions('B')[0], status: 'withdrawn', superseded_by: ['QM-A'] }] });
    expect((await subdivisions('QM'))[1]).toMatchObject({ status: 'WITHDRAWN', supersededBy: ['QM-A'] });
    await ingest({ subdivisions: regions('B') });
    expect((await subdivisions('QM'))[1]).toMatchObject({ status: 'CURRENT', withdrawnAt: null, supersededBy: [] });
  });

  it('replace is rejected with 409 when it would withdraw more than a tenth, unless forced', async () => {
    await ingest(COUNTRIES);
    const refused = await ingest({ mode: 'replace', data: { countries: [QM] } });
    expect([refused.status, refused.body.error.type]).toEqual([409, 'CLIENT_CONFLICT']);
    expect(await country('QN')).toMatchObject({ status: 'CURRENT' });
    const forced = await ingest({ mode: 'replace', force: true, dry_run: true, data: { countries: [QM] } });
    expect(forced.body.data.counts.countries).toMatchObject({ unchanged: 1, withdrawn: 250 });
    expect((await ingest({ mode: 'replace', force: true, data: { countries: [QM] } })).body.data.applied).toBe(true);
    expect(await country('QN')).toMatchObject({ status: 'WITHDRAWN' });
  });

  it('a dry run counts and changes nothing', async () => {
    const before = await version();
    const response = await ingest({ dry_run: true, data: COUNTRIES });
    expect(response.body.data).toMatchObject({ dry_run: true, applied: false, version_id: before, counts: { countries: { inserted: 2 } } });
    expect(await country('QM')).toBeNull();
    expect(await version()).toBe(before);
  });

  it('the mutation does the same', async () => {
    const response = await gateway.graphql(
      manager,
      'mutation ($data: JSON!) { ingestIso3166(input: { data: $data }) { ingestion { applied dryRun counts { countries { inserted } } } } }',
      { data: COUNTRIES },
    );
    expect(response.body.data.ingestIso3166.ingestion).toEqual({ applied: true, dryRun: false, counts: { countries: { inserted: 2 } } });
  });
});

describe('geocoding after an ingest', () => {
  const name = async (address: string): Promise<string> =>
    (await gateway.graphql(key, 'query ($a: String!) { geocode(address: $a) { result { subdivision { code name } } } }', { a: address }))
      .body.data.geocode.result.subdivision;

  it('a rename shows in the next result, a withdrawn code returns its successor', async () => {
    expect(await name('Lyon, France')).toEqual({ code: 'FR-69', name: 'Rhône' });
    await ingest({ subdivisions: [{ code: 'FR-69', name: 'Grand Lyon' }] });
    expect(await name('Lyon, France')).toEqual({ code: 'FR-69', name: 'Grand Lyon' });
    await ingest({
      subdivisions: [
        { code: 'FR-69Z', name: 'New Lyon' },
        { code: 'FR-69', name: 'Grand Lyon', status: 'withdrawn', superseded_by: ['FR-69Z'] },
      ],
    });
    expect(await name('Lyon, France')).toEqual({ code: 'FR-69Z', name: 'New Lyon' });
    const rhone = (await subdivisions('FR')).find(({ code }) => code === 'FR-69');
    expect(rhone).toMatchObject({ parent: 'FR-ARA', status: 'WITHDRAWN' });
    await ingest({ subdivisions: [{ code: 'FR-69', name: 'Rhône' }] });
  });

  it('an ingest of another process shows too', async () => {
    expect(await name('Toulouse, France')).toEqual({ code: 'FR-31', name: 'Haute-Garonne' });
    const { services } = gateway;
    // Does the same as an ingest in a process that shares nothing with this one but the database.
    await ingestDocument(
      { subdivisions: [{ code: 'FR-31', name: 'Garonne' }] },
      { database: services.database, now: services.clock.now(), changed: announceIsoContent(services) },
    );
    await until(async () => ((await name('Toulouse, France')) as unknown as { name: string }).name === 'Garonne');
  });
});

describe('rejections', () => {
  it.each<[string, unknown, string]>([
    ['no object as row', { '3166-1': [QM, 'QN'] }, '/3166-1/1'],
    ['a two-letter code in small letters', { '3166-1': [{ ...QM, alpha_2: 'qm' }] }, '/3166-1/0/alpha_2'],
    ['a three-letter code of two', { '3166-1': [{ ...QM, alpha_3: 'QM' }] }, '/3166-1/0/alpha_3'],
    ['a numeric code without zeros', { '3166-1': [{ ...QM, numeric: 91 }] }, '/3166-1/0/numeric'],
    ['a missing name', { countries: [{ ...QM, name: undefined }] }, '/countries/0/name'],
    ['a code given twice', { countries: [QM, { ...QN, alpha_2: 'QM' }] }, '/countries/1/alpha_2'],
    ['a three-letter code of another country', { countries: [{ ...QM, alpha_3: 'DEU' }] }, '/countries/0/alpha_3'],
    ['a numeric code given twice', { countries: [QM, { ...QN, numeric: '991' }] }, '/countries/1/numeric'],
    ['an invalid subdivision code', { iso31662: [{ code: 'QM-ABCD', name: 'x', parent: 'QM' }] }, '/iso31662/0/code'],
    ['a country that does not exist', { subdivisions: [{ code: 'QQ-A', name: 'x' }] }, '/subdivisions/0/code'],
    [
      'a parent that does not exist',
      { countries: [QM], subdivisions: [{ code: 'QM-A', name: 'x', parent: 'Z' }] },
      '/subdivisions/0/parent',
    ],
    [
      'a parent in another country',
      { countries: [QM], subdivisions: [{ code: 'QM-A', name: 'x', parent: 'FR-69' }] },
      '/subdivisions/0/parent',
    ],
    [
      'parents in a circle',
      {
        countries: [QM],
        subdivisions: [
          { code: 'QM-A', name: 'x', parent: 'B' },
          { code: 'QM-B', name: 'y', parent: 'A' },
        ],
      },
      '/subdivisions/0/parent',
    ],
    [
      'a successor that does not exist',
      { countries: [QM], subdivisions: [{ code: 'QM-A', name: 'x', superseded_by: ['QM-Z'] }] },
      '/subdivisions/0/superseded_by',
    ],
    ['an issue inside an envelope', { data: { countries: [{ ...QM, alpha_3: 5 }] } }, '/data/countries/0/alpha_3'],
    [
      'an issue in countries by code',
      { QM: { iso: 'QM', iso3: 'QMM', names: { en: 'Q' }, regions: [{ name: '', iso: 'A' }] } },
      '/QM/regions/0/name',
    ],
    ['an unknown mode', { mode: 'both', data: COUNTRIES }, '/mode'],
    ['an unknown member of an envelope', { dryrun: true, data: COUNTRIES }, '/dryrun'],
    ['a dry run that is no flag', { dry_run: 'yes', data: COUNTRIES }, '/dry_run'],
    ['an empty part to replace', { mode: 'replace', data: { countries: [], subdivisions: regions('A') } }, '/data/countries'],
    ['a part that is no list', { countries: {} }, '/countries'],
    ['no known shape', { hello: 1 }, '/'],
    ['an empty list', [], '/'],
  ])('%s is 400 with a pointer, and nothing is written', async (_, body, pointer) => {
    const response = await ingest(body);
    expect([response.status, response.body.error.type, response.body.error.errors[0].pointer]).toEqual([
      400,
      'CLIENT_BAD_REQUEST',
      pointer,
    ]);
    expect(await country('QM')).toBeNull();
  });

  it('at most 100 issues are listed, and all are counted', async () => {
    const response = await ingest({ countries: Array.from({ length: 150 }, () => ({ alpha_2: 'qm' })) });
    expect(response.body.error.errors).toHaveLength(100);
    expect(response.body.error.detail.description).toContain('and 449 more');
  });

  it('more than 20000 rows are 400, more than 10 MB are 413', async () => {
    const rows = await ingest({ subdivisions: Array.from({ length: 20_001 }, () => ({})) });
    expect([rows.status, rows.body.error.type]).toEqual([400, 'CLIENT_BAD_REQUEST']);
    const two = await ingest({ countries: [QM], subdivisions: [], padding: 'x'.repeat(2_000_000) });
    expect(two.status).toBe(200);
    const eleven = await ingest({ countries: [QN], padding: 'x'.repeat(11_000_000) });
    expect([eleven.status, eleven.body.error.type]).toEqual([413, 'CLIENT_PAYLOAD_TOO_LARGE']);
  });

  it('geocoding keys may not ingest', async () => {
    const response = await gateway.send('POST', path, { headers: { 'x-service-key': key }, body: COUNTRIES });
    expect(response.status).toBe(403);
    expect(response.body.error.detail.description).toContain('MANAGE_CONTENT');
  });
});

describe('the content in force', () => {
  it('what an ingest adds or withdraws holds for rules, geocoder and records at once, and stored records stay readable', async () => {
    const platform = await gateway.key(['PLATFORM']);
    const headers = { authorization: `Bearer ${platform}` };
    const create = (jurisdiction: string, state: string): Promise<GatewayResponse> =>
      gateway.send('POST', '/api/v1/corporations', { headers, body: { legal_name: 'Quem Ltd', jurisdiction, state } });
    expect((await create('QM', 'A')).status).toBe(400);
    expect((await ingest({ ...COUNTRIES, subdivisions: regions('A', 'B') })).status).toBe(200);
    const made = await create('QM', 'A');
    expect(made.status, made.text).toBe(200);

    const withdrawn = { ...regions('A')[0], status: 'withdrawn', superseded_by: ['QM-B'], withdrawal_date: '2026-03-01' };
    expect((await ingest({ subdivisions: [withdrawn] })).status).toBe(200);
    const refused = await create('QM', 'A');
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('A (Region A) was withdrawn on 2026-03-01: use B'),
    ]);
    const { id } = made.body.data;
    const kept = await gateway.send('POST', `/api/v1/corporations/${id}`, { headers, body: { state: 'A', legal_name: 'Quem Corp' } });
    expect(kept.status).toBe(200);
    const read = await gateway.graphql(platform, 'query ($id: ID!) { corporation(id: $id) { legalName state } }', { id });
    expect(read.body.data.corporation).toEqual({ legalName: 'Quem Corp', state: 'A' });
  });

  it('former countries are found by the codes that they had, and listed among the withdrawn codes', async () => {
    const fields =
      'alpha2 alpha3 numeric name status withdrawalDate supersededBy officialName withdrawnAt subdivisions { code } names { name }';
    const query = `query ($code: String!) { country(code: $code) { ${fields} } }`;
    const former = async (code: string) => (await gateway.graphql(key, query, { code })).body.data.country;
    const antilles = {
      alpha2: 'AN',
      alpha3: 'ANT',
      numeric: '530',
      name: 'Netherlands Antilles',
      status: 'WITHDRAWN',
      withdrawalDate: '2010-12-15',
      supersededBy: ['BQ', 'CW', 'SX'],
      officialName: null,
      withdrawnAt: null,
      subdivisions: [],
      names: [],
    };
    for (const code of ['AN', 'an', 'ANT', '530']) expect(await former(code)).toEqual(antilles);
    expect(await former('SU')).toMatchObject({ alpha3: 'SUN', status: 'WITHDRAWN' });
    // Two countries had these codes. The code of a country in force may have been of another one before, which its longer code names.
    expect([await former('CS'), await former('891'), await former('AI'), await former('AFI')]).toMatchObject([
      { alpha3: 'SCG' },
      { alpha3: 'SCG' },
      { alpha3: 'AIA', status: 'CURRENT' },
      { name: 'French Afars and Issas', names: [] },
    ]);
    const { body } = await gateway.graphql(
      key,
      '{ all: countries(includeWithdrawn: true) { alpha2 alpha3 status } inForce: countries { alpha2 } names: countries(includeWithdrawn: true) { name } }',
    );
    const { all, inForce, names } = body.data;
    expect([all.length, inForce.length, names.length]).toEqual([280, 249, 280]);
    const old = { ...QM, status: 'withdrawn' };
    await ingest({ countries: [old], former: [{ alpha_2: 'QM', alpha_3: 'QMM', alpha_4: 'QMQN', numeric: '991', name: 'Old Quemland' }] });
    const named = await gateway.graphql(key, '{ countries(includeWithdrawn: true) { alpha2 name } }');
    expect(named.body.data.countries.filter(({ alpha2 }: { alpha2: string }) => alpha2 === 'QM')).toEqual([
      { alpha2: 'QM', name: 'Quemland' },
    ]);
    expect(all.slice(4, 9).map(({ alpha3 }: { alpha3: string }) => alpha3)).toEqual(['AIA', 'AFI', 'ALB', 'ARM', 'ANT']);
  });

  it('a new database has the whole names of subdivisions, and a region apart from the city that it is named after', async () => {
    const names = async (code: string) => Object.fromEntries((await subdivisions(code, false)).map(({ code, name }) => [code, name]));
    expect(await names('RU')).toMatchObject({
      'RU-KB': 'Kabardino-Balkarskaya Respublika',
      'RU-KC': 'Karachayevo-Cherkesskaya Respublika',
      'RU-KHM': 'Khanty-Mansiyskiy avtonomnyy okrug',
      'RU-LEN': "Leningradskaya oblast'",
      'RU-NEN': 'Nenetskiy avtonomnyy okrug',
      'RU-NVS': "Novosibirskaya oblast'",
      'RU-VGG': "Volgogradskaya oblast'",
      'RU-VLA': "Vladimirskaya oblast'",
      'RU-YAN': 'Yamalo-Nenetskiy avtonomnyy okrug',
    });
    const kazakh = { 'KZ-10': 'Abay oblysy', 'KZ-19': 'Almaty oblysy', 'KZ-23': 'Atyraū oblysy', 'KZ-62': 'Ulytaū oblysy' };
    expect(await names('KZ')).toMatchObject({ ...kazakh, 'KZ-75': 'Almaty' });
    expect(await names('GR')).toMatchObject({ 'GR-A': 'Anatolikí Makedonía kai Thráki' });
    expect(await names('DK')).toMatchObject({ 'DK-82': 'Region Midtjylland' });
  });

  it('a new database has the codes that are withdrawn, with day and successors', async () => {
    const query = '{ subdivisions(country: "NO", includeWithdrawn: true) { code status withdrawalDate supersededBy } }';
    const list = (await gateway.graphql(key, query)).body.data.subdivisions;
    expect(list).toContainEqual({ code: 'NO-30', status: 'WITHDRAWN', withdrawalDate: '2024', supersededBy: ['NO-31', 'NO-32', 'NO-33'] });
    expect(list).toContainEqual({ code: 'NO-33', status: 'CURRENT', withdrawalDate: null, supersededBy: [] });
  });
});
