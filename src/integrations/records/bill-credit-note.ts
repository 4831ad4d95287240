// Credit notes that vendors issued on bills.

import { amount, enumeration, flag, list, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { ExternalId } from '../../records/scalars.ts';
import { currency, documentStates } from '../ledger/enums.ts';
import { LedgerRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';
import { Address, Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { LineItem } from './line-item.ts';

export const BillCreditNoteStatus = defineEnum('BillCreditNoteStatus', 'State of a bill credit note.', documentStates);

@ledgerRecord({ description: 'A credit note a vendor issued on bills.', dataModel: 'Credit notes on bills.' })
export class BillCreditNote extends LedgerRecord {
  @list(() => ExternalId, 'Ids of the bills credited, which are not stored here.') billIds!: (string | number)[] | null;
  @reference(() => Contact, '`ledgerId` of the vendor.', 'contact', { nested: true }) contactId!: number | null;
  @text('Number printed on the document.', { filter: true }) documentNumber!: string | null;
  @amount('Total with tax.') totalAmount!: number | null;
  @flag('Whether the line amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Credit not used yet.') remainingCredit!: number | null;
  @moment('Date of the document.') postedDate!: string | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  @text('Note.') memo!: string | null;
  @enumeration(BillCreditNoteStatus, 'State.') status!: string | null;
  @moment('When the record last changed in the source system.') updatedAt!: string | null;
  @owned(() => LineItem, 'Lines.') lineItems!: LineItem[];
  @owned(() => Address, 'Postal addresses.') addresses!: Address[];
}
