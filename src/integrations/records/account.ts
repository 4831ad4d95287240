// Accounts of a company's chart of accounts.

import { amount, enumeration, key, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency, UsageStatus } from '../ledger/enums.ts';
import { ledgerRecord, SourcedRecord } from '../ledger/ledger-record.ts';
import { Currency } from './currency.ts';

export const AccountCategory = defineEnum(
  'AccountCategory',
  'Main category of an account.',
  {
    ASSET: 'Assets: what the company owns.',
    LIABILITY: 'Liabilities: what the company owes.',
    EQUITY: 'Equity: what belongs to the owners.',
    INCOME: 'Income: what the company earns.',
    EXPENSE: 'Expenses: what the company spends.',
    UNKNOWN: 'A category of the source without an equivalent.',
  },
  { REVENUE: 'INCOME', COST_OF_SALES: 'EXPENSE', COST_OF_GOODS_SOLD: 'EXPENSE' },
);

@ledgerRecord({ description: "An account of a company's chart of accounts." })
export class Account extends SourcedRecord {
  @key('Code in the chart of accounts.', { list: 'indexed', search: true }) nominalCode!: string | null;
  @text('Display name.', { list: 'indexed', search: true }) name!: string | null;
  @text('Description in free text.') description!: string | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @amount('Balance in the currency of the account.', { list: 'indexed' }) currentBalance!: number | null;
  @enumeration(UsageStatus, 'Whether the account is in use.') status!: string | null;
  @enumeration(AccountCategory, 'Main category of the account.') category!: string | null;
  @text('Finer category in free text, such as BANK or ACCOUNTS_PAYABLE.') subCategory!: string | null;
  @reference(() => Account, '`ledgerId` of the parent account.', 'parentAccount', {
    inverse: 'subAccounts',
  })
  parentAccountId!: number | null;
  parentAccount?: Account | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
}
