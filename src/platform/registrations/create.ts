// Creating and correcting sales tax registrations: every check against the content entry, then one transaction.
import { Extensions, Field, InputType } from 'type-graphql';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { argument, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation, type Written } from '../../graphql/declared/payloads.ts';
import { createInput } from '../../graphql/input-types.ts';
import { accept } from '../../records/checked.ts';
import { type ErrorCode, GatewayError, inputError } from '../../records/errors.ts';
import { checkNew, type Given } from '../../records/fields.ts';
import { newId } from '../../records/ids.ts';
import { shareLockCorporation } from '../corporations/resolver.ts';
import { today, yearsAfter } from '../shared/dates.ts';
import { checkIdentifier } from '../shared/government-identifiers.ts';
import { withUnique } from '../shared/payloads.ts';
import { firstRegistrationStatus, type RegistrationType as RegistrationTypeName } from '../shared/states.ts';
import { lockRecord } from '../shared/transitions.ts';
import type { RegistrationContent } from './content/content-shape.ts';
import { type Content, contentEntry, contentInForce } from './content-resolver.ts';
import { planSettling } from './dates.ts';
import { emitStatusChange } from './events.ts';
import { Registration } from './registration.ts';
import { registrationGlobalId, registrationId } from './resolver.ts';
import { checkInputValues, checkTaxRegistrationId, checkTaxTypes, missingPrerequisites, needsTaxTypes } from './rules.ts';

export const CreateRegistrationInput = createInput(Registration, 'A registration to record or to obtain.', {
  defaults: ['registrationType', 'registeredBy'],
});

/** A registration to create, with the types of what the content entry decides on. */
interface NewRegistration extends Given<Registration> {
  corporationId: string;
  registrationContentId: string;
  registrationType: RegistrationTypeName;
  taxTypes?: string[] | null;
  frequency?: string | null;
  effectiveStartDate?: string | null;
  effectiveEndDate?: string | null;
  taxRegistrationId?: string | null;
}

const refuse = (field: string, code: 'REQUIRED' | 'OUT_OF_RANGE', message: string): GatewayError =>
  inputError({ issues: [{ field: `input.${field}`, code, message }] });

const wrongValue = (code: ErrorCode, field: string, message: string): GatewayError =>
  new GatewayError(code, message, { field: `input.${field}`, issues: [{ field: `input.${field}`, code: 'INVALID_VALUE', message }] });

function checkDates({ registrationType, effectiveStartDate, effectiveEndDate }: NewRegistration, day: string): void {
  if (registrationType === 'EXISTING' && !effectiveStartDate)
    throw refuse('effectiveStartDate', 'REQUIRED', 'effectiveStartDate is required for an existing registration');
  if (effectiveStartDate && effectiveStartDate > yearsAfter(day, 1))
    throw refuse('effectiveStartDate', 'OUT_OF_RANGE', 'effectiveStartDate must be at most one year ahead');
  if (effectiveStartDate && effectiveEndDate && effectiveEndDate <= effectiveStartDate)
    throw refuse('effectiveEndDate', 'OUT_OF_RANGE', 'effectiveEndDate must be after the start date');
}

/** The tax types of a registration; REGISTRATION_INVALID_TAX_TYPE for those the entry does not name. */
function taxTypesOf(entry: RegistrationContent, jurisdictionType: string, given: string[] | null | undefined): string[] | null {
  if (given) return accept(checkTaxTypes(entry, given), 'input.', 'REGISTRATION_INVALID_TAX_TYPE');
  if (needsTaxTypes(jurisdictionType))
    throw refuse('taxTypes', 'REQUIRED', `taxTypes is required for the jurisdiction type ${jurisdictionType}`);
  return null;
}

/** The authority's number, and a warning when its check digits do not fit. */
function numberOf(entry: RegistrationContent, given: string | null | undefined): { number: string | null; warnings: string[] } {
  if (!given) return { number: null, warnings: [] };
  const number = accept(checkTaxRegistrationId(entry, given), 'input.');
  const { identifierKey } = entry.taxRegistrationId;
  const verdict = identifierKey === null ? undefined : checkIdentifier(identifierKey, number);
  const doubtful = verdict?.ok === true && verdict.value.verdict === 'warning';
  return { number, warnings: doubtful ? [`taxRegistrationId ${number} was stored as INVALID: its check digits do not fit`] : [] };
}

async function requirePrerequisites(em: EntityManager, entry: RegistrationContent, corporationId: string): Promise<void> {
  if (entry.prerequisites.length === 0) return;
  const where = { corporationId, archivedAt: null, storedStatus: { $nin: ['CLOSED', 'REJECTED'] as const } };
  const rows = await em.find(Registration, where, { fields: ['registrationContentId'] });
  const missing = missingPrerequisites(entry, new Set(rows.map((row) => row.registrationContentId)))[0];
  if (missing) {
    const message = `${entry.registrationContentId} needs a registration of the corporation for one of ${missing.join(', ')} first`;
    throw new GatewayError('REGISTRATION_PREREQUISITE_MISSING', message, { field: 'input.registrationContentId' });
  }
}

const duplicate = (entry: RegistrationContent) => (): GatewayError =>
  new GatewayError('REGISTRATION_DUPLICATE', `the corporation already has a registration for ${entry.registrationContentId}`, {
    field: 'input.registrationContentId',
  });

/** Creates a registration for an organisation; returns its id and the warnings about its input. */
export async function createRegistration(context: RequestContext, input: NewRegistration): Promise<Written<string>> {
  const { clock } = context.services;
  const content: Content = await contentInForce(context);
  const entry = contentEntry(content.entries, input.registrationContentId, 'input.registrationContentId');
  const jurisdiction = content.jurisdictions.get(entry.jurisdictionId)!;
  const day = today(clock);
  const taxTypes = taxTypesOf(entry, jurisdiction.type, input.taxTypes);
  const frequency = input.frequency ?? null;
  if (frequency !== null && !entry.frequencies.some((one) => one === frequency)) {
    throw wrongValue('REGISTRATION_INVALID_FREQUENCY', 'frequency', `frequency must be one of: ${entry.frequencies.join(', ')}`);
  }
  checkDates(input, day);
  const { number, warnings } = numberOf(entry, input.taxRegistrationId);
  // Answers are checked only when there are any: an existing registration was granted on answers given elsewhere.
  const inputValues = input.inputValues
    ? accept(checkInputValues(content.pack.fieldSets[entry.fieldSet]!, input.inputValues), 'input.')
    : {};
  const { effectiveStartDate = null, effectiveEndDate = null } = input;
  const status = firstRegistrationStatus(input.registrationType, effectiveStartDate, effectiveEndDate, day);
  const fields = accept(checkNew(Registration, { ...input, taxTypes, taxRegistrationId: number, inputValues }), 'input.');
  const { organisationId } = tenantOf(context);
  const id = newId('reg');
  const now = clock.now();
  await withUnique({ registration_content_key: duplicate(entry) }, () =>
    transaction(context, async (em) => {
      const { emailAlias } = await shareLockCorporation(em, organisationId, input.corporationId, 'input.corporationId');
      await requirePrerequisites(em, entry, input.corporationId);
      const registration = em.create(Registration, {
        ...fields,
        id,
        organisationId,
        jurisdictionId: jurisdiction.jurisdictionId,
        jurisdictionType: jurisdiction.type,
        jurisdictionName: jurisdiction.name,
        country: jurisdiction.country,
        stateOrProvince: jurisdiction.stateOrProvince,
        storedStatus: status,
        validationStatus: warnings.length > 0 ? 'INVALID' : 'PENDING',
        emailAlias,
        createdAt: now,
        updatedAt: now,
      });
      em.persist(registration);
      await planSettling(context, em, registration, effectiveStartDate, effectiveEndDate);
      emitStatusChange(em, context.services, registration, null, status);
    }),
  );
  return { id, warnings };
}

@InputType({ description: 'Number or tax types to correct; at least one of them.' })
@Extensions({ trims: true })
export class CorrectRegistrationInput {
  @Field(() => String, { nullable: true, description: 'Number that the authority assigned.' }) taxRegistrationId?: string | null;
  @Field(() => [String], { nullable: true, description: 'Types to use instead, such as RST.' }) taxTypes?: string[] | null;
}

/** Changes the number or the tax types. The registration has to be validated again afterwards. */
async function correctRegistration(
  context: RequestContext,
  registrationId: string,
  input: CorrectRegistrationInput,
): Promise<{ id: string; warnings: string[] }> {
  if (input.taxRegistrationId == null && input.taxTypes == null)
    throw refuse('taxRegistrationId', 'REQUIRED', 'taxRegistrationId or taxTypes is required');
  const id = registrationGlobalId(registrationId);
  const { entries } = await contentInForce(context);
  return transaction(context, async (em) => {
    const stored = await lockRecord(em, Registration, { id, archivedAt: null }, { id, field: 'registrationId' });
    if (stored.validationStatus === 'VALIDATION_IN_PROGRESS')
      throw new GatewayError(
        'INVALID_STATE_TRANSITION',
        'validationStatus is VALIDATION_IN_PROGRESS; correct the registration after the validation has ended',
      );
    const entry = contentEntry(entries, stored.registrationContentId);
    const { number, warnings } = numberOf(entry, input.taxRegistrationId ?? stored.taxRegistrationId);
    em.assign(stored, {
      taxRegistrationId: number,
      taxTypes: taxTypesOf(entry, stored.jurisdictionType, input.taxTypes ?? stored.taxTypes),
      validationStatus: warnings.length > 0 ? 'INVALID' : 'PENDING',
      updatedAt: context.services.clock.now(),
    });
    return { id, warnings };
  });
}

const written = { roles: ['PLATFORM'], stored: 'The registration.', warnings: true } as const;

export const RegistrationWriteResolver = resolver({
  createRegistration: recordMutation(Registration, { ...written, bulk: 'createRegistrations' })(
    'Creates a registration of a corporation.',
    { input: argument<NewRegistration>(() => CreateRegistrationInput, 'The registration.') },
    ({ input }, { context }) => createRegistration(context, input),
  ),
  correctRegistration: recordMutation(Registration, { ...written, bulk: 'correctRegistrations' })(
    'Corrects the number or the tax types of a registration, which must then be validated again.',
    {
      registrationId,
      input: argument<CorrectRegistrationInput>(() => CorrectRegistrationInput, 'Registration, and what to correct.'),
    },
    ({ registrationId, input }, { context }) => correctRegistration(context, registrationId, input),
  ),
});
