// Estimates, also called quotes, that the company made.

import { amount, enumeration, flag, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency } from '../ledger/enums.ts';
import { LedgerRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';
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
export class Estimate extends LedgerRecord {
  @reference(() => Contact, '`ledgerId` of the customer.', 'contact', { wrapped: true, nested: true }) contactId!: number | null;
  @text('Number printed on the document.', { filter: true }) documentNumber!: string | null;
  @moment('Date of the document.') postedDate!: string | null;
  @enumeration(EstimateStatus, 'State.') status!: string | null;
  @currency(() => Currency) currencyId!: string | null;
  @amount("Units of the base currency for one unit of the document's currency; more than 0.", { rules: { moreThan: 0 } }) currencyRate!:
    | number
    | null;
  @flag('Whether the line amounts include tax.') isTaxInclusive!: boolean | null;
  @text('Note.') memo!: string | null;
  @moment('When the record was created in the source system.') createdAt!: string | null;
  @moment('When the record last changed in the source system.') updatedAt!: string | null;
  @owned(() => LineItem, 'Lines.') lineItems!: LineItem[];
}
