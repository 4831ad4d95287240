// Joins the place sources into one list, most populous first: positions, populations, ids, ISO areas and every known name.
import { nameKey } from '../../geocoder/normalise.ts';
import { COMMON_NAME, RARE_NAME } from '../layout.ts';

const OVERSEAS = { 971: 'GP', 972: 'MQ', 973: 'GF', 974: 'RE', 975: 'PM', 976: 'YT', 977: 'BL', 978: 'MF', 986: 'WF', 987: 'PF', 988: 'NC' };
const WIDELY_READ = new Set('en de fr es it pl nl ru ja zh zh_CN zh_TW ar ko pt pt_BR tr uk cs sv hu ro el'.split(' '));
const LOCAL = { DE: 'de', AT: 'de', CH: 'de', LI: 'de', FR: 'fr', BE: 'nl', LU: 'fr', MC: 'fr', ES: 'es', IT: 'it', SM: 'it', NL: 'nl', PL: 'pl', PT: 'pt', GR: 'el', CZ: 'cs', SK: 'sk', HU: 'hu', RO: 'ro', BG: 'bg', DK: 'da', SE: 'sv', NO: 'nb', FI: 'fi', EE: 'et', LV: 'lv', LT: 'lt', RU: 'ru', UA: 'uk', BY: 'be', RS: 'sr', HR: 'hr', SI: 'sl', BA: 'bs', MK: 'mk', AL: 'sq', TR: 'tr', JP: 'ja', CN: 'zh', TW: 'zh', HK: 'zh', MO: 'zh', KR: 'ko', KP: 'ko', TH: 'th', VN: 'vi', GE: 'ka', AM: 'hy', IL: 'he', IR: 'fa', AF: 'fa', IN: 'hi', BD: 'bn', NP: 'ne', LK: 'si', EG: 'ar', SA: 'ar', AE: 'ar', IQ: 'ar', JO: 'ar', LB: 'ar', SY: 'ar', YE: 'ar', OM: 'ar', QA: 'ar', BH: 'ar', KW: 'ar', LY: 'ar', TN: 'ar', DZ: 'ar', MA: 'ar', SD: 'ar', PS: 'ar', MX: 'es', AR: 'es', CO: 'es', PE: 'es', CL: 'es', VE: 'es', CU: 'es', BR: 'pt', KZ: 'kk', MN: 'mn', AZ: 'az', UZ: 'uz', IS: 'is', MM: 'my', KH: 'km', ET: 'am' }; // prettier-ignore

const cell = (lat, lon) => `${Math.round(lat * 10)}:${Math.round(lon * 10)}`;
const distance = (a, b) => Math.hypot(a.lat - b.lat, (a.lon - b.lon) * Math.cos((a.lat * Math.PI) / 180)) * 111;

/** Every place with `area` (ISO code), `county` (FIPS number or 0), `names` (key -> quality). */
export function buildPlaces({ cities, populated, admin1Codes, admin2Codes, communes, catalogues, aliases }) {
  const places = cities.map((row) => fromCity(row, admin1Codes, admin2Codes));
  const { byCell, byCommune } = indexPopulated(populated);
  for (const place of places) joinPopulated(place, byCell, true);
  for (const place of places) if (place.id === 0) joinPopulated(place, byCell, false);
  const postcodes = addCommunes(places, communes, byCommune);
  for (const place of places) addNames(place, catalogues);
  addAliases(places, aliases);
  places.sort((a, b) => b.population - a.population || compare(a.area, b.area) || compare(a.name, b.name) || a.lat - b.lat || a.lon - b.lon);
  return { places, postcodes };
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function fromCity(row, admin1Codes, admin2Codes) {
  const area = admin2Codes.get(`${row.country}.${row.admin1}.${row.admin2}`) ?? admin1Codes.get(`${row.country}.${row.admin1}`)?.code ?? row.country;
  return {
    name: row.name, country: row.country, area, lat: Number(row.lat), lon: Number(row.lng), population: 0, id: 0, seat: 0, approximate: 0,
    county: row.country === 'US' && /^\d{3}$/.test(row.admin2) ? Number(row.admin2) : 0, department: row.country === 'FR' ? row.admin2 : '',
    localName: '', names: new Map(),
  }; // prettier-ignore
}

function indexPopulated(populated) {
  const byCell = new Map();
  const byCommune = new Map();
  for (const row of populated) {
    const [lon, lat] = row.loc.coordinates;
    const entry = { id: row.cityId, key: nameKey(row.name), name: row.name, country: row.country, population: row.population, feature: row.featureCode, lat, lon };
    const cellRows = byCell.get(cell(lat, lon)) ?? [];
    cellRows.push(entry);
    byCell.set(cell(lat, lon), cellRows);
    if (row.country === 'FR' && row.muniSub && (byCommune.get(row.muniSub)?.population ?? -1) < row.population) byCommune.set(row.muniSub, entry);
  }
  return { byCell, byCommune };
}

/** Same country and same folded name within 15 km; in the second round any row of the country within 300 m that nobody took, its name kept as another name. */
function joinPopulated(place, byCell, byName) {
  const key = nameKey(place.name);
  let best = null;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      for (const row of byCell.get(cell(place.lat + dy / 10, place.lon + dx / 10)) ?? []) {
        const away = distance(place, row);
        const fits = row.country === place.country && (byName ? row.key === key && away < 15 : !row.taken && away < 0.3);
        const rank = fits ? away : Infinity;
        if (rank < (best?.rank ?? Infinity)) best = { rank, row };
      }
    }
  }
  if (!best) return;
  const { row } = best;
  row.taken = true;
  Object.assign(place, { id: row.id, population: row.population, seat: seatRank(row.feature) });
  if (row.key !== key) place.names.set(row.key, COMMON_NAME);
}

const seatRank = (feature) => (feature === 'PPLC' ? 3 : feature === 'PPLA' ? 2 : /^PPLA\d$/.test(feature) ? 1 : feature === 'PPLX' ? 4 : 0);

/** French communes: joined to a place of the same department and name, else added. Returns postcode -> places. */
function addCommunes(places, communes, byCommune) {
  const known = Map.groupBy(places.filter((place) => place.country === 'FR'), (place) => `${place.department}:${nameKey(place.name)}`);
  const overseas = Map.groupBy(places.filter((place) => Object.values(OVERSEAS).includes(place.country)), (place) => `${place.country}:${nameKey(place.name)}`);
  const postcodes = new Map();
  const added = [];
  for (const row of communes) {
    if (row.type !== 'commune-actuelle' || !row.codesPostaux?.length) continue;
    const department = row.departement ?? row.code.slice(0, row.code.startsWith('97') ? 3 : 2);
    const country = OVERSEAS[department] ?? 'FR';
    const key = nameKey(row.nom);
    const match = country === 'FR' ? known.get(`${department}:${key}`) : overseas.get(`${country}:${key}`);
    let place = match?.toSorted((a, b) => b.population - a.population)[0];
    if (!place) {
      const near = byCommune.get(row.code);
      const area = country === 'FR' ? frenchArea(department) : country;
      place = { name: row.nom, country, area, lat: near?.lat ?? NaN, lon: near?.lon ?? NaN, population: 0, id: near?.key === key ? near.id : 0, seat: 0, approximate: near ? 0 : 1, county: 0, department, localName: '', names: new Map() }; // prettier-ignore
      added.push(place);
    }
    if (row.population) place.population = row.population;
    for (const code of row.codesPostaux) postcodes.set(code, [...(postcodes.get(code) ?? []), place]);
  }
  locate(added, postcodes);
  places.push(...added, ...formerCommunes(communes, known, postcodes, byCommune));
  return postcodes;
}

/** Communes merged into another keep their name in addresses; they lie where they were, else at the commune that took them in. */
function formerCommunes(communes, known, postcodes, byCommune) {
  const codes = new Map(communes.filter((row) => row.type === 'commune-actuelle').map((row) => [row.code, row]));
  const former = [];
  for (const row of communes) {
    const head = codes.get(row.chefLieu);
    if (!head?.codesPostaux?.length || row.code === row.chefLieu || known.has(`${row.departement}:${nameKey(row.nom)}`)) continue;
    const into = postcodes.get(head.codesPostaux[0]).find((place) => nameKey(place.name) === nameKey(head.nom)) ?? postcodes.get(head.codesPostaux[0])[0];
    const near = byCommune.get(row.code);
    former.push({ name: row.nom, country: 'FR', area: into.area, lat: near?.lat ?? into.lat, lon: near?.lon ?? into.lon, population: 0, id: 0, seat: 0, approximate: 1, county: 0, department: row.departement, localName: '', names: new Map() }); // prettier-ignore
  }
  return former;
}

const frenchArea = (department) => (department === '75' ? 'FR-75C' : /^\d[\dAB]$/.test(department) ? `FR-${department}` : 'FR');

/** A commune without coordinates takes the mean of the communes that share its postcode, then of nearby postcodes. */
function locate(added, postcodes) {
  const mean = (rows) => {
    const located = rows.filter((row) => !row.approximate);
    return located.length === 0 ? null : { lat: avg(located, 'lat'), lon: avg(located, 'lon') };
  };
  const avg = (rows, field) => Number((rows.reduce((sum, row) => sum + row[field], 0) / rows.length).toFixed(5));
  const codesOf = new Map();
  const byPrefix = new Map();
  for (const [code, rows] of postcodes) {
    for (const row of rows) codesOf.set(row, [...(codesOf.get(row) ?? []), code]);
    for (const length of [4, 3, 2]) byPrefix.set(code.slice(0, length), [...(byPrefix.get(code.slice(0, length)) ?? []), ...rows]);
  }
  for (const place of added.filter((row) => row.approximate)) {
    const codes = codesOf.get(place);
    const found = mean(postcodes.get(codes[0])) ?? mean(byPrefix.get(codes[0].slice(0, 4))) ?? mean(byPrefix.get(codes[0].slice(0, 3))) ?? mean(byPrefix.get(codes[0].slice(0, 2)));
    Object.assign(place, found ?? { lat: 46.6, lon: 2.4 });
  }
}

const CONNECTORS = /^(.{3,}?)[ -](?:am|an der|upon|sur|im|in der|nad|ob der|an den|aan den|vor der|on|op|de la|D\.C\.|Tyne)[ -]/i;

function addNames(place, catalogues) {
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
  for (const part of place.name.split(' / ')) if (part !== place.name) addName(place, part, COMMON_NAME);
  const short = place.population >= 50_000 && CONNECTORS.exec(place.name);
  if (short) addName(place, short[1], COMMON_NAME);
  if (/[([]/.test(place.name)) addName(place, place.name.replace(/[([].*?[)\]]/g, ' '), COMMON_NAME);
}

function addName(place, name, quality) {
  const key = nameKey(name);
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
