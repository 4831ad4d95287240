// The deliveries, newest first: what was sent, each attempt, and a way to send it again.
import { skipToken, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import type { Changes } from '../shared/address.ts';
import { momentText, namesIn, wordsOf } from '../shared/format.ts';
import { Problem } from '../shared/parts.tsx';
import { nameOf } from './cards.tsx';
import { filterOf, type Shown, STATUSES, TOPICS } from './filter.ts';
import {
  DeliveriesDocument,
  DeliveryMessageDocument,
  type DeliveryRowFragment,
  RetryDocument,
  type WebhookCardFragment,
} from './operations.generated.ts';
import { useAction } from './use-action.ts';

/** Deliveries that are read at first, and with each "More". */
export const PAGE = 20;

function Choice({
  label,
  value,
  values,
  onChoose,
}: {
  label: string;
  value: string | null;
  values: readonly { value: string; text: string }[];
  onChoose: (value: string) => void;
}) {
  const id = `filter-${label.toLowerCase()}`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value ?? ''} onChange={(event) => onChoose(event.target.value)}>
        <option value="">All</option>
        {values.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Attempts({ delivery }: { delivery: DeliveryRowFragment }) {
  const { attempts, attemptsLeft, nextAttemptAt } = delivery;
  return (
    <>
      <ol className="attempts">
        {attempts.map(({ id, at, status, duration, error }) => (
          <li key={id}>
            {momentText(at)} · {status ? `response ${status}` : (error ?? 'no response')} · {duration} ms
          </li>
        ))}
      </ol>
      <p className="hint">
        {nextAttemptAt
          ? `Next attempt ${momentText(nextAttemptAt)}, ${attemptsLeft} left.`
          : attempts.length === 0
            ? 'Not tried yet.'
            : 'No further attempt.'}
      </p>
    </>
  );
}

/** What a delivery says; read when it is opened. */
function Message({ id }: { id: string }) {
  const { data, error } = useQuery(DeliveryMessageDocument, { variables: { id } });
  if (error) return <Problem error={error} />;
  const event = data?.node && 'event' in data.node ? data.node.event : undefined;
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, and a keyboard has to reach it.
  return <pre tabIndex={0}>{event ? JSON.stringify(event.data, null, 2) : data ? 'The event is no longer kept.' : 'Reading …'}</pre>;
}

function Delivery({ delivery, webhook, isNew }: { delivery: DeliveryRowFragment; webhook: string; isNew: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { run, issues, isRunning } = useAction();
  const { id, status, createdAt, event, attempts } = delivery;
  const last = attempts.at(-1);
  return (
    <li className={isNew ? 'changed' : ''}>
      <button type="button" className="delivery" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className={`badge status-${status}`}>{wordsOf(status)}</span>
        <span className="topic">{event ? wordsOf(event.topic) : id}</span>
        <span className="hint">
          {webhook ? `${webhook} · ` : ''}
          {momentText(createdAt)}
          {last
            ? ` · ${attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`}, ${last.status ?? last.error ?? 'no response'}`
            : ''}
        </span>
      </button>
      {isOpen ? (
        <div className="inside">
          <Attempts delivery={delivery} />
          <Message id={id} />
          <p className="actions">
            <button type="button" disabled={isRunning} onClick={() => void run(RetryDocument, { id }, (data) => data.retryWebhookDelivery)}>
              {status === 'PENDING' ? 'Send it now' : 'Send it again'}
            </button>
          </p>
          {issues.length > 0 ? (
            <p className="issue" role="alert">
              {issues.map(({ message }) => message).join(' ')}
            </p>
          ) : null}
        </div>
      ) : null}
    </li>
  );
}

/** The list. Until the first response is there, which holds its first page, it asks for nothing. */
export function Deliveries({
  isReady,
  shown,
  webhooks,
  change,
  changed,
}: {
  isReady: boolean;
  shown: Shown;
  webhooks: readonly WebhookCardFragment[];
  change: (changes: Changes) => void;
  changed: ReadonlySet<string>;
}) {
  const asked = useQuery(DeliveriesDocument, isReady ? { variables: { filter: filterOf(shown), first: PAGE } } : skipToken);
  const page = asked.error ? undefined : (asked.data ?? asked.previousData)?.webhookDeliveries;
  const webhookName = namesIn([...webhooks, ...(page?.edges.flatMap(({ node }) => node.webhook ?? []) ?? [])], nameOf, ({ id }) => id);
  const { hasNextPage, endCursor } = page?.pageInfo ?? {};
  return (
    <section className="panel" aria-labelledby="deliveries">
      <h2 id="deliveries">
        Deliveries <small>{page?.totalCount}</small>
      </h2>
      <form className="filters" aria-label="Deliveries" onSubmit={(event) => event.preventDefault()}>
        <Choice
          label="Webhook"
          value={shown.webhook}
          values={webhooks.map((webhook) => ({ value: webhook.id, text: webhookName(webhook) }))}
          onChoose={(webhook) => change({ webhook })}
        />
        <Choice
          label="Status"
          value={shown.status}
          values={STATUSES.map((value) => ({ value, text: wordsOf(value) }))}
          onChoose={(status) => change({ status })}
        />
        <Choice
          label="Topic"
          value={shown.topic}
          values={TOPICS.filter((topic) => topic !== 'ALL').map((value) => ({ value, text: wordsOf(value) }))}
          onChoose={(topic) => change({ topic })}
        />
      </form>
      {asked.error ? <Problem error={asked.error} onRetry={() => void asked.refetch()} /> : null}
      <ul className="deliveries" aria-busy={asked.loading}>
        {page?.edges.map(({ node }) => (
          <Delivery key={node.id} delivery={node} webhook={node.webhook ? webhookName(node.webhook) : ''} isNew={changed.has(node.id)} />
        ))}
      </ul>
      {page?.edges.length === 0 ? <p className="empty">No deliveries match. Send a test to see one.</p> : null}
      {hasNextPage ? (
        <p className="actions">
          <button type="button" disabled={asked.loading} onClick={() => void asked.fetchMore({ variables: { after: endCursor } })}>
            More
          </button>
        </p>
      ) : null}
    </section>
  );
}
