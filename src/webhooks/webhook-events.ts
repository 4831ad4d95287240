// The events about webhooks themselves: one keeps failing, or was disabled.
import type { NewEvent } from '../events/events.ts';
import type { StoredRecord } from '../records/metadata.ts';
import type { Webhook } from './webhook.ts';

/** The state of a webhook after a change that is an event. */
export type ReportedWebhook = StoredRecord<Webhook, 'id' | 'url' | 'status' | 'disabledReason' | 'failingSince'>;

/** The event of a change: WEBHOOK.DISABLED once it is disabled, WEBHOOK.FAILING while it is not. */
export const stateEvent = ({ id, url, status, disabledReason, failingSince }: ReportedWebhook): NewEvent => ({
  topic: status === 'DISABLED' ? 'WEBHOOK.DISABLED' : 'WEBHOOK.FAILING',
  subject: id,
  data: { webhook_id: id, url, status, disabled_reason: disabledReason, failing_since: failingSince },
});
