// The context of a request, and the services of the process that resolvers may use.
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
  /** The caller; null when no credential was sent. */
  principal: Principal | null;
  /** Argument values that went through the input coercer. */
  coerced: WeakSet<object>;
  /** Set by a write, so that the answer is read from the primary. */
  primary: boolean;
  /** Address of the caller, as the trusted proxies report it. */
  ip: string | null;
  /** Whether the request came by a REST route, whose callers name fields in snake case; needed by reports written after the answer. */
  isRest: boolean;
  /** The list of declared roles that was granted last. */
  granted?: readonly RoleName[];
  /** Codes of the errors sent to the caller. */
  errorCodes?: string[];
  /** Called first in every write transaction of the request; an error it throws rolls the write back. */
  writing?: (em: EntityManager) => Promise<void>;
}

/** The rows the caller may see; throws when nobody is authenticated. */
export function tenantOf(context: RequestContext): TenantScope {
  if (!context.principal) throw new GatewayError('UNAUTHENTICATED', 'a key is required');
  if (context.principal.organisationId === null) throw new GatewayError('PARTNER_NOT_FOUND', 'this key belongs to no organisation');
  return { organisationId: context.principal.organisationId, companyIds: context.principal.companyIds };
}
