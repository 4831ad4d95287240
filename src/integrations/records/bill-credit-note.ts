// Credit notes that vendors issued on bills.

import type { Collection } from '@mikro-orm/core';
import { amount, enumeration, flag, key, moment, reference, text } from '../../records/decorators.ts';
import { currency, DocumentStatus } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord, openList, owned } from '../ledger/ledger-record.ts';
import { Address, Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { Bill } from './invoice-document.ts';
import { LineItem } from './line-item.ts';

@ledgerRecord({ description: 'A credit note that a vendor issued on bills.', dataModel: 'Credit notes on bills.' })
export class BillCreditNote extends DocumentRecord {
  @openList(() => Bill, 'The bills credited') billIds!: (string | number)[] | null;
  @reference(() => Contact, '`ledgerId` of the vendor.', 'contact', { nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @key('Number printed on the document.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @amount('Total including tax.', { list: 'indexed' }) totalAmount!: number | null;
  @flag('Whether line amounts include tax.') isTaxInclusive!: boolean | null;
  @amount('Unused credit.') remainingCredit!: number | null;
  @moment('Date of the document.') postedDate!: Date | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @text('Note in free text.', { search: true }) memo!: string | null;
  @enumeration(DocumentStatus, 'State of the document.') status!: string | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
  @owned(() => LineItem, 'Lines of the document.') lineItems!: Collection<LineItem>;
  @owned(() => Address, 'Postal addresses.') addresses!: Collection<Address>;
}
