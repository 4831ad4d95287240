// What authorities say of tax ids: the stored response, the types of the schema, and the mutation that asks.
import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { auditRecords } from '../../access/audit.ts';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { lockUntilCommit } from '../../database/locks.ts';
import { enqueue } from '../../queue/queue.ts';
import { enumeration, identifier, key, ledgerNumber, moment, record, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { invalid, missing } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { shortened } from '../../records/input-issue.ts';
import { DateTime } from '../../records/scalars.ts';
import type { TaxId } from '../corporations/corporation.ts';
import { checkIdentifier, IDENTIFIER_KINDS, prefixedVatNumber } from '../shared/government-identifiers.ts';
import { checkedValue } from '../shared/payloads.ts';
import { authorityFor } from './authorities.ts';

export const TaxIdVerificationState = defineEnum('TaxIdVerificationState', 'Result of the check of a tax id by an authority.', {
  FORMAT_ONLY: 'Only the format was checked: no check was requested, or no authority checks this kind.',
  PENDING: 'The check by the authority is in progress.',
  VERIFIED: 'The authority reports that the number is assigned and valid.',
  UNVERIFIED: 'The authority reports that the number is not valid.',
  UNAVAILABLE: 'The authority does not respond; the check is retried for some hours.',
});
export type TaxIdVerificationState = keyof typeof TaxIdVerificationState.values;

/** The last response about a number, of each organisation that asked. */
@record({
  description: 'What an authority said of a tax id.',
  scope: 'organisation',
  key: 'id',
  prefix: 'tiv',
  internal: true,
  unique: [{ name: 'verified_tax_id_key', columns: 'organisation_id, type, number' }],
})
export class VerifiedTaxId {
  @identifier('Identifier, `tiv_…`.', { required: true, write: 'never' }) id!: string;
  @ledgerNumber('Organisation that asked.', { required: true, write: 'never', hidden: true }) organisationId!: number;
  @text('Kind of tax id.', { required: true, write: 'never' }) type!: string;
  @key('The number without separators.', { required: true, write: 'never' }) number!: string;
  @enumeration(TaxIdVerificationState, 'State of the check.', { required: true, write: 'never' }) state!: TaxIdVerificationState;
  @text('Who was asked.', { required: true, write: 'never' }) source!: string;
  @moment('When it was asked for last.', { required: true, write: 'never' }) requestedAt!: Date;
  @moment('Time of the last response of the authority, or of the last attempt.', { write: 'never' }) checkedAt!: Date | null;
  @text('Name of the holder.', { write: 'never' }) name!: string | null;
  @text('Address of the holder.', { write: 'never' }) address!: string | null;
  @text('Reference that the authority gave its response.', { write: 'never' }) reference!: string | null;
}

@ObjectType({ description: 'Result of the check of a tax id by an authority.', simpleResolvers: true })
export class TaxIdVerification {
  @Field(() => TaxIdVerificationState.values, { description: 'State of the check.' }) state!: string;
  @Field(() => String, { nullable: true, description: 'Checking authority, such as VIES; null without one.' }) source!: string | null;
  @Field(() => DateTime, { nullable: true, description: 'When the authority last responded or was last tried; null before.' })
  checkedAt!: Date | string | null;
  @Field(() => String, { nullable: true, description: 'Name of the holder, if the authority reports it.' }) name!: string | null;
  @Field(() => String, { nullable: true, description: 'Address of the holder, if the authority reports it.' }) address!: string | null;
  @Field(() => String, { nullable: true, description: 'Reference of the authority for its result.' }) reference!: string | null;
}

export const FORMAT_ONLY: TaxIdVerification = {
  state: 'FORMAT_ONLY',
  source: null,
  checkedAt: null,
  name: null,
  address: null,
  reference: null,
};

@ObjectType({ description: 'Result of `verifyTaxId`.', simpleResolvers: true })
export class VerifyTaxIdPayload {
  @Field(() => TaxIdVerification, { description: 'Current result of the check.' }) verification!: TaxIdVerification;
}

/** The task that asks an authority. */
export const VERIFICATION_TASK = 'tax-id-verification';

/** How long a response is taken without asking again. */
const ANSWER_LASTS_MS = 86_400_000;
/** How long an unanswered question is not sent again by a caller. The queue retries it in that time. */
const QUESTION_LASTS_MS = 600_000;

/** Whether a number need not be asked about now. */
function isSettled({ state, checkedAt, requestedAt }: VerifiedTaxId, now: Date): boolean {
  const isAnswered = state === 'VERIFIED' || state === 'UNVERIFIED';
  const since = isAnswered && checkedAt ? checkedAt : requestedAt;
  return now.getTime() - since.getTime() < (isAnswered ? ANSWER_LASTS_MS : QUESTION_LASTS_MS);
}

/** The kind of a number that is given without one. */
function kindOf(given: string): TaxId {
  const known = prefixedVatNumber(given);
  if (!known) throw missing('type', `type is required, because ${shortened(given)} is not a number for value added tax with its letters`);
  return known;
}

@Resolver()
export class TaxIdVerificationResolver {
  @access('PLATFORM', 'ENTITIES', 'INTEGRATIONS')
  @Mutation(() => VerifyTaxIdPayload, {
    description:
      'Asks an authority in the background whether a tax id is assigned. Returns PENDING at first, and the last result for a day; FORMAT_ONLY if the kind has no authority. Call it again, or read `verification` of the tax id, to see the result; a webhook gets it as `TAX_IDS_VERIFICATION_UPDATED`.',
  })
  async verifyTaxId(
    @Arg('type', () => String, {
      nullable: true,
      description:
        'Kind of number, such as DE_VAT; see `taxIdKinds`. It may be absent for a number for value added tax with its letters, such as DE136695976.',
    })
    givenType: string | null,
    @Arg('value', () => String, { description: 'The number.' }) given: string,
    @Ctx() context: RequestContext,
  ): Promise<VerifyTaxIdPayload> {
    const { services } = context;
    const { type, value } = givenType == null ? kindOf(given) : { type: givenType, value: given };
    if (!IDENTIFIER_KINDS.has(type)) throw invalid('type', `type must be a kind that taxIdKinds lists, not ${shortened(type)}`);
    const number = checkedValue(checkIdentifier(type, value)).compact;
    const authority = authorityFor(services.config, type);
    if (!authority) return { verification: FORMAT_ONLY };
    const { organisationId } = tenantOf(context);
    const now = services.clock.now();
    const verification = await transaction(context, async (em) => {
      await lockUntilCommit(em, `tax id ${organisationId}`);
      const known = await em.findOne(VerifiedTaxId, { type, number });
      if (known && isSettled(known, now)) {
        auditRecords(em, [{ id: known.id }]);
        return known;
      }
      const question = { state: 'PENDING', source: authority.source, requestedAt: now } as const;
      const id = known?.id ?? newId('tiv');
      const nothing = { checkedAt: null, name: null, address: null, reference: null };
      const row = known
        ? em.assign(known, question)
        : em.create(VerifiedTaxId, { ...question, ...nothing, id, organisationId, type, number });
      em.persist(row);
      enqueue(em, services.queue, VERIFICATION_TASK, { organisationId, id }, { singletonKey: id });
      return row;
    });
    return { verification };
  }
}
