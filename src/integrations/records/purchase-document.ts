// Purchase orders and goods receipt notes: the same fields, but other references and states.

import { amount, enumeration, flag, list, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { ExternalId, PositiveInt } from '../../records/scalars.ts';
import { currency, documentStates } from '../ledger/enums.ts';
import { LedgerRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';
import { Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { LineItem } from './line-item.ts';

export const PurchaseOrderStatus = defineEnum('PurchaseOrderStatus', 'State of a purchase order.', {
  ...documentStates,
  AUTHORIZED: 'Approved for ordering.',
  BILLED: 'The bill was received.',
  CLOSED: 'Nothing more is expected.',
});

export const GoodsReceiptNoteStatus = defineEnum('GoodsReceiptNoteStatus', 'State of a goods receipt note.', {
  ...documentStates,
  RECEIVED: 'The goods were received.',
  REJECTED: 'The goods were sent back.',
  CLOSED: 'Nothing more is expected.',
});

/** The fields that purchase orders and goods receipt notes share. */
abstract class PurchaseDocument extends LedgerRecord {
  @text('Description.') description!: string | null;
  @text('Number printed on the document.', { filter: true }) documentNumber!: string | null;
  @moment('Date of the document.') postedDate!: string | null;
  @moment('Date of delivery.') deliveryDate!: string | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  @amount("Units of the base currency for one unit of the document's currency; more than 0.", { rules: { moreThan: 0 } }) currencyRate!:
    | number
    | null;
  @amount('Total before tax.') subTotal!: number | null;
  @amount('Tax.') taxAmount!: number | null;
  @flag('Whether the line amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Discount on the whole document.') totalDiscount!: number | null;
  @amount('Total with tax.') totalAmount!: number | null;
  @text('How it is paid, in free text: CASH, CHECK, CARD, BANK_TRANSFER or other.') paymentMode!: string | null;
  @reference(() => Contact, '`ledgerId` of the vendor.', 'contact', { nested: true }) contactId!: number | null;
  @moment('When the record last changed in the source system.') updatedAt!: string | null;
}

@ledgerRecord({ description: 'An order the company placed with a vendor.' })
export class PurchaseOrder extends PurchaseDocument {
  @list(() => ExternalId, 'Ids of the bills for it, which are not stored here.') billIds!: (string | number)[] | null;
  @enumeration(PurchaseOrderStatus, 'State.') status!: string | null;
  @owned(() => LineItem, 'Lines.') lineItems!: LineItem[];
}

@ledgerRecord({ description: 'A note of goods received from a vendor.' })
export class GoodsReceiptNote extends PurchaseDocument {
  @list(() => PositiveInt, '`ledgerId`s of the purchase orders the goods belong to.', { target: () => PurchaseOrder }) purchaseOrderIds!:
    | number[]
    | null;
  @enumeration(GoodsReceiptNoteStatus, 'State.') status!: string | null;
  @owned(() => LineItem, 'Lines.') lineItems!: LineItem[];
}
