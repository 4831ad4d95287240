// The events of connections between companies and their source systems, emitted in the transaction of the change.
import { auditRecords } from '../../access/audit.ts';
import type { EntityManager } from '../../database/open.ts';
import { type EventSource, emitEvents } from '../../events/events.ts';
import { ledgerGlobalId } from '../../records/ids.ts';

/** The fields of a company that events carry. */
export interface NamedCompany {
  ledgerId: number;
  integrationType: string;
}

/** Emits CONNECTION_CHANGED for a connection that was made, changed or ended, and names its company to the audit log. */
export function emitConnection(em: EntityManager, source: EventSource, company: NamedCompany, status: 'ACTIVE' | 'DISCONNECTED'): void {
  const data = { ledger_company_id: company.ledgerId, integration_type: company.integrationType, connection_status: status };
  const { ledgerId, integrationType } = company;
  const subject = ledgerGlobalId('company', ledgerId);
  auditRecords(em, [{ id: subject }]);
  emitEvents(em, source, [{ topic: 'CONNECTION_CHANGED', companyId: ledgerId, integrationType, subject, data }]);
}
