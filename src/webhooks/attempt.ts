// One attempt of a delivery: the signed call, outside any transaction, and what its response makes of the delivery.
import type { Services } from '../access/context.ts';
import { newId } from '../records/ids.ts';
import { callOut, type OutboundResult } from '../security/egress.ts';
import type { Claim } from './claim.ts';
import type { SettledAttempt } from './deliveries.statements.ts';
import { messageBody, messageHeaders } from './message.ts';
import { retryAfterMs, retryDelayMs } from './retry-schedule.ts';

/** Calls the receiver and returns what is to be stored; undefined when the call was cut off, which does not count as an attempt. */
export async function attempt(services: Services, claim: Claim, signal: AbortSignal): Promise<SettledAttempt | undefined> {
  const { webhook, event } = claim;
  const sentAt = services.clock.now();
  const body = messageBody(event!, webhook.id);
  const result = await callOut(
    { url: webhook.url, headers: messageHeaders(webhook, event!.id, body, sentAt, services), body },
    { allowPrivate: services.config.webhookAllowPrivate, signal },
  );
  if (signal.aborted) return undefined;
  services.log.debug(
    { delivery: claim.id, result: result.kind === 'response' ? result.status : result.reason, durationMs: result.durationMs },
    'delivery attempted',
  );
  return settledBy(claim, sentAt, result, services.clock.now());
}

/** The attempt with the new state of its delivery, and the time of the next one. */
function settledBy(
  { id, organisationId, webhookId, turn, ...claim }: Claim,
  sentAt: Date,
  result: OutboundResult,
  now: Date,
): SettledAttempt {
  const status = result.kind === 'response' ? result.status : null;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const attemptsLeft = claim.attemptsLeft - 1;
  const isOver = isDelivered || attemptsLeft <= 0 || status === 410;
  const asked = result.kind === 'response' ? retryAfterMs(result.headers.retryAfter, now) : 0;
  const delay = isOver ? null : retryDelayMs(attemptsLeft, asked, Math.random());
  return {
    attempt: {
      id: newId('att'),
      organisationId,
      deliveryId: id,
      status,
      duration: result.durationMs,
      responseBody: result.kind === 'response' ? result.bodySnippet : null,
      error: result.kind === 'response' ? null : result.reason,
      at: sentAt,
    },
    delivery: {
      webhookId,
      status: isDelivered ? 'DELIVERED' : isOver ? 'FAILED' : 'PENDING',
      turn,
      attemptsLeft,
      nextAttemptAt: delay === null ? null : new Date(now.getTime() + delay),
    },
    outcome: isDelivered ? 'success' : status === 410 ? 'gone' : 'failure',
  };
}
