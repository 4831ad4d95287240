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
  'Direction of the money of a payment.',
  {
    RECEIVED: 'Received by the company, usually from a customer.',
    MADE: 'Paid by the company, usually to a vendor.',
    UNKNOWN: 'The source does not say.',
  },
  { ACCOUNTS_RECEIVABLE: 'RECEIVED', ACCOUNTS_PAYABLE: 'MADE' },
);

export const AllocationDocument = defineEnum('AllocationDocument', 'Record type that a payment is allocated to.', {
  INVOICE: 'An invoice.',
  BILL: 'A bill.',
  INVOICE_CREDIT_NOTE: 'A credit note on invoices, refunded or used.',
  BILL_CREDIT_NOTE: 'A credit note on bills, refunded or used.',
  EXPENSE: 'An expense.',
  JOURNAL_ENTRY: 'A journal entry.',
  UNKNOWN: 'A type of the source whose records the gateway does not store.',
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
  @amount('Amount for the document, in the currency of the payment.') amount!: number | null;
  @moment('Date and time of the allocation.') allocatedAt!: Date | null;
}

@ledgerRecord({ description: 'A payment that the company received or made.' })
export class Payment extends DocumentRecord {
  @enumeration(PaymentDirection, 'Direction of the money.') direction!: string | null;
  @reference(() => Contact, '`ledgerId` of the paying customer or paid vendor.', 'contact', { nested: true })
  contactId!: number | null;
  contact?: Contact | null;
  @reference(() => Account, '`ledgerId` of the bank or cash account.', 'account') accountId!: number | null;
  account?: Account | null;
  @amount('Amount of the payment, without a sign.', { list: 'indexed' }) totalAmount!: number | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @moment('Date and time of the payment.') transactionDate!: Date | null;
  @key('Reference of the payer or the bank.', { list: 'indexed', search: true }) referenceNumber!: string | null;
  @text('Payment method in free text, such as CASH or CARD.') paymentMode!: string | null;
  @text('Note in free text.', { search: true }) memo!: string | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
  @owned(() => PaymentAllocation, 'Allocations to documents; any remainder is unallocated.', { by: 'paymentId' })
  allocations!: Collection<PaymentAllocation>;
}
