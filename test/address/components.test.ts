// The parts of an address are copied from its text, in the word orders of six countries.
import { describe, expect, test } from 'vitest';
import { geocode } from '../../src/address/geocoder/geocode.ts';
import type { AddressComponents } from '../../src/address/geocoder/types.ts';

type Parts = Partial<AddressComponents>;

const CASES: readonly (readonly [country: string, address: string, parts: Parts])[] = [
  [
    'US',
    '350 Fifth Avenue, Apt 12B, New York, NY 10118',
    { houseNumber: '350', street: 'Fifth Avenue', unit: 'Apt 12B', city: 'New York', state: 'NY', postalCode: '10118' },
  ],
  ['US', 'PO Box 1234, Topeka, KS 66601', { poBox: '1234', street: null, houseNumber: null, city: 'Topeka', state: 'KS' }],
  [
    'US',
    '1200 Wilson Blvd #300, Arlington VA 22209, USA',
    { houseNumber: '1200', street: 'Wilson Blvd', unit: '#300', city: 'Arlington', country: 'USA' },
  ],
  ['US', '742 Evergreen Terrace, Unit 5, Springfield, OR 97477-1234', { unit: 'Unit 5', postalCode: '97477-1234' }],
  [
    'CA',
    '24 Sussex Drive, Ottawa, ON K1M 1M4, Canada',
    { houseNumber: '24', street: 'Sussex Drive', city: 'Ottawa', state: 'ON', postalCode: 'K1M 1M4' },
  ],
  [
    'CA',
    '1010 Rue Sherbrooke Ouest, Suite 500, Montréal, QC H3A 2R7, Canada',
    { houseNumber: '1010', street: 'Rue Sherbrooke Ouest', unit: 'Suite 500', city: 'Montréal' },
  ],
  ['CA', 'Box 45, Moose Jaw SK S6H 4N7', { poBox: '45', city: 'Moose Jaw', state: 'SK' }],
  [
    'GB',
    'Flat 3, 221B Baker Street, London NW1 6XE',
    { houseNumber: '221B', street: 'Baker Street', unit: 'Flat 3', city: 'London', postalCode: 'NW1 6XE' },
  ],
  ['GB', '4th Floor, 25 Deansgate, Manchester M3 2BA', { houseNumber: '25', street: 'Deansgate', unit: '4th Floor' }],
  ['GB', 'PO Box 77, Swansea SA1 1AA', { poBox: '77', city: 'Swansea' }],
  ['DE', 'Friedrichstraße 43, 10117 Berlin', { houseNumber: '43', street: 'Friedrichstraße', city: 'Berlin', postalCode: '10117' }],
  [
    'DE',
    'Musterweg 5a, 3. Stock, 80331 München, Deutschland',
    { houseNumber: '5a', street: 'Musterweg', unit: '3. Stock', city: 'München', country: 'Deutschland' },
  ],
  ['DE', 'Postfach 10 20 30, 50667 Köln', { poBox: '10 20 30', city: 'Köln' }],
  ['FR', '12 bis rue de la Paix, 75002 Paris', { houseNumber: '12 bis', street: 'rue de la Paix', city: 'Paris', postalCode: '75002' }],
  [
    'FR',
    '5 avenue Anatole France, Appt 14, 75007 Paris, France',
    { houseNumber: '5', street: 'avenue Anatole France', unit: 'Appt 14', country: 'France' },
  ],
  ['FR', 'BP 123, 69002 Lyon', { poBox: '123', city: 'Lyon' }],
  [
    'IN',
    'Flat No 12, 2nd Floor, 45 MG Road, Bengaluru, Karnataka 560001, India',
    { houseNumber: '45', street: 'MG Road', unit: 'Flat No 12', state: 'Karnataka', postalCode: '560001' },
  ],
  [
    'IN',
    '221 Linking Road, Bandra West, Mumbai 400050, Maharashtra',
    { houseNumber: '221', street: 'Linking Road', district: 'Bandra West', city: 'Mumbai', state: 'Maharashtra' },
  ],
  ['IN', 'B-12, Connaught Place, New Delhi 110001', { houseNumber: 'B-12', street: 'Connaught Place', city: 'New Delhi' }],
];

describe('address components', () => {
  test.each(CASES)('the parts of a %s address are found: %s', (country, address, parts) => {
    const { result } = geocode(address);
    expect(result?.country.alpha2).toBe(country);
    expect(result?.components).toMatchObject(parts);
  });

  test('every part of a result occurs in the address', () => {
    for (const [, address] of CASES) {
      for (const part of Object.values(geocode(address).result!.components)) if (part !== null) expect(address).toContain(part);
    }
  });

  test('the formatted line follows the order of the country', () => {
    expect(geocode('Friedrichstraße 43, 10117 Berlin').result?.formatted).toBe('Friedrichstraße 43, 10117 Berlin, Germany');
    expect(geocode('350 Fifth Avenue, New York, NY 10118').result?.formatted).toBe(
      '350 Fifth Avenue, New York, NY 10118, United States of America',
    );
  });
});

/** Boxes in the words of many countries: the address, the number of the box, and the postal code. */
const BOXES: readonly (readonly [address: string, poBox: string, postalCode: string | null])[] = [
  ['PO Box 1234, Auckland 1140', '1234', '1140'],
  ['Private Bag 3112, Hamilton 3240, New Zealand', '3112', '3240'],
  ['PO Box 1234, Cape Town 8000', '1234', '8000'],
  ['Private Bag X123, Pretoria 0001, South Africa', 'X123', '0001'],
  ['P.O. Box 7840, Pretoria 0001', '7840', '0001'],
  ['P.O. Box 30300-00100, Nairobi, Kenya', '30300', '00100'],
  ['P.O. Box 30300, Nairobi 00100', '30300', '00100'],
  ['PO Box 12345, Riyadh 11461', '12345', '11461'],
  ['P.O. Box 74200, Karachi 75500, Pakistan', '74200', '75500'],
  ['PO Box 10234, Colombo 00700, Sri Lanka', '10234', '00700'],
  ['GPO Box 1000, Dhaka 1207', '1000', '1207'],
  ['P.O. Box 1234, Addis Ababa 1000, Ethiopia', '1234', '1000'],
  ['PO Box 1234, Sydney NSW 2001', '1234', '2001'],
  ['Locked Bag 5555, Parramatta NSW 2124', '5555', '2124'],
  ['PO Box 1234, Dubai, United Arab Emirates', '1234', null],
  ['GPO Box 1234, Hong Kong', '1234', null],
  ['PO Box 363529, San Juan, PR 00936', '363529', '00936'],
  ['PO Box 1234, Houston, TX 77001', '1234', '77001'],
  ['Postfach 1234, 1010 Wien', '1234', '1010'],
  ['Postfach 10 20 30, 50667 Köln', '10 20 30', '50667'],
  ['Case postale 1234, 1211 Genève', '1234', '1211'],
  ['Casella postale 1234, 00187 Roma', '1234', '00187'],
  ['BP 1234, 69002 Lyon', '1234', '69002'],
  ['Boîte postale 123, 1000 Bruxelles', '123', '1000'],
  ['Postbus 20011, 2500 EA Den Haag', '20011', '2500 EA'],
  ['Apartado de Correos 12345, 28080 Madrid', '12345', '28080'],
  ['Apartado 1234, 1000-001 Lisboa', '1234', '1000-001'],
  ['Caixa Postal 1234, 01031-970 São Paulo', '1234', '01031-970'],
  ['Postboks 1234, 0107 Oslo', '1234', '0107'],
  ['Box 12345, 102 45 Stockholm', '12345', '102 45'],
  ['Postboks 1234, 1014 København', '1234', '1014'],
  ['PL 1234, 00101 Helsinki', '1234', '00101'],
  ['P.O. Box 12, 110 00 Praha 1', '12', '110 00'],
  ['Skrytka pocztowa 1234, 00-950 Warszawa', '1234', '00-950'],
  ['Pf. 1234, 1364 Budapest', '1234', '1364'],
  ['Poštanski pretinac 1234, 10000 Zagreb', '1234', '10000'],
  ['Τ.Θ. 12345, 10010 Αθήνα', '12345', '10010'],
  ['а/я 1234, 101000 Москва', '1234', '101000'],
  ['P.K. 1234, 06420 Ankara', '1234', '06420'],
  ['ص.ب 12345، الرياض 11564', '12345', '11564'],
  ['ת.ד. 12345, 61000 תל אביב', '12345', '61000'],
  ['PO Box 1234, Lagos, Nigeria', '1234', null],
  ['Casilla 1234, Santiago 8320000, Chile', '1234', '8320000'],
  ['Apdo. Postal 1234, 06000 Ciudad de México', '1234', '06000'],
  ['S.L.P. 1234, Dar es Salaam 11101', '1234', '11101'],
  ['Kotak Pos 1234, Jakarta 10110', '1234', '10110'],
  ['Peti Surat 12345, 50774 Kuala Lumpur', '12345', '50774'],
  ['PO Box 4212, Accra, Ghana', '4212', null],
  ['P.O. Box 11234, Cairo 11511', '11234', '11511'],
];

/** Houses and units as countries write them: the address, the street, the house number and the unit. */
const HOUSES: readonly (readonly [address: string, street: string, houseNumber: string, unit: string | null])[] = [
  ['Kungsgatan 12 lgh 1101, 111 35 Stockholm', 'Kungsgatan', '12', 'lgh 1101'],
  ['Rue de la Loi 200 bte 3, 1040 Bruxelles', 'Rue de la Loi', '200', 'bte 3'],
  ['Rue de la Loi 200 boîte 3, 1040 Bruxelles', 'Rue de la Loi', '200', 'boîte 3'],
  ['Wetstraat 200 bus 3, 1040 Brussel', 'Wetstraat', '200', 'bus 3'],
  ['Keizersgracht 324-HS, 1016 EZ Amsterdam', 'Keizersgracht', '324', 'HS'],
  ['Stephansplatz 4/2/5, 1010 Wien', 'Stephansplatz', '4', '2/5'],
  ['Via Roma 12/A, 20121 Milano', 'Via Roma', '12/A', null],
  ['Storgata 5 H0201, 0155 Oslo', 'Storgata', '5', 'H0201'],
  ['350 5th Ave, New York, NY 10118', '5th Ave', '350', null],
  ['12-34 56th St, Woodside, NY 11377', '56th St', '12-34', null],
  ['ул. Тверская, д. 7, 125009 Москва', 'ул. Тверская', '7', null],
  ['ул. Тверская, д. 7, кв. 15, Москва 125009', 'ул. Тверская', '7', 'кв. 15'],
  ['Mannerheimintie 5 A 12, 00100 Helsinki', 'Mannerheimintie', '5', 'A 12'],
  ['Nørregade 5, 2. tv, 1165 København', 'Nørregade', '5', '2. tv'],
  ['Calle Mayor 5, 3º B, 28013 Madrid', 'Calle Mayor', '5', '3o B'],
  ['Rua Augusta 100, 3.º Esq., 1100-053 Lisboa', 'Rua Augusta', '100', '3.o Esq.'],
  ['ul. Długa 5 m. 7, 00-238 Warszawa', 'ul. Długa', '5', 'm. 7'],
  ['ul. Długa 5/7, 00-238 Warszawa', 'ul. Długa', '5/7', null],
  ['Dlouhá 123/45, 110 00 Praha 1', 'Dlouhá', '123/45', null],
  ['Musterstraße 12a, 10115 Berlin', 'Musterstraße', '12a', null],
  ['Musterweg 5, Wohnung 3, 80331 München', 'Musterweg', '5', 'Wohnung 3'],
  ['12 bis rue de la Paix, Appt 4, 75002 Paris', 'rue de la Paix', '12 bis', 'Appt 4'],
  ['Flat 3, 221B Baker Street, London NW1 6XE', 'Baker Street', '221B', 'Flat 3'],
  ['10 Downing Street, London SW1A 2AA', 'Downing Street', '10', null],
  ['Bahnhofstrasse 45, 8001 Zürich', 'Bahnhofstrasse', '45', null],
  ['Avenida Paulista, 1000, apto 12, 01310-100 São Paulo', 'Avenida Paulista', '1000', 'apto 12'],
  ['Calle 72 # 10-34, Bogotá, Colombia', 'Calle 72', '10-34', null],
  ['Av. Insurgentes Sur 1234 int. 5, 03100 Ciudad de México', 'Av. Insurgentes Sur', '1234', 'int. 5'],
  ['Atatürk Caddesi No: 12 D: 3, 34394 İstanbul', 'Atatürk Caddesi', '12', 'D: 3'],
  ['Váci utca 5, 1052 Budapest', 'Váci utca', '5', null],
  ['Ermou 12, 105 63 Athens', 'Ermou', '12', null],
  ['100 Main St Apt 4B, Springfield, IL 62701', 'Main St', '100', 'Apt 4B'],
  ['24 Sussex Drive, Ottawa, ON K1M 1M4', 'Sussex Drive', '24', null],
  ['Unit 5, 100 George St, Sydney NSW 2000', 'George St', '100', 'Unit 5'],
  ['1 Queen Street, Auckland 1010', 'Queen Street', '1', null],
  ['B-12, Connaught Place, New Delhi 110001', 'Connaught Place', 'B-12', null],
  ['10 Anson Road #12-05, Singapore 079903', 'Anson Road', '10', '#12-05'],
  ['25 Long Street, Cape Town 8001', 'Long Street', '25', null],
  ['Laugavegur 26, 101 Reykjavík', 'Laugavegur', '26', null],
  ['Narva maantee 5-12, 10117 Tallinn', 'Narva maantee', '5-12', null],
  ['Trg bana Jelačića 5, 10000 Zagreb', 'Trg bana Jelačića', '5', null],
  ['Strada Lipscani 12, 030033 București', 'Strada Lipscani', '12', null],
  ['Obchodná 12, 811 06 Bratislava', 'Obchodná', '12', null],
  ['Slovenska cesta 56, 1000 Ljubljana', 'Slovenska cesta', '56', null],
  ['Khreshchatyk St, 22, Kyiv 01001', 'Khreshchatyk St', '22', null],
  ['Rothschild Blvd 12, Tel Aviv', 'Rothschild Blvd', '12', null],
  ['5 Tahrir Street, Cairo 11511', 'Tahrir Street', '5', null],
  ['Av. Providencia 1234, depto 56, Santiago, Chile', 'Av. Providencia', '1234', 'depto 56'],
  ['Jirón de la Unión 300, Lima, Peru', 'Jirón de la Unión', '300', null],
  ['Grand-Rue 12, 1660 Luxembourg', 'Grand-Rue', '12', null],
  ['Top 5, Mariahilfer Straße 12, 1060 Wien', 'Mariahilfer Straße', '12', 'Top 5'],
  ['Vilniaus g. 12-3, LT-01402 Vilnius', 'Vilniaus g.', '12-3', null],
];

describe('national forms', () => {
  test.each(BOXES)('the number of a post office box is not its postal code: %s', (address, poBox, postalCode) => {
    const { result } = geocode(address);
    expect([result?.components.poBox, result?.postalCode?.value ?? null]).toEqual([poBox, postalCode]);
  });

  test.each(HOUSES)('house number and unit are separate: %s', (address, street, houseNumber, unit) => {
    expect(geocode(address).result?.components).toMatchObject({ street, houseNumber, unit });
  });
});
