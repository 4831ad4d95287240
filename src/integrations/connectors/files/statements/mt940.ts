// Reads MT940 statements (SWIFT), with or without the blocks around the message.
import { others } from '../../../../runtime/others.ts';
import { AT_ONCE, dateAt, decimalAt, MAX_TEXT, newStatement, type Statement, type StatementTransaction, wrongAt } from './statement.ts';

interface Field {
  tag: string;
  value: string;
  line: number;
}

/** Marks of the transport around messages, which some banks leave in their files. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the marks.
const TRANSPORT = /[\u0001-\u0003]/g;

/** Lines that Dutch banks write before each message: its type, and the BIC of the bank. */
const HEADER = /^(?::940:|940(?: \d\d)?|\d{4} \d\d[A-Z]{6}[A-Z0-9]{2,15}|[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)$/;

function* linesOf(text: string): Generator<string> {
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end).replaceAll(TRANSPORT, '');
    start = end + 1;
  }
}

/** Whether a message may begin after a field. */
const isBetween = (field: Field | undefined): boolean => field === undefined || /^6[245]/.test(field.tag);

/** The fields of a file. A line that begins with no tag continues with the field before it, also after empty lines. */
async function* fieldsOf(text: string): AsyncGenerator<Field> {
  let field: Field | undefined;
  let line = 0;
  for (const content of linesOf(text)) {
    if (++line % AT_ONCE === 0) await others();
    const begun = /^(?:\{4:)?:(\d\d[A-Z]?):(.*)$/.exec(content);
    if (begun) {
      if (field) yield field;
      field = { tag: begun[1]!, value: begun[2]!.slice(0, MAX_TEXT), line };
    } else if (content.trim() === '') continue;
    else if (/^(?:-(?:\}.*)?|\{[1-5]:.*)$/.test(content.trim()) || (isBetween(field) && HEADER.test(content.trim()))) {
      if (field) yield field;
      field = undefined;
    } else if (field) {
      if (field.value.length < MAX_TEXT) field.value += `\n${content}`;
    } else throw wrongAt(line, `${JSON.stringify(content.slice(0, 40))} is not a field of an MT940 message`);
  }
  if (field) yield field;
}

/** A balance: credit or debit, date, currency, amount. */
function balanceOf({ value, line, tag }: Field): { day: string; currency: string; amount: string } {
  const [, mark, day, currency, digits] = /^([CD])(\d{6})([A-Z]{3})(\d[\d,]*)\s*$/.exec(value) ?? [];
  if (digits === undefined) throw wrongAt(line, `field ${tag} is not a balance: ${JSON.stringify(value.slice(0, 40))}`);
  const amount = decimalAt(line, digits, `the balance of field ${tag}`);
  return {
    day: dateAt(line, `20${day}`, `the date of field ${tag}`),
    currency: currency!,
    amount: mark === 'D' && /[1-9]/.test(amount) ? `-${amount}` : amount,
  };
}

const LINE = /^(\d{6})(\d{4}| {4})?(R?[CD])([A-Z])?(\d[\d,]*)([NFS][A-Z0-9]{3})?([^\n]*)(?:\n([\s\S]*))?$/;

/** A statement line: value date, booking date, mark, amount, kind, references. A booking in January of a value in December is of the next year. */
function transactionOf({ value, line }: Field): StatementTransaction {
  const [, valued, booked, mark, , digits, , references = '', supplement] = LINE.exec(value) ?? [];
  if (valued === undefined) throw wrongAt(line, `field 61 is not a statement line: ${JSON.stringify(value.slice(0, 60))}`);
  const amount = decimalAt(line, digits!, 'the amount of field 61');
  const takenPlaceOn = dateAt(line, valueDate(valued), 'the value date of field 61');
  const [own, ofBank] = references.split('//');
  return {
    id: null,
    amount: (mark === 'D' || mark === 'RC') && /[1-9]/.test(amount) ? `-${amount}` : amount,
    bookedOn: booked === undefined || booked.trim() === '' ? takenPlaceOn : bookedOn(line, takenPlaceOn, booked),
    takenPlaceOn,
    description: supplement?.trim() || null,
    reference: (own?.trim() === 'NONREF' ? '' : own?.trim()) || ofBank?.trim() || null,
    type: null,
    isPending: false,
    line,
  };
}

/** German banks count 30 days of interest for February too: its days 29 and 30 are the last one. */
function valueDate(text: string): string {
  const [year, month, day] = [Number(`20${text.slice(0, 2)}`), text.slice(2, 4), text.slice(4)];
  const isOver = month === '02' && (day === '29' || day === '30');
  return `${year}${month}${isOver ? new Date(Date.UTC(year, 2, 0)).getUTCDate() : day}`;
}

function bookedOn(line: number, valued: string, monthAndDay: string): string {
  const [year, month] = [Number(valued.slice(0, 4)), Number(valued.slice(5, 7))];
  const booked = Number(monthAndDay.slice(0, 2));
  const shift = month === 12 && booked === 1 ? 1 : month === 1 && booked === 12 ? -1 : 0;
  return dateAt(line, `${year + shift}${monthAndDay}`, 'the entry date of field 61');
}

const trimmedLines = (text: string): string[] => text.split('\n').map((line) => line.trim());

/** The text of field 86: its lines, or the texts of the subfields that German banks put into it. */
function wordsOf(value: string): string {
  const joined = value.replaceAll('\n', '');
  if (!/^\d{3}\?\d\d/.test(joined)) return trimmedLines(value).join(' ').trim();
  const parts = joined.split('?').slice(1);
  const texts = (codes: RegExp): string =>
    parts
      .flatMap((part) => (codes.test(part.slice(0, 2)) ? [part.slice(2)] : []))
      .join('')
      .trim();
  return [texts(/^3[23]$/), texts(/^(2\d|6[0-3])$/) || texts(/^00$/)].filter((part) => part !== '').join(' ');
}

/** The statements of an MT940 file; a statement of several messages is checked message by message. */
export async function mt940Statements(text: string): Promise<Statement[]> {
  const statements: Statement[] = [];
  let statement: Statement | undefined;
  let isEnded = true;
  const current = ({ line, tag }: Field): Statement => {
    if (!statement || isEnded) throw wrongAt(line, `field ${tag} is outside a statement`);
    return statement;
  };
  for await (const field of fieldsOf(text)) {
    const { tag, value, line } = field;
    if (tag === '20') {
      if (!isEnded) throw wrongAt(line, 'a message begins before the closing balance of the one before it');
      statement = newStatement(value.trim(), line);
      isEnded = false;
    } else if (tag === '25') current(field).account = value.trim();
    else if (tag === '28C' || tag === '28') current(field).name = value.trim();
    else if (tag === '60F' || tag === '60M') {
      const { currency, amount } = balanceOf(field);
      Object.assign(current(field), { currency, opening: amount });
    } else if (tag === '61') current(field).transactions.push(transactionOf(field));
    else if (tag === '62F' || tag === '62M') {
      const ended = current(field);
      const { day, amount } = balanceOf(field);
      Object.assign(ended, { until: day, closing: amount, closedOn: day });
      if (ended.account === '' || ended.opening === null)
        throw wrongAt(
          line,
          `statement ${ended.name} has no ${ended.account === '' ? 'account (field 25)' : 'opening balance (field 60F)'}`,
        );
      statements.push(ended);
      isEnded = true;
    } else if (tag === '86' && statement && !isEnded) {
      const transaction = statement.transactions.at(-1);
      if (transaction && (transaction.description?.length ?? 0) < MAX_TEXT)
        transaction.description = [transaction.description, wordsOf(value)].filter(Boolean).join(' ') || null;
    }
  }
  if (!isEnded) throw wrongAt(statement!.line, `statement ${statement!.name} has no closing balance`);
  return statements;
}
