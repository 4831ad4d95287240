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

/** What each compared period and each column of a breakdown adds to a row. */
const prefixes = { comparisons: '', subtotal_comparisons: 'subtotal ', breakdown: '', subtotal_breakdown: 'subtotal ' } as const;

/** A column of a breakdown, as REST shows it. */
interface Part {
  contact_id: number | null;
  contact: { name: string | null } | null;
  tracking_category_ids: string[];
}

/** The name of a column of a breakdown. Contacts may have one name, so it has their number. */
function partName({ contact_id: id, contact, tracking_category_ids: categories }: Part): string {
  if (id !== null) return `${contact?.name ?? 'Contact'} (${id})`;
  return categories.length > 0 ? `Tracking ${categories.join(', ')}` : 'Not assigned';
}

/** The columns of a name in a route: one for most of them, and one for each bucket, compared period or part of a breakdown. */
function columnsOf(name: string, report: Shown): Column[] {
  const {
    comparisons = [],
    breakdown = [],
    buckets = [],
  } = report as {
    comparisons?: { to: string }[];
    breakdown?: Part[];
    buckets?: { label: string }[];
  };
  const amountsIn = (own: keyof typeof prefixes, titles: readonly string[]): Column[] =>
    titles.map((title, index) => ({ name: prefixes[own] + title, cellOf: (row) => (row[own] as number[])[index]! }));
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
      return amountsIn(
        name,
        comparisons.map(({ to }) => to),
      );
    case 'breakdown':
    case 'subtotal_breakdown':
      return amountsIn(name, breakdown.map(partName));
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
