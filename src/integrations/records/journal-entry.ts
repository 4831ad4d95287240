// Journal entries: postings to accounts that balance.

import type { Collection } from '@mikro-orm/core';
import { enumeration, key, moment, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency, currencyRate } from '../ledger/enums.ts';
import { DocumentRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';
import { Currency } from './currency.ts';
import { LineItem } from './line-item.ts';

export const JournalEntryStatus = defineEnum(
  'JournalEntryStatus',
  'Posting state of a journal entry.',
  {
    DRAFT: 'Draft, not sent yet.',
    POSTED: 'Posted to the books.',
    VOID: 'Cancelled; it has no effect.',
    UNKNOWN: 'A state of the source without an equivalent.',
  },
  { UNPOSTED: 'DRAFT', VOIDED: 'VOID' },
);

@ledgerRecord({ description: 'A journal entry. Its lines balance: debits equal credits.', plural: 'journalEntries' })
export class JournalEntry extends DocumentRecord {
  @key('Number of the entry in the journal.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @moment('Posting date.') transactionDate!: Date | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @text('Note in free text.', { search: true }) memo!: string | null;
  @enumeration(JournalEntryStatus, 'Posting state of the entry.') status!: string | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
  // A line alone would leave the entry out of balance, so its lines change together.
  @owned(() => LineItem, 'Lines with an account each; `totalAmount` is positive for debits, negative for credits, and adds up to 0.', {
    whole: true,
  })
  lineItems!: Collection<LineItem>;
}
