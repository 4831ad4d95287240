// Accounts, tax rates, currencies and items: what the lines of documents name.
import type { SourceRecord } from '../connector.ts';
import { amount } from '../decimals.ts';
import type { Row } from './client.ts';
import { cannotSay } from './errors.ts';
import { FOUR_DIGITS, isDeleted, quoted, type Stream } from './stream.ts';
import { given, moment, named } from './values.ts';

const categories = { ASSET: 'ASSET', LIABILITY: 'LIABILITY', EQUITY: 'EQUITY', REVENUE: 'INCOME', EXPENSE: 'EXPENSE' };
const states = { ACTIVE: 'ACTIVE', ARCHIVED: 'ARCHIVED' };

interface AccountRow extends Row {
  AccountID: string;
  Code?: string;
  Name?: string;
  Description?: string;
  Type?: string;
  /** What Xero itself uses the account for, such as DEBTORS, CREDITORS or GST; empty for any other. */
  SystemAccount?: string;
  Class?: string;
  Status?: string;
  CurrencyCode?: string;
  UpdatedDateUTC?: string;
}

/** Accounts. A chart of accounts is set up in Xero. */
export const accounts: Stream = {
  dataModel: 'ACCOUNT',
  endpoint: 'Accounts',
  id: 'AccountID',
  pages: 'none',
  reportsChanges: true,
  fields: {
    read: [
      ...[
        'platform_id',
        'nominal_code',
        'name',
        'description',
        'currency_id',
        'status',
        'source_status',
        'category',
        'sub_category',
        'updated_at',
      ],
    ],
  },
  isGone: isDeleted,
  record: (row) => {
    const { AccountID, Code, Name, Description, Type, SystemAccount, Class, Status, CurrencyCode, UpdatedDateUTC } = row as AccountRow;
    return {
      platform_id: AccountID,
      nominal_code: Code || null,
      name: Name ?? null,
      description: Description ?? null,
      currency_id: CurrencyCode || null,
      status: named(states, Status),
      source_status: Status ?? null,
      category: named(categories, Class),
      sub_category: SystemAccount || Type || null,
      updated_at: moment(UpdatedDateUTC),
    };
  },
};

interface TaxRow extends Row {
  Name?: string;
  TaxType: string;
  ReportTaxType?: string;
  Status?: string;
  EffectiveRate?: string;
  DisplayTaxRate?: string;
  TaxComponents?: Row[];
}

/** Tax rates. Xero names them by their type, and has no ids for them. */
export const taxRates: Stream = {
  dataModel: 'TAX_RATE',
  endpoint: 'TaxRates',
  id: 'TaxType',
  pages: 'none',
  reportsChanges: false,
  fields: {
    read: [...['platform_id', 'name', 'code', 'rate', 'tax_type', 'effective_tax_rate', 'total_tax_rate', 'components', 'status']],
  },
  isGone: isDeleted,
  readOne: async (client, id) => (await client.remembered({ path: 'TaxRates' })).find(({ TaxType }) => TaxType === id) ?? null,
  record: (row) => {
    const { Name, TaxType, ReportTaxType, Status, EffectiveRate, DisplayTaxRate, TaxComponents } = row as TaxRow;
    return {
      platform_id: TaxType,
      name: Name ?? null,
      code: TaxType,
      rate: amount(EffectiveRate ?? null),
      tax_type: ReportTaxType ?? null,
      effective_tax_rate: amount(EffectiveRate ?? null),
      total_tax_rate: amount(DisplayTaxRate ?? null),
      components: TaxComponents ?? null,
      status: named(states, Status),
    };
  },
};

/** Currencies of the organisation. */
export const currencies: Stream = {
  dataModel: 'CURRENCY',
  endpoint: 'Currencies',
  id: 'Code',
  pages: 'none',
  reportsChanges: false,
  fields: { read: ['platform_id', 'code', 'name', 'is_base_currency'] },
  readOne: async (client, id) => (await client.remembered({ path: 'Currencies' })).find(({ Code }) => Code === id) ?? null,
  async record({ Code, Description }, client) {
    const [organisation] = await client.remembered({ path: 'Organisation' });
    return { platform_id: Code, code: Code, name: Description ?? null, is_base_currency: Code === organisation?.BaseCurrency };
  },
};

interface ItemDetails extends Row {
  UnitPrice?: string;
}

interface ItemRow extends Row {
  ItemID: string;
  Code: string;
  Name?: string;
  Description?: string;
  IsSold?: boolean;
  IsPurchased?: boolean;
  SalesDetails?: ItemDetails;
  PurchaseDetails?: ItemDetails;
  IsTrackedAsInventory?: boolean;
  QuantityOnHand?: string;
  UpdatedDateUTC?: string;
}

/** Details in the form of Xero, with their price as a number. */
const details = (row: ItemDetails | undefined): Row | null =>
  row ? { ...row, ...(row.UnitPrice === undefined ? {} : { UnitPrice: amount(row.UnitPrice) }) } : null;

/** The details of a record for Xero: what it carries of them, and its price. */
const detailsOf = (value: unknown, price?: unknown): Row | undefined => {
  const own = (value ?? {}) as Row;
  const all = price == null ? own : { ...own, UnitPrice: price };
  return Object.keys(all).length > 0 ? all : undefined;
};

/** Items. Xero names them by a code that each has alone. */
export const items: Stream = {
  dataModel: 'ITEM',
  endpoint: 'Items',
  id: 'ItemID',
  options: FOUR_DIGITS,
  pages: 'none',
  reportsChanges: true,
  fields: {
    read: ['platform_id', 'type', 'status', 'quantity_on_hand', 'updated_at'],
    both: ['name', 'description', 'code', 'price', 'is_bill_item', 'bill_item', 'is_invoice_item', 'invoice_item'],
    // The code of an item that has none itself.
    sent: ['sku'],
  },
  record: (row) => {
    const item = row as ItemRow;
    return {
      platform_id: item.ItemID,
      name: item.Name ?? null,
      description: item.Description ?? null,
      code: item.Code,
      price: amount(item.SalesDetails?.UnitPrice ?? null),
      type: item.IsTrackedAsInventory ? 'INVENTORY' : 'UNKNOWN',
      status: 'ACTIVE',
      quantity_on_hand: amount(item.QuantityOnHand ?? null),
      is_bill_item: item.IsPurchased ?? null,
      bill_item: details(item.PurchaseDetails),
      is_invoice_item: item.IsSold ?? null,
      invoice_item: details(item.SalesDetails),
      updated_at: moment(item.UpdatedDateUTC),
    };
  },
  writes: {
    row: (_client, record) => itemRow(record),
    isChangeable: true,
    removed: null,
    search: (record) => ({ where: `Code==${quoted(codeOf(record))}` }),
    isSame: (row, record) => row.Code === codeOf(record) && (record.name == null || row.Name === record.name),
  },
};

function codeOf({ code, sku }: SourceRecord): string {
  if (code || sku) return String(code ?? sku);
  throw cannotSay('An item needs a code in Xero');
}

const itemRow = (record: SourceRecord): Row =>
  given({
    Code: codeOf(record),
    Name: record.name === null ? '' : record.name,
    Description: record.description === null ? '' : record.description,
    IsSold: record.is_invoice_item ?? undefined,
    IsPurchased: record.is_bill_item ?? undefined,
    SalesDetails: detailsOf(record.invoice_item, record.price),
    PurchaseDetails: detailsOf(record.bill_item),
  });
