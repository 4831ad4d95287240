// Joins the place sources into one list, most populous first: positions, populations, ids, ISO areas and every known name.
import { nameKey } from '../../geocoder/normalise.ts';
import { COMMON_NAME, RARE_NAME } from '../layout.ts';
import { addCommunes } from './communes.ts';

const WIDELY_READ = new Set('en de fr es it pl nl ru ja zh zh_CN zh_TW ar ko pt pt_BR tr uk cs sv hu ro el'.split(' '));
/** The language in which each country names its own places. */
export const LOCAL = {
  DE: 'de',
  AT: 'de',
  CH: 'de',
  LI: 'de',
  FR: 'fr',
  BE: 'nl',
  LU: 'fr',
  MC: 'fr',
  ES: 'es',
  IT: 'it',
  SM: 'it',
  NL: 'nl',
  PL: 'pl',
  PT: 'pt',
  GR: 'el',
  CZ: 'cs',
  SK: 'sk',
  HU: 'hu',
  RO: 'ro',
  BG: 'bg',
  DK: 'da',
  SE: 'sv',
  NO: 'nb',
  FI: 'fi',
  EE: 'et',
  LV: 'lv',
  LT: 'lt',
  RU: 'ru',
  UA: 'uk',
  BY: 'be',
  RS: 'sr',
  HR: 'hr',
  SI: 'sl',
  BA: 'bs',
  MK: 'mk',
  AL: 'sq',
  TR: 'tr',
  JP: 'ja',
  CN: 'zh',
  TW: 'zh',
  HK: 'zh',
  MO: 'zh',
  KR: 'ko',
  KP: 'ko',
  TH: 'th',
  VN: 'vi',
  GE: 'ka',
  AM: 'hy',
  IL: 'he',
  IR: 'fa',
  AF: 'fa',
  IN: 'hi',
  BD: 'bn',
  NP: 'ne',
  LK: 'si',
  EG: 'ar',
  SA: 'ar',
  AE: 'ar',
  IQ: 'ar',
  JO: 'ar',
  LB: 'ar',
  SY: 'ar',
  YE: 'ar',
  OM: 'ar',
  QA: 'ar',
  BH: 'ar',
  KW: 'ar',
  LY: 'ar',
  TN: 'ar',
  DZ: 'ar',
  MA: 'ar',
  SD: 'ar',
  PS: 'ar',
  MX: 'es',
  AR: 'es',
  CO: 'es',
  PE: 'es',
  CL: 'es',
  VE: 'es',
  CU: 'es',
  BR: 'pt',
  KZ: 'kk',
  MN: 'mn',
  AZ: 'az',
  UZ: 'uz',
  IS: 'is',
  MM: 'my',
  KH: 'km',
  ET: 'am',
};

const cell = (lat, lon) => `${Math.round(lat * 10)}:${Math.round(lon * 10)}`;
const distance = (a, b) => Math.hypot(a.lat - b.lat, (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180)) * 111;

/** Every place with `area` (ISO code), `county` (FIPS number or 0), `names` (key -> quality). */
export function buildPlaces({ cities, populated, admin1Codes, admin2Codes, communes, catalogues, aliases, named, areaKeys }) {
  const places = cities.map((row) => fromCity(row, admin1Codes, admin2Codes));
  const { byCell, byCommune } = indexPopulated(populated);
  for (const fits of [hasName, hasOtherName, isHere]) for (const place of places) if (place.id === 0) joinPopulated(place, byCell, fits);
  places.push(...furtherPlaces(places, populated));
  places.push(...namedPlaces(places, named));
  const postcodes = addCommunes(places, communes, byCommune);
  for (const place of places) addNames(place, catalogues, areaKeys);
  addAliases(places, aliases);
  places.sort(
    (a, b) => b.population - a.population || compare(a.area, b.area) || compare(a.name, b.name) || a.lat - b.lat || a.lon - b.lon,
  );
  return { places, postcodes };
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function fromCity(row, admin1Codes, admin2Codes) {
  const area =
    admin2Codes.get(`${row.country}.${row.admin1}.${row.admin2}`) ?? admin1Codes.get(`${row.country}.${row.admin1}`)?.code ?? row.country;
  return {
    name: row.name,
    country: row.country,
    area,
    lat: Number(row.lat),
    lon: Number(row.lng),
    population: 0,
    id: 0,
    seat: 0,
    approximate: 0,
    county: row.country === 'US' && /^\d{3}$/.test(row.admin2) ? Number(row.admin2) : 0,
    department: row.country === 'FR' ? row.admin2 : '',
    localName: '',
    names: new Map(),
  };
}

function indexPopulated(populated) {
  const byCell = new Map();
  const byCommune = new Map();
  for (const row of populated) {
    row.key = nameKey(row.name);
    row.others = [...new Set(row.others.filter(isSpelling).map(nameKey))];
    const cellRows = byCell.get(cell(row.lat, row.lon)) ?? [];
    cellRows.push(row);
    byCell.set(cell(row.lat, row.lon), cellRows);
    if (row.country === 'FR' && row.admin4 && (byCommune.get(row.admin4)?.population ?? -1) < row.population)
      byCommune.set(row.admin4, row);
  }
  return { byCell, byCommune };
}

const hasName = (row, key, away) => row.key === key && away < 15;
const hasOtherName = (row, key, away) => !row.taken && away < 15 && row.others.includes(key);
const isHere = (row, _, away) => !row.taken && away < 0.3;

/** Joins a place to the nearest row of its country that fits; a name that differs becomes another name of the place. */
function joinPopulated(place, byCell, fits) {
  const key = nameKey(place.name);
  let best = null;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      for (const row of byCell.get(cell(place.lat + dy / 10, place.lon + dx / 10)) ?? []) {
        if (row.country !== place.country) continue;
        const away = distance(place, row);
        if (away < (best?.away ?? Infinity) && fits(row, key, away)) best = { away, row };
      }
    }
  }
  if (!best) return;
  const { row } = best;
  row.taken = true;
  Object.assign(place, { id: row.id, population: row.population, seat: seatRank(row.feature), codes: areaCodes(row), others: row.others });
  if (row.key !== key) place.names.set(row.key, COMMON_NAME);
}

const areaCodes = ({ country, admin1, admin2 }) => [`${country}.${admin1}.${admin2}`, `${country}.${admin1}`];

/** Former, abandoned and destroyed places. */
const GONE = new Set(['PPLCH', 'PPLH', 'PPLQ', 'PPLW', '']);

/**
 * Rows that were joined to no place and whose name no nearby place has. The codes of their areas may be former ones, so each row gets the area of
 * most places with the same code.
 */
function furtherPlaces(places, populated) {
  const known = Map.groupBy(places, (place) => `${place.country}:${nameKey(place.name)}`);
  const areas = new Map();
  for (const { codes = [], area } of places)
    for (const code of codes) {
      const counts = areas.get(code) ?? new Map();
      areas.set(code, counts.set(area, (counts.get(area) ?? 0) + 1));
    }
  const areaOf = (row) => {
    const counts = areaCodes(row)
      .map((code) => areas.get(code))
      .find((found) => found !== undefined);
    return counts ? [...counts].sort((a, b) => b[1] - a[1])[0][0] : row.country;
  };
  return populated
    .filter((row) => !row.taken && !GONE.has(row.feature))
    .filter((row) => !known.get(`${row.country}:${row.key}`)?.some((place) => distance(place, row) < 5))
    .map((row) => ({
      name: row.name,
      country: row.country,
      area: areaOf(row),
      lat: row.lat,
      lon: row.lon,
      population: row.population,
      id: row.id,
      seat: seatRank(row.feature),
      approximate: 0,
      county: row.country === 'US' && /^\d{3}$/.test(row.admin2) ? Number(row.admin2) : 0,
      department: row.country === 'FR' ? row.admin2 : '',
      localName: '',
      names: new Map(),
      others: row.others,
    }));
}

/** Names of post offices, villages, and towns with an airport that no nearby place of the country has. Each is in the middle of what has the name. */
function namedPlaces(places, named) {
  const known = new Map();
  for (const place of places)
    for (const key of new Set([nameKey(place.name), ...place.names.keys(), ...(place.others ?? [])])) {
      const id = `${place.country}:${key}`;
      known.set(id, [...(known.get(id) ?? []), place]);
    }
  return [...Map.groupBy(named, ({ area, district, name }) => `${district ?? area}:${nameKey(name)}`).values()].flatMap((rows) => {
    const [{ name, area, county }] = rows;
    const middle = (field) => Number((rows.reduce((sum, row) => sum + row[field], 0) / rows.length).toFixed(5));
    const place = {
      name,
      country: area.slice(0, 2),
      area,
      lat: middle('lat'),
      lon: middle('lon'),
      population: 0,
      id: 0,
      seat: 0,
      approximate: 1,
      county,
      department: '',
      localName: '',
      names: new Map(),
    };
    return known.get(`${place.country}:${nameKey(name)}`)?.some((other) => distance(place, other) < 50) ? [] : [place];
  });
}

const seatRank = (feature) => (feature === 'PPLC' ? 3 : feature === 'PPLA' ? 2 : /^PPLA\d$/.test(feature) ? 1 : feature === 'PPLX' ? 4 : 0);

const CONNECTORS = /^(.{3,}?)[ -](?:am|an der|upon|sur|im|in der|nad|ob der|an den|aan den|vor der|on|op|de la|D\.C\.|Tyne)[ -]/i;

/** Towns where German is spoken are called by the first word of such a name, whatever their size: Sulz am Neckar, Schwandorf in Bayern. */
const GERMAN_CONNECTORS = /^(.{3,}?) (?:am|an der|im|in|in der|bei|ob|ob der|vor der|auf dem|unter) /i;
const GERMAN = new Set(['DE', 'AT', 'CH']);

function addNames(place, catalogues, areaKeys) {
  const main = nameKey(place.name);
  const languages = new Map();
  for (const [language, name] of catalogues.get(place.id) ?? []) {
    const key = nameKey(name);
    if (language === LOCAL[place.country] && name !== place.name) place.localName = name;
    if (key.length > 1 && key !== main) languages.set(key, [...(languages.get(key) ?? []), language]);
  }
  for (const [key, list] of languages) {
    const common = list.length >= 3 || list.some((language) => WIDELY_READ.has(language) || language === LOCAL[place.country]);
    if (common || !place.names.has(key)) place.names.set(key, common ? COMMON_NAME : RARE_NAME);
  }
  for (const key of place.others ?? []) if (!areaKeys.has(`${place.country}:${key}`)) addKey(place, key, RARE_NAME);
  for (const part of place.name.split(' / ')) if (part !== place.name) addName(place, part, COMMON_NAME);
  const short =
    (place.population >= 50_000 && CONNECTORS.exec(place.name)) || (GERMAN.has(place.country) && GERMAN_CONNECTORS.exec(place.name));
  if (short) addName(place, short[1], COMMON_NAME);
  if (/[([]/.test(place.name)) addName(place, place.name.replace(/[([].*?[)\]]/g, ' '), COMMON_NAME);
}

/** Some names are codes of airports and railways. */
const isSpelling = (name) => !/^[A-Z]{2,4}$|\d/.test(name);

const addName = (place, name, quality) => addKey(place, nameKey(name), quality);

function addKey(place, key, quality) {
  if (key.length > 1 && key !== nameKey(place.name) && !place.names.has(key)) place.names.set(key, quality);
}

function addAliases(places, aliases) {
  const best = new Map();
  for (const place of places) {
    for (const own of [nameKey(place.name), ...place.names.keys()]) {
      const key = `${place.country}:${own}`;
      if ((best.get(key)?.population ?? -1) < place.population) best.set(key, place);
    }
  }
  for (const [country, rows] of Object.entries(aliases)) {
    for (const [alias, name] of Object.entries(rows)) {
      const place = best.get(`${country}:${nameKey(name)}`);
      if (!place) throw new Error(`No place for the alias ${country} ${alias} ${name}`);
      if (!place.names.has(nameKey(alias)) && nameKey(place.name) !== nameKey(alias)) place.names.set(nameKey(alias), COMMON_NAME);
    }
  }
}
