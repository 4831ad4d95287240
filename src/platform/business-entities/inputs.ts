// Input types of the operator mutations on business entities.
import { ID } from 'type-graphql';
import { createInput, type InputField, updateInput } from '../../graphql/input-types.ts';
import { modelOf } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { Acknowledgement, BusinessEntity, BusinessEntityRegistration, GovernmentIdentifier } from './business-entity.ts';
import { EntityStanding } from './enums.ts';

export const BusinessEntityInput = createInput(BusinessEntity, 'A business entity to create or to update.', {
  name: 'BusinessEntityInput',
  more: [
    {
      name: 'businessEntityId',
      type: () => PositiveInt,
      nullable: true,
      description: 'Number of the entity to update; without it, an entity is created.',
      names: () => [modelOf(BusinessEntity)],
    },
    {
      name: 'organisationName',
      type: () => String,
      nullable: true,
      description: 'Name of the organisation that owns a new entity.',
      rules: { key: 'normalised', maxLength: 255 },
    },
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
  more: [standing('Status at the authority; default REGISTRATION_IN_PROGRESS.')],
});

export const UpdateEntityRegistrationInput = updateInput(BusinessEntityRegistration, 'Fields of a registration of an entity to change.', {
  name: 'UpdateEntityRegistrationInput',
  more: [standing('Status at the authority.')],
});

export const GovernmentIdentifierInput = createInput(GovernmentIdentifier, 'A number that a government assigned to an entity.', {
  name: 'GovernmentIdentifierInput',
  more: [{ name: 'fileId', type: () => ID, nullable: true, description: 'Id of a file that proves the number.' }],
});

export const AcknowledgementInput = createInput(Acknowledgement, 'A document that an authority issued about a registration.', {
  name: 'AcknowledgementInput',
});
