// What a process asks for when it claims deliveries, and what it gets.
import type { Event } from '../events/event.ts';
import type { StoredRecord } from '../records/metadata.ts';
import type { messageProperties, signingProperties } from './message.ts';
import type { Webhook } from './webhook.ts';

/** A delivery that this process has claimed, with what its call needs. */
export interface Claim {
  id: string;
  organisationId: number;
  webhookId: string;
  turn: number;
  attemptsLeft: number;
  webhook: StoredRecord<Webhook, (typeof signingProperties)[number] | 'url' | 'status' | 'deletedAt' | 'failingSince'>;
  /** Null when the retention has removed it. */
  event: StoredRecord<Event, (typeof messageProperties)[number]> | null;
}

/** How many more deliveries may be claimed. */
export interface ClaimCapacity {
  /** In all, by the state of their webhook. */
  healthy: number;
  failing: number;
  /** For a webhook that is not among `webhooks`. */
  each: number;
  webhooks: { id: string; room: number }[];
}
