// Purchase orders and goods receipt notes: the same fields, but other references and states.

import type { Collection } from '@mikro-orm/core';
import { amount, enumeration, flag, key, list, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { currency, currencyRate, documentStates } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord, openList, owned, recordOf } from '../ledger/ledger-record.ts';
import { Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { LineItem } from './line-item.ts';

export const PurchaseOrderStatus = defineEnum('PurchaseOrderStatus', 'State of a purchase order.', {
  ...documentStates,
  AUTHORIZED: 'Approved for ordering.',
  BILLED: 'The bill was received.',
  CLOSED: 'Closed: nothing more is expected.',
});

export const GoodsReceiptNoteStatus = defineEnum('GoodsReceiptNoteStatus', 'State of a goods receipt note.', {
  ...documentStates,
  RECEIVED: 'Goods received.',
  REJECTED: 'Goods returned.',
  CLOSED: 'Closed: nothing more is expected.',
});

/** The fields that purchase orders and goods receipt notes share. */
abstract class PurchaseDocument extends DocumentRecord {
  @text('Description in free text.') description!: string | null;
  @key('Number printed on the document.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @moment('Date of the document.') postedDate!: Date | null;
  @moment('Day of the delivery.') deliveryDate!: Date | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @amount('Total before tax.') subTotal!: number | null;
  @amount("Tax in the record's currency.") taxAmount!: number | null;
  @flag('Whether line amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Discount on the whole document.') totalDiscount!: number | null;
  @amount('Total including tax.', { list: 'indexed' }) totalAmount!: number | null;
  @text('Payment method in free text, such as CASH or CARD.') paymentMode!: string | null;
  @reference(() => Contact, '`ledgerId` of the vendor.', 'contact', { nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
}

@ledgerRecord({ description: 'An order that the company placed with a vendor.' })
export class PurchaseOrder extends PurchaseDocument {
  // Bills name purchase orders too, so their module cannot be imported here.
  @openList(() => recordOf('BILL')!, 'The bills of the order', true) billIds!: (string | number)[] | null;
  @enumeration(PurchaseOrderStatus, 'State of the document.') status!: string | null;
  @owned(() => LineItem, 'Lines of the document.') lineItems!: Collection<LineItem>;
}

@ledgerRecord({ description: 'A note of goods received from a vendor.' })
export class GoodsReceiptNote extends PurchaseDocument {
  @list(() => PositiveInt, '`ledgerId`s of the purchase orders of the goods.', { target: () => PurchaseOrder }) purchaseOrderIds!:
    | number[]
    | null;
  @enumeration(GoodsReceiptNoteStatus, 'State of the document.') status!: string | null;
  @owned(() => LineItem, 'Lines of the document.') lineItems!: Collection<LineItem>;
}
