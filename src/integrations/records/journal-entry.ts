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
  'Whether a journal entry is posted to the books.',
  {
    DRAFT: 'Being written.',
    POSTED: 'Posted to the books.',
    VOID: 'Cancelled.',
    UNKNOWN: 'A state of the source that has no counterpart here.',
  },
  { UNPOSTED: 'DRAFT', VOIDED: 'VOID' },
);

@ledgerRecord({ description: 'A journal entry. Its lines balance: the debits are as much as the credits.', plural: 'journalEntries' })
export class JournalEntry extends DocumentRecord {
  @key('Number of the entry in the journal.', { list: 'indexed', search: true }) documentNumber!: string | null;
  @moment('Date at which it is posted.') transactionDate!: Date | null;
  @currency(() => Currency, { nested: true }) currencyId!: string | null;
  currency?: Currency | null;
  @currencyRate currencyRate!: number | null;
  @text('Note.', { search: true }) memo!: string | null;
  @enumeration(JournalEntryStatus, 'Whether it is posted.') status!: string | null;
  @moment('When the record was created in the source system.') createdAt!: Date | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
  // A line alone would leave the entry out of balance, so its lines change together.
  @owned(
    () => LineItem,
    'Lines, each with its account: `totalAmount` is more than 0 for a debit and less for a credit, and adds up to 0.',
    {
      whole: true,
    },
  )
  lineItems!: Collection<LineItem>;
}
