// Reverse geocoding: the country, subdivision and city of a position, by the places near it.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { IsoContent } from '../iso/content.ts';
import type { Areas } from './areas.ts';
import { countryRef, localityOf, subdivisionPath } from './compose.ts';
import { distanceKm } from './postcodes.ts';
import type { ReverseGeocodeResult } from './types.ts';

/** No place further away says where a position is. */
const REACH_KM = 100;
const KM_PER_DEGREE = 111;
const [ROWS, COLUMNS] = [180, 360];
/** A place that is part of another one is no city. */
const PART = 4;

/** A place near a position. */
interface Near {
  row: number;
  km: number;
}

/** Finds places by position. Cells of one degree hold their rows. */
export class ReverseGeocoder {
  readonly #gazetteer: Gazetteer;
  readonly #areas: Areas;
  readonly #iso: IsoContent;
  readonly #starts = new Uint32Array(ROWS * COLUMNS + 1);
  readonly #rows: Uint32Array;

  constructor(gazetteer: Gazetteer, areas: Areas, iso: IsoContent) {
    this.#gazetteer = gazetteer;
    this.#areas = areas;
    this.#iso = iso;
    this.#rows = new Uint32Array(gazetteer.size);
    const cellOf = (row: number): number => cell(gazetteer.latitude(row), gazetteer.longitude(row));
    for (let row = 0; row < gazetteer.size; row++) this.#starts[cellOf(row) + 1]!++;
    for (let at = 1; at < this.#starts.length; at++) this.#starts[at]! += this.#starts[at - 1]!;
    const next = this.#starts.slice();
    for (let row = 0; row < gazetteer.size; row++) this.#rows[next[cellOf(row)]!++] = row;
  }

  /** The nearest place says the country and the subdivision; the city is the one there that the position is nearest to for its size. */
  locate(latitude: number, longitude: number): ReverseGeocodeResult {
    const near = this.#near(latitude, longitude);
    const nearest = least(near, ({ km }) => km);
    if (!nearest) return { country: null, subdivision: null, subdivisionPath: [], locality: null, coordinates: null, distanceMeters: null };
    const area = this.#gazetteer.area(nearest.row);
    const cities = near.filter(({ row }) => this.#gazetteer.seat(row) !== PART && this.#areas.related(this.#gazetteer.area(row), area));
    const city = least(cities, ({ row, km }) => km / this.#radiusKm(row));
    const path = subdivisionPath(this.#areas, this.#iso, area);
    return {
      country: countryRef(this.#iso, this.#areas.codes[this.#areas.country(area)]!),
      subdivision: path.at(-1) ?? null,
      subdivisionPath: path,
      locality: city ? localityOf(this.#gazetteer, city.row) : null,
      coordinates: city ? { latitude: this.#gazetteer.latitude(city.row), longitude: this.#gazetteer.longitude(city.row) } : null,
      distanceMeters: city ? Math.round(city.km * 1000) : null,
    };
  }

  /** About how far a city of its size reaches. */
  #radiusKm(row: number): number {
    return Math.min(15, 1.5 + Math.sqrt(this.#gazetteer.population(row)) / 100);
  }

  #near(latitude: number, longitude: number): Near[] {
    const found: Near[] = [];
    const above = REACH_KM / KM_PER_DEGREE;
    const halfWidth = Math.min(COLUMNS / 2, above / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01));
    const columns = Math.min(COLUMNS, Math.floor(longitude + halfWidth) - Math.floor(longitude - halfWidth) + 1);
    for (let south = Math.max(-90, Math.floor(latitude - above)); south <= Math.min(89, Math.floor(latitude + above)); south++)
      for (let column = 0; column < columns; column++) {
        const at = cell(south, Math.floor(longitude - halfWidth) + column);
        for (let index = this.#starts[at]!; index < this.#starts[at + 1]!; index++) {
          const row = this.#rows[index]!;
          const km = distanceKm(latitude, longitude, this.#gazetteer.latitude(row), this.#gazetteer.longitude(row));
          if (km <= REACH_KM) found.push({ row, km });
        }
      }
    return found;
  }
}

/** The cell of a position; longitudes go round. */
function cell(latitude: number, longitude: number): number {
  const row = Math.min(ROWS - 1, Math.floor(latitude) + 90);
  return row * COLUMNS + ((((Math.floor(longitude) + 180) % COLUMNS) + COLUMNS) % COLUMNS);
}

function least(near: readonly Near[], measure: (one: Near) => number): Near | undefined {
  let [best, value]: [Near | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const one of near) {
    const own = measure(one);
    if (own < value) [best, value] = [one, own];
  }
  return best;
}
