// Operator mutations on sales tax registrations: the transitions of the two state machines, and archiving.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, Info, InputType, Mutation, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import { operate, reasonArgument } from '../../administration/operator-transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { accept } from '../../records/checked.ts';
import { GatewayError } from '../../records/errors.ts';
import { LocalDate, UUID } from '../../records/scalars.ts';
import { today } from '../shared/dates.ts';
import { payloadOf } from '../shared/payloads.ts';
import type { StateOf } from '../shared/states.ts';
import { lockRecord, moveTo, ValidationResult } from '../shared/transitions.ts';
import { contentEntry, contentInForce } from './content-resolver.ts';
import { planSettling, settleRegistration } from './dates.ts';
import { emitRegistrationEvent, emitStatusChange } from './events.ts';
import { Registration } from './registration.ts';
import { readRegistration, registrationGlobalId } from './resolver.ts';
import { checkTaxRegistrationId } from './rules.ts';

const StartPayload = payloadOf(Registration, 'startRegistration', 'registration');
const ConfirmPayload = payloadOf(Registration, 'confirmRegistration', 'registration');
const RejectPayload = payloadOf(Registration, 'rejectRegistration', 'registration');
const ClosePayload = payloadOf(Registration, 'closeRegistration', 'registration');
const ArchivePayload = payloadOf(Registration, 'archiveRegistration', 'registration');
const StartValidationPayload = payloadOf(Registration, 'startValidation', 'registration');
const FinishValidationPayload = payloadOf(Registration, 'finishValidation', 'registration');

@InputType({ description: 'Reason that a validation failed.' })
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
  registrationId: string;
  reason: string | null;
  context: RequestContext;
  info: GraphQLResolveInfo;
}

/** Locks and settles the record, does the work, settles it again and writes the audit log, in one transaction. Then reads it back. */
async function runMutation(
  { registrationId, reason, context, info }: OperatorMutation,
  work: (em: EntityManager, registration: Registration) => Promise<void> | void,
): Promise<Row> {
  const id = registrationGlobalId(registrationId);
  const call = { id, field: 'registrationId', reason };
  const { organisationId } = await operate(context, Registration, call, async (em) => {
    const registration = await lockRecord(em, Registration, { id, archivedAt: null }, { id, field: 'registrationId' });
    settleRegistration(em, context.services, registration);
    await work(em, registration);
    // The dates of effect may already have ended the new status.
    settleRegistration(em, context.services, registration);
  });
  const tree = lookAhead(info).fields.get('registration');
  return { registration: tree ? await readRegistration(context, id, tree, organisationId) : { id } };
}

function changeStanding(
  em: EntityManager,
  { services }: RequestContext,
  registration: Registration,
  to: StateOf<'registrationStatus'>,
): void {
  const previous = moveTo(registration, 'storedStatus', 'registrationStatus', to, services.clock.now());
  emitStatusChange(em, services, registration, previous, to);
}

const ID_TEXT = '`registrationId` of the registration.';

@Resolver()
export class RegistrationOperatorResolver {
  @access('ADMIN')
  @Mutation(() => StartPayload, { description: 'Records that a new registration was applied for at the authority.' })
  startRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ registrationId, reason, context, info }, (em, registration) =>
      changeStanding(em, context, registration, 'REGISTRATION_IN_PROGRESS'),
    );
  }

  @access('ADMIN')
  @Mutation(() => ConfirmPayload, {
    description: 'Records that the authority granted a registration, with the number it assigned.',
  })
  async confirmRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('taxRegistrationId', () => String, { description: 'Number that the authority assigned.' }) given: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { entries } = await contentInForce(context);
    return runMutation({ registrationId, reason, context, info }, (em, registration) => {
      const number = accept(checkTaxRegistrationId(contentEntry(entries, registration.registrationContentId), given), '');
      if (registration.registrationType !== 'NEW')
        throw new GatewayError('INVALID_STATE_TRANSITION', 'only a registration that was created as NEW can be confirmed', {
          field: 'registrationId',
        });
      changeStanding(em, context, registration, 'REGISTERED');
      if (registration.validationStatus === 'VALID' && registration.taxRegistrationId !== number) registration.validationStatus = 'PENDING';
      registration.taxRegistrationId = number;
      registration.effectiveStartDate ??= today(context.services.clock);
      emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.NEW.SUCCEEDED');
    });
  }

  @access('ADMIN')
  @Mutation(() => RejectPayload, { description: 'Records that the authority rejected a new registration.' })
  rejectRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ registrationId, reason, context, info }, (em, registration) => {
      changeStanding(em, context, registration, 'REJECTED');
      emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.NEW.INVALID');
    });
  }

  @access('ADMIN')
  @Mutation(() => ClosePayload, { description: 'Ends a registration, immediately or after a future day.' })
  closeRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('effectiveEndDate', () => LocalDate, {
      nullable: true,
      description: 'Last day of effect; defaults to today, which ends the registration immediately.',
    })
    endDate: string | null,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ registrationId, reason, context, info }, async (em, registration) => {
      const day = today(context.services.clock);
      if (endDate && endDate >= day) {
        await endLater(em, context, registration, endDate);
        return;
      }
      changeStanding(em, context, registration, 'CLOSED');
      registration.effectiveEndDate = endDate ?? day;
    });
  }

  @access('ADMIN')
  @Mutation(() => ArchivePayload, {
    description: 'Archives a registration, so that the corporation can register for the same content again.',
  })
  archiveRegistration(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ registrationId, reason, context, info }, (_, registration) => {
      registration.archivedAt = context.services.clock.now();
      registration.updatedAt = registration.archivedAt;
    });
  }

  @access('ADMIN')
  @Mutation(() => StartValidationPayload, { description: 'Starts the data check of a registration.' })
  startValidation(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return runMutation({ registrationId, reason, context, info }, (_, registration) => {
      moveTo(registration, 'validationStatus', 'validationStatus', 'VALIDATION_IN_PROGRESS', context.services.clock.now());
    });
  }

  @access('ADMIN')
  @Mutation(() => FinishValidationPayload, { description: 'Completes the data check of a registration.' })
  finishValidation(
    @Arg('registrationId', () => UUID, { description: ID_TEXT }) registrationId: string,
    @Arg('result', () => ValidationResult.values, { description: 'Result of the validation.' }) result: 'VALID' | 'INVALID',
    @Arg('failures', () => [ValidationFailureInput], { nullable: true, description: 'Reasons of the failure; only for INVALID.' }) failures:
      | ValidationFailureInput[]
      | null,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    if (result === 'VALID' && failures?.length)
      throw new GatewayError('INVALID_PARAMS', 'failures can be given only with the result INVALID', { field: 'failures' });
    return runMutation({ registrationId, reason, context, info }, (em, registration) => {
      moveTo(registration, 'validationStatus', 'validationStatus', result, context.services.clock.now());
      if (registration.registrationType !== 'EXISTING') return;
      if (result === 'VALID') emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.EXISTING.VALIDATION.SUCCEEDED');
      else
        emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.EXISTING.VALIDATION.FAILED', {
          failures: failures ?? [],
        });
    });
  }
}

/** Sets the last day of a REGISTERED or SCHEDULED registration, which closes after that day. */
async function endLater(em: EntityManager, context: RequestContext, registration: Registration, endDate: string): Promise<void> {
  const { storedStatus, effectiveStartDate } = registration;
  const isEnding = storedStatus === 'REGISTERED' || storedStatus === 'SCHEDULED';
  if (!isEnding || (effectiveStartDate !== null && effectiveStartDate >= endDate))
    throw new GatewayError(
      'INVALID_STATE_TRANSITION',
      'only a registration that is REGISTERED or SCHEDULED, and starts before effectiveEndDate, can end on a future day',
      { field: 'registrationId' },
    );
  registration.effectiveEndDate = endDate;
  registration.updatedAt = context.services.clock.now();
  await planSettling(context, em, registration, null, endDate);
}
