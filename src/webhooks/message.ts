// The message of a delivery: the envelope around an event's data, as exact text, and the headers that sign it.

import type { Services } from '../access/context.ts';
import { type Event, topicName } from '../events/event.ts';
import { TOPICS } from '../events/topics.ts';
import type { StoredRecord } from '../records/metadata.ts';
import { signatureHeaders, signingKey } from './signature.ts';
import { API_VERSION, type Webhook } from './webhook.ts';

const ofIntegrations = new Set<string>(TOPICS.filter(({ surface }) => surface === 'integrations').map(({ topic }) => topic));

/** The properties of an event that a message shows. */
export const messageProperties = [
  'id',
  'organizationId',
  'topic',
  'data',
  'companyId',
  'integrationType',
  'dataModel',
  'operation',
  'test',
  'triggeredAt',
  'commitOrder',
  'previousEtag',
] as const;

/** The properties of a webhook that sign a message. */
export const signingProperties = ['id', 'sealedSecret', 'formerSecret', 'formerSecretUntil'] as const;

/** The body that is signed and sent, the same text at every attempt. Events of the integrations API have the envelope of that API. */
export function messageBody(event: StoredRecord<Event, (typeof messageProperties)[number]>, webhookId: string): string {
  const topic = topicName(event.topic);
  const { id, data } = event;
  const ordering = { sequence: event.commitOrder, previous_etag: event.previousEtag };
  if (ofIntegrations.has(topic)) {
    const { companyId, integrationType, dataModel, operation } = event;
    return JSON.stringify({
      id,
      type: topic,
      company_id: companyId,
      integration_type: integrationType,
      data_model: dataModel,
      operation,
      created_at: event.triggeredAt,
      data,
      ...ordering,
    });
  }
  const { triggeredAt, organizationId, test } = event;
  return JSON.stringify({
    id,
    topic,
    triggered_at: triggeredAt,
    webhook_id: webhookId,
    organization_id: organizationId,
    data,
    api_version: API_VERSION,
    test,
    ...ordering,
  });
}

/** The headers of one attempt, signed with the webhook's secret, during a rotation with the former one too, and with its private key. */
export function messageHeaders(
  { id, sealedSecret, formerSecret, formerSecretUntil }: StoredRecord<Webhook, (typeof signingProperties)[number]>,
  eventId: string,
  body: string,
  sentAt: Date,
  { secrets, signer }: Pick<Services, 'secrets' | 'signer'>,
): Record<string, string> {
  const isRotating = formerSecretUntil !== null && formerSecretUntil > sentAt.toISOString();
  const sealed = [sealedSecret, ...(isRotating && formerSecret !== null ? [formerSecret] : [])];
  return messageHeadersOf(
    { id: eventId, sentAt, body },
    sealed.map((text) => secrets.open(text, id)),
    signingKey(signer, id),
  );
}

/** The headers of a message that is signed by these. */
export const messageHeadersOf = (...signing: Parameters<typeof signatureHeaders>): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'ledger-gateway-webhooks/1',
  ...signatureHeaders(...signing),
});
