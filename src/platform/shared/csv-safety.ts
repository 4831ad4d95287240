// CSV files: recognises text by its bytes, and writes cells that no spreadsheet runs as formulas.

const FORMULA_START = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** A cell by RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe; a number stays as it is. */
export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = FORMULA_START.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

export type Sniffed = { kind: 'text' } | { kind: 'empty' } | { kind: 'binary'; reason: string };

/** First bytes of files that people upload by mistake; the declared type is not trusted. */
const SIGNATURES: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ['a ZIP archive or an .xlsx workbook', [0x50, 0x4b, 0x03, 0x04]],
  ['an old .xls workbook', [0xd0, 0xcf, 0x11, 0xe0]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a gzip archive', [0x1f, 0x8b]],
  ['UTF-16 text; save it as UTF-8', [0xff, 0xfe]],
  ['UTF-16 text; save it as UTF-8', [0xfe, 0xff]],
];

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** Classifies a file by its first bytes. With `isWhole` they are all of it, and an incomplete last character makes it binary. */
export function sniffText(bytes: Uint8Array, isWhole = false): Sniffed {
  const signature = SIGNATURES.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  if (signature) return { kind: 'binary', reason: signature[0] };
  const control = bytes.findIndex((byte) => byte < SPACE && byte !== TAB && byte !== LINE_FEED && byte !== CARRIAGE_RETURN);
  if (control >= 0) return { kind: 'binary', reason: `a control character at byte ${control}` };
  try {
    // Streaming mode holds back an unfinished last character instead of rejecting it.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return isWhole && text.trim() === '' ? { kind: 'empty' } : { kind: 'text' };
  } catch {
    return { kind: 'binary', reason: 'not UTF-8 text' };
  }
}
