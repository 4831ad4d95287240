// French communes, present and former: joined to places, located, listed by postcode.
import { nameKey } from '../../geocoder/normalise.ts';

const OVERSEAS = {
  971: 'GP',
  972: 'MQ',
  973: 'GF',
  974: 'RE',
  975: 'PM',
  976: 'YT',
  977: 'BL',
  978: 'MF',
  986: 'WF',
  987: 'PF',
  988: 'NC',
};

/** French communes: joined to a place of the same department and name, else added. Returns postcode -> places. */
export function addCommunes(places, communes, byCommune) {
  const known = Map.groupBy(
    places.filter((place) => place.country === 'FR'),
    (place) => `${place.department}:${nameKey(place.name)}`,
  );
  const overseas = Map.groupBy(
    places.filter((place) => Object.values(OVERSEAS).includes(place.country)),
    (place) => `${place.country}:${nameKey(place.name)}`,
  );
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
      place = {
        name: row.nom,
        country,
        area,
        lat: near?.lat ?? NaN,
        lon: near?.lon ?? NaN,
        population: 0,
        id: near?.key === key ? near.id : 0,
        seat: 0,
        approximate: near ? 0 : 1,
        county: 0,
        department,
        localName: '',
        names: new Map(),
      };
      added.push(place);
    }
    if (row.population) place.population = row.population;
    for (const code of row.codesPostaux) postcodes.set(code, [...(postcodes.get(code) ?? []), place]);
  }
  locate(added, postcodes);
  places.push(...added, ...formerCommunes(communes, known, postcodes, byCommune));
  return postcodes;
}

/** Addresses still name communes that were merged into another. They get their own position where it is known, else that of the other. */
function formerCommunes(communes, known, postcodes, byCommune) {
  const codes = new Map(communes.filter((row) => row.type === 'commune-actuelle').map((row) => [row.code, row]));
  const former = [];
  for (const row of communes) {
    const head = codes.get(row.chefLieu);
    if (!head?.codesPostaux?.length || row.code === row.chefLieu || known.has(`${row.departement}:${nameKey(row.nom)}`)) continue;
    const into =
      postcodes.get(head.codesPostaux[0]).find((place) => nameKey(place.name) === nameKey(head.nom)) ??
      postcodes.get(head.codesPostaux[0])[0];
    const near = byCommune.get(row.code);
    former.push({
      name: row.nom,
      country: 'FR',
      area: into.area,
      lat: near?.lat ?? into.lat,
      lon: near?.lon ?? into.lon,
      population: 0,
      id: 0,
      seat: 0,
      approximate: 1,
      county: 0,
      department: row.departement,
      localName: '',
      names: new Map(),
    });
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
    const found =
      mean(postcodes.get(codes[0])) ??
      mean(byPrefix.get(codes[0].slice(0, 4))) ??
      mean(byPrefix.get(codes[0].slice(0, 3))) ??
      mean(byPrefix.get(codes[0].slice(0, 2)));
    Object.assign(place, found ?? { lat: 46.6, lon: 2.4 });
  }
}
