// kill -9 at random moments of plain writes, of an ingest and of a first start. Every acknowledged write is stored exactly once, counts are
// consistent, and the program starts again. Batches, imports, deliveries and the queue have files of their own next to this one.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { executeIn } from '../../../src/database/open.ts';
import { systemTransaction } from '../../../src/database/transaction.ts';
import { type Gateway, ownDatabase, startGateway } from '../../support/gateway.ts';
import { call, issueKey, ownPlace, type ProgramResponse, program } from '../../support/program.ts';
import { expectConsistent, type SeenSync } from '../../support/syncs.ts';

const ROUNDS = Number(process.env.SUITE_ROUNDS ?? 1);
const WRITERS = 8;
const REGIONS = 100;
/** After this time another request may claim the idempotency key of a killed process. */
const LEASE_MS = 61_000;

interface Write {
  kind: keyof typeof kinds;
  /** The name of the record, so that it can be counted. */
  name: string;
  idempotencyKey: string | null;
  response: ProgramResponse | null;
}

/** The kinds of writes: method, path and body of each. */
const kinds = {
  corporationByRest: (name: string) => ['POST', '/api/v1/corporations', { legal_name: name, jurisdiction: 'GB' }],
  corporationByGraphql: (name: string) => [
    'POST',
    '/graphql',
    {
      query: 'mutation ($name: String!) { createCorporation(input: { legalName: $name, jurisdiction: "GB" }) { corporation { id } } }',
      variables: { name },
    },
  ],
  accountByRest: (name: string, company: number) => [
    'POST',
    `/v4/core/companies/${company}/accounts`,
    { data: { platform_id: name, name } },
  ],
  accountByGraphql: (name: string, company: number) => [
    'POST',
    '/graphql',
    {
      query:
        'mutation ($company: ID!, $name: String!) { createAccounts(input: { companyId: $company, records: [{ platformId: $name, name: $name }] }) { accounts { ledgerId } } }',
      variables: { company, name },
    },
  ],
} satisfies Record<string, (name: string, company: number) => [method: string, path: string, body: object]>;

const kindNames = Object.keys(kinds) as Write['kind'][];

async function send(origin: string, key: string, company: number, { kind, name, idempotencyKey }: Write): Promise<ProgramResponse> {
  const [method, path, body] = kinds[kind](name, company) as [string, string, object];
  return call(origin, key, method, path, body, idempotencyKey ? { 'idempotency-key': idempotencyKey } : {});
}

const isDone = ({ status, text }: ProgramResponse): boolean => status < 300 && !text.includes('"errors"');

/** Every page of a REST list. */
async function all(
  gateway: Gateway,
  key: string,
  path: string,
  read: (body: ProgramResponse['body']) => { names: string[]; next: string },
) {
  const names: string[] = [];
  for (let next = ''; ; ) {
    const page = read((await call(gateway.origin, key, 'GET', `${path}?limit=100${next}`)).body);
    names.push(...page.names);
    if (!page.next) return names;
    next = page.next;
  }
}

const countsOf = (names: string[]): Map<string, number> =>
  names.reduce((counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1), new Map<string, number>());

it('kill -9 in the middle of writes loses no acknowledged one and stores none twice', {
  timeout: 240_000 + ROUNDS * 60_000,
}, async () => {
  const own = await ownDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'crash-'));
  const place = { dataDir, ...(own ? { databaseUrl: own.url } : {}) };
  const first = await startGateway({ ...place, worker: false });
  const key = await first.key(['PLATFORM', 'INTEGRATIONS', 'MANAGE_CONTENT', 'GEOCODE']);
  const company = (await call(first.origin, key, 'POST', '/v4/core/companies', { data: { name: 'Crash' } })).body.data.ledger_id as number;
  await systemTransaction(first.services.database, (em) =>
    executeIn(
      em,
      `insert into event_recording (organisation_id, since, until) select id, now(), now() + interval '1 day' from organisation`,
    ),
  );
  await first.stop();

  const writes: Write[] = [];
  const acknowledged = (): number => writes.filter(({ response }) => response).length;
  let acknowledgedIngest = 0;
  let ingests = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const running = await program.start(own ? { DATABASE_URL: own.url } : { DATA_DIR: dataDir });
    let isAlive = true;
    const writer = async (): Promise<void> => {
      while (isAlive) {
        const index = writes.length;
        const idempotencyKey = index % 2 === 0 ? randomUUID() : null;
        const write: Write = { kind: kindNames[(index >> 1) % kindNames.length]!, name: `write ${index}`, idempotencyKey, response: null };
        writes.push(write);
        const response = await send(running.origin, key, company, write).catch(() => null);
        if (response) expect(response).toSatisfy(isDone);
        write.response = response;
      }
    };
    const ingester = async (): Promise<void> => {
      while (isAlive) {
        const index = ++ingests;
        const subdivisions = Array.from({ length: REGIONS }, (_, at) => ({
          code: `QM-${100 + at}`,
          name: `Region ${index}`,
          type: 'Region',
        }));
        const countries = [{ alpha_2: 'QM', alpha_3: 'QMM', numeric: '991', name: `Quemland ${index}` }];
        const path = '/api/v1/internal/iso_3166/ingest/json';
        const response = await call(running.origin, key, 'POST', path, { countries, subdivisions }).catch(() => null);
        if (response) {
          expect(response.status).toBe(200);
          acknowledgedIngest = index;
        }
      }
    };
    const load = Promise.all([ingester(), ...Array.from({ length: WRITERS }, writer)]);
    const enough = acknowledged() + 20 + Math.random() * 40;
    while (acknowledged() < enough) await Promise.race([load, setTimeout(5)]);
    await setTimeout(Math.random() * 50);
    await running.end('SIGKILL');
    isAlive = false;
    await load;
  }

  const last = await startGateway({ ...place, worker: false });
  last.clock.advance(LEASE_MS);
  const repeated = writes.filter(({ idempotencyKey }) => idempotencyKey !== null);
  for (const write of repeated) {
    const response = await send(last.origin, key, company, write);
    if (write.response) expect({ ...write, text: response.text }).toEqual({ ...write, text: write.response.text });
    else if (!isDone(response)) expect(response.text).toMatch(/"RECORD_ALREADY_EXISTS"/);
  }
  const corporations = countsOf(
    await all(last, key, '/api/v1/corporations', ({ data }) => ({
      names: data.corporations.map((row: { legal_name: string }) => row.legal_name),
      next: data.cursor && `&cursor=${encodeURIComponent(data.cursor)}`,
    })),
  );
  const accounts = countsOf(
    await all(last, key, `/v4/core/companies/${company}/accounts`, ({ data, pagination }) => ({
      names: data.map((row: { platform_id: string }) => row.platform_id),
      next: pagination.next && `&next=${pagination.next}`,
    })),
  );
  const storedIn = ({ kind, name }: Write): number => (kind.startsWith('corporation') ? corporations : accounts).get(name) ?? 0;
  expect(writes.filter((write) => write.response && storedIn(write) !== 1)).toEqual([]);
  expect(repeated.filter((write) => storedIn(write) !== 1)).toEqual([]);
  expect(writes.filter((write) => storedIn(write) > 1)).toEqual([]);

  const { body } = await call(last.origin, key, 'POST', '/graphql', {
    query:
      'query ($id: ID!) { corporations { totalCount } company(id: $id) { accounts { totalCount } } subdivisions(country: "QM") { name } country(code: "QM") { name } }',
    variables: { id: company },
  });
  expect([body.data.corporations.totalCount, body.data.company.accounts.totalCount]).toEqual([corporations.size, accounts.size]);
  const syncs = (await call(last.origin, key, 'GET', `/v4/core/companies/${company}/syncs?limit=100`)).body.data as {
    count: number;
    syncs: SeenSync[];
  };
  expect(syncs.count).toBe(accounts.size);
  for (const sync of syncs.syncs) expectConsistent(sync);
  const events = await systemTransaction(last.services.database, (em) =>
    executeIn(em, "select count(*)::int as count from event where topic = 'CORPORATIONS_CREATED'"),
  );
  expect(events).toEqual([{ count: corporations.size }]);
  const versions = new Set([
    body.data.country.name.replace('Quemland', 'Region'),
    ...body.data.subdivisions.map(({ name }: { name: string }) => name),
  ]);
  expect(body.data.subdivisions).toHaveLength(REGIONS);
  expect(versions.size).toBe(1);
  expect(Number([...versions][0].split(' ')[1])).toBeGreaterThanOrEqual(acknowledgedIngest);
  await last.stop();
  await own?.drop();
  await rm(dataDir, { recursive: true, force: true });
  const lost = writes.filter(({ response }) => !response);
  console.log(
    `crash: ${ROUNDS} kills, ${writes.length} writes of which ${lost.length} got no response, ${repeated.length} repeated with their key; ${acknowledgedIngest} ingests acknowledged; ${corporations.size} corporations, ${accounts.size} accounts`,
  );
});

it('the next process completes a first start that was killed', {
  timeout: 240_000 + ROUNDS * 60_000,
}, async () => {
  const place = await ownPlace({ isEmpty: true });
  let finished = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const running = program.launch(place.settings);
    const moment = 400 + Math.random() * 3_000;
    finished += await Promise.race([running.listening.then(() => 1), setTimeout(moment, 0)]);
    await running.end('SIGKILL');
  }
  const running = await program.start(place.settings);
  const key = await issueKey(running.origin, ['PLATFORM', 'INTEGRATIONS']);
  for (const kind of kindNames.filter((name) => name.startsWith('corporation'))) {
    expect(await send(running.origin, key, 0, { kind, name: kind, idempotencyKey: null, response: null })).toSatisfy(isDone);
  }
  expect((await call(running.origin, key, 'GET', '/healthz')).body.iso_3166.countries).toBeGreaterThan(240);
  await running.end('SIGTERM');
  await place.remove();
  console.log(`crash: ${ROUNDS} first starts killed, ${finished} of them after they were complete`);
});
