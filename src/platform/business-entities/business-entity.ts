// The record types of business entities: entity, registration, government identifier, acknowledgement.

import { type Collection, type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { ID } from 'type-graphql';
import { StoredFile } from '../../files/stored-file.ts';
import { Node } from '../../graphql/node.ts';
import {
  belongsTo,
  country,
  type DecoratorOf,
  date,
  derived,
  enumeration,
  flag,
  identifier,
  key,
  ledgerNumber,
  list,
  moment,
  object,
  record,
  related,
  text,
  version,
} from '../../records/decorators.ts';
import { ledgerGlobalId } from '../../records/ids.ts';
import { JSONObject, PositiveInt, Timestamp } from '../../records/scalars.ts';
import { RegisteredBy } from '../registrations/enums.ts';
import { checkEntityType, type EntityForm, EntityForms } from '../shared/corporation-types.ts';
import { countryCode, inCountry, subdivisionIn } from '../shared/countries.ts';
import { IDENTIFIER_KINDS, type IdentifierKind, IdentifierPurposes } from '../shared/government-identifiers.ts';
import { categoryOf } from './documents.ts';
import { DocumentCategory, DocumentSubType, EntityPurpose, EntityRecordStatus, EntityStanding, IdentifierVerdict } from './enums.ts';

const set = { required: true, write: 'never' } as const;
const hidden = { ...set, hidden: true } as const;
const short = { minLength: 1, maxLength: 255 };
const long = { maxLength: 2000 };

const FEDERAL = new Set(['US', 'CA', 'AE', 'IN']);
/** The jurisdiction of the national level: FEDERAL in federal countries, NATIONAL in others. */
const nationalLevel = ({ country }: { country: string }): string => (FEDERAL.has(country) ? 'FEDERAL' : 'NATIONAL');

/** The jurisdiction of a registration or number. */
const jurisdiction = {
  required: true,
  write: 'create',
  fallback: nationalLevel,
  rules: short,
  createDescription: 'Sub-division suffix; the national level when absent.',
} as const;

/** What the catalogue says of the kind of a number; undefined for a kind it does not have. */
const ofKind =
  <K extends keyof IdentifierKind>(name: K) =>
  ({ key }: { key: string }): IdentifierKind[K] | undefined =>
    IDENTIFIER_KINDS.get(key)?.[name];

const nameOfRegistration = ({ country, jurisdiction, purpose }: Record<'country' | 'jurisdiction' | 'purpose', string>): string =>
  `${country}_${jurisdiction}_${purpose === 'CORPORATE_REGISTRY' ? 'CORP_REGISTRY' : purpose}`;

/** A stored timestamp, shown in milliseconds. */
const milliseconds = <K extends string>(description: string, from: K): DecoratorOf<K> =>
  derived(
    () => Timestamp,
    `${description} Milliseconds since 1970.`,
    [from],
    (row) => Date.parse(row[from]!),
  );

@record({
  description: 'A document that an authority issued about a registration.',
  scope: 'organisation',
  key: 'id',
  prefix: 'acknowledgement',
  deletedAt: 'removedAt',
  indexes: [{ name: 'acknowledgement_registration', columns: 'registration_id, id' }],
})
export class Acknowledgement {
  @milliseconds('When it was attached.', 'attachedAt') createdAt!: Opt<number>;
  @milliseconds('When it last changed.', 'changedAt') updatedAt!: Opt<number>;
  @derived(
    () => JSONObject,
    'Always an empty object.',
    [],
    () => ({}),
  )
  deprecatedFieldsForFrontend!: Opt<object>;
  @ledgerNumber('Number of the document.', { ...set, sequence: 'document_id' }) id!: number;
  @ledgerNumber('Organisation.', hidden) organisationId!: number;
  @identifier('Registration it is about.', hidden) registrationId!: string;
  @enumeration(DocumentCategory, 'Category.', {
    required: true,
    fallback: ({ documentSubType }: { documentSubType: string }) => categoryOf(documentSubType),
    createDescription: 'Category; the usual one of the kind when absent.',
  })
  documentType!: string;
  @enumeration(DocumentSubType, 'Kind.', { required: true }) documentSubType!: string;
  @text('Name of the kind when it is Other; empty otherwise.', {
    required: true,
    fallback: '',
    rules: short,
    createDescription: 'Name of the kind when it is Other.',
  })
  explicitDocumentType!: string;
  @flag('Whether `data` holds what the document says.', set) supportsDataStorage!: boolean;
  @flag('Whether it expires.', set) isTimeSensitive!: boolean;
  @flag('Whether the registration has only one of this kind.', {
    required: true,
    fallback: true,
    createDescription: 'Whether the registration has only one of this kind; true when absent.',
  })
  isUnique!: boolean;
  @text('Name of the file.', set) fileName!: string;
  @identifier('Stored file.', { required: true, hidden: true, write: 'create', createDescription: 'File of the organisation.' })
  fileId!: string;
  @text('Free label for compliance work.', { rules: short }) complianceTag!: string | null;
  @enumeration(EntityPurpose, 'What it proves compliance with.') compliancePurpose!: string | null;
  @date('Day of issue.') dateOfIssuance!: string | null;
  @date('Day of expiry.') dateOfExpiration!: string | null;
  @date('First day of effect.') effectiveStartDate!: string | null;
  @date('Last day of effect.') effectiveEndDate!: string | null;
  @object('What the document says, by name.', { required: true, fallback: {} }) data!: Record<string, unknown>;
  @moment('When it was attached.', hidden) attachedAt!: Date;
  @moment('When it last changed.', hidden) changedAt!: Date;
  @moment('When it was removed.', { hidden: true }) removedAt!: Date | null;
  @belongsTo(() => BusinessEntityRegistration, 'registrationId', { shown: 'The registration it is about.' })
  registration?: BusinessEntityRegistration;
  @belongsTo(() => StoredFile, 'fileId') file?: StoredFile;
}

@record({
  description: 'A number that a government assigned to a business entity.',
  scope: 'organisation',
  key: 'id',
  prefix: 'gid',
  unique: [{ name: 'government_identifier_value_key', columns: 'business_entity_id, key, compact' }],
  node: { roles: ['ENTITIES'] },
  implements: Node,
})
export class GovernmentIdentifier {
  @milliseconds('When it was recorded.', 'recordedAt') createdAt!: Opt<number>;
  @milliseconds('When it last changed.', 'changedAt') lastUpdatedAt!: Opt<number>;
  @derived(
    () => PositiveInt,
    'Number of the business entity that holds it.',
    ['businessEntityId'],
    (row) => row.businessEntityId,
  )
  corporationId!: Opt<number>;
  @identifier('Identifier, `gid_…`.', set) id!: string;
  @ledgerNumber('Organisation.', hidden) organisationId!: number;
  @ledgerNumber('Business entity.', hidden) businessEntityId!: number;
  @belongsTo(() => BusinessEntity, 'businessEntityId', {
    to: 'businessEntityId',
    shown: 'The business entity that holds it.',
    inverse: 'governmentIdentifiers',
  })
  businessEntity?: BusinessEntity;
  @country('Country of the authority, two letters.', set) country!: string;
  @enumeration(EntityForms, 'Legal form of the entity.', set) corporationType!: EntityForm;
  @text('Kind of number, such as US_EIN.', {
    required: true,
    rules: { pattern: /^[A-Z]{2}_[A-Z0-9_]{1,60}$/, expectation: 'a country and a name in upper snake case, such as US_EIN' },
    createDescription: 'Kind of number, such as US_EIN; one that is not in the catalogue needs a display name.',
  })
  key!: string;
  @text('Name of the kind.', {
    required: true,
    fallback: ofKind('displayName'),
    rules: short,
    createDescription: 'Name of a kind that is not in the catalogue.',
  })
  displayName!: string;
  @text('Short name of the kind.', set) shortName!: string;
  @text('What the kind is.', {
    required: true,
    fallback: (row: GovernmentIdentifier) => ofKind('description')(row) ?? row.displayName,
    rules: long,
    createDescription: 'What such a kind is.',
  })
  description!: string;
  @list(() => IdentifierPurposes.values, 'What it is used for.', {
    required: true,
    fallback: (row: GovernmentIdentifier) => ofKind('purposes')(row) ?? ['TAXATION'],
    rules: { minItems: 1, unique: true },
    createDescription: 'What such a kind is used for.',
  })
  purposes!: readonly string[];
  @flag('Whether the entity cannot act without it.', {
    required: true,
    fallback: ({ purposes }: { purposes: readonly string[] }) => purposes[0] === 'TAXATION',
    createDescription: 'Whether the entity cannot act without it; true for tax numbers when absent.',
  })
  isFunctionCritical!: boolean;
  @flag('Whether the kind is not in the catalogue.', set) isCustom!: boolean;
  @text('Sub-division suffix, FEDERAL or NATIONAL.', jurisdiction) jurisdiction!: string;
  @key('The number as it is printed.', { required: true, rules: short, createDescription: 'The number.' }) value!: string;
  @text('The number as it is compared.', hidden) compact!: string;
  @text('Anchored pattern of the kind; null for one that is not in the catalogue.', { write: 'never' }) regexString!: string | null;
  @enumeration(IdentifierVerdict, 'What the check of the number found.', { ...set, rest: 'never' }) verdict!: string;
  @list(() => String, 'Registrations of the same entity that use it.', {
    required: true,
    hidden: true,
    write: 'create',
    fallback: [],
    input: () => [ID],
    rules: { maxItems: 50, unique: true },
    createDescription: 'Registrations of the entity that use it.',
  })
  registrationIds!: string[];
  @ledgerNumber('Number of the supporting document.', { hidden: true }) documentId!: number | null;
  @identifier('Stored file of that document.', { hidden: true }) documentFileId!: string | null;
  @belongsTo(() => StoredFile, 'documentFileId') documentFile?: StoredFile;
  @text('Name of that file.', { hidden: true }) documentFileName!: string | null;
  @enumeration(DocumentSubType, 'Kind of that document.', { hidden: true }) documentSubType!: string | null;
  @moment('When it was recorded.', hidden) recordedAt!: Date;
  @moment('When it last changed.', hidden) changedAt!: Date;
}

@record({
  description: 'A registration of a business entity at an authority.',
  scope: 'organisation',
  key: 'id',
  prefix: 'ber',
  notFound: 'REGISTRATION_NOT_FOUND',
  indexes: [{ name: 'business_entity_registration_entity', columns: 'business_entity_id, id' }],
  node: { roles: ['ENTITIES'] },
  implements: Node,
})
export class BusinessEntityRegistration {
  @milliseconds('When it was recorded.', 'recordedAt') createdAt!: Opt<number>;
  @milliseconds('When it last changed.', 'changedAt') lastUpdatedAt!: Opt<number>;
  @identifier('Identifier, `ber_…`.', set) id!: string;
  @ledgerNumber('Organisation.', hidden) organisationId!: number;
  @country('Country of the authority, two letters.', set) country!: string;
  @text('Sub-division suffix, FEDERAL or NATIONAL.', jurisdiction) jurisdiction!: string;
  @ledgerNumber('Number of the business entity.', set) businessEntityId!: number;
  @belongsTo(() => BusinessEntity, 'businessEntityId', { to: 'businessEntityId', shown: 'The business entity it is of.' })
  businessEntity?: BusinessEntity;
  @enumeration(EntityForms, 'Legal form of the entity.', set) corporationType!: EntityForm;
  @date('First day of effect.') effectiveStartDate!: string | null;
  @date('Last day of effect.') effectiveEndDate!: string | null;
  @enumeration(RegisteredBy, 'Who made it.', {
    required: true,
    write: 'create',
    fallback: 'PLATFORM',
    createDescription: 'Who made it; PLATFORM when absent.',
  })
  registeredBy!: string;
  @text('Name.', { required: true, rules: short }) displayName!: string;
  @text('What it is.', { required: true, rules: long }) description!: string;
  @enumeration(EntityPurpose, 'What it is for.', { required: true, write: 'create' }) purpose!: string;
  @flag('Whether the entity cannot act without it.', {
    required: true,
    write: 'create',
    fallback: ({ purpose }: { purpose: string }) => purpose === 'CORPORATE_REGISTRY',
    createDescription: 'Whether the entity cannot act without it; true for the corporate registry when absent.',
  })
  isFunctionCritical!: boolean;
  @flag('Whether its kind is not in the catalogue.', set) isCustom!: boolean;
  @enumeration(EntityRecordStatus, 'Result of the check of this record.', {
    required: true,
    fallback: 'PENDING',
    createDescription: 'Result of the check of the record; PENDING when absent.',
    changeDescription: 'Result of the check of the record.',
  })
  status!: string;
  @enumeration(EntityStanding, 'Standing as last written; the listing shows EXPIRED after the last day of effect.', hidden)
  storedStanding!: string;
  @key('Machine-readable name, such as US_DE_CORP_REGISTRY.', {
    required: true,
    write: 'create',
    fallback: nameOfRegistration,
    rules: short,
    createDescription: 'Machine-readable name; made from country, jurisdiction and purpose when absent.',
  })
  internalIdentifier!: string;
  @moment('When it was recorded.', hidden) recordedAt!: Date;
  @moment('When it last changed.', hidden) changedAt!: Date;
  @related({
    description: 'Documents the authority issued.',
    target: () => Acknowledgement,
    from: 'id',
    to: 'registrationId',
    many: true,
    rest: 'always',
    owned: true,
    nested: false,
  })
  acknowledgements!: Collection<Acknowledgement>;
}

@record({
  description: 'A business entity: a company that exists or is being formed.',
  scope: 'organisation',
  key: 'businessEntityId',
  prefix: 'entity',
  notFound: 'BUSINESS_ENTITY_NOT_FOUND',
  indexes: [{ name: 'business_entity_list', columns: 'organisation_id, created_at, business_entity_id' }],
  node: { roles: ['ENTITIES'] },
  implements: Node,
})
export class BusinessEntity {
  @version('businessEntityId', 'updatedAt') etag!: Opt<string>;
  [PrimaryKeyProp]?: 'businessEntityId';
  @derived(
    () => ID,
    'Global id: `entity_` and the number.',
    ['businessEntityId'],
    (row) => ledgerGlobalId('entity', row.businessEntityId),
    { rest: 'never' },
  )
  id!: Opt<string>;
  @ledgerNumber('Number of the entity.', { ...set, sequence: 'business_entity_id' }) businessEntityId!: number;
  @ledgerNumber('Organisation.', hidden) organisationId!: number;
  @text('Registered name.', { required: true, rules: short }) legalName!: string;
  @country('Country, two letters.', { required: true, check: countryCode }) country!: string;
  @text('Sub-division of formation, ISO 3166-2 suffix.', { check: subdivisionIn('country') }) state!: string | null;
  @enumeration(EntityForms, 'Legal form.', {
    required: true,
    check: inCountry('country', checkEntityType),
    createDescription: 'Legal form, one the country has.',
  })
  corporationType!: EntityForm;
  @identifier('Incorporation request it came from.', { write: 'never' }) incorporationRequestId!: string | null;
  @moment('When it was recorded.', set) createdAt!: Date;
  @moment('When it last changed.', set) updatedAt!: Date;
  @related({
    description: 'Its registrations, oldest first.',
    target: () => BusinessEntityRegistration,
    from: 'businessEntityId',
    to: 'businessEntityId',
    many: true,
    rest: 'always',
    owned: true,
    nested: false,
  })
  registrations!: Collection<BusinessEntityRegistration>;
}
