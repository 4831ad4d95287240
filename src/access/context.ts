// What a resolver knows about its request, and the services of the process it may use.
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { LedgerIds } from '../database/ledger-ids.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Database, EntityManager } from '../database/open.ts';
import type { Reader } from '../database/reader/reader.ts';
import type { Queue } from '../queue/queue.ts';
import { GatewayError } from '../records/errors.ts';
import type { TenantScope } from '../records/tenancy.ts';
import type { Clock } from '../runtime/clock.ts';
import type { SecretBox } from '../security/secret-box.ts';
import type { Signer } from '../security/signer.ts';
import type { AccessKeys } from './access-keys.ts';
import type { FailedCredentials } from './allowance.ts';
import type { Principal, RoleName } from './principal.ts';

/** Services that live as long as the process. */
export interface Services {
  config: Config;
  database: Database;
  reader: Reader;
  keys: AccessKeys;
  failedCredentials: FailedCredentials;
  ledgerIds: LedgerIds;
  signer: Signer;
  secrets: SecretBox;
  /** Background work; jobs are enqueued inside the transaction of the change. */
  queue: Queue;
  schema: GraphQLSchema;
  /** Wake-ups between processes, sent when a transaction commits. */
  notifications: Notifications;
  clock: Clock;
  log: Logger;
}

/** One request, task or subscription event. */
export interface RequestContext {
  services: Services;
  requestId: string;
  /** Who asks; null when no credential was sent. */
  principal: Principal | null;
  /** Argument values that went through the input coercer. */
  coerced: WeakSet<object>;
  /** Set by a write, so that the answer is read where the write went. */
  primary: boolean;
  /** Address of the caller as the trusted proxy hop reports it. */
  ip: string | null;
  /** Whether the request came by a REST route, whose callers spell fields in snake case; for what is told later than the answer. */
  isRest: boolean;
  /** The declared roles that the caller was last found to have one of. */
  granted?: readonly RoleName[];
  /** Codes of the errors the caller was told. */
  errorCodes?: string[];
  /** Called first in every write transaction of the request; what it throws undoes the write. */
  writing?: (em: EntityManager) => Promise<void>;
}

/** The rows the caller may see; fails when nobody is authenticated. */
export function tenantOf(context: RequestContext): TenantScope {
  if (!context.principal) throw new GatewayError('UNAUTHENTICATED', 'a key is required');
  if (context.principal.organisationId === null) throw new GatewayError('PARTNER_NOT_FOUND', 'this key belongs to no organisation');
  return { organisationId: context.principal.organisationId, companyIds: context.principal.companyIds };
}
