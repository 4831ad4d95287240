// Generated address cases: built from the gazetteer in the word orders of many countries, with streets named after other places to mislead the geocoder.
import type { AccuracyCase } from '../../src/address/accuracy/metrics.ts';
import type { Gazetteer } from '../../src/address/gazetteer/gazetteer.ts';
import { DUAL_TERRITORIES } from '../../src/address/geocoder/facts/territories.ts';
import { shippedIsoContent } from '../../src/address/iso/shipped-content.ts';

type Random = () => number;

/** A small repeatable random number generator (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <T>(random: Random, list: ArrayLike<T>): T => list[Math.floor(random() * list.length)]!;
const number = (random: Random, most: number): number => 1 + Math.floor(random() ** 2 * most);

const STREETS: Readonly<Record<string, (random: Random, no: number) => string>> = {
  en: (r, no) =>
    `${no} ${pick(r, ['Main', 'Oak', 'Church', 'High', 'Station', 'Paris', 'Washington', 'London', 'Lincoln', 'Victoria', 'N Michigan', 'Martin Luther King', 'Berlin', 'Cambridge', 'Lake Shore', 'Mill', 'York'])} ${pick(r, ['Street', 'St', 'Rd', 'Road', 'Avenue', 'Ave', 'Lane', 'Dr', 'Blvd'])}`,
  fr: (r, no) =>
    `${no} ${pick(r, ['rue', 'Rue', 'avenue', 'boulevard', 'place', 'chemin', 'impasse'])} ${pick(r, ['de Paris', 'Victor Hugo', 'de la République', 'de Lyon', 'du Général Leclerc', 'des Lilas', 'Jean Jaurès', 'de Verdun', 'de la Gare', 'du Moulin', "de l'Église", 'de Strasbourg'])}`,
  de: (r, no) =>
    `${pick(r, ['Hauptstraße', 'Bahnhofstr.', 'Berliner Straße', 'Goethestraße', 'Münchner Str.', 'Gartenweg', 'Lindenallee', 'Marktplatz', 'Am Markt', 'Hamburger Straße', 'Schulstrasse'])} ${no}`,
  it: (r, no) =>
    `${pick(r, ['via', 'Via', 'piazza', 'viale', 'corso'])} ${pick(r, ['Roma', 'Garibaldi', 'Mazzini', 'Torino', 'Dante Alighieri', 'Milano', 'della Libertà', 'Verdi', 'Napoli', 'San Marco'])} ${no}`,
  es: (r, no) =>
    `${pick(r, ['Calle', 'calle', 'Avenida', 'Av.', 'Plaza'])} ${pick(r, ['Mayor', 'de Madrid', 'Bolívar', 'Cervantes', 'de la Constitución', 'San Martín', 'Valencia', 'Juárez', '5 de Mayo', 'Santiago'])} ${no}`,
  pt: (r, no) =>
    `${pick(r, ['Rua', 'Avenida', 'Travessa'])} ${pick(r, ['do Comércio', 'Augusta', 'de Lisboa', 'das Flores', 'São Paulo', '15 de Novembro', 'da Liberdade'])}, ${no}`,
  nl: (r, no) => `${pick(r, ['Kerkstraat', 'Dorpsstraat', 'Stationsweg', 'Utrechtseweg', 'Molenlaan', 'Markt', 'Prinsengracht'])} ${no}`,
  pl: (r, no) =>
    `${pick(r, ['ul. ', 'ulica ', ''])}${pick(r, ['Krakowska', 'Warszawska', 'Lipowa', 'Kościuszki', 'Mickiewicza', 'Polna', 'Długa'])} ${no}`,
  xx: (r, no) =>
    `${pick(r, ['Central Market', 'Post Office', 'City Hall', 'Grand Hotel', 'National Library', 'Embassy of Germany'])}, ${no} ${pick(r, ['Independence Avenue', 'Airport Road', 'Main Street', 'Market Road'])}`,
};

const LANGUAGE: Readonly<Record<string, string>> = {
  US: 'en',
  GB: 'en',
  CA: 'en',
  AU: 'en',
  IE: 'en',
  NZ: 'en',
  IN: 'en',
  ZA: 'en',
  FR: 'fr',
  BE: 'fr',
  DE: 'de',
  AT: 'de',
  CH: 'de',
  IT: 'it',
  ES: 'es',
  MX: 'es',
  AR: 'es',
  CO: 'es',
  CL: 'es',
  PE: 'es',
  BR: 'pt',
  PT: 'pt',
  NL: 'nl',
  PL: 'pl',
};
/** A street with its number as addresses of the country write it. */
export const streetOf = (random: Random, country: string): string =>
  (STREETS[LANGUAGE[country] ?? 'xx'] ?? STREETS.xx!)(random, number(random, 99));

/** Countries whose street words are known. */
export const STREET_COUNTRIES: readonly string[] = Object.keys(LANGUAGE);

const WEIGHTED = [
  'US',
  'US',
  'US',
  'US',
  'US',
  'FR',
  'FR',
  'FR',
  'FR',
  'DE',
  'DE',
  'DE',
  'IT',
  'IT',
  'PL',
  'NL',
  'GB',
  'GB',
  'CA',
  'IN',
  'AU',
  'ES',
  'MX',
  'BR',
  'AT',
  'CH',
  'BE',
  'SE',
  'JP',
];

export interface CaseMaker {
  /** A case of any style. */
  make(random: Random, id: number): AccuracyCase;
  /** A city with one edit in its name and the country or state next to it. */
  typo(random: Random, id: number): AccuracyCase;
}

export function caseMaker(gazetteer: Gazetteer): CaseMaker {
  const iso = shippedIsoContent();
  const byCountry = new Map<string, number[]>();
  for (let row = 0; row < gazetteer.size; row++) {
    const country = gazetteer.areas[gazetteer.area(row)]!.slice(0, 2);
    if (gazetteer.seat(row) !== 4 && !gazetteer.isApproximate(row)) byCountry.set(country, append(byCountry.get(country), row));
  }
  const countries = [...byCountry.keys()].sort();
  const zips = [...gazetteer.zipCodes()].filter((code) => gazetteer.areas[gazetteer.area(gazetteer.zip(code)!.place)]!.startsWith('US-'));
  const communes = gazetteer.frenchCodes();

  function place(random: Random, country: string, most: number): number {
    const rows = byCountry.get(country)!;
    return rows[Math.floor(random() ** 3 * Math.min(rows.length, most))]!;
  }

  function describe(row: number, id: number, address: string, tags: string[], postcode?: string): AccuracyCase {
    const area = gazetteer.areas[gazetteer.area(row)]!;
    const region = area.length > 2 ? { region: area } : {};
    return {
      id: `n${id}`,
      address,
      tags,
      expect: {
        country: area.slice(0, 2),
        ...region,
        city: gazetteer.name(row),
        ...(postcode ? { postcode } : {}),
        lat: gazetteer.latitude(row),
        lon: gazetteer.longitude(row),
      },
    };
  }

  function american(random: Random, id: number): AccuracyCase {
    const code = pick(random, zips);
    const row = gazetteer.zip(code)!.place;
    const zip = String(code).padStart(5, '0');
    const state = gazetteer.areas[gazetteer.area(row)]!.slice(3) || 'PR';
    const street = STREETS.en!(random, number(random, 9999));
    const city = gazetteer.name(row);
    const long = iso.subdivision(`US-${state}`)?.name ?? state;
    const styles = [
      `${street}, ${city}, ${state} ${zip}`,
      `${street} ${city} ${state} ${zip}`.toLowerCase(),
      `${street}, ${city}, ${state} ${zip}, USA`,
      `${city}, ${state}`,
      `${city}, ${long}`,
      `${street}, ${city} ${state}`,
      `${street} apt 4b ${city} ${state} ${zip}-1234`,
      `PO Box ${number(random, 999999)} ${city} ${state} ${zip}`,
      `${street}, Ste 200, ${city}, ${long} ${zip}, United States`,
    ];
    const address = pick(random, styles);
    return describe(
      row,
      id,
      address,
      [
        'city-in-text',
        ...(address.includes(zip) ? ['postcode-in-text'] : []),
        ...(/US|United States/.test(address) ? ['country-in-text'] : []),
      ],
      address.includes(`${zip}-`) ? `${zip}-1234` : address.includes(zip) ? zip : undefined,
    );
  }

  function french(random: Random, id: number): AccuracyCase {
    const code = pick(random, communes);
    const rows = gazetteer.frenchCommunes(code);
    const postcode = String(code).padStart(5, '0');
    const row = rows[Math.floor(random() * rows.length)]!;
    const street = STREETS.fr!(random, number(random, 200));
    const city = gazetteer.name(row);
    const styles = [
      `${street}, ${postcode} ${city}`,
      `${street} ${postcode} ${city}`.toLowerCase(),
      `${street} ${city}`,
      `${street} ${postcode}`,
      `${street}, ${city}, France`,
    ];
    const index = Math.floor(random() * styles.length);
    const test = describe(
      index === 3 ? rows[0]! : row,
      id,
      styles[index]!,
      index === 3 ? ['postcode-in-text'] : index === 2 || index === 4 ? ['city-in-text'] : ['city-in-text', 'postcode-in-text'],
      index === 2 || index === 4 ? undefined : postcode,
    );
    return rows.length > 3 && (index === 2 || index === 4 || index === 3)
      ? { ...test, expect: { ...test.expect, lat: undefined, lon: undefined } }
      : test;
  }

  function general(random: Random, id: number): AccuracyCase {
    const country = random() < 0.5 ? pick(random, WEIGHTED) : pick(random, countries);
    const row = place(random, country, 400);
    const street = (STREETS[LANGUAGE[country] ?? 'xx'] ?? STREETS.xx!)(random, number(random, 300));
    const [city, local] = [gazetteer.name(row), gazetteer.localName(row)];
    const name = iso.country(country)?.name ?? country;
    const area = gazetteer.areas[gazetteer.area(row)]!;
    const region = iso.subdivision(area)?.name ?? name;
    const style = Math.floor(random() * 8);
    const address = [
      `${street}, ${city}, ${name}`,
      `${street}, ${local ?? city}, ${name}`,
      `${city}, ${name}`,
      `${street} ${city}`,
      `${street}, ${city}, ${region}, ${name}`,
      `${city}, ${region}`,
      `${city} ${country}`,
      `${street}, ${city} ${name}`.toLowerCase(),
    ][style]!;
    const small = style === 3 && gazetteer.population(row) < 20_000;
    return {
      ...describe(row, id, address, ['city-in-text', ...([3, 5, 6].includes(style) ? [] : ['country-in-text'])]),
      ...(small ? { tags: [] } : {}),
    };
  }

  function big(random: Random, id: number): AccuracyCase {
    const row = Math.floor(random() ** 2 * 3000);
    return describe(
      row,
      id,
      pick(random, [gazetteer.name(row), gazetteer.localName(row) ?? gazetteer.name(row), gazetteer.name(row).toLowerCase()]),
      ['city-in-text'],
    );
  }

  function area(random: Random, id: number): AccuracyCase {
    const dual = new Set(Object.values(DUAL_TERRITORIES).map((row) => row.code));
    const codes = gazetteer.areas.filter(
      (code) => /^(?:US|CA|AU|DE|IN|BR|MX|IT|ES)-[A-Z]{2,3}$/.test(code) && iso.subdivision(code)?.parent === null && !dual.has(code),
    );
    const code = pick(random, codes);
    const name = iso.subdivision(code)!.name.replace(/ ?\[.*|,.*/g, '');
    const country = iso.country(code.slice(0, 2))!.name;
    const address = pick(random, [name, `${name}, ${country}`, country, country.toLowerCase()]);
    return {
      id: `n${id}`,
      address,
      tags: ['country-in-text'],
      expect: { country: code.slice(0, 2), ...(address.startsWith(name) && name !== country ? { region: code } : {}) },
    };
  }

  function typo(random: Random, id: number): AccuracyCase {
    const country = pick(random, WEIGHTED);
    let row = place(random, country, 150);
    while (!/^[A-Za-z]{6,}$/.test(gazetteer.name(row))) row = place(random, country, 150);
    const city = gazetteer.name(row);
    const at = 1 + Math.floor(random() * (city.length - 2));
    const letter = 'aeiorstnl'[Math.floor(random() * 9)]!;
    const wrong = pick(random, [
      city.slice(0, at) + city.slice(at + 1),
      city.slice(0, at) + letter + city.slice(at),
      city.slice(0, at) + letter + city.slice(at + 1),
      city.slice(0, at) + city[at + 1]! + city[at]! + city.slice(at + 2),
    ]);
    const area = gazetteer.areas[gazetteer.area(row)]!;
    const tail = country === 'US' ? area.slice(3) : iso.country(country)!.name;
    const street = (STREETS[LANGUAGE[country] ?? 'xx'] ?? STREETS.xx!)(random, number(random, 300));
    return describe(row, id, pick(random, [`${street}, ${wrong}, ${tail}`, `${wrong}, ${tail}`, `${street}, ${wrong} ${tail}`]), [
      'city-in-text',
    ]);
  }

  const styles = [american, american, american, french, french, general, general, general, big, area];
  return { make: (random, id) => pick(random, styles)(random, id), typo };
}

function append(rows: number[] | undefined, row: number): number[] {
  if (!rows) return [row];
  rows.push(row);
  return rows;
}
