// Estimates, also called quotes, that the company made.

import type { Collection } from '@mikro-orm/core';
import { enumeration, flag, key, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency, currencyRate } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';
import { Contact } from './contact.ts';
import { Currency } from './currency.ts';
import { LineItem } from './line-item.ts';

export const EstimateStatus = defineEnum(
  'EstimateStatus',
  'State of an estimate.',
  {
    DRAFT: 'Being written.',
    SUBMITTED: 'Sent, not answered.',
    ACCEPTED: 'Accepted by the customer.',
    REJECTED: 'Refused by the customer.',
    EXPIRED: 'No longer valid.',
    CONVERTED: 'Turned into an order or invoice.',
    VOID: 'Cancelled.',
    UNKNOWN: 'A state of the source that has no counterpart here.',
  },
  { SENT: 'SUBMITTED', PENDING: 'SUBMITTED', DECLINED: 'REJECTED', INVOICED: 'CONVERTED', CLOSED: 'CONVERTED' },
);

@ledgerRecord({ description: 'An estimate the company made.' })
export class Estimate extends DocumentRecord {
  @reference(() => Contact, '`ledgerId` of the customer.', 'contact', { wrapped: true, nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @key('Number printed on the document.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @moment('Date of the document.') postedDate!: Date | null;
  @enumeration(EstimateStatus, 'State.') status!: string | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @flag('Whether the line amounts include tax.') isTaxInclusive!: boolean | null;
  @text('Note.', { search: true }) memo!: string | null;
  @moment('When the record was created in the source system.') createdAt!: Date | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
  @owned(() => LineItem, 'Lines.') lineItems!: Collection<LineItem>;
}
