// Recognises the six published shapes of ISO 3166 data by their keys and converts them to one: parts, their rows, and the member of each column.
import { isPlainObject } from '../../records/checked.ts';
import { invalid } from '../../records/errors.ts';
import type { IsoPart } from './records.ts';

type Item = Record<string, unknown>;

/** A row of a document as it was found. */
export interface FoundRow {
  pointer: string;
  item: unknown;
}

/** A part of a document: its rows, and by column the member of a row that has its value (`a/b` is a path). */
export interface FoundPart {
  part: IsoPart;
  pointer: string;
  rows: FoundRow[];
  columns: Readonly<Record<string, string>>;
  /** Converts values that the shape writes in another form. */
  normalise?: (item: Item) => Item;
}

/** A remark for the caller that is not an error. */
export interface Warning {
  code: string;
  pointer: string;
  message: string;
}

/** Restores the leading zeros of a numeric code, which JSON numbers lose. */
const padded = (value: unknown): unknown =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? String(value).padStart(3, '0') : value;

const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);

/** Completes a parent that is given only as the suffix of its code. */
function completed(item: Item): Item {
  const { parent, code } = item;
  return typeof parent === 'string' && typeof code === 'string' && !parent.includes('-')
    ? { ...item, parent: `${code.slice(0, 2)}-${parent}` }
    : item;
}

/** In Debian's list a subdivision without a parent is directly below its country. */
const completedOrTop = (item: Item): Item => completed({ parent: null, ...item });

/** The list of the npm package `iso-3166` names the country itself as the parent of such a subdivision. */
const belowCountry = (item: Item): Item => (item.parent === String(item.code).slice(0, 2) ? { ...item, parent: null } : item);

const codes = { alpha2: 'alpha_2', alpha3: 'alpha_3', numeric: 'numeric', name: 'name' };
const extras = {
  official_name: 'official_name',
  common_name: 'common_name',
  local_names: 'names',
  status: 'status',
  superseded_by: 'superseded_by',
  withdrawal_date: 'withdrawal_date',
};
const subdivision = { code: 'code', name: 'name', type: 'type', parent: 'parent' };
const former = { ...codes, alpha4: 'alpha_4', withdrawal_date: 'withdrawal_date', comment: 'comment' };

interface PartShape {
  part: IsoPart;
  columns: Readonly<Record<string, string>>;
  normalise?: (item: Item) => Item;
}

/** The shapes whose parts are arrays under keys of the top level. */
const keyedShapes: Record<string, PartShape>[] = [
  {
    '3166-1': { part: 'countries', columns: { ...codes, official_name: 'official_name', common_name: 'common_name' } },
    '3166-2': { part: 'subdivisions', columns: subdivision, normalise: completedOrTop },
    '3166-3': { part: 'former', columns: former },
  },
  {
    iso31661: { part: 'countries', columns: { alpha2: 'alpha2', alpha3: 'alpha3', numeric: 'numeric', name: 'name' } },
    iso31662: { part: 'subdivisions', columns: subdivision, normalise: belowCountry },
    iso31663: {
      part: 'former',
      columns: {
        alpha4: 'alpha4',
        alpha2: 'from/alpha2',
        alpha3: 'from/alpha3',
        numeric: 'from/numeric',
        name: 'from/name',
        change_type: 'type',
        superseded_by: 'to',
      },
      normalise: (item) => ({
        ...item,
        to: Array.isArray(item.to) ? item.to.map((entry) => (isPlainObject(entry) ? entry.alpha2 : entry)) : item.to,
      }),
    },
  },
  {
    countries: { part: 'countries', columns: { ...codes, ...extras } },
    subdivisions: {
      part: 'subdivisions',
      columns: {
        ...subdivision,
        local_names: 'names',
        status: 'status',
        superseded_by: 'superseded_by',
        withdrawal_date: 'withdrawal_date',
      },
      normalise: completed,
    },
    former: { part: 'former', columns: { ...former, change_type: 'change_type', superseded_by: 'superseded_by' } },
  },
];

const rowsAt = (pointer: string, list: unknown[]): FoundRow[] => list.map((item, index) => ({ pointer: `${pointer}/${index}`, item }));

function keyedParts(data: Item): FoundPart[] | undefined {
  const shape = keyedShapes.find((candidate) => Object.keys(candidate).some((key) => key in data));
  if (!shape) return undefined;
  return Object.entries(shape).flatMap(([key, { part, columns, normalise }]) => {
    const list = data[key];
    if (list === undefined) return [];
    if (!Array.isArray(list)) throw invalid(`/${key}`, `${key} must be an array`, 'INVALID_TYPE');
    return [{ part, pointer: `/${key}`, rows: rowsAt(`/${key}`, list), columns, ...(normalise ? { normalise } : {}) }];
  });
}

/** The two shapes that are an array of countries. */
function listedParts(data: unknown[]): FoundPart[] | undefined {
  const first = data.find(isPlainObject);
  const found = (columns: Record<string, string>, normalise: (item: Item) => Item): FoundPart[] => [
    { part: 'countries', pointer: '', rows: rowsAt('', data), columns, normalise },
  ];
  if (first && 'alpha-2' in first) {
    return found({ alpha2: 'alpha-2', alpha3: 'alpha-3', numeric: 'country-code', name: 'name' }, (item) => ({
      ...item,
      'country-code': padded(item['country-code']),
    }));
  }
  if (first && 'id' in first && 'alpha2' in first) {
    return found({ alpha2: 'alpha2', alpha3: 'alpha3', numeric: 'id', name: 'name' }, (item) => ({
      ...item,
      id: padded(item.id),
      alpha2: upper(item.alpha2),
      alpha3: upper(item.alpha3),
    }));
  }
  return undefined;
}

/** The shape that is an object of countries with their regions inside. */
function nestedParts(data: Item): FoundPart[] | undefined {
  const entries = Object.entries(data);
  if (entries.length === 0 || !entries.every(([key, value]) => /^[A-Z]{2}$/.test(key) && isPlainObject(value) && 'iso' in value))
    return undefined;
  const regions = entries.flatMap(([key, value]) => {
    const list = (isPlainObject(value) ? value.regions : undefined) ?? [];
    if (!Array.isArray(list)) throw invalid(`/${key}/regions`, 'regions must be an array', 'INVALID_TYPE');
    return rowsAt(`/${key}/regions`, list).map(({ pointer, item }) => ({
      pointer,
      item: isPlainObject(item) ? { ...item, iso: fullCode(key, item.iso) } : item,
    }));
  });
  const countries = entries.map(([key, item]) => ({ pointer: `/${key}`, item }));
  return [
    {
      part: 'countries',
      pointer: '',
      rows: countries,
      columns: { alpha2: 'iso', alpha3: 'iso3', numeric: 'numeric', name: 'names/en', local_names: 'names' },
      normalise: (item) => ({ ...item, numeric: padded(item.numeric) }),
    },
    { part: 'subdivisions', pointer: '', rows: regions, columns: { code: 'iso', name: 'name', local_names: 'names' } },
  ];
}

const fullCode = (country: string, iso: unknown): unknown => (typeof iso === 'string' && !iso.includes('-') ? `${country}-${iso}` : iso);

/** The parts of a document in any of the shapes; INVALID_PARAMS when it has none of them. */
export function partsOf(data: unknown): FoundPart[] {
  const parts = Array.isArray(data) ? listedParts(data) : isPlainObject(data) ? (keyedParts(data) ?? nestedParts(data)) : undefined;
  if (parts) return parts;
  throw invalid(
    '/',
    'the document has none of the known shapes: 3166-1/-2/-3 arrays, iso31661/2/3 arrays, countries/subdivisions/former, an array of countries, or countries by code',
  );
}
