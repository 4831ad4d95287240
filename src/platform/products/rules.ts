// The rules of whole products: a name or a sku, and the map of customs codes.
import { type Checked, failed, Gathering, isPlainObject, passed } from '../../records/checked.ts';
import { checkChange, checkNew, type Given, type NewFields } from '../../records/fields.ts';
import { type StoredCodes, storedCode } from '../customs/customs-code.ts';
import { type CustomsCodeOptions, checkCustomsCode } from '../customs/customs-codes.ts';
import { checkCountry } from '../shared/countries.ts';
import { MAX_CUSTOMS_ENTRIES, Product } from './product.ts';

/** A customs code as it is stored. A code that the lists do not have passes with a warning. */
function checkedCode(country: string, text: unknown, options: CustomsCodeOptions, at: string): Checked<StoredCodes[string]> {
  const code = checkCustomsCode(country, text, options, at);
  return code.ok ? passed(storedCode(code.value), code.value.warnings) : code;
}

/** Country to customs code as it is stored, every entry checked; at most 60. */
function checkCustomsMap(field: string, value: unknown, options: CustomsCodeOptions): Checked<StoredCodes> {
  if (!isPlainObject(value)) return failed(field, 'INVALID_TYPE', `${field} must be an object of country to customs code`);
  const entries = Object.entries(value);
  if (entries.length > MAX_CUSTOMS_ENTRIES)
    return failed(field, 'OUT_OF_RANGE', `${field} must have at most ${MAX_CUSTOMS_ENTRIES} entries`);
  const gathering = new Gathering();
  const codes: StoredCodes = {};
  for (const [country, text] of entries) {
    const at = `${field}.${country}`;
    const known = gathering.take(checkCountry(country, at));
    const code = known && gathering.take(checkedCode(known, text, options, at));
    if (known && code) codes[known] = code;
  }
  return gathering.finish(() => codes);
}

/** A product with its customs codes as a list, which takes the place of the map. */
type GivenProduct = Given<Product> & { customsCodes?: unknown };

/** The codes of a list, every entry checked. */
function checkCustomsList(
  field: string,
  list: readonly { country: string; customsCode: string }[],
  options: CustomsCodeOptions,
): Checked<StoredCodes> {
  const gathering = new Gathering();
  const codes: StoredCodes = {};
  for (const [index, { country, customsCode }] of list.entries()) {
    const at = `${field}[${index}]`;
    const known = gathering.take(checkCountry(country, `${at}.country`));
    const code = known && gathering.take(checkedCode(known, customsCode, options, `${at}.customsCode`));
    if (!known || !code) continue;
    if (codes[known]) gathering.add(`${at}.country`, 'DUPLICATE', `${at}.country occurs twice`);
    codes[known] = code;
  }
  return gathering.finish(() => codes);
}

/** The same codes, but those that `stored` has with the digits alone given again keep how they were written. */
const asWritten = (codes: StoredCodes, stored: StoredCodes = {}): StoredCodes =>
  Object.fromEntries(
    Object.entries(codes).map(([country, code]) => {
      const before = stored[country];
      return [country, before && before.digits === code.digits && code.display === code.digits ? before : code];
    }),
  );

const sameCodes = (one: StoredCodes, other: StoredCodes): boolean => {
  const digits = (codes: StoredCodes): string[] =>
    Object.entries(codes)
      .map(([country, code]) => `${country} ${code.digits}`)
      .sort();
  return digits(one).join() === digits(other).join();
};

/** Checks the input of `codes`, a list or the former map. Null and empty text remove every code. */
function takeCodes(
  fields: Partial<Product>,
  { customsCodes, customsJurisdictionDetails: value }: GivenProduct,
  options: CustomsCodeOptions,
  gathering: Gathering,
  stored?: StoredCodes,
): void {
  const listed =
    customsCodes === undefined
      ? undefined
      : gathering.take(checkCustomsList('customsCodes', (customsCodes ?? []) as { country: string; customsCode: string }[], options));
  const mapped =
    value === undefined
      ? undefined
      : value === null || value === ''
        ? {}
        : gathering.take(checkCustomsMap('customsJurisdictionDetails', value, options));
  if (listed && mapped && !sameCodes(listed, mapped))
    gathering.add('customsJurisdictionDetails', 'MISMATCH', 'customsJurisdictionDetails has other codes than customsCodes');
  const codes = listed ?? mapped;
  if (codes) fields.codes = asWritten(codes, stored);
}

/** Checks a new product, which has a name or a sku. */
export const checkNewProduct = (
  { customsJurisdictionDetails, customsCodes, ...input }: GivenProduct,
  options: CustomsCodeOptions = {},
): Checked<NewFields<Product, 'codes'>> =>
  checkNew<Product, 'codes'>(Product, input, {}, (fields, gathering) => {
    takeCodes(fields, { customsJurisdictionDetails, customsCodes }, options, gathering);
    fields.codes ??= {};
    const isGiven = (name: 'name' | 'sku'): boolean => name in fields && fields[name] !== null;
    if (!isGiven('name') && !isGiven('sku')) gathering.add('name', 'REQUIRED', 'one of name and sku is required');
  });

/** Checks a change of a stored product, which keeps a name or a sku. */
export const checkProductChange = (
  { customsJurisdictionDetails, customsCodes, ...input }: GivenProduct,
  stored: Partial<Product>,
  options: CustomsCodeOptions = {},
): Checked<Partial<Product>> =>
  checkChange(Product, input, stored, (fields, gathering) => {
    takeCodes(fields, { customsJurisdictionDetails, customsCodes }, options, gathering, stored.codes);
    const { name, sku } = { name: stored.name, sku: stored.sku, ...fields };
    if (name == null && sku == null && gathering.count === 0) gathering.add('name', 'REQUIRED', 'a product must keep a name or a sku');
  });
