// Reads OFX statements of bank accounts and cards. Version 1 is SGML, whose elements with a value need no end tag; version 2 is XML, which reads alike.
import { others } from '../../../../runtime/others.ts';
import { AT_ONCE, dateAt, decimalAt, MAX_DEPTH, newStatement, type Statement, type StatementTransaction, wrongAt } from './statement.ts';

/** A tag and the text behind it, in which some banks write a "<" that begins no tag. */
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9._]*)\s*(\/?)>([^<]*(?:<(?![A-Za-z/!?])[^<]*){0,100})/g;

/** Elements that have others in them, and so an end tag. Any other one without an end tag has a value or is empty. */
const ENDED = /^(?:(?:CC)?STMTRS|(?:BANK|CC)ACCTFROM|BANKTRANLISTP?|STMTTRNP?|PAYEE|LEDGERBAL)$/;

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;' };

/** A file with the text of its CDATA sections escaped, and without its comments. */
function plain(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = text.indexOf('<!'); start >= 0; start = text.indexOf('<!', at)) {
    parts.push(text.slice(at, start));
    const [head, end] = text.startsWith('<![CDATA[', start)
      ? ['<![CDATA[', ']]>']
      : text.startsWith('<!--', start)
        ? ['<!--', '-->']
        : ['', ''];
    const ends = head === '' ? -1 : text.indexOf(end, start + head.length);
    if (ends < 0) return [...parts, text.slice(start)].join('');
    const content = text.slice(start + head.length, ends);
    parts.push(end === ']]>' ? content.replace(/[&<]/g, (sign) => ESCAPED[sign]!) : content.replace(/[^\n]/g, ''));
    at = ends + end.length;
  }
  return [...parts, text.slice(at)].join('');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };
const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** An element that has others in it: the values of those that have one, by their names. */
interface Aggregate {
  name: string;
  line: number;
  values: Map<string, string>;
}

/** The statements of an OFX file. */
export async function ofxStatements(file: string): Promise<Statement[]> {
  const text = plain(file);
  const statements: Statement[] = [];
  const open: Aggregate[] = [];
  let [line, at, read, until] = [1, 0, 0, 0];
  let statement: Statement | undefined;
  for (const found of text.matchAll(TAG)) {
    for (; at < found.index; at++) if (text.charCodeAt(at) === 0x0a) line++;
    const between = text.slice(until, found.index).trim();
    if (statement && between !== '') throw wrongAt(line, `${JSON.stringify(between.slice(0, 40))} is not an element`);
    until = found.index + found[0].length;
    if (++read % AT_ONCE === 0) await others();
    const [, slash, given, isEmpty, raw] = found;
    const name = given!.toUpperCase();
    const value = unescaped(raw!).trim();
    if (slash === '/') {
      const from = open.findLastIndex((entry) => entry.name === name);
      if (from < 0) continue;
      const [ended, ...unended] = open.splice(from);
      for (const { name: inside, line: begun, values } of unended) {
        if (ENDED.test(inside)) throw wrongAt(begun, `${inside} has no end before that of ${name}`);
        // It was empty, and what follows it is its sibling.
        for (const [member, text] of values) ended!.values.set(member, text);
      }
      // The payee of a transaction is an element of its own in some files.
      if (name === 'PAYEE' && ended!.values.has('NAME')) open.at(-1)?.values.set('NAME', ended!.values.get('NAME')!);
      if (statement) endOf(ended!, statement);
      if (statement && /^(CC)?STMTRS$/.test(name)) {
        if (statement.account === '') throw wrongAt(ended!.line, 'the statement names no account');
        const unnamed = statement.transactions.find(({ id }) => id === null);
        if (unnamed && statement.until === null) throw wrongAt(unnamed.line, 'the transaction has no FITID, and its list no DTEND');
        statements.push(statement);
        statement = undefined;
      }
    } else if (value !== '') open.at(-1)?.values.set(name, value);
    else if (isEmpty === '') {
      if (name === 'INVSTMTRS') throw wrongAt(line, 'the statement is of an investment account; those of bank accounts and cards are read');
      if (/^(CC)?STMTRS$/.test(name)) statement = newStatement(`at line ${line}`, line);
      if (open.length === MAX_DEPTH) throw wrongAt(line, 'the file is nested too deep for a statement');
      open.push({ name, line, values: new Map() });
    }
  }
  if (open.some(({ name }) => /^(CC)?STMTRS$/.test(name))) throw wrongAt(line, 'the file ends within a statement');
  return statements;
}

/** Takes an element that has ended into its statement. */
function endOf({ name, line, values }: Aggregate, statement: Statement): void {
  if (name === 'BANKACCTFROM' || name === 'CCACCTFROM') statement.account ||= values.get('ACCTID') ?? '';
  else if (name === 'STMTRS' || name === 'CCSTMTRS') statement.currency = values.get('CURDEF') ?? null;
  else if (name === 'BANKTRANLIST' && values.has('DTEND'))
    Object.assign(statement, { name: values.get('DTSTART') ?? statement.name, until: values.get('DTEND')! });
  else if (name === 'BANKTRANLISTP') statement.until ??= values.get('DTASOF') ?? null;
  else if (name === 'LEDGERBAL' && values.has('BALAMT'))
    Object.assign(statement, { closing: decimalAt(line, values.get('BALAMT')!, 'BALAMT'), closedOn: values.get('DTASOF') ?? null });
  else if (name === 'STMTTRN' || name === 'STMTTRNP') statement.transactions.push(transactionOf(line, values, name === 'STMTTRNP'));
}

function transactionOf(line: number, values: ReadonlyMap<string, string>, isPending: boolean): StatementTransaction {
  const amount = values.get('TRNAMT');
  const posted = values.get('DTPOSTED') ?? values.get('DTTRAN');
  if (amount === undefined || posted === undefined)
    throw wrongAt(line, `the transaction has no ${amount === undefined ? 'TRNAMT' : 'DTPOSTED'}`);
  const user = values.get('DTUSER');
  return {
    id: values.get('FITID') ?? null,
    amount: decimalAt(line, amount, 'TRNAMT'),
    bookedOn: isPending ? null : dateAt(line, posted, 'DTPOSTED'),
    takenPlaceOn: dateAt(line, user ?? posted, 'DTUSER'),
    description: [values.get('NAME'), values.get('MEMO')].filter((part) => part !== undefined).join(' ') || null,
    reference: values.get('CHECKNUM') ?? values.get('REFNUM') ?? null,
    type: values.get('TRNTYPE')?.toUpperCase() ?? null,
    isPending,
    line,
  };
}
