// Demo data: a small company with consistent books, the same at every first start, written through the write path of all other records.
import type { Services } from '../../access/context.ts';
import { type EntityManager, executeIn } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { connectedCompany } from '../companies/company.ts';
import { namesOf } from '../ledger/ledger-record.ts';
import { Account } from '../records/account.ts';
import { BillCreditNote } from '../records/bill-credit-note.ts';
import { CashFlowStatement } from '../records/cash-flow-statement.ts';
import { Contact } from '../records/contact.ts';
import { Currency } from '../records/currency.ts';
import { Estimate } from '../records/estimate.ts';
import { InvoiceCreditNote } from '../records/invoice-credit-note.ts';
import { Item } from '../records/item.ts';
import { Pipeline } from '../records/pipeline.ts';
import { GoodsReceiptNote, PurchaseOrder } from '../records/purchase-document.ts';
import { TaxRate } from '../records/tax-rate.ts';
import { recordFinishedWrite } from '../syncs/sync-state.ts';
import type { RecordInput, WriteScope } from '../writes/change.ts';
import { writeRecords } from '../writes/write.ts';
import { accounts, cashFlow, contacts, currencies, items, pipeline, taxRates } from './records.ts';

/** Name of the demo company. */
const COMPANY = 'Blue Harbour Coffee Roasters';

/** Numbers of written records by platform id. */
type Numbers = Map<string, number>;

/** Makes the demo company of an organisation, with its records; does nothing when the organisation has that company. */
export async function seedIntegrationsDemo(services: Services, { id: organisationId }: { id: number }): Promise<void> {
  const now = services.clock.now();
  await organisationTransaction(services.database, organisationId, async (em) => {
    const existing = await executeIn(em, 'select 1 from company where organisation_id = $1 and name = $2', [organisationId, COMPANY]);
    if (existing.length > 0) return;
    const rows = await executeIn<{ id: string | number }>(
      em,
      `insert into company (ledger_id, organisation_id, name, integration_type, connection_status, ledger_created_at, ledger_updated_at)
       values (nextval('company_id'), $1, $2, 'SANDBOX', 'ACTIVE', $3::timestamptz, $3::timestamptz) returning ledger_id as id`,
      [organisationId, COMPANY, now.toISOString()],
    );
    const company = await connectedCompany(em, organisationId, Number(rows[0]!.id));
    const scope: WriteScope = { services, organisationId, company, now, strict: true, changes: [] };
    const numbers: Numbers = new Map();
    const write = (target: RecordClass, inputs: RecordInput[]): Promise<void> => writeAll(em, scope, numbers, target, inputs);
    await write(Currency, currencies);
    await write(TaxRate, taxRates);
    // A parent must be stored before its children refer to it, so the tree is written level by level.
    for (const level of [1, 2, 3])
      await write(
        Account,
        accounts
          .filter((entry) => entry.level === level)
          .map(({ parent, level: _, ...account }) => ({ ...account, parentAccountId: parent ? numbers.get(parent) : null })),
      );
    await write(Contact, contacts);
    await write(Item, items);
    for (const [target, documents] of documentsOf(numbers)) await write(target, documents);
    await write(GoodsReceiptNote, receipts(numbers));
    await write(Pipeline, [pipeline]);
    await write(CashFlowStatement, cashFlow);
  });
}

async function writeAll(em: EntityManager, scope: WriteScope, numbers: Numbers, target: RecordClass, inputs: RecordInput[]): Promise<void> {
  const results = await writeRecords(
    em,
    scope,
    target,
    inputs.map((input, index) => ({ input, path: `data[${index}]` })),
    'create',
  );
  for (const [index, result] of results.entries()) {
    if (result instanceof GatewayError) throw result;
    numbers.set(inputs[index]!.platformId as string, result.ledgerId);
  }
  await recordFinishedWrite(em, {
    organisationId: scope.organisationId,
    companyId: scope.company.ledgerId,
    integrationType: scope.company.integrationType,
    dataModel: namesOf(target).dataModel,
    configMode: 'CREATE',
    recordsSynced: results.length,
    strict: true,
    startedAt: scope.now,
    endedAt: scope.now,
  });
}

/** A line of an item at its price. Amounts are computed in whole cents, so that nothing is lost before the division. */
function line(
  numbers: Numbers,
  index: number,
  itemId: string,
  quantity: number,
): RecordInput & { subTotal: number; taxAmount: number; totalAmount: number } {
  const item = items.find((entry) => entry.platformId === itemId)!;
  const net = quantity * Math.round(item.price * 100);
  const tax = Math.round((net * 20) / 100);
  return {
    platformId: String(index + 1),
    itemId: numbers.get(itemId),
    name: item.name,
    quantity,
    unitAmount: item.price,
    isTaxInclusive: false,
    subTotal: net / 100,
    taxAmount: tax / 100,
    totalAmount: (net + tax) / 100,
    taxId: numbers.get('tax-standard'),
    accountId: numbers.get('acc-4000'),
  };
}

const sum = (lines: { [name: string]: unknown }[], name: string): number =>
  lines.reduce((cents, entry) => cents + Math.round((entry[name] as number) * 100), 0) / 100;

const itemAt = (index: number): string => items[index % items.length]!.platformId;
const dayOf = (index: number): string => new Date(Date.UTC(2026, 0, 5 + index * 9)).toISOString();
const linesAt = (numbers: Numbers, index: number): ReturnType<typeof line>[] =>
  Array.from({ length: 1 + (index % 3) }, (_, at) => line(numbers, at, itemAt(index + at * 2), 2 + ((index + at) % 5)));

/** Orders, estimates and credit notes, each with one to three lines that add up to its totals. */
function documentsOf(numbers: Numbers): [RecordClass, RecordInput[]][] {
  const contactAt = (kind: string, index: number): number => {
    const own = contacts.filter((contact) => contact.type === kind);
    return numbers.get(own[index % own.length]!.platformId)!;
  };
  const common = (index: number) => ({
    currencyId: 'GBP',
    postedDate: dayOf(index),
    isTaxInclusive: false,
    lineItems: linesAt(numbers, index),
  });
  const orders = Array.from({ length: 12 }, (_, index) => {
    const base = common(index);
    const status = ['DRAFT', 'SUBMITTED', 'AUTHORIZED', 'BILLED'][index % 4];
    const totals = {
      subTotal: sum(base.lineItems, 'subTotal'),
      taxAmount: sum(base.lineItems, 'taxAmount'),
      totalAmount: sum(base.lineItems, 'totalAmount'),
    };
    return {
      ...base,
      ...totals,
      platformId: `po-${index + 1}`,
      documentNumber: `PO-${1001 + index}`,
      contactId: contactAt('VENDOR', index),
      deliveryDate: dayOf(index + 1),
      paymentMode: 'BANK_TRANSFER',
      status,
    };
  });
  const estimates = Array.from({ length: 8 }, (_, index) => ({
    ...common(index + 2),
    platformId: `est-${index + 1}`,
    documentNumber: `EST-${301 + index}`,
    contactId: contactAt('CUSTOMER', index),
    status: ['SUBMITTED', 'ACCEPTED', 'CONVERTED', 'EXPIRED'][index % 4],
  }));
  const note = (prefix: string, kind: string, index: number) => {
    const base = common(index + 5);
    const totalAmount = sum(base.lineItems, 'totalAmount');
    return {
      ...base,
      platformId: `${prefix}-${index + 1}`,
      documentNumber: `${prefix.toUpperCase()}-${501 + index}`,
      contactId: contactAt(kind, index),
      totalAmount,
      remainingCredit: index % 2 === 0 ? totalAmount : 0,
      status: index % 2 === 0 ? 'SUBMITTED' : 'PAID',
    };
  };
  const notes = (prefix: string, kind: string) => Array.from({ length: 5 }, (_, index) => note(prefix, kind, index));
  return [
    [PurchaseOrder, orders],
    [Estimate, estimates],
    [
      BillCreditNote,
      notes('bcn', 'VENDOR').map((entry) => ({ ...entry, billIds: [`bill-${entry.platformId}`], memo: 'Damaged in transit' })),
    ],
    [
      InvoiceCreditNote,
      notes('icn', 'CUSTOMER').map((entry) => ({ ...entry, invoiceIds: [`invoice-${entry.platformId}`], issuedAt: entry.postedDate })),
    ],
  ];
}

/** The goods receipt notes of the first six orders. */
function receipts(numbers: Numbers): RecordInput[] {
  const orders = documentsOf(numbers)[0]![1].slice(0, 6);
  return orders.map(({ platformId, documentNumber, paymentMode: _, ...order }, index) => ({
    ...order,
    platformId: `grn-${index + 1}`,
    documentNumber: String(documentNumber).replace('PO', 'GRN'),
    purchaseOrderIds: [numbers.get(platformId as string)],
    status: 'RECEIVED',
  }));
}
