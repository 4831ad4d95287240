// Type-ahead and reverse geocoding: what they return, on GraphQL and REST, and what they reject.
import { beforeAll, describe, expect, it } from 'vitest';
import { loadGazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { createGeocoder } from '../../src/address/geocoder/geocode.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { randomFrom, STREET_COUNTRIES, streetOf } from './generated.ts';

const gazetteer = loadGazetteer();
const geocoder = createGeocoder(gazetteer);
const texts = (text: string, country: string | null = null, most = 5): string[] =>
  geocoder.suggest(text, country, most).map((suggestion) => suggestion.text);
const at = (latitude: number, longitude: number): string => {
  const { country, subdivision, locality } = geocoder.reverse(latitude, longitude);
  return [country?.alpha2, subdivision?.code, locality?.name].filter(Boolean).join(' ');
};

describe('type-ahead', () => {
  it.each([
    ['Berl', 'Berlin, Berlin, Germany'],
    ['10 Main St, Springfield, Il', '10 Main St, Springfield, Illinois, United States of America'],
    ['London, Ont', 'London, Ontario, Canada'],
    ['unter den linden 1, 10117 berl', 'unter den linden 1, 10117 Berlin, Berlin, Germany'],
    ['Münch', 'München, Bayern, Germany'],
    ['munch', 'München, Bayern, Germany'],
    ['saint lo', 'St. Louis, Missouri, United States of America'],
    ['東京', '東京都, Tôkyô, Japan'],
  ])('%s becomes %s', (text, expected) => {
    expect(texts(text)).toContain(expected);
  });

  it.each([
    '10 Downing Str',
    '10 Downing St',
    '10 Downing Street',
    'Hauptstr',
    'Berliner Stra',
    'Bahnhofstr. 7',
    '12 rue de Par',
    '5 avenu',
    'via Ro',
    'Avenida San Mart',
  ])('a street that is being typed is no place: %s', (text) => expect(texts(text)).toEqual([]));

  it.each([
    ['Str', 'Strasbourg, Bas-Rhin, France'],
    ['1010 Vi', '1010 Vienna, Wien, Austria'],
    ['Hotel Ritz Par', 'Hotel Ritz Paris, Paris, France'],
    ['Hauptstraße 5, 10115 Be', 'Hauptstraße 5, 10115 Berlin, Berlin, Germany'],
    ['12 rue de Paris Ly', '12 rue de Paris Lyon, Rhône, France'],
    ['Rua Augusta, 19 Lis', 'Rua Augusta, 19 Lisboa, Lisboa, Portugal'],
  ])('after the street or without one %s becomes %s first', (text, expected) => expect(texts(text)[0]).toBe(expected));

  it('of every address that is typed letter by letter the city comes, and stays once it has come', () => {
    const random = randomFrom(2024);
    const [missed, lost, inStreets]: [string[], string[], string[]] = [[], [], []];
    let [letters, cities] = [0, 0];
    for (let tries = 0; tries < 500; tries++) {
      const row = Math.floor(random() ** 2 * 20_000);
      const [name, country] = [gazetteer.name(row), gazetteer.areas[gazetteer.area(row)]!.slice(0, 2)];
      if (!STREET_COUNTRIES.includes(country) || gazetteer.seat(row) === 4) continue;
      const street = streetOf(random, country);
      const head = street + (random() < 0.7 ? ', ' : ' ');
      const found = Array.from({ length: name.length }, (_, at) =>
        geocoder.suggest(head + name.slice(0, at + 1), null, 10).some(({ locality }) => locality.name === name),
      );
      const first = found.indexOf(true);
      if (first < 0) missed.push(head + name);
      else if (found.slice(first).includes(false)) lost.push(head + name);
      if (texts(street).length > 0) inStreets.push(street);
      cities += 1;
      letters += first + 1;
    }
    // Without a comma `Moulin Saint` may continue the name of the street.
    expect(missed.filter((text) => text.includes(','))).toEqual([]);
    expect(missed.length / cities).toBeLessThan(0.01);
    // `West Sa` is also the beginning of names with `West St.`, so more cities compete than at `West S`.
    expect(lost.length / cities).toBeLessThan(0.01);
    expect(letters / cities).toBeLessThan(3);
    expect(inStreets.length / cities).toBeLessThan(0.1);
  });

  it('the largest place comes first, each text once, at most as many as wanted and of the country alone', () => {
    expect(texts('par')[0]).toMatch(/^Paris, .*France$/);
    const spring = texts('spring', null, 20);
    expect([spring.length, new Set(spring).size]).toEqual([20, 20]);
    expect(texts('par', 'US').every((text) => text.endsWith('United States of America'))).toBe(true);
    expect(texts('London, Ont', 'GB')).toEqual([]);
    expect(texts('zzzqq')).toEqual([]);
    expect(texts(', ,')).toEqual([]);
  });

  it('every place of some size is found by the whole of its name in its country', () => {
    const missed: string[] = [];
    for (let row = 0; row < 20_000; row += 37) {
      const name = gazetteer.name(row);
      const country = gazetteer.areas[gazetteer.area(row)]!.slice(0, 2);
      const found = geocoder.suggest(name, country, 20).some(({ locality }) => locality.name === name);
      if (!found) missed.push(`${name} ${country}`);
    }
    expect(missed).toEqual([]);
  });
});

describe('positions', () => {
  it.each([
    [48.8584, 2.2945, 'FR FR-75C Paris'],
    [51.5033, -0.1276, 'GB GB-ENG London'],
    [-17.8, 179.99, 'FJ FJ-E Levuka'],
    [43.7384, 7.4246, 'MC MC-MO Monaco'],
    [40.7484, -73.9857, 'US US-NY New York City'],
  ])('%s, %s is in %s', (latitude, longitude, expected) => expect(at(latitude, longitude)).toBe(expected));

  it('a position without a place within 100 km, and a pole, is nowhere', () => {
    expect(geocoder.reverse(0, -30)).toEqual({
      country: null,
      subdivision: null,
      subdivisionPath: [],
      locality: null,
      coordinates: null,
      distanceMeters: null,
    });
    for (const [latitude, longitude] of [
      [90, 180],
      [-90, -180],
    ])
      expect(at(latitude!, longitude!)).toBe('');
  });

  it('half a kilometre from a place is its country and its subdivision, and for nearly nine of ten its city', () => {
    const counts = { all: 0, country: 0, subdivision: 0, city: 0 };
    for (let row = 0; row < gazetteer.size; row += 211) {
      if (gazetteer.seat(row) === 4) continue;
      const code = gazetteer.areas[gazetteer.area(row)]!;
      const found = geocoder.reverse(gazetteer.latitude(row) + 0.003, gazetteer.longitude(row) - 0.003);
      counts.all += 1;
      if (found.country?.alpha2 === code.slice(0, 2)) counts.country += 1;
      if (code.length === 2 || found.subdivisionPath.some((one) => one.code === code)) counts.subdivision += 1;
      if (found.locality?.name === gazetteer.name(row)) counts.city += 1;
    }
    expect(counts.country / counts.all).toBeGreaterThan(0.995);
    expect(counts.subdivision / counts.all).toBeGreaterThan(0.98);
    expect(counts.city / counts.all).toBeGreaterThan(0.8);
  });
});

describe('over HTTP', () => {
  const gateway = useGateway();
  let key: string;
  beforeAll(async () => {
    key = await gateway.key(['GEOCODE']);
  });
  const post = (path: string, body: unknown): Promise<GatewayResponse> =>
    gateway.send('POST', `/api/v1/geoencode/${path}`, { headers: { 'x-service-key': key }, body });

  it('both are the same on GraphQL and REST', async () => {
    const query = `{
      suggestAddresses(text: "10 Downing St, Lond", country: "gb", first: 2) { text country { alpha2 } subdivision { code } locality { name } coordinates { latitude } }
      reverseGeocode(latitude: 51.5033, longitude: -0.1276) { country { alpha2 } subdivision { code } locality { name } distanceMeters }
    }`;
    const { data, errors } = (await gateway.graphql(key, query)).body;
    expect(errors).toBeUndefined();
    expect(data.suggestAddresses[0]).toMatchObject({
      country: { alpha2: 'GB' },
      subdivision: { code: 'GB-ENG' },
      locality: { name: 'London' },
    });
    expect(data.reverseGeocode).toMatchObject({ country: { alpha2: 'GB' }, locality: { name: 'London' } });
    const suggested = await post('suggest', { text: '10 Downing St, Lond', country: 'GB', limit: 2 });
    expect(suggested.body.data.suggestions.map(({ text }: { text: string }) => text)).toEqual(
      data.suggestAddresses.map(({ text }: { text: string }) => text),
    );
    const located = await post('reverse', { latitude: 51.5033, longitude: -0.1276 });
    expect([located.status, located.body.data.distance_meters]).toEqual([200, data.reverseGeocode.distanceMeters]);
    expect((await post('reverse', { latitude: 0, longitude: -30 })).body.data).toMatchObject({ country: null, subdivision_path: [] });
  });

  it('degrees are integers as well, also where they stand in the document; both sides of the antimeridian are near each other', async () => {
    const at = async (latitude: string, longitude: string) => {
      const query = `{ reverseGeocode(latitude: ${latitude}, longitude: ${longitude}) { country { alpha2 } locality { name } } }`;
      const { data, errors } = (await gateway.graphql(key, query)).body;
      return errors?.[0].extensions.code ?? data.reverseGeocode.locality?.name ?? null;
    };
    expect(await at('90', '0')).toBeNull();
    expect(await at('-90', '-180')).toBeNull();
    expect(await at('-17', '180')).toBe(await at('-17', '-180'));
    expect(await at('-17', '180')).not.toBeNull();
    for (const [latitude, longitude] of [
      ['91', '0'],
      ['0', '181'],
      ['"NaN"', '0'],
      ['1e999', '0'],
      ['true', '0'],
    ] as const)
      expect(await at(latitude, longitude)).toBe('INVALID_PARAMS');
  });

  it.each([
    ['suggest', {}, '/text'],
    ['suggest', { text: ' ' }, '/text'],
    ['suggest', { text: 'x'.repeat(501) }, '/text'],
    ['suggest', { text: 'a\u0000' }, '/text'],
    ['suggest', { text: 'Par', country: 'QQ' }, '/country'],
    ['suggest', { text: 'Par', limit: 21 }, '/limit'],
    ['suggest', { text: 'Par', limit: 0 }, '/limit'],
    ['reverse', { latitude: 1 }, '/longitude'],
    ['reverse', { latitude: 90.1, longitude: 0 }, '/latitude'],
    ['reverse', { latitude: 0, longitude: -180.5 }, '/longitude'],
    ['reverse', { latitude: 'north', longitude: 0 }, '/latitude'],
  ])('%s %j is rejected at %s', async (path, body, pointer) => {
    const refused = await post(path, body);
    expect([refused.status, refused.body.error.errors[0].pointer]).toEqual([400, pointer]);
  });

  it('a key without the role GEOCODE is rejected', async () => {
    const other = await gateway.key(['MANAGE_CONTENT']);
    const body = { latitude: 0, longitude: 0 };
    const refused = await gateway.send('POST', '/api/v1/geoencode/reverse', { headers: { 'x-service-key': other }, body });
    expect([refused.status, refused.body.error.type]).toEqual([403, 'CLIENT_FORBIDDEN']);
  });

  it('an invalid position is rejected with the range of its degrees', async () => {
    const { status, body } = await gateway.send('POST', '/api/v1/geoencode/reverse', {
      headers: { 'x-service-key': await gateway.key(['GEOCODE']) },
      body: { latitude: 'x', longitude: 200 },
    });
    expect(status).toBe(400);
    expect(body.error.errors).toEqual([
      { pointer: '/latitude', details: 'latitude must be a number of degrees from -90 to 90' },
      { pointer: '/longitude', details: 'longitude must be a number of degrees from -180 to 180' },
    ]);
  });
});
