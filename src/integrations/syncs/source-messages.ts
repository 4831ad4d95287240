// The messages of sources: verified by their connectors, each starts a run of what it says has changed.
import type { Services } from '../../access/context.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { GatewayError } from '../../records/errors.ts';
import { notFound } from '../../records/not-found.ts';
import { Connection } from '../connections/connection.ts';
import { connectorsOf } from '../connections/connectors.ts';
import { enqueueRun } from '../connections/run-queue.ts';
import type { SourceMessage } from '../connectors/connector.ts';

/** The messages of a source name no organisation of ours. */
const UNSCOPED = { filters: { tenant: false } };

/**
 * Takes a message that was sent to a connection. A source has one address for all that a client of the operator reaches, so the message may concern
 * other connections of the source. They trust its signature, not its address. Throws RECORD_NOT_FOUND where no message is expected, and
 * UNAUTHENTICATED for one that the source has not signed.
 */
export async function takeSourceMessage(services: Services, id: string, message: SourceMessage): Promise<void> {
  const connection = await systemTransaction(services.database, (em) =>
    em.findOne(Connection, { id, status: { $ne: 'DISCONNECTED' } }, { ...UNSCOPED, fields: ['source'], disableIdentityMap: true }),
  );
  const { hook } = (connection && connectorsOf(services).get(connection.source)) ?? {};
  const key = connection && services.config.connectorOauthClients[connection.source]?.webhookKey;
  if (!connection || !hook || !key) throw notFound(Connection, id, 'id');
  const changes = hook.read(message, key);
  if (!changes) throw new GatewayError('UNAUTHENTICATED', 'the source has not signed this message');
  if (changes.length === 0) return;
  await systemTransaction(services.database, async (em) => {
    for (const { settings, dataModels } of changes) {
      const concerned = { source: connection.source, nextRunAt: { $ne: null }, settings: { $contains: settings } };
      const found = await em.find(Connection, concerned, {
        ...UNSCOPED,
        fields: ['organisationId', 'companyId'],
        disableIdentityMap: true,
      });
      for (const { id: connectionId, organisationId, companyId } of found)
        enqueueRun(em, services, { connectionId, organisationId, companyId, dataModels: dataModels.join() });
    }
  });
}
