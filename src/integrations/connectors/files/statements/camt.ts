// Reads camt.053 statements (ISO 20022), of any version.
import type { SaxesTagNS } from 'saxes';
import { negated } from '../../decimals.ts';
import { dateAt, decimalAt, MAX_TEXT, newStatement, type Statement, type StatementTransaction, wrongAt } from './statement.ts';
import { readXml, type XmlReader } from './xml.ts';

/** The texts of an entry, balance or account by the path below it: `Amt`, `Bal/Tp/CdOrPrtry/Cd`. */
type Texts = Map<string, string[]>;

const first = (texts: Texts, ...paths: string[]): string | undefined => {
  for (const path of paths) {
    const [text] = texts.get(path) ?? [];
    if (text !== undefined) return text;
  }
  return undefined;
};

/** The statements of a camt.053 file. */
export async function camtStatements(text: string): Promise<Statement[]> {
  const reader = new CamtReader();
  await readXml(text, reader);
  return reader.statements;
}

/** The elements whose texts are collected together. */
const COLLECTED = new Set(['Acct', 'Bal', 'Ntry']);

class CamtReader implements XmlReader {
  readonly statements: Statement[] = [];
  readonly #path: string[] = [];
  #statement: Statement | undefined;
  #collected: { name: string; depth: number; line: number; texts: Texts } | undefined;
  #text = '';
  /** Which page of the message or statement follows; null for the first. */
  #page: string | null = null;

  opened({ local: name, attributes }: SaxesTagNS, line: number): void {
    this.#path.push(name);
    this.#text = '';
    if (name === 'Stmt' && !this.#statement) this.#statement = newStatement(`at line ${line}`, line);
    else if (this.#statement && !this.#collected && COLLECTED.has(name) && this.#path.at(-2) === 'Stmt')
      this.#collected = { name, depth: this.#path.length, line, texts: new Map() };
    const currency = attributes.Ccy?.value;
    if (currency !== undefined && this.#collected) this.#note(`${this.#place()}@Ccy`, currency);
  }

  text(text: string): void {
    if (this.#text.length < MAX_TEXT) this.#text += text;
  }

  closed({ local: name }: SaxesTagNS): void {
    const text = this.#text.trim();
    this.#text = '';
    const collected = this.#collected;
    if (collected && this.#path.length > collected.depth) {
      if (text !== '') this.#note(this.#place(), text);
    } else if (collected) {
      this.#collected = undefined;
      this.#take(collected);
    } else if (this.#statement && this.#path.at(-2) === 'Stmt' && name === 'Id' && text !== '') this.#statement.name = text;
    else if (name === 'PgNb' && /^(?:Msg|Stmt)Pgntn$/.test(this.#path.at(-2) ?? '')) this.#page = text === '1' ? null : text;
    this.#path.pop();
    if (name !== 'Stmt' || !this.#statement) return;
    const statement = this.#statement;
    this.#statement = undefined;
    if (this.#page !== null) statement.name += `/${this.#page}`;
    if (statement.account === '') throw wrongAt(statement.line, `statement ${statement.name} names no account`);
    for (const [what, balance] of [
      ['opening', statement.opening],
      ['closing', statement.closing],
    ] as const)
      if (balance === null) throw wrongAt(statement.line, `statement ${statement.name} has no ${what} balance`);
    this.statements.push(statement);
  }

  #place(): string {
    return this.#path.slice(this.#collected!.depth).join('/');
  }

  #note(place: string, text: string): void {
    const { texts } = this.#collected!;
    const known = texts.get(place);
    if (known) known.push(text);
    else texts.set(place, [text]);
  }

  #take({ name, line, texts }: { name: string; line: number; texts: Texts }): void {
    const statement = this.#statement!;
    if (name === 'Acct') {
      statement.account = first(texts, 'Id/IBAN', 'Id/Othr/Id') ?? '';
      statement.currency = first(texts, 'Ccy') ?? null;
    } else if (name === 'Bal') this.#takeBalance(line, texts, statement);
    else statement.transactions.push(transactionOf(line, texts));
  }

  #takeBalance(line: number, texts: Texts, statement: Statement): void {
    const code = first(texts, 'Tp/CdOrPrtry/Cd');
    const isOpening = code === 'OPBD' || code === 'PRCD';
    if (!isOpening && code !== 'CLBD') return;
    // Pages of a statement have intermediate balances of the same codes.
    const amount = signedAt(line, texts);
    statement.currency ??= first(texts, 'Amt@Ccy') ?? null;
    if (isOpening) {
      statement.opening ??= amount;
      return;
    }
    const day = first(texts, 'Dt/Dt', 'Dt/DtTm');
    const until = day === undefined ? null : dateAt(line, day, 'Dt');
    Object.assign(statement, { until, closing: amount, closedOn: until });
  }
}

function signedAt(line: number, texts: Texts): string {
  const text = first(texts, 'Amt');
  const mark = first(texts, 'CdtDbtInd');
  if (text === undefined || (mark !== 'CRDT' && mark !== 'DBIT'))
    throw wrongAt(line, text === undefined ? 'an amount (Amt) is missing' : 'CdtDbtInd must be CRDT or DBIT');
  const amount = decimalAt(line, text, 'Amt');
  return mark === 'DBIT' && /[1-9]/.test(amount) ? negated(amount) : amount;
}

function transactionOf(line: number, texts: Texts): StatementTransaction {
  const isIn = first(texts, 'CdtDbtInd') === 'CRDT';
  const details = 'NtryDtls/TxDtls';
  const date = (name: string): string | null => {
    const text = first(texts, `${name}/Dt`, `${name}/DtTm`);
    return text === undefined ? null : dateAt(line, text, name);
  };
  const party = isIn ? 'Dbtr' : 'Cdtr';
  const words = [
    ...(texts.get(`${details}/RltdPties/${party}/Nm`) ?? texts.get(`${details}/RltdPties/${party}/Pty/Nm`) ?? []),
    ...(texts.get(`${details}/RmtInf/Ustrd`) ?? []),
  ];
  const reference = first(texts, `${details}/RmtInf/Strd/CdtrRefInf/Ref`, `${details}/Refs/EndToEndId`, 'NtryRef');
  return {
    id: first(texts, 'AcctSvcrRef', `${details}/Refs/AcctSvcrRef`) ?? null,
    amount: signedAt(line, texts),
    bookedOn: date('BookgDt'),
    takenPlaceOn: date('ValDt'),
    description: words.join(' ') || first(texts, 'AddtlNtryInf', `${details}/AddtlTxInf`) || null,
    reference: reference === 'NOTPROVIDED' ? null : (reference ?? null),
    type: null,
    isPending: (first(texts, 'Sts', 'Sts/Cd') ?? 'BOOK') !== 'BOOK',
    line,
  };
}
