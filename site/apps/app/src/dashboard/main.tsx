// The accounting dashboard: invoices by month and status with their table, kept up to date by a subscription, and the reports of a company.
import { HttpLink } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useRef, useState } from 'react';
import { useAddress } from '../shared/address.ts';
import { ENDPOINT, gatewayClient } from '../shared/client.ts';
import { namesIn } from '../shared/format.ts';
import { liveLink, useFollow, useReadAgain } from '../shared/live.ts';
import { LiveMark, Problem } from '../shared/parts.tsx';
import { type ScreenProps, start } from '../shared/start.tsx';
import { Charts } from './charts.tsx';
import { figureChanges } from './figures.ts';
import { DashboardDocument, type DashboardQuery, InvoiceChangesDocument } from './operations.generated.ts';
import { BalanceSheet, OpenAmounts, ProfitByMonth, type ReportProps } from './reports.tsx';
import { InvoiceTable } from './table.tsx';
import { currenciesOf, totalsOf } from './totals.ts';
import { variablesOf, viewOf } from './view.ts';

type Company = NonNullable<DashboardQuery['companies']>['nodes'][number];

/** The reports by the names that addresses have for them. */
const reports: Record<string, { title: string; Report: (props: ReportProps) => React.ReactNode }> = {
  profit: { title: 'Profit and loss', Report: ProfitByMonth },
  balance: { title: 'Balance sheet', Report: BalanceSheet },
  owed: { title: 'Who owes what', Report: OpenAmounts },
};

/** How long a row that has changed is highlighted. */
const MARK_MS = 4_000;

/** The ids of the invoices that changed just now. A change is in the cache when it is heard; totals and the page are read again. */
function useChanges(company: Company | undefined, read: () => Promise<unknown>): ReadonlySet<string> {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const readAgain = useReadAgain(read);
  useFollow(InvoiceChangesDocument, company ? { company: company.ledgerId } : null, ({ recordChanged: { nodeId } }) => {
    readAgain();
    setChanged((known) => new Set([...known, nodeId]));
    setTimeout(() => setChanged((known) => new Set([...known].filter((other) => other !== nodeId))), MARK_MS);
  });
  return changed;
}

function Dashboard({ onOtherKey }: ScreenProps) {
  const client = useApolloClient();
  const [address, change] = useAddress();
  const view = viewOf(address);
  // The first response holds the page that the address names; later pages are asked for alone, by the table.
  const firstView = useRef(view);
  if (firstView.current.company !== view.company) firstView.current = view;
  const first = useQuery(DashboardDocument, { variables: variablesOf(firstView.current) });
  const company = (first.data ?? first.previousData)?.companies?.nodes[0];
  const read = useCallback(
    () =>
      client.query({
        query: DashboardDocument,
        variables: variablesOf(viewOf(new URLSearchParams(location.search))),
        fetchPolicy: 'network-only',
      }),
    [client],
  );
  const changed = useChanges(company, read);

  if (first.error && !company) return <Problem error={first.error} onRetry={() => void first.refetch()} onOtherKey={onOtherKey} />;
  if (first.data && !company) return <p className="empty">This key reads no company.</p>;
  const byStatus = company?.byStatus ? totalsOf(company.byStatus) : [];
  const byMonth = company?.byMonth ? totalsOf(company.byMonth) : [];
  const currencies = currenciesOf(byStatus);
  const currency = currencies.find((other) => other === address.get('currency')) ?? currencies[0] ?? null;
  const shown = address.get('show') ?? '';
  const report = Object.hasOwn(reports, shown) ? reports[shown] : undefined;
  const companies = first.data?.viewer?.companies ?? [];
  const companyName = namesIn(
    companies,
    ({ name }) => name ?? 'Unnamed',
    ({ id }) => id,
  );
  const parts = [['', 'Invoices'] as const, ...Object.entries(reports).map(([name, { title }]) => [name, title] as const)];
  return (
    <>
      <div className="bar">
        <div className="field">
          <label htmlFor="company">Company</label>
          <select
            id="company"
            value={company?.ledgerId ?? ''}
            onChange={(event) => change({ ...figureChanges(null), company: event.target.value, page: null, currency: null })}
          >
            {companies.map((one) => (
              <option key={one.id} value={one.ledgerId}>
                {companyName(one)}
              </option>
            ))}
          </select>
        </div>
        {!report && currencies.length > 1 ? (
          <div className="field">
            <label htmlFor="currency">Currency</label>
            <select id="currency" value={currency ?? ''} onChange={(event) => change({ currency: event.target.value })}>
              {currencies.map((other) => (
                <option key={other} value={other ?? ''}>
                  {other ?? 'None'}
                </option>
              ))}
            </select>
          </div>
        ) : null}
        {report ? null : <LiveMark />}
        <button type="button" className="quiet-button" onClick={onOtherKey}>
          Change key
        </button>
      </div>
      <nav aria-label="Parts of the dashboard">
        <ul className="steps">
          {parts.map(([name, title]) => (
            <li key={name}>
              <button
                type="button"
                aria-current={(report ? shown : '') === name ? 'page' : undefined}
                onClick={() => change({ ...figureChanges(null), show: name })}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      {report ? (
        company ? (
          <report.Report company={company.ledgerId} address={address} change={change} />
        ) : null
      ) : (
        <>
          <Charts
            byStatus={byStatus.filter((total) => total.currency === currency)}
            byMonth={byMonth.filter((total) => total.currency === currency)}
            currency={currency}
            chosen={view.status}
            onChoose={(status) => change({ status, page: null })}
          />
          <InvoiceTable company={company?.id} view={view} change={change} changed={changed} />
        </>
      )}
    </>
  );
}

start(Dashboard, () => gatewayClient(new HttpLink({ uri: ENDPOINT }), liveLink()));
