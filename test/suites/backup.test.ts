// A restored backup gives the same responses: records of every surface, keys, webhook secrets, queued work, and streams that resume.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, it, vi } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { serverBinaries, startCluster } from '../support/cluster.ts';
import { ADMIN_TOKEN, type Gateway, ownDatabase, serverUrl, startGateway } from '../support/gateway.ts';
import { call } from '../support/program.ts';
import { startReceiver } from '../support/receiver.ts';
import { listName } from '../support/records.ts';
import { runOnServer } from '../support/server.ts';
import { closeClients, connectWithKey, type Results } from '../support/subscriber.ts';
import { buildTenant, digestOf, type Tenant } from './tenants.ts';

type Stream = Results<{ eventStream: { id: string; data: { legal_name: string } } }>;

closeClients();

type Place = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl'>>;

/**
 * Sends requests to each surface one after the other and returns the responses. Request ids are fixed, and signatures, which contain a time, are left
 * out.
 */
async function responsesOf(gateway: Gateway, { key, companyId, businessEntityId }: Tenant): Promise<string[]> {
  const company = `/v4/core/companies/${companyId}`;
  const graphql = (query: string): [string, string, object] => ['POST', '/graphql', { query }];
  const { body } = await call(gateway.origin, key, 'GET', '/api/v1/corporations?limit=100');
  const [corporation] = body.data.corporations;
  const requests: [method: string, path: string, body?: object][] = [
    ['GET', '/healthz'],
    ['POST', '/api/v1/geoencode', { address: '10 Downing Street, London SW1A 2AA' }],
    ['GET', '/api/v1/corporations?limit=100'],
    ['GET', '/tax/api/v1/corporations?limit=100'],
    ['GET', '/api/v1/webhooks'],
    ['GET', `/api/v1/products?limit=100&corporation_id=${corporation.id}`],
    ['POST', '/api/v1/registrations/list', { corporation_id: corporation.id }],
    ['GET', `/api/v1/public/business-entities/${businessEntityId}/registrations`],
    ['GET', '/v4/core/companies'],
    ['GET', `${company}/syncs?limit=100`],
    ['GET', '/v4/core/disconnect-requests'],
    ...ledgerRecords.map((target): [string, string] => [
      'GET',
      `${company}/${listName(target)}?limit=100&include_deleted_records=true&return_count=true`,
    ]),
    graphql(
      '{ webhooks(first: 20) { nodes { id url secretPreview status deliveries(first: 100) { nodes { id status attemptsLeft event { id topic data } } } } } }',
    ),
    graphql('{ incorporationRequests(first: 20) { nodes { id status } } }'),
    graphql('{ countries { alpha2 name } subdivisions(country: "GB") { code name } }'),
  ];
  const responses: string[] = [];
  for (const [method, path, content] of requests) {
    const { status, text } = await call(gateway.origin, key, method, path, content, { 'x-request-id': 'the-same-request' });
    expect([path, status, text.includes('"errors"') && text]).toEqual([path, 200, false]);
    responses.push(`${method} ${path} ${status} ${text.replaceAll(/(signature|expires)=[\w-]+/g, '$1=').replaceAll(gateway.origin, '')}`);
  }
  const keys = await call(gateway.origin, ADMIN_TOKEN, 'POST', '/graphql', {
    query: '{ accessKeys(organisationName: "Kept") { id label roles companyIds keyPreview createdAt expiresAt revokedAt } }',
  });
  return [...responses, keys.text];
}

/** The events of a stream, from after an event if one is named. */
function listen(gateway: Gateway, key: string, after: string | null): Stream {
  const query = 'subscription ($after: ID) { eventStream(topics: [CORPORATIONS_CREATED], lastEventId: $after) { id data } }';
  return connectWithKey(gateway.origin, key).iterate({ query, variables: { after } }) as Stream;
}

async function next(stream: Stream): Promise<{ id: string; name: string }> {
  const { value, done } = await stream.next();
  if (done || value.errors) throw new Error(`the stream ended: ${JSON.stringify(value?.errors)}`);
  const { id, data } = value.data!.eventStream;
  return { id, name: data.legal_name };
}

const createCorporation = async (gateway: Gateway, key: string, name: string): Promise<void> => {
  const body = { legal_name: name, jurisdiction: 'GB' };
  expect((await call(gateway.origin, key, 'POST', '/api/v1/corporations', body)).status).toBe(200);
};

/** Streams until an event arrives, so that events are stored from then on; returns its id. */
async function firstEventOn(gateway: Gateway, key: string): Promise<string> {
  const stream = listen(gateway, key, null);
  let received: string | undefined;
  const receiving = next(stream).then(({ id }) => {
    received = id;
  });
  while (!received) {
    await createCorporation(gateway, key, 'Heard');
    await Promise.race([receiving, setTimeout(50)]);
  }
  await stream.return!();
  return received;
}

/** Starts a gateway on a place, runs the work and stops the gateway. */
async function on<T>(place: Place, worker: boolean, work: (gateway: Gateway) => Promise<T>): Promise<T> {
  const gateway = await startGateway({ ...place, worker, webhookAllowPrivate: true, publicUrl: 'http://gateway.example' });
  try {
    return await work(gateway);
  } finally {
    await gateway.stop();
  }
}

/** Fills a place, backs it up, restores it to another, and compares the two. */
async function sameAfter(from: Place, backUp: () => Promise<Place>): Promise<void> {
  const receiver = await startReceiver();
  const tenant = await on(from, true, (gateway) => buildTenant(gateway, 'Kept'));
  const before = await on(from, false, async (gateway) => {
    const lastEventId = await firstEventOn(gateway, tenant.key);
    const made = await call(gateway.origin, tenant.key, 'POST', '/api/v1/webhooks', {
      url: receiver.url,
      topics: ['CORPORATIONS.CREATED'],
    });
    await createCorporation(gateway, tenant.key, 'Queued');
    return {
      lastEventId,
      responses: await responsesOf(gateway, tenant),
      digest: await digestOf(gateway, tenant),
      secret: made.body.data.secret as string,
    };
  });
  const to = await backUp();
  await on(to, false, async (gateway) => {
    expect(await responsesOf(gateway, tenant)).toEqual(before.responses);
    expect(await digestOf(gateway, tenant)).toEqual(before.digest);
    expect(gateway.services.database.rowSecurity).toBe(true);
  });
  expect(receiver.received).toEqual([]);
  await on(to, true, () => receiver.arrived(1));
  for (const { headers, body } of receiver.received) {
    new Webhook(before.secret).verify(body, headers as Record<string, string>);
    expect(JSON.parse(body)).toMatchObject({ topic: 'CORPORATIONS.CREATED', data: { legal_name: 'Queued' } });
  }
  await receiver.stop();
  await on(to, false, async (gateway) => {
    // The stream first repeats, in order, the events written after the named one, then those written here.
    const stream = listen(gateway, tenant.key, before.lastEventId);
    let missed = await next(stream);
    while (missed.name === 'Heard') missed = await next(stream);
    expect(missed.name).toBe('Queued');
    const fresh = firstEventOn(gateway, tenant.key);
    expect(await next(stream)).toEqual({ id: expect.any(String), name: 'Heard' });
    await fresh;
    await createCorporation(gateway, tenant.key, 'Restored');
    let made = await next(stream);
    while (made.name === 'Heard') made = await next(stream);
    expect(made.name).toBe('Restored');
    await stream.return!();
  });
  console.log(
    `backup: ${before.responses.length} responses and ${Object.keys(before.digest).length} tables are the same after the restore`,
  );
}

async function embedded(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'backup-'));
  const [from, to, file] = ['from', 'to', 'dump.gz'].map((name) => join(folder, name)) as [string, string, string];
  const admin = (directory: string, ...words: string[]) =>
    adminProgram(readConfig({ DATA_DIR: directory })).parseAsync(words, { from: 'user' });
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  await sameAfter({ dataDir: from }, async () => {
    await admin(from, 'dump', file);
    await admin(to, 'restore', file);
    printed.mockRestore();
    return { dataDir: to };
  });
  await rm(folder, { recursive: true, force: true });
}

async function server(): Promise<void> {
  const binaries = serverBinaries();
  expect(binaries, 'pg_dump and pg_restore of a PostgreSQL').not.toBeNull();
  const folder = await mkdtemp(join(tmpdir(), 'backup-'));
  const file = join(folder, 'gateway.dump');
  const own = (await ownDatabase())!;
  const cluster = await startCluster(binaries!);
  try {
    await sameAfter({ dataDir: folder, databaseUrl: own.url }, async () => {
      // So that the transaction numbers of the new server are lower, as on a new server.
      await runOnServer(own.url, 'do $$ begin for i in 1..10000 loop perform pg_current_xact_id(); commit; end loop; end $$');
      execFileSync(join(binaries!, 'pg_dump'), ['--format=custom', `--file=${file}`, own.url]);
      await runOnServer(cluster.url, 'create role ledger_gateway nologin; grant ledger_gateway to current_user');
      execFileSync(join(binaries!, 'pg_restore'), [`--dbname=${cluster.url}`, '--exit-on-error', file]);
      return { dataDir: folder, databaseUrl: cluster.url };
    });
  } finally {
    cluster.remove();
    await own.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

it.skipIf(!serverUrl)(
  'pg_dump and pg_restore on another server keep all responses the same (needs DATABASE_URL)',
  { timeout: 240_000 },
  server,
);
it.skipIf(serverUrl)(
  'dump and restore of the embedded database keep all responses the same (needs no DATABASE_URL)',
  { timeout: 240_000 },
  embedded,
);
