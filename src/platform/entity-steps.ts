// Operator mutations on business entities, their registrations, identifiers and documents.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, ID, Info, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { access } from '../core/access.ts';
import type { RequestContext } from '../core/context.ts';
import { type EntityManager, executeIn } from '../core/database.ts';
import { GatewayError, invalid } from '../core/errors.ts';
import { modelOf, type RecordClass } from '../core/kit.ts';
import { propOf, type Row, selectionFor } from '../core/reader.ts';
import { JSONObject, LocalDate, PositiveInt } from '../core/scalars.ts';
import { lookAhead } from '../core/selection.ts';
import { systemTransaction } from '../core/transact.ts';
import { Acknowledgement, BusinessEntity, BusinessEntityRegistration, GovernmentIdentifier } from './business-entity.ts';
import { DocumentCategory, DocumentSubType, EntityForm, EntityPurpose, EntityRecordStatus, EntityStanding, IdentifierPurpose } from './entity-vocabulary.ts';
import { checkPeriod, type EntityFacts, type EntityScope, emitEntityChange, insertAcknowledgement, insertEntity, insertEntityRegistration, insertIdentifier, linkIdentifier } from './entity-writes.ts';
import { operate, operateFor } from './operator.ts';
import { payloadOf, withUnique } from './payloads.ts';
import { RegisteredBy } from './registration-vocabulary.ts';
import { checkEntityType, type EntityForm as EntityFormName } from './rules/corporation-types.ts';
import { checkCountry, checkSubdivision } from './rules/countries.ts';
import { accept } from './registration-checks.ts';

const short = { rules: { minLength: 1, maxLength: 255 } };
const long = { rules: { maxLength: 2000 } };

@InputType({ description: 'A business entity to record, or fields of one to change.' })
@Extensions({ trims: true })
export class BusinessEntityInput {
  @Field(() => PositiveInt, { nullable: true, description: 'Number of the entity to change; a new one is recorded when absent.' }) businessEntityId?: number | null;
  @Field(() => String, { nullable: true, description: 'Name of the organisation that owns a new entity.' }) organisationName?: string | null;
  @Field(() => String, { description: 'Registered name.' }) @Extensions(short) legalName!: string;
  @Field(() => String, { description: 'Country, two letters.' }) country!: string;
  @Field(() => String, { nullable: true, description: 'Sub-division of formation, ISO 3166-2 suffix.' }) state?: string | null;
  @Field(() => EntityForm.values as never, { description: 'Legal form, one the country has.' }) corporationType!: EntityFormName;
}

@InputType({ description: 'A registration of an entity at an authority.' })
@Extensions({ trims: true })
export class EntityRegistrationInput {
  @Field(() => EntityPurpose.values as never, { description: 'What it is for.' }) purpose!: string;
  @Field(() => String, { description: 'Name.' }) @Extensions(short) displayName!: string;
  @Field(() => String, { description: 'What it is.' }) @Extensions(long) description!: string;
  @Field(() => String, { nullable: true, description: 'Sub-division suffix; the national level when absent.' }) @Extensions(short) jurisdiction?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'First day of effect.' }) effectiveStartDate?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Last day of effect.' }) effectiveEndDate?: string | null;
  @Field(() => RegisteredBy.values as never, { nullable: true, description: 'Who made it; PLATFORM when absent.' }) registeredBy?: string | null;
  @Field(() => EntityRecordStatus.values as never, { nullable: true, description: 'Whether the record is sound; PENDING when absent.' }) status?: string | null;
  @Field(() => EntityStanding.values as never, { nullable: true, description: 'Standing at the authority; REGISTRATION_IN_PROGRESS when absent.' }) registrationStatus?: string | null;
  @Field(() => String, { nullable: true, description: 'Name for programs; made from country, jurisdiction and purpose when absent.' }) @Extensions(short) internalIdentifier?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether the entity cannot act without it; true for the corporate registry when absent.' }) isFunctionCritical?: boolean | null;
}

@InputType({ description: 'Fields of an entity\'s registration to change.' })
@Extensions({ trims: true })
export class UpdateEntityRegistrationInput {
  @Field(() => String, { nullable: true, description: 'Name.' }) @Extensions(short) displayName?: string | null;
  @Field(() => String, { nullable: true, description: 'What it is.' }) @Extensions(long) description?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'First day of effect.' }) effectiveStartDate?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Last day of effect.' }) effectiveEndDate?: string | null;
  @Field(() => EntityRecordStatus.values as never, { nullable: true, description: 'Whether the record is sound.' }) status?: string | null;
  @Field(() => EntityStanding.values as never, { nullable: true, description: 'Standing at the authority.' }) registrationStatus?: string | null;
}

@InputType({ description: 'A number a government gave an entity.' })
@Extensions({ trims: true })
export class GovernmentIdentifierInput {
  @Field(() => String, { description: 'Kind of number, such as US_EIN; one that is not in the catalogue needs a display name.' })
  @Extensions({ rules: { pattern: /^[A-Z]{2}_[A-Z0-9_]{1,60}$/, expectation: 'a country and a name in upper snake case, such as US_EIN' } })
  key!: string;
  @Field(() => String, { description: 'The number.' }) @Extensions(short) value!: string;
  @Field(() => String, { nullable: true, description: 'Sub-division suffix; the national level when absent.' }) @Extensions(short) jurisdiction?: string | null;
  @Field(() => String, { nullable: true, description: 'Name of a kind that is not in the catalogue.' }) @Extensions(short) displayName?: string | null;
  @Field(() => String, { nullable: true, description: 'What such a kind is.' }) @Extensions(long) description?: string | null;
  @Field(() => [IdentifierPurpose.values as never], { nullable: true, description: 'What such a kind is used for.' }) @Extensions({ rules: { minItems: 1, unique: true } }) purposes?: string[] | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether the entity cannot act without it; true for tax numbers when absent.' }) isFunctionCritical?: boolean | null;
  @Field(() => ID, { nullable: true, description: 'File of the organisation that proves it.' }) fileId?: string | null;
  @Field(() => [ID], { nullable: true, description: 'Registrations of the entity that use it.' }) @Extensions({ rules: { maxItems: 50, unique: true } }) registrationIds?: string[] | null;
}

@InputType({ description: 'A document an authority issued about a registration.' })
@Extensions({ trims: true })
export class AcknowledgementInput {
  @Field(() => DocumentSubType.values as never, { description: 'Kind.' }) documentSubType!: string;
  @Field(() => DocumentCategory.values as never, { nullable: true, description: 'Category; the usual one of the kind when absent.' }) documentType?: string | null;
  @Field(() => String, { nullable: true, description: 'Name of the kind when it is Other.' }) @Extensions(short) explicitDocumentType?: string | null;
  @Field(() => ID, { description: 'File of the organisation.' }) fileId!: string;
  @Field(() => Boolean, { nullable: true, description: 'Whether the registration has only one of this kind; true when absent.' }) isUnique?: boolean | null;
  @Field(() => String, { nullable: true, description: 'Free label for compliance work.' }) @Extensions(short) complianceTag?: string | null;
  @Field(() => EntityPurpose.values as never, { nullable: true, description: 'What it proves compliance with.' }) compliancePurpose?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Day of issue.' }) dateOfIssuance?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Day of expiry.' }) dateOfExpiration?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'First day of effect.' }) effectiveStartDate?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Last day of effect.' }) effectiveEndDate?: string | null;
  @Field(() => JSONObject, { nullable: true, description: 'What the document says, by name.' }) data?: Record<string, unknown> | null;
}

@ObjectType({ description: 'Result of `removeAcknowledgement`.', simpleResolvers: true })
export class RemoveAcknowledgementPayload {
  @Field(() => PositiveInt, { description: 'Number of the removed document.' }) acknowledgementId!: number;
}

const UpsertPayload = payloadOf(BusinessEntity, 'upsertBusinessEntity', 'businessEntity');
const AddRegistrationPayload = payloadOf(BusinessEntityRegistration, 'addEntityRegistration', 'registration');
const UpdateRegistrationPayload = payloadOf(BusinessEntityRegistration, 'updateEntityRegistration', 'registration');
const AddIdentifierPayload = payloadOf(GovernmentIdentifier, 'addGovernmentIdentifier', 'governmentIdentifier', { warnings: true });
const LinkPayload = payloadOf(GovernmentIdentifier, 'linkIdentifierToRegistration', 'governmentIdentifier');
const AttachPayload = payloadOf(Acknowledgement, 'attachAcknowledgement', 'acknowledgement');

const entities = { table: 'business_entity', key: 'business_entity_id', noun: 'business entity', unknown: 'BUSINESS_ENTITY_NOT_FOUND' } as const;
const registrations = { table: 'business_entity_registration', noun: 'registration', unknown: 'REGISTRATION_NOT_FOUND' } as const;
const identifiers = { table: 'government_identifier', noun: 'government identifier', unknown: 'RECORD_NOT_FOUND' } as const;
const acknowledgements = { table: 'acknowledgement', noun: 'acknowledgement', unknown: 'RECORD_NOT_FOUND' } as const;

/** A record as its organisation sees it, for the member of a payload. */
async function readBack(context: RequestContext, info: GraphQLResolveInfo, target: RecordClass, member: string, organisationId: number, id: string | number): Promise<Row> {
  const tree = lookAhead(info).fields.get(member);
  if (!tree) return {};
  const model = modelOf(target);
  const where = [{ prop: propOf(model, model.key), operator: 'eq' as const, value: id }];
  return (await context.services.reader.row({ selection: selectionFor(model, tree), tenant: { organisationId, companyIds: null }, where, primary: true }))!;
}

const scopeOf = (context: RequestContext, em: EntityManager, organisationId: number): EntityScope => ({ em, services: context.services, organisationId });

async function factsOf(em: EntityManager, businessEntityId: number): Promise<EntityFacts> {
  const rows = await executeIn<{ country: string; type: EntityFormName }>(em, 'select country, corporation_type as type from business_entity where business_entity_id = $1', [businessEntityId]);
  return { businessEntityId, country: rows[0]!.country, corporationType: rows[0]!.type };
}

async function organisationNamed(context: RequestContext, name: string | null | undefined): Promise<number> {
  if (!name) throw invalid('input.organisationName', 'organisationName is required for a new entity', 'REQUIRED');
  const rows = await systemTransaction(context.services.database, (em) => executeIn<{ id: string | number }>(em, 'select id from organisation where name = $1', [name]));
  if (!rows[0]) throw new GatewayError('PARTNER_NOT_FOUND', `there is no organisation ${name}`, { field: 'input.organisationName' });
  return Number(rows[0].id);
}

const taken = (): GatewayError => new GatewayError('RECORD_ALREADY_EXISTS', 'the entity already has this number', { field: 'input.value' });

const REASON_TEXT = 'Why, for the trace.';

@Resolver()
export class EntityStepsResolver {
  @access('ADMIN')
  @Mutation(() => UpsertPayload as never, { description: 'Records a business entity, or changes one.' })
  async upsertBusinessEntity(
    @Arg('input', () => BusinessEntityInput, { description: 'The entity.' }) input: BusinessEntityInput,
    @Arg('reason', () => String, { nullable: true, description: REASON_TEXT }) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const country = accept(checkCountry(input.country), 'input.');
    const state = input.state ? accept(checkSubdivision(country, input.state), 'input.') : null;
    accept(checkEntityType(country, input.corporationType, 'corporationType'), 'input.');
    const { legalName, corporationType } = input;
    const action = 'upsertBusinessEntity';
    if (input.businessEntityId != null) {
      const id = input.businessEntityId;
      const { organisationId } = await operate(context, entities, { action, id, reason }, (em) =>
        executeIn(em, 'update business_entity set legal_name = $2, country = $3, state = $4, corporation_type = $5, updated_at = $6::timestamptz where business_entity_id = $1', [
          id, legalName, country, state, corporationType, context.services.clock.now().toISOString(),
        ]),
      );
      return { businessEntity: await readBack(context, info, BusinessEntity, 'businessEntity', organisationId, id) };
    }
    const organisationId = await organisationNamed(context, input.organisationName);
    const id = await operateFor(context, organisationId, { action, id: 'new', reason }, (em) => insertEntity(scopeOf(context, em, organisationId), { legalName, country, state, corporationType }));
    return { businessEntity: await readBack(context, info, BusinessEntity, 'businessEntity', organisationId, id) };
  }

  @access('ADMIN')
  @Mutation(() => AddRegistrationPayload as never, { description: 'Records a registration of a business entity.' })
  async addEntityRegistration(
    @Arg('businessEntityId', () => PositiveInt, { description: 'Number of the entity.' }) businessEntityId: number,
    @Arg('input', () => EntityRegistrationInput, { description: 'The registration.' }) input: EntityRegistrationInput,
    @Arg('reason', () => String, { nullable: true, description: REASON_TEXT }) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId, result } = await operate(context, entities, { action: 'addEntityRegistration', id: businessEntityId, reason }, async (em, organisation) => {
      const scope = scopeOf(context, em, organisation);
      const id = await insertEntityRegistration(scope, await factsOf(em, businessEntityId), input);
      await emitEntityChange(scope, businessEntityId, id);
      return id;
    });
    return { registration: await readBack(context, info, BusinessEntityRegistration, 'registration', organisationId, result) };
  }

  @access('ADMIN')
  @Mutation(() => UpdateRegistrationPayload as never, { description: 'Changes the given fields of an entity\'s registration.' })
  async updateEntityRegistration(
    @Arg('id', () => ID, { description: 'Id of the registration.' }) id: string,
    @Arg('input', () => UpdateEntityRegistrationInput, { description: 'The fields to change.' }) input: UpdateEntityRegistrationInput,
    @Arg('reason', () => String, { nullable: true, description: REASON_TEXT }) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = await operate(context, registrations, { action: 'updateEntityRegistration', id, reason }, async (em, organisation) => {
      const entity = await changeRegistration(context, em, id, input);
      await emitEntityChange(scopeOf(context, em, organisation), entity, id);
    });
    return { registration: await readBack(context, info, BusinessEntityRegistration, 'registration', organisationId, id) };
  }

  @access('ADMIN')
  @Mutation(() => AddIdentifierPayload as never, { description: 'Records a number a government gave a business entity.' })
  async addGovernmentIdentifier(
    @Arg('businessEntityId', () => PositiveInt, { description: 'Number of the entity.' }) businessEntityId: number,
    @Arg('input', () => GovernmentIdentifierInput, { description: 'The number.' }) input: GovernmentIdentifierInput,
    @Arg('reason', () => String, { nullable: true, description: REASON_TEXT }) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const call = { action: 'addGovernmentIdentifier', id: businessEntityId, reason };
    const { organisationId, result } = await withUnique({ government_identifier_value_key: taken }, () =>
      operate(context, entities, call, async (em, organisation) => {
        const scope = scopeOf(context, em, organisation);
        const added = await insertIdentifier(scope, await factsOf(em, businessEntityId), input);
        for (const registrationId of input.registrationIds ?? []) await emitEntityChange(scope, businessEntityId, registrationId);
        return added;
      }),
    );
    return { governmentIdentifier: await readBack(context, info, GovernmentIdentifier, 'governmentIdentifier', organisationId, result.id), warnings: result.warnings };
  }

  @access('ADMIN')
  @Mutation(() => LinkPayload as never, { description: 'Notes that a registration of the same entity uses a government identifier.' })
  async linkIdentifierToRegistration(
    @Arg('identifierId', () => ID, { description: 'Id of the identifier.' }) identifierId: string,
    @Arg('registrationId', () => ID, { description: 'Id of the registration.' }) registrationId: string,
    @Arg('reason', () => String, { nullable: true, description: REASON_TEXT }) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = await operate(context, identifiers, { action: 'linkIdentifierToRegistration', id: identifierId, reason }, async (em, organisation) => {
      const scope = scopeOf(context, em, organisation);
      await emitEntityChange(scope, await linkIdentifier(scope, identifierId, registrationId), registrationId);
    });
    return { governmentIdentifier: await readBack(context, info, GovernmentIdentifier, 'governmentIdentifier', organisationId, identifierId) };
  }

  @access('ADMIN')
  @Mutation(() => AttachPayload as never, { description: 'Attaches a document to an entity\'s registration.' })
  async attachAcknowledgement(
    @Arg('registrationId', () => ID, { description: 'Id of the registration.' }) registrationId: string,
    @Arg('input', () => AcknowledgementInput, { description: 'The document.' }) input: AcknowledgementInput,
    @Arg('reason', () => String, { nullable: true, description: REASON_TEXT }) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId, result } = await operate(context, registrations, { action: 'attachAcknowledgement', id: registrationId, reason }, async (em, organisation) => {
      const scope = scopeOf(context, em, organisation);
      const id = await insertAcknowledgement(scope, registrationId, input);
      await emitEntityChange(scope, await entityOf(em, registrationId), registrationId);
      return id;
    });
    return { acknowledgement: await readBack(context, info, Acknowledgement, 'acknowledgement', organisationId, result) };
  }

  @access('ADMIN')
  @Mutation(() => RemoveAcknowledgementPayload, { description: 'Removes a document from an entity\'s registration.' })
  async removeAcknowledgement(
    @Arg('acknowledgementId', () => PositiveInt, { description: 'Number of the document.' }) acknowledgementId: number,
    @Arg('reason', () => String, { nullable: true, description: REASON_TEXT }) reason: string | null,
    @Ctx() context: RequestContext,
  ): Promise<RemoveAcknowledgementPayload> {
    await operate(context, acknowledgements, { action: 'removeAcknowledgement', id: acknowledgementId, reason }, async (em, organisation) => {
      const rows = await executeIn<{ registration: string }>(em, 'update acknowledgement set removed_at = $2::timestamptz where id = $1 and removed_at is null returning registration_id as registration', [
        acknowledgementId,
        context.services.clock.now().toISOString(),
      ]);
      if (!rows[0]) throw new GatewayError('RECORD_NOT_FOUND', `acknowledgement ${acknowledgementId} was not found`);
      await emitEntityChange(scopeOf(context, em, organisation), await entityOf(em, rows[0].registration), rows[0].registration);
    });
    return { acknowledgementId };
  }
}

async function entityOf(em: EntityManager, registrationId: string): Promise<number> {
  const rows = await executeIn<{ entity: string | number }>(em, 'select business_entity_id as entity from business_entity_registration where id = $1', [registrationId]);
  return Number(rows[0]!.entity);
}

const CHANGEABLE = { displayName: 'display_name', description: 'description', effectiveStartDate: 'effective_start_date', effectiveEndDate: 'effective_end_date', status: 'status', registrationStatus: 'stored_standing' } as const;

/** Writes the given fields of a registration; answers the number of its entity. */
async function changeRegistration(context: RequestContext, em: EntityManager, id: string, input: UpdateEntityRegistrationInput): Promise<number> {
  const [stored] = await executeIn<{ starts: string | null; ends: string | null }>(
    em,
    'select effective_start_date::text as starts, effective_end_date::text as ends from business_entity_registration where id = $1 for update',
    [id],
  );
  const start = input.effectiveStartDate === undefined ? stored!.starts : input.effectiveStartDate;
  const end = input.effectiveEndDate === undefined ? stored!.ends : input.effectiveEndDate;
  checkPeriod(start, end);
  for (const name of ['displayName', 'description', 'status', 'registrationStatus'] as const) {
    if (input[name] === null) throw invalid(`input.${name}`, `${name} cannot be cleared`);
  }
  const given = (Object.keys(CHANGEABLE) as (keyof typeof CHANGEABLE)[]).filter((name) => input[name] !== undefined);
  const assignments = given.map((name, at) => `${CHANGEABLE[name]} = $${at + 3}::${name.endsWith('Date') ? 'date' : 'text'}`);
  const rows = await executeIn<{ entity: string | number }>(
    em,
    `update business_entity_registration set ${['changed_at = $2::timestamptz', ...assignments].join(', ')} where id = $1 returning business_entity_id as entity`,
    [id, context.services.clock.now().toISOString(), ...given.map((name) => input[name])],
  );
  return Number(rows[0]!.entity);
}
