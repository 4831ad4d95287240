// Operator mutations on business entities, their registrations, identifiers and documents.
import type { FilterQuery } from '@mikro-orm/postgresql';
import { Field, ObjectType } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import { Organisation } from '../../access/tables.ts';
import { type OperatorCall, operate, operateFor, reason } from '../../administration/operator-transaction.ts';
import { changeTime } from '../../database/change-times.ts';
import type { EntityManager } from '../../database/open.ts';
import { argument, id, mutation, recordNumber, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation, type Written } from '../../graphql/declared/payloads.ts';
import { accept } from '../../records/checked.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { checkNew, type Given } from '../../records/fields.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { withUnique } from '../shared/payloads.ts';
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

/** Runs an operator's write of what belongs to an entity; the work returns the record that it wrote. */
async function write(
  context: RequestContext,
  record: RecordClass<{ organisationId: number }>,
  call: OperatorCall,
  work: (scope: EntityScope) => Promise<Written>,
): Promise<Written> {
  const { organisationId, result } = await operate(context, record, call, (em, organisation) =>
    work(entityScope(context, em, organisation)),
  );
  return { ...result, organisationId };
}

const businessEntityId = recordNumber(() => BusinessEntity, 'Number of the entity.');
const roles = ['ADMIN'] as const;

const registrationWrite = recordMutation(BusinessEntityRegistration, { roles, member: 'registration' });

export const BusinessEntityOperatorResolver = resolver({
  upsertBusinessEntity: recordMutation(BusinessEntity, { roles })(
    'Creates or updates a business entity.',
    { input: argument<GivenEntity>(() => BusinessEntityInput, 'The entity.'), reason },
    async ({ input, reason }, { context }) => {
      const { businessEntityId: id, organisationName, ...given } = input;
      const fields = accept(checkNew(BusinessEntity, { state: null, ...given }), 'input.');
      if (id != null)
        return write(context, BusinessEntity, { id, field: 'input.businessEntityId', reason }, async ({ em, services }) => {
          await em.nativeUpdate(BusinessEntity, { businessEntityId: id }, { ...fields, updatedAt: changeTime(services.clock.now()) });
          return { id };
        });
      const organisationId = await organisationNamed(context, organisationName);
      const made = await operateFor(context, organisationId, { reason }, (em) =>
        insertEntity(entityScope(context, em, organisationId), fields),
      );
      return { id: made.businessEntityId, organisationId };
    },
  ),
  addEntityRegistration: registrationWrite(
    'Records a registration of a business entity.',
    { businessEntityId, input: argument<GivenRegistration>(() => EntityRegistrationInput, 'The registration.'), reason },
    ({ businessEntityId, input, reason }, { context }) =>
      write(context, BusinessEntity, { id: businessEntityId, field: 'businessEntityId', reason }, async (scope) => {
        const id = insertEntityRegistration(scope, await factsOf(scope.em, businessEntityId), input);
        emitEntityChange(scope, businessEntityId, id);
        return { id };
      }),
  ),
  updateEntityRegistration: registrationWrite(
    'Updates the given fields of a registration of an entity.',
    {
      id: id('Id of the registration.'),
      input: argument<GivenRegistration>(() => UpdateEntityRegistrationInput, 'The fields to change.'),
      reason,
    },
    ({ id, input, reason }, { context }) =>
      write(context, BusinessEntityRegistration, { id, reason }, async (scope) => {
        emitEntityChange(scope, await changeRegistration(scope, id, input), id);
        return { id };
      }),
  ),
  addGovernmentIdentifier: recordMutation(GovernmentIdentifier, { roles, warnings: true })(
    'Records a number that a government assigned to a business entity.',
    { businessEntityId, input: argument<GivenIdentifier>(() => GovernmentIdentifierInput, 'The number.'), reason },
    ({ businessEntityId, input, reason }, { context }) =>
      withUnique({ government_identifier_value_key: duplicateNumber }, () =>
        write(context, BusinessEntity, { id: businessEntityId, field: 'businessEntityId', reason }, async (scope) => {
          const added = await insertIdentifier(scope, await factsOf(scope.em, businessEntityId), input);
          for (const registrationId of input.registrationIds ?? []) emitEntityChange(scope, businessEntityId, registrationId);
          return added;
        }),
      ),
  ),
  linkIdentifierToRegistration: recordMutation(GovernmentIdentifier, { roles })(
    'Links a government identifier to a registration of the same entity that uses it.',
    { identifierId: id('Id of the identifier.'), registrationId: id('Id of the registration.'), reason },
    ({ identifierId, registrationId, reason }, { context }) =>
      write(context, GovernmentIdentifier, { id: identifierId, field: 'identifierId', reason }, async (scope) => {
        emitEntityChange(scope, await linkIdentifier(scope, identifierId, registrationId), registrationId);
        return { id: identifierId };
      }),
  ),
  attachAcknowledgement: recordMutation(Acknowledgement, { roles })(
    'Attaches a document to a registration of an entity.',
    {
      registrationId: id('Id of the registration.'),
      input: argument<Given<Acknowledgement>>(() => AcknowledgementInput, 'The document.'),
      reason,
    },
    ({ registrationId, input, reason }, { context }) =>
      write(context, BusinessEntityRegistration, { id: registrationId, field: 'registrationId', reason }, async (scope) => {
        const id = await insertAcknowledgement(scope, registrationId, input);
        const { businessEntityId } = await registrationOf(scope.em, { id: registrationId });
        emitEntityChange(scope, businessEntityId, registrationId);
        return { id };
      }),
  ),
  removeAcknowledgement: mutation(() => RemoveAcknowledgementPayload, { roles })(
    'Removes a document from a registration of an entity.',
    { acknowledgementId: recordNumber(() => Acknowledgement, 'Number of the document.'), reason },
    async ({ acknowledgementId, reason }, { context }) => {
      await write(context, Acknowledgement, { id: acknowledgementId, field: 'acknowledgementId', reason }, async (scope) => {
        const where = { id: acknowledgementId, removedAt: null };
        const removed = await scope.em.nativeUpdate(Acknowledgement, where, { removedAt: context.services.clock.now() });
        if (removed === 0) throw notFound(Acknowledgement, acknowledgementId, 'acknowledgementId');
        const registration = await registrationOf(scope.em, { acknowledgements: { id: acknowledgementId } });
        emitEntityChange(scope, registration.businessEntityId, registration.id);
        return { id: acknowledgementId };
      });
      return { acknowledgementId };
    },
  ),
});

/** A registration that is known to exist, with the number of its entity. */
const registrationOf = (em: EntityManager, where: FilterQuery<BusinessEntityRegistration>) =>
  em.findOneOrFail(BusinessEntityRegistration, where, { fields: ['id', 'businessEntityId'] });
