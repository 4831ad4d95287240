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
    DRAFT: 'Draft, not sent yet.',
    SUBMITTED: 'Sent, without a response yet.',
    ACCEPTED: 'Accepted by the customer.',
    REJECTED: 'Rejected by the customer.',
    EXPIRED: 'No longer valid.',
    CONVERTED: 'Converted into an order or invoice.',
    VOID: 'Cancelled; it has no effect.',
    UNKNOWN: 'A state of the source without an equivalent.',
  },
  { SENT: 'SUBMITTED', PENDING: 'SUBMITTED', DECLINED: 'REJECTED', INVOICED: 'CONVERTED', CLOSED: 'CONVERTED' },
);

@ledgerRecord({ description: 'An estimate that the company sent to a customer.' })
export class Estimate extends DocumentRecord {
  @reference(() => Contact, '`ledgerId` of the customer.', 'contact', { wrapped: true, nested: true }) contactId!: number | null;
  contact?: Contact | null;
  @key('Number printed on the document.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @moment('Date of the document.') postedDate!: Date | null;
  @enumeration(EstimateStatus, 'State of the document.') status!: string | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @flag('Whether line amounts include tax.') isTaxInclusive!: boolean | null;
  @text('Note in free text.', { search: true }) memo!: string | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
  @owned(() => LineItem, 'Lines of the document.') lineItems!: Collection<LineItem>;
}
