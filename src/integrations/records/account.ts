// Accounts of a company's chart of accounts.

import { amount, enumeration, key, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency } from '../ledger/enums.ts';
import { ledgerRecord, SourcedRecord } from '../ledger/ledger-record.ts';
import { Currency } from './currency.ts';

export const AccountStatus = defineEnum(
  'AccountStatus',
  'Whether an account is in use.',
  { ACTIVE: 'In use.', ARCHIVED: 'No longer in use.', UNKNOWN: 'A state of the source that has no counterpart here.' },
  { INACTIVE: 'ARCHIVED', PENDING: 'UNKNOWN' },
);

export const AccountCategory = defineEnum(
  'AccountCategory',
  'Which part of the books an account belongs to.',
  {
    ASSET: 'What the company owns.',
    LIABILITY: 'What the company owes.',
    EQUITY: 'What belongs to the owners.',
    INCOME: 'What the company earns.',
    EXPENSE: 'What the company spends.',
    UNKNOWN: 'A category of the source that has no counterpart here.',
  },
  { REVENUE: 'INCOME', COST_OF_SALES: 'EXPENSE', COST_OF_GOODS_SOLD: 'EXPENSE' },
);

@ledgerRecord({ description: "An account of a company's chart of accounts." })
export class Account extends SourcedRecord {
  @key('Code in the chart of accounts.', { list: 'indexed', search: true }) nominalCode!: string | null;
  @text('Name.', { list: 'indexed', search: true }) name!: string | null;
  @text('Description.') description!: string | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @amount("Balance, in the account's currency.", { list: 'indexed' }) currentBalance!: number | null;
  @enumeration(AccountStatus, 'Whether the account is in use.') status!: string | null;
  @enumeration(AccountCategory, 'Part of the books.') category!: string | null;
  @text('Finer category in free text, such as BANK or ACCOUNTS_PAYABLE.') subCategory!: string | null;
  @reference(() => Account, '`ledgerId` of the account above this one.', 'parentAccount', {
    inverse: 'subAccounts',
  })
  parentAccountId!: number | null;
  parentAccount?: Account | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
}
