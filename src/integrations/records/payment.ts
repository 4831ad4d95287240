// Payments to and from the company, and what they pay.

import type { Collection } from '@mikro-orm/core';
import { amount, enumeration, key, moment, reference, text, typedReference } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency, currencyRate } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord, OwnedRecord, owned } from '../ledger/ledger-record.ts';
import { Account } from './account.ts';
import { Contact } from './contact.ts';
import { Currency } from './currency.ts';

export const PaymentDirection = defineEnum(
  'PaymentDirection',
  'Which way the money of a payment goes.',
  {
    RECEIVED: 'To the company, usually from a customer.',
    MADE: 'From the company, usually to a vendor.',
    UNKNOWN: 'The source does not say.',
  },
  { ACCOUNTS_RECEIVABLE: 'RECEIVED', ACCOUNTS_PAYABLE: 'MADE' },
);

export const AllocationDocument = defineEnum('AllocationDocument', 'Record type that a part of a payment is allocated to.', {
  INVOICE: 'An invoice.',
  BILL: 'A bill.',
  INVOICE_CREDIT_NOTE: 'A credit note on invoices, paid back or used.',
  BILL_CREDIT_NOTE: 'A credit note on bills, paid back or used.',
  EXPENSE: 'An expense.',
  JOURNAL_ENTRY: 'A journal entry.',
  UNKNOWN: 'A type of the source that has no counterpart here; its records are not stored here.',
});

@ledgerRecord({
  description: 'The part of a payment that pays one document, or uses one credit note.',
  parent: 'paymentId',
  dataModel: 'Parts of payments by the documents they pay.',
})
export class PaymentAllocation extends OwnedRecord {
  // The payment has its allocations as children, under `allocations`.
  @reference(() => Payment, '`ledgerId` of the payment.', 'payment', { inverse: false }) paymentId!: number | null;
  payment?: Payment | null;
  @enumeration(AllocationDocument, 'Record type of the document.', { list: 'scanned' }) documentType!: string | null;
  @typedReference('documentType', '`ledgerId` of the document, of the type `documentType` names.', 'document')
  documentId!: number | null;
  @amount('Amount of the payment that goes to the document, in the currency of the payment.') amount!: number | null;
  @moment('When it was allocated.') allocatedAt!: Date | null;
}

@ledgerRecord({ description: 'A payment that the company received or made.' })
export class Payment extends DocumentRecord {
  @enumeration(PaymentDirection, 'Which way the money goes.') direction!: string | null;
  @reference(() => Contact, '`ledgerId` of the customer who paid or the vendor who was paid.', 'contact', { nested: true })
  contactId!: number | null;
  contact?: Contact | null;
  @reference(() => Account, '`ledgerId` of the account the money came to or went from.', 'account') accountId!: number | null;
  account?: Account | null;
  @amount('Amount of the payment, whichever way it goes.', { list: 'indexed' }) totalAmount!: number | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @moment('When it was paid.') transactionDate!: Date | null;
  @key('Number by which the payer or the bank names it.', { list: 'indexed', search: true }) referenceNumber!: string | null;
  @text('How it was paid, in free text: CASH, CHECK, CARD, BANK_TRANSFER or other.') paymentMode!: string | null;
  @text('Note.', { search: true }) memo!: string | null;
  @moment('When the record was created in the source system.') createdAt!: Date | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
  @owned(() => PaymentAllocation, 'What it pays. The rest of it, if any, is not allocated yet.', { by: 'paymentId' })
  allocations!: Collection<PaymentAllocation>;
}
