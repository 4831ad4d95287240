// Asks an authority about a tax id in the background, and stores what it says.
import { LockMode } from '@mikro-orm/core';
import type { Services } from '../../access/context.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { emitEvents } from '../../events/events.ts';
import type { Task } from '../../queue/queue.ts';
import { authorityFor } from './authorities.ts';
import { VERIFICATION_TASK, VerifiedTaxId } from './verification.ts';

/** Which number a job asks about. */
type VerificationPayload = Pick<VerifiedTaxId, 'organisationId' | 'id'>;

/**
 * The task that asks. The call is outside every transaction. Where the authority does not respond, that is stored and the job runs again: eight
 * times, over about two hours.
 */
export const taxIdVerification = (services: Services): Task<VerificationPayload> => ({
  name: VERIFICATION_TASK,
  retry: { limit: 8, delaySeconds: 30, backoff: true, maxDelaySeconds: 3_600 },
  singleton: true,
  handler: async ({ organisationId, id }, job) => {
    const scope = { tenant: { organisationId, companyIds: null } };
    const [asked] = await services.reader.find(VerifiedTaxId, { where: { id } }, ['type', 'number'], scope);
    const authority = asked && authorityFor(services.config, asked.type);
    if (!authority) return;
    const answer = await authority.ask(asked.type, asked.number, job.signal);
    await organisationTransaction(services.database, organisationId, async (em) => {
      const stored = await em.findOneOrFail(VerifiedTaxId, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      const { type, number, state: previous, source } = stored;
      const checkedAt = services.clock.now();
      em.assign(stored, { ...answer, checkedAt });
      const data = {
        type,
        number,
        previous,
        current: answer.state,
        source,
        checked_at: checkedAt,
        name: answer.name,
        address: answer.address,
        reference: answer.reference,
      };
      if (previous !== answer.state)
        emitEvents(em, { services, organisationId, organisation: null }, [{ topic: 'TAX_IDS.VERIFICATION.UPDATED', data }]);
      if (answer.state !== 'UNAVAILABLE') await job.completeIn(em.getTransactionContext());
    });
    if (answer.state === 'UNAVAILABLE') throw new Error(`${authority.source} is not responding`);
  },
});
