// The events of connections between companies and their source systems, emitted in the transaction of the change.
import type { EntityManager } from '../../database/open.ts';
import { type EventSource, emitEvents } from '../../events/events.ts';

/** The fields of a company that events carry. */
export interface NamedCompany {
  ledgerId: number;
  integrationType: string;
}

/** Emits CONNECTION_CHANGED for a connection that was made, changed or ended. */
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
