// Decodes an uploaded file and finds its kind from its content. A file of any other kind is rejected with the name of that kind.
import { defineEnum } from '../../../records/enums.ts';
import { type GatewayError, invalid } from '../../../records/errors.ts';
import { isSqlite, SQLITE_START } from './gnucash/sqlite.ts';

export const FileKind = defineEnum('FileKind', 'Kind of an uploaded file, found from its content.', {
  CSV: 'Rows of cells with a header row.',
  JSON: 'A JSON array of records, or an object with such an array as `data`.',
  OFX: 'Bank statements in Open Financial Exchange, version 1 (SGML) or 2 (XML).',
  CAMT_053: 'Bank statements in the ISO 20022 message camt.053.',
  MT940: 'Bank statements in the SWIFT message MT940.',
  GNUCASH: 'A book of GnuCash, in XML or SQLite.',
});

/** The name of a kind of file. */
export type FileKindName = keyof typeof FileKind.values;

/** Characters of a file that are looked at to find its kind. */
const HEAD = 4_096;

/** What files are whose first bytes are these. */
const binary: [start: string, what: string][] = [
  ['PK\u0003\u0004', 'a ZIP archive, such as an Excel workbook (.xlsx); save the sheet as CSV (UTF-8)'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old Excel workbook (.xls); save the sheet as CSV (UTF-8)'],
  ['%PDF', 'a PDF document'],
  ['\u0089PNG', 'a PNG image'],
  ['\u00ff\u00d8\u00ff', 'a JPEG image'],
  ['\u00ff\u00fe', 'text in UTF-16; save it as UTF-8'],
  ['\u00fe\u00ff', 'text in UTF-16; save it as UTF-8'],
];

/** What texts are that begin like this, where they are no kind that is read. */
const otherTexts: [start: RegExp, what: string][] = [
  [/^!(Type|Account|Option|Clear)\b/i, 'a QIF file; export OFX or CSV instead'],
  [/^!(HDR|TRNS|ACCNT|CUST|VEND|INVITEM)\b/i, 'an IIF file of QuickBooks; export CSV instead'],
  [/^"?(EXTF|DTVF)"?;/, 'a DATEV file; export CSV with a header row instead'],
  [
    /^(?:(?:[;#*].*|[ \t]*)\n)*\d{4}-\d\d-\d\d +(open|close|commodity|balance|pad|note|price|txn|\*|!)(?: |$)[^\n]*\n(?:[ \t]+[A-Z]\w+:|\d|\n)/m,
    'a Beancount ledger; see the guide of files for the query that exports it',
  ],
  [
    /^(?:(?:[;#*].*|[ \t]*)\n)*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[^\n,;\t]*\n[ \t]+\S|account \w|commodity )/,
    'a journal of hledger or Ledger; upload the output of hledger print -O json',
  ],
];

const isOther = (what: string): GatewayError => invalid('file', `file is ${what}`, 'INVALID_FORMAT');

/** The text of a file; of an SQLite database, its bytes in base64. Files of banks may name another encoding than UTF-8 in their first lines. */
export function textOfFile(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString('latin1');
  if (head.startsWith(SQLITE_START)) return Buffer.from(bytes).toString('base64');
  const found = binary.find(([start]) => head.startsWith(start));
  if (found) throw isOther(found[1]);
  if (bytes.includes(0)) throw isOther('binary; it must be text');
  try {
    return new TextDecoder(encodingOf(head), { fatal: true }).decode(bytes);
  } catch {
    throw invalid('file', 'file must be UTF-8 text; in a spreadsheet choose CSV UTF-8', 'INVALID_FORMAT');
  }
}

function encodingOf(head: string): string {
  const xml = /^\s*<\?xml[^>]*\bencoding=["']([\w-]+)["']/.exec(head)?.[1];
  if (xml) return xml;
  const ofx = /^\s*OFXHEADER:/.test(head) ? /^CHARSET:\s*(\S+)/m.exec(head)?.[1] : undefined;
  return ofx && /^(1252|ISO-?8859-?1)$/i.test(ofx) ? 'windows-1252' : 'utf-8';
}

/** The beginning of an MT940 message, after at most three lines that its bank has put before it. */
const MESSAGE = /^(?:\{1:F|:25:|(?:[^\n:;,]{0,80}\n|:940:\s*\n){0,3}:20:)/;

/** The kind of a text. Throws for a text of a kind that is not read, with the name of the kind. */
export function kindOf(text: string): FileKindName {
  if (isSqlite(text)) return 'GNUCASH';
  if (text.includes('\u0000')) throw isOther('binary; it must be text');
  if (!text.isWellFormed()) throw invalid('file', 'file contains an unpaired surrogate', 'INVALID_FORMAT');
  const head = text
    .slice(0, HEAD)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (MESSAGE.test(head)) return 'MT940';
  if (/^[[{]/.test(head)) return 'JSON';
  if (/^OFXHEADER:|<\?OFX\b|<OFX>/i.test(head)) return 'OFX';
  if (head.startsWith('<')) return kindOfXml(head);
  const found = otherTexts.find(([start]) => start.test(head));
  if (found) throw isOther(found[1]);
  return 'CSV';
}

function kindOfXml(head: string): FileKindName {
  const [, root = 'unknown'] = /<(?![?!])(?:[\w-]+:)?([\w.-]+)/.exec(head) ?? [];
  const [, message] = /\bcamt\.(05\d)\b/.exec(head) ?? [];
  if (message === '053') return 'CAMT_053';
  if (message) throw isOther(`a camt.${message} message; upload the statement (camt.053)`);
  if (/^html$/i.test(root)) throw isOther('an HTML page, often the login page of a site; download the file again');
  if (root === 'gnc-v2') return 'GNUCASH';
  if (root === 'AuditFile') throw isOther('a SAF-T audit file');
  throw isOther(`an XML document with the root ${root.slice(0, 40)}; of XML, OFX, camt.053 and books of GnuCash are read`);
}
