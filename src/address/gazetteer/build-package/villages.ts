// Villages of Spain by postcode, and those of Germany that stops are named after, as they are written.
import { nameKey } from '../../geocoder/normalise.ts';

const SMALL_WORDS = /(?<= )(?:De|Del|La|Las|El|Los|L'|Y|E|I|Els|Les|D'|Da|Do|Dos|Das|O|A|Os|As|En|Sobre)(?= |$)/g;

/**
 * Names with their province and position. A municipality is where its own village is, or in the middle of its villages. Names in brackets are left out:
 * hamlets that are called by the parish they are in.
 */
export function spanishPlaces(rows) {
  const municipalities = Map.groupBy(
    rows.filter((row) => row.municipality),
    (row) => `${row.area}:${nameKey(row.municipality)}`,
  );
  const villages = rows
    .filter(({ name }) => !/[(),\d]/.test(name))
    .map((row) => ({ ...row, name: municipalities.get(`${row.area}:${nameKey(row.name)}`)?.[0].municipality ?? written(row.name) }));
  const known = new Set(villages.map((row) => `${row.area}:${nameKey(row.name)}`));
  const others = [...municipalities]
    .filter(([key]) => !known.has(key))
    .flatMap(([, list]) => list.map((row) => ({ ...row, name: row.municipality })));
  return [...villages, ...others].flatMap(({ name, area, lat, lon }) =>
    name.split('/').map((part) => ({ name: inOrder(part.trim()), area, lat, lon, county: 0 })),
  );
}

const written = (name) => name.replace(SMALL_WORDS, (word) => word.toLowerCase());

/** Luisiana, La */
const inOrder = (name) => name.replace(/^(.+), (.+)$/, (_, own, article) => `${article} ${own}`);

/** Germany's states by the number that ids of stops begin with. */
const STATES = { '03': 'NI', 11: 'BE', 12: 'BB', 13: 'MV', 14: 'SN', 15: 'ST', 16: 'TH' };

/** Lobetal, Kirche. Villages of one name in several districts are several places. */
export function villagesOfStops(stops) {
  return stops.flatMap(({ id, name, lat, lon }) => {
    const [, district, state] = /^de:((\d\d)\d{3}):/.exec(id) ?? [];
    const village = /^(\p{Lu}[^,\d]+?)(?: \([^)]*\))?, /u.exec(name)?.[1];
    return STATES[state] && village ? [{ name: village, area: `DE-${STATES[state]}`, district, lat, lon, county: 0 }] : [];
  });
}
