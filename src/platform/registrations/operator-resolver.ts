// Operator mutations on sales tax registrations: the transitions of the two state machines, and archiving.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, Info, InputType, Mutation, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import { reasonArgument } from '../../administration/audit-log.ts';
import { operate } from '../../administration/operator-transaction.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { GatewayError } from '../../records/errors.ts';
import { LocalDate, UUID } from '../../records/scalars.ts';
import { accept } from '../shared/checks.ts';
import { today } from '../shared/dates.ts';
import { payloadOf } from '../shared/payloads.ts';
import type { StateOf } from '../shared/states.ts';
import { moveTo, ValidationResult } from '../shared/transitions.ts';
import { contentEntry, contentInForce } from './content-resolver.ts';
import { planSettling, settleRegistration } from './dates.ts';
import { emitRegistrationEvent, emitStatusChange, type RegistrationRef } from './events.ts';
import { Registration, readRegistration, registrationGlobalId } from './registration.ts';
import { checkTaxRegistrationId } from './rules.ts';

const registrations = { table: 'registration', noun: 'registration', unknown: 'REGISTRATION_NOT_FOUND' } as const;
const standing = { ...registrations, column: 'stored_status', machine: 'registrationStatus' } as const;
const validation = { ...registrations, column: 'validation_status', machine: 'validationStatus' } as const;

const StartPayload = payloadOf(Registration, 'startRegistration', 'registration');
const ConfirmPayload = payloadOf(Registration, 'confirmRegistration', 'registration');
const RejectPayload = payloadOf(Registration, 'rejectRegistration', 'registration');
const ClosePayload = payloadOf(Registration, 'closeRegistration', 'registration');
const ArchivePayload = payloadOf(Registration, 'archiveRegistration', 'registration');
const StartValidationPayload = payloadOf(Registration, 'startValidation', 'registration');
const FinishValidationPayload = payloadOf(Registration, 'finishValidation', 'registration');

@InputType({ description: 'A reason why a validation failed.' })
@Extensions({ trims: true })
export class ValidationFailureInput {
  @Field(() => String, { description: 'Machine-readable reason, such as INPUTS.INVALID_CREDENTIALS.' })
  @Extensions({ rules: { pattern: /^[A-Z0-9_.]{1,100}$/, expectation: 'upper-case letters, digits, underscores and full stops' } })
  code!: string;
  @Field(() => String, { description: 'One sentence for people.' })
  @Extensions({ rules: { minLength: 1, maxLength: 500 } })
  message!: string;
}

interface OperatorMutation {
  action: string;
  registrationId: string;
  reason: string | null;
  context: RequestContext;
  info: GraphQLResolveInfo;
}

/** The columns of a registration that the mutations read. */
interface Stored {
  corporation_id: string;
  registration_type: string;
  registration_content_id: string;
  tax_registration_id: string | null;
  validation_status: string;
}

/** Locks and settles the row, does the work, settles the row again and writes the audit log, in one transaction. Then reads the record back. */
async function runMutation(
  { action, registrationId, reason, context, info }: OperatorMutation,
  work: (em: EntityManager, registration: RegistrationRef, stored: Stored) => Promise<void>,
): Promise<Row> {
  const id = registrationGlobalId(registrationId);
  const call = { action, id, reason };
  const { organisationId } = await operate(context, registrations, call, async (em, organisation) => {
    await settleRegistration(em, context.services, organisation, id);
    const [stored] = await executeIn<Stored>(
      em,
      `select corporation_id, registration_type, registration_content_id, tax_registration_id, validation_status from registration where id = $1 and archived_at is null`,
      [id],
    );
    if (!stored)
      throw new GatewayError('REGISTRATION_NOT_FOUND', `registration ${registrationId} is archived`, { field: 'registrationId' });
    await work(em, { organisationId: organisation, id, corporationId: stored.corporation_id }, stored);
    // The dates of effect may already have ended the new status.
    await settleRegistration(em, context.services, organisation, id);
  });
  const tree = lookAhead(info).fields.get('registration');
  return { registration: tree ? await readRegistration(context, organisationId, id, tree) : { id } };
}

async function changeStanding(
  em: EntityManager,
  { services }: RequestContext,
  registration: RegistrationRef,
  to: StateOf<'registrationStatus'>,
): Promise<void> {
  const previous = await moveTo(em, standing, registration.id, to, services.clock.now());
  await emitStatusChange(em, services, registration, previous, to);
}

const ID_TEXT = 'The `registrationId` of the registration.';

@Resolver()
export class RegistrationOperatorResolver {
  @access('ADMIN')
  @Mutation(() => StartPayload as never, { description: 'Records that a new registration was applied for at the authority.' })
  startRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ action: 'startRegistration', registrationId, reason, context, info }, (em, registration) =>
      changeStanding(em, context, registration, 'REGISTRATION_IN_PROGRESS'),
    );
  }

  @access('ADMIN')
  @Mutation(() => ConfirmPayload as never, {
    description: 'Records that the authority granted a registration, with the number it assigned.',
  })
  async confirmRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('taxRegistrationId', () => String, { description: 'Number the authority assigned.' }) given: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { entries } = await contentInForce(context);
    return runMutation({ action: 'confirmRegistration', registrationId, reason, context, info }, async (em, registration, stored) => {
      const number = accept(checkTaxRegistrationId(contentEntry(entries, stored.registration_content_id), given), '');
      if (stored.registration_type !== 'NEW')
        throw new GatewayError('INVALID_STATE_TRANSITION', 'only a registration that was created as NEW can be confirmed', {
          field: 'registrationId',
        });
      await changeStanding(em, context, registration, 'REGISTERED');
      await executeIn(
        em,
        `update registration set tax_registration_id = $2, effective_start_date = coalesce(effective_start_date, $3::date),
           validation_status = case when validation_status = 'VALID' and tax_registration_id is distinct from $2 then 'PENDING' else validation_status end
         where id = $1`,
        [registration.id, number, today(context.services.clock)],
      );
      await emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.NEW.SUCCEEDED');
    });
  }

  @access('ADMIN')
  @Mutation(() => RejectPayload as never, { description: 'Records that the authority refused a new registration.' })
  rejectRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ action: 'rejectRegistration', registrationId, reason, context, info }, async (em, registration) => {
      await changeStanding(em, context, registration, 'REJECTED');
      await emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.NEW.INVALID');
    });
  }

  @access('ADMIN')
  @Mutation(() => ClosePayload as never, { description: 'Ends a registration, at once or after a future day.' })
  closeRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('effectiveEndDate', () => LocalDate, {
      nullable: true,
      description: 'Last day of effect. When absent, it is today, and the registration ends at once.',
    })
    endDate: string | null,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ action: 'closeRegistration', registrationId, reason, context, info }, async (em, registration) => {
      const day = today(context.services.clock);
      if (endDate && endDate >= day) {
        await endLater(em, context, registration, endDate);
        return;
      }
      await changeStanding(em, context, registration, 'CLOSED');
      await executeIn(em, 'update registration set effective_end_date = $2::date where id = $1', [registration.id, endDate ?? day]);
    });
  }

  @access('ADMIN')
  @Mutation(() => ArchivePayload as never, {
    description: 'Archives a registration, so that the corporation can be registered for the same content again.',
  })
  archiveRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ action: 'archiveRegistration', registrationId, reason, context, info }, async (em, registration) => {
      const now = context.services.clock.now().toISOString();
      await executeIn(em, 'update registration set archived_at = $2::timestamptz, updated_at = $2::timestamptz where id = $1', [
        registration.id,
        now,
      ]);
    });
  }

  @access('ADMIN')
  @Mutation(() => StartValidationPayload as never, { description: 'Starts the check of the data of a registration.' })
  startValidation(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ action: 'startValidation', registrationId, reason, context, info }, async (em, registration) => {
      await moveTo(em, validation, registration.id, 'VALIDATION_IN_PROGRESS', context.services.clock.now());
    });
  }

  @access('ADMIN')
  @Mutation(() => FinishValidationPayload as never, { description: 'Ends the check of the data of a registration.' })
  finishValidation(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('result', () => ValidationResult.values as never, { description: 'How it ended.' }) result: 'VALID' | 'INVALID',
    @Arg('failures', () => [ValidationFailureInput], { nullable: true, description: 'Why it failed; only for INVALID.' }) failures:
      | ValidationFailureInput[]
      | null,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    if (result === 'VALID' && failures?.length)
      throw new GatewayError('INVALID_PARAMS', 'failures can be given only with the result INVALID', { field: 'failures' });
    return runMutation({ action: 'finishValidation', registrationId, reason, context, info }, async (em, registration, stored) => {
      await moveTo(em, validation, registration.id, result, context.services.clock.now());
      if (stored.registration_type !== 'EXISTING') return;
      if (result === 'VALID')
        await emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.EXISTING.VALIDATION.SUCCEEDED');
      else
        await emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.EXISTING.VALIDATION.FAILED', {
          failures: failures ?? [],
        });
    });
  }
}

/** Sets the last day of a REGISTERED or SCHEDULED registration, which closes after that day. */
async function endLater(
  em: EntityManager,
  context: RequestContext,
  { organisationId, id }: RegistrationRef,
  endDate: string,
): Promise<void> {
  const rows = await executeIn<{ stored_status: string }>(
    em,
    `update registration set effective_end_date = $2::date, updated_at = $3::timestamptz
     where id = $1 and stored_status in ('REGISTERED', 'SCHEDULED') and (effective_start_date is null or effective_start_date < $2::date) returning stored_status`,
    [id, endDate, context.services.clock.now().toISOString()],
  );
  if (!rows[0])
    throw new GatewayError(
      'INVALID_STATE_TRANSITION',
      'only a registration that is REGISTERED or SCHEDULED, and starts before effectiveEndDate, can end on a future day',
      { field: 'registrationId' },
    );
  await planSettling(context, em, organisationId, id, null, endDate);
}
