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
  createDescription: 'ISO 3166-2 suffix; defaults to the national level.',
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
    `${description.slice(0, -1)}, in milliseconds since 1970.`,
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
  @enumeration(DocumentCategory, 'Category of the document.', {
    required: true,
    fallback: ({ documentSubType }: { documentSubType: string }) => categoryOf(documentSubType),
    createDescription: 'Category; defaults to the usual one of the kind.',
  })
  documentType!: string;
  @enumeration(DocumentSubType, 'Kind of document.', { required: true }) documentSubType!: string;
  @text('Name of the kind if it is "Other"; otherwise empty.', {
    required: true,
    fallback: '',
    rules: short,
    createDescription: 'Name of the kind if it is "Other".',
  })
  explicitDocumentType!: string;
  @flag('Whether `data` holds the values in the document.', set) supportsDataStorage!: boolean;
  @flag('Whether the document expires.', set) isTimeSensitive!: boolean;
  @flag('Whether a registration has at most one document of this kind.', {
    required: true,
    fallback: true,
    createDescription: 'Whether a registration has at most one document of this kind; default true.',
  })
  isUnique!: boolean;
  @text('Name of the file.', set) fileName!: string;
  @identifier('Stored file.', { required: true, hidden: true, write: 'create', createDescription: 'Id of a file of the organisation.' })
  fileId!: string;
  @text('Free-text label for compliance work.', { rules: short }) complianceTag!: string | null;
  @enumeration(EntityPurpose, 'Purpose of compliance that it proves.') compliancePurpose!: string | null;
  @date('Date of issue.') dateOfIssuance!: string | null;
  @date('Date of expiry.') dateOfExpiration!: string | null;
  @date('First day of effect.') effectiveStartDate!: string | null;
  @date('Last day of effect.') effectiveEndDate!: string | null;
  @object('Values in the document, by name.', { required: true, fallback: {} }) data!: Record<string, unknown>;
  @moment('When it was attached.', hidden) attachedAt!: Date;
  @moment('When it last changed.', hidden) changedAt!: Date;
  @moment('When it was removed.', { hidden: true }) removedAt!: Date | null;
  @belongsTo(() => BusinessEntityRegistration, 'registrationId', { shown: 'Registration that the document is about.' })
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
  @country('Country of the authority (ISO 3166-1, two letters).', set) country!: string;
  @enumeration(EntityForms, 'Legal form of the entity.', set) corporationType!: EntityForm;
  @text('Kind of number, such as US_EIN.', {
    required: true,
    rules: { pattern: /^[A-Z]{2}_[A-Z0-9_]{1,60}$/, expectation: 'a country and a name in upper snake case, such as US_EIN' },
    createDescription: 'Kind of number, such as US_EIN; kinds outside the catalogue need a display name.',
  })
  key!: string;
  @text('Name of the kind.', {
    required: true,
    fallback: ofKind('displayName'),
    rules: short,
    createDescription: 'Name of a kind outside the catalogue.',
  })
  displayName!: string;
  @text('Short name of the kind.', set) shortName!: string;
  @text('Description of the kind.', {
    required: true,
    fallback: (row: GovernmentIdentifier) => ofKind('description')(row) ?? row.displayName,
    rules: long,
    createDescription: 'Description of the kind.',
  })
  description!: string;
  @list(() => IdentifierPurposes.values, 'Purposes of the number.', {
    required: true,
    fallback: (row: GovernmentIdentifier) => ofKind('purposes')(row) ?? ['TAXATION'],
    rules: { minItems: 1, unique: true },
    createDescription: 'Purposes of the kind.',
  })
  purposes!: readonly string[];
  @flag('Whether the entity needs it to operate.', {
    required: true,
    fallback: ({ purposes }: { purposes: readonly string[] }) => purposes[0] === 'TAXATION',
    createDescription: 'Whether the entity needs it to operate; by default true for tax numbers.',
  })
  isFunctionCritical!: boolean;
  @flag('Whether the kind is outside the catalogue.', set) isCustom!: boolean;
  @text('ISO 3166-2 suffix, FEDERAL or NATIONAL.', jurisdiction) jurisdiction!: string;
  @key('The number as printed.', { required: true, rules: short, createDescription: 'The number.' }) value!: string;
  @text('The number as it is compared.', hidden) compact!: string;
  @text('Anchored regular expression of the kind; null for kinds outside the catalogue.', { write: 'never' }) regexString!: string | null;
  @enumeration(IdentifierVerdict, 'Result of the check of the number.', { ...set, rest: 'never' }) verdict!: string;
  @list(() => String, 'Registrations of the entity that use the number.', {
    required: true,
    hidden: true,
    write: 'create',
    fallback: [],
    input: () => [ID],
    rules: { maxItems: 50, unique: true },
    createDescription: 'Registrations of the entity that use the number.',
  })
  registrationIds!: string[];
  @ledgerNumber('Number of the supporting document.', { hidden: true }) documentId!: number | null;
  @identifier('Stored file of that document.', { hidden: true }) documentFileId!: string | null;
  @belongsTo(() => StoredFile, 'documentFileId') documentFile?: StoredFile;
  @text('Name of the imported file.', { hidden: true }) documentFileName!: string | null;
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
  @country('Country of the authority (ISO 3166-1, two letters).', set) country!: string;
  @text('ISO 3166-2 suffix, FEDERAL or NATIONAL.', jurisdiction) jurisdiction!: string;
  @ledgerNumber('Number of the business entity.', set) businessEntityId!: number;
  @belongsTo(() => BusinessEntity, 'businessEntityId', { to: 'businessEntityId', shown: 'Registered business entity.' })
  businessEntity?: BusinessEntity;
  @enumeration(EntityForms, 'Legal form of the entity.', set) corporationType!: EntityForm;
  @date('First day of effect.') effectiveStartDate!: string | null;
  @date('Last day of effect.') effectiveEndDate!: string | null;
  @enumeration(RegisteredBy, 'Party that made the registration.', {
    required: true,
    write: 'create',
    fallback: 'PLATFORM',
    createDescription: 'Party that made the registration; default PLATFORM.',
  })
  registeredBy!: string;
  @text('Name for people.', { required: true, rules: short }) displayName!: string;
  @text('What the registration is.', { required: true, rules: long }) description!: string;
  @enumeration(EntityPurpose, 'What the entity needs it for.', { required: true, write: 'create' }) purpose!: string;
  @flag('Whether the entity needs it to operate.', {
    required: true,
    write: 'create',
    fallback: ({ purpose }: { purpose: string }) => purpose === 'CORPORATE_REGISTRY',
    createDescription: 'Whether the entity needs it to operate; by default true for the corporate registry.',
  })
  isFunctionCritical!: boolean;
  @flag('Whether the kind is outside the catalogue.', set) isCustom!: boolean;
  @enumeration(EntityRecordStatus, 'Result of the data check.', {
    required: true,
    fallback: 'PENDING',
    createDescription: 'Result of the data check; default PENDING.',
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
    createDescription: 'Machine-readable name; by default made from country, jurisdiction and purpose.',
  })
  internalIdentifier!: string;
  @moment('When it was recorded.', hidden) recordedAt!: Date;
  @moment('When it last changed.', hidden) changedAt!: Date;
  @related({
    description: 'Documents that the authority issued.',
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
  @country('Two-letter country code (ISO 3166-1).', { required: true, check: countryCode }) country!: string;
  @text('Subdivision of formation, as an ISO 3166-2 suffix.', { check: subdivisionIn('country') }) state!: string | null;
  @enumeration(EntityForms, 'Legal form.', {
    required: true,
    check: inCountry('country', checkEntityType),
    createDescription: 'Legal form of the country.',
  })
  corporationType!: EntityForm;
  @identifier('Id of the incorporation request that created it.', { write: 'never' }) incorporationRequestId!: string | null;
  @moment('When it was recorded.', set) createdAt!: Date;
  @moment('When it last changed.', set) updatedAt!: Date;
  @related({
    description: 'Registrations of the entity, oldest first.',
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
