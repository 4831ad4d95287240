// `/metrics` in the text format of Prometheus: requests, latencies, errors, queued work, database connections, the process.
// Labels come from closed lists (routes, codes, tasks, statuses), never from a caller's input.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Services } from '../../src/access/context.ts';
import type { RequestWithId } from '../../src/http/request.ts';
import { observedPath, type RequestObserver, statusSent } from '../../src/http/request-log.ts';
import type { Adapter } from '../../src/server/app.ts';

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Counts the requests, and serves the counts. */
export const metricsAdapter: Adapter = (app, { services, observers }) => {
  const registry = new Registry();
  observers.push(requestCounts(registry));
  collectDefaultMetrics({ register: registry, prefix: 'gateway_' });
  gauges(registry, services);
  app.get('/metrics', async (_, response) => {
    response.set({ 'Content-Type': registry.contentType, 'Cache-Control': 'no-store' }).send(await registry.metrics());
  });
};

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
    help: 'Time from the request to the end of its answer.',
    labelNames: ['operation'],
    buckets: BUCKETS_S,
    registers: [registry],
  });
  const errors = new Counter({
    name: 'gateway_errors_total',
    help: 'Errors answered to callers, by code.',
    labelNames: ['code'],
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
    for (const code of request.context?.errorCodes ?? request.errorCodes ?? []) errors.inc({ code });
  };
}

/** Name of the route's operation. GraphQL operations are counted together, because callers choose their names. */
function operationOf(request: RequestWithId): string {
  if (request.operation) return request.operation;
  return request.originalUrl.startsWith('/graphql') ? 'graphql' : 'other';
}

function gauges(registry: Registry, { queue, database }: Services): void {
  const jobs = new Gauge({
    name: 'gateway_queue_jobs',
    help: 'Background jobs by task and state.',
    labelNames: ['task', 'state'],
    registers: [registry],
    async collect() {
      jobs.reset();
      // When the database does not answer, the other metrics are still served.
      for (const [task, states] of Object.entries(await queue.depth().catch(() => ({}))))
        for (const [state, number] of Object.entries(states)) jobs.set({ task, state }, number);
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
  const connections = new Gauge({
    name: 'gateway_database_connections',
    help: 'Connections of the pool of the primary; waiting counts requests for a connection.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const pool = await database.native();
      if (!('totalCount' in pool)) return;
      connections.set({ state: 'open' }, pool.totalCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}
