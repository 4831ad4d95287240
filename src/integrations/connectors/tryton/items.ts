// Products as items, with their variants.
import type { SourceRecord } from '../connector.ts';
import { amount } from '../decimals.ts';
import type { Row, TrytonClient } from './client.ts';
import { cannotSay } from './errors.ts';
import { type Command, changedValues, childCommands, childrenOf, deletedIds, type Stream } from './stream.ts';
import { decimal, latest, stampMoment } from './values.ts';

interface TemplateRow extends Row {
  name: string;
  code: string | null;
  type: string;
  consumable?: boolean;
  list_price: string | null;
  salable: boolean;
  purchasable: boolean;
  active: boolean;
  create_date: string;
  'default_uom.': { symbol: string };
  'sale_uom.': { symbol: string } | null;
  'purchase_uom.': { symbol: string } | null;
}

interface ProductRow extends Row {
  template: number;
  code: string | null;
  suffix_code: string | null;
  description: string | null;
  cost_price: string | null;
  active: boolean;
}

const TEMPLATE_FIELDS = [
  ...['name', 'code', 'type', 'consumable', 'list_price', 'salable', 'purchasable', 'active', 'create_date'],
  ...['default_uom.symbol', 'sale_uom.symbol', 'purchase_uom.symbol'],
];
const PRODUCT_FIELDS = ['code', 'suffix_code', 'description', 'cost_price', 'active'];

const typeOf = ({ type, consumable }: TemplateRow): string =>
  type === 'service' ? 'SERVICE' : type === 'goods' && !consumable ? 'INVENTORY' : 'NON_INVENTORY';

function itemRecord(template: TemplateRow, products: ProductRow[], currency: string): SourceRecord {
  const [only] = products;
  return {
    platform_id: String(template.id),
    name: template.name,
    description: only?.description ?? null,
    code: template.code,
    sku: products.length === 1 ? only!.code : null,
    price: amount(template.list_price),
    currency_id: currency,
    type: typeOf(template),
    status: template.active ? 'ACTIVE' : 'ARCHIVED',
    is_bill_item: template.purchasable,
    bill_item: template.purchasable ? { unit: template['purchase_uom.']?.symbol ?? null, cost_price: only?.cost_price ?? null } : null,
    is_invoice_item: template.salable,
    invoice_item: template.salable ? { unit: template['sale_uom.']?.symbol ?? null } : null,
    created_at: template.create_date,
    updated_at: stampMoment(latest([template, ...products].map(({ _timestamp }) => _timestamp))),
    variants: products.map((product) => ({
      platform_id: String(product.id),
      name: product.code ? `[${product.code}] ${template.name}` : template.name,
      sku: product.code,
      price: amount(template.list_price),
      currency_id: currency,
      status: template.active && product.active ? 'ACTIVE' : 'ARCHIVED',
    })),
  };
}

async function companyCurrency(client: TrytonClient): Promise<string> {
  const fields = ['currency.code'];
  const rows = await client.rowsOf<Row & { 'currency.': { code: string } }>('company.company', [await client.company()], fields);
  return rows.values().next().value!['currency.'].code;
}

async function read(client: TrytonClient, ids: readonly number[]): Promise<SourceRecord[]> {
  const templates = await client.rowsOf<TemplateRow>('product.template', ids, TEMPLATE_FIELDS);
  const products = await client.rowsBy<ProductRow>('product.product', 'template', [...templates.keys()], PRODUCT_FIELDS);
  const currency = await companyCurrency(client);
  return [...templates.values()].map((template) => itemRecord(template, products.get(template.id) ?? [], currency));
}

const types: Record<string, Record<string, unknown>> = {
  INVENTORY: { type: 'goods', consumable: false },
  NON_INVENTORY: { type: 'goods', consumable: true },
  SERVICE: { type: 'service' },
  DIGITAL: { type: 'service' },
};

/** The members of an item that Tryton keeps with the product, not with its variants. */
function templateValues(record: SourceRecord): Record<string, unknown> {
  const { name, code, price, type, status, is_bill_item, is_invoice_item } = record;
  return {
    ...(name === undefined ? {} : { name }),
    ...(code === undefined ? {} : { code: code || null }),
    ...(price === undefined ? {} : { list_price: decimal(price ?? 0) }),
    ...(types[String(type)] ?? {}),
    ...(typeof status === 'string' ? { active: status !== 'ARCHIVED' } : {}),
    ...(typeof is_bill_item === 'boolean' ? { purchasable: is_bill_item } : {}),
    ...(typeof is_invoice_item === 'boolean' ? { salable: is_invoice_item } : {}),
  };
}

/** The code of a variant is that of its product and a suffix. */
function suffixOf(sku: unknown, code: unknown): string | null {
  const whole = String(sku ?? '');
  const prefix = String(code ?? '');
  if (!whole.startsWith(prefix))
    throw cannotSay(`In Tryton the code of a variant begins with the code of its product: ${prefix}, not ${whole}`);
  return whole.slice(prefix.length) || null;
}

function variantValues(variant: SourceRecord, record: SourceRecord): Record<string, unknown> {
  const [own, common] = [decimal(variant.price), decimal(record.price)];
  if (own && common && own.decimal !== common.decimal)
    throw cannotSay(`In Tryton the variants of a product have one price: ${common.decimal}, not ${own.decimal}`);
  return {
    ...(variant.sku === undefined ? {} : { suffix_code: suffixOf(variant.sku, record.code) }),
    ...(typeof variant.status === 'string' ? { active: variant.status !== 'ARCHIVED' } : {}),
    ...(record.description === undefined ? {} : { description: record.description }),
  };
}

/** The variants that a write carries; an item without variants is one variant in Tryton. */
const variantsOf = (record: SourceRecord): SourceRecord[] => {
  const given = childrenOf(record, 'variants') ?? [];
  return given.length > 0 ? given : [{ sku: record.sku ?? record.code ?? null }];
};

const unitOfPieces = async (client: TrytonClient): Promise<number> => {
  const domain = [
    ['module', '=', 'product'],
    ['fs_id', '=', 'uom_unit'],
  ];
  const [row] = await client.rows<Row & { db_id: number }>('ir.model.data', { domain, fields: ['db_id'] });
  if (!row) throw cannotSay('Tryton has no unit of pieces');
  return row.db_id;
};

/** The mark is an identifier of the first variant. */
async function markCommand(client: TrytonClient, product: number, mark: string): Promise<Command> {
  const domain = [
    ['product', '=', product],
    ['code', 'like', `${mark.split(':')[0]}:%`],
  ];
  const [row] = await client.rows('product.identifier', { domain, fields: [] });
  return row ? ['write', [row.id], { code: mark }] : ['create', [{ code: mark }]];
}

async function productCommands(record: SourceRecord, current: SourceRecord): Promise<Command[]> {
  const existing = childrenOf(current, 'variants') ?? [];
  const given = childrenOf(record, 'variants');
  const own = given?.length ? given : existing.length === 1 ? [{ ...existing[0]!, sku: record.sku ?? existing[0]!.sku }] : existing;
  const merged = { ...current, ...record };
  return childCommands(own, existing, async (variant, known) => {
    // A price that only the item changes is the price of its variants.
    const values = variantValues({ ...variant, price: known?.price === variant.price ? undefined : variant.price }, merged);
    return known ? changedValues(values, variantValues({ ...known, price: undefined }, current)) : values;
  });
}

/** The commands with the mark on a variant that stays. */
async function withMark(client: TrytonClient, current: SourceRecord, commands: readonly Command[], mark: string): Promise<Command[]> {
  const ids = (childrenOf(current, 'variants') ?? []).map(({ platform_id }) => Number(platform_id));
  const gone = new Set(deletedIds(commands));
  const stays = ids.find((id) => !gone.has(id));
  if (stays === undefined) throw cannotSay('At least one of the variants that a product has in Tryton stays');
  return [...commands, ['write', [stays], { identifiers: [await markCommand(client, stays, mark)] }]];
}

/** Products and their variants. */
export const items: Stream = {
  dataModel: 'ITEM',
  model: 'product.template',
  domain: () => [],
  parts: [{ model: 'product.product', field: 'template' }],
  children: { variants: 'product.product' },
  fields: {
    read: [
      ...['platform_id', 'currency_id', 'bill_item', 'invoice_item', 'created_at', 'updated_at'],
      ...['name', 'price', 'currency_id'].map((name) => `variants.${name}`),
    ],
    both: [
      ...['description', 'code', 'sku', 'price', 'type', 'status', 'is_bill_item', 'is_invoice_item'],
      ...['variants.sku', 'variants.status'],
    ],
    required: ['name'],
  },
  read,
  writes: {
    marked: (mark) => [['products.identifiers.code', '=', mark]],
    async create(client, record, mark) {
      const unit = await unitOfPieces(client);
      const variants = variantsOf(record).map((variant) => variantValues(variant, record));
      const [first, ...others] = variants;
      return {
        list_price: decimal(0),
        ...templateValues(record),
        default_uom: unit,
        sale_uom: unit,
        purchase_uom: unit,
        products: [['create', [{ ...first, identifiers: [['create', [{ code: mark }]]] }, ...others]]],
      };
    },
    async update(client, _id, record, current, mark) {
      const values = changedValues(templateValues(record), templateValues(current));
      const commands = await productCommands(record, current);
      if (Object.keys(values).length === 0 && commands.length === 0) return null;
      return { ...values, products: await withMark(client, current, commands, mark) };
    },
  },
};
