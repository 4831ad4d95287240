// The content of /metrics on requests, errors and queued work.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { migrationFiles } from '../../src/database/migrations/files.ts';
import { packagePath, programVersion } from '../../src/runtime/package-root.ts';
import { freePort } from '../support/cluster.ts';
import { ADMIN_TOKEN, startGateway, useGateway } from '../support/gateway.ts';
import { metricsOf } from '../support/metrics.ts';
import { buildCompany } from '../support/records.ts';

describe('metrics', () => {
  const gateway = useGateway();

  it('requests are counted by operation and status, errors by code', async () => {
    const key = await gateway.key(['PLATFORM']);
    const headers = { authorization: `Bearer ${key}` };
    const samples = {
      'gateway_requests_total{operation="Corporations",status="200"}': 1,
      'gateway_requests_total{operation="Corporation",status="404"}': 1,
      'gateway_requests_total{operation="other",status="404"}': 1,
      'gateway_request_duration_seconds_count{operation="graphql"}': 2,
      'gateway_errors_total{code="CORPORATION_NOT_FOUND"}': 2,
      'gateway_errors_total{code="UNAUTHENTICATED"}': 1,
    };
    const counts = (text: string): number[] =>
      Object.keys(samples).map((sample) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${sample} `))
            ?.slice(sample.length) ?? 0,
        ),
      );
    const before = counts(await metricsOf(gateway.origin, ADMIN_TOKEN));
    await gateway.send('GET', '/api/v1/corporations', { headers });
    await gateway.send('GET', '/api/v1/corporations/corp_00000000000000000000000000', { headers });
    await gateway.graphql(key, 'query CallersOwnName { corporation(id: "nothing") { id } }');
    await gateway.graphql(null, '{ corporations { totalCount } }');
    await gateway.send('GET', '/no-such-path');
    const { text, headers: metricsHeaders } = await gateway.send('GET', '/metrics', {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(metricsHeaders.get('content-type')).toContain('text/plain');
    expect(counts(text).map((count, index) => count - before[index]!)).toEqual(Object.values(samples));
    expect(text).toMatch(/gateway_queue_jobs\{task="[\w.-]+",state="ready"\} \d+/);
    const sampleOf = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds']) {
      expect(sampleOf(name), name).toBeGreaterThan(0);
      expect(sampleOf(`gateway_${name}`), name).toBe(sampleOf(name));
    }
  });

  it('the statements sent to the database are counted', async () => {
    const key = await gateway.key(['PLATFORM']);
    const counted = async (): Promise<number> => {
      const text = await metricsOf(gateway.origin, ADMIN_TOKEN);
      return Number(/^gateway_database_statements_total (\d+)$/m.exec(text)?.[1]);
    };
    const before = await counted();
    await gateway.send('GET', '/api/v1/corporations', { headers: { authorization: `Bearer ${key}` } });
    expect(await counted()).toBeGreaterThan(before);
  });

  it('version and schema are reported, and the connections to sources are counted by status', async () => {
    const company = await buildCompany(gateway);
    const counted = async (): Promise<number> => {
      const text = await metricsOf(gateway.origin, ADMIN_TOKEN);
      expect(text).toContain(`gateway_info{version="${programVersion}",schema="${migrationFiles().at(-1)!.name}"} 1`);
      return Number(/^gateway_source_connections\{status="PENDING"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await counted();
    await gateway.send('POST', `${company.base}/connections`, { headers: company.headers, body: { data: { source: 'FILES' } } });
    expect(await counted()).toBe(before + 1);
  });

  it('no label contains a value that a caller sent', async () => {
    await gateway.send('GET', '/made-up-path-17');
    await gateway.graphql(null, 'query MadeUpName { __typename }');
    expect(await metricsOf(gateway.origin, ADMIN_TOKEN)).not.toMatch(/made-up-path|MadeUpName/);
  });

  it('rejections are counted by limit, syncs by source and outcome', async () => {
    const company = await buildCompany(gateway);
    const counted = async (sample: string): Promise<number> =>
      Number(
        (await metricsOf(gateway.origin, ADMIN_TOKEN))
          .split('\n')
          .find((line) => line.startsWith(sample))
          ?.split(' ')[1] ?? 0,
      );
    const samples = ['gateway_refusals_total{limit="BATCH_LIMIT_EXCEEDED"}', 'gateway_syncs_total{source="write",outcome="SUCCESS"}'];
    const before = await Promise.all(samples.map(counted));
    const send = (data: unknown) =>
      gateway.send('POST', `${company.base}/accounts?run_async=true`, { headers: company.headers, body: { data } });
    expect((await send(Array.from({ length: 1_001 }, () => ({ name: 'A' })))).body.error.error_code).toBe('BATCH_LIMIT_EXCEEDED');
    const made = await gateway.send('POST', `${company.base}/accounts`, { headers: company.headers, body: { data: { name: 'Bank' } } });
    expect(made.status, made.text).toBe(201);
    expect((await Promise.all(samples.map(counted))).map((count, index) => count - before[index]!)).toEqual([1, 1]);
    expect(await metricsOf(gateway.origin, ADMIN_TOKEN)).toMatch(/gateway_queue_oldest_waiting_seconds\{task="[\w.-]+"\} \d/);
  });
});

describe('rules and board of deploy/', () => {
  const gateway = useGateway();
  const read = (path: string): string => readFileSync(packagePath(path), 'utf8');
  const rules = read('deploy/prometheus/rules.yaml');
  /** What only a gateway on PostgreSQL has, or one with a database for the queue. */
  const ofPostgres = [
    'gateway_database_connections',
    'gateway_reads_total',
    'gateway_replica_lag_seconds',
    'gateway_outbox_oldest_seconds',
  ];

  it('they use metrics that the gateway has', async () => {
    const text = await metricsOf(gateway.origin, ADMIN_TOKEN);
    const served = new Set([...ofPostgres, ...[...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!)]);
    const used = [...(rules + read('deploy/grafana/ledger-gateway.json')).matchAll(/\bgateway_\w+/g)].map(([name]) =>
      name!.replace(/_bucket$/, ''),
    );
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((name) => !served.has(name))).toEqual([]);
  });

  it('every alert has a section in the runbooks, and every section an alert', () => {
    const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, name]) => name!);
    expect([...read('docs/runbooks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(alerts);
    expect([...rules.matchAll(/runbook_url: (\S+)/g)].map(([, link]) => link)).toEqual(
      alerts.map((name) => `docs/runbooks.md#${name.toLowerCase()}`),
    );
  });
});

describe('request log', () => {
  it('a line names the organisation, the key, what ran, the first error, the statements and the bytes', async () => {
    const lines: Record<string, unknown>[] = [];
    const own = await startGateway({}, pino({ level: 'info', base: null }, { write: (line) => void lines.push(JSON.parse(line)) }));
    try {
      const key = await own.key(['PLATFORM']);
      const { identity, organisation } = (await own.services.keys.find(key))!;
      const headers = { authorization: `Bearer ${key}` };
      const listed = await own.send('GET', '/api/v1/corporations', { headers });
      await own.send('GET', '/api/v1/corporations/corp_00000000000000000000000000', { headers });
      await own.graphql(key, 'query Mine { viewer { roles } }');
      const found = (operation: string) => lines.find((line) => line.msg === 'request' && line.operation === operation)!;
      await vi.waitFor(() => expect(found('Mine')).toBeDefined());
      expect(found('Corporations')).toMatchObject({ organisation, key: identity, status: 200 });
      expect(found('Corporations').statements).toBeGreaterThan(0);
      expect(found('Corporations').bytes).toBeGreaterThan(listed.text.length);
      expect(found('Corporation')).toMatchObject({ status: 404, error: 'CORPORATION_NOT_FOUND' });
      expect(found('Mine')).toMatchObject({ organisation, key: identity });
    } finally {
      await own.stop();
    }
  });
});

describe('without ADMIN_PORT', () => {
  const gateway = useGateway();
  it('metrics are for operators alone', async () => {
    const key = await gateway.key(['PLATFORM', 'INTEGRATIONS', 'GEOCODE', 'ENTITIES', 'MANAGE_CONTENT']);
    const statuses: number[] = [];
    const callers: Record<string, string>[] = [
      {},
      { authorization: 'Bearer unknown' },
      { api_key: key },
      { authorization: `Bearer ${ADMIN_TOKEN}` },
    ];
    for (const headers of callers) statuses.push((await gateway.send('GET', '/metrics', { headers })).status);
    expect(statuses).toEqual([401, 401, 403, 200]);
  });
});

describe('ADMIN_PORT', () => {
  it('metrics and documentation are on that port alone', async () => {
    const adminPort = await freePort();
    const own = await startGateway({ adminPort });
    try {
      const at = async (path: string) => (await fetch(`http://127.0.0.1:${adminPort}${path}`, { headers: { accept: 'text/html' } })).status;
      expect([await at('/metrics'), await at('/docs'), await at('/docs/errors'), await at('/graphql'), await at('/')]).toEqual([
        200, 200, 200, 404, 404,
      ]);
      const here = async (path: string) => (await own.send('GET', path, { headers: { accept: 'text/html' } })).status;
      expect([await here('/metrics'), await here('/docs'), await here('/')]).toEqual([404, 404, 200]);
    } finally {
      await own.stop();
    }
  });
});
