// The table of invoices: sorted, filtered, by page. A page that was shown before comes from the cache.
import { skipToken, useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import type { Changes } from '../shared/address.ts';
import { amountText, dayText, namesIn, wordsOf } from '../shared/format.ts';
import { Problem } from '../shared/parts.tsx';
import { type InvoiceRowFragment, InvoicesDocument } from './operations.generated.ts';
import { SIZES, type Sort, STATUSES, type View, variablesOf } from './view.ts';

type Change = (changes: Changes, how?: 'push' | 'replace') => void;

/** Pause in typing after which a search is sent. */
const PAUSE_MS = 300;

const columns: readonly { readonly label: string; readonly sort?: Sort; readonly isAmount?: boolean }[] = [
  { label: 'Invoice', sort: 'DOCUMENT_NUMBER' },
  { label: 'Customer' },
  { label: 'Posted', sort: 'POSTED_DATE' },
  { label: 'Due', sort: 'DUE_DATE' },
  { label: 'Status', sort: 'STATUS' },
  { label: 'Total', sort: 'TOTAL_AMOUNT', isAmount: true },
  { label: 'Still due', sort: 'AMOUNT_DUE', isAmount: true },
];

function Filters({ view, change }: { view: View; change: Change }) {
  const [search, setSearch] = useState(view.search);
  // Back and Forward change the address too.
  useEffect(() => setSearch(view.search), [view.search]);
  useEffect(() => {
    if (search === view.search) return;
    const timer = setTimeout(() => change({ search, page: null }, 'replace'), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [search, view.search, change]);
  return (
    <search>
      <form className="filters" aria-label="Which invoices" onSubmit={(event) => event.preventDefault()}>
        <div className="field">
          <label htmlFor="search">Search</label>
          <input
            id="search"
            type="search"
            value={search}
            maxLength={200}
            placeholder="Number, memo, customer"
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <div className="field">
          <label htmlFor="status">Status</label>
          <select id="status" value={view.status ?? ''} onChange={(event) => change({ status: event.target.value, page: null })}>
            <option value="">All</option>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {wordsOf(status)}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="rows">Rows</label>
          <select id="rows" value={view.size} onChange={(event) => change({ rows: event.target.value, page: null })}>
            {SIZES.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
        </div>
      </form>
    </search>
  );
}

function Heading({ view, change }: { view: View; change: Change }) {
  return (
    <tr>
      {columns.map(({ label, sort, isAmount }) => {
        const isSorted = sort === view.sort;
        const order = view.isDescending ? 'descending' : 'ascending';
        return (
          <th key={label} scope="col" className={isAmount ? 'amount' : ''} aria-sort={isSorted ? order : undefined}>
            {sort ? (
              <button type="button" onClick={() => change({ sort, order: isSorted && view.isDescending ? 'ascending' : null, page: null })}>
                {label}
                <span aria-hidden="true">{isSorted ? (view.isDescending ? ' ↓' : ' ↑') : ''}</span>
              </button>
            ) : (
              label
            )}
          </th>
        );
      })}
    </tr>
  );
}

function Row({ invoice, customer, isNew }: { invoice: InvoiceRowFragment; customer: string; isNew: boolean }) {
  const { documentNumber, postedDate, dueDate, status, totalAmount, amountDue, currencyId } = invoice;
  return (
    <tr className={isNew ? 'changed' : ''}>
      <th scope="row">{documentNumber ?? '–'}</th>
      <td data-label="Customer">{customer}</td>
      <td data-label="Posted">{dayText(postedDate)}</td>
      <td data-label="Due">{dayText(dueDate)}</td>
      <td data-label="Status">
        <span className={`badge status-${status ?? 'UNKNOWN'}`}>{wordsOf(status)}</span>
      </td>
      <td data-label="Total" className="amount">
        {amountText(totalAmount, currencyId)}
      </td>
      <td data-label="Still due" className="amount">
        {amountText(amountDue, currencyId)}
      </td>
    </tr>
  );
}

/** The invoices of a company; `changed` names those that have changed while they were looked at. Without a company the first response is awaited. */
export function InvoiceTable({
  company,
  view,
  change,
  changed,
}: {
  company: string | undefined;
  view: View;
  change: Change;
  changed: ReadonlySet<string>;
}) {
  const { company: _, ...variables } = variablesOf(view);
  const asked = useQuery(InvoicesDocument, company ? { variables: { ...variables, company } } : skipToken);
  // What was found before is not what is asked for now.
  const shown = asked.error ? undefined : (asked.data ?? asked.previousData)?.company?.invoices;
  const customerOf = namesIn(
    shown?.nodes ?? [],
    ({ contact }) => contact?.name ?? '–',
    ({ contact }) => contact?.id ?? '',
  );
  const pages = Math.max(1, Math.ceil((shown?.totalCount ?? 0) / view.size));
  return (
    <section className="panel" aria-labelledby="invoices">
      <h2 id="invoices">Invoices</h2>
      <Filters view={view} change={change} />
      {asked.error ? (
        <Problem error={asked.error} onRetry={() => void asked.refetch()} />
      ) : (
        <>
          <div className="wide">
            <table className="rows" aria-busy={asked.loading} aria-labelledby="invoices">
              <thead>
                <Heading view={view} change={change} />
              </thead>
              <tbody>
                {shown?.nodes.map((invoice) => (
                  <Row key={invoice.id} invoice={invoice} customer={customerOf(invoice)} isNew={changed.has(invoice.id)} />
                ))}
              </tbody>
            </table>
            {shown?.nodes.length === 0 ? <p className="empty">No invoices match.</p> : null}
          </div>
          <nav className="pages" aria-label="Pages of invoices">
            <button type="button" disabled={view.page <= 1} onClick={() => change({ page: view.page - 1 })}>
              Previous
            </button>
            <p aria-live="polite">
              Page {view.page} of {pages} <span className="hint">{shown ? `${shown.totalCount} invoices` : ''}</span>
            </p>
            <button type="button" disabled={view.page >= pages} onClick={() => change({ page: view.page + 1 })}>
              Next
            </button>
          </nav>
        </>
      )}
    </section>
  );
}
