// The events of changed ledger records, emitted in the transaction of the change.
import type { EntityManager } from '../../database/open.ts';
import type { Row } from '../../database/reader/projection.ts';
import type { EventSource, NewEvent } from '../../events/events.ts';
import { restRecords } from '../../graphql/rest-record.ts';
import type { RecordClass } from '../../records/metadata.ts';
import type { NamedCompany } from '../companies/connection-events.ts';
import { namesOf } from '../ledger/ledger-record.ts';
import type { ChangeEvent } from './change.ts';

/** Reads the data of change events: all records of one type together, as they are at the end of the transaction. */
async function readChanged(
  em: EntityManager,
  { services, organisationId }: EventSource,
  { ledgerId: companyId }: NamedCompany,
  changes: readonly ChangeEvent[],
): Promise<(change: ChangeEvent) => Row> {
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
export function changeEventsOf(em: EntityManager, source: EventSource, company: NamedCompany, changes: readonly ChangeEvent[]): NewEvent[] {
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
