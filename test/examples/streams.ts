// Opens every subscription over the demo data, makes the change that it reports, and keeps its first message.
import { setTimeout } from 'node:timers/promises';
import type { RecordedGraphql } from '../../rest-compat/openapi/recordings.ts';
import { exampleOperation } from '../../site/pages/reference/example-operation.ts';
import type { Tenant } from '../suites/tenants.ts';
import { follow } from '../support/changes.ts';
import type { Gateway } from '../support/gateway.ts';
import { connectWithKey } from '../support/subscriber.ts';
import { steady } from './steady.ts';

/** How often a change is made until the first message of it is there: a subscription does not acknowledge its start. */
const AGAIN_MS = 100;

/** What a subscription is asked with, and a change that it reports; none where it reports how things are. */
interface Stream {
  variables: Record<string, unknown>;
  change?: (turn: number) => Promise<unknown>;
}

async function streamsOf(gateway: Gateway, { key, companyId }: Tenant): Promise<Record<string, Stream>> {
  const send = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const response = await gateway.send(method, path, { headers: { authorization: `Bearer ${key}`, api_key: key }, body });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
    return response.body?.data as Data;
  };
  const list = '/v4/core/companies';
  const [account] = await send<{ ledger_id: number }[]>('GET', `${list}/${companyId}/accounts?limit=1`);
  const {
    syncs: [sync],
  } = await send<{ syncs: { id: string }[] }>('GET', `${list}/${companyId}/syncs?limit=1`);
  const company = { legal_name: 'Harbour Roasting, Inc.', jurisdiction: 'US', state: 'DE' };
  const { id: corporation } = await send<{ id: string }>('POST', '/api/v1/corporations', company);
  await send('POST', '/api/v1/webhooks', { name: 'Corporations', url: `${gateway.origin}/livez`, topics: ['CORPORATIONS.UPDATED'] });
  const jobs = await gateway.graphql(key, '{ importJobs(first: 1) { nodes { id } } }');
  const ofAccount = (turn: number): Promise<unknown> =>
    send('PUT', `${list}/${companyId}/accounts/${account!.ledger_id}`, { data: { description: turn % 2 ? 'Cash and stock' : null } });
  const ofCorporation = (turn: number): Promise<unknown> =>
    send('POST', `/api/v1/corporations/${corporation}`, {
      website: turn % 2 ? 'https://roasting.example' : 'https://www.roasting.example',
    });
  return {
    recordChanged: { variables: { type: ['ACCOUNT'], companyId }, change: ofAccount },
    corporationChanged: { variables: { id: corporation }, change: ofCorporation },
    eventStream: { variables: { topics: ['CORPORATIONS_UPDATED'] }, change: ofCorporation },
    deliveryChanged: { variables: {}, change: ofCorporation },
    importJobProgress: { variables: { jobId: jobs.body.data.importJobs.nodes[0].id } },
    syncProgress: { variables: { syncId: sync!.id } },
  };
}

/** Records every subscription. */
export async function recordStreams(gateway: Gateway, tenant: Tenant): Promise<Map<string, RecordedGraphql>> {
  const fields = gateway.services.schema.getSubscriptionType()!.getFields();
  const streams = await streamsOf(gateway, tenant);
  const recorded = new Map<string, RecordedGraphql>();
  for (const field of Object.values(fields)) {
    const stream = streams[field.name];
    if (!stream) throw new Error(`test/examples/streams.ts has no change for ${field.name}`);
    const { document } = exampleOperation('subscription', field, stream.variables);
    const client = connectWithKey(gateway.origin, tenant.key);
    const follower = follow(client, document, stream.variables);
    for (let turn = 0; follower.received.length === 0; turn++) {
      await stream.change?.(turn);
      const failed = await Promise.race([follower.ended, setTimeout(AGAIN_MS, undefined)]);
      if (failed && follower.received.length === 0) throw new Error(`${field.name}: ${failed.code} ${failed.message}`);
    }
    follower.stop();
    await client.dispose();
    recorded.set(field.name, steady({ document, variables: stream.variables, response: { data: { [field.name]: follower.received[0] } } }));
  }
  return recorded;
}
