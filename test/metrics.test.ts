// The content of /metrics on requests, errors and queued work.
import { describe, expect, it } from 'vitest';
import { useGateway } from './support/gateway.ts';

describe('metrics', () => {
  const gateway = useGateway();

  it('documented: requests are counted by operation and status, errors by code', async () => {
    const key = await gateway.key(['PLATFORM']);
    const headers = { authorization: `Bearer ${key}` };
    await gateway.send('GET', '/api/v1/corporations', { headers });
    await gateway.send('GET', '/api/v1/corporations/corp_00000000000000000000000000', { headers });
    await gateway.graphql(key, 'query CallersOwnName { corporation(id: "nothing") { id } }');
    await gateway.graphql(null, '{ corporations { totalCount } }');
    await gateway.send('GET', '/no-such-path');
    const { text, headers: answered } = await gateway.send('GET', '/metrics');
    expect(answered.get('content-type')).toContain('text/plain');
    expect(text).toContain('gateway_requests_total{operation="Corporations",status="200"} 1');
    expect(text).toContain('gateway_requests_total{operation="Corporation",status="404"} 1');
    expect(text).toContain('gateway_requests_total{operation="other",status="404"} 1');
    expect(text).toMatch(/gateway_request_duration_seconds_count\{operation="graphql"\} 2/);
    expect(text).toContain('gateway_errors_total{code="CORPORATION_NOT_FOUND"} 2');
    expect(text).toContain('gateway_errors_total{code="UNAUTHENTICATED"} 1');
    expect(text).toMatch(/gateway_queue_jobs\{task="[\w.-]+",state="ready"\} \d+/);
    expect(text).toContain('gateway_process_cpu_seconds_total');
  });

  it('chosen: the statements sent to the database are counted', async () => {
    const key = await gateway.key(['PLATFORM']);
    const counted = async (): Promise<number> => {
      const { text } = await gateway.send('GET', '/metrics');
      return Number(/^gateway_database_statements_total (\d+)$/m.exec(text)?.[1]);
    };
    const before = await counted();
    await gateway.send('GET', '/api/v1/corporations', { headers: { authorization: `Bearer ${key}` } });
    expect(await counted()).toBeGreaterThan(before);
  });

  it('chosen: no label contains a value that a caller sent', async () => {
    await gateway.send('GET', '/made-up-path-17');
    await gateway.graphql(null, 'query MadeUpName { __typename }');
    expect((await gateway.send('GET', '/metrics')).text).not.toMatch(/made-up-path|MadeUpName/);
  });
});
