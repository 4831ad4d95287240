// The trial balance of Xero: a table of cells, whose rows name their accounts in attributes.
import { isPlainObject } from '../../../records/checked.ts';
import type { SourceBalance, SourceBalances } from '../connector.ts';
import { difference } from '../decimals.ts';
import type { Row, XeroClient } from './client.ts';
import { unreadable } from './errors.ts';

interface Cell {
  Value?: string;
  Attributes?: { Id?: string; Value?: string }[] | null;
}

interface ReportRow {
  RowType?: string;
  Cells?: Cell[];
  Rows?: ReportRow[];
}

/** The columns of balances; those before them have the movements of the month. */
const DEBIT = 'YTD Debit';
const CREDIT = 'YTD Credit';

/** Rows with those of all sections. */
const flat = (rows: readonly ReportRow[]): ReportRow[] => rows.flatMap((row) => [row, ...flat(row.Rows ?? [])]);

/** An empty cell is 0. */
const amountOf = (cell: Cell | undefined): string => cell?.Value || '0';

/** First day of the fiscal year of a day, from the day and month that a year ends with. */
function yearOf(asOf: string, { FinancialYearEndDay: day, FinancialYearEndMonth: month }: Row): string {
  const year = Number(asOf.slice(0, 4));
  // Xero writes 31 for the last day of any month.
  const after = (of: number): string => {
    const last = new Date(Date.UTC(of, Number(month), 0)).getUTCDate();
    return new Date(Date.UTC(of, Number(month) - 1, Math.min(Number(day), last) + 1)).toISOString().slice(0, 10);
  };
  const found = [after(year), after(year - 1), after(year - 2)].find((first) => first <= asOf);
  if (found === undefined) throw unreadable();
  return found;
}

/** The balances at the end of a day. Xero starts income and expenses again at 0 in each fiscal year, and has those of earlier ones in retained earnings. */
export async function trialBalance(client: XeroClient, asOf: string): Promise<SourceBalances> {
  const [organisation] = await client.remembered({ path: 'Organisation' });
  const { rows: reports } = await client.rows({
    path: 'Reports/TrialBalance',
    query: { date: asOf },
  });
  const table = reports[0]?.Rows;
  if (!organisation || !Array.isArray(table) || !table.every(isPlainObject)) throw unreadable();
  const rows = flat(table as ReportRow[]);
  const titles = rows.find(({ RowType }) => RowType === 'Header')?.Cells?.map(({ Value }) => Value) ?? [];
  const [debit, credit] = [titles.indexOf(DEBIT), titles.indexOf(CREDIT)];
  if (debit === -1 || credit === -1) throw unreadable();
  const balanceOf = ({ Cells: cells = [] }: ReportRow): SourceBalance => {
    const accountId = cells[0]?.Attributes?.find(({ Id }) => Id === 'account')?.Value;
    if (!accountId) throw unreadable();
    const balance = difference(amountOf(cells[debit]), amountOf(cells[credit]));
    return { accountId, name: cells[0]?.Value ?? null, balance };
  };
  return {
    currency: typeof organisation.BaseCurrency === 'string' ? organisation.BaseCurrency : null,
    incomeSince: yearOf(asOf, organisation),
    rows: rows.filter(({ RowType }) => RowType === 'Row').map(balanceOf),
  };
}
