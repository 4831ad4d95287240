// The context of a request, and the services of the process that resolvers may use.
import type { GraphQLSchema } from 'graphql';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { LedgerIds } from '../database/ledger-ids.ts';
import type { Notifications } from '../database/notifications.ts';
import type { Database, EntityManager, Freshness } from '../database/open.ts';
import type { ReadScope } from '../database/reader/conditions.ts';
import type { Reader } from '../database/reader/reader.ts';
import type { BackgroundFailures } from '../queue/failures.ts';
import type { Outbox } from '../queue/outbox.ts';
import type { Queue } from '../queue/queue.ts';
import { GatewayError } from '../records/errors.ts';
import type { Issues } from '../records/input-issue.ts';
import type { RoleName } from '../records/roles.ts';
import type { TenantScope } from '../records/tenancy.ts';
import { Caches } from '../runtime/caches.ts';
import type { Clock } from '../runtime/clock.ts';
import type { StatementCount } from '../runtime/statement-count.ts';
import type { Tally } from '../runtime/tally.ts';
import type { SecretBox } from '../security/secret-box.ts';
import type { Signer } from '../security/signer.ts';
import type { AccessKeys } from './access-keys.ts';
import type { AllowanceLeft, FailedCredentials } from './allowance.ts';
import type { Principal } from './principal.ts';
import type { RequestTurn } from './request-turn.ts';

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
  /** Holds jobs and events of a transaction until a relay moves them; absent where they are stored in place. */
  outbox: Outbox | undefined;
  schema: GraphQLSchema;
  /** Ended attempts of deliveries by outcome, and ended syncs by source and outcome, as this process made them. */
  tallies: { deliveries: Tally; syncs: Tally };
  /** Failures of background work that are this side's own. */
  failures: BackgroundFailures;
  /** Wake-ups between processes, sent when a transaction commits. */
  notifications: Notifications;
  clock: Clock;
  /** What the process caches. The layers above this one declare their keys, so their caches are no members here. */
  caches: Caches<Services>;
  log: Logger;
  /** Address of the demo ledger of this process; absent where none runs. */
  demoLedger?: string;
}

/** What a request costs, as `extensions.usage` of its response reports it. */
export interface Usage {
  /** When it began, by the clock of `performance.now`. */
  began: number;
  /** Price of its operation, and the most a price may be. */
  cost: number;
  costLimit: number;
  /** Statements sent to the database for the whole request, and those before its operation. */
  statements: StatementCount;
  sentBefore: number;
}

/** One request, task or subscription event. */
export interface RequestContext {
  services: Services;
  requestId: string;
  /** The caller; null when no credential was sent. */
  principal: Principal | null;
  /** Argument values that went through the input coercer. */
  coerced: WeakSet<object>;
  /** Set by a write, so that the response is read from the primary. */
  primary: boolean;
  /** What the reads of the caller's organisation must see to run on a replica; absent where they run on the primary. */
  freshness?: Freshness;
  /** The consistency token of a mutation, for its response; undefined when the database did not report it. */
  token?: Promise<string | undefined>;
  /** Address of the caller, as the trusted proxies report it. */
  ip: string | null;
  /** Whether the request came by a REST route, whose callers name fields in snake case; needed by reports written after the response. */
  isRest: boolean;
  /** Whether mutations are rejected: the request comes from an agent whose key lacks the role AGENT_WRITE. */
  isReadOnly?: boolean;
  /** The list of declared roles that was granted last. */
  granted?: readonly RoleName[];
  /** Codes of the errors sent to the caller. */
  errorCodes?: string[];
  /** The version of the record that a REST route may change, where a header names it and no argument does. */
  ifMatch?: string;
  /** Whether a mutation was rejected, also where its errors are data of the response. */
  isRefused?: boolean;
  /** What the request caches; `cachesOf` makes it. */
  caches?: Caches<RequestContext>;
  /** Its turn among the caller's requests in progress; absent for a request without a caller. */
  turn?: RequestTurn;
  /** What is left of the caller's allowance of requests; absent or null where requests are not limited. */
  allowance?: () => AllowanceLeft | null;
  /** What the request has cost so far; present where the caller asked for it. */
  usage?: Usage;
  /** Name of the mutation that runs. */
  mutation?: string;
  /** Called first in every write transaction of the request; an error it throws rolls the write back. */
  writing?: (em: EntityManager) => Promise<void>;
  /** Called last in every write transaction of the request; an error it throws rolls the write back. */
  committing?: () => void;
  /** Has `leave` called when the caller is gone; returns the function that ends that. Absent where no caller waits for a single response. */
  onLeave?: (leave: () => void) => () => void;
  /** Takes the writes of the request into a transaction that others share. */
  joining?: <T>(organisationId: number, work: (em: EntityManager) => Promise<T>) => Promise<T>;
  /** The records of a bulk form whose input is wrong, with their errors; the others may be stored. */
  refused?: WeakMap<object, GatewayError>;
  /** The issues of variables that the payloads of mutations report, by the name of the variable. */
  deferred?: ReadonlyMap<string, Issues> | undefined;
}

/** The caches of a request, its data loaders among them. Most requests need none, so they are made at the first use. */
export const cachesOf = (context: RequestContext): Caches<RequestContext> => (context.caches ??= new Caches(context));

/** The rows the caller may see; throws without an authenticated caller. */
export function tenantOf(context: RequestContext): TenantScope {
  if (!context.principal) throw new GatewayError('UNAUTHENTICATED', 'a key is required');
  if (context.principal.organisationId === null) throw new GatewayError('PARTNER_NOT_FOUND', 'this key belongs to no organisation');
  return { organisationId: context.principal.organisationId, companyIds: context.principal.companyIds };
}

export type { ReadScope };

/** The rows a read of this request may return; those of another organisation where the caller was allowed to name one. */
export const scopeOf = (context: RequestContext, organisationId?: number): ReadScope => ({
  tenant: organisationId === undefined ? tenantOf(context) : { organisationId, companyIds: null },
  // The freshness is that of the caller's own organisation.
  freshness: context.primary || organisationId !== undefined ? undefined : context.freshness,
});
