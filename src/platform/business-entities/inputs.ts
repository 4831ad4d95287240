// Input types of the operator mutations on business entities.
import { ID } from 'type-graphql';
import { createInput, type InputField, updateInput } from '../../graphql/input-types.ts';
import { modelOf } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { Acknowledgement, BusinessEntity, BusinessEntityRegistration, GovernmentIdentifier } from './business-entity.ts';
import { EntityStanding } from './enums.ts';

export const BusinessEntityInput = createInput(BusinessEntity, 'A business entity to record, or fields of one to change.', {
  name: 'BusinessEntityInput',
  more: [
    {
      name: 'businessEntityId',
      type: () => PositiveInt,
      nullable: true,
      description: 'Number of the entity to change; a new one is recorded when absent.',
      names: () => [modelOf(BusinessEntity)],
    },
    { name: 'organisationName', type: () => String, nullable: true, description: 'Name of the organisation that owns a new entity.' },
  ],
});

/** The standing, stored as `storedStanding` because the listing shows EXPIRED by the day. */
const standing = (description: string): InputField => ({
  name: 'registrationStatus',
  type: () => EntityStanding.values,
  nullable: true,
  description,
});

export const EntityRegistrationInput = createInput(BusinessEntityRegistration, 'A registration of an entity at an authority.', {
  name: 'EntityRegistrationInput',
  more: [standing('Standing at the authority; REGISTRATION_IN_PROGRESS when absent.')],
});

export const UpdateEntityRegistrationInput = updateInput(BusinessEntityRegistration, "Fields of an entity's registration to change.", {
  name: 'UpdateEntityRegistrationInput',
  more: [standing('Standing at the authority.')],
});

export const GovernmentIdentifierInput = createInput(GovernmentIdentifier, 'A number a government assigned to an entity.', {
  name: 'GovernmentIdentifierInput',
  more: [{ name: 'fileId', type: () => ID, nullable: true, description: 'File of the organisation that proves it.' }],
});

export const AcknowledgementInput = createInput(Acknowledgement, 'A document an authority issued about a registration.', {
  name: 'AcknowledgementInput',
});
