// Operator mutations on business entities, their registrations, identifiers and documents.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Mutation, ObjectType, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import { reasonArgument } from '../../administration/audit-log.ts';
import { operate, operateFor } from '../../administration/operator-transaction.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { projectionFor, propOf, type Row } from '../../database/reader/projection.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { accept } from '../shared/checks.ts';
import { checkEntityType, type EntityForm as EntityFormName } from '../shared/corporation-types.ts';
import { checkCountry, checkSubdivision } from '../shared/countries.ts';
import { payloadOf, withUnique } from '../shared/payloads.ts';
import { Acknowledgement, BusinessEntity, BusinessEntityRegistration, GovernmentIdentifier } from './business-entity.ts';
import { insertIdentifier, linkIdentifier } from './identifier-writes.ts';
import {
  AcknowledgementInput,
  BusinessEntityInput,
  EntityRegistrationInput,
  GovernmentIdentifierInput,
  UpdateEntityRegistrationInput,
} from './inputs.ts';
import {
  changeRegistration,
  type EntityFacts,
  type EntityScope,
  emitEntityChange,
  insertAcknowledgement,
  insertEntity,
  insertEntityRegistration,
} from './writes.ts';

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

const entities = {
  table: 'business_entity',
  key: 'business_entity_id',
  noun: 'business entity',
  unknown: 'BUSINESS_ENTITY_NOT_FOUND',
} as const;
const registrations = { table: 'business_entity_registration', noun: 'registration', unknown: 'REGISTRATION_NOT_FOUND' } as const;
const identifiers = { table: 'government_identifier', noun: 'government identifier', unknown: 'RECORD_NOT_FOUND' } as const;
const acknowledgements = { table: 'acknowledgement', noun: 'acknowledgement', unknown: 'RECORD_NOT_FOUND' } as const;

/** Reads the record of a payload as its organisation sees it. */
async function readBack(
  context: RequestContext,
  info: GraphQLResolveInfo,
  target: RecordClass,
  member: string,
  organisationId: number,
  id: string | number,
): Promise<Row> {
  const tree = lookAhead(info).fields.get(member);
  if (!tree) return {};
  const model = modelOf(target);
  const where = [{ prop: propOf(model, model.key), operator: 'eq' as const, value: id }];
  return (await context.services.reader.row({
    projection: projectionFor(model, tree),
    tenant: { organisationId, companyIds: null },
    where,
    primary: true,
  }))!;
}

const scopeOf = (context: RequestContext, em: EntityManager, organisationId: number): EntityScope => ({
  em,
  services: context.services,
  organisationId,
});

async function factsOf(em: EntityManager, businessEntityId: number): Promise<EntityFacts> {
  const rows = await executeIn<{ country: string; type: EntityFormName }>(
    em,
    'select country, corporation_type as type from business_entity where business_entity_id = $1',
    [businessEntityId],
  );
  return { businessEntityId, country: rows[0]!.country, corporationType: rows[0]!.type };
}

async function organisationNamed(context: RequestContext, name: string | null | undefined): Promise<number> {
  if (!name) throw invalid('input.organisationName', 'organisationName is required for a new entity', 'REQUIRED');
  const rows = await systemTransaction(context.services.database, (em) =>
    executeIn<{ id: string | number }>(em, 'select id from organisation where name = $1', [name]),
  );
  if (!rows[0]) throw new GatewayError('PARTNER_NOT_FOUND', `there is no organisation ${name}`, { field: 'input.organisationName' });
  return Number(rows[0].id);
}

const duplicateNumber = (): GatewayError =>
  new GatewayError('RECORD_ALREADY_EXISTS', 'the entity already has this number', { field: 'input.value' });

@Resolver()
export class BusinessEntityOperatorResolver {
  @access('ADMIN')
  @Mutation(() => UpsertPayload as never, { description: 'Records a business entity, or changes one.' })
  async upsertBusinessEntity(
    @Arg('input', () => BusinessEntityInput, { description: 'The entity.' }) input: BusinessEntityInput,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
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
        executeIn(
          em,
          'update business_entity set legal_name = $2, country = $3, state = $4, corporation_type = $5, updated_at = $6::timestamptz where business_entity_id = $1',
          [id, legalName, country, state, corporationType, context.services.clock.now().toISOString()],
        ),
      );
      return { businessEntity: await readBack(context, info, BusinessEntity, 'businessEntity', organisationId, id) };
    }
    const organisationId = await organisationNamed(context, input.organisationName);
    const id = await operateFor(context, organisationId, { action, id: 'new', reason }, (em) =>
      insertEntity(scopeOf(context, em, organisationId), { legalName, country, state, corporationType }),
    );
    return { businessEntity: await readBack(context, info, BusinessEntity, 'businessEntity', organisationId, id) };
  }

  @access('ADMIN')
  @Mutation(() => AddRegistrationPayload as never, { description: 'Records a registration of a business entity.' })
  async addEntityRegistration(
    @Arg('businessEntityId', () => PositiveInt, { description: 'Number of the entity.' }) businessEntityId: number,
    @Arg('input', () => EntityRegistrationInput, { description: 'The registration.' }) input: EntityRegistrationInput,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId, result } = await operate(
      context,
      entities,
      { action: 'addEntityRegistration', id: businessEntityId, reason },
      async (em, organisation) => {
        const scope = scopeOf(context, em, organisation);
        const id = await insertEntityRegistration(scope, await factsOf(em, businessEntityId), input);
        await emitEntityChange(scope, businessEntityId, id);
        return id;
      },
    );
    return { registration: await readBack(context, info, BusinessEntityRegistration, 'registration', organisationId, result) };
  }

  @access('ADMIN')
  @Mutation(() => UpdateRegistrationPayload as never, { description: "Changes the given fields of an entity's registration." })
  async updateEntityRegistration(
    @Arg('id', () => ID, { description: 'Id of the registration.' }) id: string,
    @Arg('input', () => UpdateEntityRegistrationInput, { description: 'The fields to change.' }) input: UpdateEntityRegistrationInput,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = await operate(
      context,
      registrations,
      { action: 'updateEntityRegistration', id, reason },
      async (em, organisation) => {
        const entity = await changeRegistration(scopeOf(context, em, organisation), id, input);
        await emitEntityChange(scopeOf(context, em, organisation), entity, id);
      },
    );
    return { registration: await readBack(context, info, BusinessEntityRegistration, 'registration', organisationId, id) };
  }

  @access('ADMIN')
  @Mutation(() => AddIdentifierPayload as never, { description: 'Records a number a government assigned to a business entity.' })
  async addGovernmentIdentifier(
    @Arg('businessEntityId', () => PositiveInt, { description: 'Number of the entity.' }) businessEntityId: number,
    @Arg('input', () => GovernmentIdentifierInput, { description: 'The number.' }) input: GovernmentIdentifierInput,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const call = { action: 'addGovernmentIdentifier', id: businessEntityId, reason };
    const { organisationId, result } = await withUnique({ government_identifier_value_key: duplicateNumber }, () =>
      operate(context, entities, call, async (em, organisation) => {
        const scope = scopeOf(context, em, organisation);
        const added = await insertIdentifier(scope, await factsOf(em, businessEntityId), input);
        for (const registrationId of input.registrationIds ?? []) await emitEntityChange(scope, businessEntityId, registrationId);
        return added;
      }),
    );
    return {
      governmentIdentifier: await readBack(context, info, GovernmentIdentifier, 'governmentIdentifier', organisationId, result.id),
      warnings: result.warnings,
    };
  }

  @access('ADMIN')
  @Mutation(() => LinkPayload as never, { description: 'Links a government identifier to a registration of the same entity that uses it.' })
  async linkIdentifierToRegistration(
    @Arg('identifierId', () => ID, { description: 'Id of the identifier.' }) identifierId: string,
    @Arg('registrationId', () => ID, { description: 'Id of the registration.' }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = await operate(
      context,
      identifiers,
      { action: 'linkIdentifierToRegistration', id: identifierId, reason },
      async (em, organisation) => {
        const scope = scopeOf(context, em, organisation);
        await emitEntityChange(scope, await linkIdentifier(scope, identifierId, registrationId), registrationId);
      },
    );
    return {
      governmentIdentifier: await readBack(context, info, GovernmentIdentifier, 'governmentIdentifier', organisationId, identifierId),
    };
  }

  @access('ADMIN')
  @Mutation(() => AttachPayload as never, { description: "Attaches a document to an entity's registration." })
  async attachAcknowledgement(
    @Arg('registrationId', () => ID, { description: 'Id of the registration.' }) registrationId: string,
    @Arg('input', () => AcknowledgementInput, { description: 'The document.' }) input: AcknowledgementInput,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId, result } = await operate(
      context,
      registrations,
      { action: 'attachAcknowledgement', id: registrationId, reason },
      async (em, organisation) => {
        const scope = scopeOf(context, em, organisation);
        const id = await insertAcknowledgement(scope, registrationId, input);
        await emitEntityChange(scope, await entityOf(em, registrationId), registrationId);
        return id;
      },
    );
    return { acknowledgement: await readBack(context, info, Acknowledgement, 'acknowledgement', organisationId, result) };
  }

  @access('ADMIN')
  @Mutation(() => RemoveAcknowledgementPayload, { description: "Removes a document from an entity's registration." })
  async removeAcknowledgement(
    @Arg('acknowledgementId', () => PositiveInt, { description: 'Number of the document.' }) acknowledgementId: number,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
  ): Promise<RemoveAcknowledgementPayload> {
    await operate(
      context,
      acknowledgements,
      { action: 'removeAcknowledgement', id: acknowledgementId, reason },
      async (em, organisation) => {
        const rows = await executeIn<{ registration: string }>(
          em,
          'update acknowledgement set removed_at = $2::timestamptz where id = $1 and removed_at is null returning registration_id as registration',
          [acknowledgementId, context.services.clock.now().toISOString()],
        );
        if (!rows[0]) throw new GatewayError('RECORD_NOT_FOUND', `acknowledgement ${acknowledgementId} was not found`);
        await emitEntityChange(scopeOf(context, em, organisation), await entityOf(em, rows[0].registration), rows[0].registration);
      },
    );
    return { acknowledgementId };
  }
}

async function entityOf(em: EntityManager, registrationId: string): Promise<number> {
  const rows = await executeIn<{ entity: string | number }>(
    em,
    'select business_entity_id as entity from business_entity_registration where id = $1',
    [registrationId],
  );
  return Number(rows[0]!.entity);
}
