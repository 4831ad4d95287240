// Lines of documents: how they are read, and how they are written.
import type { SourceRecord } from '../connector.ts';
import { amount, negated, sum } from '../decimals.ts';
import type { Row, XeroClient } from './client.ts';
import { cannotSay } from './errors.ts';
import { type TrackingRow, trackingOf, trackingRows } from './tracking.ts';
import { given } from './values.ts';

interface LineRow extends Row {
  LineItemID?: string;
  Description?: string;
  Quantity?: string;
  UnitAmount?: string;
  ItemCode?: string;
  Item?: { ItemID?: string };
  AccountCode?: string;
  AccountID?: string;
  TaxType?: string;
  TaxAmount?: string;
  LineAmount?: string;
  DiscountAmount?: string;
  Tracking?: TrackingRow[];
}

const LINE_SENT = [
  'item_id',
  'description',
  'quantity',
  'unit_amount',
  'sub_total',
  'total_amount',
  'account_id',
  'tax_id',
  'tracking_category_ids',
];
const LINE_READ = ['tax_amount', 'is_tax_inclusive'];

/** The declared fields of the lines of a document: those that are read only, and those that are sent too. */
export const lineFields = (takesDiscounts: boolean) => {
  const discount = ['discount_amount'];
  return {
    read: [...LINE_READ, ...(takesDiscounts ? [] : discount)].map((name) => `line_items.${name}`),
    both: [...LINE_SENT, ...(takesDiscounts ? discount : [])].map((name) => `line_items.${name}`),
  };
};
const { read, both } = lineFields(false);
/** Those of the lines of a document that is read only. */
export const allLineFields = [...read, ...both];

/** Whether amounts of lines include tax. */
export const isInclusive = ({ LineAmountTypes: types }: Row): boolean => typeof types === 'string' && types.toUpperCase() === 'INCLUSIVE';

/** The amounts of a line without and with tax. */
export function lineTotals(
  amountOfLine: string | undefined,
  tax: string | undefined,
  withTax: boolean,
): { net: string; gross: string } | undefined {
  if (amountOfLine === undefined) return undefined;
  if (tax === undefined) return { net: amountOfLine, gross: amountOfLine };
  return withTax ? { net: sum(amountOfLine, negated(tax)), gross: amountOfLine } : { net: amountOfLine, gross: sum(amountOfLine, tax) };
}

/** The account of a line. Older lines name it by its code alone. */
export async function accountOf(
  client: XeroClient,
  { AccountID, AccountCode }: Pick<LineRow, 'AccountID' | 'AccountCode'>,
): Promise<string | null> {
  if (AccountID) return AccountID;
  if (!AccountCode) return null;
  const accounts = await client.remembered({ path: 'Accounts' });
  return (accounts.find(({ Code }) => Code === AccountCode)?.AccountID as string | undefined) ?? null;
}

async function itemOf(client: XeroClient, { Item, ItemCode }: LineRow): Promise<string | null> {
  if (Item?.ItemID) return Item.ItemID;
  if (!ItemCode) return null;
  const items = await client.remembered({ path: 'Items' });
  return (items.find(({ Code }) => Code === ItemCode)?.ItemID as string | undefined) ?? null;
}

/** The lines of a document, as children of its record. */
export async function linesOf(client: XeroClient, document: Row): Promise<SourceRecord[]> {
  const withTax = isInclusive(document);
  const lines: SourceRecord[] = [];
  for (const line of (document.LineItems ?? []) as LineRow[]) {
    const totals = lineTotals(line.LineAmount, line.TaxAmount, withTax);
    lines.push({
      platform_id: line.LineItemID ?? null,
      item_id: await itemOf(client, line),
      description: line.Description ?? null,
      quantity: amount(line.Quantity ?? null),
      unit_amount: amount(line.UnitAmount ?? null),
      tax_amount: amount(line.TaxAmount ?? null),
      is_tax_inclusive: withTax,
      discount_amount: amount(line.DiscountAmount ?? null),
      sub_total: amount(totals?.net ?? null),
      total_amount: amount(totals?.gross ?? null),
      account_id: await accountOf(client, line),
      tax_id: line.TaxType || null,
      tracking_category_ids: await trackingOf(client, line.Tracking),
    });
  }
  return lines;
}

/** The code by which a line names an account or item; the id where it has none. */
async function nameOf(client: XeroClient, endpoint: 'Accounts' | 'Items', id: unknown): Promise<string | undefined> {
  const [row] = await client.remembered({ path: `${endpoint}/${id}` });
  return (row?.Code as string | undefined) || undefined;
}

/** The account of a line for Xero. */
export async function accountRow(client: XeroClient, id: unknown): Promise<Row> {
  if (id == null) return {};
  const code = await nameOf(client, 'Accounts', id);
  return code === undefined ? { AccountID: id } : { AccountCode: code };
}

/** The lines of a record for Xero, where it carries them. Xero computes their tax; a line of the source keeps its place. */
export async function lineRows(
  client: XeroClient,
  { line_items, is_tax_inclusive }: SourceRecord,
  base: SourceRecord | undefined,
  takesDiscounts: boolean,
): Promise<Row[] | undefined> {
  if (!Array.isArray(line_items)) return undefined;
  const known = new Set(((base?.line_items ?? []) as SourceRecord[]).map(({ platform_id }) => platform_id));
  const rows: Row[] = [];
  for (const line of line_items as SourceRecord[]) {
    if (!takesDiscounts && Number(line.discount_amount ?? 0) !== 0)
      throw cannotSay('Lines of this document have no discounts in Xero: send the price after the discount');
    // The amount of a line follows from quantity and price; where one of them is open it is given itself.
    const isPriced = line.quantity != null && line.unit_amount != null;
    rows.push(
      given({
        ...(known.has(line.platform_id) ? { LineItemID: line.platform_id } : {}),
        Description: line.description ?? line.name ?? undefined,
        Quantity: line.quantity ?? undefined,
        UnitAmount: line.unit_amount ?? undefined,
        LineAmount: isPriced ? undefined : ((is_tax_inclusive ? line.total_amount : line.sub_total) ?? undefined),
        ...(line.item_id == null ? {} : { ItemCode: await nameOf(client, 'Items', line.item_id) }),
        ...(await accountRow(client, line.account_id)),
        TaxType: line.tax_id ?? undefined,
        Tracking: await trackingRows(client, line.tracking_category_ids),
        DiscountAmount: takesDiscounts ? (line.discount_amount ?? undefined) : undefined,
      }),
    );
  }
  return rows;
}
