// Corporations: the companies of a sales tax partner. Record and input types.
import { Extensions, Field, InputType, ObjectType } from 'type-graphql';
import { inputField, inputType } from '../../graphql/input-types.ts';
import { exposeNode, Node } from '../../graphql/node.ts';
import { derived, identifier, ledgerNumber, list, moment, object, record, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { modelOf } from '../../records/metadata.ts';
import type { EntityForm } from '../shared/corporation-types.ts';
import type { CorporationAddress, CorporationTaxId } from './rules.ts';

export const CorporationStatus = defineEnum('CorporationStatus', 'Whether a corporation is in use.', {
  ACTIVE: 'In use.',
  ARCHIVED: 'Deleted, with its products and registrations.',
});

@ObjectType({ description: 'A number a government assigned to a corporation.', simpleResolvers: true })
export class TaxId implements CorporationTaxId {
  @Field(() => String, { description: 'Kind of number, such as US_EIN.' }) type!: string;
  @Field(() => String, { description: 'The number as it was given.' }) value!: string;
}

@InputType({ description: 'A number a government assigned to a corporation.' })
@Extensions({ trims: true })
export class TaxIdInput {
  @Field(() => String, { description: 'Kind of number, such as US_EIN; one number per kind.' }) type!: string;
  @Field(() => String, { description: 'The number. Its format is checked, and its check digits if the kind has any.' }) value!: string;
}

@ObjectType({ description: 'The registered address of a corporation.', simpleResolvers: true })
export class RegisteredAddress implements CorporationAddress {
  @Field(() => String, { description: 'First line.' })
  @Extensions({ jsonName: 'address_line_1' })
  addressLine1!: string;
  @Field(() => String, { nullable: true, description: 'Second line.' })
  @Extensions({ jsonName: 'address_line_2' })
  addressLine2!: string | null;
  @Field(() => String, { nullable: true, description: 'City.' }) city!: string | null;
  @Field(() => String, { nullable: true, description: 'State or province.' }) state!: string | null;
  @Field(() => String, { nullable: true, description: 'Postal code.' }) postalCode!: string | null;
  @Field(() => String, { description: 'Country, two letters.' }) country!: string;
}

@InputType({ description: 'The registered address of a corporation. Each line has at most 255 characters.' })
@Extensions({ trims: true })
export class RegisteredAddressInput {
  @Field(() => String, { description: 'First line.' })
  @Extensions({ jsonName: 'address_line_1' })
  addressLine1!: string;
  @Field(() => String, { nullable: true, description: 'Second line.' })
  @Extensions({ jsonName: 'address_line_2' })
  addressLine2?: string | null;
  @Field(() => String, { nullable: true, description: 'City.' }) city?: string | null;
  @Field(() => String, { nullable: true, description: 'State or province.' }) state?: string | null;
  @Field(() => String, { nullable: true, description: 'Postal code.' }) postalCode?: string | null;
  @Field(() => String, { description: 'Country, two letters (ISO 3166-1).' }) country!: string;
}

@record({
  description: 'A company of a sales tax partner; owner of products and registrations.',
  scope: 'organisation',
  key: 'id',
  prefix: 'corp',
  deletedAt: 'archivedAt',
  primaryKey: ['id'],
  unique: [
    { name: 'corporation_external_id_key', columns: 'organisation_id, external_id', where: 'archived_at is null' },
    { name: 'corporation_email_alias_key', columns: 'organisation_id, email_alias', where: 'archived_at is null' },
  ],
  indexes: [{ name: 'corporation_list', columns: 'organisation_id, created_at, id', where: 'archived_at is null' }],
  implements: Node,
})
export class Corporation {
  @identifier('Identifier, `corp_…`.', { required: true, write: 'never' }) id!: string;
  @ledgerNumber('Organisation that owns the corporation.', { required: true, write: 'never', hidden: true }) organisationId!: number;
  @text('Registered name with its legal suffix, at most 255 characters.', { required: true }) legalName!: string;
  @text('Country of registration, two letters (ISO 3166-1).', { required: true }) jurisdiction!: string;
  @text('Sub-division of formation: the suffix of an ISO 3166-2 code of the jurisdiction.') state!: string | null;
  @text('Legal form, one of those listed for the jurisdiction, such as C_CORP.') entityType!: EntityForm | null;
  @text('Local part of the address authorities write to, at most 64 of a-z, 0-9 and hyphen; unique.') emailAlias!: string | null;
  @text('Your own key, at most 128 characters; unique.') externalId!: string | null;
  @list(() => TaxId, 'Numbers governments assigned to the corporation, one per kind.', { required: true, input: () => [TaxIdInput] })
  taxIds!: CorporationTaxId[];
  @object('Registered address.', { type: () => RegisteredAddress, input: () => RegisteredAddressInput })
  address!: CorporationAddress | null;
  @text('Mail address of a contact person.') contactEmail!: string | null;
  @text('Web address, http or https.') website!: string | null;
  @derived(
    () => CorporationStatus.values,
    'ACTIVE, or ARCHIVED once it is deleted.',
    ['archivedAt'],
    (row) => (row.archivedAt === null ? 'ACTIVE' : 'ARCHIVED'),
  )
  status!: string;
  @moment('When it was created.', { required: true, write: 'never' }) createdAt!: Date;
  @moment('When it last changed.', { required: true, write: 'never' }) updatedAt!: Date;
  @moment('When it was archived.', { write: 'never', hidden: true }) archivedAt!: Date | null;
}
exposeNode('Corporation', 'PLATFORM');

const props = [...modelOf(Corporation).props.values()].filter((prop) => prop.write !== 'never');
const requiredOnCreate = ['legalName', 'jurisdiction'];

export const CreateCorporationInput = inputType(
  'CreateCorporationInput',
  'A corporation to create.',
  props.map((prop) => inputField(prop, !requiredOnCreate.includes(prop.name))),
  { trims: true },
);

export const UpdateCorporationInput = inputType(
  'UpdateCorporationInput',
  'Fields of a corporation to change; null clears an optional one.',
  props.map((prop) => inputField(prop, true)),
  { trims: true },
);
