// Creating and correcting sales tax registrations: every check against the content entry, then one transaction.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, ID, Info, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { type ErrorCode, GatewayError, inputError } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { JSONObject, LocalDate, UUID } from '../../records/scalars.ts';
import { shareLockCorporation } from '../corporations/resolver.ts';
import { accept } from '../shared/checks.ts';
import { today, yearsAfter } from '../shared/dates.ts';
import { checkIdentifier } from '../shared/government-identifiers.ts';
import { withUnique } from '../shared/payloads.ts';
import { firstRegistrationStatus, type RegistrationType as RegistrationTypeName } from '../shared/states.ts';
import type { RegistrationContent } from './content/content-shape.ts';
import { type Content, contentEntry, contentInForce } from './content-resolver.ts';
import { planSettling } from './dates.ts';
import { RegisteredBy, RegistrationType } from './enums.ts';
import { emitStatusChange } from './events.ts';
import { Registration, readRegistration, registrationGlobalId, unknownRegistration } from './registration.ts';
import { checkInputValues, checkTaxRegistrationId, checkTaxTypes, missingPrerequisites, needsTaxTypes } from './rules.ts';

const short = { rules: { maxLength: 255 } };

@InputType({ description: 'A registration to record, or to obtain.' })
@Extensions({ trims: true })
export class CreateRegistrationInput {
  @Field(() => ID, { description: 'Corporation that is registered.' }) corporationId!: string;
  @Field(() => ID, { description: 'Content id from `registrationInputOptions`.' }) registrationContentId!: string;
  @Field(() => [String], {
    nullable: true,
    description: 'Tax types, of those the content entry names. May be absent below state level only.',
  })
  taxTypes?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Filing frequency, one of the content entry.' }) frequency?: string | null;
  @Field(() => RegistrationType.values as never, { defaultValue: 'EXISTING', description: 'Whether it exists at the authority already.' })
  registrationType!: RegistrationTypeName;
  @Field(() => LocalDate, { nullable: true, description: 'First day of effect, at most a year ahead; needed for an existing one.' })
  effectiveStartDate?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Last day of effect; after the first.' }) effectiveEndDate?: string | null;
  @Field(() => String, { nullable: true, description: 'Number the authority assigned.' }) taxRegistrationId?: string | null;
  @Field(() => JSONObject, { nullable: true, description: "Answers by key of the content entry's `inputFields`." }) inputValues?: Record<
    string,
    unknown
  > | null;
  @Field(() => RegisteredBy.values as never, { defaultValue: 'API', description: 'Who makes it.' }) registeredBy!: string;
  @Field(() => String, { nullable: true, description: 'Portal of the authority; stored as a reference.' }) @Extensions(short) portalId?:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'A login stored elsewhere; stored here as a reference.' })
  @Extensions(short)
  credentialId?: string | null;
}

@ObjectType({ description: 'Result of `createRegistration`.', simpleResolvers: true })
export class CreateRegistrationPayload {
  @Field(() => Registration, { description: 'The registration.' }) registration!: Registration;
  @Field(() => [String], { description: 'Remarks on input that was accepted.' }) warnings!: string[];
}

@ObjectType({ description: 'Result of `correctRegistration`.', simpleResolvers: true })
export class CorrectRegistrationPayload {
  @Field(() => Registration, { description: 'The registration.' }) registration!: Registration;
  @Field(() => [String], { description: 'Remarks on input that was accepted.' }) warnings!: string[];
}

const refuse = (field: string, code: 'REQUIRED' | 'OUT_OF_RANGE', message: string): GatewayError =>
  inputError([{ field: `input.${field}`, code, message }]);

const wrongValue = (code: ErrorCode, field: string, message: string): GatewayError =>
  new GatewayError(code, message, { field: `input.${field}`, issues: [{ field: `input.${field}`, code: 'INVALID_VALUE', message }] });

function checkDates({ registrationType, effectiveStartDate, effectiveEndDate }: CreateRegistrationInput, day: string): void {
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
  if (needsTaxTypes(jurisdictionType)) throw refuse('taxTypes', 'REQUIRED', `taxTypes is required for a ${jurisdictionType}`);
  return null;
}

/** The authority's number, and a warning when its check digits are wrong in a country where that does not refuse it. */
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
  const rows = await executeIn<{ id: string }>(
    em,
    `select registration_content_id as id from registration
     where corporation_id = $1 and archived_at is null and stored_status not in ('CLOSED', 'REJECTED')`,
    [corporationId],
  );
  const missing = missingPrerequisites(entry, new Set(rows.map((row) => row.id)))[0];
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
export async function createRegistration(
  context: RequestContext,
  input: CreateRegistrationInput,
): Promise<{ id: string; warnings: string[] }> {
  const { clock } = context.services;
  const content: Content = await contentInForce(context);
  const entry = contentEntry(content.entries, input.registrationContentId, 'input.registrationContentId');
  const jurisdiction = content.jurisdictions.get(entry.jurisdictionId)!;
  const day = today(clock);
  const taxTypes = taxTypesOf(entry, jurisdiction.type, input.taxTypes);
  const frequency = input.frequency ?? null;
  if (frequency !== null && !(entry.frequencies as string[]).includes(frequency)) {
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
  const { organisationId } = tenantOf(context);
  const id = newId('reg');
  await withUnique({ registration_content_key: duplicate(entry) }, () =>
    transaction(context, async (em) => {
      await shareLockCorporation(em, organisationId, input.corporationId, 'input.corporationId');
      await requirePrerequisites(em, entry, input.corporationId);
      await executeIn(
        em,
        `insert into registration (id, organisation_id, corporation_id, registration_content_id, jurisdiction_id, jurisdiction_type, jurisdiction_name,
           country, state_or_province, tax_types, frequency, registration_type, stored_status, validation_status, effective_start_date,
           effective_end_date, tax_registration_id, input_values, registered_by, portal_id, credential_id, email_alias, created_at, updated_at)
         select $1, $2, c.id, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12, $13, $14, $15::date, $16::date, $17, $18::jsonb, $19, $20, $21,
           c.email_alias, $22::timestamptz, $22::timestamptz
         from corporation c where c.id = $3`,
        [
          id,
          organisationId,
          input.corporationId,
          entry.registrationContentId,
          jurisdiction.jurisdictionId,
          jurisdiction.type,
          jurisdiction.name,
          jurisdiction.country,
          jurisdiction.stateOrProvince,
          taxTypes && JSON.stringify(taxTypes),
          frequency,
          input.registrationType,
          status,
          warnings.length > 0 ? 'INVALID' : 'PENDING',
          effectiveStartDate,
          effectiveEndDate,
          number,
          JSON.stringify(inputValues),
          input.registeredBy,
          input.portalId ?? null,
          input.credentialId ?? null,
          clock.now().toISOString(),
        ],
      );
      await planSettling(context, em, organisationId, id, effectiveStartDate, effectiveEndDate);
      await emitStatusChange(em, context.services, { organisationId, id, corporationId: input.corporationId }, null, status);
    }),
  );
  return { id, warnings };
}

@InputType({ description: 'What to correct in a registration; at least one of the two.' })
@Extensions({ trims: true })
export class CorrectRegistrationInput {
  @Field(() => String, { nullable: true, description: 'Number the authority assigned.' }) taxRegistrationId?: string | null;
  @Field(() => [String], { nullable: true, description: 'Tax types.' }) taxTypes?: string[] | null;
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
    const [row] = await executeIn<{ content: string; type: string; validation: string; number: string | null; tax_types: string[] | null }>(
      em,
      `select registration_content_id as content, jurisdiction_type as type, validation_status as validation, tax_registration_id as number, tax_types
       from registration where id = $1 and archived_at is null for update`,
      [id],
    );
    if (!row) throw unknownRegistration(registrationId);
    if (row.validation === 'VALIDATION_IN_PROGRESS')
      throw new GatewayError(
        'INVALID_STATE_TRANSITION',
        'validationStatus is VALIDATION_IN_PROGRESS; correct the registration after the validation has ended',
      );
    const entry = contentEntry(entries, row.content);
    const { number, warnings } = numberOf(entry, input.taxRegistrationId ?? row.number);
    const taxTypes = taxTypesOf(entry, row.type, input.taxTypes ?? row.tax_types);
    await executeIn(
      em,
      `update registration set tax_registration_id = $2, tax_types = $3::jsonb, validation_status = $4, updated_at = $5::timestamptz where id = $1`,
      [
        id,
        number,
        taxTypes && JSON.stringify(taxTypes),
        warnings.length > 0 ? 'INVALID' : 'PENDING',
        context.services.clock.now().toISOString(),
      ],
    );
    return { id, warnings };
  });
}

@Resolver()
export class RegistrationWriteResolver {
  @access('PLATFORM')
  @Mutation(() => CreateRegistrationPayload, { description: 'Creates a registration of a corporation.' })
  async createRegistration(
    @Arg('input', () => CreateRegistrationInput, { description: 'The registration.' }) input: CreateRegistrationInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return answer(context, info, await createRegistration(context, input));
  }

  @access('PLATFORM')
  @Mutation(() => CorrectRegistrationPayload, {
    description: 'Corrects the number or the tax types of a registration, which is then to be validated again.',
  })
  async correctRegistration(
    @Arg('registrationId', () => UUID, { description: 'Its `registrationId`.' }) registrationId: string,
    @Arg('input', () => CorrectRegistrationInput, { description: 'What to correct.' }) input: CorrectRegistrationInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return answer(context, info, await correctRegistration(context, registrationId, input));
  }
}

async function answer(
  context: RequestContext,
  info: GraphQLResolveInfo,
  { id, warnings }: { id: string; warnings: string[] },
): Promise<Row> {
  const tree = lookAhead(info).fields.get('registration');
  return { registration: tree ? await readRegistration(context, tenantOf(context).organisationId, id, tree) : { id }, warnings };
}
