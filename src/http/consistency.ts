// The header `X-Consistency-Token`: returned by every mutation, and accepted by every read, which then sees at least that mutation.
import type { RequestContext } from '../access/context.ts';
import { logPosition } from '../database/replicas/log-position.ts';
import { GatewayError } from '../records/errors.ts';

export const CONSISTENCY_HEADER = 'X-Consistency-Token';

/** Sets what the reads of a request must see: with a token the writes up to it, without one all writes of the caller's organisation. */
export function requireFreshness(context: RequestContext, given: string | string[] | undefined): void {
  const token = typeof given === 'string' && given !== '' ? logPosition(given) : undefined;
  if (given !== undefined && given !== '' && token === undefined)
    throw new GatewayError('INVALID_PARAMS', `${CONSISTENCY_HEADER} must be the value of that header in the response to a write`, {
      header: CONSISTENCY_HEADER,
    });
  const organisationId = context.principal?.organisationId ?? null;
  const freshness = organisationId === null ? undefined : context.services.database.consistency.freshness(organisationId, token);
  if (freshness) context.freshness = freshness;
}

/** Has the response of a request carry the token of what is committed by now. The question to the database and the rest of the response run together. */
export function returnToken(context: RequestContext): void {
  // The write is stored: that its token is unknown is no reason to reject the response.
  context.token = context.services.database.consistency.token().catch(() => undefined);
}
