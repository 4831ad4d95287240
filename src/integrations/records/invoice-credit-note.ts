// Credit notes that the company issued on invoices.

import { amount, enumeration, flag, list, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { ExternalId } from '../../records/scalars.ts';
import { currency, documentStates } from '../ledger/enums.ts';
import { LedgerRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';
import { Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { LineItem } from './line-item.ts';

export const InvoiceCreditNoteStatus = defineEnum('InvoiceCreditNoteStatus', 'State of an invoice credit note.', documentStates);

@ledgerRecord({ description: 'A credit note the company issued on invoices.', dataModel: 'Credit notes on invoices.' })
export class InvoiceCreditNote extends LedgerRecord {
  @list(() => ExternalId, 'Ids of the invoices credited, which are not stored here.') invoiceIds!: (string | number)[] | null;
  @reference(() => Contact, '`ledgerId` of the customer.', 'contact', { nested: true }) contactId!: number | null;
  @text('Number printed on the document.', { filter: true }) documentNumber!: string | null;
  @amount('Total with tax.') totalAmount!: number | null;
  @flag('Whether the line amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Discount on the whole document.') totalDiscount!: number | null;
  @amount('Credit not used yet.') remainingCredit!: number | null;
  @amount('Cost of shipping.') shippingAmount!: number | null;
  @moment('Date of the document.') postedDate!: string | null;
  @moment('When the document was issued to the customer.') issuedAt!: string | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  @text('Note.') memo!: string | null;
  @enumeration(InvoiceCreditNoteStatus, 'State.') status!: string | null;
  @moment('When the record last changed in the source system.') updatedAt!: string | null;
  @owned(() => LineItem, 'Lines.') lineItems!: LineItem[];
}
