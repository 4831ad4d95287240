// The reports of a company: profit and loss by month, the balance sheet, and who owes what.
import { useQuery } from '@apollo/client/react';
import type { Changes } from '../shared/address.ts';
import { amountText, dayText, monthText, namesIn } from '../shared/format.ts';
import { Problem } from '../shared/parts.tsx';
import { dayIn, type Figure, figureChanges, figureIn, rowName } from './figures.ts';
import {
  type AgedFragment,
  BalanceSheetDocument,
  OpenAmountsDocument,
  ProfitByMonthDocument,
  type ProfitByMonthQuery,
  type StatementRowFragment,
} from './operations.generated.ts';
import { Postings } from './postings.tsx';
import { ProfitChart } from './profit-chart.tsx';
import { Statement } from './statement.tsx';

export interface ReportProps {
  readonly company: number;
  readonly address: URLSearchParams;
  readonly change: (changes: Changes) => void;
}

/** The postings of the figure that the address opens. */
function OpenFigure(
  props: ReportProps & { days: Pick<Figure, 'from' | 'to'>; currency: string | null; titleOf: (figure: Figure) => string },
) {
  const { company, address, change, days, currency, titleOf } = props;
  const figure = figureIn(address, days);
  if (!figure) return null;
  const page = Math.max(1, Math.trunc(Number(address.get('postings'))) || 1);
  const close = (): void => change(figureChanges(null));
  return <Postings {...{ company, figure, currency, page, change }} title={titleOf(figure)} onClose={close} />;
}

const openRow =
  (change: ReportProps['change']) =>
  ({ accountId, part }: StatementRowFragment): void =>
    change(figureChanges({ account: accountId, part, to: '' }));

/** The name of the row that a figure is of. */
const nameIn = (rows: readonly StatementRowFragment[], { account, part }: Figure): string => {
  const row = rows.find((one) => one.name === null && one.accountId === account && (account !== null || one.part === part));
  return row ? rowName(row) : 'account';
};

type ProfitAndLoss = NonNullable<NonNullable<ProfitByMonthQuery['company']>['profitAndLoss']>;

/** The months of a report, the earliest first, each with the place of its amounts: 0 for the report itself. */
const monthsIn = ({ from, to, netProfit, sections, comparisons }: ProfitAndLoss) =>
  [{ from, to, total: netProfit }, ...comparisons]
    .map((period, place) => {
      const totalOf = (category: string): string => {
        const section = sections.find((one) => one.category === category);
        return (place === 0 ? section?.total : section?.comparisons[place - 1]) ?? '0';
      };
      return { place, from: period.from!, to: period.to, profit: period.total, income: totalOf('INCOME'), expenses: totalOf('EXPENSE') };
    })
    .toReversed();

const isMoved = ({ income, expenses }: { income: string; expenses: string }): boolean => Number(income) !== 0 || Number(expenses) !== 0;

/** First and last day of the month of today. */
function thisMonth(): { from: string; to: string } {
  const now = new Date();
  const day = (month: number, date: number): string => new Date(Date.UTC(now.getUTCFullYear(), month, date)).toISOString().slice(0, 10);
  return { from: day(now.getUTCMonth(), 1), to: day(now.getUTCMonth() + 1, 0) };
}

export function ProfitByMonth({ company, address, change }: ReportProps) {
  const asked = useQuery(ProfitByMonthDocument, { variables: { company, ...thisMonth() } });
  if (asked.error) return <Problem error={asked.error} onRetry={() => void asked.refetch()} />;
  const report = (asked.data ?? asked.previousData)?.company?.profitAndLoss;
  if (!report) return <p className="empty">Reading…</p>;
  const months = monthsIn(report);
  const month = months.find(({ from }) => from.slice(0, 7) === address.get('month')) ?? months.findLast(isMoved) ?? months.at(-1)!;
  const { place, from, to } = month;
  const rows = report.sections.flatMap((section) => section.rows);
  const sections = report.sections.map(({ title, total, comparisons, rows }) => ({
    title,
    total: place === 0 ? total : comparisons[place - 1]!,
    rows: rows
      .map((row) => ({
        row,
        amount: place === 0 ? row.amount : row.comparisons[place - 1]!,
        subtotal: place === 0 ? row.subtotal : row.subtotalComparisons[place - 1]!,
      }))
      .filter(({ amount, subtotal }) => Number(amount) !== 0 || Number(subtotal) !== 0),
  }));
  return (
    <>
      <div className="charts">
        <ProfitChart months={months} currency={report.currency} />
        <section className="panel" aria-labelledby="profit">
          <div className="bar">
            <h2 id="profit">Profit and loss</h2>
            <div className="field">
              <label htmlFor="month">Month</label>
              <select
                id="month"
                value={from.slice(0, 7)}
                onChange={(event) => change({ ...figureChanges(null), month: event.target.value })}
              >
                {months.map((one) => (
                  <option key={one.from} value={one.from.slice(0, 7)}>
                    {monthText(one.from)}
                  </option>
                ))}
              </select>
            </div>
          </div>
          <Statement id="profit" {...{ sections, currency: report.currency, isBusy: asked.loading }} onOpen={openRow(change)} />
          <p className="outcome">
            Net profit <strong>{amountText(month.profit, report.currency)}</strong>
          </p>
        </section>
      </div>
      <OpenFigure
        {...{ company, address, change, days: { from, to }, currency: report.currency }}
        titleOf={(figure) => `${nameIn(rows, figure)}, ${monthText(from)}`}
      />
    </>
  );
}

/** The day of a report, which the reader can change. */
function DayField({ asOf, change }: { asOf: string; change: ReportProps['change'] }) {
  return (
    <div className="field">
      <label htmlFor="as-of">As of</label>
      <input
        id="as-of"
        type="date"
        value={asOf}
        onChange={(event) => event.target.value && change({ ...figureChanges(null), asOf: event.target.value })}
      />
    </div>
  );
}

export function BalanceSheet({ company, address, change }: ReportProps) {
  const asOf = dayIn(address, 'asOf');
  const asked = useQuery(BalanceSheetDocument, { variables: { company, asOf } });
  const report = asked.error ? undefined : (asked.data ?? asked.previousData)?.company?.balanceSheet;
  const currency = report?.currency ?? null;
  const sections = report?.sections.map(({ title, total, rows }) => ({
    title,
    total,
    rows: rows.map((row) => ({ row, amount: row.amount, subtotal: row.subtotal })),
  }));
  return (
    <>
      <section className="panel" aria-labelledby="balance">
        <div className="bar">
          <h2 id="balance">Balance sheet</h2>
          <DayField {...{ asOf, change }} />
        </div>
        {asked.error ? <Problem error={asked.error} onRetry={() => void asked.refetch()} /> : null}
        {report && sections ? (
          <>
            <dl className="tiles">
              {[
                ['Assets', report.totalAssets],
                ['Liabilities', report.totalLiabilities],
                ['Equity', report.totalEquity],
              ].map(([name, amount]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{amountText(amount!, currency)}</dd>
                </div>
              ))}
            </dl>
            <Statement id="balance" {...{ sections, currency, isBusy: asked.loading }} onOpen={openRow(change)} />
          </>
        ) : null}
      </section>
      {report ? (
        <OpenFigure
          {...{ company, address, change, days: { to: asOf }, currency }}
          titleOf={(figure) =>
            `${nameIn(
              report.sections.flatMap(({ rows }) => rows),
              figure,
            )}, until ${dayText(asOf)}`
          }
        />
      ) : null}
    </>
  );
}

const contactsIn = (rows: AgedFragment['rows']) =>
  namesIn(
    rows,
    ({ contact }) => contact?.name ?? 'No contact',
    ({ contact }) => contact?.id ?? '',
  );

function AgedTable(props: {
  id: string;
  title: string;
  none: string;
  report: AgedFragment;
  isBusy: boolean;
  onOpen: (contact: number | null) => void;
}) {
  const { id, title, none, report, isBusy, onOpen } = props;
  const { currency, total, buckets, rows } = report;
  const nameOf = contactsIn(rows);
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 ? (
        <p className="empty">{none}</p>
      ) : (
        <div className="wide">
          <table className="rows" aria-busy={isBusy} aria-labelledby={id}>
            <thead>
              <tr>
                <th scope="col">Contact</th>
                {buckets.map(({ label }) => (
                  <th key={label} scope="col" className="amount">
                    {label}
                  </th>
                ))}
                <th scope="col" className="amount">
                  Total
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const name = nameOf(row);
                return (
                  <tr key={row.contactId}>
                    <th scope="row">{name}</th>
                    {row.buckets.map(({ label, amount }) => (
                      <td key={label} data-label={label} className={Number(amount) === 0 ? 'amount zero' : 'amount'}>
                        {amountText(amount, currency)}
                      </td>
                    ))}
                    <td data-label="Total" className="amount">
                      <button type="button" className="quiet-button" aria-label={`Postings: ${name}`} onClick={() => onOpen(row.contactId)}>
                        {amountText(row.total, currency)}
                      </button>
                    </td>
                  </tr>
                );
              })}
              <tr className="section">
                <th scope="row">All</th>
                {buckets.map(({ label, amount }) => (
                  <td key={label} data-label={label} className={Number(amount) === 0 ? 'amount zero' : 'amount'}>
                    {amountText(amount, currency)}
                  </td>
                ))}
                <td data-label="Total" className="amount">
                  {amountText(total, currency)}
                </td>
              </tr>
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

export function OpenAmounts({ company, address, change }: ReportProps) {
  const asOf = dayIn(address, 'asOf');
  const asked = useQuery(OpenAmountsDocument, { variables: { company, asOf } });
  const { agedReceivables, agedPayables } = (asked.error ? undefined : (asked.data ?? asked.previousData)?.company) ?? {};
  const open = (part: 'RECEIVABLE' | 'PAYABLE') => (contact: number | null) => change(figureChanges({ contact, part, to: asOf }));
  const contacts = [agedReceivables, agedPayables].flatMap((report) => report?.rows ?? []);
  const nameOf = ({ contact }: Figure): string => {
    const row = contacts.find(({ contactId }) => contactId === contact);
    return row ? contactsIn(contacts)(row) : 'No contact';
  };
  return (
    <>
      <div className="bar">
        <DayField {...{ asOf, change }} />
      </div>
      {asked.error ? <Problem error={asked.error} onRetry={() => void asked.refetch()} /> : null}
      {agedReceivables ? (
        <AgedTable
          {...{ id: 'receivables', title: 'Owed by customers', none: 'No customer owes anything.', report: agedReceivables }}
          {...{ isBusy: asked.loading, onOpen: open('RECEIVABLE') }}
        />
      ) : null}
      {agedPayables ? (
        <AgedTable
          {...{ id: 'payables', title: 'Owed to vendors', none: 'Nothing is owed to vendors.', report: agedPayables }}
          {...{ isBusy: asked.loading, onOpen: open('PAYABLE') }}
        />
      ) : null}
      {agedReceivables ? (
        <OpenFigure
          {...{ company, address, change, days: { to: asOf }, currency: agedReceivables.currency }}
          titleOf={(figure) => `${nameOf(figure)}, until ${dayText(asOf)}`}
        />
      ) : null}
    </>
  );
}
