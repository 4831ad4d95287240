// Read-only view over the gazetteer tables: names to rows, rows to place facts. The only reader of the table files.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Column, type ColumnData, decodeColumns, hashCodes, hashKey } from './layout.ts';

interface Rules {
  readonly areas: readonly string[];
  readonly postcodes: Readonly<Record<string, { pattern: string; prefixes: readonly (readonly [string, string])[] }>>;
  readonly anchors: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Ending of a name -> country and the share of its names there in per cent. */
  readonly endings: Readonly<Record<string, readonly [string, number]>>;
  readonly counties: Readonly<Record<string, string>>;
}

/** What the build recorded about the tables. */
export interface GazetteerMeta {
  readonly build: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly mapping: Readonly<Record<string, number>>;
  readonly attribution: readonly string[];
  readonly files: Readonly<Record<string, { bytes: number; sha256: string }>>;
  readonly columns: Readonly<Record<string, readonly Column[]>>;
}

/** The table folder is next to the sources; from dist the package root is found first, because the compiler copies no tables. */
export function tableFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, 'src/address/gazetteer/tables');
}

/** What the build recorded, without the tables: 4 KB. */
export const gazetteerMeta = (folder = tableFolder()): GazetteerMeta =>
  JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')) as GazetteerMeta;

/** Reads all tables: 19 MB, one copy in memory, nothing parsed but the rules. */
export function loadGazetteer(folder = tableFolder()): Gazetteer {
  const meta = gazetteerMeta(folder);
  const rules = JSON.parse(readFileSync(join(folder, 'rules.json'), 'utf8')) as Rules;
  const columns: Record<string, ColumnData> = {};
  for (const [file, layout] of Object.entries(meta.columns)) {
    const bytes = readFileSync(join(folder, file));
    const own =
      bytes.byteOffset % 4 === 0 ? bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) : new Uint8Array(bytes).buffer;
    Object.assign(columns, decodeColumns(own, layout));
  }
  return new Gazetteer(meta, rules, columns);
}

/** Place rows are ordered by population, so a smaller row number means a larger place. */
export class Gazetteer {
  readonly meta: GazetteerMeta;
  readonly rules: Rules;
  readonly areas: readonly string[];
  private readonly columns: Record<string, ColumnData>;
  private readonly nameStart: Uint32Array;
  private readonly checks: ColumnData;
  private readonly starts: ColumnData;
  private readonly nothing = new Uint32Array(0);
  private readonly hash = new Uint32Array(2);
  private readonly decoder = new TextDecoder();
  private readonly localNames: ReadonlyMap<number, number>;
  private readonly localStart: Uint32Array;

  constructor(meta: GazetteerMeta, rules: Rules, columns: Record<string, ColumnData>) {
    this.meta = meta;
    this.rules = rules;
    this.areas = rules.areas;
    this.columns = columns;
    this.checks = columns.checks!;
    this.starts = columns.starts!;
    this.nameStart = runningSum(columns.nameLength!, 0);
    this.localStart = runningSum(columns.localLength!, this.nameStart[this.nameStart.length - 1]!);
    this.localNames = new Map(Array.from(columns.localRow!, (row, i) => [row, i]));
  }

  get size(): number {
    return this.columns.lat!.length;
  }

  /** Postings of a name, best quality and largest place first; empty when the name is unknown. */
  lookup(key: string): ColumnData {
    const from = this.find(key);
    if (from < 0) return this.nothing;
    const check = this.hash[1]!;
    let to = from;
    while (to < this.checks.length && this.checks[to] === check) to++;
    return this.columns.postings!.subarray(from, to);
  }

  has(key: string): boolean {
    return this.find(key) >= 0;
  }

  /** `has` for a key in a code buffer: the typo search asks thousands of times per address, without making strings. */
  hasCodes(codes: Uint16Array, length: number): boolean {
    hashCodes(codes, length, this.hash);
    return this.findHash() >= 0;
  }

  private find(key: string): number {
    hashKey(key, this.hash);
    return this.findHash();
  }

  private findHash(): number {
    const check = this.hash[1]!;
    const end = this.starts[this.hash[0]! + 1]!;
    let from = this.starts[this.hash[0]!]!;
    for (let to = end; from < to; ) {
      const middle = (from + to) >> 1;
      if (this.checks[middle]! < check) from = middle + 1;
      else to = middle;
    }
    return from < end && this.checks[from] === check ? from : -1;
  }

  name(row: number): string {
    return this.text(this.nameStart, row);
  }

  /** The name in the language of the country, when it differs from the main name. */
  localName(row: number): string | null {
    const index = this.localNames.get(row);
    return index === undefined ? null : this.text(this.localStart, index);
  }

  /** Names of places in the order of their written keys: the row, with LOCAL_NAME where the local name is meant. */
  get alphabet(): ColumnData {
    return this.columns.alphabet!;
  }

  latitude(row: number): number {
    return this.columns.lat![row]! / 1e5;
  }

  longitude(row: number): number {
    return this.columns.lon![row]! / 1e5;
  }

  population(row: number): number {
    return this.columns.population![row]!;
  }

  geonamesId(row: number): number | null {
    return this.columns.geonames![row]! || null;
  }

  area(row: number): number {
    return this.columns.area![row]!;
  }

  /** Three-digit county number within the state; zero without one. */
  county(row: number): number {
    return this.columns.county![row]!;
  }

  /** 3 capital, 2 first-level seat, 1 lower seat, 4 part of another place, 0 else. */
  seat(row: number): number {
    return this.columns.flags![row]! & 7;
  }

  /** True when the position is that of neighbours sharing the postcode. */
  isApproximate(row: number): boolean {
    return (this.columns.flags![row]! & 8) !== 0;
  }

  zip(code: number): { latitude: number; longitude: number; place: number } | null {
    const index = search(this.columns.zip!, code);
    if (index < 0) return null;
    return {
      latitude: this.columns.zipLat![index]! / 1e5,
      longitude: this.columns.zipLon![index]! / 1e5,
      place: this.columns.zipPlace![index]!,
    };
  }

  /** All known ZIP codes, ascending. */
  zipCodes(): ColumnData {
    return this.columns.zip!;
  }

  /** All known French postcodes, ascending. */
  frenchCodes(): ColumnData {
    return this.columns.french!;
  }

  /** Communes that share a French postcode, largest first. */
  frenchCommunes(code: number): ColumnData {
    const index = search(this.columns.french!, code);
    if (index < 0) return this.columns.frenchPlaces!.subarray(0, 0);
    let from = 0;
    for (let i = 0; i < index; i++) from += this.columns.frenchCount![i]!;
    return this.columns.frenchPlaces!.subarray(from, from + this.columns.frenchCount![index]!);
  }

  private text(starts: Uint32Array, index: number): string {
    return this.decoder.decode((this.columns.text as Uint8Array).subarray(starts[index]!, starts[index + 1]!));
  }
}

function runningSum(lengths: ColumnData, from: number): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  starts[0] = from;
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = starts[i]! + lengths[i]!;
  return starts;
}

function search(sorted: ColumnData, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else if (sorted[middle]! > value) high = middle - 1;
    else return middle;
  }
  return -1;
}
