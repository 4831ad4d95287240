// What the integrations surface tells its listeners: changed records, connections, and the beginning and end of syncs. Each in the transaction of the change.
import type { Services } from '../core/context.ts';
import type { EntityManager } from '../core/database.ts';
import { type EventSource, emitEvents, type NewEvent } from '../core/events.ts';
import type { RecordClass } from '../core/model.ts';
import type { Row } from '../core/record-selection.ts';
import { restRecords } from '../core/rest-record.ts';
import type { RecordChange } from './draft.ts';
import { namesOf } from './ledger-record.ts';
import { Sync, type SyncCounts } from './sync.ts';

/** Where the events of an organisation come from, for work that knows only its number. */
export const sourceOf = (services: Services, organisationId: number): EventSource => ({ services, organisationId, organisation: null });

/** A company as events name it. */
interface NamedCompany {
  ledgerId: number;
  integrationType: string;
}

/** A sync as events name it. */
interface NamedSync {
  id: string;
  companyId: number;
  integrationType: string;
}

/** Reads what the events of changed records carry: all records of one type together, as they are at the end of the transaction. */
async function readChanged(
  em: EntityManager,
  { services, organisationId }: EventSource,
  { ledgerId: companyId }: NamedCompany,
  changes: readonly RecordChange[],
): Promise<(change: RecordChange) => Row> {
  const found = new Map<RecordClass, Map<unknown, Row>>();
  for (const [target, ofTarget] of Map.groupBy(changes, (change) => change.target)) {
    const keys = ofTarget.map(({ ledgerId }) => ledgerId);
    found.set(target, await restRecords(em, { schema: services.schema, organisationId, companyId, target, keys, deleted: true }));
  }
  return ({ target, ledgerId, operation }) => {
    const { ledger_deleted_at, ...record } = found.get(target)!.get(ledgerId)!;
    return operation === 'DELETE' ? { ledger_id: ledgerId, ledger_deleted_at } : record;
  };
}

/** The events of changed records. */
export function changeEvents(em: EntityManager, source: EventSource, company: NamedCompany, changes: readonly RecordChange[]): NewEvent[] {
  let reading: ReturnType<typeof readChanged> | undefined;
  return changes.map((change) => ({
    topic: 'DATA_MODEL_CHANGES',
    companyId: company.ledgerId,
    integrationType: company.integrationType,
    dataModel: namesOf(change.target).dataModel,
    operation: change.operation,
    data: async () => {
      reading ??= readChanged(em, source, company, changes);
      return (await reading)(change);
    },
  }));
}

/** The event of a sync that began or ended, as REST shows the sync then. */
export const syncEvent = (
  em: EntityManager,
  { services, organisationId }: EventSource,
  topic: 'SYNC_STARTED' | 'SYNC_COMPLETED',
  sync: NamedSync,
): NewEvent => ({
  topic,
  companyId: sync.companyId,
  integrationType: sync.integrationType,
  data: async () => {
    const query = { schema: services.schema, organisationId, target: Sync, keys: [sync.id], spelling: 'camel' } as const;
    const row = (await restRecords(em, query)).get(sync.id)!;
    return topic === 'SYNC_STARTED' ? atItsStart(row) : row;
  },
});

/** A sync as it was when its first job began: one that begins and ends in one transaction is never stored so. */
function atItsStart(sync: Row): Row {
  const begun = ({ total }: SyncCounts): SyncCounts => {
    const running = Math.min(total, 1);
    return { total, success: 0, failed: 0, running, pending: total - running };
  };
  return {
    ...sync,
    status: 'RUNNING',
    jobCounts: begun(sync.jobCounts as SyncCounts),
    dataModelCounts: begun(sync.dataModelCounts as SyncCounts),
    endTime: null,
  };
}

/** Tells of a connection that was made, changed or ended. */
export async function emitConnection(
  em: EntityManager,
  source: EventSource,
  company: NamedCompany,
  status: 'ACTIVE' | 'DISCONNECTED',
): Promise<void> {
  const data = { ledger_company_id: company.ledgerId, integration_type: company.integrationType, connection_status: status };
  await emitEvents(em, source, [
    { topic: 'CONNECTION_CHANGED', companyId: company.ledgerId, integrationType: company.integrationType, data },
  ]);
}
