// The webhooks: their numbers, and what can be done with one.
import { useState } from 'react';
import { wordsOf } from '../shared/format.ts';
import {
  DeleteWebhookDocument,
  ReplayDocument,
  SendTestDocument,
  UpdateWebhookDocument,
  type WebhookCardFragment,
} from './operations.generated.ts';
import { Statistics } from './statistics.tsx';
import { useAction } from './use-action.ts';

const countOf = ({ deliveriesSummary }: WebhookCardFragment, status: string): number =>
  deliveriesSummary?.groups.find(({ key }) => key[0]?.value === status)?.count ?? 0;

/** What a webhook is called; one without a name by its host. */
export const nameOf = ({ name, url }: { name: string | null; url: string }): string => name ?? new URL(url).host;

const DAY_MS = 86_400_000;
const SPANS = [
  { label: 'hour', ms: DAY_MS / 24 },
  { label: 'day', ms: DAY_MS },
  { label: 'week', ms: 7 * DAY_MS },
] as const;

function Actions({ webhook, onChange }: { webhook: WebhookCardFragment; onChange: () => void }) {
  const { run, issues, isRunning } = useAction();
  const [said, setSaid] = useState('');
  const [isDeleting, setDeleting] = useState(false);
  const { id, status } = webhook;
  const isEnabled = status === 'ENABLED';
  const act = async (work: () => Promise<string | undefined>): Promise<void> => {
    setSaid('');
    const text = await work();
    if (text) setSaid(text);
    onChange();
  };
  const test = () =>
    act(
      async () =>
        (await run(SendTestDocument, { id, eventData: { from: 'webhook screen' } }, (data) => data.triggerWebhookTest)) &&
        'A test is on its way.',
    );
  const replay = (ms: number) =>
    act(async () => {
      const since = new Date(Date.now() - ms).toISOString();
      const done = await run(ReplayDocument, { webhookId: id, since }, (data) => data.replayWebhookDeliveries);
      return (
        done &&
        `${done.queued === 1 ? '1 delivery is' : `${done.queued ?? 0} deliveries are`} sent again${done.remaining ? `, ${done.remaining} more are left` : ''}.`
      );
    });
  const turn = () =>
    act(async () => {
      const done = await run(UpdateWebhookDocument, { id, status: isEnabled ? 'DISABLED' : 'ENABLED' }, (data) => data.updateWebhook);
      return done && (isEnabled ? 'It gets nothing until it is enabled again.' : 'It is enabled.');
    });
  const remove = () => act(async () => (await run(DeleteWebhookDocument, { id }, (data) => data.deleteWebhook)) && 'Deleted.');
  return (
    <div className="card-actions">
      <button type="button" disabled={isRunning || !isEnabled} onClick={() => void test()}>
        Send a test
      </button>
      <select
        aria-label={`Send the failed deliveries of ${nameOf(webhook)} again`}
        disabled={isRunning || !isEnabled}
        value=""
        onChange={(event) => void replay(Number(event.target.value))}
      >
        <option value="">Replay failed …</option>
        {SPANS.map(({ label, ms }) => (
          <option key={label} value={ms}>
            of the last {label}
          </option>
        ))}
      </select>
      <button type="button" disabled={isRunning} onClick={() => void turn()}>
        {isEnabled ? 'Disable' : 'Enable'}
      </button>
      <button
        type="button"
        disabled={isRunning}
        onClick={() => (isDeleting ? void remove() : setDeleting(true))}
        onBlur={() => setDeleting(false)}
      >
        {isDeleting ? 'Really delete' : 'Delete'}
      </button>
      <p role="status">{said}</p>
      {issues.length > 0 ? (
        <p className="issue" role="alert">
          {issues.map(({ message }) => message).join(' ')}
        </p>
      ) : null}
    </div>
  );
}

/** All webhooks; the chosen one shows what can be done with it. */
export function Cards({
  webhooks,
  chosen,
  onChoose,
  onChange,
}: {
  webhooks: readonly WebhookCardFragment[];
  chosen: string | null;
  onChoose: (id: string | null) => void;
  onChange: () => void;
}) {
  return (
    <ul className="cards">
      {webhooks.map((webhook) => {
        const { id, url, status, disabledReason, topics, unknownFilters } = webhook;
        const isChosen = id === chosen;
        return (
          <li key={id} data-chosen={isChosen}>
            <button type="button" className="card-name" aria-pressed={isChosen} onClick={() => onChoose(isChosen ? null : id)}>
              <strong>{nameOf(webhook)}</strong>
              <span className="url">{url}</span>
            </button>
            <p>
              <span className={`badge status-${status}`}>{wordsOf(status)}</span>{' '}
              <span className="hint">
                {disabledReason ? `${wordsOf(disabledReason)} · ` : ''}
                {topics.map(wordsOf).join(', ')}
              </span>
            </p>
            {unknownFilters.length > 0 ? (
              <p className="issue" role="alert">
                This release does not know {unknownFilters.join(', ')} of its filter. Every event about records of these types is sent until
                you change the filter.
              </p>
            ) : null}
            <dl className="counts">
              {['DELIVERED', 'PENDING', 'FAILED'].map((state) => (
                <div key={state}>
                  <dt>{wordsOf(state)}</dt>
                  <dd>{countOf(webhook, state)}</dd>
                </div>
              ))}
            </dl>
            {isChosen ? <Statistics id={id} /> : null}
            {isChosen ? <Actions webhook={webhook} onChange={onChange} /> : null}
          </li>
        );
      })}
    </ul>
  );
}
