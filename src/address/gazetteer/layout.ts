// The binary layout of the gazetteer tables, shared by the build package and the loader.

/** What a name refers to; stored in the top two bits of a posting. */
export const PLACE = 0;
export const SUBDIVISION = 1;
export const COUNTRY = 2;

/** How good the name is for what it names: the main name, a name in a widely read language, any other name. */
export const MAIN_NAME = 0;
export const COMMON_NAME = 1;
export const RARE_NAME = 2;

/** Marks an entry of the alphabet of names that represents the name in the language of the country. */
export const LOCAL_NAME = 0x80000000;

const ID_MASK = 0x0fffffff;

/** Packs kind (2 bits), quality (2 bits) and row number (28 bits). */
export function packPosting(kind: number, quality: number, id: number): number {
  return ((kind << 30) | (quality << 28) | (id & ID_MASK)) >>> 0;
}

export const postingKind = (posting: number): number => posting >>> 30;
export const postingQuality = (posting: number): number => (posting >>> 28) & 3;
export const postingId = (posting: number): number => posting & ID_MASK;

/**
 * Bucket and check value of a key, written to `out` because an object per call costs a third of the look-up time. The table stores 16 + 32
 * bits, so two different keys collide with p = 3e-9 at 800,000 keys.
 */
export function hashKey(key: string, out: Uint32Array): void {
  const length = Math.min(key.length, scratch.length);
  for (let i = 0; i < length; i++) scratch[i] = key.charCodeAt(i);
  hashCodes(scratch, length, out);
}

const scratch = new Uint16Array(256);

/** The same for a key given as character codes. */
export function hashCodes(codes: Uint16Array, length: number, out: Uint32Array): void {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < length; i++) {
    const code = codes[i]!;
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
    b ^= b >>> 15;
  }
  a ^= a >>> 13;
  a = Math.imul(a, 0xc2b2ae35);
  out[0] = (a ^ (a >>> 16)) & 0xffff;
  out[1] = b ^ Math.imul(a, 0x85ebca6b);
}

export const BUCKETS = 0x10000;

/** One column of a table file: name, element type and number of elements, in file order. */
export interface Column {
  readonly name: string;
  readonly type: 'u8' | 'u16' | 'u32' | 'i32';
  readonly length: number;
}

const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array } as const;
export type ColumnData = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Writes columns one after the other, each starting at a multiple of four bytes. Little-endian, as every supported host. */
export function encodeColumns(columns: readonly ColumnData[]): Uint8Array {
  const size = columns.reduce((sum, column) => sum + padded(column.byteLength), 0);
  const out = new Uint8Array(size);
  let offset = 0;
  for (const column of columns) {
    out.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), offset);
    offset += padded(column.byteLength);
  }
  return out;
}

/** Views over the bytes of a table file; nothing is copied. */
export function decodeColumns(bytes: ArrayBuffer, columns: readonly Column[]): Record<string, ColumnData> {
  const views: Record<string, ColumnData> = {};
  let offset = 0;
  for (const column of columns) {
    const view = new TYPES[column.type](bytes, offset, column.length);
    views[column.name] = view;
    offset += padded(view.byteLength);
  }
  return views;
}

const padded = (bytes: number): number => (bytes + 3) & ~3;
