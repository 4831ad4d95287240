// Sales as estimates, purchases as purchase orders and incoming shipments as goods receipt notes.
import type { SourceRecord } from '../connector.ts';
import { amount } from '../decimals.ts';
import type { Row, TrytonClient } from './client.ts';
import { documentWrites } from './documents.ts';
import { isLine, type LineRow, type Lines, lineFields, lineRecord, linesOf } from './lines.ts';
import type { Stream } from './stream.ts';
import { date, idOf, latest, moment, referredId, stampMoment } from './values.ts';

interface OrderRow extends Row {
  number: string | null;
  state: string;
  party: number;
  description: string | null;
  comment: string | null;
  create_date: string;
  'currency.': { code: string };
}

const ORDER_FIELDS = ['number', 'state', 'party', 'description', 'comment', 'create_date', 'currency.code'];

const stampOf = (rows: readonly Row[]): string => stampMoment(latest(rows.map(({ _timestamp }) => _timestamp)));

interface SaleRow extends OrderRow {
  sale_date: string | null;
}

interface SaleLineRow extends LineRow {
  sale: number;
}

const saleStates: Record<string, string> = {
  draft: 'DRAFT',
  quotation: 'SUBMITTED',
  confirmed: 'ACCEPTED',
  processing: 'ACCEPTED',
  done: 'CONVERTED',
  cancelled: 'VOID',
};

const saleRecord = (sale: SaleRow, lines: SaleLineRow[], { accounts }: Lines<SaleLineRow>): SourceRecord => ({
  platform_id: String(sale.id),
  contact_id: String(sale.party),
  document_number: sale.number,
  posted_date: moment(sale.sale_date),
  status: saleStates[sale.state] ?? 'UNKNOWN',
  source_status: sale.state,
  currency_id: sale['currency.'].code,
  is_tax_inclusive: false,
  memo: sale.comment,
  created_at: sale.create_date,
  updated_at: stampOf([sale, ...lines]),
  line_items: lines.filter(isLine).map((line) => lineRecord(line, accounts)),
});

/** Sales: an offer, until it is confirmed. */
export const estimates: Stream = {
  dataModel: 'ESTIMATE',
  model: 'sale.sale',
  domain: (company) => [['company', '=', company]],
  parts: [{ model: 'sale.line', field: 'sale' }],
  children: { line_items: 'sale.line' },
  fields: {
    read: ['platform_id', 'document_number', 'status', 'source_status', 'is_tax_inclusive', 'created_at', 'updated_at', ...lineFields.read],
    both: ['posted_date', 'currency_id', 'memo', ...lineFields.both],
    required: ['contact_id'],
  },
  async read(client, ids) {
    const sales = await client.rowsOf<SaleRow>('sale.sale', ids, [...ORDER_FIELDS, 'sale_date']);
    const lines = await linesOf<SaleLineRow>(client, 'sale.line', 'sale', [...sales.keys()]);
    return [...sales.values()].map((sale) => saleRecord(sale, lines.byDocument.get(sale.id) ?? [], lines));
  },
  writes: documentWrites({
    model: 'sale.sale',
    lines: { model: 'sale.line', parent: 'sale', context: ({ company }) => ({ company }) },
    fixed: {},
    header: ({ memo, posted_date }) => ({
      ...(memo === undefined ? {} : { comment: memo }),
      ...(posted_date === undefined ? {} : { sale_date: date(posted_date) }),
    }),
  }),
};

interface PurchaseRow extends OrderRow {
  purchase_date: string | null;
  delivery_date: string | null;
  invoice_state: string;
  untaxed_amount: string;
  tax_amount: string;
  total_amount: string;
  invoices: number[];
}

interface PurchaseLineRow extends LineRow {
  purchase: number;
}

const purchaseStates: Record<string, string> = {
  draft: 'DRAFT',
  quotation: 'SUBMITTED',
  confirmed: 'AUTHORIZED',
  processing: 'AUTHORIZED',
  done: 'CLOSED',
  cancelled: 'VOID',
};

const PURCHASE_FIELDS = ['purchase_date', 'delivery_date', 'invoice_state', 'untaxed_amount', 'tax_amount', 'total_amount', 'invoices'];

const purchaseRecord = (purchase: PurchaseRow, lines: PurchaseLineRow[], { accounts }: Lines<PurchaseLineRow>): SourceRecord => ({
  platform_id: String(purchase.id),
  contact_id: String(purchase.party),
  description: purchase.description,
  document_number: purchase.number,
  posted_date: moment(purchase.purchase_date),
  delivery_date: moment(purchase.delivery_date),
  status: purchase.state === 'processing' && purchase.invoice_state === 'paid' ? 'BILLED' : (purchaseStates[purchase.state] ?? 'UNKNOWN'),
  source_status: purchase.state,
  currency_id: purchase['currency.'].code,
  sub_total: amount(purchase.untaxed_amount),
  tax_amount: amount(purchase.tax_amount),
  total_amount: amount(purchase.total_amount),
  is_tax_inclusive: false,
  bill_ids: purchase.invoices.map(String),
  updated_at: stampOf([purchase, ...lines]),
  line_items: lines.filter(isLine).map((line) => lineRecord(line, accounts)),
});

/** Purchases. */
export const purchaseOrders: Stream = {
  dataModel: 'PURCHASE_ORDER',
  model: 'purchase.purchase',
  domain: (company) => [['company', '=', company]],
  parts: [{ model: 'purchase.line', field: 'purchase' }],
  children: { line_items: 'purchase.line' },
  fields: {
    read: [
      ...[
        'platform_id',
        'document_number',
        'delivery_date',
        'status',
        'source_status',
        'sub_total',
        'tax_amount',
        'total_amount',
        'is_tax_inclusive',
      ],
      ...['bill_ids', 'updated_at', ...lineFields.read],
    ],
    both: ['description', 'posted_date', 'currency_id', ...lineFields.both],
    required: ['contact_id'],
  },
  async read(client, ids) {
    const purchases = await client.rowsOf<PurchaseRow>('purchase.purchase', ids, [...ORDER_FIELDS, ...PURCHASE_FIELDS]);
    const lines = await linesOf<PurchaseLineRow>(client, 'purchase.line', 'purchase', [...purchases.keys()]);
    return [...purchases.values()].map((purchase) => purchaseRecord(purchase, lines.byDocument.get(purchase.id) ?? [], lines));
  },
  writes: documentWrites({
    model: 'purchase.purchase',
    lines: { model: 'purchase.line', parent: 'purchase', context: ({ company }) => ({ company }) },
    fixed: {},
    header: ({ description, posted_date }) => ({
      ...(description === undefined ? {} : { description }),
      ...(posted_date === undefined ? {} : { purchase_date: date(posted_date) }),
    }),
  }),
};

interface ShipmentRow extends Row {
  number: string | null;
  reference: string | null;
  state: string;
  supplier: number;
  planned_date: string | null;
  effective_date: string | null;
  incoming_moves: number[];
}

interface MoveRow extends Row {
  product: number;
  quantity: number;
  unit_price: string | null;
  origin: string | null;
  'product.': { template: number; rec_name: string };
  'currency.': { code: string } | null;
}

const shipmentStates: Record<string, string> = { draft: 'DRAFT', received: 'RECEIVED', done: 'CLOSED', cancelled: 'VOID' };
const SHIPMENT_FIELDS = ['number', 'reference', 'state', 'supplier', 'planned_date', 'effective_date', 'incoming_moves'];
const MOVE_FIELDS = ['product', 'quantity', 'unit_price', 'origin', 'product.template', 'product.rec_name', 'currency.code'];

const moveRecord = (move: MoveRow): SourceRecord => ({
  platform_id: String(move.id),
  item_id: idOf(move['product.'].template),
  variant_id: idOf(move.product),
  name: move['product.'].rec_name,
  quantity: move.quantity,
  unit_amount: amount(move.unit_price),
  is_tax_inclusive: false,
});

/** The purchases by the ids of their lines. */
export async function purchasesOf(client: TrytonClient, origins: readonly (string | null | undefined)[]): Promise<Map<number, number>> {
  const ids = origins.map((origin) => referredId(origin ?? null, 'purchase.line'));
  const lines = await client.rowsOf<PurchaseLineRow>('purchase.line', ids, ['purchase']);
  return new Map([...lines].map(([id, { purchase }]) => [id, purchase]));
}

/** The ids of the purchases that lines come from, each once. */
export const purchaseIds = (origins: readonly (string | null | undefined)[], purchases: ReadonlyMap<number, number>): string[] => [
  ...new Set(origins.flatMap((origin) => idOf(purchases.get(referredId(origin ?? null, 'purchase.line') ?? 0)) ?? [])),
];

function shipmentRecord(shipment: ShipmentRow, moves: MoveRow[], purchases: ReadonlyMap<number, number>): SourceRecord {
  return {
    platform_id: String(shipment.id),
    contact_id: String(shipment.supplier),
    description: shipment.reference,
    document_number: shipment.number,
    posted_date: moment(shipment.effective_date),
    delivery_date: moment(shipment.effective_date ?? shipment.planned_date),
    status: shipmentStates[shipment.state] ?? 'UNKNOWN',
    source_status: shipment.state,
    currency_id: moves[0]?.['currency.']?.code ?? null,
    is_tax_inclusive: false,
    purchase_order_ids: purchaseIds(
      moves.map(({ origin }) => origin),
      purchases,
    ),
    updated_at: stampOf([shipment, ...moves]),
    line_items: moves.map(moveRecord),
  };
}

/** Incoming shipments: what arrived, not what was put away. */
export const goodsReceiptNotes: Stream = {
  dataModel: 'GOODS_RECEIPT_NOTE',
  model: 'stock.shipment.in',
  domain: (company) => [['company', '=', company]],
  parts: [{ model: 'stock.move', field: 'shipment' }],
  children: { line_items: 'stock.move' },
  fields: {
    read: [
      ...[
        'platform_id',
        'contact_id',
        'description',
        'document_number',
        'posted_date',
        'delivery_date',
        'status',
        'source_status',
        'currency_id',
      ],
      ...['is_tax_inclusive', 'purchase_order_ids', 'updated_at'],
      ...['item_id', 'variant_id', 'name', 'quantity', 'unit_amount', 'is_tax_inclusive'].map((name) => `line_items.${name}`),
    ],
  },
  async read(client, ids) {
    const shipments = await client.rowsOf<ShipmentRow>('stock.shipment.in', ids, SHIPMENT_FIELDS);
    const moves = await client.rowsOf<MoveRow>(
      'stock.move',
      [...shipments.values()].flatMap(({ incoming_moves }) => incoming_moves),
      MOVE_FIELDS,
    );
    const purchases = await purchasesOf(
      client,
      [...moves.values()].map(({ origin }) => origin),
    );
    return [...shipments.values()].map((shipment) =>
      shipmentRecord(
        shipment,
        shipment.incoming_moves.flatMap((id) => moves.get(id) ?? []),
        purchases,
      ),
    );
  },
};
