// The message of a delivery: the envelope around an event's data, as exact text, and the headers that sign it.

import type { Row } from '../database/reader/projection.ts';
import { topicName } from '../events/events.ts';
import { TOPICS } from '../events/topics.ts';
import type { SecretBox } from '../security/secret-box.ts';
import { signatureHeaders } from './signature.ts';
import { API_VERSION } from './webhook.ts';

const ofIntegrations = new Set<string>(TOPICS.filter(({ surface }) => surface === 'integrations').map(({ topic }) => topic));

/** The body that is signed and sent, the same text at every attempt. Events of the integrations API have the envelope of that API. */
export function messageBody(event: Row, webhookId: string): string {
  const topic = topicName(event.topic as string);
  const { id, data } = event;
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
  });
}

/** The headers of one attempt, signed with the webhook's secret and, during a rotation, with the former one too. */
export function messageHeaders(webhook: Row, eventId: string, body: string, sentAt: Date, secrets: SecretBox): Record<string, string> {
  const id = webhook.id as string;
  const isRotating = webhook.formerSecret !== null && (webhook.formerSecretUntil as string) > sentAt.toISOString();
  const sealed = [webhook.sealedSecret as string, ...(isRotating ? [webhook.formerSecret as string] : [])];
  return {
    'content-type': 'application/json',
    'user-agent': 'ledger-gateway-webhooks/1',
    ...signatureHeaders(
      { id: eventId, sentAt, body },
      sealed.map((text) => secrets.open(text, id)),
    ),
  };
}
