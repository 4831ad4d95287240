// Invoices and bills: the same document, seen by who issued it and by who has to pay it.

import type { Collection } from '@mikro-orm/core';
import { amount, enumeration, flag, key, list, moment, reference, text } from '../../records/decorators.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { currency, currencyRate, DocumentStatus } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';
import { Address, Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { LineItem } from './line-item.ts';
import { PurchaseOrder } from './purchase-document.ts';

/** The fields that invoices and bills share. */
abstract class InvoiceDocument extends DocumentRecord {
  @key('Number printed on the document.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @moment('Date of the document.') postedDate!: Date | null;
  @moment('Day by which to pay.') dueDate!: Date | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @amount('Total before tax.') subTotal!: number | null;
  @amount("Tax in the record's currency.") taxAmount!: number | null;
  @flag('Whether line amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Discount on the whole document.') totalDiscount!: number | null;
  @amount('Shipping cost.') shippingAmount!: number | null;
  @amount('Total including tax.', { list: 'indexed' }) totalAmount!: number | null;
  @amount('Unpaid amount.', { list: 'indexed' }) amountDue!: number | null;
  @text('Note in free text.', { search: true }) memo!: string | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
}

@ledgerRecord({ description: 'An invoice that the company issued to a customer.' })
export class Invoice extends InvoiceDocument {
  @reference(() => Contact, '`ledgerId` of the customer.', 'contact', { nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @moment('When it was issued to the customer.') issuedAt!: Date | null;
  @enumeration(DocumentStatus, 'State of the document.') status!: string | null;
  @owned(() => LineItem, 'Lines of the document.') lineItems!: Collection<LineItem>;
  @owned(() => Address, 'Postal addresses.') addresses!: Collection<Address>;
}

@ledgerRecord({ description: 'A bill that the company received from a vendor.' })
export class Bill extends InvoiceDocument {
  @reference(() => Contact, '`ledgerId` of the vendor.', 'contact', { nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @list(() => PositiveInt, '`ledgerId`s of the billed purchase orders.', { target: () => PurchaseOrder }) purchaseOrderIds!:
    | number[]
    | null;
  @enumeration(DocumentStatus, 'State of the document.') status!: string | null;
  @owned(() => LineItem, 'Lines of the document.') lineItems!: Collection<LineItem>;
  @owned(() => Address, 'Postal addresses.') addresses!: Collection<Address>;
}
