// Expenses: purchases that the company paid at once, without a bill.

import type { Collection } from '@mikro-orm/core';
import { amount, flag, key, moment, reference, text } from '../../records/decorators.ts';
import { currency, currencyRate } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';
import { Account } from './account.ts';
import { Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { LineItem } from './line-item.ts';

@ledgerRecord({ description: 'A purchase that the company paid immediately, without a bill.' })
export class Expense extends DocumentRecord {
  @key('Number of the receipt.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @reference(() => Account, '`ledgerId` of the account that paid it.', 'account') accountId!: number | null;
  account?: Account | null;
  @reference(() => Contact, '`ledgerId` of the paid vendor or employee.', 'contact', { nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @moment('Date and time of the payment.') transactionDate!: Date | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @amount('Total before tax.') subTotal!: number | null;
  @amount("Tax in the record's currency.") taxAmount!: number | null;
  @flag('Whether line amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Total including tax.', { list: 'indexed' }) totalAmount!: number | null;
  @text('Payment method in free text, such as CASH or CARD.') paymentMode!: string | null;
  @text('Note in free text.', { search: true }) memo!: string | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
  @owned(() => LineItem, 'Lines, each with the account it is posted to.') lineItems!: Collection<LineItem>;
}
