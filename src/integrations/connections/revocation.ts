// The task that ends a sign-in at its source after its connection has ended.
import { LockMode } from '@mikro-orm/core';
import type { Services } from '../../access/context.ts';
import { organisationTransaction, systemTransaction } from '../../database/transaction.ts';
import type { JobContext, Task } from '../../queue/queue.ts';
import { GatewayError } from '../../records/errors.ts';
import type { ConnectorDefinition } from '../connectors/connector.ts';
import { Connection } from './connection.ts';
import { connectorsOf } from './connectors.ts';
import { DISCONNECTED_REASON, REVOCATION_TASK, type RevocationPayload } from './revocation-queue.ts';
import { openCredentials, type Settings } from './settings.ts';
import { replaceCredentials, revokeTokens, sessionCredentials } from './sign-in.ts';
import { openConnector, RUN_PROPS, type RunConnection, wayOut } from './sources.ts';

/** About a day of attempts, after which the tokens are destroyed without the source. */
const RETRY = { limit: 35, delaySeconds: 1, backoff: true, maxDelaySeconds: 3_600 };
/** Other organisations of the gateway may be connected to the same organisation at the source. */
const UNSCOPED = { filters: { tenant: false } };

/** Of the reason of a connection whose sign-in is tried again. */
const PENDING = 'has not ended the sign-in yet';

/** The task that ends a sign-in at its source. What the source rejects is shown at the connection, and tried again for a day. */
export const signInRevocation = (services: Services): Task<RevocationPayload> => ({
  name: REVOCATION_TASK,
  retry: RETRY,
  async handler({ organisationId, companyId, connectionId: id }, job) {
    const scope = { tenant: { organisationId, companyIds: null } };
    const connection = await services.reader.one(Connection, { id, companyId }, [...RUN_PROPS, 'statusReason'], scope);
    if (!connection || (connection.sealedCredentials === null && !connection.statusReason?.includes(PENDING))) return;
    const failure = connection.sealedCredentials === null ? null : await revoke(services, organisationId, connection, job);
    const isOver = failure === null || job.attempt >= RETRY.limit;
    const words = failure === null ? '' : `; the source ${isOver ? 'did not end the sign-in' : PENDING}: ${failure}`;
    await organisationTransaction(services.database, organisationId, async (em) => {
      const ended = await em.findOne(Connection, { id, companyId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      // Another attempt may have been the last one.
      if (!ended || (!isOver && ended.sealedCredentials === null)) return;
      ended.statusReason = `${DISCONNECTED_REASON}${words}`;
      ended.updatedAt = services.clock.now();
      if (!isOver) return;
      ended.sealedCredentials = null;
      await job.completeIn(em.getTransactionContext());
    });
    if (!isOver) throw new Error(`the sign-in of connection ${id} has not ended at its source yet: ${failure}`);
  },
});

/** Ends the sign-in of a connection at its source. Returns why the source has not; null where it has, or another connection needs it. */
async function revoke(services: Services, organisationId: number, connection: RunConnection, job: JobContext): Promise<string | null> {
  const definition = connectorsOf(services).get(connection.source);
  if (!definition?.oauth?.revocation) return `no connector has the source ${connection.source}`;
  if (await isShared(services, definition, connection)) return null;
  try {
    await endSignIn(services, organisationId, definition, connection, job.signal);
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // A sign-in that cannot be renewed has ended at the source already.
    if (error.code === 'CONNECTION_EXPIRED' && !(await replaceCredentials(services, organisationId, connection))) return null;
    return error.message;
  }
}

/** Whether another connection reaches the same at the source. */
async function isShared(services: Services, { source, oauth }: ConnectorDefinition, { id, settings }: RunConnection): Promise<boolean> {
  const name = oauth!.revocation!.shared;
  const value = name && settings[name];
  if (!name || !value) return false;
  const others = { id: { $ne: id }, source, status: { $ne: 'DISCONNECTED' }, settings: { $contains: { [name]: value } } };
  return systemTransaction(services.database, async (em) => (await em.count(Connection, others, UNSCOPED)) > 0);
}

async function endSignIn(
  services: Services,
  organisationId: number,
  definition: ConnectorDefinition,
  connection: RunConnection,
  signal: AbortSignal,
): Promise<void> {
  const { http, close } = wayOut(services, organisationId, connection, definition, signal);
  try {
    const company = { organisationId, ledgerId: connection.companyId, integrationType: connection.source };
    const credentials = (): Promise<Settings> => sessionCredentials(services, organisationId, definition, connection, { http, signal });
    const accessToken = async (): Promise<string> => (await credentials()).accessToken!;
    const { settings } = connection;
    const connector = openConnector(services, definition, { company, settings, http, accessToken, saveSettings: async () => {}, signal });
    const isRevoked = (await connector.disconnect?.()) ?? true;
    if (isRevoked && definition.oauth!.revocation!.url !== undefined)
      await revokeTokens(services, definition, openCredentials(services, connection), http);
  } finally {
    await close();
  }
}
