// The change of the key that stored secrets are sealed under: every column, in batches, stopped and run again, on either database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { adminProgram } from '../../src/admin/program.ts';
import { reseal } from '../../src/administration/reseal.ts';
import { readConfig } from '../../src/config.ts';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { allModels } from '../../src/records/metadata.ts';
import { createSecretBox, isSealed } from '../../src/security/secret-box.ts';
import { type Gateway, ownDatabase, startGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';

const SIGNING = 'the signing secret of this test';
const FIRST = 'the first sealing secret of this test';
const SECOND = 'the second sealing secret of this test';
const MANY = 450;

let folder: string;
let own: Awaited<ReturnType<typeof ownDatabase>>;
let printed: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-reseal-'));
  own = await ownDatabase();
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await own?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const start = (sealingSecrets: string[]): Promise<Gateway> =>
  startGateway({ databaseUrl: own?.url, dataDir: join(folder, 'data'), signingSecret: SIGNING, sealingSecrets, worker: false });

interface Sealed {
  place: string;
  text: string;
  owner: string;
}

/** Every sealed text of the database. Its column is not looked for by the declaration alone: any text of that form counts. */
async function sealedTexts(gateway: Gateway): Promise<Sealed[]> {
  const found: Sealed[] = [];
  for (const { table, props } of allModels())
    for (const { column, sealed, kind } of props.values()) {
      if (kind !== 'text') continue;
      const owner = (sealed ?? []).map((name) => `"${props.get(name)!.column}"::text`).join(` || ' ' || `) || `''`;
      const rows = await systemTransaction(gateway.services.database, (em) =>
        executeIn<{ text: string; owner: string }>(
          em,
          `select "${column}" as text, ${owner} as owner from "${table}" where "${column}" like 'v_.%'`,
        ),
      );
      found.push(...rows.filter(({ text }) => isSealed(text)).map((row) => ({ place: `${table}.${column}`, ...row })));
    }
  return found;
}

/** Runs the command as a process with this setting would; returns its rows by place. */
async function command(sealing: string, ...options: string[]): Promise<Record<string, string | number>[]> {
  const settings = { DATA_DIR: join(folder, 'data'), SIGNING_SECRET: SIGNING, SEALING_SECRETS: sealing };
  const program = adminProgram(readConfig(own ? { ...settings, DATABASE_URL: own.url } : settings));
  await program.parseAsync(['--json', 'reseal', ...options], { from: 'user' });
  return JSON.parse(printed.pop()!);
}

/** A secret in every column that holds some. */
async function fill(gateway: Gateway): Promise<{ headers: Record<string, string>; body: unknown; response: string }> {
  const platform = { authorization: `Bearer ${await gateway.key(['PLATFORM'], 'Sealed')}` };
  const url = 'https://example.org/hook';
  const { body: made } = await gateway.send('POST', '/api/v1/webhooks', { headers: platform, body: { url, topics: ['*'], name: 'one' } });
  await gateway.send('POST', `/api/v1/webhooks/${made.data.id}`, { headers: platform, body: { secret: 'another secret of the webhook' } });
  const company = await buildCompany(gateway, { key: await gateway.key(['INTEGRATIONS'], 'Sealed') });
  const connection = await gateway.send('POST', `${company.base}/connections`, {
    headers: company.headers,
    body: { data: { source: 'DEMO', settings: { apiKey: 'the key of the source' } } },
  });
  const { id } = connection.body.data;
  const { secrets, database } = gateway.services;
  await systemTransaction(database, async (em) => {
    await executeIn(em, 'update connection set sealed_sign_in = $1 where id = $2', [secrets.seal('a sign-in', id), id]);
    for (let index = 0; index < MANY; index++)
      await executeIn(
        em,
        `insert into idempotency_key (key_id, method, path, name, body_hash, owner, is_written, status, headers, body, lease_until, expires_at)
         values ('caller', 'POST', '/x', $1, '', '', true, 200, '{}', $2, now(), now() + interval '1 day')`,
        [`n${index}`, secrets.seal('a response', `caller POST /x n${index}`)],
      );
  });
  const headers = { ...company.headers, 'idempotency-key': 'once' };
  const body = { data: { name: 'Once' } };
  return { headers, body, response: (await gateway.send('POST', '/v4/core/companies', { headers, body })).text };
}

it('after the change of the key nothing opens with the old one alone, and everything with the new one', async () => {
  const before = await start([]);
  const { headers, body, response } = await fill(before);
  const first = await sealedTexts(before);
  const places = ['connection.sealed_credentials', 'connection.sealed_sign_in', 'idempotency_key.body'];
  expect([...new Set(first.map(({ place }) => place))].sort()).toEqual([...places, 'webhook.former_secret', 'webhook.sealed_secret']);
  await before.stop();

  const trial = await command(`${FIRST},${SIGNING}`, '--dry-run');
  expect(trial.find(({ table }) => table === 'idempotency_key')).toMatchObject({ to_reseal: MANY + 1, unreadable: 0 });
  await command(`${FIRST},${SIGNING}`);
  await command(`${SECOND},${FIRST}`);
  expect((await command(`${SECOND},${FIRST}`)).every((row) => row.resealed === 0 && row.unreadable === 0)).toBe(true);

  const after = await start([SECOND]);
  const texts = await sealedTexts(after);
  expect(texts).toHaveLength(first.length);
  const withNew = createSecretBox('a signing secret of another gateway', [SECOND]);
  const withOld = createSecretBox(SIGNING, [FIRST]);
  for (const { text, owner } of texts) {
    expect(withNew.open(text, owner).length).toBeGreaterThan(0);
    expect(() => withOld.open(text, owner)).toThrow('not among those');
  }
  expect((await after.send('POST', '/v4/core/companies', { headers, body })).text).toBe(response);
  await after.stop();
}, 120_000);

it('continues after it was stopped, and leaves what no key opens', async () => {
  const gateway = await start([]);
  await fill(gateway);
  const { database } = gateway.services;
  const foreign = createSecretBox('a signing secret of another gateway', [SECOND]).seal('lost', 'caller POST /x n7');
  await systemTransaction(database, (em) => executeIn(em, `update idempotency_key set body = $1 where name = 'n7'`, [foreign]));
  const box = createSecretBox(SIGNING, [FIRST]);
  let batches = 0;
  for await (const { table } of reseal(database, box, false)) if (table === 'idempotency_key' && ++batches === 2) break;
  const left = async (): Promise<number> => (await sealedTexts(gateway)).filter(({ text }) => !text.startsWith(box.prefix)).length;
  expect(await left()).toBeGreaterThan(1);
  const ends = [];
  for await (const part of reseal(database, box, false)) ends.push(part);
  const unreadable = ends.findLast((part) => part.unreadable > 0);
  expect(unreadable).toMatchObject({ table: 'idempotency_key', column: 'body', unreadable: 1 });
  expect(await left()).toBe(1);
  await gateway.stop();
}, 120_000);

it('processes with and without the list open what each other seals, in the order of the steps', () => {
  const steps = [[], [SIGNING, FIRST], [FIRST, SIGNING], [FIRST]].map((list) => createSecretBox(SIGNING, list));
  for (const [index, box] of steps.entries())
    for (const neighbour of steps.slice(Math.max(0, index - 1), index + 2)) expect(neighbour.open(box.seal('x', 'row'), 'row')).toBe('x');
});

it('a list with a short secret is rejected by name', () => {
  expect(() => readConfig({ SEALING_SECRETS: `${FIRST},short` })).toThrow('SEALING_SECRETS');
});
