// Demo data: a small company with consistent books, the same at every first start, written through the write path of all other records.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { Company, connectedCompany } from '../companies/company.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { Account } from '../records/account.ts';
import { CashFlowStatement } from '../records/cash-flow-statement.ts';
import { Contact } from '../records/contact.ts';
import { Currency } from '../records/currency.ts';
import { Item } from '../records/item.ts';
import { Pipeline } from '../records/pipeline.ts';
import { GoodsReceiptNote } from '../records/purchase-document.ts';
import { TaxRate } from '../records/tax-rate.ts';
import { recordWrite } from '../syncs/state/sync-state.ts';
import { resolveArrived } from '../writes/arrived-records.ts';
import type { RecordInput, WriteScope } from '../writes/change.ts';
import { writeRecords } from '../writes/write.ts';
import { attachDemoFile } from './attachments.ts';
import { documentsOf, type Numbers, receipts } from './documents.ts';
import { booksOf } from './payments.ts';
import { accounts, cashFlow, contacts, currencies, items, pipeline, taxRates } from './records.ts';

/** Name of the demo company. */
const COMPANY = 'Blue Harbour Coffee Roasters';

/** Makes the demo company of an organisation, with its records; does nothing when the organisation has that company. */
export async function seedIntegrationsDemo(services: Services, { id: organisationId }: { id: number }): Promise<void> {
  const now = services.clock.now();
  await organisationTransaction(services.database, organisationId, async (em) => {
    if ((await em.count(Company, { name: COMPANY })) > 0) return;
    const created = em.create(Company, {
      organisationId,
      name: COMPANY,
      integrationType: 'SANDBOX',
      connectionStatus: 'ACTIVE',
      ledgerCreatedAt: now,
      ledgerUpdatedAt: now,
    });
    await em.flush();
    const company = await connectedCompany(em, organisationId, created.ledgerId);
    const scope: WriteScope = { services, organisationId, company, now, strict: true, changes: [], arrived: new Map() };
    const numbers: Numbers = new Map();
    const write = (target: RecordClass<LedgerRecord>, inputs: RecordInput[]): Promise<void> => writeAll(em, scope, numbers, target, inputs);
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
    for (const recordsOf of booksOf) await write(recordsOf.target, recordsOf.inputs(numbers));
    // The credit notes name invoices and bills that came after them.
    await resolveArrived(em, scope);
    await write(Pipeline, [pipeline]);
    await write(CashFlowStatement, cashFlow);
    await attachDemoFile(em, scope);
  });
}

async function writeAll(
  em: EntityManager,
  scope: WriteScope,
  numbers: Numbers,
  target: RecordClass<LedgerRecord>,
  inputs: RecordInput[],
): Promise<void> {
  const results = await writeRecords(
    em,
    scope,
    target,
    inputs.map((input, index) => ({ input, path: `data[${index}]` })),
    'create',
  );
  for (const [index, result] of results.entries()) {
    if (result instanceof GatewayError) throw result;
    numbers.set(String(inputs[index]!.platformId), result.ledgerId);
  }
  await recordWrite(em, {
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
