// Changed ledger records as events, emitted in the transaction of the change, and as the audit log names them.
import type { AuditedRecord } from '../../access/audit.ts';
import type { EntityManager } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import type { EventSource, NewEvent } from '../../events/events.ts';
import { restRecords } from '../../graphql/rest/rest-record.ts';
import { ledgerGlobalId } from '../../records/ids.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import type { NamedCompany } from '../companies/connection-events.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import type { ChangeEvent } from './change.ts';

/** The global id of a changed record. */
const subjectOf = ({ target, ledgerId }: ChangeEvent): string => ledgerGlobalId(modelOf(target).prefix, ledgerId);

/** A changed record as the audit log names it. */
export const auditedChange = (change: ChangeEvent): AuditedRecord => ({
  id: subjectOf(change),
  before: change.before ?? null,
  after: change.after ?? null,
});

/** Reads the data of change events: all records of one type together, as they are at the end of the transaction. */
async function readChanged(
  em: EntityManager,
  { services, organisationId }: EventSource,
  { ledgerId: companyId }: NamedCompany,
  changes: readonly ChangeEvent[],
): Promise<(change: ChangeEvent) => Row> {
  const found = new Map<RecordClass<LedgerRecord>, Map<unknown, Row>>();
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
export function changeEventsOf(em: EntityManager, source: EventSource, company: NamedCompany, changes: readonly ChangeEvent[]): NewEvent[] {
  let reading: ReturnType<typeof readChanged> | undefined;
  return changes.map((change) => ({
    topic: 'DATA_MODEL_CHANGES',
    companyId: company.ledgerId,
    integrationType: company.integrationType,
    dataModel: namesOf(change.target).dataModel,
    operation: change.operation,
    subject: subjectOf(change),
    previousEtag: change.previousEtag ?? null,
    data: async () => {
      reading ??= readChanged(em, source, company, changes);
      return (await reading)(change);
    },
  }));
}
