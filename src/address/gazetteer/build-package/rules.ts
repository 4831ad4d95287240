// Postcode patterns, postcode-to-area rules and area names from the territory files.
import { nameKey } from '../../geocoder/normalise.ts';

const split = (text) => (text ? text.split('~') : []);

/** Codes still seen in addresses that the metadata no longer lists. */
const EXTRA_PATTERNS = { KR: '\\d{3}-\\d{3}' };

/** Per country: whole-code pattern, [prefix pattern, area code] pairs, and the address line format. */
export function postcodeRules(territories) {
  const rules = {};
  for (const [country, row] of territories) {
    if (!row.zip) continue;
    const ids = split(row.sub_isoids);
    const prefixes = split(row.sub_zips)
      .map((zip, i) => [zip, `${country}-${ids[i] ?? ''}`])
      .filter(([zip]) => zip);
    rules[country] = { pattern: EXTRA_PATTERNS[country] ? `${row.zip}|${EXTRA_PATTERNS[country]}` : row.zip, prefixes };
  }
  return rules;
}

/** Area code -> names used in addresses of the country (native and Latin). */
export function areaNames(territories, isoCodes) {
  const names = new Map();
  for (const [country, row] of territories) {
    split(row.sub_isoids).forEach((id, i) => {
      const code = `${country}-${id}`;
      if (!id || !isoCodes.has(code)) return;
      const latin = split(row.sub_lnames)[i];
      const endings = country === 'JP' && latin ? ['ken', 'fu', 'to', 'prefecture'].map((ending) => `${latin} ${ending}`) : [];
      names.set(
        code,
        [split(row.sub_keys)[i], split(row.sub_names)[i], latin, ...endings].filter((name) => name && name !== id),
      );
    });
  }
  return names;
}

/** Prefix -> row number of the town that locates the postcode area. */
export function anchorRows(anchors, places) {
  const result = {};
  const keys = new Map();
  const missing = [];
  places.forEach((place, row) => {
    for (const key of [nameKey(place.name), ...place.names.keys()]) {
      const id = `${place.country}:${key}`;
      if (!keys.has(id)) keys.set(id, row);
    }
  });
  for (const [country, prefixes] of Object.entries(anchors)) {
    result[country] = {};
    for (const [prefix, name] of Object.entries(prefixes)) {
      const row = keys.get(`${country}:${nameKey(name)}`);
      if (row === undefined) missing.push(`${country} ${prefix} ${name}`);
      result[country][prefix] = row;
    }
  }
  if (missing.length > 0) throw new Error(`No place for postcode areas: ${missing.join(', ')}`);
  return result;
}
