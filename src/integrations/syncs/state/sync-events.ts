// The events of syncs: SYNC_STARTED and SYNC_COMPLETED with the sync as REST shows it at that moment, and SYNCS.CONFIRMATION_NEEDED.
import type { EntityManager } from '../../../database/open.ts';
import type { Row } from '../../../database/reader/projection.ts';
import type { EventSource, NewEvent } from '../../../events/events.ts';
import { restRecords } from '../../../graphql/rest/rest-record.ts';
import { Sync, type SyncCounts, SyncJob } from './sync.ts';

/** The properties of a sync that its events name. */
type NamedSync = Pick<Sync, 'id' | 'companyId' | 'integrationType'>;

/** The event of a sync that began or ended. */
export const syncEvent = (
  em: EntityManager,
  { services, organisationId }: EventSource,
  topic: 'SYNC_STARTED' | 'SYNC_COMPLETED',
  sync: NamedSync,
): NewEvent => ({
  topic,
  companyId: sync.companyId,
  integrationType: sync.integrationType,
  subject: sync.id,
  data: async () => {
    const { companyId } = sync;
    const query = { schema: services.schema, organisationId, companyId, target: Sync, keys: [sync.id], naming: 'camel' } as const;
    const row = (await restRecords(em, query)).get(sync.id)!;
    return topic === 'SYNC_STARTED' ? atItsStart(row) : row;
  },
});

/** The sync as it was when its first job began. A sync that begins and ends in one transaction is never stored in that state. */
function atItsStart(sync: Row): Row {
  const begun = (counts: unknown): SyncCounts => {
    const { total } = counts as SyncCounts;
    const running = Math.min(total, 1);
    return { total, success: 0, failed: 0, running, pending: total - running };
  };
  return {
    ...sync,
    status: 'RUNNING',
    jobCounts: begun(sync.jobCounts),
    dataModelCounts: begun(sync.dataModelCounts),
    endTime: null,
  };
}

/** The event of a sync whose deletions wait for a confirmation. */
export async function confirmationNeeded(em: EntityManager, { id, companyId, integrationType }: NamedSync): Promise<NewEvent> {
  const jobs = await em.find(
    SyncJob,
    { companyId, syncId: id, status: 'PENDING_CONFIRMATION' },
    { fields: ['dataModel', 'errorMessage'], disableIdentityMap: true },
  );
  const data = {
    sync_id: id,
    ledger_company_id: companyId,
    integration_type: integrationType,
    data_models: jobs.map(({ dataModel, errorMessage }) => ({ data_model: dataModel, message: errorMessage })),
  };
  return { topic: 'SYNCS.CONFIRMATION_NEEDED', companyId, integrationType, subject: id, data };
}
