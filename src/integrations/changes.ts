// What the integrations surface tells its listeners: changed records, connections, and the beginning and end of syncs. Each in the transaction of the change.
import type { Services } from '../core/context.ts';
import type { EntityManager } from '../core/database.ts';
import { type EventSource, emitEvents, type NewEvent } from '../core/events.ts';
import type { RecordClass } from '../core/model.ts';
import { snakeCase } from '../core/names.ts';
import type { Draft, RecordChange, WriteScope } from './draft.ts';
import { namesOf } from './ledger-record.ts';

/** Where the events of an organisation come from, for work that knows only its number. */
export const sourceOf = (services: Services, organisationId: number): EventSource => ({ services, organisationId, organisation: null });

/** A company as events name it. */
interface NamedCompany {
  ledgerId: number;
  integrationType: string;
}

const NOT_SHOWN = new Set(['rawData', 'dataHash']);

/** The change of a record that is about to be stored, with the record as REST shows it. */
export function changeOf(scope: WriteScope, target: RecordClass, draft: Draft, operation: 'CREATE' | 'UPDATE'): RecordChange {
  return {
    dataModel: namesOf(target).dataModel,
    operation,
    // Put together when somebody listens; for most batches nobody does.
    get data() {
      const now = scope.now.toISOString();
      const content = Object.entries(draft.values).filter(([name]) => !NOT_SHOWN.has(name));
      return {
        ledger_id: draft.ledgerId,
        ledger_created_at: draft.stored?.ledgerCreatedAt ?? now,
        ledger_updated_at: now,
        ledger_integration_type: scope.company.integrationType,
        ...Object.fromEntries(content.map(([name, value]) => [snakeCase(name), value])),
      };
    },
  };
}

/** The change of records that were marked deleted. */
export const deletionsOf = (scope: WriteScope, target: RecordClass, ids: number[]): RecordChange[] =>
  ids.map((id) => ({
    dataModel: namesOf(target).dataModel,
    operation: 'DELETE',
    data: { ledger_id: id, ledger_deleted_at: scope.now.toISOString() },
  }));

/** The events of changed records. */
export const changeEvents = (company: NamedCompany, changes: readonly RecordChange[]): NewEvent[] =>
  changes.map((change) => ({
    topic: 'DATA_MODEL_CHANGES',
    companyId: company.ledgerId,
    integrationType: company.integrationType,
    dataModel: change.dataModel,
    operation: change.operation,
    get data() {
      return change.data;
    },
  }));

/** A sync as its events carry it. */
export type SyncFacts = Record<string, unknown> & { companyId: number; integrationType: string };

/** The event of a sync that began or ended. */
export const syncEvent = (topic: 'SYNC_STARTED' | 'SYNC_COMPLETED', sync: SyncFacts): NewEvent => ({
  topic,
  companyId: sync.companyId,
  integrationType: sync.integrationType,
  data: sync,
});

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
