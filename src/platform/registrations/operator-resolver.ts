// Operator mutations on sales tax registrations: the transitions of the two state machines, and archiving.
import { Extensions, Field, InputType } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import { operate, reason } from '../../administration/operator-transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import {
  type Argument,
  type Arguments,
  argument,
  type Call,
  type DeclaredField,
  optional,
  resolver,
  type Values,
} from '../../graphql/declared/fields.ts';
import { recordMutation } from '../../graphql/declared/payloads.ts';
import { accept } from '../../records/checked.ts';
import { GatewayError } from '../../records/errors.ts';
import { LocalDate } from '../../records/scalars.ts';
import { today } from '../shared/dates.ts';
import type { StateOf } from '../shared/states.ts';
import { lockRecord, moveTo, ValidationResult } from '../shared/transitions.ts';
import { contentEntry, contentInForce } from './content-resolver.ts';
import { planSettling, settleRegistration } from './dates.ts';
import { emitRegistrationEvent, emitStatusChange } from './events.ts';
import { Registration } from './registration.ts';
import { registrationGlobalId, registrationId } from './resolver.ts';
import { checkTaxRegistrationId } from './rules.ts';

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

type Work = (em: EntityManager, registration: Registration) => Promise<void> | void;

/**
 * A mutation that locks and settles the registration, does its work, settles it again and writes the audit log, in one transaction. `begin`
 * checks the arguments before, and returns the work.
 */
const transition = <A extends Arguments>(
  description: string,
  args: A,
  begin: (args: Values<A>, context: RequestContext) => Work | Promise<Work>,
): DeclaredField => {
  const write = async (
    given: Values<{ registrationId: Argument<string>; reason: Argument<string | null> }>,
    args: Values<A>,
    { context }: Call,
  ) => {
    const work = await begin(args, context);
    const id = registrationGlobalId(given.registrationId);
    const field = 'registrationId';
    const { organisationId } = await operate(context, Registration, { id, field, reason: given.reason }, async (em) => {
      const registration = await lockRecord(em, Registration, { id, archivedAt: null }, { id, field });
      settleRegistration(em, context.services, registration);
      await work(em, registration);
      // The dates of effect may already have ended the new status.
      settleRegistration(em, context.services, registration);
    });
    return { id, organisationId };
  };
  return recordMutation(Registration, { roles: ['ADMIN'] })(description, { registrationId, ...args, reason }, (given, call) =>
    write(given, given, call),
  );
};

function changeStanding(
  em: EntityManager,
  { services }: RequestContext,
  registration: Registration,
  to: StateOf<'registrationStatus'>,
): void {
  const previous = moveTo(registration, 'storedStatus', 'registrationStatus', to, services.clock.now());
  emitStatusChange(em, services, registration, previous, to);
}

export const RegistrationOperatorResolver = resolver({
  startRegistration: transition(
    'Records that a new registration was applied for at the authority.',
    {},
    (_, context) => (em, registration) => changeStanding(em, context, registration, 'REGISTRATION_IN_PROGRESS'),
  ),
  confirmRegistration: transition(
    'Records that the authority granted a registration, with the number it assigned.',
    { taxRegistrationId: argument<string>(() => String, 'Number that the authority assigned.') },
    async ({ taxRegistrationId }, context) => {
      const { entries } = await contentInForce(context);
      return (em, registration) => {
        const entry = contentEntry(entries, registration.registrationContentId);
        const number = accept(checkTaxRegistrationId(entry, taxRegistrationId), '');
        if (registration.registrationType !== 'NEW')
          throw new GatewayError('INVALID_STATE_TRANSITION', 'only a registration that was created as NEW can be confirmed', {
            field: 'registrationId',
          });
        changeStanding(em, context, registration, 'REGISTERED');
        if (registration.validationStatus === 'VALID' && registration.taxRegistrationId !== number)
          registration.validationStatus = 'PENDING';
        registration.taxRegistrationId = number;
        registration.effectiveStartDate ??= today(context.services.clock);
        emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.NEW.SUCCEEDED');
      };
    },
  ),
  rejectRegistration: transition('Records that the authority rejected a new registration.', {}, (_, context) => (em, registration) => {
    changeStanding(em, context, registration, 'REJECTED');
    emitRegistrationEvent(em, context.services, registration, 'REGISTRATIONS.NEW.INVALID');
  }),
  closeRegistration: transition(
    'Ends a registration, immediately or after a future day.',
    {
      effectiveEndDate: optional<string>(
        () => LocalDate,
        'Last day of effect; defaults to today, which ends the registration immediately.',
      ),
    },
    ({ effectiveEndDate: endDate }, context) =>
      async (em, registration) => {
        const day = today(context.services.clock);
        if (endDate && endDate >= day) {
          await endLater(em, context, registration, endDate);
          return;
        }
        changeStanding(em, context, registration, 'CLOSED');
        registration.effectiveEndDate = endDate ?? day;
      },
  ),
  archiveRegistration: transition(
    'Archives a registration, so that the corporation can register for the same content again.',
    {},
    (_, { services }) =>
      (_em, registration) => {
        registration.archivedAt = services.clock.now();
        registration.updatedAt = registration.archivedAt;
      },
  ),
  startValidation: transition('Starts the data check of a registration.', {}, (_, { services }) => (_em, registration) => {
    moveTo(registration, 'validationStatus', 'validationStatus', 'VALIDATION_IN_PROGRESS', services.clock.now());
  }),
  finishValidation: transition(
    'Completes the data check of a registration.',
    {
      result: argument<'VALID' | 'INVALID'>(() => ValidationResult.values, 'Result of the validation.'),
      failures: optional<ValidationFailureInput[]>(() => [ValidationFailureInput], 'Reasons of the failure; only for INVALID.'),
    },
    ({ result, failures }, { services }) => {
      if (result === 'VALID' && failures?.length)
        throw new GatewayError('INVALID_PARAMS', 'failures can be given only with the result INVALID', { field: 'failures' });
      return (em, registration) => {
        moveTo(registration, 'validationStatus', 'validationStatus', result, services.clock.now());
        if (registration.registrationType !== 'EXISTING') return;
        if (result === 'VALID') emitRegistrationEvent(em, services, registration, 'REGISTRATIONS.EXISTING.VALIDATION.SUCCEEDED');
        else emitRegistrationEvent(em, services, registration, 'REGISTRATIONS.EXISTING.VALIDATION.FAILED', { failures: failures ?? [] });
      };
    },
  ),
});

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
