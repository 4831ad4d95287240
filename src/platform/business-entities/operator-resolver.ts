// Operator mutations on business entities, their registrations, identifiers and documents.
import type { FilterQuery } from '@mikro-orm/postgresql';
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Mutation, ObjectType, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { Organisation } from '../../access/tables.ts';
import { operate, operateFor, reasonArgument } from '../../administration/operator-transaction.ts';
import { changeTime } from '../../database/change-times.ts';
import type { EntityManager } from '../../database/open.ts';
import type { Where } from '../../database/reader/conditions.ts';
import { projectionFor, type Row } from '../../database/reader/projection.ts';
import { RecordArg } from '../../graphql/input-types.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { accept } from '../../records/checked.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { checkNew, type Given } from '../../records/fields.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { payloadOf, withUnique } from '../shared/payloads.ts';
import { Acknowledgement, BusinessEntity, BusinessEntityRegistration, GovernmentIdentifier } from './business-entity.ts';
import { type GivenIdentifier, insertIdentifier, linkIdentifier } from './identifier-writes.ts';
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
  type GivenRegistration,
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

/** Reads the record of a payload, which was just written, as its organisation sees it. */
async function readBack<T extends object>(
  context: RequestContext,
  info: GraphQLResolveInfo,
  member: string,
  target: RecordClass<T>,
  where: Where<T>,
  organisationId: number,
): Promise<Row> {
  const tree = lookAhead(info).fields.get(member);
  if (!tree) return {};
  const { reader } = context.services;
  const [row] = await reader.findRows(projectionFor(modelOf(target), tree), { where }, scopeOf(context, organisationId));
  return row!;
}

const entityScope = (context: RequestContext, em: EntityManager, organisationId: number): EntityScope => ({
  em,
  services: context.services,
  organisationId,
});

const factsOf = (em: EntityManager, businessEntityId: number): Promise<EntityFacts> =>
  em.findOneOrFail(BusinessEntity, { businessEntityId });

async function organisationNamed({ services }: RequestContext, name: string | null | undefined): Promise<number> {
  if (!name) throw invalid('input.organisationName', 'organisationName is required for a new entity', 'REQUIRED');
  const found = await services.reader.one(Organisation, { name }, ['id'], { tenant: null });
  if (!found) throw new GatewayError('PARTNER_NOT_FOUND', `there is no organisation ${name}`, { field: 'input.organisationName' });
  return found.id;
}

/** An entity to record, for the organisation named, or fields of one to change. */
type GivenEntity = Given<Omit<BusinessEntity, 'businessEntityId'>> & { businessEntityId?: number | null; organisationName?: string | null };

const duplicateNumber = (): GatewayError =>
  new GatewayError('RECORD_ALREADY_EXISTS', 'the entity already has this number', { field: 'input.value' });

@Resolver()
export class BusinessEntityOperatorResolver {
  @access('ADMIN')
  @Mutation(() => UpsertPayload, { description: 'Creates or updates a business entity.' })
  async upsertBusinessEntity(
    @Arg('input', () => BusinessEntityInput, { description: 'The entity.' }) input: GivenEntity,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { businessEntityId: id, organisationName, ...given } = input;
    const fields = accept(checkNew(BusinessEntity, { state: null, ...given }), 'input.');
    if (id != null) {
      const { organisationId } = await operate(context, BusinessEntity, { id, field: 'input.businessEntityId', reason }, (em) =>
        em.nativeUpdate(BusinessEntity, { businessEntityId: id }, { ...fields, updatedAt: changeTime(context.services.clock.now()) }),
      );
      return { businessEntity: await readBack(context, info, 'businessEntity', BusinessEntity, { businessEntityId: id }, organisationId) };
    }
    const organisationId = await organisationNamed(context, organisationName);
    const { businessEntityId } = await operateFor(context, organisationId, { reason }, (em) =>
      insertEntity(entityScope(context, em, organisationId), fields),
    );
    return { businessEntity: await readBack(context, info, 'businessEntity', BusinessEntity, { businessEntityId }, organisationId) };
  }

  @access('ADMIN')
  @Mutation(() => AddRegistrationPayload, { description: 'Records a registration of a business entity.' })
  async addEntityRegistration(
    @RecordArg('businessEntityId', () => BusinessEntity, { description: 'Number of the entity.' }) businessEntityId: number,
    @Arg('input', () => EntityRegistrationInput, { description: 'The registration.' }) input: GivenRegistration,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId, result } = await operate(
      context,
      BusinessEntity,
      { id: businessEntityId, field: 'businessEntityId', reason },
      async (em, organisation) => {
        const scope = entityScope(context, em, organisation);
        const id = insertEntityRegistration(scope, await factsOf(em, businessEntityId), input);
        emitEntityChange(scope, businessEntityId, id);
        return id;
      },
    );
    return { registration: await readBack(context, info, 'registration', BusinessEntityRegistration, { id: result }, organisationId) };
  }

  @access('ADMIN')
  @Mutation(() => UpdateRegistrationPayload, { description: 'Updates the given fields of a registration of an entity.' })
  async updateEntityRegistration(
    @Arg('id', () => ID, { description: 'Id of the registration.' }) id: string,
    @Arg('input', () => UpdateEntityRegistrationInput, { description: 'The fields to change.' }) input: GivenRegistration,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = await operate(context, BusinessEntityRegistration, { id, reason }, async (em, organisation) => {
      const entity = await changeRegistration(entityScope(context, em, organisation), id, input);
      emitEntityChange(entityScope(context, em, organisation), entity, id);
    });
    return { registration: await readBack(context, info, 'registration', BusinessEntityRegistration, { id }, organisationId) };
  }

  @access('ADMIN')
  @Mutation(() => AddIdentifierPayload, { description: 'Records a number that a government assigned to a business entity.' })
  async addGovernmentIdentifier(
    @RecordArg('businessEntityId', () => BusinessEntity, { description: 'Number of the entity.' }) businessEntityId: number,
    @Arg('input', () => GovernmentIdentifierInput, { description: 'The number.' }) input: GivenIdentifier,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const call = { id: businessEntityId, field: 'businessEntityId', reason };
    const { organisationId, result } = await withUnique({ government_identifier_value_key: duplicateNumber }, () =>
      operate(context, BusinessEntity, call, async (em, organisation) => {
        const scope = entityScope(context, em, organisation);
        const added = await insertIdentifier(scope, await factsOf(em, businessEntityId), input);
        for (const registrationId of input.registrationIds ?? []) emitEntityChange(scope, businessEntityId, registrationId);
        return added;
      }),
    );
    return {
      governmentIdentifier: await readBack(context, info, 'governmentIdentifier', GovernmentIdentifier, { id: result.id }, organisationId),
      warnings: result.warnings,
    };
  }

  @access('ADMIN')
  @Mutation(() => LinkPayload, { description: 'Links a government identifier to a registration of the same entity that uses it.' })
  async linkIdentifierToRegistration(
    @Arg('identifierId', () => ID, { description: 'Id of the identifier.' }) identifierId: string,
    @Arg('registrationId', () => ID, { description: 'Id of the registration.' }) registrationId: string,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId } = await operate(
      context,
      GovernmentIdentifier,
      { id: identifierId, field: 'identifierId', reason },
      async (em, organisation) => {
        const scope = entityScope(context, em, organisation);
        emitEntityChange(scope, await linkIdentifier(scope, identifierId, registrationId), registrationId);
      },
    );
    return {
      governmentIdentifier: await readBack(
        context,
        info,
        'governmentIdentifier',
        GovernmentIdentifier,
        { id: identifierId },
        organisationId,
      ),
    };
  }

  @access('ADMIN')
  @Mutation(() => AttachPayload, { description: 'Attaches a document to a registration of an entity.' })
  async attachAcknowledgement(
    @Arg('registrationId', () => ID, { description: 'Id of the registration.' }) registrationId: string,
    @Arg('input', () => AcknowledgementInput, { description: 'The document.' }) input: Given<Acknowledgement>,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { organisationId, result } = await operate(
      context,
      BusinessEntityRegistration,
      { id: registrationId, field: 'registrationId', reason },
      async (em, organisation) => {
        const scope = entityScope(context, em, organisation);
        const id = await insertAcknowledgement(scope, registrationId, input);
        const { businessEntityId } = await registrationOf(em, { id: registrationId });
        emitEntityChange(scope, businessEntityId, registrationId);
        return id;
      },
    );
    return { acknowledgement: await readBack(context, info, 'acknowledgement', Acknowledgement, { id: result }, organisationId) };
  }

  @access('ADMIN')
  @Mutation(() => RemoveAcknowledgementPayload, { description: 'Removes a document from a registration of an entity.' })
  async removeAcknowledgement(
    @RecordArg('acknowledgementId', () => Acknowledgement, { description: 'Number of the document.' }) acknowledgementId: number,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
  ): Promise<RemoveAcknowledgementPayload> {
    await operate(context, Acknowledgement, { id: acknowledgementId, field: 'acknowledgementId', reason }, async (em, organisation) => {
      const where = { id: acknowledgementId, removedAt: null };
      const removed = await em.nativeUpdate(Acknowledgement, where, { removedAt: context.services.clock.now() });
      if (removed === 0) throw notFound(Acknowledgement, acknowledgementId, 'acknowledgementId');
      const registration = await registrationOf(em, { acknowledgements: { id: acknowledgementId } });
      emitEntityChange(entityScope(context, em, organisation), registration.businessEntityId, registration.id);
    });
    return { acknowledgementId };
  }
}

/** A registration that is known to exist, with the number of its entity. */
const registrationOf = (em: EntityManager, where: FilterQuery<BusinessEntityRegistration>) =>
  em.findOneOrFail(BusinessEntityRegistration, where, { fields: ['id', 'businessEntityId'] });
