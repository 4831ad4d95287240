// Sales tax registrations: the record.
import type { Opt } from '@mikro-orm/core';
import { toUUID } from 'typeid-js';
import { Node } from '../../graphql/node.ts';
import {
  belongsTo,
  country,
  date,
  derived,
  enumeration,
  identifier,
  key,
  ledgerNumber,
  list,
  moment,
  object,
  record,
  text,
  version,
} from '../../records/decorators.ts';
import { UUID } from '../../records/scalars.ts';
import { Corporation } from '../corporations/corporation.ts';
import type { RegistrationType as RegistrationTypeName, StateOf } from '../shared/states.ts';
import {
  AutoFilingStatus,
  FilingFrequency,
  JurisdictionType,
  RegisteredBy,
  RegistrationStatus,
  RegistrationType,
  SalesTaxType,
  ValidationStatus,
} from './enums.ts';

const fixed = { required: true, write: 'never' } as const;

@record({
  description: 'Registration of a corporation for an indirect tax in a jurisdiction. It can be ended, but not deleted.',
  scope: 'organisation',
  key: 'id',
  prefix: 'reg',
  notFound: 'REGISTRATION_NOT_FOUND',
  indexes: [{ name: 'registration_corporation', columns: 'corporation_id, id' }],
  unique: [{ name: 'registration_content_key', columns: 'corporation_id, registration_content_id', where: 'archived_at is null' }],
  deletedAt: 'archivedAt',
  node: { roles: ['PLATFORM'] },
  implements: Node,
})
export class Registration {
  @version('id', 'updatedAt') etag!: Opt<string>;
  @derived(
    () => UUID,
    'UUID of the registration, as in REST paths.',
    ['id'],
    (row) => toUUID(row.id!),
    { jsonName: ['id', 'registration_id'] },
  )
  registrationId!: Opt<string>;
  @derived(
    () => AutoFilingStatus.values,
    'Whether returns are filed automatically; currently always NOT_FILING.',
    [],
    () => 'NOT_FILING',
  )
  autoFilingStatus!: Opt<string>;
  @derived(
    () => Boolean,
    'Whether it is archived; the corporation can then register for the same content again.',
    ['archivedAt'],
    (row) => row.archivedAt !== null,
  )
  archived!: Opt<boolean>;
  @identifier('Global id.', { ...fixed, rest: 'never' }) id!: string;
  @ledgerNumber('Organisation that owns the registration.', { ...fixed, hidden: true }) organisationId!: number;
  @identifier('Registered corporation.', { required: true, write: 'create' }) corporationId!: string;
  @identifier('Content entry of the registration.', {
    required: true,
    write: 'create',
    createDescription: 'Content id from `registrationInputOptions`.',
  })
  registrationContentId!: string;
  @identifier('Id of the jurisdiction.', fixed) jurisdictionId!: string;
  @enumeration(JurisdictionType, 'Level of government.', fixed) jurisdictionType!: string;
  @text('Name of the jurisdiction.', fixed) jurisdictionName!: string;
  @country('Two-letter country code; null for a bloc.', { write: 'never' }) country!: string | null;
  @text('ISO 3166-2 suffix of the subdivision.', { write: 'never' }) stateOrProvince!: string | null;
  @list(() => SalesTaxType.values, 'Tax types that it covers; null if the parent jurisdiction determines them.', {
    input: () => [String],
    createDescription: 'Tax types of the content entry. Optional only below state level.',
  })
  taxTypes!: string[] | null;
  @enumeration(FilingFrequency, 'How often returns are due.', {
    input: () => String,
    createDescription: 'Filing frequency, one of those in the content entry.',
  })
  frequency!: string | null;
  @enumeration(RegistrationType, 'Whether it existed before it was recorded here.', {
    required: true,
    write: 'create',
    fallback: 'EXISTING',
    createDescription: 'Whether it already exists at the authority.',
  })
  registrationType!: RegistrationTypeName;
  @enumeration(RegistrationStatus, 'Standing at the authority as last written; the days of effect are applied when it is read.', {
    ...fixed,
    hidden: true,
  })
  storedStatus!: StateOf<'registrationStatus'>;
  @enumeration(ValidationStatus, 'Result of the data check.', fixed) validationStatus!: StateOf<'validationStatus'>;
  @date('First day of effect.', { createDescription: 'First day of effect, at most a year ahead; required for EXISTING.' })
  effectiveStartDate!: string | null;
  @date('Last day of effect.', { createDescription: 'Last day of effect; after the first.' }) effectiveEndDate!: string | null;
  @key('Number that the authority assigned.') taxRegistrationId!: string | null;
  @object('Answers to the questions of the authority.', {
    required: true,
    write: 'create',
    fallback: {},
    createDescription: 'Answers to the `inputFields` of the content entry, by key.',
  })
  inputValues!: Record<string, unknown>;
  @enumeration(RegisteredBy, 'Party that made the registration.', {
    required: true,
    write: 'create',
    fallback: 'API',
    createDescription: 'Party that makes the registration.',
  })
  registeredBy!: string;
  @key('Portal of the authority.', {
    rules: { maxLength: 255 },
    createDescription: 'Reference to the portal of the authority.',
  })
  portalId!: string | null;
  @key('Reference to a login stored elsewhere.', {
    rules: { maxLength: 255 },
    createDescription: 'Reference to a login stored elsewhere.',
  })
  credentialId!: string | null;
  @text('Email address for authorities.', { write: 'never' }) emailAlias!: string | null;
  @moment('When it was created.', fixed) createdAt!: Date;
  @moment('When it last changed.', fixed) updatedAt!: Date;
  @moment('When it was archived.', { hidden: true }) archivedAt!: Date | null;
  @belongsTo(() => Corporation, 'corporationId', { shown: 'Registered corporation.', inverse: 'registrations' })
  corporation?: Corporation;
}
