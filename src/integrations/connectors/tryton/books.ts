// Accounts, taxes and currencies. They are pulled only: a chart of accounts and its taxes are set up in Tryton.
import { GatewayError } from '../../../records/errors.ts';
import type { SourceBalances, SourceRecord } from '../connector.ts';
import { amount, difference, quotient, sum } from '../decimals.ts';
import type { Row, TrytonClient } from './client.ts';
import type { Stream } from './stream.ts';
import { isOfSeveral, ratesWith, TAXED_LINES, taxesOf } from './tax-sets.ts';
import { date, idOf, latest, stampMoment } from './values.ts';

interface AccountRow extends Row {
  name: string;
  code: string | null;
  note: string | null;
  balance: string;
  closed: boolean;
  active: boolean;
  parent: number | null;
  'currency.': { code: string } | null;
  'type.': AccountType | null;
}

interface AccountType {
  name: string;
  statement: string | null;
  assets: boolean;
  payable: boolean;
  debt: boolean;
  revenue: boolean;
  expense: boolean;
}

/** Tryton distinguishes equity from other liabilities only by the names of their types. */
function categoryOf(type: AccountType | null): string {
  if (type?.revenue) return 'INCOME';
  if (type?.expense) return 'EXPENSE';
  if (type?.assets) return 'ASSET';
  return type?.payable || type?.debt ? 'LIABILITY' : 'UNKNOWN';
}

const ACCOUNT_FIELDS = ['name', 'code', 'note', 'balance', 'closed', 'active', 'parent', 'currency.code'];
const TYPE_FIELDS = ['name', 'statement', 'assets', 'payable', 'debt', 'revenue', 'expense'].map((name) => `type.${name}`);

const accountRecord = (row: AccountRow): SourceRecord => ({
  platform_id: String(row.id),
  nominal_code: row.code,
  name: row.name,
  description: row.note,
  currency_id: row['currency.']?.code ?? null,
  current_balance: amount(row.balance),
  status: row.closed || !row.active ? 'ARCHIVED' : 'ACTIVE',
  category: categoryOf(row['type.']),
  sub_category: row['type.']?.name ?? null,
  parent_account_id: idOf(row.parent),
  updated_at: stampMoment(row._timestamp),
});

/** Accounts. */
export const accounts: Stream = {
  dataModel: 'ACCOUNT',
  model: 'account.account',
  domain: (company) => [['company', '=', company]],
  // A posting changes the balance.
  parts: [{ model: 'account.move.line', field: 'account' }],
  fields: {
    read: [
      ...['platform_id', 'nominal_code', 'name', 'description', 'currency_id', 'current_balance', 'status', 'category', 'sub_category'],
      ...['parent_account_id', 'updated_at'],
    ],
  },
  async read(client, ids) {
    const rows = await client.rowsOf<AccountRow>('account.account', ids, [...ACCOUNT_FIELDS, ...TYPE_FIELDS]);
    return [...rows.values()].map(accountRecord);
  },
};

interface TaxRow extends Row {
  name: string;
  description: string;
  type: string;
  rate: string | null;
  amount: string | null;
  update_unit_price: boolean;
  active: boolean;
  parent: number | null;
  create_date: string;
  'group.': { name: string; code: string } | null;
}

const TAX_FIELDS = [
  ...['name', 'description', 'type', 'rate', 'amount', 'update_unit_price', 'active', 'parent', 'create_date'],
  ...['group.name', 'group.code'],
];

const componentOf = ({ id, name, type, rate, amount }: TaxRow): SourceRecord => ({ id: String(id), name, type, rate, amount });

const taxRows = (client: TrytonClient, ids: readonly number[]): Promise<Map<number, TaxRow>> =>
  client.rowsOf<TaxRow>('account.tax', ids, TAX_FIELDS);

/** The rate of lines with several taxes. It has a sum where each of them is a share of the price of the line alone. */
function rateOfSeveral(platformId: string, rows: readonly TaxRow[]): SourceRecord {
  const isSum = rows.every(({ type, update_unit_price }) => type === 'percentage' && !update_unit_price);
  const rate = isSum ? amount(rows.map((row) => row.rate ?? '0').reduce(sum)) : null;
  return {
    platform_id: platformId,
    name: rows.map(({ name }) => name).join(' + '),
    rate,
    total_tax_rate: rate,
    components: rows.map(componentOf),
    status: rows.every(({ active }) => active) ? 'ACTIVE' : 'ARCHIVED',
    created_at: rows
      .map(({ create_date }) => create_date)
      .toSorted()
      .at(-1)!,
    updated_at: stampMoment(latest(rows.map(({ _timestamp }) => _timestamp))),
  };
}

/** The rates with these ids of several taxes, without those that Tryton does not have. */
async function ratesOfSeveral(client: TrytonClient, platformIds: readonly string[]): Promise<SourceRecord[]> {
  const rows = await taxRows(client, platformIds.flatMap(taxesOf));
  return platformIds.flatMap((id): SourceRecord[] => {
    const own = taxesOf(id).flatMap((tax) => rows.get(tax) ?? []);
    return own.length === taxesOf(id).length ? [rateOfSeveral(id, own)] : [];
  });
}

/** Taxes, with the taxes below them as components, and the rates of the lines that have several. */
export const taxRates: Stream = {
  dataModel: 'TAX_RATE',
  model: 'account.tax',
  domain: (company) => [['company', '=', company]],
  parts: [{ model: 'account.tax', field: 'parent' }, ...TAXED_LINES],
  fields: {
    read: ['platform_id', 'name', 'code', 'rate', 'total_tax_rate', 'tax_type', 'components', 'status', 'created_at', 'updated_at'],
  },
  async read(client, ids) {
    const rows = await taxRows(client, ids);
    const below = await client.rowsBy<TaxRow>('account.tax', 'parent', [...rows.keys()], TAX_FIELDS);
    const records = [...rows.values()].map((row) => ({
      platform_id: String(row.id),
      name: row.name,
      code: row['group.']?.code ?? null,
      rate: amount(row.rate),
      tax_type: row['group.']?.name ?? null,
      components: below.get(row.id)?.map(componentOf) ?? null,
      status: row.active ? 'ACTIVE' : 'ARCHIVED',
      created_at: row.create_date,
      updated_at: stampMoment(row._timestamp),
    }));
    return [...records, ...(await ratesOfSeveral(client, await ratesWith(client, [...rows.keys()])))];
  },
  async readNamed(client, platformId) {
    return isOfSeveral(platformId) ? ((await ratesOfSeveral(client, [platformId]))[0] ?? null) : null;
  },
};

interface CurrencyRow extends Row {
  name: string;
  code: string;
  symbol: string | null;
  rate: string | null;
}

/** The row of the currency that the company keeps its books in. */
async function baseCurrency(client: TrytonClient): Promise<CurrencyRow | undefined> {
  const companies = await client.rowsOf<Row & { currency: number }>('company.company', [await client.company()], ['currency']);
  const ids = [...companies.values()].map(({ currency }) => currency);
  return (await client.rowsOf<CurrencyRow>('currency.currency', ids, ['code', 'rate'])).values().next().value;
}

interface BalanceRow extends Row {
  name: string;
  debit: string;
  credit: string;
}

/**
 * What Tryton computes of each account until a day: the sums of its posted lines, of all fiscal years. The date of the context would be one
 * fiscal year, to which only some reports add the earlier ones.
 */
export async function trialBalance(client: TrytonClient, asOf: string): Promise<SourceBalances> {
  const domain = accounts.domain(await client.company());
  const context = { posted: true, to_date: date(asOf) };
  const rows = await client.rows<BalanceRow>(accounts.model, { domain, fields: ['name', 'debit', 'credit'], context });
  if (!Array.isArray(rows)) throw new GatewayError('PLATFORM_ERROR', 'Tryton did not return rows');
  return {
    currency: (await baseCurrency(client))?.code ?? null,
    incomeSince: null,
    rows: rows.map(({ id, name, debit, credit }) => ({ accountId: String(id), name, balance: difference(debit, credit) })),
  };
}

/** Currencies, with the rate of today. */
export const currencies: Stream = {
  dataModel: 'CURRENCY',
  model: 'currency.currency',
  domain: () => [],
  parts: [{ model: 'currency.currency.rate', field: 'currency' }],
  fields: { read: ['platform_id', 'name', 'code', 'symbol', 'is_base_currency', 'exchange_rate', 'updated_at'] },
  async read(client, ids) {
    const base = await baseCurrency(client);
    const rows = await client.rowsOf<CurrencyRow>('currency.currency', ids, ['name', 'code', 'symbol', 'rate']);
    return [...rows.values()].map((row) => ({
      platform_id: String(row.id),
      name: row.name,
      code: row.code,
      symbol: row.symbol,
      is_base_currency: row.id === base?.id,
      // Tryton writes units of each currency for one of a common one.
      exchange_rate: base?.rate && Number(row.rate) > 0 ? amount(quotient(base.rate, row.rate!)) : null,
      updated_at: stampMoment(row._timestamp),
    }));
  },
};
