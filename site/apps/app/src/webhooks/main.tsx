// The webhook screen: webhooks with their numbers, deliveries as they happen, retry, replay, and a check of signatures.
import { HttpLink } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useState } from 'react';
import { useAddress } from '../shared/address.ts';
import { ENDPOINT, gatewayClient } from '../shared/client.ts';
import { liveLink, useFollow, useReadAgain } from '../shared/live.ts';
import { LiveMark, Problem } from '../shared/parts.tsx';
import { type ScreenProps, start } from '../shared/start.tsx';
import { Cards } from './cards.tsx';
import { type Created, CreateWebhook } from './create.tsx';
import { Deliveries, PAGE } from './deliveries.tsx';
import { filterOf, shownOf } from './filter.ts';
import { DeliveriesDocument, DeliveryChangesDocument, WebhooksDocument } from './operations.generated.ts';
import { Verify } from './verify.tsx';

/** How long a delivery that has changed is highlighted. */
const MARK_MS = 4_000;
/** The most deliveries that are read at once. */
const MOST = 100;

function Webhooks({ onOtherKey }: ScreenProps) {
  const client = useApolloClient();
  const [address, change] = useAddress();
  const shown = shownOf(address);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const [created, setCreated] = useState<Created>();
  // The first response holds the deliveries that the address names; those of another filter are asked for alone, by the list.
  const [firstFilter] = useState(() => filterOf(shown));
  const { data, error, refetch } = useQuery(WebhooksDocument, { variables: { filter: firstFilter, first: PAGE } });
  const webhooks = data?.webhooks?.nodes ?? [];

  const read = useCallback(() => {
    const filter = filterOf(shownOf(new URLSearchParams(location.search)));
    // As many as are shown, so that the list does not shrink while it is read.
    const known = client.readQuery({ query: DeliveriesDocument, variables: { filter, first: PAGE } })?.webhookDeliveries?.edges.length ?? 0;
    return client.query({
      query: WebhooksDocument,
      variables: { filter, first: Math.min(Math.max(PAGE, known), MOST) },
      fetchPolicy: 'network-only',
    });
  }, [client]);
  const readAgain = useReadAgain(read);
  const mark = useCallback(
    (id: string) => {
      readAgain();
      setChanged((known) => new Set([...known, id]));
      setTimeout(() => setChanged((known) => new Set([...known].filter((other) => other !== id))), MARK_MS);
    },
    [readAgain],
  );

  // The deliveries of all webhooks, each in the cache when it is heard.
  useFollow(DeliveryChangesDocument, {}, ({ deliveryChanged: { node } }) => {
    if (node) mark(node.id);
  });

  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} onOtherKey={onOtherKey} />;
  return (
    <>
      <div className="bar">
        {webhooks.length > 0 ? <LiveMark /> : null}
        <button type="button" className="quiet-button" onClick={onOtherKey}>
          Change key
        </button>
      </div>
      <div className="split webhooks-first">
        <section className="panel" aria-labelledby="webhooks">
          <h2 id="webhooks">
            Webhooks <small>{data ? webhooks.length : ''}</small>
          </h2>
          <Cards webhooks={webhooks} chosen={shown.webhook} onChoose={(webhook) => change({ webhook })} onChange={readAgain} />
          {created ? (
            <div className="notice good" role="status">
              <p>The secret of the new webhook is shown this once. Keep it where your receiver reads it.</p>
              <p>
                <code className="secret">{created.secret}</code>
              </p>
            </div>
          ) : null}
          <details open={data && webhooks.length === 0}>
            <summary>Add a webhook</summary>
            <CreateWebhook
              onCreated={(made) => {
                setCreated(made);
                readAgain();
              }}
            />
          </details>
        </section>
        <Deliveries isReady={data !== undefined} shown={shown} webhooks={webhooks} change={change} changed={changed} />
        <details className="panel verify-panel">
          <summary>
            <h2>Verify a message</h2>
          </summary>
          <Verify secret={created?.secret ?? ''} />
        </details>
      </div>
    </>
  );
}

start(Webhooks, () => gatewayClient(new HttpLink({ uri: ENDPOINT }), liveLink()));
