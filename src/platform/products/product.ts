// Products of a corporation with a customs code per country. Record and input types.
import type { Opt } from '@mikro-orm/core';
import { createInput, type InputField, inputType, updateInput } from '../../graphql/input-types.ts';
import { Node } from '../../graphql/node.ts';
import { type FieldCheck, failed, passed } from '../../records/checked.ts';
import {
  amount,
  belongsTo,
  country,
  derived,
  identifier,
  json,
  key,
  ledgerNumber,
  moment,
  record,
  text,
  version,
} from '../../records/decorators.ts';
import { CountryCode, JSONObject } from '../../records/scalars.ts';
import { checkOneOf, line, textOf } from '../../records/text.ts';
import { Corporation } from '../corporations/corporation.ts';
import { CustomsCode, codesOf, type StoredCodes } from '../customs/customs-code.ts';
import { countryCode } from '../shared/countries.ts';

const SOURCE_PLATFORMS = [
  'SHOPIFY',
  'STRIPE',
  'BIG_COMMERCE',
  'WOO_COMMERCE',
  'XERO',
  'QUICKBOOKS',
  'NETSUITE',
  'ZOHO_BOOKS',
  'FRESHBOOKS',
  'OTHER',
] as const;
export type SourcePlatform = (typeof SOURCE_PLATFORMS)[number] | '';

const sourcePlatform: FieldCheck = (field, value) => checkOneOf(field, value, SOURCE_PLATFORMS);
const taxCode = textOf({
  max: 32,
  pattern: /^[A-Za-z0-9_.-]+$/,
  patternHint: 'consist of letters, digits, underscore, full stop and hyphen',
});

/** Kilograms and litres; both exclusive of zero. */
const MAX_MEASURE = 1_000_000;

const measure: FieldCheck = (field, value) => {
  if (typeof value !== 'number') return failed(field, 'INVALID_TYPE', `${field} must be a number`);
  const inRange = value > 0 && value <= MAX_MEASURE;
  return inRange ? passed(value) : failed(field, 'OUT_OF_RANGE', `${field} must be above 0 and at most ${MAX_MEASURE}`);
};

@record({
  description: 'A product that a corporation sells.',
  scope: 'organisation',
  key: 'id',
  prefix: 'prod',
  deletedAt: 'deletedAt',
  notFound: 'PRODUCT_NOT_FOUND',
  unique: [
    { name: 'product_sku_key', columns: 'corporation_id, sku', where: 'deleted_at is null and sku is not null' },
    {
      name: 'product_source_key',
      columns: 'corporation_id, source_platform, source_platform_id',
      where: 'deleted_at is null and source_platform_id is not null',
    },
  ],
  listed: true,
  followed: true,
  listedBy: 'corporationId',
  indexes: [{ name: 'product_list', columns: 'corporation_id, created_at, id', where: 'deleted_at is null' }],
  node: { roles: ['PLATFORM'] },
  implements: Node,
})
export class Product {
  @version('id', 'updatedAt') etag!: Opt<string>;
  @identifier('Identifier, `prod_…`.', { required: true, write: 'never' }) id!: string;
  @ledgerNumber('Organisation that owns the product.', { required: true, write: 'never', hidden: true }) organisationId!: number;
  @identifier('Corporation that sells the product; cannot be changed.', { required: true, write: 'create' }) corporationId!: string;
  @text('Display name, at most 255 characters; a product has a name, a sku or both.', {
    list: 'indexed',
    search: true,
    check: line(255),
  })
  name!: string | null;
  @key('Your product key, up to 128 characters, case-sensitive; unique within the corporation.', {
    list: 'indexed',
    search: true,
    check: line(128),
  })
  sku!: string | null;
  @text('Description, at most 2000 characters.', { check: textOf({ max: 2000 }) }) description!: string | null;
  @text(
    'Taxability class: at most 32 letters, digits, underscores, full stops and hyphens; default TPP, tangible personal property. Free text: codes belong to the tax engine that reads them, and none is checked.',
    {
      required: true,
      fallback: 'TPP',
      check: taxCode,
    },
  )
  taxCode!: string;
  @json('Customs codes by country, as stored.', { required: true, hidden: true }) codes!: StoredCodes;
  @derived(
    () => [CustomsCode],
    'Customs codes, one per country.',
    ['codes'],
    (row) => codesOf(row),
    { rest: 'never' },
  )
  customsCodes!: Opt<CustomsCode[]>;
  @derived(
    () => JSONObject,
    'Customs codes: an object of country to digits.',
    ['codes'],
    (row) => Object.fromEntries(codesOf(row).map(({ country, customsCode }) => [country, customsCode])),
  )
  customsJurisdictionDetails!: Opt<Record<string, string>>;
  @amount('Weight in kilograms, above 0 and at most 1,000,000.', { check: measure }) weightInKg!: number | null;
  @amount('Volume in liters, above 0 and at most 1,000,000.', { check: measure }) volumeInLiters!: number | null;
  @country('Country of origin, two letters (ISO 3166-1).', { check: countryCode }) originCountry!: string | null;
  @text(`System of origin: ${SOURCE_PLATFORMS.join(', ')}, or empty.`, {
    required: true,
    fallback: '',
    write: 'create',
    check: sourcePlatform,
  })
  sourcePlatform!: SourcePlatform;
  @key('Id in that system, up to 255 characters; unique per corporation and system.', {
    list: 'indexed',
    search: true,
    write: 'create',
    check: line(255),
  })
  sourcePlatformId!: string | null;
  @moment('When it was created.', { required: true, write: 'never' }) createdAt!: Date;
  @moment('When it last changed.', { required: true, write: 'never' }) updatedAt!: Date;
  @moment('When it was deleted.', { write: 'never', hidden: true }) deletedAt!: Date | null;
  @belongsTo(() => Corporation, 'corporationId', { shown: 'Corporation that sells the product.', inverse: 'products' })
  corporation?: Corporation;
}

export const MAX_CUSTOMS_ENTRIES = 60;

const customsCodeFields: InputField[] = [
  { name: 'country', type: () => CountryCode, description: 'Country, two letters (ISO 3166-1).', nullable: false },
  {
    name: 'customsCode',
    type: () => String,
    description: 'Digits in a length that the country accepts; full stops, spaces and hyphens are ignored.',
    nullable: false,
  },
];

const CustomsCodeInput = inputType('CustomsCodeInput', 'The customs code of a product for one country.', customsCodeFields, {
  trims: true,
});

const customsFields: InputField[] = [
  {
    name: 'customsJurisdictionDetails',
    type: () => JSONObject,
    description: 'Customs codes as an object of country to code, at most 60. Replaces the whole map.',
    nullable: true,
    supersededBy: 'customsCodes',
  },
  {
    name: 'customsCodes',
    type: () => [CustomsCodeInput],
    description: 'Customs codes, one per country, at most 60. Replaces the whole list.',
    nullable: true,
    rules: { maxItems: MAX_CUSTOMS_ENTRIES },
    graphqlOnly: true,
  },
];
export const CreateProductInput = createInput(Product, 'A product to create.', { more: customsFields });
export const UpdateProductInput = updateInput(
  Product,
  'Fields of a product to change; null clears optional ones. Corporation and source cannot be changed.',
  { more: customsFields, fixed: true },
);

export const SetCustomsCodeInput = inputType('SetCustomsCodeInput', 'The customs code of a product for one country.', customsCodeFields, {
  trims: true,
});

export const RemoveCustomsCodeInput = inputType(
  'RemoveCustomsCodeInput',
  'Country of the customs code to remove.',
  [{ name: 'country', type: () => CountryCode, description: 'Country, two letters (ISO 3166-1).', nullable: false }],
  { trims: true },
);
