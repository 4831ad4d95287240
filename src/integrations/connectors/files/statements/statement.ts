// A bank statement of any format: its balances are checked against its transactions, and it becomes records.

import { invalid } from '../../../../records/errors.ts';
import { others } from '../../../../runtime/others.ts';
import type { SourceRecord } from '../../connector.ts';
import { amount, negated, sum } from '../../decimals.ts';

/** Elements or fields that are read, and transactions that are added up, before the process does other work. */
export const AT_ONCE = 1_000;
/** Characters of a text that is read: more is no reference, name or remittance. */
export const MAX_TEXT = 4_000;
/** Elements inside one another: a statement has about twelve. */
export const MAX_DEPTH = 64;
/** Most digits of an amount: a longer number is not an amount, and adding such numbers takes long. */
const MAX_DIGITS = 40;

/** A transaction of a statement. */
export interface StatementTransaction {
  /** What the bank names it by; null where it has no name. */
  id: string | null;
  /** Decimal in text: more than 0 for money in. */
  amount: string;
  /** Dates as YYYY-MM-DD. */
  bookedOn: string | null;
  takenPlaceOn: string | null;
  description: string | null;
  reference: string | null;
  /** A type of OFX; null where the format has no types. */
  type: string | null;
  isPending: boolean;
  /** Where in the file it begins. */
  line: number;
}

/** The statement of an account. */
export interface Statement {
  /** IBAN or account number. */
  account: string;
  /** Its last day, or another text of the bank that later statements of the same number do not have; null where there is none. */
  until: string | null;
  /** ISO 4217 code; null where the statement names none. */
  currency: string | null;
  /** What people call the statement in errors: its number or id. */
  name: string;
  /** Balances in text; null where the format has none. */
  opening: string | null;
  closing: string | null;
  /** The day of the closing balance; null where the statement names none. */
  closedOn: string | null;
  transactions: StatementTransaction[];
  line: number;
}

/** A statement of which only its beginning is known. */
export const newStatement = (name: string, line: number): Statement => ({
  account: '',
  until: null,
  currency: null,
  name,
  opening: null,
  closing: null,
  closedOn: null,
  transactions: [],
  line,
});

/** Throws INVALID_PARAMS for a statement whose booked transactions do not lead from its opening to its closing balance. */
export async function checkBalance({ account, name, opening, closing, transactions, line }: Statement): Promise<void> {
  if (opening === null || closing === null) return;
  const booked = transactions.filter(({ isPending }) => !isPending);
  let reached = opening;
  for (const [at, transaction] of booked.entries()) {
    if ((at + 1) % AT_ONCE === 0) await others();
    reached = sum(reached, transaction.amount);
  }
  if (/[1-9]/.test(sum(reached, negated(closing))))
    throw invalid(
      'file',
      `line ${line}: statement ${name} of account ${account} does not add up: ${opening} and ${booked.length} transactions are ${reached}, and its closing balance is ${closing}`,
      'INVALID_VALUE',
    );
}

const TYPES = /^(CREDIT|DEBIT|INT|DIV|FEE|SRVCHG|DEP|ATM|POS|XFER|CHECK|PAYMENT|CASH|DIRECTDEP|DIRECTDEBIT|REPEATPMT|OTHER)$/;

/** Banks write these for an id that they do not have. */
const PLACEHOLDER = /^(?:NOTPROVIDED|NONREF)$/i;

/** The records of a data model that the statements of a file have, each with its line. */
export function* recordsOf(statements: readonly Statement[], dataModel: string): Generator<{ place: string; record: SourceRecord }> {
  const placed = new Map<string, number>();
  for (const statement of dataModel === 'ACCOUNT' ? latest(statements) : statements) yield* statementRecords(statement, dataModel, placed);
}

/** The statement of each account whose balance is the latest, which is not the last of every file. */
function latest(statements: readonly Statement[]): Iterable<Statement> {
  const found = new Map<string, Statement>();
  for (const statement of statements) {
    const known = found.get(statement.account);
    if (!known || (statement.closing !== null && (statement.closedOn ?? '') >= (known.closedOn ?? '')))
      found.set(statement.account, statement);
  }
  return found.values();
}

/** `placed` counts the transactions of the file by what names statements: some banks give all of them one number. */
function* statementRecords(
  statement: Statement,
  dataModel: string,
  placed: Map<string, number>,
): Generator<{ place: string; record: SourceRecord }> {
  const { account, currency, closing, name, until, transactions } = statement;
  const place = `line ${statement.line}`;
  const shared = currency === null ? {} : { currency_id: currency };
  if (dataModel === 'CURRENCY') {
    if (currency !== null) yield { place, record: { platform_id: currency, code: currency } };
  } else if (dataModel === 'ACCOUNT') {
    const balance = closing === null ? {} : { current_balance: amount(closing) };
    yield { place, record: { platform_id: account, name: account, category: 'ASSET', sub_category: 'BANK', ...shared, ...balance } };
  } else {
    // Ids that two transactions of an account have are no names, so the later ones get a number.
    const met = new Map<string, number>();
    // Banks number their statements from 1 again each year, or not at all.
    const named = until === null ? name : `${name}:${until}`;
    const before = placed.get(`${account}:${named}`) ?? 0;
    placed.set(`${account}:${named}`, before + transactions.length);
    for (const [index, { type, id, ...transaction }] of transactions.entries()) {
      const own = `${account}:${id === null || PLACEHOLDER.test(id) ? `${named}:${before + index + 1}` : id}`;
      const times = (met.get(own) ?? 0) + 1;
      met.set(own, times);
      yield {
        place: `line ${transaction.line}`,
        record: {
          platform_id: times === 1 ? own : `${own}:${times}`,
          account_id: account,
          amount: amount(transaction.amount),
          ...shared,
          transaction_date: transaction.takenPlaceOn ?? transaction.bookedOn,
          posted_date: transaction.bookedOn,
          description: transaction.description,
          reference_number: transaction.reference,
          type: type === null ? (transaction.amount.startsWith('-') ? 'DEBIT' : 'CREDIT') : TYPES.test(type) ? type : 'UNKNOWN',
          status: transaction.isPending ? 'PENDING' : 'POSTED',
        },
      };
    }
  }
}

/** The data models that statements have records of. */
export const STATEMENT_MODELS = ['CURRENCY', 'ACCOUNT', 'BANK_TRANSACTION'];

/** An error at a line of a file, or at another place in it. */
export const wrongAt = (at: number | string, message: string) =>
  invalid('file', `${typeof at === 'number' ? `line ${at}` : at}: ${message}`, 'INVALID_FORMAT');

/** A decimal of a statement, whose sign before the fraction is a point or a comma. */
export function decimalAt(line: number, text: string, what: string): string {
  const plain = text.trim().replace(/^\+/, '').replace(',', '.').replace(/\.$/, '');
  if (plain.length > MAX_DIGITS || !/^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(plain))
    throw wrongAt(line, `${what} is not an amount: ${JSON.stringify(text.slice(0, 40))}`);
  return plain.replace(/^(-?)\./, '$10.');
}

/** A date as YYYY-MM-DD. */
export function dateAt(at: number | string, text: string, what: string): string {
  const found = /^(\d{4})-?(\d\d)-?(\d\d)/.exec(text.trim());
  const date = found ? `${found[1]}-${found[2]}-${found[3]}` : '';
  if (!found || !new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date))
    throw wrongAt(at, `${what} is not a date: ${JSON.stringify(text.slice(0, 40))}`);
  return date;
}
