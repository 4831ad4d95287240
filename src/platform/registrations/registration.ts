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
  description: 'A registration of a corporation for an indirect tax in one jurisdiction. It cannot be deleted, only ended.',
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
    'The UUID inside the global id; REST paths use it.',
    ['id'],
    (row) => toUUID(row.id!),
    { jsonName: ['id', 'registration_id'] },
  )
  registrationId!: Opt<string>;
  @derived(
    () => AutoFilingStatus.values,
    'Whether returns are filed automatically; always NOT_FILING at present.',
    [],
    () => 'NOT_FILING',
  )
  autoFilingStatus!: Opt<string>;
  @derived(
    () => Boolean,
    'Whether it was archived; the corporation can then be registered for the same content again.',
    ['archivedAt'],
    (row) => row.archivedAt !== null,
  )
  archived!: Opt<boolean>;
  @identifier('Global id.', { ...fixed, rest: 'never' }) id!: string;
  @ledgerNumber('Organisation that owns the registration.', { ...fixed, hidden: true }) organisationId!: number;
  @identifier('Corporation that is registered.', { required: true, write: 'create' }) corporationId!: string;
  @identifier('Content entry the registration was made from.', {
    required: true,
    write: 'create',
    createDescription: 'Content id from `registrationInputOptions`.',
  })
  registrationContentId!: string;
  @identifier('Jurisdiction.', fixed) jurisdictionId!: string;
  @enumeration(JurisdictionType, 'Level of government.', fixed) jurisdictionType!: string;
  @text('Name of the jurisdiction.', fixed) jurisdictionName!: string;
  @country('Country, two letters; null for a bloc.', { write: 'never' }) country!: string | null;
  @text('ISO 3166-2 suffix of the sub-division.', { write: 'never' }) stateOrProvince!: string | null;
  @list(() => SalesTaxType.values, 'Tax types it covers; null where they follow from the parent jurisdiction.', {
    input: () => [String],
    createDescription: 'Tax types, of those the content entry names. May be absent below state level only.',
  })
  taxTypes!: string[] | null;
  @enumeration(FilingFrequency, 'How often returns are due.', {
    input: () => String,
    createDescription: 'Filing frequency, one of the content entry.',
  })
  frequency!: string | null;
  @enumeration(RegistrationType, 'Whether it existed before it was recorded here.', {
    required: true,
    write: 'create',
    fallback: 'EXISTING',
    createDescription: 'Whether it exists at the authority already.',
  })
  registrationType!: RegistrationTypeName;
  @enumeration(RegistrationStatus, 'Standing at the authority as last written; the days of effect are applied when it is read.', {
    ...fixed,
    hidden: true,
  })
  storedStatus!: StateOf<'registrationStatus'>;
  @enumeration(ValidationStatus, 'Whether the data were checked.', fixed) validationStatus!: StateOf<'validationStatus'>;
  @date('First day of effect.', { createDescription: 'First day of effect, at most a year ahead; needed for an existing one.' })
  effectiveStartDate!: string | null;
  @date('Last day of effect.', { createDescription: 'Last day of effect; after the first.' }) effectiveEndDate!: string | null;
  @key('Number the authority assigned.') taxRegistrationId!: string | null;
  @object('Answers to the questions of the authority.', {
    required: true,
    write: 'create',
    fallback: {},
    createDescription: "Answers by key of the content entry's `inputFields`.",
  })
  inputValues!: Record<string, unknown>;
  @enumeration(RegisteredBy, 'Who made it.', { required: true, write: 'create', fallback: 'API', createDescription: 'Who makes it.' })
  registeredBy!: string;
  @key('Portal of the authority.', {
    rules: { maxLength: 255 },
    createDescription: 'Portal of the authority; stored as a reference.',
  })
  portalId!: string | null;
  @key('Reference to a login stored elsewhere.', {
    rules: { maxLength: 255 },
    createDescription: 'A login stored elsewhere; stored here as a reference.',
  })
  credentialId!: string | null;
  @text('Address authorities write to.', { write: 'never' }) emailAlias!: string | null;
  @moment('When it was created.', fixed) createdAt!: Date;
  @moment('When it last changed.', fixed) updatedAt!: Date;
  @moment('When it was archived.', { hidden: true }) archivedAt!: Date | null;
  @belongsTo(() => Corporation, 'corporationId', { shown: 'The corporation that has it.', inverse: 'registrations' })
  corporation?: Corporation;
}
