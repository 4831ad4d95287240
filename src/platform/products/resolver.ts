// Operations on products and their customs codes.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import { auditRecords } from '../../access/audit.ts';
import { access } from '../../access/authorise.ts';
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import type { NewEvent } from '../../events/events.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../../graphql/connections.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../../graphql/list-inputs.ts';
import { ownRecord } from '../../graphql/own-record.ts';
import { readSummary, type Summary } from '../../graphql/summaries/summaries.ts';
import { PRICED, type SummaryArguments, summaryOf } from '../../graphql/summaries/summary-types.ts';
import { accept } from '../../records/checked.ts';
import { GatewayError } from '../../records/errors.ts';
import { differing, type Given } from '../../records/fields.ts';
import { newId } from '../../records/ids.ts';
import { notFound } from '../../records/not-found.ts';
import { Corporation } from '../corporations/corporation.ts';
import { shareLockCorporation } from '../corporations/resolver.ts';
import { type StoredCodes, storedCode } from '../customs/customs-code.ts';
import { type CustomsCode, checkCustomsCode } from '../customs/customs-codes.ts';
import { customsOptions } from '../customs/customs-tables.ts';
import { checkCountry } from '../shared/countries.ts';
import { emit, recordEvent } from '../shared/event-data.ts';
import { accepted, acceptedWithWarnings, payloadOf, readBack, requireChange, type Written, withUnique } from '../shared/payloads.ts';
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

const PageOptions = pageArguments(10);

const ProductConnection = connectionOf(Product);
const ProductTotals = summaryOf(Product);
const CreatePayload = payloadOf(Product, 'createProduct', 'product', { warnings: true });
const UpdatePayload = payloadOf(Product, 'updateProduct', 'product', { warnings: true });
const DeletePayload = payloadOf(Product, 'deleteProduct', 'product');
const SetCodePayload = payloadOf(Product, 'setCustomsCode', 'product', { warnings: true });
const RemoveCodePayload = payloadOf(Product, 'removeCustomsCode', 'product');

const duplicate = (code: 'DUPLICATE_SKU' | 'RECORD_ALREADY_EXISTS', name: string): GatewayError => {
  const message = `${name} belongs to another product of the corporation`;
  const field = `input.${name}`;
  return new GatewayError(code, message, { field, issues: [{ field, code: 'DUPLICATE', message }] });
};
const uniqueErrors = {
  product_sku_key: () => duplicate('DUPLICATE_SKU', 'sku'),
  product_source_key: () => duplicate('RECORD_ALREADY_EXISTS', 'sourcePlatformId'),
};

/** One event per country whose code changed. */
function codeEvents(product: Product, before: StoredCodes): NewEvent[] {
  const countries = [...new Set([...Object.keys(before), ...Object.keys(product.codes)])];
  return countries.flatMap((country) => {
    const code = product.codes[country]?.digits ?? null;
    if (code === (before[country]?.digits ?? null)) return [];
    const data = { product_id: product.id, corporation_id: product.corporationId, country, customs_code: code };
    return [{ topic: 'CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE', operation: 'UPDATE', subject: product.id, data }];
  });
}

/** The live product, locked for a change. */
const lockProduct = (em: EntityManager, id: string, field: string): Promise<Product> =>
  lockRecord(em, Product, { id, deletedAt: null }, { id, field });

/** A product to create; the schema refuses one without its corporation. */
type NewProduct = Given<Product> & { corporationId: string };

/** Creates a product; returns its id and the warnings about its input. */
export async function createProduct(context: RequestContext, input: NewProduct): Promise<Written> {
  const { value: fields, warnings } = acceptedWithWarnings(checkNewProduct(input, await customsOptions(context.services)));
  const { organisationId } = tenantOf(context);
  const { corporationId } = input;
  const now = context.services.clock.now();
  const id = newId('prod');
  return withUnique(uniqueErrors, () =>
    transaction(context, async (em) => {
      await shareLockCorporation(em, organisationId, corporationId, 'input.corporationId');
      const made = em.create(Product, { codes: {}, ...fields, id, organisationId, createdAt: now, updatedAt: now });
      em.persist(made);
      const created = recordEvent(em, context.services, organisationId, 'PRODUCTS.CREATED', Product, id);
      emit(em, context, created, ...codeEvents(made, {}));
      return { id, warnings };
    }),
  );
}

@Resolver()
export class ProductResolver {
  @access('PLATFORM')
  @Query(() => Product, { nullable: true, description: 'Product with this id. PRODUCT_NOT_FOUND if there is none.' })
  product(
    @Arg('id', () => ID, { description: 'Id of the product.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecord(context, info, Product, { id }, { id, field: 'id' });
  }

  @access('PLATFORM')
  @Query(() => ProductConnection, { description: 'The products of a corporation, newest first.' })
  async products(
    @Arg('corporationId', () => ID, { description: 'Corporation that sells the products.' }) corporationId: string,
    @Args(() => PageOptions) position: PageArguments,
    @FilterArg(Product) filter: FilterInput | null,
    @OrderArg(Product) orderBy: OrderInput[] | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const [page, corporation] = await Promise.all([
      readConnection(context, info, position, {
        record: Product,
        list: `${corporationId}.products`,
        where: { corporationId },
        filter,
        orderBy,
        order: { by: ['createdAt'], descending: true },
      }),
      context.services.reader.one(Corporation, { id: corporationId }, ['id'], scopeOf(context)),
    ]);
    if (!corporation) throw notFound(Corporation, corporationId, 'corporationId');
    return page;
  }

  @access('PLATFORM')
  @Query(() => ProductTotals.type, { description: 'Counts, sums, averages and extremes of the products of a corporation, in groups.' })
  @Extensions(PRICED)
  async productsSummary(
    @Arg('corporationId', () => ID, { description: 'Corporation that sells the products.' }) corporationId: string,
    @Args(() => ProductTotals.Arguments) args: SummaryArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Summary> {
    const [summary, corporation] = await Promise.all([
      readSummary(context, info, args, { record: Product, where: { corporationId } }),
      context.services.reader.one(Corporation, { id: corporationId }, ['id'], scopeOf(context)),
    ]);
    if (!corporation) throw notFound(Corporation, corporationId, 'corporationId');
    return summary;
  }

  @access('PLATFORM')
  @Mutation(() => CreatePayload, {
    description: 'Creates a product. DUPLICATE_SKU if another live product of the corporation has the sku.',
  })
  @Extensions({ bulk: 'createProducts' })
  async createProduct(
    @Arg('input', () => CreateProductInput, { description: 'The product.' }) input: NewProduct,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { id, warnings } = await createProduct(context, input);
    return { product: await readBack(context, info, Product, 'product', id), warnings };
  }

  @access('PLATFORM')
  @Mutation(() => UpdatePayload, { description: 'Updates the given fields of a product.' })
  @Extensions({ bulk: 'updateProducts' })
  async updateProduct(
    @Arg('id', () => ID, { description: 'Id of the product.' }) id: string,
    @Arg('input', () => UpdateProductInput, { description: 'The fields to change.' }) input: Given<Product>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    requireChange(input);
    const options = await customsOptions(context.services);
    const warnings = await withUnique(uniqueErrors, () =>
      transaction(context, async (em) => {
        const stored = await lockProduct(em, id, 'id');
        const { codes } = stored;
        const { value: fields, warnings } = acceptedWithWarnings(checkProductChange(input, stored, options));
        const changed = differing(fields, stored);
        if (Object.keys(changed).length === 0) {
          auditRecords(em, [{ id }]);
          return warnings;
        }
        em.assign(stored, { ...changed, updatedAt: context.services.clock.now() }, { mergeObjectProperties: false });
        const updated = recordEvent(em, context.services, stored.organisationId, 'PRODUCTS.UPDATED', Product, id);
        emit(em, context, updated, ...codeEvents(stored, codes));
        return warnings;
      }),
    );
    return { product: await readBack(context, info, Product, 'product', id), warnings };
  }

  @access('PLATFORM')
  @Mutation(() => DeletePayload, { description: 'Deletes a product. Its sku can be used again.' })
  @Extensions({ bulk: 'deleteProducts' })
  async deleteProduct(
    @Arg('id', () => ID, { description: 'Id of the product.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    await transaction(context, async (em) => {
      const stored = await lockProduct(em, id, 'id');
      const now = context.services.clock.now();
      em.assign(stored, { deletedAt: now, updatedAt: now });
      emit(em, context, { topic: 'PRODUCTS.DELETED', operation: 'DELETE', subject: id, data: { id } });
    });
    return { product: await readBack(context, info, Product, 'product', id) };
  }

  @access('PLATFORM')
  @Mutation(() => SetCodePayload, { description: 'Adds or replaces the customs code of a product for a country.' })
  async setCustomsCode(
    @Arg('productId', () => ID, { description: 'Id of the product.' }) productId: string,
    @Arg('input', () => SetCustomsCodeInput, { description: 'Country and code.' }) input: { country: string; customsCode: string },
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const country = accepted(checkCountry(input.country));
    const code = acceptedCode(checkCustomsCode(country, input.customsCode, await customsOptions(context.services)));
    await changeCodes(context, productId, (codes) => {
      const next = { ...codes, [country]: storedCode(code) };
      if (Object.keys(next).length > MAX_CUSTOMS_ENTRIES)
        throw customsInvalid(`a product has customs codes for at most ${MAX_CUSTOMS_ENTRIES} countries`, 'country');
      const before = codes[country];
      return before?.digits === code.digits && before.display === code.display ? codes : next;
    });
    return { product: await readBack(context, info, Product, 'product', productId), warnings: code.warnings };
  }

  @access('PLATFORM')
  @Mutation(() => RemoveCodePayload, { description: 'Removes the customs code of a product for a country.' })
  async removeCustomsCode(
    @Arg('productId', () => ID, { description: 'Id of the product.' }) productId: string,
    @Arg('input', () => RemoveCustomsCodeInput, { description: 'The country.' }) input: { country: string },
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const country = accepted(checkCountry(input.country));
    await changeCodes(context, productId, ({ [country]: removed, ...rest }) => {
      if (removed) return rest;
      const message = `the product has no customs code for ${country}`;
      throw new GatewayError('CUSTOMS_CODE_NOT_FOUND', message, {
        field: 'input.country',
        issues: [{ field: 'input.country', code: 'NOT_FOUND', message }],
      });
    });
    return { product: await readBack(context, info, Product, 'product', productId) };
  }
}

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
    const stored = await lockProduct(em, productId, 'productId');
    const before = stored.codes;
    const codes = change(before);
    if (codes === before) return;
    em.assign(stored, { codes, updatedAt: context.services.clock.now() }, { mergeObjectProperties: false });
    emit(em, context, ...codeEvents(stored, before));
  });
}
