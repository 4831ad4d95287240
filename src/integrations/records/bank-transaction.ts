// Transactions on the company's bank accounts and cards, as the bank states them.
import { amount, enumeration, key, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord } from '../ledger/ledger-record.ts';
import { Account } from './account.ts';
import { Contact } from './contact.ts';
import { Currency } from './currency.ts';

/** The types are those of OFX 2.3 (`TRNTYPE`), which bank feeds and accounting systems share; its short names are aliases. */
export const BankTransactionType = defineEnum(
  'BankTransactionType',
  'Kind of a bank transaction.',
  {
    CREDIT: 'Other money in.',
    DEBIT: 'Other money out.',
    DEPOSIT: 'Money put into the account.',
    TRANSFER: 'Transfer between accounts of the company.',
    PAYMENT: 'A payment by transfer.',
    DIRECT_DEPOSIT: 'Direct deposit by another party.',
    DIRECT_DEBIT: 'Direct debit by another party.',
    REPEATING_PAYMENT: 'A standing order.',
    CHECK: 'A cheque.',
    CARD: 'A card payment.',
    CASH: 'Cash withdrawal.',
    FEE: 'Charge of the bank.',
    INTEREST: 'Interest paid or received.',
    DIVIDEND: 'Share of a profit.',
    OTHER: 'Any other use.',
    UNKNOWN: 'A type of the source without an equivalent.',
  },
  {
    DEP: 'DEPOSIT',
    XFER: 'TRANSFER',
    DIRECTDEP: 'DIRECT_DEPOSIT',
    DIRECTDEBIT: 'DIRECT_DEBIT',
    REPEATPMT: 'REPEATING_PAYMENT',
    POS: 'CARD',
    ATM: 'CASH',
    SRVCHG: 'FEE',
    INT: 'INTEREST',
    DIV: 'DIVIDEND',
  },
);

export const BankTransactionStatus = defineEnum('BankTransactionStatus', 'Progress of a bank transaction.', {
  PENDING: 'Pending at the bank; may still change.',
  POSTED: 'Booked on the statement.',
  RECONCILED: 'Matched with the books.',
  VOID: 'Cancelled; it has no effect.',
  UNKNOWN: 'A state of the source without an equivalent.',
});

@ledgerRecord({ description: 'A transaction on a bank account or card of the company.' })
export class BankTransaction extends DocumentRecord {
  @reference(() => Account, '`ledgerId` of the bank account or card.', 'account') accountId!: number | null;
  account?: Account | null;
  @amount('Amount; positive for money in, negative for money out.', { list: 'indexed' }) amount!: number | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @moment('Date and time of the transaction.') transactionDate!: Date | null;
  @moment('Date of the booking by the bank.') postedDate!: Date | null;
  @text('Text on the bank statement.', { search: true }) description!: string | null;
  @key('Cheque number or bank reference.', { list: 'indexed', search: true }) referenceNumber!: string | null;
  @enumeration(BankTransactionType, 'Kind of transaction.') type!: string | null;
  @reference(() => Contact, '`ledgerId` of the counterparty.', 'contact', { nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @enumeration(BankTransactionStatus, 'Progress of the transaction.') status!: string | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
}
