// How areas (countries and subdivisions, by row number of the gazetteer) relate: their country, their parent, whether one contains the other.
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { type IsoContent, resolveCode } from '../iso/content.ts';
import { DUAL_TERRITORIES } from './facts/territories.ts';

export class Areas {
  readonly codes: readonly string[];
  readonly rows: ReadonlyMap<string, number>;
  private readonly countryRow: Uint16Array;
  private readonly parentRow: Int32Array;
  private readonly populations: Float64Array;
  private readonly sovereignRow: Int32Array;

  constructor(gazetteer: Gazetteer, iso: IsoContent) {
    const { areas: codes } = gazetteer;
    this.codes = codes;
    this.rows = new Map(codes.map((code, row) => [code, row]));
    this.countryRow = Uint16Array.from(codes, (code) => this.rows.get(code.slice(0, 2)) ?? 0);
    this.parentRow = Int32Array.from(codes, (code) => this.findParent(code, iso));
    this.sovereignRow = Int32Array.from(codes, (code) => this.rows.get(DUAL_TERRITORIES[code.slice(0, 2)]?.parent ?? '') ?? -1);
    this.populations = this.sumPopulations(gazetteer);
  }

  private sumPopulations(gazetteer: Gazetteer): Float64Array {
    const sums = new Float64Array(this.codes.length);
    for (let place = 0; place < gazetteer.size; place++) {
      for (let row = gazetteer.area(place), depth = 0; row !== -1 && depth < 6; row = this.parentRow[row]!, depth++)
        sums[row]! += gazetteer.population(place);
    }
    return sums;
  }

  private findParent(code: string, iso: IsoContent): number {
    if (code.length === 2) return -1;
    const parent = resolveCode(iso, code)?.parent;
    return this.rows.get(parent ?? code.slice(0, 2)) ?? this.rows.get(code.slice(0, 2)) ?? -1;
  }

  /** Inhabitants of all places in the area; a measure of how likely the area is meant. */
  population(area: number): number {
    return this.populations[area]!;
  }

  country(area: number): number {
    return this.countryRow[area]!;
  }

  /** The state a dual territory belongs to; -1 for every other country. */
  sovereign(area: number): number {
    return this.sovereignRow[area]!;
  }

  isCountry(area: number): boolean {
    return this.parentRow[area] === -1;
  }

  /** True for a country that has subdivisions. */
  hasSubdivisions(country: number): boolean {
    return this.codes[country + 1]?.startsWith(`${this.codes[country]!}-`) ?? false;
  }

  /** True when the areas are equal or one lies in the other. A country contains all its subdivisions. */
  related(a: number, b: number): boolean {
    return this.contains(a, b) || this.contains(b, a);
  }

  contains(outer: number, inner: number): boolean {
    for (let row = inner, depth = 0; row !== -1 && depth < 6; row = this.parentRow[row]!, depth++) if (row === outer) return true;
    return false;
  }

  /** Subdivisions from the top one down to the area itself; empty for a country. */
  path(area: number): number[] {
    const path: number[] = [];
    for (let row = area, depth = 0; row !== -1 && !this.isCountry(row) && depth < 6; row = this.parentRow[row]!, depth++) path.unshift(row);
    return path;
  }
}
