// Operations on products and their customs codes.
import { type RequestContext } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { NewEvent } from '../../events/events.ts';
import { argument, id, resolver } from '../../graphql/declared/fields.ts';
import { recordMutation } from '../../graphql/declared/payloads.ts';
import { accept } from '../../records/checked.ts';
import { GatewayError } from '../../records/errors.ts';
import { Corporation } from '../corporations/corporation.ts';
import { type StoredCodes, storedCode } from '../customs/customs-code.ts';
import { type CustomsCode, checkCustomsCode } from '../customs/customs-codes.ts';
import { customsOptions } from '../customs/customs-tables.ts';
import { checkCountry } from '../shared/countries.ts';
import { emit, recordEvent } from '../shared/event-data.ts';
import { accepted } from '../shared/payloads.ts';
import { resource } from '../shared/resource.ts';
import { lockRecord } from '../shared/transitions.ts';
import {
  CreateProductInput,
  MAX_CUSTOMS_ENTRIES,
  Product,
  RemoveCustomsCodeInput,
  SetCustomsCodeInput,
  UpdateProductInput,
} from './product.ts';
import { checkNewProduct, checkProductChange } from './rules.ts';

/** One event per country whose code changed. */
function codeEvents(product: Pick<Product, 'id' | 'corporationId'>, codes: StoredCodes, before: StoredCodes): NewEvent[] {
  const countries = [...new Set([...Object.keys(before), ...Object.keys(codes)])];
  return countries.flatMap((country) => {
    const code = codes[country]?.digits ?? null;
    if (code === (before[country]?.digits ?? null)) return [];
    const data = { product_id: product.id, corporation_id: product.corporationId, country, customs_code: code };
    return [{ topic: 'CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE', operation: 'UPDATE', subject: product.id, data }];
  });
}

export const products = resource(Product, {
  roles: ['PLATFORM'],
  events: ['CREATED', 'UPDATED', 'DELETED'],
  owner: { record: Corporation, property: 'corporationId', description: 'Corporation that sells the products.' },
  inputs: { create: CreateProductInput, update: UpdateProductInput },
  rules: async ({ services }) => {
    const options = await customsOptions(services);
    return {
      create: (input) => checkNewProduct(input, options),
      change: (input, stored) => checkProductChange(input, stored, options),
    };
  },
  duplicates: { sku: 'DUPLICATE_SKU' },
  saving: ({ id, stored, fields: { codes, corporationId } }) =>
    codes ? codeEvents({ id, corporationId: corporationId!, ...stored }, codes, stored?.codes ?? {}) : [],
  texts: {
    create: 'Creates a product. DUPLICATE_SKU if another live product of the corporation has the sku.',
    remove: 'Deletes a product. Its sku can be used again.',
    summary: 'Counts, sums, averages and extremes of the products of a corporation, in groups.',
  },
});

export const CustomsCodeResolver = resolver({
  setCustomsCode: recordMutation(Product, { roles: ['PLATFORM'], warnings: true })(
    'Adds or replaces the customs code of a product for a country.',
    {
      productId: id('Id of the product.'),
      input: argument<{ country: string; customsCode: string }>(() => SetCustomsCodeInput, 'Country and code.'),
    },
    async ({ productId, input }, { context }) => {
      const country = accepted(checkCountry(input.country));
      const code = acceptedCode(checkCustomsCode(country, input.customsCode, await customsOptions(context.services)));
      await changeCodes(context, productId, (codes) => {
        const next = { ...codes, [country]: storedCode(code) };
        if (Object.keys(next).length > MAX_CUSTOMS_ENTRIES)
          throw customsInvalid(`a product has customs codes for at most ${MAX_CUSTOMS_ENTRIES} countries`, 'country');
        const before = codes[country];
        return before?.digits === code.digits && before.display === code.display ? codes : next;
      });
      return { id: productId, warnings: code.warnings };
    },
  ),
  removeCustomsCode: recordMutation(Product, { roles: ['PLATFORM'] })(
    'Removes the customs code of a product for a country.',
    {
      productId: id('Id of the product.'),
      input: argument<{ country: string }>(() => RemoveCustomsCodeInput, 'The country.'),
    },
    async ({ productId, input }, { context }) => {
      const country = accepted(checkCountry(input.country));
      await changeCodes(context, productId, ({ [country]: removed, ...rest }) => {
        if (removed) return rest;
        const message = `the product has no customs code for ${country}`;
        throw new GatewayError('CUSTOMS_CODE_NOT_FOUND', message, {
          field: 'input.country',
          issues: [{ field: 'input.country', code: 'NOT_FOUND', message }],
        });
      });
      return { id: productId };
    },
  ),
});

function customsInvalid(message: string, name: string): GatewayError {
  const field = `input.${name}`;
  return new GatewayError('CUSTOMS_CODE_INVALID', message, { field, issues: [{ field, code: 'INVALID_VALUE', message }] });
}

function acceptedCode(checked: ReturnType<typeof checkCustomsCode>): CustomsCode {
  return accept(checked, 'input.', 'CUSTOMS_CODE_INVALID');
}

/** Replaces the codes of a product. `change` returns its argument when nothing changes. */
function changeCodes(context: RequestContext, productId: string, change: (codes: StoredCodes) => StoredCodes): Promise<void> {
  return transaction(context, async (em) => {
    const stored = await lockRecord(em, Product, { id: productId, deletedAt: null }, { id: productId, field: 'productId' });
    const before = stored.codes;
    const codes = change(before);
    if (codes === before) return;
    em.assign(stored, { codes, updatedAt: context.services.clock.now() }, { mergeObjectProperties: false });
    const changed = recordEvent(em, context.services, stored.organisationId, 'PRODUCTS.UPDATED', Product, productId);
    emit(em, context, [changed, ...codeEvents(stored, codes, before)]);
  });
}
