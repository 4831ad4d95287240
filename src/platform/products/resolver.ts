// Operations on products and their customs codes.
import { LockMode } from '@mikro-orm/core';
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, ID, Info, Mutation, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { transaction } from '../../access/transaction.ts';
import type { EntityManager } from '../../database/open.ts';
import { projectionOf, propOf, type Row } from '../../database/reader/projection.ts';
import type { NewEvent } from '../../events/events.ts';
import { connectionOf, orderBy, type Page, type PageArguments, pageArguments, readConnection } from '../../graphql/connections.ts';
import { ownRecord } from '../../graphql/own-record.ts';
import { GatewayError } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { modelOf } from '../../records/metadata.ts';
import { Corporation } from '../corporations/corporation.ts';
import { corporationNotFound, shareLockCorporation } from '../corporations/resolver.ts';
import { checkCountry } from '../shared/countries.ts';
import { emit, recordEvent } from '../shared/event-data.ts';
import { accepted, payloadOf, readBack, requireChange, withUnique } from '../shared/payloads.ts';
import { type CustomsCode, checkCustomsCode } from './customs-codes.ts';
import { customsOptions } from './customs-tables.ts';
import {
  CreateProductInput,
  Product,
  RemoveCustomsCodeInput,
  SetCustomsCodeInput,
  type StoredCodes,
  UpdateProductInput,
} from './product.ts';
import { checkNewProduct, checkProductChange, MAX_CUSTOMS_ENTRIES, type ProductFields } from './rules.ts';

const PageOptions = pageArguments(10);

const model = modelOf(Product);
const corporationModel = modelOf(Corporation);
const corporationProjection = projectionOf(corporationModel, ['id']);
const ProductConnection = connectionOf(Product);
const payloads = Object.fromEntries(
  ['createProduct', 'updateProduct', 'deleteProduct', 'setCustomsCode', 'removeCustomsCode'].map((name) => [
    name,
    payloadOf(Product, name, 'product', { warnings: name !== 'deleteProduct' && name !== 'removeCustomsCode' }),
  ]),
);

const productNotFound = (field: string): GatewayError => {
  const message = 'no such product';
  return new GatewayError('PRODUCT_NOT_FOUND', message, { field, issues: [{ field, code: 'NOT_FOUND', message }] });
};

const duplicate = (code: 'DUPLICATE_SKU' | 'RECORD_ALREADY_EXISTS', name: string): GatewayError => {
  const message = `${name} belongs to another product of the corporation`;
  const field = `input.${name}`;
  return new GatewayError(code, message, { field, issues: [{ field, code: 'DUPLICATE', message }] });
};
const uniqueErrors = {
  product_sku_key: () => duplicate('DUPLICATE_SKU', 'sku'),
  product_source_key: () => duplicate('RECORD_ALREADY_EXISTS', 'sourcePlatformId'),
};

const storedCode = ({ digits, display }: CustomsCode): StoredCodes[string] => ({ digits, display });

/** The columns of checked fields, and the warnings about the customs codes. */
function columnsOf({ customsJurisdictionDetails: map, ...fields }: ProductFields): {
  columns: Record<string, unknown>;
  warnings: string[];
} {
  if (map === undefined) return { columns: fields, warnings: [] };
  const codes = Object.fromEntries(Object.entries(map ?? {}).map(([country, code]) => [country, storedCode(code)]));
  return { columns: { ...fields, codes }, warnings: Object.values(map ?? {}).flatMap((code) => code.warnings) };
}

/** One event per country whose code changed. */
function codeEvents(product: Product, before: StoredCodes): NewEvent[] {
  const countries = [...new Set([...Object.keys(before), ...Object.keys(product.codes)])];
  return countries.flatMap((country) => {
    const code = product.codes[country]?.digits ?? null;
    if (code === (before[country]?.digits ?? null)) return [];
    const data = { product_id: product.id, corporation_id: product.corporationId, country, customs_code: code };
    return [{ topic: 'CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE', data }];
  });
}

/** The live product, locked for a change. */
async function lockProduct(em: EntityManager, id: string, field: string): Promise<Product> {
  const found = await em.findOne(Product, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) throw productNotFound(field);
  return found;
}

/** Creates a product; returns its id and the warnings about its input. */
export async function createProduct(context: RequestContext, input: Record<string, unknown>): Promise<{ id: string; warnings: string[] }> {
  const { columns, warnings } = columnsOf(accepted(checkNewProduct(input, await customsOptions(context.services))));
  const { organisationId } = tenantOf(context);
  const corporationId = input.corporationId as string;
  const now = context.services.clock.now();
  const id = newId('prod');
  return withUnique(uniqueErrors, () =>
    transaction(context, async (em) => {
      await shareLockCorporation(em, organisationId, corporationId, 'input.corporationId');
      const values = { codes: {}, ...columns, id, organisationId, corporationId, createdAt: now, updatedAt: now };
      const made = em.create(Product, values as never);
      em.persist(made);
      const created = recordEvent(em, context.services, organisationId, 'PRODUCTS.CREATED', Product, id);
      await emit(em, context, created, ...codeEvents(made, {}));
      return { id, warnings };
    }),
  );
}

@Resolver()
export class ProductResolver {
  @access('PLATFORM')
  @Query(() => Product, { nullable: true, description: 'The product with this id. PRODUCT_NOT_FOUND when there is none.' })
  product(
    @Arg('id', () => ID, { description: 'Id of the product.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return ownRecord(context, info, model, { id }, () => productNotFound('id'));
  }

  @access('PLATFORM')
  @Query(() => ProductConnection as never, { description: 'The products of a corporation, newest first.' })
  async products(
    @Arg('corporationId', () => ID, { description: 'Corporation that sells them.' }) corporationId: string,
    @Args(() => PageOptions) position: PageArguments,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    const owner = { prop: propOf(corporationModel, 'id'), operator: 'eq' as const, value: corporationId };
    const [page, corporation] = await Promise.all([
      readConnection(context, info, position, {
        model,
        list: `${corporationId}.products`,
        where: [{ prop: propOf(model, 'corporationId'), operator: 'eq', value: corporationId }],
        order: orderBy(model, ['createdAt'], true),
      }),
      context.services.reader.row({
        projection: corporationProjection,
        tenant: tenantOf(context),
        where: [owner],
        primary: context.primary,
      }),
    ]);
    if (!corporation) throw corporationNotFound('corporationId');
    return page;
  }

  @access('PLATFORM')
  @Mutation(() => payloads.createProduct as never, {
    description: 'Creates a product. DUPLICATE_SKU when another live product of the corporation has the sku.',
  })
  async createProduct(
    @Arg('input', () => CreateProductInput, { description: 'The product.' }) input: Record<string, unknown>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const { id, warnings } = await createProduct(context, input);
    return { product: await readBack(context, info, Product, 'product', id), warnings };
  }

  @access('PLATFORM')
  @Mutation(() => payloads.updateProduct as never, { description: 'Changes the given fields of a product.' })
  async updateProduct(
    @Arg('id', () => ID, { description: 'Id of the product.' }) id: string,
    @Arg('input', () => UpdateProductInput, { description: 'The fields to change.' }) input: Record<string, unknown>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    requireChange(input);
    const options = await customsOptions(context.services);
    const warnings = await withUnique(uniqueErrors, () =>
      transaction(context, async (em) => {
        const stored = await lockProduct(em, id, 'id');
        const { codes } = stored;
        const change = columnsOf(accepted(checkProductChange(input, stored, options)));
        em.assign(stored, { ...change.columns, updatedAt: context.services.clock.now() } as never, { mergeObjectProperties: false });
        const updated = recordEvent(em, context.services, stored.organisationId, 'PRODUCTS.UPDATED', Product, id);
        await emit(em, context, updated, ...codeEvents(stored, codes));
        return change.warnings;
      }),
    );
    return { product: await readBack(context, info, Product, 'product', id), warnings };
  }

  @access('PLATFORM')
  @Mutation(() => payloads.deleteProduct as never, { description: 'Deletes a product; its sku becomes free again.' })
  async deleteProduct(
    @Arg('id', () => ID, { description: 'Id of the product.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    await transaction(context, async (em) => {
      const stored = await lockProduct(em, id, 'id');
      const now = context.services.clock.now();
      em.assign(stored, { deletedAt: now, updatedAt: now } as never);
      await emit(em, context, { topic: 'PRODUCTS.DELETED', data: { id } });
    });
    return { product: await readBack(context, info, Product, 'product', id) };
  }

  @access('PLATFORM')
  @Mutation(() => payloads.setCustomsCode as never, { description: 'Adds or replaces the customs code of a product for a country.' })
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
  @Mutation(() => payloads.removeCustomsCode as never, { description: 'Removes the customs code of a product for a country.' })
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
  if (checked.ok) return checked.value;
  const issues = checked.issues.map((issue) => ({ ...issue, field: `input.${issue.field}` }));
  throw new GatewayError('CUSTOMS_CODE_INVALID', issues[0]!.message, { field: issues[0]!.field, issues });
}

/** Replaces the codes of a product. `change` returns its argument when nothing changes. */
function changeCodes(context: RequestContext, productId: string, change: (codes: StoredCodes) => StoredCodes): Promise<void> {
  return transaction(context, async (em) => {
    const stored = await lockProduct(em, productId, 'productId');
    const before = stored.codes;
    const codes = change(before);
    if (codes === before) return;
    em.assign(stored, { codes, updatedAt: context.services.clock.now() } as never, { mergeObjectProperties: false });
    await emit(em, context, ...codeEvents(stored, before));
  });
}
