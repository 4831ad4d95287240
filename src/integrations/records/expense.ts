// Expenses: purchases that the company paid at once, without a bill.

import type { Collection } from '@mikro-orm/core';
import { amount, flag, key, moment, reference, text } from '../../records/decorators.ts';
import { currency, currencyRate } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';
import { Account } from './account.ts';
import { Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { LineItem } from './line-item.ts';

@ledgerRecord({ description: 'A purchase the company paid at once, without a bill.' })
export class Expense extends DocumentRecord {
  @key('Number of the receipt.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @reference(() => Account, '`ledgerId` of the account it was paid from.', 'account') accountId!: number | null;
  account?: Account | null;
  @reference(() => Contact, '`ledgerId` of the vendor or employee who was paid.', 'contact', { nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @moment('When it was paid.') transactionDate!: Date | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @amount('Total before tax.') subTotal!: number | null;
  @amount('Tax.') taxAmount!: number | null;
  @flag('Whether the line amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Total with tax.', { list: 'indexed' }) totalAmount!: number | null;
  @text('How it was paid, in free text: CASH, CHECK, CARD, BANK_TRANSFER or other.') paymentMode!: string | null;
  @text('Note.', { search: true }) memo!: string | null;
  @moment('When the record was created in the source system.') createdAt!: Date | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
  @owned(() => LineItem, 'Lines, each with the account it is posted to.') lineItems!: Collection<LineItem>;
}
