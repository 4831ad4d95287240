// Items a company buys or sells, with their variants.

import type { Collection } from '@mikro-orm/core';
import { amount, enumeration, flag, json, key, moment, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency, VariantParent } from '../ledger/enums.ts';
import { ChildRecord, ledgerRecord, owned, SourcedRecord } from '../ledger/ledger-record.ts';
import { Currency } from './currency.ts';

export const ItemType = defineEnum('ItemType', 'What kind of thing an item is.', {
  INVENTORY: 'Goods that are stocked.',
  NON_INVENTORY: 'Goods that are not stocked.',
  SERVICE: 'A service.',
  DIGITAL: 'Something delivered electronically.',
  UNKNOWN: 'A kind of the source that has no counterpart here.',
});

export const ItemStatus = defineEnum(
  'ItemStatus',
  'Whether an item or variant is on offer.',
  {
    DRAFT: 'Not yet on offer.',
    ACTIVE: 'On offer.',
    ARCHIVED: 'No longer on offer.',
    UNKNOWN: 'A state of the source that has no counterpart here.',
  },
  { PUBLISHED: 'ACTIVE', UNPUBLISHED: 'DRAFT' },
);

@ledgerRecord({ description: 'A variant of an item, such as a size or colour.', dataModel: 'Variants of items.' })
export class Variant extends ChildRecord {
  @enumeration(VariantParent, 'Record type the variant belongs to: ITEM.', { list: 'scanned' }) parentType!: string | null;
  @text('Name.') name!: string | null;
  @key('Stock keeping unit.', { list: 'indexed', search: true }) sku!: string | null;
  @amount('Price.', { list: 'indexed' }) price!: number | null;
  @amount('Price it is compared with, such as the one before a sale.') compareAtPrice!: number | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @enumeration(ItemStatus, 'Whether the variant is on offer.') status!: string | null;
  @json('Attributes in the form of the source.') attributes!: unknown;
}

@ledgerRecord({ description: 'Something a company buys or sells.' })
export class Item extends SourcedRecord {
  @text('Name.', { list: 'indexed', search: true }) name!: string | null;
  @text('Description.') description!: string | null;
  @key('Code.', { list: 'indexed', search: true }) code!: string | null;
  @key('Stock keeping unit.', { list: 'indexed', search: true }) sku!: string | null;
  @amount('Price.', { list: 'indexed' }) price!: number | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @enumeration(ItemType, 'What kind of thing it is.') type!: string | null;
  @enumeration(ItemStatus, 'Whether the item is on offer.') status!: string | null;
  @amount('Quantity in stock.', { list: 'indexed', isMoney: false }) quantityOnHand!: number | null;
  @flag('Whether it can appear on bills.') isBillItem!: boolean | null;
  @json('Purchase details in the form of the source.') billItem!: unknown;
  @flag('Whether it can appear on invoices.') isInvoiceItem!: boolean | null;
  @json('Sales details in the form of the source.') invoiceItem!: unknown;
  @moment('When the record was created in the source system.') createdAt!: Date | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
  @owned(() => Variant, 'Variants.', { rest: 'always' }) variants!: Collection<Variant>;
}
