// Reads camt.053 statements (ISO 20022), of any version.
import { setImmediate as others } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import type { GatewayError } from '../../../../records/errors.ts';
import { negated } from '../../decimals.ts';
import { dateAt, decimalAt, MAX_DEPTH, MAX_TEXT, type Statement, type StatementTransaction, wrongAt } from './statement.ts';

/** Characters that are parsed before the process does other work. */
const PIECE = 65_536;
/** Attributes of an element: those of a document name a few schemas. */
const MAX_ATTRIBUTES = 64;

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
  for (let start = 0; start < text.length; start += PIECE) {
    reader.write(text.slice(start, start + PIECE));
    await others();
  }
  reader.close();
  return reader.statements;
}

/** The elements whose texts are collected together. */
const COLLECTED = new Set(['Acct', 'Bal', 'Ntry']);

class CamtReader {
  readonly statements: Statement[] = [];
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #path: string[] = [];
  #statement: Statement | undefined;
  #collected: { name: string; depth: number; line: number; texts: Texts } | undefined;
  #text = '';
  #attributes = 0;
  #failure: GatewayError | undefined;

  constructor() {
    const parser = this.#parser;
    parser.on('error', (error) => {
      this.#failure ??= wrongAt(parser.line, `the file is not well-formed XML: ${error.message.replace(/^\d+:\d+: /, '').slice(0, 200)}`);
    });
    parser.on('doctype', () => {
      this.#failure ??= wrongAt(parser.line, 'the file has a document type, which a statement does not have');
    });
    // Thrown at once: what a parser does for each depends on how many there are.
    parser.on('opentagstart', () => {
      this.#attributes = 0;
      if (this.#path.length === MAX_DEPTH) throw wrongAt(parser.line, 'the file is nested too deep for a statement');
    });
    parser.on('attribute', () => {
      if (++this.#attributes > MAX_ATTRIBUTES) throw wrongAt(parser.line, 'an element has too many attributes for a statement');
    });
    parser.on('opentag', ({ local, attributes }) => this.#opened(local, attributes.Ccy?.value));
    parser.on('text', (text) => {
      if (this.#text.length < MAX_TEXT) this.#text += text;
    });
    parser.on('closetag', ({ local }) => this.#closed(local));
  }

  write(piece: string): void {
    this.#parser.write(piece);
    if (this.#failure) throw this.#failure;
  }

  close(): void {
    this.#parser.close();
    if (this.#failure) throw this.#failure;
  }

  #opened(name: string, currency: string | undefined): void {
    this.#path.push(name);
    if (this.#failure) return;
    this.#text = '';
    const { line } = this.#parser;
    if (name === 'Stmt' && !this.#statement)
      this.#statement = { account: '', currency: null, name: `at line ${line}`, opening: null, closing: null, transactions: [], line };
    else if (this.#statement && !this.#collected && COLLECTED.has(name) && this.#path.at(-2) === 'Stmt')
      this.#collected = { name, depth: this.#path.length, line, texts: new Map() };
    if (currency !== undefined && this.#collected) this.#note(`${this.#place()}@Ccy`, currency);
  }

  #closed(name: string): void {
    const text = this.#text.trim();
    this.#text = '';
    const collected = this.#collected;
    if (collected && this.#path.length > collected.depth) {
      if (text !== '') this.#note(this.#place(), text);
    } else if (collected) {
      this.#collected = undefined;
      this.#guarded(() => this.#take(collected));
    } else if (this.#statement && this.#path.at(-2) === 'Stmt' && name === 'Id' && text !== '') this.#statement.name = text;
    this.#path.pop();
    if (name !== 'Stmt' || !this.#statement) return;
    const statement = this.#statement;
    this.#statement = undefined;
    this.#guarded(() => {
      if (statement.account === '') throw wrongAt(statement.line, `statement ${statement.name} names no account`);
      for (const [what, balance] of [
        ['opening', statement.opening],
        ['closing', statement.closing],
      ] as const)
        if (balance === null) throw wrongAt(statement.line, `statement ${statement.name} has no ${what} balance`);
      this.statements.push(statement);
    });
  }

  /** Keeps the error of a handler: the parser must not be left in the middle. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failure ??= error as GatewayError;
    }
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
    if (!isOpening) statement.closing = amount;
    else statement.opening ??= amount;
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
