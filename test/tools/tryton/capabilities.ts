// Checks what the connector declares against Tryton's own description of its models: the fields that are read, and those that a new record needs.
import { deepEqual, ok, rejects } from 'node:assert/strict';
import type { SourceRecord } from '../../../src/integrations/connectors/connector.ts';
import { keepingFacts } from '../../../src/integrations/connectors/source-facts.ts';
import { leftOut } from '../../../src/integrations/connectors/tryton/client.ts';
import { tryton } from '../../../src/integrations/connectors/tryton/tryton.ts';
import type { Books } from './pulls.ts';
import { request } from './pushes.ts';
import type { TrytonServer } from './server.ts';
import { connect, http, pull, Rpc } from './source.ts';

/** The models that are written, and the fields of ours that give the required ones of Tryton. */
const WRITTEN: Readonly<Record<string, { model: string; needs: Readonly<Record<string, string>> }>> = {
  CONTACT: { model: 'party.party', needs: {} },
  ITEM: { model: 'product.template', needs: { name: 'name' } },
  ESTIMATE: { model: 'sale.sale', needs: { party: 'contact_id' } },
  PURCHASE_ORDER: { model: 'purchase.purchase', needs: { party: 'contact_id' } },
  INVOICE: { model: 'account.invoice', needs: { party: 'contact_id' } },
  BILL: { model: 'account.invoice', needs: { party: 'contact_id' } },
};

/** Required fields that a form of Tryton fills in, or that the connector does. */
const FILLED: Readonly<Record<string, readonly string[]>> = {
  'party.party': ['code'],
  'product.template': ['default_uom', 'list_price'],
  'account.invoice': ['account', 'invoice_address', 'journal'],
};

/** The fields that a model requires and has no default for. */
async function requiredOf(rpc: Rpc, model: string): Promise<string[]> {
  const fields = (await rpc.call(`${model}.fields_get`, [])) as Record<string, { required?: boolean }>;
  const defaults = (await rpc.call(`${model}.default_get`, Object.keys(fields), false)) as Record<string, unknown>;
  return Object.keys(fields).filter((name) => fields[name]!.required && defaults[name] === undefined);
}

const namesIn = (record: SourceRecord): string[] =>
  Object.entries(record).flatMap(([name, value]) => {
    const children = Array.isArray(value) ? value.filter((child) => typeof child === 'object' && child !== null) : [];
    return children.length > 0 ? [name, ...children.flatMap((child) => Object.keys(child).map((inner) => `${name}.${inner}`))] : [name];
  });

/** Every declared field is pulled, and a new record needs exactly what is declared as required. */
export async function declarationsHold(server: TrytonServer, books: Books): Promise<string> {
  let pulled = 0;
  for (const { dataModel, fields } of tryton.capabilities) {
    const names = new Set(books.get(dataModel)!.records.flatMap(namesIn));
    const declared = fields.filter(({ pull }) => pull).map(({ name }) => name);
    deepEqual(
      // Custom fields come by the rules of a connection.
      declared.filter((name) => !names.has(name) && name !== 'custom_fields'),
      [],
      `${dataModel} has these fields in no record`,
    );
    pulled += declared.length;
  }
  const rpc = new Rpc(server);
  const connector = connect(server);
  for (const { dataModel, fields } of tryton.capabilities.filter(({ create }) => create)) {
    const { model, needs } = WRITTEN[dataModel]!;
    const required = fields.filter((field) => field.required).map(({ name }) => name);
    const lacking = (await requiredOf(rpc, model)).filter((name) => !FILLED[model]?.includes(name));
    deepEqual(lacking.map((name) => needs[name]).sort(), required.sort(), `${model} requires ${lacking.join(', ')}`);
    for (const name of required) await rejects(connector.push!(request('CREATE', dataModel, null, {})), { message: new RegExp(name) });
  }
  return `${pulled} fields pulled as declared, ${Object.keys(WRITTEN).length} models require what is declared`;
}

/** The models whose rows are records or their children, by data model. */
const ROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  CURRENCY: { '': 'currency.currency' },
  ACCOUNT: { '': 'account.account' },
  TAX_RATE: { '': 'account.tax' },
  CONTACT: { '': 'party.party', addresses: 'party.address', phone_numbers: 'party.contact_mechanism' },
  ITEM: { '': 'product.template', variants: 'product.product' },
  ESTIMATE: { '': 'sale.sale', line_items: 'sale.line' },
  PURCHASE_ORDER: { '': 'purchase.purchase', line_items: 'purchase.line' },
  GOODS_RECEIPT_NOTE: { '': 'stock.shipment.in', line_items: 'stock.move' },
  INVOICE: { '': 'account.invoice', line_items: 'account.invoice.line' },
  BILL: { '': 'account.invoice', line_items: 'account.invoice.line' },
  INVOICE_CREDIT_NOTE: { '': 'account.invoice', line_items: 'account.invoice.line' },
  BILL_CREDIT_NOTE: { '': 'account.invoice', line_items: 'account.invoice.line' },
  PAYMENT: { '': 'account.move.line' },
};

/** Every field of Tryton's models is in what is kept of the source, or is left out for a reason. */
export async function everyFieldIsKept(server: TrytonServer): Promise<string> {
  const rpc = new Rpc(server);
  const { rawData, customFields } = { rawData: 'kept', customFields: [] } as const;
  const connector = keepingFacts(connect(server, {}, http, { wantsRaw: true }), { rawData, customFields }, () => true);
  const counts = { kept: 0, leftOut: 0 };
  for (const { dataModel } of tryton.capabilities) {
    // Transactions have their fields alone.
    if (dataModel === 'LEDGER_TRANSACTION') continue;
    const models = ROWS[dataModel];
    ok(models, `${dataModel} is not counted: name its models here`);
    const { records } = await pull(connector, dataModel);
    for (const [list, model] of Object.entries(models)) {
      const rows = list === '' ? records : records.flatMap((record) => (record[list] ?? []) as SourceRecord[]);
      const fields = (await rpc.call(`${model}.fields_get`, [])) as Record<string, { type: string }>;
      const kept = new Set(rows.flatMap((row) => Object.keys(row.raw_data as object)));
      for (const [name, { type }] of Object.entries(fields)) {
        ok(kept.has(name) || leftOut(type) !== undefined, `${model}.${name} (${type}) is neither kept nor left out for a reason`);
        counts[kept.has(name) ? 'kept' : 'leftOut'] += 1;
      }
    }
  }
  return `${counts.kept} fields kept in rawData, ${counts.leftOut} left out by their type`;
}
