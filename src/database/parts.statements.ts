// Statements that store rows, of several tables where the engine takes that.
import { arrayLiteral, type Element } from './array-literal.ts';
import { engineOf } from './engine/engine.ts';
import { type EntityManager, executeIn } from './open.ts';

/** A part of a statement: its SQL, with the parameter that `bound` returns in place of each value. */
export type Part = (bound: (value: unknown) => string) => string;

/** Runs the parts in their order; none may rely on what another one stores. */
export async function executeParts(em: EntityManager, parts: readonly Part[]): Promise<void> {
  for (const together of engineOf(em).together(parts)) {
    const values: unknown[] = [];
    const texts = together.map((part) => part((value) => `$${values.push(value)}`));
    const last = texts.pop()!;
    const others = texts.map((text, index) => `part${index} as (${text})`).join(', ');
    await executeIn(em, others ? `with ${others} ${last}` : last, values);
  }
}

/** A column of new rows: the same SQL or value for all, or a value of each. */
export interface NewColumn<R> {
  column: string;
  type: string;
  sql?: string;
  all?: Element;
  /** The SQL that is made of the value for all. */
  as?: (value: string) => string;
  each?: (row: R) => Element;
}

export interface NewRows<R> {
  table: string;
  rows: readonly R[];
  columns: readonly NewColumn<R>[];
  /** What follows the rows: what a conflict does. */
  rest?: string;
}

/** Inserts rows. PostgreSQL reads many of them soonest from one array for each column. */
export function newRows<R>(em: EntityManager, { table, rows, columns, rest = '' }: NewRows<R>): Part {
  return (bound) => {
    const shared = columns.map(
      ({ sql, all, as = (value) => value, type }) => sql ?? (all === undefined ? undefined : as(`${bound(all)}::${type}`)),
    );
    const listed = (of: (column: NewColumn<R>) => string): string => columns.map((column, index) => shared[index] ?? of(column)).join(', ');
    const into = `insert into "${table}" (${columns.map(({ column }) => column).join(', ')})`;
    const own = columns.filter(({ each }) => each);
    if (own.length === 0 || engineOf(em).newRows === 'values')
      return `${into} values ${rows.map((row) => `(${listed(({ each, type }) => `${bound(each!(row))}::${type}`)})`).join(', ')} ${rest}`;
    // In the list of a select each array is read as it is needed. In its `from`, all are first copied.
    const arrays = own.map(({ column, each, type }) => `unnest(${bound(arrayLiteral(rows, each!))}::text::${type}[]) as ${column}`);
    return `${into} select ${listed(({ column }) => `r.${column}`)} from (select ${arrays.join(', ')}) r ${rest}`;
  };
}
