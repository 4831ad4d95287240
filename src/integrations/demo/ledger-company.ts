// The demo company whose books are in the demo ledger. It is connected at the first start, and each later start points it to the ledger of its
// process.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { emitEvents, sourceOf } from '../../events/events.ts';
import { Company, connectedCompany } from '../companies/company.ts';
import { Connection, liveOf } from '../connections/connection.ts';
import { storeConnection } from '../connections/connection-store.ts';
import { demoLedger } from '../connectors/demo/demo-connector.ts';
import { namesOf } from '../ledger/ledger-record.ts';
import { Contact } from '../records/contact.ts';
import { pushesOf, queuePushes } from '../syncs/push.ts';
import { syncEvent } from '../syncs/state/sync-events.ts';
import { recordWrite } from '../syncs/state/sync-state.ts';
import type { WriteScope } from '../writes/change.ts';
import { changeEventsOf } from '../writes/change-events.ts';
import { writeRecords } from '../writes/write.ts';
import { type DemoLedger, startDemoLedger } from './ledger.ts';

/** Name of the company. */
const COMPANY = 'Blue Harbour Tea Rooms';
const EVERY_MINUTES = 60;

/** Starts the demo ledger of this process, with the company that is connected to it. */
export async function openDemoLedger(services: Services, organisationId: number): Promise<Pick<DemoLedger, 'close'>> {
  const ledger = await startDemoLedger(services);
  services.demoLedger = ledger.url;
  await organisationTransaction(services.database, organisationId, async (em) => {
    const company = await em.findOne(Company, { name: COMPANY });
    if (!company) return connect(em, services, organisationId, ledger);
    const connection = await em.findOne(Connection, { ...liveOf(company.ledgerId), source: demoLedger.source });
    if (connection) connection.settings = { ...connection.settings, url: ledger.url };
  });
  return { close: () => ledger.close() };
}

async function connect(em: EntityManager, services: Services, organisationId: number, { url, apiKey }: DemoLedger): Promise<void> {
  const now = services.clock.now();
  const company = em.create(Company, {
    organisationId,
    name: COMPANY,
    integrationType: demoLedger.source,
    connectionStatus: 'ACTIVE',
    ledgerCreatedAt: now,
    ledgerUpdatedAt: now,
  });
  await em.flush();
  await storeConnection(em, sourceOf(services, organisationId), company.ledgerId, demoLedger, {
    settings: { shown: { url }, secret: { apiKey } },
    intervalMinutes: EVERY_MINUTES,
    rhythms: {},
  });
  await writeRefused(em, services, organisationId, company.ledgerId);
}

/** Writes a contact that the ledger rejects because it has no email address, so that there is a failed push to look at and fix. */
async function writeRefused(em: EntityManager, services: Services, organisationId: number, companyId: number): Promise<void> {
  const now = services.clock.now();
  const company = await connectedCompany(em, organisationId, companyId);
  const scope: WriteScope = {
    services,
    organisationId,
    company,
    now,
    strict: true,
    pushed: new Set(company.pushedModels),
    changes: [],
  };
  const input = { name: 'Lighthouse Deli', contactName: 'Ada Storm', type: 'CUSTOMER', status: 'ACTIVE', currencyId: 'GBP' };
  await writeRecords(em, scope, Contact, [{ path: 'data', input }], 'create');
  const { integrationType } = company;
  const write = { organisationId, companyId, integrationType, dataModel: namesOf(Contact).dataModel, configMode: 'CREATE' } as const;
  const { id: syncId, jobId } = await recordWrite(em, { ...write, recordsSynced: 1, strict: true, startedAt: now, endedAt: now }, true);
  await queuePushes(em, services, { organisationId, companyId, syncId, jobId }, pushesOf(scope));
  const source = sourceOf(services, organisationId);
  const started = syncEvent(em, source, 'SYNC_STARTED', { id: syncId, companyId, integrationType });
  emitEvents(em, source, [started, ...changeEventsOf(em, source, company, scope.changes)]);
}
