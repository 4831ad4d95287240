// Input types of the operator mutations on business entities.
import { Extensions, Field, ID, InputType } from 'type-graphql';
import { JSONObject, LocalDate, PositiveInt } from '../../records/scalars.ts';
import { RegisteredBy } from '../registrations/enums.ts';
import type { EntityForm as EntityFormName } from '../shared/corporation-types.ts';
import {
  DocumentCategory,
  DocumentSubType,
  EntityForm,
  EntityPurpose,
  EntityRecordStatus,
  EntityStanding,
  IdentifierPurpose,
} from './enums.ts';

const short = { rules: { minLength: 1, maxLength: 255 } };
const long = { rules: { maxLength: 2000 } };

@InputType({ description: 'A business entity to record, or fields of one to change.' })
@Extensions({ trims: true })
export class BusinessEntityInput {
  @Field(() => PositiveInt, { nullable: true, description: 'Number of the entity to change; a new one is recorded when absent.' })
  businessEntityId?: number | null;
  @Field(() => String, { nullable: true, description: 'Name of the organisation that owns a new entity.' }) organisationName?:
    | string
    | null;
  @Field(() => String, { description: 'Registered name.' }) @Extensions(short) legalName!: string;
  @Field(() => String, { description: 'Country, two letters.' }) country!: string;
  @Field(() => String, { nullable: true, description: 'Sub-division of formation, ISO 3166-2 suffix.' }) state?: string | null;
  @Field(() => EntityForm.values as never, { description: 'Legal form, one the country has.' }) corporationType!: EntityFormName;
}

@InputType({ description: 'A registration of an entity at an authority.' })
@Extensions({ trims: true })
export class EntityRegistrationInput {
  @Field(() => EntityPurpose.values as never, { description: 'What it is for.' }) purpose!: string;
  @Field(() => String, { description: 'Name.' }) @Extensions(short) displayName!: string;
  @Field(() => String, { description: 'What it is.' }) @Extensions(long) description!: string;
  @Field(() => String, { nullable: true, description: 'Sub-division suffix; the national level when absent.' })
  @Extensions(short)
  jurisdiction?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'First day of effect.' }) effectiveStartDate?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Last day of effect.' }) effectiveEndDate?: string | null;
  @Field(() => RegisteredBy.values as never, { nullable: true, description: 'Who made it; PLATFORM when absent.' }) registeredBy?:
    | string
    | null;
  @Field(() => EntityRecordStatus.values as never, {
    nullable: true,
    description: 'Result of the check of the record; PENDING when absent.',
  })
  status?: string | null;
  @Field(() => EntityStanding.values as never, {
    nullable: true,
    description: 'Standing at the authority; REGISTRATION_IN_PROGRESS when absent.',
  })
  registrationStatus?: string | null;
  @Field(() => String, { nullable: true, description: 'Machine-readable name; made from country, jurisdiction and purpose when absent.' })
  @Extensions(short)
  internalIdentifier?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the entity cannot act without it; true for the corporate registry when absent.',
  })
  isFunctionCritical?: boolean | null;
}

@InputType({ description: "Fields of an entity's registration to change." })
@Extensions({ trims: true })
export class UpdateEntityRegistrationInput {
  @Field(() => String, { nullable: true, description: 'Name.' }) @Extensions(short) displayName?: string | null;
  @Field(() => String, { nullable: true, description: 'What it is.' }) @Extensions(long) description?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'First day of effect.' }) effectiveStartDate?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Last day of effect.' }) effectiveEndDate?: string | null;
  @Field(() => EntityRecordStatus.values as never, { nullable: true, description: 'Result of the check of the record.' }) status?:
    | string
    | null;
  @Field(() => EntityStanding.values as never, { nullable: true, description: 'Standing at the authority.' }) registrationStatus?:
    | string
    | null;
}

@InputType({ description: 'A number a government assigned to an entity.' })
@Extensions({ trims: true })
export class GovernmentIdentifierInput {
  @Field(() => String, { description: 'Kind of number, such as US_EIN; one that is not in the catalogue needs a display name.' })
  @Extensions({ rules: { pattern: /^[A-Z]{2}_[A-Z0-9_]{1,60}$/, expectation: 'a country and a name in upper snake case, such as US_EIN' } })
  key!: string;
  @Field(() => String, { description: 'The number.' }) @Extensions(short) value!: string;
  @Field(() => String, { nullable: true, description: 'Sub-division suffix; the national level when absent.' })
  @Extensions(short)
  jurisdiction?: string | null;
  @Field(() => String, { nullable: true, description: 'Name of a kind that is not in the catalogue.' }) @Extensions(short) displayName?:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'What such a kind is.' }) @Extensions(long) description?: string | null;
  @Field(() => [IdentifierPurpose.values as never], { nullable: true, description: 'What such a kind is used for.' })
  @Extensions({ rules: { minItems: 1, unique: true } })
  purposes?: string[] | null;
  @Field(() => Boolean, { nullable: true, description: 'Whether the entity cannot act without it; true for tax numbers when absent.' })
  isFunctionCritical?: boolean | null;
  @Field(() => ID, { nullable: true, description: 'File of the organisation that proves it.' }) fileId?: string | null;
  @Field(() => [ID], { nullable: true, description: 'Registrations of the entity that use it.' })
  @Extensions({ rules: { maxItems: 50, unique: true } })
  registrationIds?: string[] | null;
}

@InputType({ description: 'A document an authority issued about a registration.' })
@Extensions({ trims: true })
export class AcknowledgementInput {
  @Field(() => DocumentSubType.values as never, { description: 'Kind.' }) documentSubType!: string;
  @Field(() => DocumentCategory.values as never, { nullable: true, description: 'Category; the usual one of the kind when absent.' })
  documentType?: string | null;
  @Field(() => String, { nullable: true, description: 'Name of the kind when it is Other.' }) @Extensions(short) explicitDocumentType?:
    | string
    | null;
  @Field(() => ID, { description: 'File of the organisation.' }) fileId!: string;
  @Field(() => Boolean, { nullable: true, description: 'Whether the registration has only one of this kind; true when absent.' }) isUnique?:
    | boolean
    | null;
  @Field(() => String, { nullable: true, description: 'Free label for compliance work.' }) @Extensions(short) complianceTag?: string | null;
  @Field(() => EntityPurpose.values as never, { nullable: true, description: 'What it proves compliance with.' }) compliancePurpose?:
    | string
    | null;
  @Field(() => LocalDate, { nullable: true, description: 'Day of issue.' }) dateOfIssuance?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Day of expiry.' }) dateOfExpiration?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'First day of effect.' }) effectiveStartDate?: string | null;
  @Field(() => LocalDate, { nullable: true, description: 'Last day of effect.' }) effectiveEndDate?: string | null;
  @Field(() => JSONObject, { nullable: true, description: 'What the document says, by name.' }) data?: Record<string, unknown> | null;
}
