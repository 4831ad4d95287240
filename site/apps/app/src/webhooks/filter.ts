// Which deliveries the screen shows, as its address says it.
import { EventTopic, type WebhookDeliveryFilter, WebhookDeliveryStatus } from './operations.generated.ts';

export const STATUSES = Object.values(WebhookDeliveryStatus);
export const TOPICS = Object.values(EventTopic);

export interface Shown {
  readonly webhook: string | null;
  readonly status: WebhookDeliveryStatus | null;
  readonly topic: EventTopic | null;
}

/** What an address shows; what it says wrongly is left out. */
export const shownOf = (address: URLSearchParams): Shown => ({
  webhook: address.get('webhook'),
  status: STATUSES.find((status) => status === address.get('status')) ?? null,
  topic: TOPICS.find((topic) => topic === address.get('topic')) ?? null,
});

export const filterOf = ({ webhook, status, topic }: Shown): WebhookDeliveryFilter => ({
  ...(webhook ? { webhookId: { eq: webhook } } : {}),
  ...(status ? { status: { eq: status } } : {}),
  ...(topic ? { event: { topic: { eq: topic } } } : {}),
});
