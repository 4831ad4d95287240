// The record types of business entities: entity, registration, government identifier, acknowledgement.

import { exposeNode, Node } from '../../graphql/node.ts';
import {
  date,
  derived,
  enumeration,
  flag,
  identifier,
  ledgerNumber,
  list,
  moment,
  object,
  record,
  related,
  text,
} from '../../records/decorators.ts';
import { JSONObject, PositiveInt, Timestamp } from '../../records/scalars.ts';
import { RegisteredBy } from '../registrations/enums.ts';
import {
  DocumentCategory,
  DocumentSubType,
  EntityForm,
  EntityPurpose,
  EntityRecordStatus,
  EntityStanding,
  IdentifierPurpose,
  IdentifierVerdict,
} from './enums.ts';

const set = { required: true, write: 'never' } as const;
const hidden = { ...set, hidden: true } as const;

/** A stored timestamp, shown in milliseconds. */
const milliseconds = (description: string, from: string): PropertyDecorator =>
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
  primaryKey: ['id'],
  deletedAt: 'removedAt',
  indexes: [{ name: 'acknowledgement_registration', columns: 'registration_id, id' }],
})
export class Acknowledgement {
  @milliseconds('When it was attached.', 'attachedAt') createdAt!: number;
  @milliseconds('When it last changed.', 'changedAt') updatedAt!: number;
  @derived(
    () => JSONObject,
    'Always an empty object.',
    [],
    () => ({}),
  )
  deprecatedFieldsForFrontend!: object;
  @ledgerNumber('Number of the document.', set) id!: number;
  @ledgerNumber('Organisation.', hidden) organisationId!: number;
  @identifier('Registration it is about.', hidden) registrationId!: string;
  @enumeration(DocumentCategory, 'Category.', set) documentType!: string;
  @enumeration(DocumentSubType, 'Kind.', set) documentSubType!: string;
  @text('Name of the kind when it is Other; empty otherwise.', set) explicitDocumentType!: string;
  @flag('Whether `data` holds what the document says.', set) supportsDataStorage!: boolean;
  @flag('Whether it expires.', set) isTimeSensitive!: boolean;
  @flag('Whether the registration has only one of this kind.', set) isUnique!: boolean;
  @text('Name of the file.', set) fileName!: string;
  @identifier('Stored file.', hidden) fileId!: string;
  @text('Free label for compliance work.') complianceTag!: string | null;
  @enumeration(EntityPurpose, 'What it proves compliance with.') compliancePurpose!: string | null;
  @date('Day of issue.') dateOfIssuance!: string | null;
  @date('Day of expiry.') dateOfExpiration!: string | null;
  @date('First day of effect.') effectiveStartDate!: string | null;
  @date('Last day of effect.') effectiveEndDate!: string | null;
  @object('What the document says, by name.', set) data!: Record<string, unknown>;
  @moment('When it was attached.', hidden) attachedAt!: string;
  @moment('When it last changed.', hidden) changedAt!: string;
  @moment('When it was removed.', { hidden: true }) removedAt!: string | null;
}

@record({
  description: 'A number that a government assigned to a business entity.',
  scope: 'organisation',
  key: 'id',
  prefix: 'gid',
  primaryKey: ['id'],
  unique: [{ name: 'government_identifier_value_key', columns: 'business_entity_id, key, compact' }],
})
export class GovernmentIdentifier {
  @milliseconds('When it was recorded.', 'recordedAt') createdAt!: number;
  @milliseconds('When it last changed.', 'changedAt') lastUpdatedAt!: number;
  @derived(
    () => PositiveInt,
    'Number of the business entity that holds it.',
    ['businessEntityId'],
    (row) => row.businessEntityId,
  )
  corporationId!: number;
  @identifier('Identifier, `gid_…`.', set) id!: string;
  @ledgerNumber('Organisation.', hidden) organisationId!: number;
  @ledgerNumber('Business entity.', hidden) businessEntityId!: number;
  @text('Country of the authority, two letters.', set) country!: string;
  @enumeration(EntityForm, 'Legal form of the entity.', set) corporationType!: string;
  @text('Kind of number, such as US_EIN.', set) key!: string;
  @text('Name of the kind.', set) displayName!: string;
  @text('Short name of the kind.', set) shortName!: string;
  @text('What the kind is.', set) description!: string;
  @list(() => IdentifierPurpose.values, 'What it is used for.', set) purposes!: string[];
  @flag('Whether the entity cannot act without it.', set) isFunctionCritical!: boolean;
  @flag('Whether the kind is not in the catalogue.', set) isCustom!: boolean;
  @text('Sub-division suffix, FEDERAL or NATIONAL.', set) jurisdiction!: string;
  @text('The number as it is printed.', set) value!: string;
  @text('The number as it is compared.', hidden) compact!: string;
  @text('Anchored pattern of the kind; null for one that is not in the catalogue.') regexString!: string | null;
  @enumeration(IdentifierVerdict, 'What the check of the number found.', { ...set, rest: 'never' }) verdict!: string;
  @list(() => String, 'Registrations of the same entity that use it.', hidden) registrationIds!: string[];
  @ledgerNumber('Number of the supporting document.', { hidden: true }) documentId!: number | null;
  @identifier('Stored file of that document.', { hidden: true }) documentFileId!: string | null;
  @text('Name of that file.', { hidden: true }) documentFileName!: string | null;
  @enumeration(DocumentSubType, 'Kind of that document.', { hidden: true }) documentSubType!: string | null;
  @moment('When it was recorded.', hidden) recordedAt!: string;
  @moment('When it last changed.', hidden) changedAt!: string;
}

@record({
  description: 'A registration of a business entity at an authority.',
  scope: 'organisation',
  key: 'id',
  prefix: 'ber',
  primaryKey: ['id'],
  indexes: [{ name: 'business_entity_registration_entity', columns: 'business_entity_id, id' }],
  implements: Node,
})
export class BusinessEntityRegistration {
  @milliseconds('When it was recorded.', 'recordedAt') createdAt!: number;
  @milliseconds('When it last changed.', 'changedAt') lastUpdatedAt!: number;
  @identifier('Identifier, `ber_…`.', set) id!: string;
  @ledgerNumber('Organisation.', hidden) organisationId!: number;
  @text('Country of the authority, two letters.', set) country!: string;
  @text('Sub-division suffix, FEDERAL or NATIONAL.', set) jurisdiction!: string;
  @ledgerNumber('Number of the business entity.', set) businessEntityId!: number;
  @enumeration(EntityForm, 'Legal form of the entity.', set) corporationType!: string;
  @date('First day of effect.') effectiveStartDate!: string | null;
  @date('Last day of effect.') effectiveEndDate!: string | null;
  @enumeration(RegisteredBy, 'Who made it.', set) registeredBy!: string;
  @text('Name.', set) displayName!: string;
  @text('What it is.', set) description!: string;
  @enumeration(EntityPurpose, 'What it is for.', set) purpose!: string;
  @flag('Whether the entity cannot act without it.', set) isFunctionCritical!: boolean;
  @flag('Whether its kind is not in the catalogue.', set) isCustom!: boolean;
  @enumeration(EntityRecordStatus, 'Result of the check of this record.', set) status!: string;
  @enumeration(EntityStanding, 'Standing as last written; the listing shows EXPIRED after the last day of effect.', hidden)
  storedStanding!: string;
  @text('Machine-readable name, such as US_DE_CORP_REGISTRY.', set) internalIdentifier!: string;
  @moment('When it was recorded.', hidden) recordedAt!: string;
  @moment('When it last changed.', hidden) changedAt!: string;
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
  acknowledgements!: Acknowledgement[];
}
exposeNode('BusinessEntityRegistration', 'ENTITIES');

@record({
  description: 'A business entity: a company that exists or is being formed.',
  scope: 'organisation',
  key: 'businessEntityId',
  prefix: 'entity',
  primaryKey: ['businessEntityId'],
})
export class BusinessEntity {
  @ledgerNumber('Number of the entity.', set) businessEntityId!: number;
  @ledgerNumber('Organisation.', hidden) organisationId!: number;
  @text('Registered name.', set) legalName!: string;
  @text('Country, two letters.', set) country!: string;
  @text('Sub-division of formation, ISO 3166-2 suffix.') state!: string | null;
  @enumeration(EntityForm, 'Legal form.', set) corporationType!: string;
  @identifier('Incorporation request it came from.') incorporationRequestId!: string | null;
  @moment('When it was recorded.', set) createdAt!: string;
  @moment('When it last changed.', set) updatedAt!: string;
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
  registrations!: BusinessEntityRegistration[];
}
