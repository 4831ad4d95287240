// Credit notes that the company issued on invoices.

import type { Collection } from '@mikro-orm/core';
import { amount, enumeration, flag, key, moment, reference, text } from '../../records/decorators.ts';
import { currency, DocumentStatus } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord, openList, owned } from '../ledger/ledger-record.ts';
import { Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { Invoice } from './invoice-document.ts';
import { LineItem } from './line-item.ts';

@ledgerRecord({ description: 'A credit note that the company issued on invoices.', dataModel: 'Credit notes on invoices.' })
export class InvoiceCreditNote extends DocumentRecord {
  @openList(() => Invoice, 'The invoices credited') invoiceIds!: (string | number)[] | null;
  @reference(() => Contact, '`ledgerId` of the customer.', 'contact', { nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @key('Number printed on the document.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @amount('Total including tax.', { list: 'indexed' }) totalAmount!: number | null;
  @flag('Whether line amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Discount on the whole document.') totalDiscount!: number | null;
  @amount('Unused credit.') remainingCredit!: number | null;
  @amount('Shipping cost.') shippingAmount!: number | null;
  @moment('Date of the document.') postedDate!: Date | null;
  @moment('When it was issued to the customer.') issuedAt!: Date | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @text('Note in free text.', { search: true }) memo!: string | null;
  @enumeration(DocumentStatus, 'State of the document.') status!: string | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
  @owned(() => LineItem, 'Lines of the document.') lineItems!: Collection<LineItem>;
}
