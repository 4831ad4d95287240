// The results of the embedded geocoder: territories, ambiguity, typos, withdrawn codes, honest precision.
import { describe, expect, test } from 'vitest';
import { loadGazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { createGeocoder } from '../../src/address/geocoder/geocode.ts';
import type { IsoContent, IsoSubdivision } from '../../src/address/iso/content.ts';
import { shippedIsoContent } from '../../src/address/iso/shipped-content.ts';

const gazetteer = loadGazetteer();
const geocoder = createGeocoder(gazetteer);
const found = (address: string) => geocoder.geocode(address).result;
const place = (address: string): string => {
  const result = found(address);
  return [result?.country.alpha2, result?.subdivision?.code, result?.locality?.name].filter(Boolean).join(' ');
};

describe('subdivisions of places', () => {
  test.each([
    ['Bila Tserkva, Ukraine', 'UA-32'],
    ['Kyiv, Ukraine', 'UA-30'],
    ['Samokov, Bulgaria', 'BG-23'],
    ['Beograd, Serbia', 'RS-00'],
    ['Niš, Serbia', 'RS-20'],
    ['Novi Sad, Serbia', 'RS-06'],
    ['São Tomé, São Tomé and Príncipe', 'ST-01'],
    ['Manokwari, Indonesia', 'ID-PB'],
    ['Birkirkara, Malta', 'MT-04'],
    ['Rabat, Malta', 'MT-46'],
    ['Almaty, Kazakhstan', 'KZ-75'],
  ])('%s is in %s', (address, code) => expect(found(address)?.subdivision?.code).toBe(code));
});

describe('confidence', () => {
  test('a name behind a street is the city, not the city that the street is named after', () => {
    expect(found('196 rue de Lyon, Coadoutville, France')?.locality).toMatchObject({ name: 'Coadoutville', geonamesId: null });
  });

  test.each(['Am Platz 3, Amignyville-Rouy, France', 'Coria del Ríoseco, Spain'])(
    'part of a longer name is no sure city: %s',
    (address) => {
      expect(geocoder.geocode(address).confidence).toBeLessThan(0.8);
    },
  );

  test.each(['Oslo, MN', 'Moscow, TN', 'Berlin, CA', 'Oslo, FL'])(
    'a city outside the state that the text names is not sure: %s',
    (address) => {
      expect(geocoder.geocode(address).confidence).toBeLessThan(0.8);
    },
  );

  test('a postcode elsewhere outweighs the town that only a street is named after', () => {
    expect(found('Via Roma 1, 37121, Italy')?.subdivision?.code).toBe('IT-VR');
    expect(place('Via Roma 1, 00184 Roma, Italy')).toBe('IT IT-RM Rome');
  });

  test.each(['100 impasse de la Gare Amigny-Rouy', 'Oldenburg in Holstein', 'olympisch stadion 44 amsterdam', 'Utrechtseweg 36 Amsterdam'])(
    'a name inside the longer one, one of a street, and one of a far smaller city are no rivals: %s',
    (address) => expect(geocoder.geocode(address).confidence).toBeGreaterThanOrEqual(0.8),
  );
});

describe('names of countries with a comma, as the gateway writes them', () => {
  const capitals = {
    BO: 'La Paz',
    BQ: 'Kralendijk',
    CD: 'Kinshasa',
    FM: 'Palikir',
    IR: 'Tehran',
    KP: 'Pyongyang',
    KR: 'Seoul',
    MD: 'Chisinau',
    NL: 'Amsterdam',
    PS: 'Gaza',
    SH: 'Jamestown',
    TW: 'Taipei',
    TZ: 'Dodoma',
    VE: 'Caracas',
  } as const;
  const names = shippedIsoContent().countries.filter(({ name }) => name.includes(','));

  test('are all tried', () => expect(names.map(({ alpha2 }) => alpha2).toSorted()).toEqual(Object.keys(capitals)));

  test.each(names)('$name is the country, and no place', ({ alpha2, name }) => {
    const capital = capitals[alpha2 as keyof typeof capitals];
    const formatted = (address: string) => found(address)?.formatted;
    expect(found(name)).toMatchObject({ formatted: name, country: { alpha2 }, locality: null, components: { district: null } });
    for (const street of ['12 Main Street', 'str. Puskin 20']) {
      const written = formatted(`${street}, ${capital}, ${name}`);
      expect(written).toMatch(new RegExp(`^[^,]+, ${capital}, ${name}$`));
      expect(formatted(written!)).toBe(written);
      expect(found(`${street}, ${name}`)).toMatchObject({ country: { alpha2 }, locality: null, components: { district: null } });
    }
  });

  test('keep their postcode', () =>
    expect(found('str. Puskin 20, MD-2012, Moldova, Republic of')).toMatchObject({
      formatted: 'str. Puskin 20, MD-2012, Moldova, Republic of',
      components: { country: 'Moldova, Republic of', district: null, postalCode: 'MD-2012' },
    }));

  test('a saint behind a number is no street', () =>
    expect(found('45 Independence Avenue Saint-Armand, QC, Canada')?.formatted).toContain('45 Independence Avenue, Saint-Armand'));
});

describe('names of several places', () => {
  test.each([
    ['Delaware, USA', 'US US-DE'],
    ['New Brunswick', 'CA CA-NB'],
    ['Wyoming', 'US US-WY'],
    ['New Brunswick, NJ', 'US US-NJ New Brunswick'],
    ['Guadalajara', 'MX MX-JAL Guadalajara'],
    ['Santiago', 'CL CL-RM Santiago'],
    ['Toledo', 'ES ES-TO Toledo'],
    ['Av. Central 5, Panamá, Panamá', 'PA PA-8 Panama City'],
    ['Mexico, D.F., Mexico', 'MX MX-CMX Mexico City'],
    ['Jordan, Jordan', 'JO'],
  ])(
    'a state is meant rather than a small city elsewhere, and the larger of two cities rather than the one in a province of its name; of two names of a country the first is its city: %s',
    (address, expected) => {
      expect(place(address)).toBe(expected);
    },
  );

  test('a name that subdivisions of two states have is sure only where the text says which', () => {
    const confidences = (...addresses: string[]) => addresses.map((address) => geocoder.geocode(address).confidence);
    for (const confidence of confidences('La Rioja', 'Córdoba', 'New Brunswick')) expect(confidence).toBeLessThan(0.8);
    for (const confidence of confidences('La Rioja, Argentina', 'Córdoba, Argentina', 'New Brunswick, NJ', 'Luxembourg'))
      expect(confidence).toBeGreaterThanOrEqual(0.8);
  });

  test('a name that no table has is the city where names end like it, and is not sure', () => {
    const { confidence, result } = geocoder.geocode('Mittelrinderhausen');
    expect(result).toMatchObject({
      country: { alpha2: 'DE' },
      locality: { name: 'Mittelrinderhausen', geonamesId: null },
      coordinates: null,
    });
    expect(confidence).toBeLessThan(0.1);
  });

  test('a numbered hamlet is French where its postcode is also American', () => {
    expect(found('14 Le Verney 43620')).toMatchObject({ country: { alpha2: 'FR' }, subdivision: { code: 'FR-43' } });
  });
});

describe('geocoding', () => {
  test('a result carries country, path of subdivisions, county, locality, position and evidence', () => {
    const { match, confidence, result, engine } = geocoder.geocode('1600 Grand Ave, Des Moines, IA 50309, USA');
    expect({ match, engine: engine.name }).toEqual({ match: 'exact', engine: 'embedded' });
    expect(confidence).toBeGreaterThanOrEqual(0.8);
    expect(result).toMatchObject({
      country: { alpha2: 'US', alpha3: 'USA', numeric: '840' },
      parentCountry: null,
      subdivision: { code: 'US-IA', name: 'Iowa', level: 1 },
      county: { name: 'Polk County', code: '19153', scheme: 'FIPS' },
      locality: { name: 'Des Moines' },
      postalCode: { value: '50309', validFormat: true, consistent: true },
      precision: 'postal_code',
    });
    expect(result!.evidence.map((row) => row.kind)).toEqual(
      expect.arrayContaining(['place', 'country_name', 'subdivision_code', 'postcode_rule']),
    );
    expect(engine.attribution.join(' ')).toContain('GeoNames');
  });

  test('the path goes from the region down to the department', () => {
    expect(found('3 place Bellecour, 69002 Lyon')?.subdivisionPath.map((row) => row.code)).toEqual(['FR-ARA', 'FR-69']);
  });

  test.each([
    ['10 rue de Lyon, 44000 Nantes', 'FR FR-44 Nantes'],
    ['Via Roma 5, 10121 Torino', 'IT IT-TO Turin'],
    ['Berliner Straße 9, 20095 Hamburg', 'DE DE-HH Hamburg'],
    ['Paris, TX', 'US US-TX Paris'],
    ['Paris', 'FR FR-75C Paris'],
    ['London, Ontario', 'CA CA-ON London'],
    ['大阪市, 日本', 'JP JP-27 Osaka'],
    ['Москва, Россия', 'RU RU-MOW Moscow'],
    ['Georgia, USA', 'US US-GA'],
    ['Georgia', 'GE'],
    ['Tbilisi, Georgia', 'GE GE-TB Tbilisi'],
    ['New York, NY', 'US US-NY New York City'],
    ['Mexico', 'MX'],
    ['Mexico City', 'MX MX-CMX Mexico City'],
    ['Lebanon, PA 17042', 'US US-PA Lebanon'],
    ['Eschenbraeustr 4, Muenchen', 'DE DE-BY Munich'],
    ['Tripoli, Iowa', 'US US-IA Tripoli'],
    ['432 East Douglas Street, Oneill, NE', "US US-NE O'Neill"],
    ['Cairo, New York', 'US US-NY Cairo'],
    ['12 Oak St Hartford CT', 'US US-CT Hartford'],
    ['Brodnica PL', 'PL PL-04 Brodnica'],
    ['35 Rue du 19 Mars 1962 Roquemaure', 'FR FR-30 Roquemaure'],
    ['place du 14 juillet houilles', 'FR FR-78 Houilles'],
    ['Calle 5 de Mayo 12, Puebla', 'MX MX-PUE Puebla'],
  ])('%s is %s', (address, expected) => {
    expect(place(address)).toBe(expected);
  });

  test.each([
    ['Hagåtña, Guam', 'GU', 'US'],
    ['San Juan, Puerto Rico 00901, USA', 'PR', 'US'],
    ['97110 Pointe-à-Pitre, Guadeloupe, France', 'GP', 'FR'],
    ['Oranjestad, Aruba', 'AW', 'NL'],
    ['Longyearbyen, Svalbard, Norway', 'SJ', 'NO'],
    ['Mariehamn, Åland', 'AX', 'FI'],
    ['Nathan Road, Hong Kong', 'HK', 'CN'],
  ])('%s returns the 3166-1 code %s and its parent %s', (address, country, parent) => {
    const result = found(address);
    expect([result?.country.alpha2, result?.parentCountry]).toEqual([country, parent]);
  });

  test('a territory that is also a subdivision carries that code too', () => {
    expect(found('San Juan, Puerto Rico')).toMatchObject({ country: { alpha2: 'PR' }, parentCountry: 'US', parentSubdivision: 'US-PR' });
    expect(found('Oslo, Norway')).toMatchObject({ parentCountry: null, parentSubdivision: null });
  });

  test.each([
    ['Baghdad, 222, Iraq', '222'],
    ['Storgata 1, 562 Oslo, Norway', '562'],
    ['Kathmandu 2243, Nepal', '2243'],
    ['Av. 16 de Julio 1490, La Paz, Bolivia', undefined],
    ['서울특별시 강남구 테헤란로 152', undefined],
  ])('a postcode of unusual form is copied, a house number is not: %s', (address, value) => {
    expect(found(address)?.postalCode?.value).toBe(value);
  });

  test('an ambiguous name says so and lists different alternatives', () => {
    const { match, alternatives, confidence } = geocoder.geocode('Springfield');
    expect(match).toBe('ambiguous');
    expect(confidence).toBeLessThan(0.8);
    expect(new Set(alternatives.map((row) => row.subdivision)).size).toBeGreaterThan(1);
    expect(alternatives.length).toBeLessThanOrEqual(5);
  });

  test.each([
    ['4 Main St, Chicgo, IL', 'US US-IL Chicago'],
    ['Frankfrut am Main, Deutschland', 'DE DE-HE Frankfurt am Main'],
    ['Barcelonna, Spain', 'ES ES-B Barcelona'],
    ['5 rue Hugo, Marseile, France', 'FR FR-13 Marseille'],
  ])('one typo in the city is forgiven: %s', (address, expected) => {
    expect(place(address)).toBe(expected);
    expect(geocoder.geocode(address).match).not.toBe('exact');
  });

  test('the embedded engine never claims a house or a street', () => {
    for (const address of ['10 Downing Street, London SW1A 2AA', 'Bavaria, Germany', 'Norway', '75002']) {
      expect(['postal_code', 'locality', 'subdivision', 'country']).toContain(found(address)?.precision);
    }
    expect(found('Bavaria, Germany')).toMatchObject({ precision: 'subdivision', locality: null });
    expect(found('Norway')).toMatchObject({ precision: 'country', subdivision: null });
  });

  test('a text without any place has neither a result nor an error', () => {
    for (const address of ['qqq zzz', '!!!', '', '12'])
      expect(geocoder.geocode(address)).toMatchObject({ match: 'none', confidence: 0, result: null, alternatives: [] });
  });

  test('a postcode that contradicts the place is reported', () => {
    expect(found('Austin, TX 10001')?.postalCode).toMatchObject({ value: '10001', consistent: false });
  });

  test('names come from the ISO content given, and a withdrawn code is resolved through what superseded it', () => {
    const bundled = shippedIsoContent();
    const changed = new Map<string, IsoSubdivision>([
      [
        'US-TX',
        { code: 'US-TX', name: 'Texas', type: 'state', parent: null, status: 'withdrawn', withdrawnOn: null, supersededBy: ['US-ZZ'] },
      ],
      ['US-ZZ', { code: 'US-ZZ', name: 'New Texas', type: 'state', parent: null, status: 'current', withdrawnOn: null, supersededBy: [] }],
    ]);
    const iso: IsoContent = { ...bundled, version: 'next', subdivision: (code) => changed.get(code) ?? bundled.subdivision(code) };
    const { result, engine } = createGeocoder(gazetteer, iso).geocode('Houston, TX');
    expect(result?.subdivision).toEqual({ code: 'US-ZZ', name: 'New Texas', type: 'state', level: 1 });
    expect(engine.isoVersion).toBe('next');
  });

  test.each([
    ['Drammen, Norway', 'NO-33'],
    ['Tønsberg, Norway', 'NO-39'],
    ['Tromsø, Norway', 'NO-55'],
    ['Lillestrøm, Norway', 'NO-32'],
    ['Lillehammer, Oppland', 'NO-34'],
    ['Strasbourg, Alsace', 'FR-67'],
    ['Dehradun, Uttaranchal', 'IN-UK'],
  ])('%s is in a subdivision that is in force, also by a former name', (address, code) => {
    expect(found(address)?.subdivision?.code).toBe(code);
  });

  test('score components are returned on request only', () => {
    expect(geocoder.geocode('Oslo', { debug: true }).debug).toMatchObject({ base: expect.any(Number), population: expect.any(Number) });
    expect(geocoder.geocode('Oslo').debug).toBeUndefined();
  });
});

describe('kinds of misses that a sample of 5,000 showed', () => {
  test.each([
    ['Kauppakatu 124, 92220 Piehinki', 'FI', 'FI-14', 'Finnish street, and a code that is also French'],
    ['Oslovegen 136, 4129 Songesand', 'NO', 'NO-11', 'Norwegian street'],
    ['Skolegata 43, 9140 Rebbenes', 'NO', 'NO-55', 'Norwegian street, not Danish'],
    ['Bahnhofstr. 18, 76857 Rinnthal, Germany', 'DE', 'DE-RP', 'sorting area of two states'],
    ['Hersfelder St. 15, 36251 Ludwigsau', 'DE', 'DE-HE', 'German street with an English abbreviation'],
    ['Am Bahnhof 1, 72172 Sulz', 'DE', 'DE-BW', 'short name of Sulz am Neckar, and a code that no other country of a Sulz has'],
    ['26 london road harvie heights, ab canada', 'CA', 'CA-AB', 'small code before the country'],
    ['101 Church Road, Intramuros, 1002, Philippines', 'PH', 'PH-00', 'range of Metro Manila'],
  ])('%s: %s %s (%s)', (address, country, subdivision) => {
    const { result } = geocoder.geocode(address);
    expect([result?.country.alpha2, result?.subdivision?.code]).toEqual([country, subdivision]);
  });

  test.each([
    ['Plaza de España, 61, Vegas del Genil, Spain', 'a name one letter from the beginning of a longer one'],
    ['Avenida Santiago, 123, Villaluenga de la Sagra, Spain', 'the end of a longer name'],
  ])('%s is no sure result with a place of its own (%s)', (address) => {
    const { result, confidence } = geocoder.geocode(address);
    expect(result?.country.alpha2).toBe('ES');
    expect(result?.locality?.geonamesId == null || confidence < 0.8).toBe(true);
  });

  test('a country is read with a sign in its name, and in its own letters', () => {
    expect(geocoder.geocode('126 Independence Avenue, Grand Turk, Turks & Caicos Islands').result?.country.alpha2).toBe('TC');
    expect(geocoder.geocode('Батово, България').result?.locality?.name).toBe('Батово');
    expect(geocoder.geocode('Пријепоље, Србија').result?.locality?.name).toBe('Prijepolje');
  });

  test('a ZIP code without an area of its own has the position of its town, or of the next code', () => {
    expect(geocoder.geocode('89 Station Road, Woburn, MA 01815').result?.coordinates?.latitude).toBeCloseTo(42.48, 1);
    expect(geocoder.geocode('70 Park Lane, Hanksville, UT 84734').result?.postalCode?.value).toBe('84734');
  });

  test.each([
    ['52a King Street, Muine Bheag, Ireland', 'IE IE-CW Bagenalstown', 'another name'],
    ['Belarus, Smorgon, Московская улица, 59', 'BY BY-HR Smarhoń', 'a spelling after Russian'],
    ['Nohen, Germany', 'DE DE-RP Nohen', 'a village of 400'],
    ['100 Park Lane, Adak, United States of America', 'US US-AK Adak', 'a town that only ZIP codes name'],
    ['66 Airport Road, Resolute Bay, Canada', 'CA CA-NU Resolute Bay', 'a town that only an airport names'],
  ])('%s is %s (%s)', (address, expected) => expect(place(address)).toBe(expected));

  test.each([
    ['Koulukatu 25, 55320 Rauha, Finland', 'FI FI-02 Rauha', 'a name one letter away that the postcode is not in'],
    ['Groß Düngen, Deutschland', 'DE Groß Düngen', 'a part of the name one letter away from another town'],
    ['Wiener Straße 45, Dassel-Markoldendorf, Germany', 'DE DE-NI Dassel', 'the same of a city'],
    ['139 Mill Road, Hilton Beach, ON, Canada', 'CA CA-ON Hilton Beach', 'another first letter'],
    ['59 Victoria Avenue, Tikkaloo Bay, Canada', 'CA Tikkaloo Bay', 'a name behind a street that is named after a city'],
    ['Wirral, NB, Canada', 'CA CA-NB Wirral', 'a name that is an area elsewhere'],
    ['11 Mill Road, Grand Lake Road, NS, Canada', 'CA CA-NS Grand Lake Road', 'a word of streets in a name behind the street'],
    ['Kyrgyzstan, Talas region, Kokoy, ул. Советская, 31', 'KG KG-T Kokoy', 'the country first'],
    ['日本種子島', 'JP 種子島', 'the whole rest'],
    ['Viale Mazzini 179, 22016 Tremezzola', 'IT IT-CO Tremezzola', 'a postcode of the country whose language the street has'],
  ])('a name that the tables lack is no other town: %s is %s (%s)', (address, expected) => expect(place(address)).toBe(expected));

  test('a municipality with its part lies in the municipality', () => {
    expect(place('Zum Bahnhof 42, 48599 Gronau-Epe, Germany')).toBe('DE DE-NW Gronau');
  });

  test('a ZIP code of boxes lies where its post office is', () => {
    expect(found('23 Main Street, Potecasi, NC 27867')?.coordinates?.longitude).toBeCloseTo(-77.24, 1);
  });
});
