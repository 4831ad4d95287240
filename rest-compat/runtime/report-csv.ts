// Reports as CSV: a line for each row, with the columns that the route names.
import { csvLine } from '../../src/platform/shared/csv-safety.ts';

/** The media type of CSV, as RFC 4180 names it. */
export const CSV = 'text/csv';

type Cell = string | number | null;

/** A report or a row of one, as REST shows it. */
type Shown = Record<string, unknown>;

/** A column of the file: its name, and its cell in a row. */
interface Column {
  name: string;
  cellOf(row: Shown): Cell;
}

/** What each period adds to a row. */
const periodNames = { comparisons: '', subtotal_comparisons: 'subtotal ' } as const;

/** The columns of a name in a route: one for most of them, and one for each bucket or compared period. */
function columnsOf(name: string, report: Shown): Column[] {
  const { comparisons = [], buckets = [] } = report as { comparisons?: { to: string }[]; buckets?: { label: string }[] };
  switch (name) {
    case 'name':
      // A row of an account or contact has its name, and a computed row its own.
      return [{ name, cellOf: (row) => (row.name ?? ((row.account ?? row.contact) as Shown | null)?.name ?? null) as Cell }];
    case 'nominal_code':
      return [{ name, cellOf: ({ account }) => ((account as Shown | null)?.nominal_code ?? null) as Cell }];
    case 'buckets':
      return buckets.map(({ label }, index) => ({ name: label, cellOf: (row) => (row.buckets as { amount: number }[])[index]!.amount }));
    case 'comparisons':
    case 'subtotal_comparisons':
      return comparisons.map(({ to }, index) => ({ name: periodNames[name] + to, cellOf: (row) => (row[name] as number[])[index]! }));
    default:
      return [{ name, cellOf: (row) => row[name] as Cell }];
  }
}

/** A report as CSV. The rows of sections have the title of theirs. */
export function reportCsv(names: readonly string[], report: Shown): string {
  const { rows, sections = [] } = report as { rows?: Shown[]; sections?: { title: string; rows: Shown[] }[] };
  const all = rows ?? sections.flatMap(({ title, rows }) => rows.map((row) => ({ section: title, ...row })));
  const columns = names.flatMap((name) => columnsOf(name, report));
  return [columns.map(({ name }) => name), ...all.map((row) => columns.map(({ cellOf }) => cellOf(row) ?? ''))].map(csvLine).join('');
}
