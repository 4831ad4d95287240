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
  'What a bank transaction is.',
  {
    CREDIT: 'Money in, of no more particular type.',
    DEBIT: 'Money out, of no more particular type.',
    DEPOSIT: 'Money paid in.',
    TRANSFER: 'Between accounts of the company.',
    PAYMENT: 'A payment by transfer.',
    DIRECT_DEPOSIT: 'Money that another party sent to the account.',
    DIRECT_DEBIT: 'Money that another party collected.',
    REPEATING_PAYMENT: 'A standing order.',
    CHECK: 'A cheque.',
    CARD: 'A card payment.',
    CASH: 'Cash taken out.',
    FEE: 'A fee of the bank.',
    INTEREST: 'Interest.',
    DIVIDEND: 'A dividend.',
    OTHER: 'Something else.',
    UNKNOWN: 'A type of the source that has no counterpart here.',
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

export const BankTransactionStatus = defineEnum('BankTransactionStatus', 'How far a bank transaction is.', {
  PENDING: 'Announced by the bank, and may still change.',
  POSTED: 'On the statement of the account.',
  RECONCILED: 'Matched with the books.',
  VOID: 'Cancelled.',
  UNKNOWN: 'A state of the source that has no counterpart here.',
});

@ledgerRecord({ description: 'A transaction on a bank account or card of the company.' })
export class BankTransaction extends DocumentRecord {
  @reference(() => Account, '`ledgerId` of the bank account or card.', 'account') accountId!: number | null;
  account?: Account | null;
  @amount('Amount: more than 0 for money in, less for money out.', { list: 'indexed' }) amount!: number | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @moment('When the transaction took place.') transactionDate!: Date | null;
  @moment('Date at which the bank booked it.') postedDate!: Date | null;
  @text('Text of the statement.', { search: true }) description!: string | null;
  @key('Number of the cheque, or by which the bank names it.', { list: 'indexed', search: true }) referenceNumber!: string | null;
  @enumeration(BankTransactionType, 'What it is.') type!: string | null;
  @reference(() => Contact, '`ledgerId` of the contact on the other side.', 'contact', { nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @enumeration(BankTransactionStatus, 'How far it is.') status!: string | null;
  @moment('When the record was created in the source system.') createdAt!: Date | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
}
