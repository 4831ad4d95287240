// With an OpenTelemetry SDK: a span per request and background job, and the trace id in the log. Without one: none of it.
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { expect, it } from 'vitest';
import { GatewayError } from '../../src/records/errors.ts';
import { registeredTracer, tracedJob } from '../../src/runtime/tracing.ts';
import { call, issueKey, ownPlace, program } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';

interface SpanLine {
  name: string;
  kind: SpanKind;
  attributes: Record<string, unknown>;
  status: { code: SpanStatusCode };
  traceId: string;
  spanId: string;
  parentId?: string;
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const ADDRESS = '10 Downing Street, London';

it('with an SDK every request and job is a span, by the conventions and without values that callers sent', {
  timeout: 120_000,
}, async () => {
  const [place, receiver] = [await ownPlace(), await startReceiver()];
  const file = join(tmpdir(), `spans-${process.pid}.jsonl`);
  const running = await program.start({
    ...place.settings,
    NODE_OPTIONS: `--import ${new URL('../support/register-sdk.ts', import.meta.url).href}`,
    SPANS_FILE: file,
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const key = await issueKey(running.origin, ['PLATFORM', 'GEOCODE']);
  const send = (method: string, path: string, body?: unknown) =>
    call(running.origin, key, method, path, body, { traceparent: `00-${TRACE}-${PARENT}-01` });
  await send('POST', '/api/v1/webhooks', { url: receiver.url, topics: ['CORPORATIONS.CREATED'] });
  const created = (await send('POST', '/tax/api/v1/corporations', { legal_name: 'Traced', jurisdiction: 'GB' })).body.data.id;
  await send('GET', `/api/v1/corporations/${created}`);
  await send('GET', '/api/v1/corporations?limit=1');
  await send('GET', '/api/v1/corporations/corp_missing');
  await send('POST', '/api/v1/geoencode', { address: ADDRESS });
  const query = 'query Counted($limit: Int) { corporations(first: $limit) { totalCount } }';
  for (const variables of [{ limit: 1 }, { limit: 1 }, { limit: 'many' }]) await send('POST', '/graphql', { query, variables });
  await send('POST', '/graphql', { query: '{ __typename }' });
  await send('GET', '/livez');
  await receiver.arrived(1);
  await running.end('SIGTERM');
  await Promise.all([receiver.stop(), place.remove()]);

  const text = await readFile(file, 'utf8');
  await rm(file);
  const spans = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SpanLine);
  const requests = spans.filter(({ traceId }) => traceId === TRACE);
  const shown = requests.map(({ name, kind, attributes, parentId }) => {
    expect([kind, parentId, attributes['url.scheme']]).toEqual([SpanKind.SERVER, PARENT, 'http']);
    const of = (part: string): unknown => attributes[part];
    return [
      name,
      of('http.request.method'),
      of('http.route'),
      of('url.path'),
      of('http.response.status_code'),
      of('error.type'),
      of('graphql.operation.type'),
    ];
  });
  const none = undefined;
  const [corporations, corporation] = ['/api/v1/corporations', '/api/v1/corporations/{id}'];
  expect(shown).toEqual([
    ['POST /api/v1/webhooks', 'POST', '/api/v1/webhooks', '/api/v1/webhooks', 200, none, none],
    [`POST /tax${corporations}`, 'POST', `/tax${corporations}`, `/tax${corporations}`, 200, none, none],
    [`GET ${corporation}`, 'GET', corporation, `${corporations}/${created}`, 200, none, none],
    [`GET ${corporations}`, 'GET', corporations, corporations, 200, none, none],
    [`GET ${corporation}`, 'GET', corporation, `${corporations}/corp_missing`, 404, 'CORPORATION_NOT_FOUND', none],
    ['POST /api/v1/geoencode', 'POST', '/api/v1/geoencode', '/api/v1/geoencode', 200, none, none],
    ['Counted', 'POST', '/graphql', '/graphql', 200, none, 'query'],
    ['Counted', 'POST', '/graphql', '/graphql', 200, none, 'query'],
    ['Counted', 'POST', '/graphql', '/graphql', 400, 'INVALID_PARAMS', 'query'],
    ['POST /graphql', 'POST', '/graphql', '/graphql', 200, none, 'query'],
  ]);
  const job = spans.find(({ name }) => name === 'process webhook-delivery');
  expect(job).toMatchObject({ kind: SpanKind.CONSUMER, attributes: { 'messaging.destination.name': 'webhook-delivery' } });
  for (const secret of [key, ADDRESS, 'Traced', receiver.url]) expect(text).not.toContain(secret);
  const lines = running.lines.filter((line) => line.includes('"msg":"request"')).map((line) => JSON.parse(line));
  expect(lines.filter(({ traceId }) => traceId === TRACE)).toHaveLength(requests.length);
});

it('a job that fails is a span with the code of its error and none of its text', async () => {
  const exporter = new InMemorySpanExporter();
  const tracer = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer('test');
  const failing = tracedJob(tracer, { system: 'pg-boss', task: 'sweeping', id: 'job-1', attempt: 2 }, async () => {
    throw new GatewayError('PLATFORM_TIMEOUT', `nobody at ${ADDRESS}`);
  });
  await expect(failing).rejects.toThrow(ADDRESS);
  const [span] = exporter.getFinishedSpans();
  expect([span!.name, span!.status, span!.attributes['error.type']]).toEqual([
    'process sweeping',
    { code: SpanStatusCode.ERROR },
    'PLATFORM_TIMEOUT',
  ]);
});

it('without an SDK there is no tracer, so that nothing is spent on spans', () => {
  expect(registeredTracer()).toBeUndefined();
});
