// Items a company buys or sells, with their variants.

import type { Collection } from '@mikro-orm/core';
import { amount, enumeration, flag, json, key, moment, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency, VariantParent } from '../ledger/enums.ts';
import { ChildRecord, ledgerRecord, owned, SourcedRecord } from '../ledger/ledger-record.ts';
import { Currency } from './currency.ts';

export const ItemType = defineEnum('ItemType', 'Kind of an item.', {
  INVENTORY: 'Stocked goods.',
  NON_INVENTORY: 'Goods that are not stocked.',
  SERVICE: 'A service.',
  DIGITAL: 'Delivered electronically.',
  UNKNOWN: 'A kind of the source without an equivalent.',
});

export const ItemStatus = defineEnum(
  'ItemStatus',
  'Availability of an item or variant.',
  {
    DRAFT: 'Not yet available.',
    ACTIVE: 'Available.',
    ARCHIVED: 'No longer available.',
    UNKNOWN: 'A state of the source without an equivalent.',
  },
  { PUBLISHED: 'ACTIVE', UNPUBLISHED: 'DRAFT' },
);

@ledgerRecord({ description: 'A variant of an item, such as a size or colour.', dataModel: 'Variants of items.' })
export class Variant extends ChildRecord {
  @enumeration(VariantParent, 'Type of the parent: ITEM.', { list: 'scanned' }) parentType!: string | null;
  @text('Display name.') name!: string | null;
  @key('Stock keeping unit.', { list: 'indexed', search: true }) sku!: string | null;
  @amount('Unit price.', { list: 'indexed' }) price!: number | null;
  @amount('Comparison price, such as the price before a sale.') compareAtPrice!: number | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @enumeration(ItemStatus, 'Availability of the variant.') status!: string | null;
  @json('Attributes, as JSON of the source.') attributes!: unknown;
}

@ledgerRecord({ description: 'A product or service that a company buys or sells.' })
export class Item extends SourcedRecord {
  @text('Display name.', { list: 'indexed', search: true }) name!: string | null;
  @text('Description in free text.') description!: string | null;
  @key('Code in the item list.', { list: 'indexed', search: true }) code!: string | null;
  @key('Stock keeping unit.', { list: 'indexed', search: true }) sku!: string | null;
  @amount('Unit price.', { list: 'indexed' }) price!: number | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @enumeration(ItemType, 'Kind of item.') type!: string | null;
  @enumeration(ItemStatus, 'Availability of the item.') status!: string | null;
  @amount('Quantity in stock.', { list: 'indexed', isMoney: false }) quantityOnHand!: number | null;
  @flag('Whether it can appear on bills.') isBillItem!: boolean | null;
  @json('Purchase details, as JSON of the source.') billItem!: unknown;
  @flag('Whether it can appear on invoices.') isInvoiceItem!: boolean | null;
  @json('Sales details, as JSON of the source.') invoiceItem!: unknown;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
  @owned(() => Variant, 'Variants of the item.', { rest: 'always' }) variants!: Collection<Variant>;
}
