// The postings that a figure is the sum of.
import { useQuery } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import type { Changes } from '../shared/address.ts';
import { amountText, dayText, namesIn, wordsOf } from '../shared/format.ts';
import { Problem } from '../shared/parts.tsx';
import { type Figure, postingFilterOf } from './figures.ts';
import { FigurePostingsDocument } from './operations.generated.ts';

const SIZE = 20;

export function Postings(props: {
  company: number;
  figure: Figure;
  title: string;
  currency: string | null;
  page: number;
  change: (changes: Changes) => void;
  onClose: () => void;
}) {
  const { company, figure, title, currency, page, change, onClose } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  // The panel is below the report, so opening a figure scrolls to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another figure.
  useEffect(() => heading.current?.focus(), [title]);
  const asked = useQuery(FigurePostingsDocument, {
    variables: { company, filter: postingFilterOf(figure), first: SIZE, offset: (page - 1) * SIZE },
  });
  const shown = (asked.data ?? asked.previousData)?.company?.postings;
  const contactOf = namesIn(
    shown?.nodes ?? [],
    ({ contact }) => contact?.name ?? '–',
    ({ contact }) => contact?.id ?? '',
  );
  const pages = Math.max(1, Math.ceil((shown?.totalCount ?? 0) / SIZE));
  return (
    <section className="panel" aria-labelledby="postings">
      <div className="bar">
        <h2 id="postings" ref={heading} tabIndex={-1}>
          Postings: {title}
        </h2>
        <button type="button" className="quiet-button" onClick={onClose}>
          Close
        </button>
      </div>
      {asked.error ? (
        <Problem error={asked.error} onRetry={() => void asked.refetch()} />
      ) : (
        <>
          <div className="wide">
            <table className="rows" aria-busy={asked.loading} aria-labelledby="postings">
              <thead>
                <tr>
                  <th scope="col">Date</th>
                  <th scope="col">Document</th>
                  <th scope="col">Contact</th>
                  <th scope="col">Description</th>
                  <th scope="col" className="amount">
                    Amount
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown?.nodes.map((posting, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: postings have no id, and a page never changes its order.
                  <tr key={index}>
                    <th scope="row">{dayText(posting.date)}</th>
                    <td data-label="Document">
                      {posting.sourceNumber ??
                        (posting.documentType ? `${wordsOf(posting.documentType)} ${posting.documentId ?? ''}` : '–')}
                    </td>
                    <td data-label="Contact">{contactOf(posting)}</td>
                    <td data-label="Description">{posting.description ?? '–'}</td>
                    <td data-label="Amount" className="amount">
                      {amountText(posting.baseAmount, currency)}
                      {posting.currencyId !== currency ? <small> {amountText(posting.amount, posting.currencyId)}</small> : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {shown?.nodes.length === 0 ? <p className="empty">No postings.</p> : null}
          </div>
          <p className="hint">A debit is more than 0, a credit less.</p>
          <nav className="pages" aria-label="Pages of postings">
            <button type="button" disabled={page <= 1} onClick={() => change({ postings: page - 1 })}>
              Previous
            </button>
            <p aria-live="polite">
              Page {page} of {pages} <span className="hint">{shown ? `${shown.totalCount} postings` : ''}</span>
            </p>
            <button type="button" disabled={page >= pages} onClick={() => change({ postings: page + 1 })}>
              Next
            </button>
          </nav>
        </>
      )}
    </section>
  );
}
