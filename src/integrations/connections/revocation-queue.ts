// The revocation of a sign-in, queued with the end of its connection, whose tokens are kept until the source has revoked them.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Connection } from './connection.ts';
import { connectorsOf } from './connectors.ts';
import { openCredentials, type Settings, sealCredentials } from './settings.ts';

export const REVOCATION_TASK = 'sign-in-revocation';

/** Which connection has ended. */
export type RevocationPayload = {
  organisationId: number;
  companyId: number;
  connectionId: string;
};

/** Why a connection has ended. */
export const DISCONNECTED_REASON = 'a disconnect request was approved';

/** Destroys the credentials of a connection that ends, but keeps the tokens of a sign-in for the task that has the source revoke them. */
export function keepForRevocation(em: EntityManager, services: Services, connection: Connection): void {
  const { id, organisationId, companyId, source, renewalUntil } = connection;
  const { accessToken, accessTokenExpiresAt, refreshToken } = openCredentials(services, connection);
  connection.sealedCredentials = null;
  if (!connectorsOf(services).get(source)?.oauth?.revocation || (refreshToken ?? accessToken) === undefined) return;
  const tokens = Object.entries({ accessToken, accessTokenExpiresAt, refreshToken }).filter(([, token]) => token !== undefined);
  connection.sealedCredentials = sealCredentials(services, id, Object.fromEntries(tokens) as Settings);
  // A renewal that another process has begun replaces the tokens.
  enqueue(
    em,
    services.queue,
    REVOCATION_TASK,
    { organisationId, companyId, connectionId: id },
    renewalUntil ? { runAfter: renewalUntil } : {},
  );
}
