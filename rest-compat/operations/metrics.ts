// `/metrics` in the text format of Prometheus: requests, latencies, errors, queued work, connections to database and sources, the process.
// Labels come from closed lists (routes, codes, tasks, statuses), never from a caller's input.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { authorise } from '../../src/access/authorise.ts';
import type { Services } from '../../src/access/context.ts';
import { oldestUnsealedSeconds } from '../../src/administration/audit.statements.ts';
import { authenticateAny, requestContext } from '../../src/http/authentication.ts';
import type { RequestWithId } from '../../src/http/request.ts';
import { errorCodesOf, observedPath, type RequestObserver, statusSent } from '../../src/http/request-log.ts';
import { connectionsByStatus } from '../../src/integrations/connections/connection-count.statements.ts';
import { type OutboxState, outboxStates } from '../../src/queue/outbox.statements.ts';
import type { QueueState } from '../../src/queue/pg-boss.ts';
import { type ErrorDeclaration, errorCodes } from '../../src/records/errors.ts';
import { programVersion } from '../../src/runtime/package-root.ts';
import type { Tally } from '../../src/runtime/tally.ts';
import type { Adapter } from '../../src/server/app.ts';
import { disabledWebhooks } from '../../src/webhooks/all-webhooks.statements.ts';
import { deliveryQueue } from '../../src/webhooks/deliveries.statements.ts';
import { DELIVERY_TASK } from '../../src/webhooks/delivery-worker.ts';

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const OPERATORS = ['ADMIN'] as const;

/** Counts the requests, and serves the counts: on \`ADMIN_PORT\` to everybody who reaches it, elsewhere to operators. */
export const metricsAdapter: Adapter = (app, { services, observers, admin }) => {
  const registry = new Registry();
  observers.push(requestCounts(registry));
  gauges(registry, services);
  admin.get('/metrics', async (request, response) => {
    if (admin === app) authorise(requestContext(services, request.id, await authenticateAny(services, request), null), OPERATORS);
    const texts = [await metricsOfProcess(), await registry.metrics()];
    response.set({ 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).send(texts.join(''));
  });
};

let processMetrics: Registry | undefined;

/**
 * The metrics of the process, under the names that every Node program uses and under the gateway's own names, which the board uses. One registry per
 * process: the library's observer of garbage collections cannot be ended, and kept every stopped gateway of a process, 20 MB each.
 */
async function metricsOfProcess(): Promise<string> {
  if (!processMetrics) {
    processMetrics = new Registry();
    collectDefaultMetrics({ register: processMetrics });
  }
  const text = await processMetrics.metrics();
  return text + text.replaceAll(/^(# (?:HELP|TYPE) )?(?=process_|nodejs_)/gm, '$1gateway_');
}

/** Counts one request. The child metrics are cached, because finding one by its labels costs more than counting. */
function requestCounts(registry: Registry): RequestObserver {
  const requests = new Counter({
    name: 'gateway_requests_total',
    help: 'Requests by operation and status; status 0 means the caller left.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['operation'],
    buckets: BUCKETS_S,
    registers: [registry],
  });
  const errors = new Counter({
    name: 'gateway_errors_total',
    help: 'Errors returned to callers, by code.',
    labelNames: ['code'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'gateway_refusals_total',
    help: 'Requests rejected for exceeding a limit, by the error code of the limit.',
    labelNames: ['limit'],
    registers: [registry],
  });
  const counters = new Map<string, Counter.Internal>();
  const histograms = new Map<string, Histogram.Internal<'operation'>>();
  return (observed, response, ms) => {
    const request = observed as RequestWithId;
    if (observedPath(request) === undefined) return;
    const operation = operationOf(request);
    const status = statusSent(response);
    const key = `${operation} ${status}`;
    let counter = counters.get(key);
    if (!counter) {
      counter = requests.labels(operation, String(status));
      counters.set(key, counter);
    }
    counter.inc();
    let histogram = histograms.get(operation);
    if (!histogram) {
      histogram = durations.labels(operation);
      histograms.set(operation, histogram);
    }
    histogram.observe(ms / 1_000);
    for (const code of errorCodesOf(request)) {
      errors.inc({ code });
      if (limits.has(code)) refusals.inc({ limit: code });
    }
  };
}

const limits = new Set(Object.entries<ErrorDeclaration>(errorCodes).flatMap(([code, { isLimit }]) => (isLimit ? [code] : [])));

/** Name of the route's operation. GraphQL operations are counted together, because callers choose their names; subscriptions apart, because they last. */
function operationOf(request: RequestWithId): string {
  if (request.operation) return request.operation;
  if (request.graphql?.kind === 'subscription') return 'subscription';
  return request.originalUrl.startsWith('/graphql') ? 'graphql' : 'other';
}

function gauges(registry: Registry, services: Services): void {
  const { queue, database, caches, tallies } = services;
  let pool: Awaited<ReturnType<typeof database.native>> | undefined;
  void database.native().then((native) => {
    pool = native;
  });
  // The first, so that it is read before another gauge asks for a connection.
  const connections = new Gauge({
    name: 'gateway_database_connections',
    help: 'Connections of the pool of the primary; waiting counts requests for a connection, also those of organisations that have their share.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      if (!pool || !('totalCount' in pool)) return;
      connections.set({ state: 'open' }, pool.totalCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'waiting' }, pool.waitingCount + database.turns.waiting);
    },
  });
  const oldest = new Gauge({
    name: 'gateway_queue_oldest_waiting_seconds',
    help: 'How long the oldest background job has waited that could run, by task; 0 when none waits.',
    labelNames: ['task'],
    registers: [registry],
  });
  const jobs = new Gauge({
    name: 'gateway_queue_jobs',
    help: 'Background jobs by task and state.',
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      jobs.reset();
      oldest.reset();
      // When a database does not respond, the other metrics are still served.
      const ofDeliveries = deliveryQueue(services).then((state) => ({ [DELIVERY_TASK]: state }));
      const depths = await Promise.all([queue.depth(), ofDeliveries].map((depth) => depth.catch((): Record<string, QueueState> => ({}))));
      for (const [task, { oldestSeconds, ...states }] of depths.flatMap((depth) => Object.entries(depth))) {
        oldest.set({ task }, oldestSeconds);
        for (const [state, number] of Object.entries(states)) jobs.set({ task, state }, number);
      }
    },
  });
  if (services.outbox) outboxGauges(registry, services);
  tallied(registry, tallies.deliveries, {
    name: 'gateway_deliveries_total',
    help: 'Ended attempts of webhook deliveries by outcome: delivered, retried, failed, cancelled.',
    labelNames: ['outcome'],
  });
  tallied(registry, tallies.syncs, {
    name: 'gateway_syncs_total',
    help: 'Ended syncs by source (write, batch, pull) and outcome, which is their status.',
    labelNames: ['source', 'outcome'],
  });
  tallied(registry, services.failures.tally, {
    name: 'gateway_background_failures_total',
    help: 'Failures of background work on this side, by task; `queue` is the queue itself.',
    labelNames: ['task'],
  });
  const disabled = new Gauge({
    name: 'gateway_disabled_webhooks',
    help: 'Webhooks that are disabled, over all organisations, by reason: MANUAL by a caller, GONE and FAILING for their receiver.',
    labelNames: ['reason'],
    registers: [registry],
    async collect() {
      const counts = await disabledWebhooks(services).catch(() => []);
      disabled.reset();
      for (const [reason, number] of counts) disabled.set({ reason }, number);
    },
  });
  const unsealed = new Gauge({
    name: 'gateway_audit_oldest_unsealed_seconds',
    help: 'How long the oldest entry of the audit log has waited for its seal; 0 when none waits.',
    registers: [registry],
    async collect() {
      unsealed.set(await oldestUnsealedSeconds(services).catch(() => Number.NaN));
    },
  });
  const sources = new Gauge({
    name: 'gateway_source_connections',
    help: 'Connections of companies to their sources by status, over all organisations.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const counts = await connectionsByStatus(services).catch(() => []);
      sources.reset();
      for (const [status, number] of counts) sources.set({ status }, number);
    },
  });
  new Gauge({
    name: 'gateway_info',
    help: 'Always 1; the version of the program, and the newest migration that the database had when the process started.',
    labelNames: ['version', 'schema'],
    registers: [registry],
  }).set({ version: programVersion, schema: database.schema }, 1);
  const entries = new Gauge({
    name: 'gateway_cache_entries',
    help: 'Entries of the caches in memory, of each that was used since the start.',
    labelNames: ['cache'],
    registers: [registry],
    collect() {
      for (const [cache, size] of caches.sizes()) entries.set({ cache }, size);
    },
  });
  const statements = new Counter({
    name: 'gateway_database_statements_total',
    help: 'SQL statements sent since the start, by reads and by writes.',
    registers: [registry],
    collect() {
      statements.reset();
      statements.inc(database.statements());
    },
  });
  if (database.kind !== 'postgres') return;
  const reads = new Counter({
    name: 'gateway_reads_total',
    help: 'Reads by where they ran: `primary`, or host and port of a replica.',
    labelNames: ['target'],
    registers: [registry],
    collect() {
      reads.reset();
      for (const [target, number] of database.consistency.counts()) reads.inc({ target }, number);
    },
  });
  const lag = new Gauge({
    name: 'gateway_replica_lag_seconds',
    help: 'Seconds by which a replica is behind the primary; infinite when it is more than a minute behind or has never responded.',
    labelNames: ['replica'],
    registers: [registry],
    collect() {
      for (const [replica, seconds] of database.consistency.lags()) lag.set({ replica }, seconds);
    },
  });
}

/** A counter of what the process has counted for itself. */
function tallied<L extends string>(registry: Registry, tally: Tally, settings: { name: string; help: string; labelNames: L[] }): void {
  const counter: Counter<L> = new Counter({
    ...settings,
    registers: [registry],
    collect() {
      counter.reset();
      for (const [values, number] of tally.entries()) counter.labels(...values).inc(number);
    },
  });
}

/** What waits in the outbox, where there is one. */
function outboxGauges(registry: Registry, { database, clock }: Services): void {
  const byKind = (name: string, help: string, pick: (state: OutboxState) => number): void => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      async collect() {
        const states = await outboxStates(database, clock).catch(() => ({}));
        gauge.reset();
        for (const [kind, state] of Object.entries<OutboxState>(states)) gauge.set({ kind }, pick(state));
      },
    });
  };
  byKind('gateway_outbox_entries', 'Entries of the outbox that wait for a relay, by kind: job, event.', ({ entries }) => entries);
  byKind('gateway_outbox_oldest_seconds', 'How long the oldest of them has waited, by kind.', ({ oldestSeconds }) => oldestSeconds);
}
