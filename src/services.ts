// Opens the services of a process, in order: database, reader, keys, secrets, notifications, queue, schedules.

import type { GraphQLSchema } from 'graphql';
import { Pool } from 'pg';
import { type DestinationStream, type Logger, pino } from 'pino';
import { AccessKeys } from './access/access-keys.ts';
import { FailedCredentials } from './access/allowance.ts';
import type { Services } from './access/context.ts';
import type { TokenVerifier } from './access/oidc.ts';
import { isoRegister } from './address/iso/register.ts';
import { sealIssues } from './administration/seal-check.ts';
import type { Config } from './config.ts';
import { LedgerIds } from './database/ledger-ids.ts';
import type { RunStatement } from './database/migrations/state.ts';
import { openNotifications } from './database/notifications.ts';
import { type Database, openDatabase } from './database/open.ts';
import { SESSION } from './database/read-path/session.ts';
import { Reader } from './database/reader/reader.ts';
import { refusing } from './database/refusals.ts';
import { adminToken, signingSecret } from './database/stored-secrets.ts';
import { continueEventOrder } from './events/event-order.ts';
import { moveEvents } from './events/relayed-events.ts';
import { federationResolver } from './graphql/federation/federation.ts';
import { buildGatewaySchema } from './graphql/schema.ts';
import { connectorsOf } from './integrations/connections/connectors.ts';
import { connectionOptions } from './postgres-url.ts';
import { connectionCheck, connectionsOf } from './queue/connections.ts';
import { BackgroundFailures } from './queue/failures.ts';
import { Outbox } from './queue/outbox.ts';
import type { QueueBackend } from './queue/pg-boss.ts';
import { createQueue } from './queue/queue.ts';
import { Relay } from './queue/relay.ts';
import { startSchedules } from './queue/schedules.ts';
import { startWatches } from './queue/watches.ts';
import { APPLICATION_ROLE } from './records/tenancy.ts';
import { contentSeeds, entities, orphanTypes, resolvers } from './registry.ts';
import { Caches } from './runtime/caches.ts';
import type { Clock } from './runtime/clock.ts';
import { Tally } from './runtime/tally.ts';
import { createSecretBox } from './security/secret-box.ts';
import { Signer } from './security/signer.ts';
import { schedules, tasksOf, watches } from './tasks.ts';
import { DeliveryWorker } from './webhooks/delivery-worker.ts';
import { filterIssues } from './webhooks/filter-check.ts';

/** The services of a process, and how to close them. */
export interface OpenServices {
  services: Services;
  /** The admin token, when this start generated one. */
  madeAdminToken: string | null;
  /** Stops the queue and the deliveries; requests are served as before. */
  stopWork(): Promise<void>;
  close(): Promise<void>;
}

const systemClock: Clock = { now: () => new Date() };
const NOTE_USE_MS = 60_000;
const NO_TOKEN = { hash: null, made: null };

/**
 * Log lines are written once this many characters are buffered or a second has passed. A write per line took a tenth of the CPU of a small request.
 */
const LOG_CHARACTERS = 4_096;
const LOG_MS = 1_000;
/** Lines are dropped while this many bytes wait for a reader that has stopped reading. */
const MAX_UNREAD = 8 * 1_048_576;

/**
 * Writes JSON lines to standard output in batches, and the remaining ones when the process ends. Not pino's own destination: at the end of
 * the process it retries for ever when the reader is gone.
 */
function standardOutput(): DestinationStream {
  let waiting = '';
  const flush = (): void => {
    if (waiting !== '' && process.stdout.writableLength < MAX_UNREAD) process.stdout.write(waiting);
    waiting = '';
  };
  // A log without a reader is no reason to stop serving.
  process.stdout.on('error', () => {});
  setInterval(flush, LOG_MS).unref();
  process.once('exit', flush);
  return {
    write: (line) => {
      waiting += line;
      if (waiting.length >= LOG_CHARACTERS) flush();
    },
  };
}

/** The members of an error that are logged. Database errors also hold the values of the failed statement, which are callers' data. */
function errorForLog(error: unknown): object {
  // The queue reports its errors as plain objects of the same shape.
  if (!(error instanceof Error) && !(error as Error | undefined)?.message) return { type: typeof error };
  const { name, message, stack, code, constraint, table, cause } = error as Error &
    Partial<Record<'code' | 'constraint' | 'table', string>>;
  const known = Object.entries({ code, constraint, table }).filter(([, value]) => typeof value === 'string');
  return {
    type: name ?? typeof error,
    message,
    stack,
    ...Object.fromEntries(known),
    ...(cause instanceof Error ? { cause: errorForLog(cause) } : {}),
  };
}

/** Writes the time of a log line; the lines of one millisecond share its text. */
function lineTime(): () => string {
  let written = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== written) {
      written = now;
      text = `,"time":"${new Date(now).toISOString()}"`;
    }
    return text;
  };
}

/** The logger of a process. Errors are logged without the values of their statements. */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino({ level, base: null, timestamp: lineTime(), serializers: { err: errorForLog } }, destination);
}

/** Replacements of the default services, for tests and benchmarks. */
export interface Replacements {
  log?: Logger;
  clock?: Clock;
  /** A dump that a new embedded database starts from. */
  snapshot?: Blob | undefined;
}

let schema: GraphQLSchema | undefined;
/** The schema follows from the declarations alone, so all gateways of a process have one. */
const gatewaySchema = (): GraphQLSchema => (schema ??= buildGatewaySchema(resolvers, orphanTypes));

/** Opens the services a configuration describes. */
export async function openServices(
  config: Config,
  { log = createLog(config.logLevel), clock = systemClock, snapshot }: Replacements = {},
): Promise<OpenServices> {
  const database = await openDatabase({
    url: config.databaseUrl,
    directUrl: config.directUrl,
    replicaUrls: config.replicaUrls,
    replicaMaxLagSeconds: config.replicaMaxLagSeconds,
    poolMax: config.poolMax,
    dataDir: config.dataDir === ':memory:' ? undefined : config.dataDir,
    snapshot,
    entities,
    allow: config.databaseAllow,
    readPath: config.readPath,
    log: (message, level = 'info') => log[level](message),
  });
  await continueEventOrder(database);
  for (const seed of contentSeeds) await seed(database, clock.now());
  const reader = new Reader(database);
  // Where operators sign in by OIDC, a token opens the gateway only as long as the setting names one.
  const admin = config.oidcOperator && !config.adminToken ? NO_TOKEN : await adminToken(database, config.adminToken);
  const keys = new AccessKeys(database, reader, clock, admin.hash, await issuerOf(config, clock, log));
  const secret = await signingSecret(database, config.signingSecret);
  const noteUse = setInterval(
    () => keys.noteUse().catch((error) => log.error({ err: error }, 'noting the use of keys failed')),
    NOTE_USE_MS,
  );
  noteUse.unref();
  const notifications = await openNotifications(await notificationBackend(config, database), (error) =>
    log.error({ err: error }, 'listening for notifications failed'),
  ).catch(refusing(...directPlace(config)));
  const base: Omit<Services, 'queue' | 'caches'> = {
    config,
    database,
    reader,
    keys,
    failedCredentials: new FailedCredentials(config.failedAuthLimit, clock),
    ledgerIds: new LedgerIds(),
    schema: config.federation ? buildGatewaySchema([...resolvers, federationResolver(entities)], orphanTypes) : gatewaySchema(),
    signer: new Signer(secret),
    secrets: createSecretBox(secret, config.sealingSecrets),
    notifications,
    outbox: config.queueUrl === undefined ? undefined : new Outbox(database, notifications, clock),
    clock,
    log,
    tallies: { deliveries: new Tally(), syncs: new Tally() },
    failures: new BackgroundFailures(log, clock),
  };
  // The tasks need the services and the queue needs the tasks, so the queue is added to the services last. Caches are made from the services too.
  const services = base as Services;
  services.caches = new Caches(services);
  services.caches.add('access_keys', keys);
  services.caches.add('reads', services.reader);
  await services.caches.of(isoRegister).open();
  // Programs that cannot be sources are reported at the start, not by the first run.
  connectorsOf(services);
  const run: RunStatement = (sql) => database.orm.em.getConnection().execute(sql);
  for (const issue of [...(await sealIssues(run, services.secrets)), ...(await filterIssues(run, services.schema))]) log.error(issue);
  if (database.kind === 'postgres') {
    const { words, problem } = await connectionCheck(run, connectionsOf(config).records);
    if (problem === undefined) log.info(words);
    else log.warn(problem);
  }
  const { outbox, failures } = services;
  services.queue = await createQueue(await queueBackend(config, database), tasksOf(services), {
    work: config.worker,
    // The embedded database has no other process, and no notification is missed.
    ...(database.kind === 'pglite' ? { pollSeconds: 60 } : {}),
    clock,
    outbox,
    pendingCommits: database.pendingCommits,
    ...(database.rowSecurity && !outbox ? { grantTo: APPLICATION_ROLE } : {}),
    onError: (error, task) => failures.note(error, task),
  }).catch(refusing(...queuePlace(config)));
  await startSchedules(services, schedules);
  const deliveries = config.worker ? new DeliveryWorker(services) : undefined;
  const stopWatches = config.worker ? startWatches(services, watches) : undefined;
  const relays =
    outbox && config.worker ? [new Relay(services, 'job', services.queue.move), new Relay(services, 'event', moveEvents(services))] : [];
  const stopWork = async (): Promise<void> => {
    // A relay that went on would move entries into a queue that is closed.
    await Promise.all([
      ...relays.map((relay) => relay.stop()),
      services.queue.stop(WORK_GRACE_MS),
      deliveries?.stop(WORK_GRACE_MS),
      stopWatches?.(),
    ]);
  };
  return {
    services,
    stopWork,
    madeAdminToken: admin.made,
    close: async () => {
      clearInterval(noteUse);
      await stopWork();
      await keys.noteUse().catch(() => {});
      await services.notifications.close();
      services.caches.clear();
      await database.close();
    },
  };
}

/** How long a stop waits for running jobs and calls before it returns them to the queue. */
const WORK_GRACE_MS = 6_000;

/** The verifier of OIDC tokens, loaded only when an issuer is configured: its library has 46 modules. */
async function issuerOf(
  { oidcIssuer: issuer, oidcAudience: audience, oidcOperator: operator }: Config,
  clock: Clock,
  log: Logger,
): Promise<TokenVerifier | undefined> {
  // Without an audience no token is accepted; the settings reject an issuer without one.
  if (!issuer || !audience) return undefined;
  const { tokenVerifier } = await import('./access/oidc.ts');
  return tokenVerifier({
    issuer,
    audience,
    operator,
    now: () => clock.now(),
    onOutage: (error) => log.error({ err: error, issuer }, 'the OIDC issuer is not responding'),
  });
}

type Place = [setting: string, url: string | undefined];

/** The server itself, behind a pooler where there is one. */
const directPlace = ({ directUrl, databaseUrl }: Config): Place =>
  directUrl === undefined ? ['DATABASE_URL', databaseUrl] : ['DATABASE_DIRECT_URL', directUrl];

/** The server of the queue. */
const queuePlace = (config: Config): Place =>
  config.queueUrl === undefined ? directPlace(config) : ['QUEUE_DATABASE_URL', config.queueUrl];

async function queueBackend(config: Config, database: Database): Promise<QueueBackend> {
  const client = await database.native();
  if (client instanceof Pool) return { kind: 'postgres', connection: connectionOptions(queuePlace(config)[1]!, 'queue', SESSION) };
  return { kind: 'pglite', client, ensureRoom: database.ensureRoom };
}

async function notificationBackend(config: Config, database: Database): Promise<Parameters<typeof openNotifications>[0]> {
  const client = await database.native();
  return client instanceof Pool ? { url: directPlace(config)[1]! } : { client };
}
