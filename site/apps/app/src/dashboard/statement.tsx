// A statement: the sections of a report with their accounts in the hierarchy. Each figure opens its postings.
import { amountText, namesIn } from '../shared/format.ts';
import { rowName } from './figures.ts';
import type { StatementRowFragment } from './operations.generated.ts';

/** A row with the amounts that are shown of it. */
export interface ShownRow {
  readonly row: StatementRowFragment;
  readonly amount: string;
  readonly subtotal: string;
}

export interface ShownSection {
  readonly title: string;
  readonly total: string;
  readonly rows: readonly ShownRow[];
}

/** Steps by which rows are indented; deeper accounts stay at the last one, so that amounts have room. */
const MAX_INDENT = 4;

export function Statement({
  id,
  sections,
  currency,
  isBusy,
  onOpen,
}: {
  id: string;
  sections: readonly ShownSection[];
  currency: string | null;
  isBusy: boolean;
  onOpen: (row: StatementRowFragment) => void;
}) {
  const nameOf = namesIn(
    sections.flatMap(({ rows }) => rows.map(({ row }) => row)),
    rowName,
    ({ account }) => account?.id ?? '',
  );
  return (
    <div className="wide">
      <table className="numbers statement" aria-busy={isBusy} aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">With sub-accounts</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        {sections.map((section) => (
          <tbody key={section.title}>
            <tr className="section">
              <th scope="rowgroup" colSpan={2}>
                {section.title}
              </th>
              <td>{amountText(section.total, currency)}</td>
            </tr>
            {section.rows.map(({ row, amount, subtotal }) => {
              const name = nameOf(row);
              return (
                <tr key={`${row.accountId} ${row.part} ${row.name}`}>
                  <th scope="row" className={`level-${Math.min(row.level, MAX_INDENT)}`}>
                    {name}
                  </th>
                  <td>{subtotal === amount ? '' : amountText(subtotal, currency)}</td>
                  <td>
                    {row.name === null && Number(amount) !== 0 ? (
                      <button type="button" className="quiet-button" aria-label={`Postings: ${name}`} onClick={() => onOpen(row)}>
                        {amountText(amount, currency)}
                      </button>
                    ) : (
                      amountText(amount, currency)
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        ))}
      </table>
    </div>
  );
}
