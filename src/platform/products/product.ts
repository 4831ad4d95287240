// Products of a corporation with a customs code per country. Record and input types.
import { Field, ObjectType } from 'type-graphql';
import { inputField, inputType } from '../../graphql/input-types.ts';
import { exposeNode, Node } from '../../graphql/node.ts';
import { amount, derived, identifier, json, ledgerNumber, moment, record, related, text } from '../../records/decorators.ts';
import { modelOf } from '../../records/metadata.ts';
import { JSONObject } from '../../records/scalars.ts';
import { Corporation } from '../corporations/corporation.ts';
import { SOURCE_PLATFORMS, type SourcePlatform } from './rules.ts';

/** The stored customs codes of a product by country: the digits, and the code as it was given. */
export type StoredCodes = Record<string, { digits: string; display: string }>;

@ObjectType({ description: 'The customs code of a product for one country.', simpleResolvers: true })
export class CustomsCode {
  @Field(() => String, { description: 'Country, two letters.' }) country!: string;
  @Field(() => String, { description: 'The code, digits only.' }) customsCode!: string;
  @Field(() => String, { description: 'The code as it was given.' }) customsCodeDisplay!: string;
}

const codesOf = (row: { codes: StoredCodes }): CustomsCode[] =>
  Object.entries(row.codes).map(([country, code]) => ({ country, customsCode: code.digits, customsCodeDisplay: code.display }));

@record({
  description: 'Something a corporation sells.',
  scope: 'organisation',
  key: 'id',
  prefix: 'prod',
  deletedAt: 'deletedAt',
  primaryKey: ['id'],
  unique: [
    { name: 'product_sku_key', columns: 'corporation_id, sku', where: 'deleted_at is null and sku is not null' },
    {
      name: 'product_source_key',
      columns: 'corporation_id, source_platform, source_platform_id',
      where: 'deleted_at is null and source_platform_id is not null',
    },
  ],
  indexes: [{ name: 'product_list', columns: 'corporation_id, created_at, id', where: 'deleted_at is null' }],
  implements: Node,
})
export class Product {
  @identifier('Identifier, `prod_…`.', { required: true, write: 'never' }) id!: string;
  @ledgerNumber('Organisation that owns the product.', { required: true, write: 'never', hidden: true }) organisationId!: number;
  @identifier('Corporation that sells it; cannot be changed.', { required: true, write: 'create' }) corporationId!: string;
  @text('Display name, at most 255 characters; a product has a name, a sku or both.') name!: string | null;
  @text('Your key of the product, at most 128 characters, case-sensitive; unique among the products of the corporation.') sku!:
    | string
    | null;
  @text('Description, at most 2000 characters.') description!: string | null;
  @text('Taxability class, at most 32 of letters, digits, underscore, full stop and hyphen; TPP, taxable everywhere, when absent.', {
    required: true,
  })
  taxCode!: string;
  @json('Customs codes by country, as stored.', { required: true, write: 'never', hidden: true }) codes!: StoredCodes;
  @derived(
    () => [CustomsCode],
    'Customs codes, one per country.',
    ['codes'],
    (row) => codesOf(row as never),
    { rest: 'never' },
  )
  customsCodes!: CustomsCode[];
  @derived(
    () => JSONObject,
    'Customs codes: an object of country to digits.',
    ['codes'],
    (row) => Object.fromEntries(codesOf(row as never).map(({ country, customsCode }) => [country, customsCode])),
  )
  customsJurisdictionDetails!: Record<string, string>;
  @amount('Weight in kilograms, above 0 and at most 1,000,000.') weightInKg!: number | null;
  @amount('Volume in litres, above 0 and at most 1,000,000.') volumeInLiters!: number | null;
  @text('Country of origin, two letters (ISO 3166-1).') originCountry!: string | null;
  @text(`System it was imported from: ${SOURCE_PLATFORMS.join(', ')}, or empty.`, { required: true, write: 'create' })
  sourcePlatform!: SourcePlatform;
  @text('Id in that system, at most 255 characters; unique per corporation and system.', { write: 'create' }) sourcePlatformId!:
    | string
    | null;
  @moment('When it was created.', { required: true, write: 'never' }) createdAt!: Date;
  @moment('When it last changed.', { required: true, write: 'never' }) updatedAt!: Date;
  @moment('When it was deleted.', { write: 'never', hidden: true }) deletedAt!: Date | null;
  @related({
    description: 'The corporation that sells it.',
    target: () => Corporation,
    from: 'corporationId',
    to: 'id',
    many: false,
    rest: 'never',
    owned: false,
    nested: false,
  })
  corporation!: unknown;
}
exposeNode('Product', 'PLATFORM');

const customsField = {
  name: 'customsJurisdictionDetails',
  type: () => JSONObject,
  description: 'Customs codes: an object of country to code, at most 60; replaces the whole map.',
  nullable: true,
};
const props = [...modelOf(Product).props.values()];

export const CreateProductInput = inputType(
  'CreateProductInput',
  'A product to create.',
  [...props.filter((prop) => prop.write !== 'never').map((prop) => inputField(prop, prop.name !== 'corporationId')), customsField],
  { trims: true },
);

/** Includes the fields that are fixed at creation, so that the error can say so. */
export const UpdateProductInput = inputType(
  'UpdateProductInput',
  'Fields of a product to change; null clears an optional one. Its corporation and its source cannot be changed.',
  [...props.filter((prop) => prop.write !== 'never').map((prop) => inputField(prop, true)), customsField],
  { trims: true },
);

export const SetCustomsCodeInput = inputType(
  'SetCustomsCodeInput',
  'The customs code of a product for one country.',
  [
    { name: 'country', type: () => String, description: 'Country, two letters (ISO 3166-1).', nullable: false },
    {
      name: 'customsCode',
      type: () => String,
      description: 'Digits in a length the country accepts; full stops, spaces and hyphens may separate them.',
      nullable: false,
    },
  ],
  { trims: true },
);

export const RemoveCustomsCodeInput = inputType(
  'RemoveCustomsCodeInput',
  'The country whose customs code to remove.',
  [{ name: 'country', type: () => String, description: 'Country, two letters (ISO 3166-1).', nullable: false }],
  { trims: true },
);
