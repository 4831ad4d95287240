// Product fields as data: one rule for each, used by the GraphQL input, the REST body and the CSV import alike.
import { type Checked, failed, Gathering, isPlainObject, passed, unknownFields } from '../shared/checked.ts';
import { checkCountry } from '../shared/countries.ts';
import { checkOneOf, checkText, type TextRule } from '../shared/text.ts';
import { type CustomsCode, type CustomsCodeOptions, checkCustomsCode } from './customs-codes.ts';

export const SOURCE_PLATFORMS = [
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

export const DEFAULT_TAX_CODE = 'TPP';
export const MAX_CUSTOMS_ENTRIES = 60;
/** Kilograms and litres; both exclusive of zero. */
export const MAX_MEASURE = 1_000_000;

export const PRODUCT_TEXT = {
  name: { max: 255, singleLine: true },
  sku: { max: 128, singleLine: true },
  description: { max: 2000 },
  taxCode: { max: 32, pattern: /^[A-Za-z0-9_.-]+$/, patternHint: 'consist of letters, digits, underscore, full stop and hyphen' },
  sourcePlatformId: { max: 255, singleLine: true },
} as const satisfies Record<string, TextRule>;

/** What a caller may set, after checking. Undefined leaves the stored value, null clears it. */
export interface ProductFields {
  name?: string | null;
  sku?: string | null;
  description?: string | null;
  taxCode?: string | null;
  customsJurisdictionDetails?: Record<string, CustomsCode> | null;
  weightInKg?: number | null;
  volumeInLiters?: number | null;
  originCountry?: string | null;
  sourcePlatform?: SourcePlatform;
  sourcePlatformId?: string | null;
}
export type ProductField = keyof ProductFields;

export const PRODUCT_FIELDS: readonly ProductField[] = [
  'name',
  'sku',
  'description',
  'taxCode',
  'customsJurisdictionDetails',
  'weightInKg',
  'volumeInLiters',
  'originCountry',
  'sourcePlatform',
  'sourcePlatformId',
];
/** The source of a product is set at creation; only an import with `updateProtectedColumns` may change it. */
export const PROTECTED_FIELDS: readonly ProductField[] = ['sourcePlatform', 'sourcePlatformId'];

function checkMeasure(field: string, value: unknown): Checked<number> {
  if (typeof value !== 'number') return failed(field, 'INVALID_TYPE', `${field} must be a number`);
  const inRange = value > 0 && value <= MAX_MEASURE;
  return inRange ? passed(value) : failed(field, 'OUT_OF_RANGE', `${field} must be above 0 and at most ${MAX_MEASURE}`);
}

/** Country to customs code, every entry checked; at most 60. */
export function checkCustomsMap(field: string, value: unknown, options: CustomsCodeOptions): Checked<Record<string, CustomsCode>> {
  if (!isPlainObject(value)) return failed(field, 'INVALID_TYPE', `${field} must be an object of country to customs code`);
  const entries = Object.entries(value);
  if (entries.length > MAX_CUSTOMS_ENTRIES)
    return failed(field, 'OUT_OF_RANGE', `${field} must have at most ${MAX_CUSTOMS_ENTRIES} entries`);
  const gathering = new Gathering();
  const codes: Record<string, CustomsCode> = {};
  for (const [country, text] of entries) {
    const at = `${field}.${country}`;
    const known = gathering.take(checkCountry(country, at));
    const code = known && gathering.take(checkCustomsCode(known, text, options, at));
    if (known && code) codes[known] = code;
  }
  return gathering.finish(() => codes);
}

/** One field of a product; null is not handled here because clearing needs no rule. */
export function checkProductField(
  name: ProductField,
  value: unknown,
  options: CustomsCodeOptions = {},
): Checked<ProductFields[ProductField]> {
  switch (name) {
    case 'weightInKg':
    case 'volumeInLiters':
      return checkMeasure(name, value);
    case 'originCountry':
      return checkCountry(value, name);
    case 'sourcePlatform':
      return checkOneOf(name, value, SOURCE_PLATFORMS);
    case 'customsJurisdictionDetails':
      return checkCustomsMap(name, value, options);
    default:
      return checkText(name, value, PRODUCT_TEXT[name]);
  }
}

function checkFields(input: Record<string, unknown>, gathering: Gathering, options: CustomsCodeOptions): ProductFields {
  const checked: Record<string, unknown> = {};
  for (const name of PRODUCT_FIELDS) {
    const value = input[name];
    if (value === undefined) continue;
    // An empty text counts as missing, so it clears like null.
    const cleared = value === null || (typeof value === 'string' && value.trim() === '');
    checked[name] = cleared ? null : gathering.take(checkProductField(name, value, options));
  }
  // The column is not nullable; its empty value is ''.
  if (checked.sourcePlatform === null) checked.sourcePlatform = '';
  return checked;
}

/** Checks a new product and fills in defaults. The caller checks the corporation id. */
export function checkNewProduct(input: Record<string, unknown>, options: CustomsCodeOptions = {}): Checked<ProductFields> {
  const gathering = new Gathering();
  gathering.issues.push(...unknownFields(input, ['corporationId', ...PRODUCT_FIELDS]));
  const fields = checkFields(input, gathering, options);
  const hasKey = ['name', 'sku'].some((key) => fields[key as 'name' | 'sku'] !== null && input[key] !== undefined);
  if (!hasKey) gathering.add('name', 'REQUIRED', 'one of name and sku is required');
  return gathering.finish(() => ({ ...fields, taxCode: fields.taxCode ?? DEFAULT_TAX_CODE, sourcePlatform: fields.sourcePlatform ?? '' }));
}

/** Checks a change of a stored product, which must have a name or a sku afterwards. */
export function checkProductChange(
  input: Record<string, unknown>,
  stored: Pick<ProductFields, 'name' | 'sku'>,
  options: CustomsCodeOptions = {},
): Checked<ProductFields> {
  const gathering = new Gathering();
  for (const fixed of ['corporationId', ...PROTECTED_FIELDS]) {
    if (input[fixed] !== undefined) gathering.add(fixed, 'INVALID_VALUE', `${fixed} cannot be changed after creation`);
  }
  gathering.issues.push(...unknownFields(input, ['corporationId', ...PRODUCT_FIELDS]));
  const changeable = Object.fromEntries(Object.entries(input).filter(([key]) => !PROTECTED_FIELDS.includes(key as ProductField)));
  const fields = checkFields(changeable, gathering, options);
  const merged = { name: stored.name, sku: stored.sku, ...fields };
  if ((merged.name ?? null) === null && (merged.sku ?? null) === null && gathering.issues.length === 0) {
    gathering.add('name', 'REQUIRED', 'a product must keep a name or a sku');
  }
  return gathering.finish(() => (fields.taxCode === null ? { ...fields, taxCode: DEFAULT_TAX_CODE } : fields));
}
